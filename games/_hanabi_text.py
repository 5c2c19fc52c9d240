"""What Hanabi is in words: what a seat reads, the rules, the table as shown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from games._hanabi_cards import COLOURS, Setup
from games._hanabi_state import Event, Fireworks


def seen_text(state: Fireworks, seat: int, setup: Setup, movers: tuple[int, ...]) -> str:
    """What is new to ``seat`` since it last moved, what it knows of its cards, and what it may do."""
    own = [n for n, event in enumerate(state.log) if event.seat == seat]
    news = state.log[own[-1] :] if own else state.log
    parts = [_told(event, seat, setup) for event in news if event.seat != seat or event.card]
    changed = {event.seat for event in news if event.card} if own else set(range(setup.players))
    parts += [_hand(state, s, setup) for s in sorted(changed - {seat})]
    if not movers:
        return " ".join([*parts, _ending(state, setup)])
    return " ".join([*parts, _table(state), *_own(state, seat, setup, movers)])


def _told(event: Event, seat: int, setup: Setup) -> str:
    """An event in the eyes of ``seat``."""
    if event.card is None:
        return _told_hint(event, seat, setup)
    end = "it fits." if event.fits else "it does not fit, a life is lost."
    action, slot = event.move.split()
    result = f": {end}" if action == "play" else "."
    if event.seat == seat:
        return f"You {action} {event.card}{result}"
    they = "They" if setup.players == 2 else f"player_{event.seat}"
    return f"{they} {action if they == 'They' else action + 's'} card {slot}, {event.card}{result}"


def _told_hint(event: Event, seat: int, setup: Setup) -> str:
    word = event.move.split()[-1]
    slots = " ".join(map(str, event.slots))
    if setup.players == 2:
        return f"They hint {word}: your cards {slots}."
    if event.target == seat:
        return f"player_{event.seat} hints {word}: your cards {slots}."
    return f"player_{event.seat} hints {word} to player_{event.target}: cards {slots}."


def _hand(state: Fireworks, seat: int, setup: Setup) -> str:
    they = "They hold" if setup.players == 2 else f"player_{seat} holds"
    return f"{they} {', '.join(map(str, state.hands[seat]))}."


def _built(built: Sequence[int]) -> str:
    return ", ".join(f"{COLOURS[colour]} {rank}" for colour, rank in enumerate(built))


def _table(state: Fireworks) -> str:
    """What lies open."""
    left = f"Deck {len(state.deck)}." if state.deck else f"The deck is empty, turns left: {state.turns_left}."
    return f"Built: {_built(state.built)}. Hints {state.hints}. Lives {state.lives}. {left}"


def _own(state: Fireworks, seat: int, setup: Setup, movers: tuple[int, ...]) -> Iterator[str]:
    """The own cards as far as they are known, and what may be done."""
    yield f"Your cards: {', '.join(map(str, state.knowledge[seat]))}."
    if movers != (seat,):
        yield "Wait for your turn."
    elif state.hints == 0:
        yield "Play or discard?"
    else:
        yield "Play, discard or hint?" if state.hints < setup.hints else "Play or hint?"


def _ending(state: Fireworks, setup: Setup) -> str:
    if not state.lives:
        return f"The last life is lost. The score is 0 of {setup.most}."
    return f"Built: {_built(state.built)}. The game is over. The score is {state.score} of {setup.most}."


def rules(setup: Setup, seat: int) -> str:
    """The whole game, with the numbers of these options."""
    several = setup.players > 2
    others = f"{setup.players - 1} other players" if several else "one other player"
    you = f"You are player_{seat}; player_0 moves first." if several else f"You move {'second' if seat else 'first'}."
    hint = "hint player_0 red or hint player_0 1" if several else "hint red or hint 1"
    if several and seat == 0:
        hint = hint.replace("player_0", "player_1")
    copies = ", ".join(f"{rank} {_times(setup.copies(rank))}" for rank in range(1, setup.ranks + 1))
    return (
        f"You play Hanabi together with {others}; all get the same score. The colours are "
        f"{', '.join(COLOURS[: setup.colours])}. In each colour the ranks are there: {copies}. Each player holds "
        f"{setup.hand} cards and sees the cards of everybody else, not the own ones. {you} In each colour the cards "
        f"must be played in the order 1 to {setup.ranks}; each card that fits scores 1, at most {setup.most}. "
        "In turn each player does one of three things.\n"
        f"Play a card, such as play 1: a card that does not fit is thrown away and costs one of {setup.lives} lives. "
        f"When the last life is lost, the game ends with score 0. A colour that is complete gives a hint back.\n"
        f"Discard a card, such as discard 1: it is thrown away and gives a hint back. There are at most {setup.hints} "
        "hints; nobody may discard while there are that many.\n"
        f"Hint, such as {hint}: it shows another player which of their cards have that colour or rank, at least one. "
        f"It costs a hint.\n"
        "Card 1 is the oldest; a new card is drawn and becomes the last. When the deck is empty, each player has one "
        "more turn. An illegal answer ends the game with score 0."
    )


def _times(copies: int) -> str:
    return {1: "once", 2: "twice", 3: "three times"}[copies]


def shown(state: Fireworks, seat: int | None) -> str:
    """Hands, fireworks, hints and lives; the own hand of ``seat`` only as it knows it."""
    lines = [f"built: {_built(state.built)}; hints {state.hints}; lives {state.lives}; deck {len(state.deck)}"]
    for s, (hand, known) in enumerate(zip(state.hands, state.knowledge, strict=True)):
        cards = known if s == seat else hand
        told = "" if s == seat else f" (knows {', '.join(map(str, known))})"
        lines.append(f"player_{s}: {', '.join(map(str, cards))}{told}")
    if state.log:
        last = state.log[-1]
        lines.append(f"last: player_{last.seat} {last.move}{f', {last.card}' if last.card else ''}")
    return "\n".join(lines)
