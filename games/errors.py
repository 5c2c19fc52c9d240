"""The arena's errors: one small tree, and the sentence that names the nearest known word."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class ArenaError(Exception):
    """Something the user can mend; the message says what is wrong, what is allowed and what to do."""


class UsageError(ArenaError):
    """The words of a command, spec or configuration are off (exit code 2)."""


class UnknownName(UsageError):
    """No game, policy, preset, … has this name."""


class BadOption(UsageError):
    """An option has a value that its game, policy or command does not allow."""


class MissingExtra(ArenaError):
    """An optional package is not installed; the message holds the ``pip install`` line."""


class IllegalMove(ArenaError):
    """A reply that is no legal move; the message says what was legal."""


def unknown(what: str, name: str, known: Iterable[str]) -> UnknownName:
    """The error for an unknown name, with the nearest known ones (or all, where they are few)."""
    known = sorted(known)
    near = difflib.get_close_matches(name, known, n=3, cutoff=0.5)
    near += [k for k in known if name and (k.startswith(name) or name in k) and k not in near][:3]
    if near:
        hint = "did you mean " + " or ".join(f'"{n}"' for n in near[:3]) + "?"
    else:
        hint = "known: " + ", ".join(known[:30]) + (", …" if len(known) > 30 else "")
    return UnknownName(f'no {what} "{name}" — {hint}')
