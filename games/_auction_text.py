"""What bidders read."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from games.auction import Auction, Lot, State

_PRICES = {
    "first-price": "All bid at the same time without seeing other bids; the highest bid wins and pays its price.",
    "second-price": "All bid at the same time without seeing other bids; the highest bid wins and pays the second "
    "highest bid, or nothing where there is no other.",
}


def news(game: Auction, state: State, seat: int) -> str:
    """What is new to ``seat`` since it last acted, and what it is asked."""
    parts = []
    if game.over(state) or not state.now.bids:
        parts += [_sale(len(state.sold), state.sold[-1], seat)] if state.sold else []
        if game.over(state):
            return " ".join([*parts, "The game is over."])
        parts.append(f"Lot {len(state.sold) + 1} of {game.lots}. It is worth {state.now.values[seat]} to you.")
    return " ".join([*parts, *_standing(game, state.now, seat)])


def _sale(number: int, lot: Lot, seat: int) -> str:
    if lot.leader < 0:
        return f"Nobody bid for lot {number}."
    if lot.leader == seat:
        return f"You won lot {number} for {lot.price} and get {lot.payoff(seat):g} points."
    return f"player_{lot.leader} won lot {number} for {lot.price}."


def _standing(game: Auction, lot: Lot, seat: int) -> list[str]:
    if lot.leader == seat:
        return [f"You lead with {lot.price}. Wait."]
    leads = [f"player_{lot.leader} leads with {lot.price}."] if lot.leader >= 0 else []
    return [*leads, f"Your bid, {game.least(lot)} to {game.top}, or pass?"]


def line(number: int, lot: Lot, seat: int | None) -> str:
    """A lot for people watching, or as ``seat`` may see it."""
    values = " ".join(str(v) if seat in (None, s) else "?" for s, v in enumerate(lot.values))
    if lot.leader < 0:
        return f"Lot {number}: values {values}; no bid"
    return f"Lot {number}: values {values}; player_{lot.leader} at {lot.price}"


def rules(game: Auction, seat: int) -> str:
    """All a newcomer must know."""
    return (
        f"Auction: {game.seats} bidders, {game.lots} lots sold one after the other. What a lot is worth to you is "
        f"drawn anew from 1 to {game.top}, each number alike; the others have their own numbers, and nobody sees those "
        f"of another. {_course(game)} Of equal bids one is drawn. Your points of a lot that you win are its worth to "
        "you minus the price, which may be below 0; a lot of another gives you nothing. Get as many points as you can. "
        f"You are player_{seat}. Reply with one number, or with pass to make no bid. An illegal reply counts as pass."
    )


def _course(game: Auction) -> str:
    if not game.open:
        return _PRICES[game.format]
    return (
        f"Bids are open: a first bid is at least {game.step}, each later one at least {game.step} above the leading "
        "bid. All but the leader bid or pass at the same time, again and again; who passed may bid later. "
        "When nobody bids more, the leader wins and pays the own bid."
    )
