"""Language models whose engine is elsewhere: ``llm:NAME@http://HOST:PORT/v1`` and ``llm:NAME@vllm``.

Conversations, legal replies and noise are kept here, as for :class:`policies.llm.player.LLMPolicy`; tokens and their
log-probabilities come from a server (extra ``openai``) or from vLLM in this process (extra ``vllm``). The base's words
(tokenizer, chat template) are read here, its weights are not.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import fields
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from games.errors import MissingExtra
from policies._options import fill

if TYPE_CHECKING:
    from policies.llm.remote.asking import Remote
    from policies.llm.remote.player import Front, RemotePolicy

VLLM = "vllm"


def split_engine(rest: str) -> tuple[str, str]:
    """``BASE+ADAPTER@ENGINE?options`` as (``BASE+ADAPTER?options``, ``ENGINE``); no engine: this process computes."""
    where, sign, options = rest.partition("?")
    for mark in ("@http", f"@{VLLM}"):
        before, at, after = where.partition(mark)
        if at and (mark != f"@{VLLM}" or not after):
            return before + sign + options, mark[1:] + after
    return rest, ""


def make(name: str, adapter: str, engine: str, options: Mapping[str, str]) -> RemotePolicy:
    """The policy of ``llm:NAME+ADAPTER@ENGINE``.

    Raises:
        ArenaError: an extra is missing, an option is unknown, or the server isn't there or lacks the model.
    """
    from policies.llm.decoding import Decoding
    from policies.llm.remote.player import RemotePolicy

    known = {f.name for f in fields(Decoding)}
    decoding = fill(Decoding, {k: v for k, v in options.items() if k in known}, "llm")
    remote = connect(name, engine, {k: v for k, v in options.items() if k not in known}, known)
    front = make_front(name, remote, engine)
    if not adapter:
        return RemotePolicy(front, remote, None, decoding)
    content = _publish(remote, front, Path(adapter))
    return RemotePolicy(front, remote, f"arena-{content[:12]}", decoding, content)


def connect(name: str, engine: str, options: Mapping[str, str], others: set[str] | None = None) -> Remote:
    """The engine at a URL, or vLLM in this process.

    Args:
        name: the base model, as it is called here.
        engine: ``vllm`` or ``http://HOST:PORT/v1``.
        options: settings of the engine.
        others: names of settings that are read elsewhere, for messages.

    Raises:
        ArenaError: an extra is missing, an option is unknown, or the server isn't there or lacks the model.
    """
    if engine == VLLM:
        from policies.llm.base import base_folder
        from policies.llm.remote.local_vllm import VllmOptions, started

        return started(base_folder(name), fill(VllmOptions, options, "llm", others or ()))
    from policies.openai import split_url

    _, url = split_url(f"{name}@{engine}")
    if find_spec("openai") is None:
        raise MissingExtra("the official client is not installed; run: pip install 'selfplay-arena[openai]'")
    from policies.llm.remote.http import HttpRemote, RemoteOptions

    settings = fill(RemoteOptions, options, "llm", others or ())
    return HttpRemote(settings.served or name, str(url), settings)


def make_front(name: str, remote: Remote, engine: str) -> Front:
    """The words of a base model that computes elsewhere; its weights stay unread."""
    from policies.llm.base import read_words
    from policies.llm.remote.ledger import Ledger
    from policies.llm.remote.player import Front

    chat, context, fingerprint = read_words(name)
    length = min(filter(None, (context, remote.context)))
    return Front(name, chat, length, f"{fingerprint}@{engine}", Ledger())


def _publish(remote: Remote, front: Front, folder: Path) -> str:
    """Make an adapter known to the engine; SHA-256 of its weights."""
    from policies.llm.files import check_adapter

    check_adapter(folder, front.name, front.fingerprint.rpartition("@")[0])
    content = hashlib.sha256((folder / "adapter_model.safetensors").read_bytes()).hexdigest()
    if f"arena-{content[:12]}" not in remote.published():
        remote.publish(f"arena-{content[:12]}", folder)
    return content
