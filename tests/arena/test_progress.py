"""Progress: a bar on a terminal, lines elsewhere."""

from __future__ import annotations

import io

import pytest

from arena import progress
from arena.training_view import cells, groups, sparkline, watching


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("out", [io.StringIO(), Terminal()])
def test_everything_passes(out):
    assert list(progress.watch(iter(range(5)), 8, 3, out=out)) == [0, 1, 2, 3, 4]


def test_lines_come_now_and_then(monkeypatch):
    clock = iter(range(0, 1000, 4))
    monkeypatch.setattr(progress.time, "monotonic", lambda: float(next(clock)))
    out = io.StringIO()
    list(progress.watch(iter(range(6)), 8, 2, out=out))
    lines = out.getvalue().splitlines()
    assert lines[0] == "2 of 8 matches are finished already"
    assert lines[1] == "5 of 8 matches, 0.2 per second, about 12 s left"  # 3 matches in 12 s, 3 left at 4 s each
    assert len(lines) == 3


def test_nothing_is_printed_of_a_short_fresh_run():
    out = io.StringIO()
    list(progress.watch(iter(range(5)), 5, out=out))
    assert out.getvalue() == ""


METRICS = {"step": 3, "payoff": 2.345, "cooperation": 0.5, "kl": 0.01, "seconds": 20.0, "tokens_per_second": 1234.0}


def test_a_step_in_numbers():
    assert cells(METRICS, 10) == [
        ("step", "3/10"),
        ("payoff/round", "2.35"),
        ("cooperation", "50%"),
        ("KL", "0.010"),
        ("tokens/s", "1,234"),
        ("left", "2:20"),
    ]


def test_training_lines_show_the_first_and_the_last_step():
    out = io.StringIO()
    with watching(3, out=out) as watch:
        for step in (1, 2, 3):
            watch({**METRICS, "step": step})
    assert [line.split()[1] for line in out.getvalue().splitlines()] == ["1/3", "3/3"]


def test_the_live_view_shows_the_last_step():
    out = Terminal()
    with watching(3, out=out) as watch:
        watch(METRICS)
    assert "1,234" in out.getvalue()


def test_the_live_view_draws_curves_and_says_who_was_met():
    out = Terminal()
    with watching(3, out=out) as watch:
        for step, payoff in ((1, 1.0), (2, 3.0)):
            watch({**METRICS, "step": step, "payoff": payoff, "met/self": 0.75, "met/past": 0.25, "payoff/first": 1.5})
    shown = out.getvalue()
    assert "▁█" in shown
    assert "met: self 75%, past 25%" in shown
    assert "payoff by role: first 1.50" in shown


def test_a_sparkline_spans_its_values_and_a_flat_one_is_flat():
    assert sparkline([0, 7, 3.5]) == "▁█▅"
    assert sparkline([2.0, 2.0]) == "▄▄"
    assert sparkline([float("nan")]) == ""
    assert len(sparkline(list(range(100)), width=10)) == 10


def test_games_of_a_run_stand_apart():
    assert groups({"kuhn-poker/payoff": 0.1, "tic-tac-toe/payoff": -0.2, "payoff/self": 0.0}) == [
        "by game: kuhn-poker 0.10, tic-tac-toe -0.20"
    ]
