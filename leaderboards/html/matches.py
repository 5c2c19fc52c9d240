"""Matches to read in a page: one of each table of entrants first, then more, as plain JSON values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from games.inert import inert, inert_line

if TYPE_CHECKING:
    from arena.records import Episode, TurnRecord
    from arena.store import Store
    from arena.tables import MatchRow

MOST = 120
"""Matches that a page holds at most."""
_BYTES = 3_000_000  # of text in all, about
_PAGE_LIMIT = 2_000  # characters of one reply or observation


def readable(stores: Sequence[str | Path], most: int = MOST) -> list[dict[str, Any]]:
    """The episodes of some matches of these stores, tables of entrants in turn.

    Args:
        stores: their paths; matches of a second store are numbered apart.
        most: how many matches at most; fewer where they are long.

    Raises:
        ArenaError: a store can't be read, or a game's rules have changed since.
    """
    from arena.store import Store

    found: list[dict[str, Any]] = []
    size = 0
    for number, path in enumerate(stores):
        with Store(path) as store:
            for row in _chosen(store.matches(), most // max(1, len(stores))):
                match = _match(store, row, f"{number + 1}." if len(stores) > 1 else "")
                size += sum(len(t["reply"]) + len(t["observation"]) for tick in match["ticks"] for t in tick["turns"])
                if found and size > _BYTES:
                    return found
                found.append(match)
    return found


def _chosen(rows: Iterable[MatchRow], most: int) -> list[MatchRow]:
    """The first match of every table, then the second, … until there are enough; in the order of their numbers."""
    seen: dict[tuple[str, tuple[str, ...]], int] = {}
    turns: dict[int, list[MatchRow]] = {}
    for row in rows:
        table = (row.game, row.entrants)
        seen[table] = turn = seen.get(table, -1) + 1
        if turn < most:
            turns.setdefault(turn, []).append(row)
    ordered = [row for turn in sorted(turns) for row in turns[turn]]
    return sorted(ordered[:most], key=lambda row: row.id)


def _match(store: Store, row: MatchRow, prefix: str) -> dict[str, Any]:
    from arena.replay import frames

    episode = store.episode(row.id)
    shots = frames(episode, store.seed)
    game = episode.match.game
    return {
        "id": f"{prefix}{row.id}",
        "game": inert_line(row.game),
        "entrants": [inert_line(name) for name in row.entrants],
        "roles": [inert_line(role) for role in game.info.roles],
        "payoffs": [round(payoff, 6) for payoff in row.payoffs],
        "rounds": row.rounds,
        "ending": row.ending,
        "ticks": list(_ticks(episode)),
        "render": inert(game.render(shots[-1].state), 20_000),
    }


def _ticks(episode: Episode) -> Iterator[dict[str, Any]]:
    for tick, rewards in enumerate(episode.rewards):
        turns = [_turn(turn) for turn in episode.turns if turn.tick == tick]
        yield {"turns": turns, "rewards": [round(reward, 6) for reward in rewards]}


def _turn(turn: TurnRecord) -> dict[str, Any]:
    texts = {name: inert(getattr(turn, name), _PAGE_LIMIT) for name in ("observation", "reply", "thought", "illegal")}
    return {"seat": turn.seat, "round": turn.round, "move": None if turn.move is None else inert(turn.move), **texts}
