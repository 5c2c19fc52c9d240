"""``arena serve SPEC [SPEC…]``."""

from __future__ import annotations

import sys
import time
from argparse import Namespace
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from starlette.routing import BaseRoute

    from arena.flags import Parser
    from arena.serving import ServeConfig

ABOUT = """Put language models behind an OpenAI-compatible HTTP interface: /v1/chat/completions and /v1/completions
(streams, log-probabilities, token ids as vLLM returns them), /v1/models, /health, and with --adapters
/v1/load_lora_adapter. Any OpenAI client can then play, and `arena train --sampler URL` takes its rollouts there. It
listens on this machine alone unless --host says otherwise. Ctrl-C ends it."""
EXAMPLES = """
arena serve llm:tiny
arena serve llm:tiny aligned=llm:tiny+runs/aligned/adapter --port 8001
arena serve llm:tiny --adapters runs                    then: arena train --sampler http://127.0.0.1:8000/v1
arena serve llm:tiny --watch runs/t.sqlite              then: curl http://127.0.0.1:8000/arena/matches
ARENA_KEY=… arena serve llm:smollm2 --host 0.0.0.0 --key ARENA_KEY
arena play kuhn-poker openai:tiny@http://127.0.0.1:8000/v1 nash
"""


def configure(parser: Parser) -> None:
    """The words and flags of the command."""
    from arena.flags import add_flags
    from arena.serving import ServeConfig

    parser.add_argument("models", nargs="+", metavar="SPEC", help="llm:BASE, llm:BASE+ADAPTER, or NAME=SPEC")
    parser.add_argument("--json", action="store_true", help="where it listens as a line of JSON, for programs")
    add_flags(parser, ServeConfig, skip=("models",))


def run(args: Namespace) -> int:
    """Load the models, say where they are, and serve until interrupted."""
    from arena.flags import build
    from arena.serving import ServeConfig, need_http

    given = dict(vars(args))
    as_json = given.pop("json")
    config = build(ServeConfig, given)
    secret = config.secret()
    need_http()
    print(f"loading {', '.join(config.models)}", file=sys.stderr, flush=True)
    return _serve(config, secret, as_json)


def _serve(config: ServeConfig, secret: str, as_json: bool) -> int:
    from policies.llm.serving.app import application
    from policies.llm.serving.models import Models
    from policies.llm.serving.server import Server, use_threads

    more: list[BaseRoute] = []
    if config.watch:
        from arena.watching import routes

        more = routes(config.watch)
    use_threads(config.threads)
    models = Models.of(config.models, config.adapters, int(time.time()))
    try:
        server = Server(application(models, secret, more), config.host, config.port)
        _announce(config, server.url, list(models.by_name), as_json)
        # Interrupted, uvicorn raises or returns, depending on when the signal came.
        with suppress(KeyboardInterrupt):
            server.run()
        print("stopped", file=sys.stderr)
    finally:
        models.close()
    return 0


def _announce(config: ServeConfig, url: str, names: list[str], as_json: bool) -> None:
    from arena.show import print_json

    if as_json:
        print_json({"url": url, "models": names})
        sys.stdout.flush()
    else:
        print(f"{', '.join(names)} at {url}; a player of it is openai:{names[0]}@{url}", flush=True)
    if not config.is_local and not config.key:
        print("anybody who reaches this port may call: --key asks for a key", file=sys.stderr, flush=True)
