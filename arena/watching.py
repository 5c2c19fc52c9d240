"""The finished matches of a store over HTTP: routes for ``arena serve --watch``."""

from __future__ import annotations

from dataclasses import asdict
from itertools import islice
from pathlib import Path
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from arena.export import episode_json
from arena.store import Store
from games.errors import ArenaError

_MOST = 1000
"""Matches of one answer at most."""


def routes(path: str) -> list[BaseRoute]:
    """``/arena/matches?after=N&limit=M`` and ``/arena/matches/N`` of the store at ``path``.

    The store is read anew at each call, so that a tournament that still runs can be followed: ask for what comes
    ``after`` the last match that was seen. Matches appear when they are finished: no hidden cards are shown before.

    Raises:
        UsageError: there is no store.
    """
    Store(path).close()
    watcher = _Watcher(Path(path))
    return [Route("/arena/matches", watcher.matches), Route("/arena/matches/{match:int}", watcher.match)]


class _Watcher:
    """Answers for one store."""

    def __init__(self, path: Path) -> None:
        self._path = path

    async def matches(self, http: Request) -> Response:
        """A page of finished matches, by number: who sat where, and what they earned."""
        try:
            after, limit = (int(http.query_params.get(name, default)) for name, default in _DEFAULTS)
        except ValueError:
            return _wrong('"after" and "limit" must be whole numbers', 400)
        return JSONResponse({"data": await run_in_threadpool(self._page, after, min(limit, _MOST))})

    async def match(self, http: Request) -> Response:
        """A match, turn by turn."""
        try:
            return JSONResponse(await run_in_threadpool(self._episode, http.path_params["match"]))
        except ArenaError as error:
            return _wrong(str(error), 404)

    def _page(self, after: int, limit: int) -> list[dict[str, Any]]:
        with Store(self._path) as store:
            return [asdict(row) for row in islice(store.matches(after), max(0, limit))]

    def _episode(self, match: int) -> dict[str, Any]:
        with Store(self._path) as store:
            return episode_json(store.episode(match))


_DEFAULTS = (("after", "-1"), ("limit", "100"))


def _wrong(message: str, status: int) -> Response:
    kind = "not_found_error" if status == 404 else "invalid_request_error"
    return JSONResponse({"error": {"message": message, "type": kind, "param": None, "code": None}}, status)
