"""What a training step is judged by, from its episodes: plain numbers by name."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from arena.records import Episode
from selfplay.opponents import LEARNER


def match_metrics(episodes: Sequence[Episode]) -> dict[str, float]:
    """Payoff per round, the game's own measures, illegal rate and tokens, over the learner's seats.

    Names ending in ``/self`` count matches of the learner with itself alone.
    """
    out: dict[str, float] = {}
    selfplay = [e for e in episodes if set(e.match.entrants) == {LEARNER}]
    for suffix, some in (("", episodes), ("/self", selfplay)):
        seats = [(e, s) for e in some for s, name in enumerate(e.match.entrants) if name == LEARNER]
        if not seats:
            continue
        out[f"payoff{suffix}"] = float(np.mean([e.payoffs[s] / e.rounds for e, s in seats]))
        for name in seats[0][0].measures:
            values = [e.measures[name][s] for e, s in seats if name in e.measures]
            finite = [v for v in values if np.isfinite(v)]
            if finite:
                out[f"{name}{suffix}"] = float(np.mean(finite))
    turns = [t for e in episodes for t in e.turns if e.match.entrants[t.seat] == LEARNER]
    out["illegal"] = float(np.mean([bool(t.illegal) for t in turns])) if turns else 0.0
    out["played_tokens"] = float(sum(t.prompt_tokens + t.completion_tokens for t in turns))
    return out
