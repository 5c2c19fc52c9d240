"""What a server's batching gains, and what playing through one costs: ratios within one run, medians of several.

python bench/serving.py
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import openai
import torch

import arena
from policies.llm.serving.app import application
from policies.llm.serving.models import Models
from policies.llm.serving.server import Server

CALLERS, TOKENS, REPEATS = 16, 12, 3
GAME, MATCHES = "prisoners-dilemma:rounds=3", 32


def main() -> None:
    """Print both ratios."""
    torch.set_num_threads(1)
    models = Models.of(["llm:tiny"])
    with Server(application(models)) as server, openai.OpenAI(base_url=server.url, api_key="none") as client:
        together, apart = median_ratio(lambda: ask_together(client), lambda: ask_in_turn(client))
        gain = f"{apart / together:.1f} x"
        print(f"{CALLERS} requests of {TOKENS} tokens at once, against one after the other: {gain}", flush=True)
        specs = f"llm:tiny@{server.url}", "llm:tiny"
        there, here = median_ratio(lambda: play(specs[0]), lambda: play(specs[1]))
        cost = f"{there / here:.1f} x the time"
        print(f"{MATCHES} matches of {GAME} at the server, against this process: {cost}", flush=True)
    models.close()


def median_ratio(first: Callable[[], None], second: Callable[[], None]) -> tuple[float, float]:
    """Median seconds of both, taken in turns after a first go of each."""
    times: tuple[list[float], list[float]] = ([], [])
    for repeat in range(REPEATS + 1):
        for work, taken in zip((first, second), times, strict=True):
            start = time.perf_counter()
            work()
            if repeat:
                taken.append(time.perf_counter() - start)
    return statistics.median(times[0]), statistics.median(times[1])


def ask(client: openai.OpenAI, seed: int) -> None:
    """One request that no other shares anything with."""
    prompt = [100 + seed, *range(200, 260)]
    client.completions.create(model="tiny", prompt=prompt, max_tokens=TOKENS, seed=seed, temperature=2)


def ask_together(client: openai.OpenAI) -> None:
    """All callers at once."""
    with ThreadPoolExecutor(CALLERS) as pool:
        list(pool.map(lambda seed: ask(client, seed), range(CALLERS)))


def ask_in_turn(client: openai.OpenAI) -> None:
    """The same requests, one after the other."""
    for seed in range(CALLERS):
        ask(client, seed)


def play(spec: str) -> None:
    """Matches of the model with itself, all live at once."""
    arena.play(GAME, [spec] * 2, matches=MATCHES)


if __name__ == "__main__":
    main()
