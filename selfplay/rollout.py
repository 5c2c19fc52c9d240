"""The matches of a training step: who meets whom on which deal, and playing them."""

from __future__ import annotations

from arena.illegal import IllegalRule
from arena.match import run_matches
from arena.records import Episode, Match
from games.stream import TRAINING, Stream
from policies.llm.player import LLMPolicy
from selfplay.config import TrainConfig
from selfplay.menu import Menu
from selfplay.opponents import LEARNER, Opponents

STRIDE = 10_000_000  # match ids and deals of a step start at step × this


def plan(menu: Menu, config: TrainConfig, opponents: Opponents, step: int) -> list[Match]:
    """The matches of ``step``: a group shares game, deal, learner seat and opponent; the seat rotates by group."""
    matches = []
    for number in range(config.matches):
        group = number // config.group_size
        rng = Stream(config.seed, TRAINING, 5, step, group)
        game = menu.draw(step, rng)
        seated = [opponents.draw(rng, game) for _ in range(game.seats)]
        seated[group % game.seats] = LEARNER
        matches.append(Match(step * STRIDE + number, game, step * STRIDE + group, tuple(seated), group))
    return matches


def play(matches: list[Match], learner: LLMPolicy, opponents: Opponents, config: TrainConfig) -> list[Episode]:
    """Play a step's matches; episodes come back in order of match id."""
    names = {name for match in matches for name in match.entrants}
    table = {name: learner if name == LEARNER else opponents.policy(name) for name in sorted(names)}
    rule = IllegalRule.parse(config.illegal)
    episodes = run_matches(matches, table, seed=config.seed, live=config.live, illegal=rule)
    return sorted(episodes, key=lambda e: e.match.id)
