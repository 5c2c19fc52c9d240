"""The routes: a small ASGI application around the models."""

from __future__ import annotations

import asyncio
import hmac
import json
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.requests import Request as Http
from starlette.responses import JSONResponse, PlainTextResponse, Response, StreamingResponse
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp, Receive, Scope, Send

from policies.llm.serving import bodies
from policies.llm.serving.answers import Answer, model_list
from policies.llm.serving.asks import Token
from policies.llm.serving.models import Models
from policies.llm.serving.refusals import Refusal, bad
from policies.llm.serving.written import Written

_MOST_BYTES = 64 << 20  # of a body
_MOST_WAITING = 16_384
"""Replies in progress; what comes on top is refused (503)."""

Heard = tuple[int, Token | Exception]


def application(models: Models, key: str = "", more: Sequence[BaseRoute] = ()) -> ASGIApp:
    """The application that serves ``models``.

    Args:
        models: what is served.
        key: what callers must send as ``Authorization: Bearer KEY``; empty: nothing.
        more: further routes, behind the same key.
    """
    desk = _Desk(models)
    routes = [
        Route("/health", _health, methods=["GET"]),
        Route("/v1/models", desk.models_, methods=["GET"]),
        Route("/v1/chat/completions", desk.chat, methods=["POST"]),
        Route("/v1/completions", desk.complete, methods=["POST"]),
        Route("/v1/load_lora_adapter", desk.load, methods=["POST"]),
        Route("/v1/unload_lora_adapter", desk.unload, methods=["POST"]),
        *more,
    ]
    handlers: dict[Any, Callable[..., Any]] = {Refusal: _refuse, HTTPException: _no_route, Exception: _broken}
    app = Starlette(routes=routes, exception_handlers=handlers)
    return _Locked(app, key) if key else app


class _Locked:
    """Lets callers in who send the key; anybody may ask for the health."""

    def __init__(self, app: ASGIApp, key: str) -> None:
        self._app, self._wanted = app, f"Bearer {key}".encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["path"] != "/health":
            sent = next((value for name, value in scope["headers"] if name == b"authorization"), b"")
            if not hmac.compare_digest(sent, self._wanted):
                refusal = Refusal(401, "the key is wrong or missing; send Authorization: Bearer KEY", code=_BAD_KEY)
                await JSONResponse(refusal.body(), 401, {"WWW-Authenticate": "Bearer"})(scope, receive, send)
                return
        await self._app(scope, receive, send)


_BAD_KEY = "invalid_api_key"


class _Desk:
    """The routes that need the models."""

    def __init__(self, models: Models) -> None:
        self._models, self._waiting = models, 0

    async def models_(self, http: Http) -> Response:
        return JSONResponse(model_list(self._models))

    async def chat(self, http: Http) -> Response:
        body = await _body(http)
        return await self._reply(http, await run_in_threadpool(bodies.chat_request, body, self._models))

    async def complete(self, http: Http) -> Response:
        body = await _body(http)
        return await self._reply(http, await run_in_threadpool(bodies.completion_request, body, self._models))

    async def load(self, http: Http) -> Response:
        body = await _body(http)
        name, path = _word(body, "lora_name"), _word(body, "lora_path")
        inplace, parent = body.get("load_inplace") is True, body.get("base_model_name")
        await run_in_threadpool(self._models.load, name, path, inplace=inplace, parent=parent)
        return PlainTextResponse(f"Success: LoRA adapter '{name}' added successfully.")

    async def unload(self, http: Http) -> Response:
        name = _word(await _body(http), "lora_name")
        await run_in_threadpool(self._models.unload, name)
        return PlainTextResponse(f"Success: LoRA adapter '{name}' removed successfully.")

    async def _reply(self, http: Http, request: bodies.Request) -> Response:
        if self._waiting + len(request.asks) > _MOST_WAITING:
            raise Refusal(503, "too many replies are being written; try again in a moment")
        answer, replies = Answer(request), [Written(request, ask.sampling.stop) for ask in request.asks]
        if request.stream:
            return StreamingResponse(self._events(answer, replies), media_type="text/event-stream")
        work = asyncio.ensure_future(self._all(request, replies))
        gone = asyncio.ensure_future(_left(http))
        try:
            await asyncio.wait({work, gone}, return_when=asyncio.FIRST_COMPLETED)
            if not work.done():
                raise ClientDisconnect
            await work
        finally:
            work.cancel()
            gone.cancel()
        return JSONResponse(answer.whole(replies))

    async def _all(self, request: bodies.Request, replies: Sequence[Written]) -> None:
        async for index, token in self._tokens(request):
            replies[index].add(token)

    async def _events(self, answer: Answer, replies: Sequence[Written]) -> AsyncIterator[str]:
        """The chunks of a stream as server-sent events."""
        try:
            async for index, token in self._tokens(answer.request):
                reply = replies[index]
                offset = len(reply.text)
                delta = reply.add(token)
                yield _event(answer.piece(index, reply, token, delta, offset))
            if answer.request.usage:
                yield _event(answer.count(replies))
        except Exception as error:  # noqa: BLE001 - the status is sent already: the error goes into the stream
            yield _event(_error(error).body())
        yield "data: [DONE]\n\n"

    async def _tokens(self, request: bodies.Request) -> AsyncIterator[tuple[int, Token]]:
        """Tokens of all replies as they are sampled; who stops listening cancels what is left."""
        loop, heard = asyncio.get_running_loop(), asyncio.Queue[Heard]()

        def ear(index: int) -> Callable[[Token | Exception], None]:
            def hear(token: Token | Exception) -> None:
                loop.call_soon_threadsafe(heard.put_nowait, (index, token))

            return hear

        batcher = request.model.batcher
        started = [batcher.submit(ask, ear(index)) for index, ask in enumerate(request.asks)]
        self._waiting += len(started)
        left = len(started)
        try:
            while left:
                index, token = await heard.get()
                if isinstance(token, Exception):
                    raise token
                left -= bool(token.finish)
                yield index, token
        finally:
            self._waiting -= len(started)
            for reply in started:
                reply.cancelled = True


async def _left(http: Http) -> None:
    """Until the caller hangs up."""
    while (await http.receive())["type"] != "http.disconnect":
        pass


async def _body(http: Http) -> bodies.Body:
    """The JSON object of a request.

    Raises:
        Refusal: it is none, or larger than any prompt could be.
    """
    kind = http.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":  # a web page of another site can't send this unasked
        raise Refusal(415, "the body must be JSON; send Content-Type: application/json")
    raw = bytearray()
    async for part in http.stream():
        raw += part
        if len(raw) > _MOST_BYTES:
            raise Refusal(413, f"the body is larger than {_MOST_BYTES >> 20} MiB", code="request_too_large")
    return bodies.read_json(bytes(raw))


def _word(body: bodies.Body, name: str) -> str:
    value = body.get(name)
    if not isinstance(value, str) or not value or len(value) > 4096:
        raise bad(f'"{name}" must be a text that is not empty', name)
    return value


def _event(body: dict[str, Any]) -> str:
    return f"data: {json.dumps(body)}\n\n"


async def _health(_: Http) -> Response:
    return Response(status_code=200)


async def _refuse(_: Http, error: Refusal) -> Response:
    return JSONResponse(error.body(), error.status)


async def _no_route(http: Http, error: HTTPException) -> Response:
    words = {404: f"there is no {http.url.path} here", 405: f"{http.method} is not allowed at {http.url.path}"}
    refusal = Refusal(error.status_code, words.get(error.status_code, error.detail))
    return JSONResponse(refusal.body(), error.status_code, error.headers)


async def _broken(_: Http, error: Exception) -> Response:
    return JSONResponse(_error(error).body(), 500)


def _error(error: Exception) -> Refusal:
    """What callers are told of a failure of ours: its kind, not its words."""
    return error if isinstance(error, Refusal) else Refusal(500, f"the server failed ({type(error).__name__})")
