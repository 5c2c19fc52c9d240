"""Checks of what players read and write: replies, observations, information-state keys, rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from games.conformance.sampling import Playthrough, Step, require
from games.errors import IllegalMove
from games.game import Game, Move, Moves

GIBBERISH = ("", "zzzz", "z" * 100_000)


def _turns(played: Sequence[Playthrough]) -> list[tuple[Step, int]]:
    return [(step, seat) for match in played for step in match.steps for seat in step.movers]


def check_parsing(game: Game[Any], played: Sequence[Playthrough]) -> None:
    """Every canonical move reads as itself, however a reasonable player writes it."""
    for step, seat in _turns(played):
        moves = game.moves(step.state, seat)
        for move in moves.texts:
            for reply in (move, move.upper(), f"{move}.", f" {move}\n", f"I think.\n<answer>{move}</answer>"):
                require(_read(game, step.state, seat, reply) == move, f"{reply!r} does not read as {move!r}")
        if moves.free is not None:
            own = step.moves[step.movers.index(seat)]
            require(_read(game, step.state, seat, own) == own, f"the move {own!r} does not read as itself")


def check_refusals(game: Game[Any], played: Sequence[Playthrough]) -> None:
    """What is illegal is refused in a short sentence that says what is legal; the substitute is a legal move."""
    for step, seat in _turns(played[:2]):
        moves = game.moves(step.state, seat)
        for reply in GIBBERISH:
            try:
                move = game.parse(step.state, seat, reply)
            except IllegalMove as error:
                _check_refusal(str(error), moves)
            else:
                require(_legal(move, moves), f"{reply[:20]!r} reads as {move!r}, which is not legal")
        instead = game.substitute(step.state, seat)
        require(instead is None or _legal(instead, moves), f"the substitute {instead!r} is not legal")


def _check_refusal(sentence: str, moves: Moves) -> None:
    legal = moves.texts[0] if moves.free is None else str(moves.free.max_length)
    require(legal in sentence, f"the refusal does not say what is legal: {sentence[:200]}")
    require(len(sentence) < 2000, f"the refusal has {len(sentence)} characters; keep it under 2000")


def _legal(move: Move, moves: Moves) -> bool:
    if moves.free is None:
        return move in moves.texts
    return moves.free.min_length <= len(move) <= moves.free.max_length


def _read(game: Game[Any], state: Any, seat: int, reply: str) -> Move | None:
    try:
        return game.parse(state, seat, reply)
    except IllegalMove:
        return None


def check_observations(game: Game[Any], played: Sequence[Playthrough]) -> None:
    """Every seat can look at any time, also off turn and after the end, and sees the same when it looks again."""
    for match in played:
        for state in match.states:
            for seat in range(game.seats):
                seen = game.observe(state, seat)
                require(isinstance(seen.text, str) and seen.text.strip(), f"player_{seat} reads nothing")
                named = isinstance(seen.fields, Mapping) and all(isinstance(key, str) for key in seen.fields)
                require(named, "an observation's fields are a mapping with text keys")
                require(seen == game.observe(state, seat), f"player_{seat} looks twice and sees two things")
                require(isinstance(game.key(state, seat), str), "key must be a text")


def check_keys(game: Game[Any], played: Sequence[Playthrough]) -> None:
    """Equal keys mean equal observations and moves (nothing hidden leaks); the texts read so far determine the key."""
    sights: dict[tuple[int, str], Any] = {}
    keys: dict[tuple[Any, ...], str] = {}
    for match in played:
        for seat in range(game.seats):
            _check_seat_keys(game, match, seat, sights, keys)


def _check_seat_keys(
    game: Game[Any],
    match: Playthrough,
    seat: int,
    sights: dict[tuple[int, str], Any],
    keys: dict[tuple[Any, ...], str],
) -> None:
    read: tuple[str, ...] = ()
    for number, state in enumerate(match.states):
        key, seen, turn = game.key(state, seat), game.observe(state, seat), seat in game.to_move(state)
        sight = (seen, turn, game.moves(state, seat) if turn else None)
        known = sights.setdefault((seat, key), sight)
        require(known == sight, f"player_{seat} has one key for {_difference(known, sight)}; key {key[:120]!r}")
        now = keys.setdefault((seat, *read, seen.text), key)
        require(now == key, f"player_{seat} read the same texts, but has the keys {now[:120]!r} and {key[:120]!r}")
        if turn:
            step = match.steps[number]
            read = (*read, seen.text, step.moves[step.movers.index(seat)])


def _difference(one: Any, other: Any) -> str:
    if one[1:] != other[1:]:
        return "turns with different legal moves"
    if one[0].text != other[0].text:
        return f"two texts, {one[0].text!r} and {other[0].text!r}"
    names = [n for n in {**one[0].fields, **other[0].fields} if one[0].fields.get(n) != other[0].fields.get(n)]
    return f"two values of the fields {names}"


def check_rules(game: Game[Any], _played: Sequence[Playthrough]) -> None:
    """The rules of each seat are there and name the finite moves: all of a few, at least one of many as an example."""
    moves = game.info.moves or ()
    for seat in range(game.seats):
        rules = game.rules(seat).casefold()
        require(rules.strip(), f"the rules of player_{seat} are empty")
        missing = [move for move in moves if move.casefold() not in rules]
        enough = len(missing) < len(moves) if len(moves) > 4 else not missing
        require(enough or not moves, f'the rules of player_{seat} never name the move "{", ".join(missing[:3])}"')
