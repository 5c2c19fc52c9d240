"""How legally and how well ``llm:tiny`` plays: the promises its users rely on, measured."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

import games
import policies
from arena.match import run_matches
from arena.records import Episode, Match
from games.stream import TRAINING, Stream
from policies import Policy

UNSEEN: Mapping[str, tuple[str, ...]] = {
    "prisoners-dilemma": ("prisoners-dilemma:payoffs=7/1/9/2,rounds=13", "prisoners-dilemma:payoffs=4/1/6/2,rounds=19"),
    "rock-paper-scissors": ("rock-paper-scissors:rounds=18",),
    "stag-hunt": ("stag-hunt:payoffs=6/1/4/3,rounds=11",),
    "trust-and-split": ("trust-and-split:rounds=9", "trust-and-split:rounds=12"),
}
"""Option values that the corpus does not hold."""


@dataclass(frozen=True, slots=True)
class GameReport:
    """One game's figures."""

    game: str
    legal: float
    """Share of legal replies in free decoding at temperature 1, playing itself."""
    legal_unseen: float | None
    """The same with option values that were not in the corpus."""
    random: float
    tiny: float
    best: float
    """Mean payoff against all the game's scripts and ``random``, in both seats; of the best script ``best``."""
    best_script: str

    @property
    def progress(self) -> float:
        """How far from random to the best script, 0 to 1; NaN where no script beats random."""
        return (self.tiny - self.random) / (self.best - self.random) if self.best > self.random else float("nan")


def report(model: str = "llm:tiny", matches: int = 100, names: Sequence[str] | None = None) -> list[GameReport]:
    """Measure ``model`` in every built-in game (or ``names``)."""
    return [_of_game(name, model, matches) for name in names or games.names()]


def legal_rate(spec: str, model: str, matches: int, seed: int = 7) -> float:
    """Share of the model's replies that are legal when it plays itself, decoding freely at temperature 1."""
    policy = policies.make(f"{model}?decode=free&max_new_tokens=64")
    game = games.make(spec)
    plan = [Match(i, game, i, ("x",) * game.seats) for i in range(matches)]
    turns = [t for e in run_matches(plan, {"x": policy}, seed=seed, live=256) for t in e.turns]
    return float(np.mean([not t.illegal for t in turns]))


def first_moves(spec: str, model: str = "llm:tiny") -> dict[str, float]:
    """The model's distribution over first moves."""
    from games.stream import NoChance
    from policies import Turn

    game, policy = games.make(spec), policies.make(model)
    state = game.start(Stream(0))
    turn = Turn(game, 0, 0, 0, game.observe(state, 0), game.moves(state, 0), NoChance())
    [distribution] = policy.probabilities([turn])  # type: ignore[attr-defined]
    return dict(distribution)


def _of_game(name: str, model: str, matches: int) -> GameReport:
    scripts = [s for s, e in policies.scripts().items() if e.games and name in e.games]
    pool = ["random", *scripts]
    players = {s: policies.make(s) for s in (*pool, model)}
    scores = {s: _score(name, s, pool, players, matches) for s in (*pool, model)}
    best = max(scripts, key=scores.__getitem__, default="random")
    unseen = [legal_rate(spec, model, matches // 4) for spec in UNSEEN.get(name, ())]
    return GameReport(
        game=name,
        legal=legal_rate(name, model, matches),
        legal_unseen=float(np.mean(unseen)) if unseen else None,
        random=scores["random"],
        tiny=scores[model],
        best=scores[best],
        best_script=best,
    )


def _score(name: str, player: str, pool: Sequence[str], players: Mapping[str, Policy], matches: int) -> float:
    """Mean payoff of ``player`` against ``pool``, each opponent equally often, seats in turn, on fixed deals."""
    game = games.make(name)
    plan = []
    for number in range(matches * len(pool)):
        rng = Stream(5, TRAINING, 6, number // game.seats)
        seated = [rng.choice(pool) for _ in range(game.seats)]
        seated[number % game.seats] = player
        plan.append(Match(number, game, number // game.seats, tuple(seated)))
    return float(np.mean([_own(e) for e in run_matches(plan, players, seed=5, live=256)]))


def _own(episode: Episode) -> float:
    return episode.payoffs[episode.match.id % episode.match.game.seats]
