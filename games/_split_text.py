"""What players of Split read."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from games.split import Round, Split, State


def news(game: Split, state: State, seat: int) -> str:
    """What is new to ``seat`` since it last acted, and what it is asked."""
    now, between = state.now, state.over or not state.now.claims
    parts = [_outcome(game, state.past[-1], seat)] if state.past and between else []
    if state.over:
        return " ".join([*parts, "The game is over."])
    if between:
        parts.append(f"Round {len(state.past) + 1} of {game.rounds}.")
        parts += [f"{who} values: {_listed(game, now, s)}." for who, s in (("Your", seat), ("Their", 1 - seat))]
    return " ".join([*parts, f"Your claim on {game.items[len(now.claims)]}, 0 to {game.copies}?"])


def _outcome(game: Split, past: Round, seat: int) -> str:
    seen = game.seen(past, seat)
    claims = ", ".join(f"{n} {item}" for n, item in zip(seen.their_claims, game.items, strict=True))
    return f"They claimed {claims}. You got {seen.points:.1f}, they {seen.their_points:.1f} points."


def _listed(game: Split, played: Round, seat: int) -> str:
    values = zip(game.items, game.values(played.profile, seat), strict=True)
    return ", ".join(f"{item} {value:g}" for item, value in values)


def line(game: Split, played: Round, seat: int | None) -> str:
    """A round for people watching, or as ``seat`` may see it: open claims of the other are not shown."""
    parts = []
    for s in (0, 1):
        shown = seat in (None, s) or len(played.claims) == len(game.items)
        claims = "/".join(map(str, played.of(s))) if shown and played.claims else "?"
        parts.append(f"player_{s} values {_listed(game, played, s)}, claims {claims}")
    return "; ".join(parts)


def rules(game: Split) -> str:
    """All a newcomer must know."""
    n = game.copies
    return (
        f"Split: two players, {game.rounds} rounds, no messages. Each round there are {n} hats, {n} books and {n} "
        f"balls. Each kind is worth {game.high:g} or {game.low:g} points an item to you and to them; both see all "
        "values, which change from round to round and add up to the same for both. "
        f"You claim 0 to {n} hats, then books, then balls, without seeing their claims of the round. "
        f"If both claims on a kind add up to more than {n}, you get {n} times your claim divided by the sum of the "
        "claims; else your claim. Then you learn what they claimed. Get as many points as you can. "
        "Reply with one number only. An illegal claim ends the game."
    )
