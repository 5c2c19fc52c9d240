"""Policies by spec string: ``tit-for-tat``, ``kuhn-nash:0.2``, ``llm:tiny+runs/ipd/adapter``.

A scripted player is one class in ``policies/scripted/<any>.py`` under the :func:`script` decorator; a prefix such as
``llm:`` is a module ``policies/<prefix>/`` or ``policies/<prefix>.py`` with ``make(rest)``; a combinator, made of other
policies, is ``policies/combinators/<name>.py`` with ``make(rest, find)``.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from games.errors import BadOption, UsageError, unknown
from policies.policy import Policy


@dataclass(frozen=True, slots=True)
class Prefix:
    """A family of policies whose specs begin alike."""

    spec: str
    """How its specs are written."""
    summary: str
    games: tuple[str, ...] | None = None
    """The games of our own that it plays; None: all, or those that its parts play."""
    paper: str = ""


_MATRIX = (
    "battle-of-the-sexes",
    "chicken",
    "matching-pennies",
    "prisoners-dilemma",
    "rock-paper-scissors",
    "stag-hunt",
)
_UCT, _CFR = "Kocsis & Szepesvári 2006, doi 10.1007/11871842_29", "Tammelin 2014, arXiv 1407.5042"

PREFIXES = {
    "human": Prefix("human", "a person at this terminal"),
    "llm": Prefix(
        "llm", "a language model: llm:tiny, llm:smollm2, llm:FOLDER, llm:HUB-ID, each with +ADAPTER, and @vllm or @URL"
    ),
    "openai": Prefix(
        "openai:MODEL@URL", "a model behind any OpenAI-compatible server; the key from OPENAI_API_KEY (extra)"
    ),
    "mcts": Prefix(
        "mcts:N",
        "Monte Carlo tree search, N simulations a move, in games of perfect information",
        ("connect-four", "tic-tac-toe", "ultimatum"),
        _UCT,
    ),
    "cfr": Prefix(
        "cfr:N",
        "the average strategy of N iterations of CFR+, in small two-seat games that list their chance",
        ("kuhn-poker", "leduc-poker", *_MATRIX),
        _CFR,
    ),
    "axelrod": Prefix(
        "axelrod:NAME",
        "a strategy of the Axelrod library, by its class: axelrod:Gradual (extra)",
        ("prisoners-dilemma",),
        "Knight et al. 2016, doi 10.5334/jors.125",
    ),
    "openspiel": Prefix(
        "openspiel:NAME",
        "one of the 43 rock-paper-scissors bots of OpenSpiel: openspiel:greenberg (extra)",
        ("rock-paper-scissors",),
        "Lanctot et al. 2023, arXiv 2303.03196",
    ),
}
COMBINATORS = {
    "relay": Prefix("relay:K:A,B", "entrant A for the seat's first K turns, then B"),
    "mix": Prefix("mix:A=P,B=Q", "one of the entrants, drawn once per match with these weights"),
    "noisy": Prefix("noisy:P:A", "entrant A, a move in P of all cases replaced by a random legal one"),
    "best-response": Prefix("best-response:A", "what earns most against entrant A, exactly, in small games"),
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


def make(spec: str, named: Mapping[str, Policy] | None = None) -> Policy:
    """The policy of a spec string.

    Args:
        spec: as listed by ``arena policies``.
        named: entrants that combinators (``relay:2:strong,weak``) may be made of, by name; other parts are specs.

    Raises:
        UnknownName: no such policy; the message names the nearest known ones.
        BadOption: an argument that the policy does not take.
    """
    name, _, rest = spec.strip().partition(":")
    if name in COMBINATORS:
        policy = _combine(name, rest, named or {})
    elif name in PREFIXES:
        policy = importlib.import_module(f"policies.{name}").make(rest)
    elif name in scripts():
        policy = _make_script(_SCRIPTS[name], spec, rest)
    else:
        raise unknown("policy", spec, [*scripts(), *(f"{p}:" for p in (*PREFIXES, *COMBINATORS))])
    policy.name = spec.strip()
    return policy


def _combine(name: str, rest: str, named: Mapping[str, Policy]) -> Policy:
    def find(part: str) -> Policy:
        return named[part] if part in named else make(part, named)

    module = importlib.import_module(f"policies.combinators.{name.replace('-', '_')}")
    return module.make(rest, find)  # type: ignore[no-any-return]


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
