"""A chat template as token ids: conversations grow by appending, and nobody's words can forge a turn.

The template is rendered once with markers in place of the contents; what stands between the markers is the format.
Special tokens of the format become control tokens, special-looking text of players is split into ordinary ones.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from jinja2 import TemplateError

from games.errors import ArenaError
from policies.thinking import CLOSE, OPEN

Ids = tuple[int, ...]
_KNOWN = 50_000  # encoded texts kept: most observations come again and again
_CLOSE_TOKENS = 12  # a closing mark is no more tokens than this
_MARKS = ("\ue000rules\ue001", "\ue000first\ue001", "\ue000reply\ue001", "\ue000next\ue001")

PLAIN_TEMPLATE = (
    "{% for m in messages %}{{ m['role'].capitalize() }}: {{ m['content'] }}{{ eos_token }}\n{% endfor %}"
    "{% if add_generation_prompt %}Assistant: {% endif %}"
)
"""For base models that come without a template."""

_THOUGHT, _NO_THOUGHT, _AFTER = f"{OPEN}\n", f"\n{CLOSE}\n\n", "\n\n"


@dataclass(frozen=True)
class ChatFormat:
    """How a conversation of one model is spelled: the fixed text before, between and after the contents."""

    tokenizer: Any
    specials: re.Pattern[str]
    """Finds the format's special tokens."""
    before_rules: str
    before_first: str
    history: str
    """What stands between an observation and a past reply."""
    before_next: str
    """What follows a reply up to the next observation; starts with the end token."""
    invite: str
    """What asks for a reply at once; reasoning models are told here not to think."""
    invite_thought: str
    """What asks for a thought first; ends with the opening mark of one."""
    end: int
    """Id of the token that ends a reply."""
    _known: dict[tuple[tuple[str, bool], ...], Ids] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def of(cls, tokenizer: Any) -> ChatFormat:
        """Read the format off the tokenizer's chat template; a model without one gets a plain one.

        Where the template knows no system messages, the rules stand before the first observation.

        Raises:
            ArenaError: the template rewrites contents, or its replies have no end token.
        """
        texts = [_render(tokenizer, thinking) for thinking in (False, True)]
        parts = re.split("|".join(_MARKS), texts[0])
        if len(parts) != 5:
            raise ArenaError("this model's chat template drops or repeats a message; it can't hold a conversation here")
        specials = _special_pattern(tokenizer)
        first = specials.match(parts[3])
        if first is None:
            raise ArenaError("this model's chat template has no special token that ends a reply")
        end = tokenizer.convert_tokens_to_ids(first.group())
        invite, thought = parts[4], texts[1].rpartition(_MARKS[3])[2]
        if invite.rstrip().endswith(OPEN):  # a template that always makes the model think
            invite += _NO_THOUGHT
        if not thought.rstrip().endswith(OPEN):
            thought += _THOUGHT
        return cls(tokenizer, specials, parts[0], parts[1], parts[2], parts[3], invite, thought, end)

    @property
    def grows(self) -> bool:
        """Whether a conversation can grow as it was written: past replies stand there as they were asked for."""
        return self.history == self.invite

    def invite_to(self, think: int) -> str:
        """What asks for a reply, a thought of ``think`` tokens at most before it."""
        return self.invite_thought if think else self.invite

    def past(self) -> Ids:
        """Ids between an observation and a past reply."""
        return self.encode([(self.history, False)])

    def close_thought(self, closed: bool) -> Ids:
        """Ids between a thought and the answer; a thought that ran out of tokens is closed first."""
        return self.encode([(_AFTER if closed else _NO_THOUGHT, False)])

    def is_closed(self, ids: Sequence[int]) -> bool:
        """Whether a thought just ended, by its closing mark or the end token."""
        return ids[-1] == self.end or CLOSE in self.tokenizer.decode(list(ids[-_CLOSE_TOKENS:]))

    def opening(self, rules: str) -> Ids:
        """The conversation up to the first observation: what all matches of a game and seat share."""
        return self.encode([(self.before_rules, False), (rules, True), (self._split(self.before_first)[0], False)])

    def first(self, observation: str, invite: str | None = None) -> Ids:
        """The first observation and the invitation to reply (by default: at once)."""
        tail = self._split(self.before_first)[1]
        return self.encode([(tail, False), (observation, True), (self.invite if invite is None else invite, False)])

    def next(self, observation: str, invite: str | None = None) -> Ids:
        """A later observation, appended after a reply that ended with the end token, and the invitation."""
        tail = self.before_next[len(self.tokenizer.convert_ids_to_tokens(self.end)) :]
        return self.encode([(tail, False), (observation, True), (self.invite if invite is None else invite, False)])

    def content(self, text: str) -> Ids:
        """Ids of a reply's text, special-looking parts as plain text, without the end token."""
        return self.encode([(text, True)])

    def decode(self, ids: Ids) -> str:
        """The text of sampled reply ids, without the end token and other control tokens."""
        return str(self.tokenizer.decode(list(ids), skip_special_tokens=True))

    def _split(self, text: str) -> tuple[str, str]:
        """``text`` cut after its last special token."""
        ends = [m.end() for m in self.specials.finditer(text)]
        cut = ends[-1] if ends else 0
        return text[:cut], text[cut:]

    def encode(self, pieces: list[tuple[str, bool]]) -> Ids:
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


def _render(tokenizer: Any, thinking: bool) -> str:
    """The template around the marks, with an invitation to reply at its end."""
    template = tokenizer.chat_template or PLAIN_TEMPLATE
    rules, first, reply, following = _MARKS
    later = [{"role": "assistant", "content": reply}, {"role": "user", "content": following}]
    separate = [{"role": "system", "content": rules}, {"role": "user", "content": first}, *later]
    try:
        return _apply(tokenizer, template, separate, thinking)
    except TemplateError:
        return _apply(tokenizer, template, [{"role": "user", "content": f"{rules}\n\n{first}"}, *later], thinking)


def _apply(tokenizer: Any, template: str, messages: list[dict[str, str]], thinking: bool) -> str:
    options = {"tokenize": False, "add_generation_prompt": True, "enable_thinking": thinking}
    return str(tokenizer.apply_chat_template(messages, chat_template=template, **options))


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
