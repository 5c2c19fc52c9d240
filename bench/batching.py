"""One match at a time against 64 at a time: a language model plays the same matches, choices are compared.

python bench/batching.py [CHOICES]
"""

from __future__ import annotations

import sys
import time

import torch

import arena
import policies


def main(choices: int) -> None:
    """Play the same matches twice and count what differs."""
    torch.set_num_threads(1)
    games = {"prisoners-dilemma": 20, "tic-tac-toe": 8, "kuhn-poker": 2, "trust-and-split:rounds=3": 40}
    total = different = 0
    gap = 0.0
    for game, per_match in games.items():
        matches = choices // (len(games) * per_match) + 1
        runs = []
        for live in (1, 64):
            started = time.perf_counter()
            model = policies.make("llm:tiny")
            runs.append(arena.play(game, [model, model], matches=matches, seed=3, live=live))
            print(f"{game}: {matches} matches, {live} at a time, {time.perf_counter() - started:.1f} s", flush=True)
        for one, many in zip(*runs, strict=True):
            for a, b in zip(one.turns, many.turns, strict=False):
                assert a.sample is not None
                assert b.sample is not None
                total += len(a.sample.reply_ids)
                different += a.reply != b.reply
                if a.reply == b.reply and a.sample.prompt_ids == b.sample.prompt_ids:
                    pairs = zip(a.sample.logprobs, b.sample.logprobs, strict=True)
                    gap = max(gap, *(abs(x - y) for x, y in pairs))
    print(f"{total} choices, {different} replies differ, greatest gap of log-probabilities {gap:.1e}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000)
