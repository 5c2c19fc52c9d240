"""What OpenSpiel says of a game: loaded, described in our words, its moves named from sample matches."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from games.errors import BadOption, MissingExtra, unknown
from games.game import GameInfo, Move
from games.hosts._spiel import begin, legal, settle
from games.stream import Stream

_SAMPLES, _LOOKED_AT, _ENOUGH = 400, 30_000, 20  # matches, names at most; matches without a new name, to stop


@dataclass(frozen=True, slots=True)
class Facts:
    """What OpenSpiel says of a game."""

    game: Any
    info: GameInfo
    sampled: bool
    """It draws for itself."""


def _pyspiel() -> Any:
    try:
        import pyspiel
    except ImportError as error:
        line = "pip install 'selfplay-arena[openspiel]'"
        raise MissingExtra(f"OpenSpiel is not installed; run: {line}") from error
    return pyspiel


def load(string: str, seed: int = 0) -> Any:
    """OpenSpiel's game; with a seed, one that draws by it."""
    pyspiel = _pyspiel()
    name = string.partition("(")[0]
    if name not in pyspiel.registered_names():
        raise unknown("game of OpenSpiel", name, pyspiel.registered_names())
    try:
        game = pyspiel.load_game(string)
        return pyspiel.load_game(name, {**game.get_parameters(), "rng_seed": seed}) if seed else game
    except pyspiel.SpielError as error:
        raise BadOption(f"OpenSpiel refuses {string}: {str(error).splitlines()[0]}") from error


@lru_cache(maxsize=64)
def facts_of(string: str) -> Facts:
    """The facts of an OpenSpiel string.

    Raises:
        MissingExtra: OpenSpiel is not installed.
        UnknownName: it has no such game.
        BadOption: it refuses the parameters, or the game can't be hosted.
    """
    types, game = _pyspiel().GameType, load(string)
    kind = game.get_type()
    if kind.dynamics == types.Dynamics.MEAN_FIELD:
        raise BadOption(f"{string} is a mean-field game; OpenSpiel's sequential and simultaneous games can be played")
    try:
        names, bounds = _names(game), (float(game.min_utility()), float(game.max_utility()))
    except _pyspiel().SpielError as error:
        raise BadOption(f"{string} can't be hosted: {str(error).splitlines()[0]}") from error
    sampled = kind.chance_mode == types.ChanceMode.SAMPLED_STOCHASTIC and "rng_seed" in game.get_parameters()
    return Facts(game, _info(string, game, names, bounds), sampled)


def _info(string: str, game: Any, names: tuple[Move, ...], bounds: tuple[float, float]) -> GameInfo:
    types, kind, seats = _pyspiel().GameType, game.get_type(), game.num_players()
    kinds = {types.Utility.ZERO_SUM: "competitive", types.Utility.IDENTICAL: "cooperative"}
    return GameInfo(
        name=f"openspiel:{string.partition('(')[0]}",
        version=0,
        summary=f"{kind.long_name}, as in OpenSpiel",
        kind=kinds.get(kind.utility, "mixed"),
        seats=(seats, seats),
        roles=tuple(f"player {seat}" for seat in range(seats)),
        payoff_bounds=bounds,
        max_ticks=max(1, int(game.max_game_length())),
        moves=names,
        zero_sum=kind.utility == types.Utility.ZERO_SUM,
        simultaneous=kind.dynamics == types.Dynamics.SIMULTANEOUS,
        perfect_information=kind.information == types.Information.PERFECT_INFORMATION,
        deterministic=kind.chance_mode == types.ChanceMode.DETERMINISTIC,
        paper="arXiv 1908.09453",
    )


def _names(game: Any) -> tuple[Move, ...]:
    """The names of moves in sample matches, in the order in which they were met."""
    found: dict[Move, None] = {}
    news, looked_at = 0, 0
    for sample in range(_SAMPLES):
        for choices in _sample(game, Stream(sample)):
            names = [name for choice in choices for name in choice]
            looked_at += len(names)
            news = sample if any(name not in found for name in names) else news
            found.update(dict.fromkeys(names))
            if looked_at > _LOOKED_AT:
                return tuple(found)
        if sample - news >= _ENOUGH:
            break
    return tuple(found)


def _sample(game: Any, rng: Stream) -> Iterator[list[dict[Move, int]]]:
    """What the movers may do at each tick of a random match."""
    live, _ = settle(begin(game), rng.weighted)
    while choices := [legal(live.state, seat) for seat in live.movers()]:
        yield choices
        names = tuple(rng.choice(list(choice)) for choice in choices)
        actions = tuple(choice[name] for choice, name in zip(choices, names, strict=True))
        live, _ = settle(live.tick(actions, names, names), rng.weighted)
