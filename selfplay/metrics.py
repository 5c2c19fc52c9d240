"""What a training step is judged by, from its episodes: plain numbers by name."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence

import numpy as np

from arena.records import Episode
from selfplay.opponents import LEARNER

Seat = tuple[Episode, int]


def match_metrics(episodes: Sequence[Episode]) -> dict[str, float]:
    """Payoff per round, the game's own measures, illegal rate and tokens, over the learner's seats.

    Names ending in ``/self`` count matches of the learner with itself alone, ``payoff/ROLE`` one role, ``met/NAME`` is
    the share of matches against an opponent (all past selves together); where several games are played, ``GAME/payoff``
    and so on count one game.
    """
    selfplay = [e for e in episodes if set(e.match.entrants) == {LEARNER}]
    out = {**_of(episodes), **{f"{name}/self": value for name, value in _of(selfplay).items()}}
    out |= _by_role(episodes) | _met(episodes)
    played = sorted({e.match.game.spec for e in episodes})
    for spec in played if len(played) > 1 else []:
        out |= {
            f"{spec}/{name}": value for name, value in _of([e for e in episodes if e.match.game.spec == spec]).items()
        }
    turns = [t for e in episodes for t in e.turns if e.match.entrants[t.seat] == LEARNER]
    out["illegal"] = float(np.mean([bool(t.illegal) for t in turns])) if turns else 0.0
    out["played_tokens"] = float(sum(t.prompt_tokens + t.completion_tokens for t in turns))
    out["memory"] = memory()
    return out


def _seats(episodes: Sequence[Episode]) -> list[Seat]:
    return [(e, s) for e in episodes for s, name in enumerate(e.match.entrants) if name == LEARNER]


def _of(episodes: Sequence[Episode]) -> dict[str, float]:
    """Payoff per round and the games' own measures, means over the learner's seats."""
    seats = _seats(episodes)
    if not seats:
        return {}
    out = {"payoff": float(np.mean([e.payoffs[s] / e.rounds for e, s in seats]))}
    for name in sorted({name for e, _ in seats for name in e.measures}):
        values = [e.measures[name][s] for e, s in seats if name in e.measures]
        finite = [v for v in values if np.isfinite(v)]
        if finite:
            out[name] = float(np.mean(finite))
    return out


def _by_role(episodes: Sequence[Episode]) -> dict[str, float]:
    """Payoff per round of each role the learner had, where a game has several."""
    sums: dict[str, list[float]] = {}
    for e, s in _seats(episodes):
        roles = e.match.game.info.roles
        if len(set(roles)) > 1:
            sums.setdefault(f"payoff/{roles[s]}", []).append(e.payoffs[s] / e.rounds)
    return {name: float(np.mean(values)) for name, values in sorted(sums.items())}


def _met(episodes: Sequence[Episode]) -> dict[str, float]:
    """Share of the other seats that each opponent took."""
    met: Counter[str] = Counter()
    for e in episodes:
        others = list(e.match.entrants)
        others.remove(LEARNER)
        met.update("self" if n == LEARNER else "past" if n.startswith("past-") else n for n in others)
    return {f"met/{name}": count / met.total() for name, count in sorted(met.items())}


def memory() -> float:
    """Megabytes of memory this process has taken at most."""
    import resource

    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e6
