"""What players of Commons read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games._talk import says

if TYPE_CHECKING:
    from games.commons import Commons, Month, State


def news(game: Commons, state: State, seat: int) -> str:
    """What is new to ``seat`` since it last acted, and what it is asked."""
    joined = game.joined(seat)
    if not game.here(state, seat) and not game.over(state):
        return f"You join in month {joined}. Wait."
    parts = _last_month(state, seat) if len(state.past) >= joined else []
    if game.over(state):
        collapsed = ["The stock has collapsed."] if game.stock(state) == 0 else []
        return " ".join([*parts, *collapsed, "The game is over."])
    return " ".join([*parts, *_question(game, state, seat)])


def _last_month(state: State, seat: int) -> list[str]:
    """The catches and what was said after them; once ``seat`` has spoken, only what was said since."""
    last = state.past[-1]
    here = len(last.wishes)
    speakers = [(len(state.past) - 1 + place) % here for place in range(len(last.talk))]
    own = max((place for place, speaker in enumerate(speakers) if speaker == seat), default=-1)
    heard = [says(f"player_{s}", text) for s, text in zip(speakers, last.talk, strict=True)][own + 1 :]
    silent = ["You said nothing."] if own >= 0 and not last.talk[own] else []
    return [*silent, *heard] if own >= 0 else [_catches(last), *heard]


def _catches(month: Month) -> str:
    listed = ", ".join(f"player_{s} {caught:.4g}" for s, caught in enumerate(month.caught))
    return f"Catches: {listed}. {month.left} left."


def _question(game: Commons, state: State, seat: int) -> list[str]:
    stock, movers = game.stock(state), game.to_move(state)
    if game.moves(state, movers[0]).free is not None:
        return ["Your message?" if seat in movers else "Wait for the others."]
    return [f"Month {len(state.past) + 1} of {game.months}. The stock is {stock}.", f"Your catch, 0 to {stock}?"]


def month_line(number: int, month: Month) -> str:
    """A month for people watching."""
    here = len(month.wishes)
    said = [says(f"player_{(number - 1 + place) % here}", text) for place, text in enumerate(month.talk)]
    return " ".join([f"Month {number}: the stock is {month.stock}.", _catches(month), *said])


def rules(game: Commons, seat: int) -> str:
    """All a newcomer to the game must know."""
    parts = [
        f"Commons: {game.seats} players share a stock of {game.capacity} tons for {game.months} months. "
        "Each month all say at the same time how many tons they catch, from 0 to the stock. If the catches add up to "
        "more than the stock, all are cut in proportion. Then all see who caught what. "
        f"If fewer than {game.collapse} tons are left, the stock has collapsed and the game is over. "
        f"Else what is left doubles, to at most {game.capacity} tons, and the next month begins.",
        *_talk_rule(game),
        *_newcomer_rule(game, seat),
        f"Your points are the tons you catch in all months. You are player_{seat}.",
        f"Asked for a catch, reply with one number only, such as {game.capacity // 10}. "
        "A reply without a legal number ends the game for all.",
    ]
    return " ".join(parts)


def _talk_rule(game: Commons) -> list[str]:
    if not game.talk:
        return []
    each = "one message" if game.talk == 1 else f"{game.talk} messages"
    return [
        f"After each month every player sends {each} to all, one after the other; a message has at most "
        f"{game.info.free.max_length if game.info.free else 0} characters. Asked for a message, reply with it only."
    ]


def _newcomer_rule(game: Commons, seat: int) -> list[str]:
    if not game.newcomer:
        return []
    who = "You join" if seat == game.seats - 1 else f"player_{game.seats - 1} joins"
    return [f"{who} in month {game.newcomer}."]
