"""Entrants that are snapshots of one training run, and how their rating went."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

_SNAPSHOT = re.compile(r"^(?P<run>.+)/snapshots/step-(?P<step>\d+)/?$")
_FINAL = re.compile(r"^(?P<run>.+)/adapter/?$")


def run_of(spec: str) -> tuple[str, float] | None:
    """(run, step) of a spec such as ``llm:tiny+runs/ipd/snapshots/step-000020``, the final adapter last of all.

    None where the spec is no adapter of a run.
    """
    if found := _SNAPSHOT.match(spec):
        return found["run"], float(found["step"])
    found = _FINAL.match(spec)
    return (found["run"], math.inf) if found else None


def histories(specs: Sequence[str], values: Sequence[float]) -> list[tuple[float, ...]]:
    """For each entrant the values of its run's snapshots, up to itself; empty where there is nothing before it.

    Args:
        specs: of the entrants.
        values: what is followed (a rating, say), aligned with ``specs``.
    """
    runs: dict[str, list[tuple[float, float]]] = {}
    for spec, value in zip(specs, values, strict=True):
        if (found := run_of(spec)) is not None:
            runs.setdefault(found[0], []).append((found[1], value))
    return [_until(runs, run_of(spec)) for spec in specs]


def _until(runs: dict[str, list[tuple[float, float]]], found: tuple[str, float] | None) -> tuple[float, ...]:
    if found is None:
        return ()
    run, step = found
    past = tuple(value for at, value in sorted(runs[run]) if at <= step)
    return past if len(past) > 1 else ()
