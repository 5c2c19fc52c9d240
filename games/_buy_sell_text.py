"""What seller and buyer read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from games._talk import says
from games.game import Move

if TYPE_CHECKING:
    from games.buy_sell import BuySell, State

_SELLER = 0


@dataclass(frozen=True, slots=True)
class Event:
    """Something that a seat said, or did (then ``said`` is None)."""

    seat: int
    said: str | None
    move: Move = ""


def events(state: State) -> list[Event]:
    """Everything said and done, in order."""
    events = []
    for place in range(max(len(state.done), len(state.messages))):
        events += [Event(place % 2, text) for text in state.messages[place : place + 1]]
        events += [Event(place % 2, None, move) for move in state.done[place : place + 1]]
    return events


def news(game: BuySell, state: State, seat: int) -> str:
    """What is new to ``seat`` since it last acted, and what it is asked."""
    done = events(state)
    own = max((n for n, event in enumerate(done) if event.seat == seat), default=-1)
    parts = [] if own >= 0 else [_worth(state, seat)]
    if own >= 0 and done[own].said == "":
        parts.append("You said nothing.")
    new = done[own:] if game.over(state) and own == len(done) - 1 else done[own + 1 :]
    return " ".join([*parts, *(_told(event, state, seat) for event in new), _question(game, state, seat)])


def _worth(state: State, seat: int) -> str:
    return f"The item costs you {state.cost}." if seat == _SELLER else f"The item is worth {state.value} to you."


def _told(event: Event, state: State, seat: int) -> str:
    if event.said is not None:
        return says("They", event.said)
    if event.move.isdigit():
        return f"They {'ask' if event.seat == _SELLER else 'offer'} {event.move}."
    price = "" if state.price is None else f" {state.price}"
    return f"{'You' if event.seat == seat else 'They'} {event.move}ed{price}."


def _question(game: BuySell, state: State, seat: int) -> str:
    if game.over(state):
        return f"You get {state.payoffs[seat]:g} points. The game is over."
    if seat not in game.to_move(state):
        return "Wait."
    moves = game.moves(state, seat)
    if moves.free is not None:
        return "Your message?"
    named = [f"Your price, 0 to {game.top}"] if "0" in moves.texts else []
    choices = [*named, *(move for move in moves.texts if not move.isdigit())]
    asked = ", ".join(choices[:-1]) + f" or {choices[-1]}?"
    return asked[0].upper() + asked[1:]


def board(state: State, seat: int | None) -> str:
    """The worths that may be shown to ``seat``, and every word and price on a line."""
    worths = [("costs player_0", state.cost), ("is worth to player_1", state.value)]
    lines = [f"The item {words} {n if seat in (None, s) else '?'}." for s, (words, n) in enumerate(worths)]
    for event in events(state):
        who = f"player_{event.seat}"
        lines.append(f"{who}: {event.move}" if event.said is None else says(who, event.said))
    return "\n".join(lines)


def rules(game: BuySell, seat: int) -> str:
    """All a newcomer must know."""
    own, worth = ("seller", "costs you") if seat == _SELLER else ("buyer", "is worth to you")
    points = "the price minus what it costs you" if seat == _SELLER else "what it is worth to you minus the price"
    return (
        f"Buy and sell: you are the {own} of one item; you know what the item {worth}, they know their number. "
        f"The seller begins; in turn each names a price from 0 to {game.top}, accepts the last price of the other, or "
        f"rejects and ends the talks without a deal. There are at most {game.turns} turns; in the last one only accept "
        f"or reject is possible. If a price is accepted, your points are {points}, which may be below 0. Without a "
        f"deal both get 0. Get as many points as you can.{_talk_rule(game)} Asked for a price, reply with one number, "
        "or with accept or reject, only. An illegal reply counts as reject."
    )


def _talk_rule(game: BuySell) -> str:
    free = game.info.free
    if free is None:
        return ""
    longest = f"of at most {free.max_length} characters"
    return f" Before each turn you send a message {longest}; asked for it, reply with the message only."
