"""Plots: which there are, that names can't break them, and what is said where matplotlib is missing."""

from __future__ import annotations

import sys

import pytest

from games import ArenaError
from leaderboards import TableError, from_store
from leaderboards.plots import learning, plots, save_plots

pytest.importorskip("matplotlib")


@pytest.fixture
def board(store, poker, dilemma):
    return from_store(store(dilemma()), store(poker(), game="kuhn-poker:x=1", kind="competitive"), bootstrap=0)


def test_every_game_has_its_plots(board, tmp_path):
    made = save_plots(board, tmp_path / "new")
    assert [path.name for path in made] == [
        "1-prisoners-dilemma-ratings.png",
        "1-prisoners-dilemma-head-to-head.png",
        "1-prisoners-dilemma-nash-mass.png",
        "1-prisoners-dilemma-cost.png",
        "2-kuhn-poker-x-1-ratings.png",
        "2-kuhn-poker-x-1-head-to-head.png",
        "2-kuhn-poker-x-1-nash-mass.png",
        "2-kuhn-poker-x-1-cost.png",
    ]
    assert all(path.read_bytes().startswith(b"\x89PNG") for path in made)


def test_ratings_stand_where_they_should(board):
    figure = dict(plots(board.sections[1]))["ratings"]
    (axes,) = figure.axes
    assert [label.get_text() for label in axes.get_yticklabels()] == ["1 strong", "2 medium", "3 weak"]
    shown = [container.lines[0].get_xdata()[0] for container in axes.containers]
    assert shown == [line.elo for line in board.sections[1].standings]


def test_a_name_is_no_formula(store, tmp_path):
    plays = [(d, [("$\\frac$\x1b[31m", 1.0), ("b", 0.0)]) for d in range(3)]
    assert len(save_plots(from_store(store(plays), bootstrap=0), tmp_path)) == 4


def test_snapshots_of_a_run_make_a_curve(store):
    specs = [f"llm:tiny+runs/x/snapshots/step-{step:06d}" for step in (10, 20)] + ["llm:tiny+runs/x/adapter"]
    plays = [
        (d, [(a, float(k)), (b, float(m))]) for d in range(3) for k, a in enumerate(specs) for m, b in enumerate(specs)
    ]
    (section,) = from_store(store(plays), bootstrap=0).sections
    (axes,) = learning(section).axes
    line = axes.containers[0].lines[0]
    assert line.get_xdata().tolist() == [10, 20, 30]
    assert line.get_ydata().tolist() == [0.0, 1.0, 2.0]
    assert learning(from_store(store(plays[:1]), bootstrap=0).sections[0]) is None


def test_a_folder_that_cannot_be_made(board, tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(TableError, match="can't write plots"):
        save_plots(board, tmp_path / "file" / "x")


def test_without_matplotlib_the_install_line_is_given(board, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(ArenaError, match=r"pip install 'selfplay-arena\[plots\]'"):
        save_plots(board, tmp_path)
