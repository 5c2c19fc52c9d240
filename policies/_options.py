"""Options behind a spec, ``?temperature=0.7&retries=2``: from text to a frozen dataclass and its error messages."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import fields
from types import NoneType
from typing import Any, TypeVar, get_args, get_type_hints

from games.errors import UsageError, unknown

T = TypeVar("T")
_TRUTH = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}


def split_options(spec: str) -> tuple[str, dict[str, str]]:
    """``WHAT?a=1&b=2`` as (``WHAT``, options).

    Raises:
        UsageError: an option has no value.
    """
    what, _, query = spec.partition("?")
    options = {}
    for part in filter(None, query.split("&")):
        key, sign, value = part.partition("=")
        if not sign:
            raise UsageError(f'"{part}" in "{spec}" is no option; write ?option=value&option=value')
        options[key] = value
    return what, options


def fill(cls: type[T], options: Mapping[str, str], what: str, others: Collection[str] = ()) -> T:
    """The dataclass ``cls`` with the given options, each read as its field's type.

    Args:
        cls: a dataclass in which every field has a default.
        options: texts by field name.
        what: whose options they are, for messages: ``llm``, ``openai``.
        others: names that exist beside the fields, for messages.

    Raises:
        UsageError: an option that is no field, or a value that can't be read.
    """
    hints: dict[str, Any] = get_type_hints(cls)
    known = [f.name for f in fields(cls)]  # type: ignore[arg-type]
    values = {}
    for key, text in options.items():
        if key not in known:
            raise unknown(f"{what} option", key, [*known, *others])
        try:
            values[key] = _read(hints[key], text)
        except (ValueError, KeyError):
            default = getattr(cls, key)
            raise UsageError(f'{what} option {key}="{text}" can\'t be read; its default is {default}') from None
    return cls(**values)


def _read(hint: Any, text: str) -> Any:
    """``text`` as a value of the type ``hint`` (``T | None`` reads as T)."""
    kind = next((t for t in get_args(hint) if t is not NoneType), hint)
    return _TRUTH[text.lower()] if kind is bool else kind(text)
