"""Killed and interrupted runs: what was finished stays, and the rest is played as if nothing had happened."""

from __future__ import annotations

import signal
import sqlite3
import subprocess
import sys
import time

import pytest

import arena
from arena import Store
from games import ArenaError, Stream

GAME = "trust-and-split:rounds=10"
ENTRANTS = ["random", "greedy", "liar"]
DEALS = 60
TOTAL = 9 * DEALS


def start(path) -> subprocess.Popen:
    words = ["tournament", GAME, *ENTRANTS, "--deals", str(DEALS), "--store", str(path)]
    return subprocess.Popen([sys.executable, "-m", "arena", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def finished(path) -> int:
    try:
        with Store(path) as store:
            return len(store)
    except (ArenaError, sqlite3.Error):
        return 0


def wait_for(path, matches: int, process: subprocess.Popen) -> None:
    deadline = time.monotonic() + 60
    while finished(path) < matches and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.002)


def rows(store: Store) -> list[tuple]:
    """Every seat, and every reply; the seconds that it took aside."""
    seats = [(s.match, s.deal, s.seat, s.entrant, s.payoff, s.turns, s.illegal, s.measures) for s in store.seats()]
    return seats + [tuple(t.reply for t in store.episode(m.id).turns) for m in store.matches()]


def test_killed_at_random_moments_and_resumed(tmp_path):
    path, rng, kept = tmp_path / "arena.sqlite", Stream(2026), 0
    for _ in range(4):
        process = start(path)
        wait_for(path, kept + rng.integers(TOTAL // 5), process)
        process.kill()
        process.communicate()
        now = finished(path)
        assert now >= kept
        kept = now
    assert 0 < kept < TOTAL
    with (
        arena.tournament(GAME, ENTRANTS, deals=DEALS, store=path) as resumed,
        arena.tournament(GAME, ENTRANTS, deals=DEALS) as whole,
    ):
        assert len(resumed) == TOTAL
        assert rows(resumed) == rows(whole)


def test_ctrl_c_keeps_what_was_finished_and_says_one_line(tmp_path):
    path = tmp_path / "arena.sqlite"
    process = start(path)
    wait_for(path, 1, process)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    if process.returncode == 0:
        pytest.skip("the machine finished before the signal arrived")
    assert process.returncode == 130
    assert out == b""
    assert err.decode().startswith("arena: interrupted")
    assert err.count(b"\n") == 1
    assert finished(path) >= 1
