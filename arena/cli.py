"""The command line: ``arena COMMAND …``. What goes wrong is one line and an exit code."""

from __future__ import annotations

import atexit
import importlib
import io
import os
import sys
from collections.abc import Sequence
from types import ModuleType
from typing import NoReturn

from arena.flags import Parser
from games.errors import ArenaError, UsageError, unknown
from games.inert import inert_line

COMMANDS = {
    "games": "list the games, or say all about one",
    "policies": "list the policies, or say all about one",
    "play": "play matches now: you against a policy, or policies among themselves",
    "tournament": "let everybody meet everybody, and print the leaderboard",
    "train": "train a language model's adapter by self-play",
    "leaderboard": "print the leaderboard of a stored tournament",
    "replay": "show a stored match turn by turn",
    "serve": "put a language model behind an OpenAI-compatible HTTP interface",
    "pull": "fetch a language model once, to be played as llm:NAME",
}
PRESETS = {"tournament rps-population": "rps_population"}
"""Tournaments that are set up already: their words, and the module of :mod:`arena.commands`."""
USAGE, FAILURE, INTERRUPTED = 2, 1, 130
"""Exit codes: the words of the command are off; something failed; Ctrl-C."""

_HELP = """usage: arena COMMAND …

Players — scripts, language models, people — meet in games, learn by self-play and are ranked.

commands:
{commands}

`arena COMMAND --help` says more, with examples. A first one:
  arena tournament prisoners-dilemma tit-for-tat always-defect random
"""


def program() -> NoReturn:
    """The program ``arena``: run the command that the process was started with, and end with its exit code."""
    sys.stdout = sys.stdout or io.StringIO()  # started with it closed, as by >&-
    sys.stderr = sys.stderr or io.StringIO()
    code = main()
    if int(os.environ.get("WORLD_SIZE", "1")) > 1:  # torchrun started this process and others
        leave(code)
    sys.exit(code)


def leave(code: int) -> NoReturn:
    """End this process, one of several, without taking the interpreter apart.

    Split weights hold on to their process group for as long as the interpreter lives, and its threads abort a process
    that is being taken apart around them, now and then. What is registered to run at exit runs; a program of your own
    that trains with ``shard`` ends with this too.

    Args:
        code: what the process exits with.
    """
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


def main(words: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    words = list(sys.argv[1:] if words is None else words)
    try:
        return _guarded(words)
    except KeyboardInterrupt:
        _complain(
            "interrupted; what is finished in a store or run folder is kept, and the same command goes on from there"
        )
        return INTERRUPTED
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # the interpreter flushes once more at exit
        return FAILURE


def _guarded(words: Sequence[str]) -> int:
    """Parse and run; errors that the user can mend become a line."""
    try:
        if not words or words[0] in ("-h", "--help", "help"):
            return _print_help(words)
        name = " ".join(words[:2]) if " ".join(words[:2]) in PRESETS else words[0]
        command = _command(name)
        parser = Parser(f"arena {name}", command.ABOUT, command.EXAMPLES)
        command.configure(parser)
        code = int(command.run(parser.read(words[len(name.split()) :])))
        sys.stdout.flush()
        return code
    except UsageError as error:
        return _complain(str(error), USAGE)
    except ArenaError as error:
        return _complain(str(error))
    except BrokenPipeError:
        raise
    except OSError as error:  # a full disk, a folder that may not be written
        where = f" ({error.filename})" if error.filename else ""
        return _complain(
            f"{error.strerror or error}{where}; what was finished before stays, and the same command goes on"
        )


def _command(name: str) -> ModuleType:
    if name not in COMMANDS and name not in PRESETS:
        raise unknown("command", name, COMMANDS)
    return importlib.import_module(f"arena.commands.{PRESETS.get(name, name)}")


def _print_help(words: Sequence[str]) -> int:
    text = _HELP.format(commands="\n".join(f"  {name:<12} {about}" for name, about in COMMANDS.items()))
    print(text, end="", file=sys.stdout if words else sys.stderr)
    return 0 if words else USAGE


def _complain(message: str, code: int = FAILURE) -> int:
    """Say what went wrong; where several processes were given the same wrong words, the first speaks for all."""
    if code == USAGE and int(os.environ.get("RANK", "0")):
        return code
    print(f"arena: {inert_line(message)}", file=sys.stderr)
    return code


if __name__ == "__main__":
    sys.exit(main())
