"""``python -m arena`` is the command line."""

import sys

from arena.cli import main

sys.exit(main())
