"""One event loop in a thread of its own: calls run together whatever the caller is in, a notebook's loop included."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine
from functools import cache
from typing import Any, TypeVar

T = TypeVar("T")


@cache
def loop() -> asyncio.AbstractEventLoop:
    """The loop, running until the program ends."""
    made = asyncio.new_event_loop()
    threading.Thread(target=made.run_forever, name="arena-api", daemon=True).start()
    return made


def run(work: Coroutine[Any, Any, T]) -> T:
    """The result of ``work``; interrupted, it is cancelled."""
    future = asyncio.run_coroutine_threadsafe(work, loop())
    try:
        return future.result()
    except BaseException:
        future.cancel()
        raise
