"""The configuration of ``arena serve``. Importing it imports no HTTP library."""

from __future__ import annotations

import os
from dataclasses import dataclass
from importlib.util import find_spec

from games.errors import BadOption, MissingExtra, UsageError


@dataclass(frozen=True)
class ServeConfig:
    """What is served, where, and to whom."""

    models: tuple[str, ...] = ()
    """Language models, as specs (llm:BASE, llm:BASE+ADAPTER), or NAME=SPEC to give one a name."""
    host: str = "127.0.0.1"
    """Address to listen at; anything but loopback lets other machines in."""
    port: int = 8000
    """Port to listen at; 0: one that is free."""
    key: str = ""
    """Environment variable that holds the key callers must send; without it anybody who reaches the port may call."""
    adapters: str = ""
    """Folder that adapters may be loaded from while the server runs (/v1/load_lora_adapter); without it none are."""
    watch: str = ""
    """Store of a tournament whose finished matches can be read at /arena/matches, also while it runs."""
    threads: int = 0
    """Processor threads of torch; 0 leaves its choice."""

    def __post_init__(self) -> None:
        if not self.models:
            raise UsageError("name a model to serve, as in: arena serve llm:tiny")
        if not 0 <= self.port <= 65535:
            raise BadOption(f"port={self.port} must lie between 0 and 65,535")
        if not 0 <= self.threads <= 1024:
            raise BadOption(f"threads={self.threads} must lie between 0 and 1,024")
        if self.adapters and not os.path.isdir(self.adapters):
            raise UsageError(f'"{self.adapters}" is no folder; --adapters names one that adapters are loaded from')

    def secret(self) -> str:
        """The key itself; empty where none is asked for.

        Raises:
            UsageError: the environment variable is not set.
        """
        found = os.environ.get(self.key, "") if self.key else ""
        if self.key and not found:
            raise UsageError(
                "--key names an environment variable that holds the key, and none of the name given is set; "
                "write: export ARENA_KEY=… and --key ARENA_KEY"
            )
        return found

    @property
    def is_local(self) -> bool:
        """Whether only this machine reaches it."""
        return self.host in ("127.0.0.1", "::1", "localhost")


def need_http() -> None:
    """Check that the HTTP library is there.

    Raises:
        MissingExtra: it is not installed.
    """
    if find_spec("starlette") is None or find_spec("uvicorn") is None:
        raise MissingExtra("the HTTP server is not installed; run: pip install 'selfplay-arena[serve]'")
