"""The arithmetic of docs/scaling.md: pieces measured here, rates of GPUs assumed, and what follows from both.

    python bench/scaling.py            # measure, then print the tables
    python bench/scaling.py --tables   # measure nothing: the tables of models alone

Processor seconds are counted, not wall clock: a busy machine changes little.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import arena
import games
from arena.match import run_matches
from arena.records import Match
from policies import make

KUHN = ["kuhn-nash", "sensible", "tight", "bluffer", "always-call", "random"]


@dataclass(frozen=True)
class Measured:
    """What bench/scaling.py, bench/ray_workers.py and bench/leaderboard_memory.py measured."""

    bare: float = 0.0
    """Matches a second and core: Kuhn poker between scripts, nothing stored."""
    stored: float = 0.0
    """The same into a SQLite file."""
    bytes_stored: float = 0.0
    """Of the file per match, turns included."""
    search: float = 0.0
    """Processor seconds of a match of connect-four between mcts:200 and itself."""


@dataclass(frozen=True)
class Gpu:
    """Assumed, of an H100 SXM: its data sheet, and the shares of it that are usual."""

    flops: float = 989e12  # dense bfloat16
    use_training: float = 0.35
    use_reading: float = 0.5
    bandwidth: float = 3.35e12  # bytes a second
    use_bandwidth: float = 0.6
    memory: float = 80e9


@dataclass(frozen=True)
class Model:
    """Assumed, of a model like Qwen3-4B, in bfloat16, with an adapter of rank 16 on all linear layers."""

    parameters: float = 4.0e9
    layers: int = 36
    hidden: int = 2560
    inner: int = 9728
    heads: tuple[int, int] = (32, 8)
    head: int = 128
    vocabulary: int = 151_936
    rank: int = 16

    @property
    def kv_bytes(self) -> float:
        """Of keys and values per token."""
        return 2 * self.layers * self.heads[1] * self.head * 2

    @property
    def adapter(self) -> float:
        """Parameters of the adapter: rank times the sum of both sides of each matrix."""
        q, kv = self.heads[0] * self.head, self.heads[1] * self.head
        sides = 2 * (self.hidden + q) + 2 * (self.hidden + kv) + 3 * (self.hidden + self.inner)
        return self.rank * self.layers * sides


@dataclass(frozen=True)
class Talk:
    """Assumed, of one seat's match: a prisoner's dilemma of ten rounds with or without thinking."""

    turns: int = 10
    rules: int = 250
    read: int = 30
    written: int = 8

    @property
    def tokens(self) -> int:
        """Of the whole conversation."""
        return self.rules + self.turns * (self.read + self.written)


def measure() -> Measured:
    """Measure the pieces on this machine."""
    game, players = games.make("kuhn-poker"), {name: make(name) for name in KUHN}
    pairs = [(a, b) for a in KUHN for b in KUHN]
    planned = [Match(k, game, k // 36, pairs[k % 36]) for k in range(3600)]
    bare = _seconds(lambda: sum(1 for _ in run_matches(planned, players, seed=0)))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "arena.sqlite"
        stored = _seconds(lambda: arena.tournament("kuhn-poker", KUHN, deals=100, store=path).close())
        size = path.stat().st_size
    search = _seconds(lambda: arena.tournament("connect-four", ["mcts:200"], deals=4))
    return Measured(3600 / bare, 3600 / stored, size / 3600, search / 4)


def _seconds(work: Callable[[], object]) -> float:
    started = time.process_time()
    work()
    return time.process_time() - started


def reading(model: Model, gpu: Gpu, tokens: float) -> float:
    """Seconds to read tokens (the forward pass: 2 operations a parameter)."""
    return 2 * model.parameters * tokens / (gpu.flops * gpu.use_reading)


def writing(model: Model, gpu: Gpu, live: int, context: float) -> float:
    """Seconds to write one token in each of ``live`` conversations: weights once, keys and values of each."""
    moved = 2 * model.parameters + live * context * model.kv_bytes
    return moved / (gpu.bandwidth * gpu.use_bandwidth)


def play_hours(model: Model, gpu: Gpu, talk: Talk, seats: float, live: int) -> float:
    """GPU hours of ``seats`` conversations, ``live`` of them at a time."""
    read = reading(model, gpu, talk.rules + talk.turns * talk.read)
    written = talk.turns * talk.written * writing(model, gpu, live, talk.tokens / 2) / live
    return seats * (read + written) / 3600


def learn_hours(model: Model, gpu: Gpu, tokens: float, *, recompute: bool) -> float:
    """GPU hours to learn from tokens: forward 2, backward to the adapters 2, again forward 2 where recomputed."""
    operations = 6 if recompute else 4
    return operations * model.parameters * tokens / (gpu.flops * gpu.use_training) / 3600


def tables(found: Measured) -> None:
    """Print what follows."""
    model, gpu = Model(), Gpu()
    kv, adapter = model.kv_bytes / 1e3, model.adapter / 1e6
    print(
        f"4B: keys and values {kv:.0f} kB a token; adapter {adapter:.0f} M parameters, {2 * adapter:.0f} MB in bfloat16"
    )
    n, deals = 1000, 10
    matches = n * n * deals
    print(f"{n:,} entrants, {deals} deals: {matches:,} matches")
    if found.stored:
        hours, size = matches / found.stored / 3600, matches * found.bytes_stored / 1e9
        print(
            f"  scripts: {hours:.1f} core hours, {matches / found.bare / 3600:.2f} without the store of {size:.1f} GB"
        )
        print(f"  search: {matches * found.search / 3600:,.0f} core hours")
    for name, talk in (("moves alone", Talk()), ("256 tokens of thought a turn", Talk(written=264))):
        live = int(min(256, (gpu.memory * 0.5) // (talk.tokens * model.kv_bytes)))
        hours = play_hours(model, gpu, talk, 2 * matches, live)
        print(f"4B, {name}: {talk.tokens} tokens a conversation, {live} live")
        print(f"  round-robin: {hours:,.0f} GPU hours; on 8: {hours / 8:,.0f} hours, on 64: {hours / 64:,.0f}")
        _training(model, gpu, talk, live)


def _training(model: Model, gpu: Gpu, talk: Talk, live: int, matches: int = 256, steps: int = 300) -> None:
    seats = 2 * matches
    tokens = seats * steps * talk.tokens
    learn = learn_hours(model, gpu, tokens, recompute=True)
    print(f"  {steps} steps of {matches} matches: play {play_hours(model, gpu, talk, seats * steps, live):.1f}", end="")
    print(f" + learn {learn:.1f} GPU hours", end="")
    for gpus in (8, 64):
        play = play_hours(model, gpu, talk, seats * steps / gpus, max(1, min(live, seats // gpus)))
        print(f"; on {gpus}: {play:.2f} + {learn / gpus:.2f} hours", end="")
    print()


def main() -> None:
    """Measure where asked, and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", action="store_true", help="measure nothing")
    found = Measured() if parser.parse_args().tables else measure()
    if found.stored:
        print(f"Kuhn poker between scripts: {found.bare:,.0f} matches a second and core, {found.stored:,.0f} stored")
        print(f"{found.bytes_stored:.0f} bytes a match; connect-four, mcts:200: {found.search:.2f} s a match")
    tables(found)


if __name__ == "__main__":
    main()
