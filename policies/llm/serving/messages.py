"""A list of chat messages as token ids, in any order of roles that the model's template takes.

The template is rendered around marks that stand for the contents, as :mod:`policies.llm.chat` does for matches: what a
message says is encoded with special tokens split, and can't forge a turn.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from jinja2 import TemplateError

from policies.llm.chat import PLAIN_TEMPLATE, ChatFormat
from policies.llm.serving.refusals import bad
from policies.llm.trie import Ids
from policies.thinking import OPEN

_MARK = re.compile("\ue000([0-9]+)\ue001")
_ROLES = ("system", "user", "assistant")
_SAME = {"developer": "system"}  # the hosted service's newer name


def prompt_ids(chat: ChatFormat, messages: object, thinking: bool = False) -> Ids:
    """Ids of a conversation up to where the model replies.

    Args:
        chat: the model's format.
        messages: what came in the body, checked here.
        thinking: whether the template is asked to let the model think first.

    Raises:
        Refusal: these are no messages, or the template takes no such order of roles.
    """
    said = [_message(m, i) for i, m in enumerate(messages)] if isinstance(messages, list) else []
    if not said:
        raise bad('"messages" must be a list of at least one message, each with a role and a content', "messages")
    marked = [{"role": role, "content": f"\ue000{i}\ue001"} for i, (role, _) in enumerate(said)]
    return chat.encode(_pieces(_render(chat, marked, thinking), [text for _, text in said]))


def _render(chat: ChatFormat, messages: Sequence[Mapping[str, str]], thinking: bool) -> str:
    options = {"tokenize": False, "add_generation_prompt": True, "enable_thinking": thinking}
    template = chat.tokenizer.chat_template or PLAIN_TEMPLATE
    try:
        text = str(chat.tokenizer.apply_chat_template(messages, chat_template=template, **options))
    except TemplateError as error:
        roles = ", ".join(m["role"] for m in messages[:20])
        raise bad(f"this model's chat template takes no such conversation ({roles}): {error}", "messages") from None
    return text if thinking or not text.rstrip().endswith(OPEN) else text + chat.invite.rpartition(OPEN)[2]


def _pieces(text: str, contents: Sequence[str]) -> list[tuple[str, bool]]:
    """The rendered template as (text, written by a player?), contents in the place of their marks."""
    parts = _MARK.split(text)
    if parts[1::2] != [str(i) for i in range(len(contents))]:
        raise bad("this model's chat template drops or repeats a message of this conversation", "messages")
    return [(contents[int(part)], True) if i % 2 else (part, False) for i, part in enumerate(parts)]


def _message(message: object, number: int) -> tuple[str, str]:
    """(role, text) of one message."""
    where = f"messages[{number}]"
    if not isinstance(message, dict):
        raise bad(f'{where} is no object; write {{"role": …, "content": …}}', "messages")
    role = _SAME.get(str(message.get("role")), str(message.get("role")))
    if role not in _ROLES:
        raise bad(f'{where}: role "{role[:40]}" is unknown; use {", ".join(_ROLES)}', "messages")
    return role, _text(message.get("content"), where)


def _text(content: Any, where: str) -> str:
    """The text of a content: a string, or parts that are all text."""
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else [None]
    texts = [p.get("text") if isinstance(p, dict) and p.get("type", "text") == "text" else None for p in parts]
    if not all(isinstance(text, str) for text in texts):
        raise bad(
            f"{where}: a content must be a text or a list of parts of type text; nothing else is read", "messages"
        )
    return "".join(str(text) for text in texts)
