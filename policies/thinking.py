"""Reasoning kept apart from the answer: models that think aloud write ``<think>…</think>`` before they answer."""

from __future__ import annotations

OPEN, CLOSE = "<think>", "</think>"


def split_thought(text: str) -> tuple[str, str]:
    """A model's output as (thought, answer), both stripped.

    What stands before the last ``</think>`` is thought, also where the template wrote the opening tag into the prompt.
    A thought that was never closed has no answer behind it.
    """
    before, close, answer = text.rpartition(CLOSE)
    if close:
        return before.replace(CLOSE, "").removeprefix(OPEN).replace(OPEN, "").strip(), answer.strip()
    if text.lstrip().startswith(OPEN):
        return text.lstrip().removeprefix(OPEN).strip(), ""
    return "", text
