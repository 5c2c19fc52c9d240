"""Policies by spec string: ``tit-for-tat``, ``kuhn-nash:0.2``, ``llm:tiny+runs/ipd/adapter``.

A scripted player is one class in ``policies/scripted/<any>.py`` under the :func:`script` decorator; a prefix such as
``llm:`` is a module ``policies/<prefix>/`` or ``policies/<prefix>.py`` with ``make(rest, **shared)``.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

from games.errors import BadOption, UsageError, unknown
from policies.policy import Policy

PREFIXES = {
    "human": "a person at this terminal",
    "llm": "a language model: llm:tiny, llm:tiny+ADAPTER, llm:FOLDER, llm:HUB-ID",
}


@dataclass(frozen=True, slots=True)
class Entry:
    """One scripted player in the registry."""

    name: str
    make: Callable[..., Any]
    games: tuple[str, ...] | None
    summary: str
    paper: str = ""
    arguments: str = ""


_SCRIPTS: dict[str, Entry] = {}


def script(
    name: str, *, games: tuple[str, ...] | None = None, paper: str = "", arguments: str = ""
) -> Callable[[type[Any]], type[Any]]:
    """Register a class as the scripted player ``name``.

    Args:
        games: the games it can play; None: all.
        paper: where the strategy is from.
        arguments: how its arguments are written after the name (``:ALPHA``), all optional and passed as text.
    """

    def register(cls: type[Any]) -> type[Any]:
        summary = (cls.__doc__ or "").strip().splitlines()[0] if cls.__doc__ else ""
        _SCRIPTS[name] = Entry(name, cls, games, summary, paper, arguments)
        cls.name, cls.games = name, games
        return cls

    return register


@cache
def _import_scripts() -> None:
    import policies.scripted

    for module in pkgutil.iter_modules(policies.scripted.__path__):
        importlib.import_module(f"policies.scripted.{module.name}")


def scripts() -> dict[str, Entry]:
    """Every scripted player, by name."""
    _import_scripts()
    return dict(sorted(_SCRIPTS.items()))


def make(spec: str) -> Policy:
    """The policy of a spec string.

    Raises:
        UnknownName: no such policy; the message names the nearest known ones.
        BadOption: an argument that the policy does not take.
    """
    name, _, rest = spec.strip().partition(":")
    if name in PREFIXES:
        policy: Policy = importlib.import_module(f"policies.{name}").make(rest)
    elif name in scripts():
        policy = _make_script(_SCRIPTS[name], spec, rest)
    else:
        raise unknown("policy", spec, [*scripts(), *(f"{p}:" for p in PREFIXES)])
    policy.name = spec.strip()
    return policy


def _make_script(entry: Entry, spec: str, rest: str) -> Policy:
    arguments = rest.split(":") if rest else []
    if arguments and not entry.arguments:
        raise BadOption(f'"{entry.name}" takes no arguments, but "{spec}" gives some; write {entry.name}')
    try:
        return entry.make(*arguments)  # type: ignore[no-any-return]
    except (TypeError, ValueError) as error:
        raise BadOption(f'"{spec}": {error}; write {entry.name}{entry.arguments}') from None


def split_name(entrant: str) -> tuple[str, str]:
    """``NAME=SPEC`` as (name, spec); a bare spec names itself."""
    name, sign, spec = entrant.partition("=")
    if sign and name.strip() and not set(name) & set(":+/@?"):
        if not spec.strip():
            raise UsageError(f'"{entrant}" has no spec after the "="; write NAME=SPEC')
        return name.strip(), spec.strip()
    return entrant.strip(), entrant.strip()
