"""A server that speaks OpenAI's completions with token ids and log-probabilities: vLLM, or ``arena serve``."""

from __future__ import annotations

import asyncio
import json
import os
import weakref
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import openai

from games.errors import ArenaError, UsageError
from policies.llm.remote.asking import Floats, Got, Want
from policies.openai.loop import loop, run

T = TypeVar("T")
KEY = "OPENAI_API_KEY"
"""The environment variable that holds the key; it is read from nowhere else."""
_MANY = 256  # prompts of one request that weighs
_EXACT = {"top_p": 1.0, "n": 1}
_PLAIN = {"top_k": 0, "min_p": 0.0, "repetition_penalty": 1.0}
"""What a server might take from the model's own recommendations otherwise."""


@dataclass(frozen=True)
class RemoteOptions:
    """How a server is asked."""

    served: str = ""
    """The model's name at the server; without it, as it is called here."""
    concurrency: int = 128
    """Requests in flight at once."""
    timeout: float = 300.0
    """Seconds without a sign of life until a request is given up and tried again."""
    retries: int = 4
    """How often a request is tried again after a timeout or a server error."""

    def __post_init__(self) -> None:
        limits = {"concurrency": (1, 10_000), "timeout": (0.01, 10**5), "retries": (0, 100)}
        for name, (low, high) in limits.items():
            if not low <= getattr(self, name) <= high:
                raise UsageError(f"llm option {name}={getattr(self, name)} must lie between {low} and {high}")


class HttpRemote:
    """One model at a server, with the adapters that are published to it.

    Args:
        model: the base model's name there.
        url: the base URL of the OpenAI interface, ``http://HOST:PORT/v1``.
        options: how it is asked.

    Raises:
        ArenaError: the server can't be reached, refuses the key, or doesn't have the model.
    """

    def __init__(self, model: str, url: str, options: RemoteOptions) -> None:
        self.name, self.url, self.model, self.options = f"{model} at {url}", url, model, options
        self._client = openai.AsyncOpenAI(
            api_key=os.environ.get(KEY, "") or "none",
            base_url=url,
            timeout=options.timeout,
            max_retries=options.retries,
        )
        weakref.finalize(self, _close, self._client)
        self._heats: set[float] = {1.0}
        """Temperatures at which the server is known to report what it really samples from."""
        self.context = self._find()

    def complete(self, wants: Sequence[Want]) -> list[Got]:
        """Sample a reply to each; ``concurrency`` requests are in flight at once.

        Raises:
            ArenaError: the server can't be reached, refuses, or returns no ids or log-probabilities.
        """
        for want in wants:
            self._check_heat(want)
        return self._together(self._complete, wants)

    def weigh(self, wants: Sequence[Want]) -> list[Floats]:
        """Weigh every choice; equal choices of one model travel in one request.

        Raises:
            ArenaError: as for :meth:`complete`, or not every allowed id is reported.
        """
        groups: dict[tuple[str | None, tuple[int, ...] | None], list[int]] = {}
        for i, want in enumerate(wants):
            groups.setdefault((want.model, want.allowed), []).append(i)
        parts = [rows[a : a + _MANY] for rows in groups.values() for a in range(0, len(rows), _MANY)]
        found = self._together(self._weigh, [[wants[i] for i in part] for part in parts])
        by_want = {
            i: logps for part, answers in zip(parts, found, strict=True) for i, logps in zip(part, answers, strict=True)
        }
        return [by_want[i] for i in range(len(wants))]

    def publish(self, name: str, folder: Path) -> None:
        """Tell the server to load an adapter; it must see the same folder.

        Raises:
            ArenaError: it doesn't load it.
        """
        body = {"lora_name": name, "lora_path": str(folder.resolve())}
        self._run(lambda: self._client.post("/load_lora_adapter", body=body, cast_to=str))

    def retire(self, name: str) -> None:
        """Tell the server to forget an adapter; one that is gone already is fine."""
        with suppress(ArenaError):
            self._run(lambda: self._client.post("/unload_lora_adapter", body={"lora_name": name}, cast_to=str))

    def published(self) -> list[str]:
        """Names of all that the server has."""
        return [str(card.get("id")) for card in self._cards()]

    def _cards(self) -> list[dict[str, Any]]:
        async def ask() -> Any:
            return json.loads((await self._client.models.with_raw_response.list()).http_response.text)

        found = self._run(ask)
        return [card for card in found.get("data", []) if isinstance(card, dict)]

    def _find(self) -> int:
        """Check that the model is there; the length of its context, as far as the server says it."""
        cards = {card.get("id"): card for card in self._cards()}
        if self.model not in cards:
            known = ", ".join(sorted(map(str, cards))[:20]) or "none"
            raise ArenaError(
                f'the server at {self.url} has no model "{self.model}", but: {known}; name one with ?served='
            )
        length = cards[self.model].get("max_model_len")
        return length if isinstance(length, int) else 0

    def _together(self, ask: Callable[[Any], Awaitable[T]], wanted: Sequence[Any]) -> list[T]:
        async def all_() -> list[T]:
            gate = asyncio.Semaphore(self.options.concurrency)

            async def one(want: Any) -> T:
                async with gate:
                    return await ask(want)

            try:
                async with asyncio.TaskGroup() as group:
                    asked = [group.create_task(one(want)) for want in wanted]
            except* (ArenaError, openai.OpenAIError) as failed:
                raise failed.exceptions[0] from None
            return [task.result() for task in asked]

        return self._run(all_)

    def _run(self, work: Callable[[], Awaitable[T]]) -> T:
        """Run ``work`` to its end; what the client reports becomes a line that says what to do."""

        async def go() -> T:
            return await work()

        try:
            return run(go())
        except openai.APIStatusError as error:
            raise ArenaError(self._refused(error)) from None
        except openai.OpenAIError as error:
            raise ArenaError(f"nothing answers at {self.url} ({_line(error)}); {_CURE}") from None

    def _refused(self, error: openai.APIStatusError) -> str:
        said = (
            _line(error).replace(self._client.api_key, f"[{KEY}]") if self._client.api_key != "none" else _line(error)
        )
        return f"{self.name} refuses: {said}; {self._cure(error, said)}"

    def _cure(self, error: openai.APIStatusError, said: str) -> str:
        """What to do about a refusal."""
        if isinstance(error, openai.AuthenticationError):
            return f"set {KEY}, or see how the server was started"
        if isinstance(error, openai.PermissionDeniedError):
            return _SEEN
        if isinstance(error, openai.NotFoundError) and not self.url.rstrip("/").endswith("/v1"):
            return "most servers answer at http://HOST:PORT/v1"
        if "logprobs" in said.lower():
            return f"start vLLM with {_FLAGS}"
        return _CURE

    async def _create(self, wants: Sequence[Want], top: int, **extra: Any) -> list[dict[str, Any]]:
        """The choices of one request, one for each prompt."""
        first = wants[0]
        create: Any = self._client.completions.with_raw_response.create
        more = {"return_token_ids": True, "return_tokens_as_token_ids": True, **_PLAIN, **extra}
        response = await create(
            model=first.model or self.model,
            prompt=[list(want.ids) for want in wants] if len(wants) > 1 else list(first.ids),
            max_tokens=first.max_tokens,
            temperature=first.temperature,
            logprobs=top,
            seed=first.seed if first.seed < 2**63 else first.seed - 2**64,
            extra_body=more,
            **_EXACT,
        )
        choices = json.loads(response.http_response.text).get("choices")
        if not isinstance(choices, list) or len(choices) != len(wants):
            raise ArenaError(f"{self.name} sent {len(choices or [])} replies to {len(wants)} prompts; {_NEEDS}")
        return sorted(choices, key=lambda choice: int(choice.get("index", 0)))

    async def _complete(self, want: Want) -> Got:
        extra: dict[str, Any] = {"stop_token_ids": [want.end]} if want.end is not None else {}
        if want.stop:
            extra |= {"stop": [want.stop], "include_stop_str_in_output": True}
        [choice] = await self._create([want], 0, **extra)
        ids, logps = choice.get("token_ids"), (choice.get("logprobs") or {}).get("token_logprobs")
        if not ids or not logps or len(ids) != len(logps) or any(logp is None for logp in logps):
            raise ArenaError(f"{self.name} sends no token ids with their log-probabilities; {_NEEDS}")
        return Got(tuple(map(int, ids)), tuple(map(float, logps)))

    async def _weigh(self, wants: Sequence[Want]) -> list[Floats]:
        allowed = wants[0].allowed or ()
        choices = await self._create(wants, len(allowed), allowed_token_ids=list(allowed))
        return [self._read(choice, allowed) for choice in choices]

    def _read(self, choice: dict[str, Any], allowed: Sequence[int]) -> Floats:
        tops = (choice.get("logprobs") or {}).get("top_logprobs") or [{}]
        found = [tops[0].get(f"token_id:{token}") for token in allowed]
        if any(logp is None for logp in found):
            raise ArenaError(
                f"{self.name} reports its likeliest tokens, not those that were allowed; start vLLM with {_FLAGS}, "
                "or decode freely (decode=free)"
            )
        return np.array(found, np.float64)

    def _check_heat(self, want: Want) -> None:
        """At another temperature than 1, see that the server reports what it samples from, not what came before.

        Raises:
            UsageError: it reports the model's own probabilities; training on them would be wrong.
        """
        if want.temperature in self._heats:
            return
        sure, hot = (Want(want.model, want.ids, 1, heat) for heat in (1.0, want.temperature))
        [[a], [b]] = self._together(lambda w: self._create([w], 1), [sure, hot])
        likeliest = [max(c["logprobs"]["top_logprobs"][0].values()) for c in (a, b)]
        if abs(likeliest[0] - likeliest[1]) < _SAME and likeliest[0] < -_SAME:
            raise UsageError(
                f"{self.name} reports log-probabilities from before temperature={want.temperature:g}; "
                f"start vLLM with {_FLAGS}, or use temperature=1"
            )
        self._heats.add(want.temperature)


_SAME = 1e-6
_FLAGS = "--logprobs-mode processed_logprobs --max-logprobs -1"
_NEEDS = "use arena serve, or vLLM 0.10.2 or newer"
_SEEN = "start it with --adapters FOLDER, and let the run's folder (--out) lie in that one"
_CURE = "see that the server runs and has the model, then run the same command again: what was finished is kept"


def _line(error: openai.OpenAIError) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0][:300]


def _close(client: openai.AsyncOpenAI) -> None:
    asyncio.run_coroutine_threadsafe(client.close(), loop())
