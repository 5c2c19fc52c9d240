"""Language models as players: ``llm:BASE``, ``llm:BASE+ADAPTER``, each with ``?option=value&…`` behind it.

torch, transformers and peft are imported when one is made, not before.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from games.errors import UsageError, unknown

if TYPE_CHECKING:
    from policies.llm.player import LLMPolicy

_LOAD = ("dtype", "device")


def make(rest: str) -> LLMPolicy:
    """The policy of ``llm:REST``.

    Raises:
        UsageError: an unknown option, base or adapter.
    """
    from policies.llm.base import load_base
    from policies.llm.player import Decoding, LLMPolicy

    name, adapter, options = parse(rest)
    load = {key: options.pop(key) for key in _LOAD if key in options}
    base = load_base(name, **load)
    return LLMPolicy(base, base.load(adapter) if adapter else None, _decoding(Decoding, options))


def parse(rest: str) -> tuple[str, str, dict[str, str]]:
    """``BASE+ADAPTER?a=1&b=2`` as (base, adapter, options).

    Raises:
        UsageError: no base is named, or an option has no value.
    """
    where, _, query = rest.partition("?")
    name, _, adapter = where.partition("+")
    if not name:
        raise UsageError("llm: names no base model; write llm:tiny, llm:FOLDER or llm:HUB-ID, +ADAPTER behind it")
    options = {}
    for part in filter(None, query.split("&")):
        key, sign, value = part.partition("=")
        if not sign:
            raise UsageError(f'"{part}" in "llm:{rest}" is no option; write ?option=value&option=value')
        options[key] = value
    return name, adapter, options


def _decoding(cls: type[Any], options: dict[str, str]) -> Any:
    kinds: dict[str, Callable[[str], Any]] = {f.name: f.default.__class__ for f in fields(cls)}
    values = {}
    for key, text in options.items():
        if key not in kinds:
            raise unknown("llm option", key, [*kinds, *_LOAD])
        try:
            values[key] = kinds[key](text)
        except ValueError:
            raise UsageError(f'llm option {key}="{text}" can\'t be read; its default is {getattr(cls, key)}') from None
    return cls(**values)
