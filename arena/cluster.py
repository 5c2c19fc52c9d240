"""Ray: where it is reached, and its errors as one line each. Nothing here decides who does what; Ray does."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from games import ArenaError, UsageError
from games.errors import MissingExtra

RETRIES = 20
"""How often a task whose worker or node died is done again before it is taken to be at fault itself."""
_ADDRESS = "RAY_ADDRESS"


def check_workers(workers: str) -> None:
    """Refuse words that name no workers, and workers that can't be had, before anything is played.

    Args:
        workers: empty (this process), ``ray``, or ``ray://HOST:PORT``.

    Raises:
        UsageError: other words.
        MissingExtra: Ray is not installed.
    """
    if workers and workers != "ray" and not workers.startswith("ray://"):
        raise UsageError(f'workers="{workers}" is unknown; give ray, ray://HOST:PORT, or nothing for this process')
    if workers:
        load_ray()


def load_ray() -> Any:
    """The module.

    Raises:
        MissingExtra: it is not installed.
    """
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # nothing is reported to anybody
    os.environ.setdefault("RAY_worker_niceness", str(os.getpriority(os.PRIO_PROCESS, 0)))  # else 15: all others first
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")  # else Ray warns of a default that it will change
    try:
        import ray
    except ModuleNotFoundError as error:
        if error.name != "ray":
            raise
        raise MissingExtra("Ray is not installed; run: pip install 'selfplay-arena[ray]'") from error
    return ray


@contextmanager
def cluster(workers: str) -> Iterator[Any]:
    """Ray, connected; a local cluster that was started for this ends with it.

    Where this process is connected already, that connection serves and stays. ``ray`` means the cluster at
    ``RAY_ADDRESS``, or a local one of all processors where nothing is set.

    Args:
        workers: ``ray`` or ``ray://HOST:PORT``; empty: this process needs none.

    Raises:
        ArenaError: there is no cluster at the address.
    """
    if not workers:
        yield None
        return
    ray = load_ray()
    if ray.is_initialized():
        yield ray
        return
    address = workers if workers != "ray" else os.environ.get(_ADDRESS, "local")
    try:
        ray.init(address=address, log_to_driver=False, logging_level="ERROR", include_dashboard=_dashboard(address))
    except (ConnectionError, RuntimeError, ValueError) as error:
        first = str(error).strip().splitlines()[0][:200]
        raise ArenaError(f"no Ray cluster at {address} ({first}); start one with `ray start --head`") from None
    try:
        yield ray
    finally:
        ray.shutdown()


def _dashboard(address: str) -> bool | None:
    """None of a cluster that lives as long as this; of another, whatever it has."""
    return False if address == "local" else None


@contextmanager
def plain_failures(ray: Any) -> Iterator[None]:
    """What failed on a worker as it would have failed here: the error itself, not Ray's report of it."""
    try:
        yield
    except ray.exceptions.RayTaskError as error:
        cause = getattr(error, "cause", None)
        raise cause if isinstance(cause, ArenaError) else error from None
    except ray.exceptions.RayError as error:
        first = str(error).strip().splitlines()[0][:200]
        raise ArenaError(f"Ray gave up: {first}; what was finished is saved, start again to go on") from None
