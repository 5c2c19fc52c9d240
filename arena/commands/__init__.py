"""One module per command of ``arena``: ``ABOUT``, ``EXAMPLES``, ``configure(parser)`` and ``run(args) -> exit code``.

Each imports what it needs inside the function that needs it, so that ``--help`` answers at once.
"""
