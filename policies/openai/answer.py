"""What a server sent, as a reply: refusals, cut-off and malformed answers are data, never an exception."""

from __future__ import annotations

import json
from typing import Any

from policies.policy import Reply
from policies.thinking import split_thought

_ENDS = {
    "length": "the reply was cut off at its token limit",
    "content_filter": "the reply was stopped by the server's content filter",
}


def read_answer(body: str) -> Reply:
    """The reply in the body of a ``/chat/completions`` response.

    Text and thought are kept where there are any; what is wrong stands in ``error``.
    """
    try:
        data = json.loads(body)
    except (ValueError, RecursionError):
        return Reply("", error=f"the server sent no JSON: {body[:80]!r}")
    read, written = _count(data, "prompt_tokens"), _count(data, "completion_tokens")
    choices = data.get("choices") if isinstance(data, dict) else None
    choice = choices[0] if isinstance(choices, list) and choices else None
    message = choice.get("message") if isinstance(choice, dict) else None
    if not isinstance(choice, dict) or not isinstance(message, dict):
        return Reply(
            "", error=f"the server sent no message: {body[:80]!r}", prompt_tokens=read, completion_tokens=written
        )
    thought, text = _texts(message)
    wrong = _wrong(choice, message, text)
    return Reply(text, thought=thought, error=wrong, prompt_tokens=read, completion_tokens=written)


def _texts(message: dict[str, Any]) -> tuple[str, str]:
    """(thought, answer): servers send reasoning beside the content or inside it."""
    content = message.get("content")
    if isinstance(content, list):  # parts, as some servers send them
        content = "".join(str(part.get("text", "")) for part in content if isinstance(part, dict))
    thought, text = split_thought(content if isinstance(content, str) else "")
    beside = message.get("reasoning_content") or message.get("reasoning")
    return (beside if isinstance(beside, str) else thought), text


def _wrong(choice: dict[str, Any], message: dict[str, Any], text: str) -> str:
    if isinstance(refusal := message.get("refusal"), str) and refusal:
        return f"refused: {refusal}"
    ending = choice.get("finish_reason")
    if isinstance(ending, str) and ending in _ENDS:
        return _ENDS[ending]
    return "" if text.strip() else "the reply is empty"


def _count(data: Any, name: str) -> int:
    """A number of tokens in the usage that came with an answer; 0 where there is none."""
    usage = data.get("usage") if isinstance(data, dict) else None
    count = usage.get(name) if isinstance(usage, dict) else None
    return count if type(count) is int and count >= 0 else 0
