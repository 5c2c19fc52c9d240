"""What a training step is judged by, from its episodes: plain numbers by name."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Collection, Mapping, Sequence

import numpy as np

from arena.records import Episode
from selfplay.population import LEARNER

Seat = tuple[Episode, int]
ONE = (LEARNER,)


def prefix(name: str) -> str:
    """What a learner's own numbers are called by; nothing where it is the only one."""
    return "" if name == LEARNER else f"member/{name}/"


def run_metrics(episodes: Sequence[Episode], updated: Mapping[str, Mapping[str, float]]) -> dict[str, float]:
    """What is logged of a step.

    Args:
        episodes: its matches.
        updated: by learner, what its update says.

    Returns:
        Numbers by name; where several learn, means over all of them, and each one's own as ``member/NAME/…``.
    """
    if len(updated) == 1:
        return {**match_metrics(episodes), **next(iter(updated.values()))}
    out = match_metrics(episodes, list(updated))
    for name in sorted({name for each in updated.values() for name in each}):
        out[name] = float(np.mean([each[name] for each in updated.values() if name in each]))
    for name, each in updated.items():
        own = {**_of(_seats(episodes, (name,))), **_met(episodes, name), **each}
        out |= {f"{prefix(name)}{key}": value for key, value in own.items()}
    return out


def match_metrics(episodes: Sequence[Episode], learners: Collection[str] = ONE) -> dict[str, float]:
    """Payoff per round, the game's own measures, illegal rate and tokens, over the learners' seats.

    Names ending in ``/self`` count matches of the learners among themselves alone, ``payoff/ROLE`` one role,
    ``met/NAME`` is the share of matches against an opponent (all past selves together; of a single learner); where
    several games are played, ``GAME/payoff`` and so on count one game.
    """
    seats = _seats(episodes, learners)
    among = _seats([e for e in episodes if set(e.match.entrants) <= set(learners)], learners)
    out = {**_of(seats), **{f"{name}/self": value for name, value in _of(among).items()}}
    out |= _by_role(seats) | (_met(episodes, *learners) if len(learners) == 1 else {})
    played = sorted({e.match.game.spec for e in episodes})
    for spec in played if len(played) > 1 else []:
        of_game = [(e, s) for e, s in seats if e.match.game.spec == spec]
        out |= {f"{spec}/{name}": value for name, value in _of(of_game).items()}
    turns = [t for e in episodes for t in e.turns if e.match.entrants[t.seat] in learners]
    out["illegal"] = float(np.mean([bool(t.illegal) for t in turns])) if turns else 0.0
    out["played_tokens"] = float(sum(t.prompt_tokens + t.completion_tokens for t in turns))
    out["memory"] = memory()
    return out


def _seats(episodes: Sequence[Episode], learners: Collection[str]) -> list[Seat]:
    return [(e, s) for e in episodes for s, name in enumerate(e.match.entrants) if name in learners]


def _of(seats: Sequence[Seat]) -> dict[str, float]:
    """Payoff per round and the games' own measures, means over seats."""
    if not seats:
        return {}
    out = {"payoff": float(np.mean([e.payoffs[s] / e.rounds for e, s in seats]))}
    for name in sorted({name for e, _ in seats for name in e.measures}):
        values = [e.measures[name][s] for e, s in seats if name in e.measures]
        finite = [v for v in values if np.isfinite(v)]
        if finite:
            out[name] = float(np.mean(finite))
    return out


def _by_role(seats: Sequence[Seat]) -> dict[str, float]:
    """Payoff per round of each role the learners had, where a game has several."""
    sums: dict[str, list[float]] = {}
    for e, s in seats:
        roles = e.match.game.info.roles
        if len(set(roles)) > 1:
            sums.setdefault(f"payoff/{roles[s]}", []).append(e.payoffs[s] / e.rounds)
    return {name: float(np.mean(values)) for name, values in sorted(sums.items())}


def _met(episodes: Sequence[Episode], learner: str) -> dict[str, float]:
    """Share of the other seats that each opponent of a learner took."""
    met: Counter[str] = Counter()
    for e in episodes:
        others = list(e.match.entrants)
        if learner in others:
            others.remove(learner)
            met.update("self" if n == learner else "past" if n.startswith("past-") else n for n in others)
    return {f"met/{name}": count / met.total() for name, count in sorted(met.items())}


def memory() -> float:
    """Megabytes of memory this process has taken at most."""
    import resource

    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e6
