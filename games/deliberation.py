"""Deliberation: six parties talk about five issues, then one proposes a deal and the others vote (arXiv 2309.17234).

Abdelnabi et al. 2024: 3·3·4·4·5 = 720 deals; each party scores every option, at most 100 points in all, and has a
least score (55, 65, 55, 50, 31, 30) that it also gets without a deal. The first party opens, proposes at the end and,
like the second, can't be outvoted; a deal passes when at least five of the six accept it, and the proposer gets 10
points more when all do. A score that *reaches* the least score is acceptable (≥).

The published score tables are not reproduced here: :mod:`games._deliberation_scores` holds our own, made so that the
facts known of the published ones hold. Two things differ from the paper on purpose: the final deal and the votes are
moves of their own instead of words in a message, so that nothing has to be judged; and within every six turns each
party speaks once, in random order.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from games import _deliberation_scores as table
from games import _deliberation_text as text
from games._checks import check_whole
from games._deliberation_scores import DEALS, LEAST, NEEDED, PARTIES, Deal, acceptable, deal_text, score
from games._talk import message_form, plain
from games.errors import IllegalMove
from games.game import Game, GameInfo, Move, Moves, Observation, Rewards
from games.parsing import read_move
from games.stream import Stream

NO_DEAL = "no deal"
ANSWERS = ("accept", "reject")
MESSAGE = message_form(500)
_FINAL = Moves((*map(deal_text, DEALS), NO_DEAL))
_VOTES = Moves(ANSWERS)
_OPTION = re.compile(r"\b([A-E])\s?([1-5])\b", re.IGNORECASE)
_TAIL = 2_000  # characters of a text that are looked at


def find_deal(message: str) -> Deal | None:
    """The deal that ``message`` names: one option of each issue (``A1 B2 C3 D1 E4``); None where it names none.

    An issue that is named twice with different options, or not at all, makes it none: nothing is guessed.
    """
    named = {(issue.upper(), int(option) - 1) for issue, option in _OPTION.findall(message[-_TAIL:])}
    options = dict(named)
    if len(named) != len(table.ISSUES) or len(options) != len(table.ISSUES):
        return None
    deal = tuple(options[issue.letter] for issue in table.ISSUES)
    return deal if all(o < len(issue.options) for o, issue in zip(deal, table.ISSUES, strict=True)) else None


@dataclass(frozen=True, slots=True)
class State:
    """The talk, the final deal and the votes."""

    speaker: int = 0
    """Who speaks now."""
    messages: tuple[tuple[int, str], ...] = ()
    """Who said what."""
    deal: Move = ""
    """The final deal, ``no deal``, or nothing yet."""
    votes: tuple[Move, ...] = ()
    """The answers of all parties but the proposer, once made."""

    @property
    def accepting(self) -> tuple[bool, ...]:
        """Who accepts the final deal; its proposer does."""
        return (True, *(vote == "accept" for vote in self.votes))

    @property
    def passed(self) -> bool:
        """Whether the deal passed: accepted by five or more, the second party among them."""
        return bool(self.votes) and self.accepting[1] and sum(self.accepting) >= NEEDED


@dataclass(frozen=True)
class Deliberation(Game[State]):
    """Deliberation. An illegal reply counts as silence, ``no deal`` or ``reject``, whichever was asked for."""

    turns: int = 24
    """Messages before the final deal, of all parties together; 0: no talk."""
    bonus: int = 10
    """What the proposer gets on top when all accept."""

    def __post_init__(self) -> None:
        """Check the options.

        Raises:
            BadOption: an option outside its range.
        """
        check_whole(self.name, "turns", self.turns, 0, 600)
        check_whole(self.name, "bonus", self.bonus, 0, 100)

    @cached_property
    def info(self) -> GameInfo:
        """What is true of the game with these options; returns are divided by the greatest score."""
        return GameInfo(
            name=self.name,
            version=0,
            summary="Deliberation: six parties, five issues, one deal that enough of them must accept.",
            kind="mixed",
            seats=(6, 6),
            roles=PARTIES,
            payoff_bounds=(0.0, 100.0 + self.bonus),
            max_ticks=self.turns + 2,
            moves=(*_FINAL.texts, *ANSWERS),
            free=MESSAGE if self.turns else None,
            unit=100.0,
            simultaneous=True,
            deterministic=self.turns <= 1,
            paper="arXiv 2309.17234",
        )

    def start(self, rng: Stream) -> State:
        """Nothing said yet; the first party opens. Draws nothing."""
        return State()

    def _talking(self, state: State) -> bool:
        return len(state.messages) < self.turns

    def over(self, state: State) -> bool:
        """Whether there is no deal, or all have voted."""
        return state.deal == NO_DEAL or bool(state.votes)

    def to_move(self, state: State) -> tuple[int, ...]:
        """The speaker; then the proposer; then all others."""
        if self.over(state):
            return ()
        if self._talking(state):
            return (state.speaker,)
        return tuple(range(1, len(PARTIES))) if state.deal else (0,)

    def moves(self, state: State, seat: int) -> Moves:
        """A message, a deal, or a vote."""
        if self._talking(state):
            return Moves(free=MESSAGE)
        return _VOTES if state.deal else _FINAL

    def parse(self, state: State, seat: int, reply: str) -> Move:
        """A message on one line, a deal, or a vote.

        Raises:
            IllegalMove: the message is too long, or the reply names no legal move.
        """
        moves = self.moves(state, seat)
        try:
            move = read_move(reply, moves)
        except IllegalMove:
            deal = find_deal(reply) if moves is _FINAL else None
            if deal is None:
                raise
            return deal_text(deal)
        return plain(move) if moves.free else move

    def substitute(self, state: State, seat: int) -> Move | None:
        """Silence, ``no deal`` or ``reject``."""
        if self._talking(state):
            return ""
        return "reject" if state.deal else NO_DEAL

    def play(self, state: State, moves: tuple[Move, ...], rng: Stream) -> tuple[State, Rewards]:
        """Say the message and draw who speaks next, name the final deal, or count the votes."""
        if not self._talking(state):
            return self._settled(state, moves)
        said = replace(state, messages=(*state.messages, (state.speaker, moves[0])))
        waiting = self._waiting(said)
        return (replace(said, speaker=rng.choice(waiting)) if len(waiting) > 1 else self._alone(said)), _NOTHING

    def outcomes(self, state: State, moves: tuple[Move, ...]) -> Iterable[tuple[float, State, Rewards]]:
        """After a message each party that may speak next, equally likely; else the one outcome."""
        if not self._talking(state):
            return [(1.0, *self._settled(state, moves))]
        said = replace(state, messages=(*state.messages, (state.speaker, moves[0])))
        waiting = self._waiting(said)
        if len(waiting) <= 1:
            return [(1.0, self._alone(said), _NOTHING)]
        return [(1 / len(waiting), replace(said, speaker=seat), _NOTHING) for seat in waiting]

    def _waiting(self, state: State) -> tuple[int, ...]:
        """Who may speak next: who has not yet spoken within these six turns; nobody after the last turn."""
        if not self._talking(state):
            return ()
        place = len(state.messages) % len(PARTIES)
        spoken = {seat for seat, _ in state.messages[len(state.messages) - place :]}
        return tuple(seat for seat in range(len(PARTIES)) if seat not in spoken)

    def _alone(self, state: State) -> State:
        """The state where the next speaker needs no draw."""
        return replace(state, speaker=next(iter(self._waiting(state)), 0))

    def _settled(self, state: State, moves: tuple[Move, ...]) -> tuple[State, Rewards]:
        after = replace(state, votes=moves) if state.deal else replace(state, deal=moves[0])
        return after, self.payoffs(after) if self.over(after) else _NOTHING

    def payoffs(self, state: State) -> Rewards:
        """What each gets when the match ends like this: the deal's scores, or without one the least scores."""
        deal = find_deal(state.deal)
        if deal is None or not state.passed:
            return tuple(map(float, LEAST))
        extra = float(self.bonus) if all(state.accepting) else 0.0
        return tuple(score(party, deal) + (extra if party == 0 else 0.0) for party in range(len(PARTIES)))

    def observe(self, state: State, seat: int) -> Observation:
        """What was said since the own last message, then the deal to vote on, at last what came of it."""
        fields = {
            "scores": table.SCORES[seat],
            "least": LEAST[seat],
            "messages": state.messages,
            "turn": len(state.messages),
            "turns": self.turns,
            "bonus": self.bonus,
            "deal": find_deal(state.deal),
            "phase": self._phase(state),
            "votes": state.accepting if state.votes else (),
        }
        return Observation(text.news(self, state, seat), fields)

    def _phase(self, state: State) -> str:
        if self.over(state):
            return "over"
        return "talk" if self._talking(state) else "vote" if state.deal else "deal"

    def key(self, state: State, seat: int) -> str:
        """All that was said, whether it is this party's turn, the deal and the votes."""
        mine = seat in self.to_move(state)
        return repr((state.messages, mine, state.deal, state.votes))

    def rules(self, seat: int) -> str:
        """The rules and the own scores."""
        return text.rules(self, seat, MESSAGE.max_length, NO_DEAL)

    def render(self, state: State, seat: int | None = None) -> str:
        """The talk, the deal and the votes; scores are not shown."""
        return text.board(state)

    def round(self, state: State) -> int:
        """1 once the match is over."""
        return int(self.over(state))

    def measures(self, state: State) -> Mapping[str, tuple[float, ...]]:
        """What came of it, against all deals that enough parties could accept.

        ``passed`` and ``unanimous``; ``wrong``: the party accepted less than its least score; ``efficiency``: joint
        gain over the least scores, against the best among deals that can pass; ``pareto``, ``nash``,
        ``kalai_smorodinsky`` and ``gini`` as in :mod:`games._bargaining`, over all deals and without the bonus.
        """
        if not self.over(state):
            return {}
        deal = find_deal(state.deal)
        n, passed = len(PARTIES), state.passed
        scores = table.scores(deal) if deal is not None and passed else tuple(map(float, LEAST))
        gain, best = sum(scores) - sum(LEAST), table.best_passable()
        return {
            "passed": (float(passed),) * n,
            "unanimous": (float(passed and all(state.accepting)),) * n,
            "wrong": _wrong(state, deal),
            **table.possible().measures(scores),
            "efficiency": (gain / best,) * n,
        }


def _wrong(state: State, deal: Deal | None) -> tuple[float, ...]:
    """1 for each party that accepted, or proposed, a deal below its least score."""
    if deal is None:
        return (0.0,) * len(PARTIES)
    pairs = zip(state.accepting, acceptable(deal), strict=True)
    return tuple(float(accepts and not fine) for accepts, fine in pairs)


_NOTHING: Rewards = (0.0,) * len(PARTIES)
GAME = Deliberation
