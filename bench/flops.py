"""Share of the machine's matrix-product rate that a training step reaches.

python bench/flops.py [SPEC] [CONVERSATIONS] [TOKENS]      (arena pull smollm2)

Floating-point operations of one update are counted by PyTorch as they are carried out, and divided by processor time
and by the rate of large float32 matrix products, measured in turns with the updates. One thread.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable

import torch
from torch.utils.flop_counter import FlopCounterMode

from games.errors import UsageError
from selfplay import TrainConfig
from selfplay.batch import Decision, Talk
from selfplay.learner import Learner
from selfplay.models import base_of

SIZE = 1024  # rows and columns of the products that are measured
TURN = 16  # tokens between decisions
PAIRS = 5
TARGET = 0.45


def seconds(work: Callable[[], object]) -> float:
    """Processor time of ``work``."""
    started = time.process_time()
    work()
    return time.process_time() - started


def product_rate() -> float:
    """Operations a second of square float32 products, the best of three."""
    a, b = torch.rand(SIZE, SIZE), torch.rand(SIZE, SIZE)
    torch.mm(a, b)

    def four() -> None:
        for _ in range(4):
            torch.mm(a, b)

    return max(4 * 2 * SIZE**3 / seconds(four) for _ in range(3))


def talks(count: int, length: int, vocabulary: int) -> list[Talk]:
    """Conversations that all differ from the second token on, a decision among the whole vocabulary every few."""
    ids = torch.randint(100, vocabulary, (count, length), generator=torch.Generator().manual_seed(0)).tolist()
    out = []
    for n, row in enumerate(ids):
        places = range(TURN, length - 1, TURN)
        out.append(Talk(tuple(row), tuple(Decision(p, row[p + 1], None, -5.0, 1.0, n * length + p) for p in places)))
    return out


def main(spec: str, count: int, length: int) -> None:
    """Count once, then time updates and products in turns."""
    torch.set_num_threads(1)
    config = TrainConfig(base=spec, warmup=0, learning_rate=1e-5)
    try:
        base, _ = base_of(config)
    except UsageError as error:  # not fetched: the other benches go on
        print(error)
        return
    learner, rows = Learner(base, config), talks(count, length, base.model.config.vocab_size)
    with FlopCounterMode(display=False) as counter:
        learner.update(rows, 0)
    done = counter.get_total_flops()
    print(f"{spec}: {count} conversations of {length} tokens, {done / 1e12:.2f} TFLOP an update")
    shares = []
    for number in range(1, PAIRS + 1):
        before, took, after = product_rate(), seconds(lambda n=number: learner.update(rows, n)), product_rate()
        rate = (before + after) / 2
        shares.append(done / took / rate)
        speed = f"{count * length / took:.0f} tokens/s, {done / took / 1e9:.0f} of {rate / 1e9:.0f} GFLOP/s"
        print(f"  {speed}: {shares[-1]:.0%}", flush=True)
    print(f"training step: {statistics.median(shares):.0%} of the matrix-product rate (target {TARGET:.0%})")


if __name__ == "__main__":
    words = [*sys.argv[1:], *("llm:smollm2", "4", "256")[len(sys.argv) - 1 :]]
    main(words[0], int(words[1]), int(words[2]))
