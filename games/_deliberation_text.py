"""What the parties of Deliberation read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games._deliberation_scores import ISSUES, LEAST, NEEDED, PARTIES, SCORES, deal_text, score
from games._talk import says

if TYPE_CHECKING:
    from games.deliberation import Deliberation, State


def news(game: Deliberation, state: State, seat: int) -> str:
    """What is new to ``seat`` since it last acted, and what it is asked."""
    if game.over(state):
        return f"{_result(state)} You get {game.payoffs(state)[seat]:g} points. The game is over."
    own = max((place for place, (speaker, _) in enumerate(state.messages) if speaker == seat), default=-1)
    silent = ["You said nothing."] if own >= 0 and not state.messages[own][1] else []
    heard = [says(PARTIES[speaker], words) for speaker, words in state.messages[own + 1 :]]
    if state.deal and seat == 0:
        silent, heard = [], []  # it has read them before it named the deal
    return " ".join([*silent, *heard, _question(game, state, seat)])


def _question(game: Deliberation, state: State, seat: int) -> str:
    asked = seat in game.to_move(state)
    if len(state.messages) < game.turns:
        return f"Turn {len(state.messages) + 1} of {game.turns}. Your message?" if asked else "Wait."
    if not state.deal:
        return (
            "The talk is over. Your final deal?" if asked else f"The talk is over. {PARTIES[0]} names the deal. Wait."
        )
    return _ballot(state, seat) if asked else "Wait for the votes."


def _ballot(state: State, seat: int) -> str:
    from games.deliberation import find_deal

    deal = find_deal(state.deal)
    assert deal is not None
    worth = f"It gives you {score(seat, deal):g}; you need at least {LEAST[seat]}."
    return f"The final deal is {deal_text(deal)}. {worth} Accept or reject?"


def _result(state: State) -> str:
    if not state.votes:
        return f"{PARTIES[0]} named no deal."
    against = [party for party, accepts in zip(PARTIES, state.accepting, strict=True) if not accepts]
    how = "All accepted" if not against else f"{', '.join(against)} rejected"
    return f"{how} {state.deal}. The deal has {'passed' if state.passed else 'failed'}."


def rules(game: Deliberation, seat: int, longest: int, no_deal: str) -> str:
    """All a newcomer in ``seat`` must know."""
    parts = [
        f"Deliberation: six parties ({', '.join(PARTIES)}) decide about a project. You are {PARTIES[seat]}. "
        f"There are five issues: {' '.join(_issue(number) for number in range(len(ISSUES)))}",
        "A deal is one option of each, such as A1 B1 C1 D1 E1.",
        f"Your points: {_scores(seat)}. Your score of a deal is the sum. The others have their own points, which you "
        "don't see.",
        *_talk_rule(game, longest),
        f"At the end {PARTIES[0]} names a final deal or {no_deal}; then the others accept or reject it at the same "
        f"time. It passes if at least {NEEDED} of the six accept, {PARTIES[0]} (which counts as accepting) and "
        f"{PARTIES[1]} among them. Then each gets its score"
        f"{f', and {PARTIES[0]} {game.bonus} points more if all accept' if game.bonus else ''}. "
        f"Without a deal you get {LEAST[seat]} points: accept only a deal that gives you at least that. "
        "Get as many points as you can.",
        f"Asked for the final deal, reply with it only; asked to vote, reply accept or reject only. An illegal reply "
        f"counts as {no_deal} or reject.",
    ]
    return " ".join(parts)


def _issue(number: int) -> str:
    issue = ISSUES[number]
    options = ", ".join(f"{issue.letter}{n} {option}" for n, option in enumerate(issue.options, 1))
    return f"{issue.letter} {issue.name}: {options}."


def _scores(seat: int) -> str:
    listed = []
    for issue, row in zip(ISSUES, SCORES[seat], strict=True):
        listed.append(", ".join(f"{issue.letter}{n} {points}" for n, points in enumerate(row, 1)))
    return "; ".join(listed)


def _talk_rule(game: Deliberation, longest: int) -> list[str]:
    if not game.turns:
        return []
    return [
        f"First there are {game.turns} messages to all, of at most {longest} characters, one party after the other; "
        f"{PARTIES[0]} opens. Asked for a message, reply with it only."
    ]


def board(state: State) -> str:
    """The talk, the deal and the votes, for people watching."""
    lines = [says(PARTIES[speaker], words) for speaker, words in state.messages]
    if state.deal:
        lines.append(f"{PARTIES[0]} names {state.deal}")
    lines += [f"{party}: {vote}" for party, vote in zip(PARTIES[1:], state.votes, strict=False)]
    return "\n".join(lines) or "Nothing was said yet."
