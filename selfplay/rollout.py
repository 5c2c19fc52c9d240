"""The matches of a training step: who meets whom on which deal, and playing them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from arena.illegal import IllegalRule
from arena.match import run_matches
from arena.records import Episode, Match
from arena.wire import admit, pack, ticket, unpack
from games import Game
from games.stream import TRAINING, Stream
from policies import Policy
from policies.combinators.best_response import BestResponse
from selfplay.config import TrainConfig
from selfplay.menu import Menu
from selfplay.opponents import Company, Opponents, responder
from selfplay.population import MAIN, Population
from selfplay.ranks import Ranks

if TYPE_CHECKING:
    from selfplay.member import Member
    from selfplay.past import Scores

STRIDE = 10_000_000  # match ids and deals of a step start at step × this


def plan(
    menu: Menu, config: TrainConfig, who: Population, opponents: Opponents, scores: Mapping[str, Scores], step: int
) -> list[Match]:
    """The matches of ``step``: a group shares game, deal, learner, its seat, and opponents.

    Args:
        menu: what is played.
        config: how many matches, and in which groups.
        who: the learners, who take turns by group.
        opponents: whom they may meet.
        scores: by learner, what it had against past snapshots.
        step: of the run.
    """
    matches = []
    for number in range(config.matches):
        group = number // config.group_size
        rng = Stream(config.seed, TRAINING, 5, step, group)
        game = menu.draw(step, rng)
        name, seat = who.focal(group, game.seats)
        met = [company(who, name, s, game) for s in range(game.seats)]
        seated = [opponents.draw(rng, game, each, scores[name]) for each in met]
        seated[seat] = name
        matches.append(Match(step * STRIDE + number, game, step * STRIDE + group, tuple(seated), group))
    return matches


def company(who: Population, name: str, seat: int, game: Game[Any]) -> Company:
    """Whom the learner ``name`` may meet in ``seat`` of ``game``."""
    if who.exploits(name):
        return Company(name, only=MAIN)
    selves, others = who.selves(name, seat, game.seats), who.others(name, seat, game.seats)
    return Company(name, selves, others, who.able(seat, game.seats) or (name,))


@dataclass(frozen=True, slots=True)
class Here:
    """Where the matches of a run are played by the learners' own process, one step after the other."""

    menu: Menu
    config: TrainConfig
    who: Population
    opponents: Opponents
    members: Sequence[Member]

    def episodes(self, step: int) -> list[Episode]:
        """The episodes of ``step``, by match id, played by the adapters as they are: each rank its share."""
        for member in self.members:
            member.policy.reset(step)
        one = self.members[0].learner
        scores = {m.name: m.scores for m in self.members}
        share = one.ranks.share(plan(self.menu, self.config, self.who, self.opponents, scores, step))
        with one.whole():
            played = play(share, {m.name: m.policy for m in self.members}, self.opponents, self.config)
            return together(played, self.menu, one.ranks)


def together(episodes: list[Episode], menu: Menu, ranks: Ranks) -> list[Episode]:
    """The episodes of all ranks, by match id; every rank gets them all."""
    if ranks.count == 1:
        return episodes
    sent = [(ticket(e.match, menu.games), pack(e, samples=True)) for e in episodes]
    found = [unpack(admit(match, menu.games), played) for match, played in ranks.gather(sent)]
    return sorted(found, key=lambda e: e.match.id)


def staleness(episodes: Sequence[Episode], learners: Sequence[str], step: int) -> float:
    """How many updates the adapters that played were behind those of ``step``, on average over their turns."""
    own = [t for e in episodes for t in e.turns if e.match.entrants[t.seat] in learners]
    versions = [t.sample.version for t in own if t.sample]
    return step - sum(versions) / len(versions) if versions else 0.0


def play(
    matches: list[Match], learners: Mapping[str, Policy], opponents: Opponents, config: TrainConfig
) -> list[Episode]:
    """Play a step's matches, all learners and opponents in one batch; episodes come back in order of match id."""
    names = {name for match in matches for name in match.entrants}
    now = {**learners, **{responder(name): BestResponse(player) for name, player in learners.items()}}
    table = {name: now[name] if name in now else opponents.policy(name) for name in sorted(names)}
    rule = IllegalRule.parse(config.illegal)
    episodes = run_matches(matches, table, seed=config.seed, live=config.live, illegal=rule)
    return sorted(episodes, key=lambda e: e.match.id)
