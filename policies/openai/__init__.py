"""Models behind an OpenAI-compatible server: ``openai:MODEL@URL``, with ``?option=value&…`` behind it.

Any server that speaks ``/chat/completions`` plays: vLLM, llama.cpp, hosted ones. The official client is an extra,
imported when such a player is made. The key is read from the environment and kept nowhere else.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from games.errors import MissingExtra, UsageError

if TYPE_CHECKING:
    from policies.openai.player import ApiPolicy


def make(rest: str) -> ApiPolicy:
    """The policy of ``openai:REST``.

    Raises:
        MissingExtra: the official client is not installed.
        UsageError: no model is named, the URL is none, or an unknown option.
    """
    from policies._options import fill, split_options
    from policies.openai.options import ApiOptions

    where, options = split_options(rest)
    model, url = split_url(where)
    settings = fill(ApiOptions, options, "openai")
    if find_spec("openai") is None:
        raise MissingExtra("the official client is not installed; run: pip install 'selfplay-arena[openai]'")
    from policies.openai.player import ApiPolicy

    return ApiPolicy(model, url, settings)


def split_url(where: str) -> tuple[str, str | None]:
    """``MODEL@URL`` as (model, URL); without a URL the client's own default.

    Raises:
        UsageError: no model, or a URL that is not plain http or https, or has a password in it.
    """
    model, at, rest = where.partition("@http")
    if not model or (not at and "@" in model):
        raise UsageError(f'"openai:{where}": write openai:MODEL@URL, as in openai:qwen3@http://127.0.0.1:8000/v1')
    if not at:
        return model, None
    url = f"http{rest}"
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise UsageError(f'"{url}" is no URL of a server; write http://HOST:PORT/v1 or https://HOST/v1')
    if parts.username or parts.password:
        raise UsageError("a URL with a user or password in it would be stored; set OPENAI_API_KEY instead")
    return model, url
