"""What players and onlookers of the repeated matrix games read. Short and plain: small models read it too."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from games.matrix import MatrixGame, MatrixState


def rules(game: MatrixGame, seat: int) -> str:
    """The whole game as ``seat`` must know it, in at most about 90 words."""
    family, choices = game.family, _either(game.family.moves)
    length = "" if game.end else f" for {game.rounds} round{'s' * (game.rounds > 1)}"
    role = f" You are the {family.roles[seat]}." if family.has_roles else ""
    lines = [
        f"You play {family.title} with one other player{length}.{role}",
        f"In each round you both choose at the same time: {choices}.",
        *_payoffs(game, seat),
        *_chance(game),
        f"Get as many points as you can. Answer with one word: {choices}.",
    ]
    return "\n".join(lines)


def _payoffs(game: MatrixGame, seat: int) -> list[str]:
    family = game.family
    if family.digest:
        numbers = {s: f"{p:g}" for s, p in zip(family.symbols, game.payoffs, strict=True)}
        return [family.digest.format(**numbers)]
    own, other = game.tables[seat], game.tables[1 - seat]
    cells = (
        f"{a} against {b}: you get {own[i][j]:g}, the other {other[j][i]:g}."
        for (i, a), (j, b) in itertools.product(enumerate(family.moves), repeat=2)
    )
    return ["Your choice first:", *cells]


def _chance(game: MatrixGame) -> list[str]:
    lines = []
    if game.noise:
        lines.append(f"A choice turns into another one with probability {game.noise:g}.")
    if game.end:
        lines.append(f"After each round the match ends with probability {game.end:g}.")
    return lines


def news(game: MatrixGame, state: MatrixState, seat: int) -> str:
    """What is new to ``seat``: the last round, and the round that comes or how the match ended."""
    t = len(state.played[0])
    if t == 0:
        return f"{_round(game, 1)} {_either(game.family.moves).capitalize()}?"
    return f"{_last(game, state, seat)} {_result(state, seat) if state.over else _round(game, t + 1)}"


def _last(game: MatrixGame, state: MatrixState, seat: int) -> str:
    words, own, other = game.family.moves, state.played[seat][-1], state.played[1 - seat][-1]
    chosen = state.chosen[seat][-1]
    slip = f" (you chose {words[chosen]})" if chosen != own else ""
    return f"You: {words[own]}{slip}. Other: {words[other]}. You got {game.tables[seat][own][other]:g}."


def _round(game: MatrixGame, number: int) -> str:
    return f"Round {number}." if game.end else f"Round {number} of {game.rounds}."


def _result(state: MatrixState, seat: int) -> str:
    return f"The match is over. You have {state.totals[seat]:g}, the other {state.totals[1 - seat]:g}."


def board(game: MatrixGame, state: MatrixState) -> str:
    """Both histories and the score, for onlookers."""
    words, t = game.family.moves, len(state.played[0])
    head = f"after {t} round{'s' * (t != 1)}" if state.over else _round(game, t + 1).lower().rstrip(".")
    lines = (
        f"player_{seat} ({state.totals[seat]:g}): {' '.join(words[m] for m in state.played[seat]) or '-'}"
        for seat in (0, 1)
    )
    return "\n".join([f"{game.name}, {head}", *lines])


def _either(words: tuple[str, ...]) -> str:
    return f"{', '.join(words[:-1])} or {words[-1]}"
