"""The server: an application bound to an address, in this thread or in one of its own."""

from __future__ import annotations

import socket
import threading
import time
from types import TracebackType

import torch
import uvicorn
from starlette.types import ASGIApp

from games.errors import ArenaError

_STARTING = 30.0  # seconds until a server that does not come up counts as failed


class Server:
    """An application at an address; ``with`` runs it in a thread of its own, :meth:`run` in this one.

    Args:
        app: what answers.
        host: the address to listen at.
        port: the port; 0: one that is free.

    Raises:
        ArenaError: the address can't be used.
    """

    def __init__(self, app: ASGIApp, host: str = "127.0.0.1", port: int = 0) -> None:
        self._socket = _listen(host, port)
        self.host, self.port = host, int(self._socket.getsockname()[1])
        config = uvicorn.Config(
            app, log_level="critical", access_log=False, lifespan="off", timeout_graceful_shutdown=3, ws="none"
        )
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self.run, name="arena-serve-http", daemon=True)

    @property
    def url(self) -> str:
        """Where clients find it: the base URL of the OpenAI interface."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{host}:{self.port}/v1"

    def run(self) -> None:
        """Answer until interrupted."""
        self._server.run(sockets=[self._socket])

    def stop(self) -> None:
        """Finish what is being answered, and end."""
        self._server.should_exit = True

    def __enter__(self) -> Server:
        self._thread.start()
        until = time.monotonic() + _STARTING
        while not self._server.started:
            if time.monotonic() > until or not self._thread.is_alive():
                raise ArenaError(f"the server at {self.url} did not come up")
            time.sleep(0.005)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.stop()
        self._thread.join()


def _listen(host: str, port: int) -> socket.socket:
    """A socket that listens; the address is free again as soon as the server ends."""
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        return socket.create_server((host, port), family=family, backlog=2048)
    except OSError as error:
        raise ArenaError(f"can't listen at {host}, port {port}: {error.strerror or error}; choose another") from None


def use_threads(count: int) -> None:
    """Let torch use so many processor threads; 0 leaves its choice."""
    if count:
        torch.set_num_threads(count)
