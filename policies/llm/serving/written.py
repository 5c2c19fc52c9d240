"""A reply as its tokens come in: the text so far, and how its tokens and probabilities are spelled."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from policies.llm.serving.asks import Token
from policies.llm.serving.bodies import Request
from policies.thinking import split_thought

_TORN = "\ufffd"  # what a text ends with whose last character has not come in whole


@dataclass
class Written:
    """One reply: its tokens, and the text that callers may have seen.

    Args:
        request: whose reply it is; says how it is spelled.
        stop: texts that end it.
    """

    request: Request
    stop: tuple[str, ...] = ()
    tokens: list[Token] = field(default_factory=list)
    text: str = ""
    finish: str = ""
    reason: str | int | None = None
    """The stop text or the id that ended it, where it was not the model's own end token."""

    @property
    def ids(self) -> list[int]:
        """Its token ids, end token included."""
        return [token.id for token in self.tokens]

    def add(self, token: Token) -> str:
        """Take in a token; returns the text that became certain with it."""
        self.tokens.append(token)
        self.finish = token.finish
        text = self._visible(self.request.model.base.chat.decode(tuple(self.ids)))
        delta, self.text = text[len(self.text) :], text
        return delta

    def parts(self) -> tuple[str, str]:
        """(thought, answer) of a finished reply."""
        return split_thought(self.text)

    def _visible(self, text: str) -> str:
        """``text`` as far as no later token changes it: up to a stop text, or to what may become one."""
        for word in self.stop:
            if (at := text.find(word)) >= 0:
                self.reason = word
                return text[: at + len(word) * self.request.keep_stop]
        if self.finish:
            if self.finish == "stop" and self.tokens[-1].id != self.request.model.base.chat.end:
                self.reason = self.tokens[-1].id
            return text
        whole = text.rstrip(_TORN)
        held = max((n for word in self.stop for n in range(1, len(word)) if whole.endswith(word[:n])), default=0)
        return max(whole[: len(whole) - held], self.text, key=len)

    def name(self, token: int) -> str:
        """What a token is called among log-probabilities."""
        if self.request.names:
            return f"token_id:{token}"
        return str(self.request.model.base.tokenizer.decode([token]))

    def chat_logprobs(self, tokens: list[Token]) -> dict[str, Any] | None:
        """Log-probabilities of ``tokens`` as chats have them."""
        if not self.request.logprobs:
            return None
        return {"content": [{**self._one(t.id, t.logp), "top_logprobs": self._top(t)} for t in tokens]}

    def completion_logprobs(self, tokens: list[Token], offset: int = 0) -> dict[str, Any] | None:
        """Log-probabilities of ``tokens`` as completions have them; ``offset``: where their text begins."""
        if not self.request.logprobs:
            return None
        names, offsets = [self.name(t.id) for t in tokens], []
        for token in tokens:
            offsets.append(offset)
            offset += len(str(self.request.model.base.tokenizer.decode([token.id])))
        tops = [{self.name(i): logp for i, logp in (*t.top, (t.id, t.logp))} for t in tokens]
        return {
            "tokens": names,
            "token_logprobs": [t.logp for t in tokens],
            "top_logprobs": tops,
            "text_offset": offsets,
        }

    def _one(self, token: int, logp: float) -> dict[str, Any]:
        text = str(self.request.model.base.tokenizer.decode([token]))
        return {"token": self.name(token), "logprob": logp, "bytes": list(text.encode())}

    def _top(self, token: Token) -> list[dict[str, Any]]:
        return [self._one(i, logp) for i, logp in token.top]
