"""A chat template as token ids: conversations grow by appending, and nobody's words can forge a turn.

The template is rendered once with markers in place of the contents; what stands between the markers is the format.
Special tokens of the format become control tokens, special-looking text of players is split into ordinary ones.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from games.errors import ArenaError

Ids = tuple[int, ...]
_KNOWN = 50_000  # encoded texts kept: most observations come again and again
_MARKS = ("\ue000rules\ue001", "\ue000first\ue001", "\ue000reply\ue001", "\ue000next\ue001")

PLAIN_TEMPLATE = (
    "{% for m in messages %}{{ m['role'].capitalize() }}: {{ m['content'] }}{{ eos_token }}\n{% endfor %}"
    "{% if add_generation_prompt %}Assistant: {% endif %}"
)
"""For base models that come without a template."""


@dataclass(frozen=True)
class ChatFormat:
    """How a conversation of one model is spelled: the fixed text before, between and after the contents."""

    tokenizer: Any
    specials: re.Pattern[str]
    """Finds the format's special tokens."""
    before_rules: str
    before_first: str
    before_reply: str
    before_next: str
    """What follows a reply up to the next observation; starts with the end token."""
    end: int
    """Id of the token that ends a reply."""
    _known: dict[tuple[tuple[str, bool], ...], Ids] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def of(cls, tokenizer: Any) -> ChatFormat:
        """Read the format off the tokenizer's chat template.

        Raises:
            ArenaError: the template rewrites contents, or its replies have no end token.
        """
        template = tokenizer.chat_template or PLAIN_TEMPLATE
        roles = ("system", "user", "assistant", "user")
        messages = [{"role": r, "content": m} for r, m in zip(roles, _MARKS, strict=True)]
        text = tokenizer.apply_chat_template(
            messages, chat_template=template, tokenize=False, add_generation_prompt=True
        )
        parts = re.split("|".join(_MARKS), text)
        if len(parts) != 5:
            raise ArenaError("this model's chat template drops or repeats a message; it can't hold a conversation here")
        specials = _special_pattern(tokenizer)
        first = specials.match(parts[3])
        if first is None:
            raise ArenaError("this model's chat template has no special token that ends a reply")
        end = tokenizer.convert_tokens_to_ids(first.group())
        return cls(tokenizer, specials, parts[0], parts[1], parts[2], parts[3], end)

    def opening(self, rules: str) -> Ids:
        """The conversation up to the first observation: what all matches of a game and seat share."""
        return self._encode([(self.before_rules, False), (rules, True), (self._split(self.before_first)[0], False)])

    def first(self, observation: str) -> Ids:
        """The first observation and the invitation to reply."""
        tail = self._split(self.before_first)[1]
        return self._encode([(tail, False), (observation, True), (self.before_reply, False)])

    def next(self, observation: str) -> Ids:
        """A later observation, appended after a reply that ended with the end token."""
        tail = self.before_next[len(self.tokenizer.convert_ids_to_tokens(self.end)) :]
        return self._encode([(tail, False), (observation, True), (self.before_reply, False)])

    def content(self, text: str) -> Ids:
        """Ids of a reply's text, special-looking parts as plain text, without the end token."""
        return self._encode([(text, True)])

    def decode(self, ids: Ids) -> str:
        """The text of sampled reply ids, without the end token and other control tokens."""
        return str(self.tokenizer.decode(list(ids), skip_special_tokens=True))

    def _split(self, text: str) -> tuple[str, str]:
        """``text`` cut after its last special token."""
        ends = [m.end() for m in self.specials.finditer(text)]
        cut = ends[-1] if ends else 0
        return text[:cut], text[cut:]

    def _encode(self, pieces: list[tuple[str, bool]]) -> Ids:
        """Ids of pieces (text, written by a player?); what was encoded lately is looked up."""
        key = tuple(pieces)
        if key not in self._known:
            if len(self._known) >= _KNOWN:
                self._known.clear()
            self._known[key] = self._encode_anew(pieces)
        return self._known[key]

    def _encode_anew(self, pieces: list[tuple[str, bool]]) -> Ids:
        """Plain runs are encoded in one go across piece borders."""
        ids: list[int] = []
        plain = ""
        for text, untrusted in pieces:
            for part, special in [(text, False)] if untrusted else _parts(self.specials, text):
                if special:
                    ids += [*self._plain(plain), self.tokenizer.convert_tokens_to_ids(part)]
                    plain = ""
                else:
                    plain += part
        return (*ids, *self._plain(plain))

    def _plain(self, text: str) -> list[int]:
        if not text:
            return []
        return list(self.tokenizer(text, add_special_tokens=False, split_special_tokens=True)["input_ids"])


def _special_pattern(tokenizer: Any) -> re.Pattern[str]:
    words = sorted({*map(str, tokenizer.all_special_tokens), *tokenizer.get_added_vocab()}, key=len, reverse=True)
    return re.compile("|".join(map(re.escape, words)) or r"(?!)")


def _parts(pattern: re.Pattern[str], text: str) -> list[tuple[str, bool]]:
    """``text`` of the format as (part, is it a special token?)."""
    out: list[tuple[str, bool]] = []
    at = 0
    for found in pattern.finditer(text):
        out += [(text[at : found.start()], False), (found.group(), True)]
        at = found.end()
    return [part for part in [*out, (text[at:], False)] if part[0]]
