"""Language models as players: ``llm:BASE``, ``llm:BASE+ADAPTER``, each with ``?option=value&…`` behind it.

``llm:BASE@http://HOST:PORT/v1`` and ``llm:BASE@vllm`` are the same players with their engine elsewhere
(:mod:`policies.llm.remote`).

torch, transformers and peft are imported when one is made, not before.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from games.errors import UsageError
from policies._options import fill, split_options

if TYPE_CHECKING:
    from policies.llm.player import LLMPolicy

LOAD = ("dtype", "device", "kv_tokens", "chunk_tokens")
"""Options of a spec that say how a base is loaded."""


def make(rest: str) -> LLMPolicy:
    """The policy of ``llm:REST``.

    Raises:
        UsageError: an unknown option, base or adapter.
    """
    from policies.llm.remote import split_engine

    here, engine = split_engine(rest)
    name, adapter, options = parse(here)
    if adapter and not Path(adapter).is_dir():  # said at once: torch takes its time
        raise UsageError(f'"{adapter}" is no adapter folder; a training run leaves one at RUN/adapter')
    if engine:
        from policies.llm import remote

        return remote.make(name, adapter, engine, options)
    from policies.llm.base import load_base
    from policies.llm.player import Decoding, LLMPolicy

    load = {key: options.pop(key) for key in LOAD if key in options}
    base = load_base(name, **load)
    return LLMPolicy(base, base.load(adapter) if adapter else None, fill(Decoding, options, "llm", LOAD))


def parse(rest: str) -> tuple[str, str, dict[str, str]]:
    """``BASE+ADAPTER?a=1&b=2`` as (base, adapter, options).

    Raises:
        UsageError: no base is named, or an option has no value.
    """
    where, options = split_options(rest)
    name, _, adapter = where.partition("+")
    if not name:
        raise UsageError(
            "llm: names no base model; write llm:tiny, llm:smollm2, llm:FOLDER or llm:HUB-ID, +ADAPTER behind it"
        )
    return name, adapter, options
