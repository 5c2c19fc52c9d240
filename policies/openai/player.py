"""A model behind an API in a seat: one growing list of messages per match and seat, many calls at once."""

from __future__ import annotations

import asyncio
import os
import time
import weakref
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import openai

from games.errors import ArenaError, UsageError
from policies.openai.answer import read_answer
from policies.openai.loop import loop, run
from policies.openai.options import ApiOptions
from policies.policy import BasePolicy, MatchId, Reply, Turn

KEY = "OPENAI_API_KEY"
"""The environment variable that holds the key; it is read from nowhere else."""
_NO_KEY = "none"  # local servers ask for none, the client insists on one
_FATAL = (openai.AuthenticationError, openai.PermissionDeniedError, openai.NotFoundError)

Message = dict[str, str]


@dataclass(slots=True)
class _Talk:
    """One seat's conversation."""

    rules: str
    exchanges: list[tuple[str, str]] = field(default_factory=list)
    """Earlier user and assistant messages."""
    unanswered: str = ""
    """What was asked when a call failed; it is asked again with what comes next."""

    def messages(self, text: str, history: int) -> list[Message]:
        """Rules, the latest exchanges, and ``text``."""
        kept = self.exchanges[-history:] if history else self.exchanges
        talk = [{"role": role, "content": said} for pair in kept for role, said in zip(_ROLES, pair, strict=True)]
        return [{"role": "system", "content": self.rules}, *talk, {"role": "user", "content": text}]


_ROLES = ("user", "assistant")


class ApiPolicy(BasePolicy):
    """A model that an OpenAI-compatible server runs.

    What a call meets is data: timeouts, server errors and rate limits that outlast the retries, refusals, cut-off and
    malformed answers make an illegal turn that says why. A key that is refused, a model that isn't there and a server
    that can't be reached stop the run instead: nothing that was played then would mean anything.

    Args:
        model: the model's name at the server.
        url: where the server's ``/chat/completions`` is; None: the client's default.
        options: how it is asked.
    """

    kind = "api"

    def __init__(self, model: str, url: str | None, options: ApiOptions) -> None:
        key = os.environ.get(KEY, "")
        if not key and url is None:
            raise UsageError(f"{KEY} is not set in the environment; set it, or name a server: openai:MODEL@URL")
        self.model, self.url, self.options, self.name = model, url, options, f"openai:{model}"
        self._client = openai.AsyncOpenAI(
            api_key=key or _NO_KEY, base_url=url, timeout=options.timeout, max_retries=options.retries
        )
        weakref.finalize(self, _close, self._client)
        self._talks: dict[MatchId, dict[int, _Talk]] = {}

    def act(self, turns: Sequence[Turn]) -> Sequence[Reply]:
        """One reply for each turn; ``concurrency`` calls are in flight at once.

        Raises:
            ArenaError: the server can't be reached, or refuses the key or the model.
        """
        return run(self._all(turns))

    def forget(self, matches: Iterable[MatchId]) -> None:
        """Drop the conversations of these matches."""
        for match in matches:
            self._talks.pop(match, None)

    async def _all(self, turns: Sequence[Turn]) -> list[Reply]:
        gate = asyncio.Semaphore(self.options.concurrency)
        try:
            async with asyncio.TaskGroup() as group:
                asked = [group.create_task(self._turn(turn, gate)) for turn in turns]
        except* ArenaError as failed:
            raise failed.exceptions[0] from None
        return [task.result() for task in asked]

    async def _turn(self, turn: Turn, gate: asyncio.Semaphore) -> Reply:
        """Ask, and keep the exchange where there was an answer."""
        talk = self._talk(turn)
        text = "\n".join(filter(None, (talk.unanswered, turn.notice or turn.observation.text)))
        async with gate:
            started = time.perf_counter()
            reply = await self._ask(talk.messages(text, self.options.history), turn)
        if reply.text:
            talk.exchanges.append((text, reply.text))
        talk.unanswered = "" if reply.text else text
        cost = self.options.cost(reply.prompt_tokens, reply.completion_tokens)
        return replace(reply, seconds=time.perf_counter() - started, cost=cost)

    def _talk(self, turn: Turn) -> _Talk:
        talks = self._talks.setdefault(turn.match, {})
        if turn.seat not in talks:
            talks[turn.seat] = _Talk(turn.game.rules(turn.seat))
        return talks[turn.seat]

    async def _ask(self, messages: list[Message], turn: Turn) -> Reply:
        """One call with its retries; whatever the server does wrong is a reply with an error."""
        create: Any = self._client.chat.completions.with_raw_response.create
        try:
            async with asyncio.timeout(self.options.deadline):
                response = await create(model=self.model, messages=messages, **self._extra(turn))
                return self._clean(read_answer(response.http_response.text))
        except _FATAL as error:
            raise ArenaError(self._hide(f"{self.name} refuses: {_first_line(error)}; {_CURE}")) from None
        except openai.APITimeoutError:
            return Reply("", error=f"timed out: {self.options.timeout:g} s without an answer, every time")
        except TimeoutError:
            return Reply("", error=f"timed out: no reply within {self.options.deadline:g} s in all")
        except openai.OpenAIError as error:
            if _unreachable(error):
                raise ArenaError(f"nothing answers at {self.url or 'the hosted service'}; {_START}") from None
            return Reply("", error=self._hide(f"the call failed: {_first_line(error)}"))

    def _extra(self, turn: Turn) -> dict[str, Any]:
        """What goes into a call beside model and messages."""
        options = self.options
        limit = "max_tokens" if self.url else "max_completion_tokens"  # the hosted service refuses the older name
        sent = {limit: options.max_tokens, "temperature": options.temperature}
        effort = options.reasoning_effort or None
        seed = turn.rng.key & 0x7FFFFFFF if options.seed else None
        return {k: v for k, v in {**sent, "reasoning_effort": effort, "seed": seed}.items() if v is not None}

    def _clean(self, reply: Reply) -> Reply:
        hide = self._hide
        return replace(reply, text=hide(reply.text), thought=hide(reply.thought), error=hide(reply.error))

    def _hide(self, text: str) -> str:
        """``text`` without the key, should a server send it back: texts are stored and shown."""
        key = self._client.api_key
        return text if key == _NO_KEY else text.replace(key, f"[{KEY}]")


_START = "start the server or mend the URL, then run the same command again: what was finished is kept"
_CURE = f"check {KEY} and the model's name, then run the same command again: what was finished is kept"


def _first_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0][:300]


def _unreachable(error: openai.OpenAIError) -> bool:
    """Whether nobody listens there; a connection that broke later is the call's own mishap."""
    return isinstance(error, openai.APIConnectionError) and type(error.__cause__).__name__ == "ConnectError"


def _close(client: openai.AsyncOpenAI) -> None:
    """Give the connections back; at the program's end the loop is gone, and they with it."""
    if loop().is_running():
        asyncio.run_coroutine_threadsafe(client.close(), loop())
