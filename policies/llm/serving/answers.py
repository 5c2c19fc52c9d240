"""Replies as OpenAI-shaped JSON, whole or in pieces, with the token ids that vLLM adds."""

from __future__ import annotations

import time
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from policies.llm.serving.asks import Token
from policies.llm.serving.bodies import Request
from policies.llm.serving.models import Models
from policies.llm.serving.written import Written

Json = dict[str, Any]


@dataclass(frozen=True)
class Answer:
    """How the replies to one request are spelled."""

    request: Request
    created: int = field(default_factory=lambda: int(time.time()))
    number: str = field(default_factory=lambda: uuid.uuid4().hex)

    def whole(self, replies: Sequence[Written]) -> Json:
        """The body of finished replies."""
        choices = [self._choice(i, reply) for i, reply in enumerate(replies)]
        head = self._head("chat.completion" if self.request.chat else "text_completion")
        ids = self._prompt_ids(0) if self.request.chat else {}
        return {**head, "choices": choices, "usage": self._usage(replies), **ids}

    def piece(self, index: int, reply: Written, token: Token, delta: str, offset: int) -> Json:
        """A chunk of a stream: what became certain of reply ``index`` with ``token``; its text begins at ``offset``."""
        chat, ids = self.request.chat, self.request.ids
        first = len(reply.tokens) == 1
        said: Json = {"delta": _delta(delta, first=first)} if chat else {"text": delta}
        probabilities = reply.chat_logprobs([token]) if chat else reply.completion_logprobs([token], offset)
        choice = {"index": index, **said, "logprobs": probabilities, **self._ending(reply)}
        if ids:
            choice |= {"token_ids": [token.id], **(self._prompt_ids(index) if first and not chat else {})}
        head = self._head("chat.completion.chunk" if chat else "text_completion")
        return {**head, "choices": [choice], **(self._prompt_ids(index) if first and chat else {})}

    def count(self, replies: Sequence[Written]) -> Json:
        """The last chunk of a stream whose caller asked for it: tokens read and written."""
        head = self._head("chat.completion.chunk" if self.request.chat else "text_completion")
        return {**head, "choices": [], "usage": self._usage(replies)}

    def _choice(self, index: int, reply: Written) -> Json:
        ids: Json = {"token_ids": reply.ids} if self.request.ids else {}
        if not self.request.chat:
            said: Json = {"text": reply.text, "logprobs": reply.completion_logprobs(reply.tokens)}
            return {"index": index, **said, **self._ending(reply), **ids, **self._prompt_ids(index)}
        thought, answer = reply.parts()
        message: Json = {"role": "assistant", "content": answer, "refusal": None}
        if thought:
            message["reasoning_content"] = thought
        said = {"message": message, "logprobs": reply.chat_logprobs(reply.tokens)}
        return {"index": index, **said, **self._ending(reply), **ids}

    def _ending(self, reply: Written) -> Json:
        return {"finish_reason": reply.finish or None, "stop_reason": reply.reason}

    def _prompt_ids(self, index: int) -> Json:
        return {"prompt_token_ids": list(self.request.asks[index].prompt)} if self.request.ids else {}

    def _head(self, kind: str) -> Json:
        prefix = "chatcmpl" if self.request.chat else "cmpl"
        name = self.request.model.name
        return {"id": f"{prefix}-{self.number}", "object": kind, "created": self.created, "model": name}

    def _usage(self, replies: Sequence[Written]) -> Json:
        read = sum(len(ask.prompt) for ask in self.request.asks[:: self.request.copies])
        written = sum(len(reply.tokens) for reply in replies)
        return {"prompt_tokens": read, "completion_tokens": written, "total_tokens": read + written}


def _delta(text: str, *, first: bool) -> Json:
    return {"role": "assistant", "content": text} if first else {"content": text}


def model_list(models: Models) -> Json:
    """The body of ``/v1/models``."""
    cards = []
    for served in list(models.by_name.values()):
        card = {"id": served.name, "object": "model", "created": models.started, "owned_by": "arena"}
        facts = {"root": served.root, "parent": served.parent, "max_model_len": served.base.context}
        cards.append({**card, **facts})
    return {"object": "list", "data": cards}
