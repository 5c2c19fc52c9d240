"""The matches of a training step: who meets whom on which deal, and playing them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from arena.illegal import IllegalRule
from arena.match import run_matches
from arena.records import Episode, Match
from arena.wire import admit, pack, ticket, unpack
from games.stream import TRAINING, Stream
from policies.llm.player import LLMPolicy
from selfplay.config import TrainConfig
from selfplay.menu import Menu
from selfplay.opponents import LEARNER, Opponents
from selfplay.ranks import Ranks

if TYPE_CHECKING:
    from selfplay.learner import Learner

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


@dataclass(frozen=True, slots=True)
class Here:
    """Where the matches of a run are played by the learner's own process, one step after the other."""

    menu: Menu
    config: TrainConfig
    opponents: Opponents
    policy: LLMPolicy
    learner: Learner

    def episodes(self, step: int) -> list[Episode]:
        """The episodes of ``step``, by match id, played by the adapter as it is: each rank its share."""
        self.policy.reset(step)
        ranks = self.learner.ranks
        share = ranks.share(plan(self.menu, self.config, self.opponents, step))
        with self.learner.whole():
            played = play(share, self.policy, self.opponents, self.config)
            return together(played, self.menu, ranks)


def together(episodes: list[Episode], menu: Menu, ranks: Ranks) -> list[Episode]:
    """The episodes of all ranks, by match id; every rank gets them all."""
    if ranks.count == 1:
        return episodes
    sent = [(ticket(e.match, menu.games), pack(e, samples=True)) for e in episodes]
    found = [unpack(admit(match, menu.games), played) for match, played in ranks.gather(sent)]
    return sorted(found, key=lambda e: e.match.id)


def staleness(episodes: Sequence[Episode], step: int) -> float:
    """How many updates the adapter that played was behind that of ``step``, on average over its turns."""
    versions = [t.sample.version for e in episodes for t in e.turns if t.sample and e.match.entrants[t.seat] == LEARNER]
    return step - sum(versions) / len(versions) if versions else 0.0


def play(matches: list[Match], learner: LLMPolicy, opponents: Opponents, config: TrainConfig) -> list[Episode]:
    """Play a step's matches; episodes come back in order of match id."""
    names = {name for match in matches for name in match.entrants}
    table = {name: learner if name == LEARNER else opponents.policy(name) for name in sorted(names)}
    rule = IllegalRule.parse(config.illegal)
    episodes = run_matches(matches, table, seed=config.seed, live=config.live, illegal=rule)
    return sorted(episodes, key=lambda e: e.match.id)
