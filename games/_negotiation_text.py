"""What the players of Negotiation read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games._items import bundle_text

if TYPE_CHECKING:
    from games.negotiation import Negotiation, State


def news(game: Negotiation, state: State, seat: int) -> str:
    """What is new to ``seat`` since it last acted, and what it is asked."""
    if game.over(state):
        return f"{_ending(state, seat)} You get {state.payoffs[seat]:g} points. The game is over."
    parts = [] if len(state.proposals) > seat else [_opening(game, state, seat)]
    return " ".join([*parts, *_heard(state, seat), _question(game, state, seat)])


def _opening(game: Negotiation, state: State, seat: int) -> str:
    values = ", ".join(f"{kind} {value}" for kind, value in zip(game.kinds, state.values[seat], strict=True))
    return f"There are {bundle_text(state.pool, game.kinds)}. Worth to you: {values}."


def _heard(state: State, seat: int) -> list[str]:
    """The other's last proposal and word, where they came after the own."""
    last = len(state.proposals) - 1
    if last < 0 or last % 2 == seat:
        return []
    words = [f"They say {word}." for word in state.words[last : last + 1]]
    return [f"They keep {state.proposals[last]}.", *words]


def _question(game: Negotiation, state: State, seat: int) -> str:
    if seat not in game.to_move(state):
        return "Wait."
    if game.uttering(state):
        return f"Your word of {game.length} letters?"
    return "What do you keep, or accept?" if state.proposals else "What do you keep?"


def _ending(state: State, seat: int) -> str:
    if not state.agreed:
        return " ".join([*_heard(state, seat), "The talks have ended without a deal."])
    return f"{'You' if (len(state.proposals) - 1) % 2 == seat else 'They'} accepted."


def board(game: Negotiation, state: State, seat: int | None) -> str:
    """The items, the values that may be shown to ``seat``, every proposal and word."""
    lines = [f"There are {bundle_text(state.pool, game.kinds)}."]
    for s in (0, 1):
        values = " ".join(str(v) if seat in (None, s) else "?" for v in state.values[s])
        lines.append(f"player_{s} values: {values}")
    for place, proposal in enumerate(state.proposals):
        accepted = state.agreed and place == len(state.proposals) - 1
        said = "".join(f", says {word}" for word in state.words[place : place + 1])
        lines.append(f"player_{place % 2} {'accepts' if accepted else f'keeps {proposal}'}{said}")
    return "\n".join(lines)


def rules(game: Negotiation, seat: int) -> str:
    """All a newcomer must know."""
    first = "You begin" if seat == 0 else "They begin"
    return (
        "Negotiation: you and another player divide some apples, pears and plums. What each kind is worth to you "
        f"they don't know, and the other way round; an item is worth 0 to {game.top} points. {first}. In turn each "
        f"proposes what to keep, leaving the rest to the other,{_word_rule(game)} or accepts the other's last "
        "proposal. If it is accepted, each gets the worth of the own items. After 4 to 10 turns, most likely 7, the "
        "talks end without warning and both get 0. Get as many points as you can. "
        "Asked what you keep, reply with such as 2 apples 0 pears 1 plum, or with accept, only. "
        f"{'Asked for a word, reply with the word only. ' if game.length else ''}"
        "An illegal proposal ends the game with nothing for both."
    )


def _word_rule(game: Negotiation) -> str:
    if not game.length:
        return ""
    return (
        f" and then says a word of {game.length} of the letters {' '.join(game.letters)}, such as "
        f"{game.letters[-1] * game.length}, which means what you both make of it"
    )
