"""Request bodies, checked: what a caller sent, as asks. What is off is a refusal that says what is allowed."""

from __future__ import annotations

import json
import math
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from policies.llm.serving.asks import Ask, Sampling
from policies.llm.serving.messages import prompt_ids
from policies.llm.serving.models import Models, Served
from policies.llm.serving.refusals import bad
from policies.llm.trie import Ids, Trie

Body = Mapping[str, Any]
_MOST_CHOICES, _MOST_PROMPTS = 128, 2048
_DEFAULT_TOKENS = 16
"""Tokens of a completion whose body names no limit, as everywhere; chats go on to the end of the context."""
_UNSUPPORTED: Mapping[str, tuple[Any, ...]] = {
    "tools": (None, []), "functions": (None, []), "logit_bias": (None, {}), "presence_penalty": (None, 0),
    "frequency_penalty": (None, 0), "repetition_penalty": (None, 1), "min_p": (None, 0), "min_tokens": (None, 0),
    "response_format": (None, {"type": "text"}), "echo": (None, False), "suffix": (None, ""), "best_of": (None, 1),
    "prompt_logprobs": (None,), "use_beam_search": (None, False), "ignore_eos": (None, False),
}  # fmt: skip
"""Settings that would change the reply and that this server doesn't have, with the values that ask for nothing."""


@dataclass(frozen=True, slots=True)
class Request:
    """What a caller wants: one reply for each ask, and how it is spelled."""

    model: Served
    asks: tuple[Ask, ...]
    chat: bool
    copies: int
    """Replies for each prompt."""
    stream: bool = False
    usage: bool = False
    """Whether a stream ends with a count of tokens."""
    logprobs: bool = False
    ids: bool = False
    """Whether token ids are sent along."""
    names: bool = False
    """Whether tokens are called ``token_id:N``, as only ids tell all tokens apart."""
    keep_stop: bool = False
    """Whether a stop text stays at the end of the reply."""


def read_json(raw: bytes) -> Body:
    """The object in a body.

    Raises:
        Refusal: there is none.
    """
    try:
        found = json.loads(raw)
    except (ValueError, RecursionError) as error:
        raise bad(f"the body is no JSON: {str(error)[:200]}") from None
    if not isinstance(found, dict):
        raise bad("the body must be a JSON object")
    return found


def chat_request(body: Body, models: Models) -> Request:
    """The request of a body for ``/v1/chat/completions``.

    Raises:
        Refusal: it is malformed, names an unknown model, or its prompt is too long.
    """
    model = models.get(body.get("model"))
    extra = body.get("chat_template_kwargs") or {}
    thinking = isinstance(extra, dict) and extra.get("enable_thinking") is True
    prompt = prompt_ids(model.base.chat, body.get("messages"), thinking)
    wanted = _flag(body, "logprobs")
    top = _whole(body, "top_logprobs", 0, 0, _vocabulary(model)) if wanted else 0
    limit = "max_completion_tokens" if body.get("max_completion_tokens") is not None else "max_tokens"
    sampling = _sampling(body, model, _limit(body, limit, model, prompt, None), top)
    return _request(body, model, [prompt], sampling, chat=True, logprobs=wanted)


def completion_request(body: Body, models: Models) -> Request:
    """The request of a body for ``/v1/completions``; prompts are texts or token ids.

    Raises:
        Refusal: it is malformed, names an unknown model, or a prompt is too long.
    """
    model = models.get(body.get("model"))
    prompts = _prompts(body.get("prompt"), model)
    wanted = body.get("logprobs") is not None
    top = _whole(body, "logprobs", 0, 0, _vocabulary(model)) if wanted else 0
    longest = max(prompts, key=len)
    sampling = _sampling(body, model, _limit(body, "max_tokens", model, longest, _DEFAULT_TOKENS), top)
    return _request(body, model, prompts, sampling, chat=False, logprobs=wanted)


def _request(
    body: Body, model: Served, prompts: list[Ids], sampling: Sampling, *, chat: bool, logprobs: bool
) -> Request:
    copies = _whole(body, "n", 1, 1, _MOST_CHOICES)
    asks = []
    for number, prompt in enumerate(prompt for prompt in prompts for _ in range(copies)):
        seed = (sampling.seed + number * _ODD) % 2**64  # the first reply has the seed that was sent
        asks.append(Ask(prompt, replace(sampling, seed=seed), model.adapter))
    options = body.get("stream_options")
    usage = isinstance(options, dict) and options.get("include_usage") is True
    return Request(
        model, tuple(asks), chat, copies, _flag(body, "stream"), usage, logprobs, _flag(body, "return_token_ids"),
        _flag(body, "return_tokens_as_token_ids"), _flag(body, "include_stop_str_in_output"),
    )  # fmt: skip


_ODD = 0x9E3779B97F4A7C15  # keeps the seeds of a request's replies apart


def _sampling(body: Body, model: Served, max_tokens: int, top: int) -> Sampling:
    for name, nothing in _UNSUPPORTED.items():
        if body.get(name) not in nothing:
            raise bad(f'"{name}" is not supported here; leave it out', name, "unsupported_parameter")
    chat = model.base.chat
    seed = _whole(body, "seed", None, -(2**63), 2**64 - 1) if body.get("seed") is not None else secrets.randbits(64)
    allowed = body.get("allowed_token_ids")
    return Sampling(
        max_tokens,
        _number(body, "temperature", 1.0, 0.0, 100.0),
        _number(body, "top_p", 1.0, 1e-9, 1.0),
        max(0, _whole(body, "top_k", 0, -1, _vocabulary(model))),
        seed % 2**64,
        (chat.end, *_ids(body.get("stop_token_ids") or (), model, "stop_token_ids")),
        _stop(body.get("stop")),
        tuple(sorted(set(_ids(allowed, model, "allowed_token_ids", empty=False)))) if allowed is not None else None,
        _choices(body, model),
        top,
    )


def _choices(body: Body, model: Served) -> Trie | None:
    """The replies there may be: vLLM's ``structured_outputs: {"choice": […]}``, or its older ``guided_choice``."""
    outputs = body.get("structured_outputs")
    if outputs is not None and (not isinstance(outputs, dict) or set(outputs) != {"choice"}):
        raise bad('"structured_outputs" takes {"choice": [texts]} here, and nothing else', "structured_outputs")
    texts = outputs["choice"] if outputs else body.get("guided_choice")
    if texts is None:
        return None
    if not isinstance(texts, list) or not texts or not all(isinstance(t, str) and t for t in texts):
        raise bad("a choice needs a list of at least one text", "structured_outputs")
    chat = model.base.chat
    return Trie({text: (*chat.content(text), chat.end) for text in texts})


def _prompts(prompt: object, model: Served) -> list[Ids]:
    """The prompts of a completion, as ids."""
    several = isinstance(prompt, list) and bool(prompt) and not isinstance(prompt[0], int)
    listed = prompt if several and isinstance(prompt, list) else [prompt]
    if len(listed) > _MOST_PROMPTS:
        raise bad(f"{len(listed)} prompts are too many for one request; send {_MOST_PROMPTS} at most", "prompt")
    return [_prompt(one, model) for one in listed]


def _prompt(prompt: object, model: Served) -> Ids:
    if isinstance(prompt, str):
        ids = tuple(model.base.tokenizer(prompt)["input_ids"])
    else:
        ids = _ids(prompt, model, "prompt")
    if not ids:
        raise bad('"prompt" must be a text or a list of token ids, or a list of these, and not empty', "prompt")
    return ids


def _limit(body: Body, name: str, model: Served, prompt: Ids, default: int | None) -> int:
    """Tokens of the reply at most: what was asked for, as far as the context goes."""
    context = model.base.context
    room = context - len(prompt)
    if room < 1:
        raise bad(
            f"the prompt has {len(prompt)} tokens; this model's context holds {context}, and a reply needs one of them",
            "messages" if "messages" in body else "prompt", "context_length_exceeded",
        )  # fmt: skip
    return min(room, _whole(body, name, room if default is None else default, 1, 10**9))


def _ids(found: object, model: Served, name: str, *, empty: bool = True) -> Ids:
    size = _vocabulary(model)
    if not isinstance(found, list | tuple) or not (found or empty):
        raise bad(f'"{name}" must be a list of token ids', name)
    if not all(type(i) is int and 0 <= i < size for i in found):
        raise bad(f'"{name}" must hold token ids from 0 to {size - 1}', name)
    return tuple(found)


def _vocabulary(model: Served) -> int:
    return int(model.base.model.config.vocab_size)


def _stop(stop: object) -> tuple[str, ...]:
    words = [stop] if isinstance(stop, str) else stop or []
    if not isinstance(words, list) or len(words) > 16 or not all(isinstance(w, str) and w for w in words):
        raise bad('"stop" must be a text or a list of up to 16 texts', "stop")
    return tuple(words)


def _flag(body: Body, name: str) -> bool:
    value = body.get(name)
    if value not in (None, True, False):
        raise bad(f'"{name}" must be true or false', name)
    return bool(value)


def _whole(body: Body, name: str, default: int | None, low: int, high: int) -> int:
    value = body.get(name)
    value = default if value is None else value
    if type(value) is not int or not low <= value <= high:
        raise bad(f'"{name}" must be a whole number from {low} to {high}', name)
    return value


def _number(body: Body, name: str, default: float, low: float, high: float) -> float:
    value = body.get(name)
    value = default if value is None else value
    if type(value) not in (int, float) or not math.isfinite(value) or not low <= value <= high:
        raise bad(f'"{name}" must be a number from {low:g} to {high:g}', name)
    return float(value)
