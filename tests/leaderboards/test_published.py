"""A table of payoffs from a CSV file: the published figures of 43 bots, and what is refused."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import numpy as np
import pytest

from arena.cli import main
from leaderboards import TableError, from_payoffs

DATA = Path(__file__).parents[1] / "data"
TABLE = DATA / "rps_population.csv"


@pytest.fixture(scope="module")
def figures():
    """Figures of Lanctot et al. 2023, arXiv 2303.03196, by bot."""
    with (DATA / "rps_figures.csv").open(encoding="utf-8") as file:
        return {row["bot"]: row for row in csv.DictReader(file)}


def test_the_command_gives_all_43_published_figures(capsys, figures):
    assert main(["leaderboard", "--payoffs", str(TABLE), "--json"]) == 0
    board = json.loads(capsys.readouterr().out)
    assert [line["entrant"] for line in board["standings"]] == list(figures)  # ranked by aggregate
    for line in board["standings"]:
        wanted = figures[line["entrant"]]
        for name in ("population_return", "exploitability", "aggregate"):
            assert round(line[name], 2) == pytest.approx(float(wanted[name]), abs=0.0101), (line["entrant"], name)
        assert line["nemesis"] == wanted["nemesis"]
    assert board["nash"]["exploitability"] <= 1e-12
    assert sum(line["nash_mass"] for line in board["standings"]) == pytest.approx(1)


def test_it_prints_a_table_that_fits_80_columns(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    assert main(["leaderboard", "--payoffs", str(TABLE)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[1].split()[:6] == ["1", "greenberg", "284.50", "288.15", "3.65", "shofar"]
    assert max(map(len, lines[:44])) <= 80


def test_standard_errors_show_the_bias_of_the_greatest_of_many(tmp_path):
    # A uniform player's 42 opponents all win 0; the mean of the greatest of 42 standard normals is 2.19.
    names = [f"b{k}" for k in range(43)]
    (tmp_path / "zero.csv").write_text(_table(names, np.zeros((43, 43))))
    (tmp_path / "sd.csv").write_text(_table(names, np.full((43, 43), 5.0)))
    board = from_payoffs(tmp_path / "zero.csv", tmp_path / "sd.csv")
    assert board.lines[0].noise_bias == pytest.approx(2.2 * 5, rel=0.03)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is empty"),
        (",a,b\na,0,1\n", "a row for each of the 2 columns"),
        (",a,b\nb,0,1\na,-1,0\n", "of the same name and order"),
        (",a,b\na,0,nan\nb,-1,0\n", 'a against b is "nan"'),
        (",a,b\na,0,x\nb,-1,0\n", 'a against b is "x"'),
        (",a,a\na,0,1\na,-1,0\n", 'two entrants are called "a"'),
    ],
)
def test_what_is_no_table_is_refused(tmp_path, text, message):
    path = tmp_path / "table.csv"
    path.write_text(text)
    with pytest.raises(TableError, match=message):
        from_payoffs(path)


def test_errors_must_name_the_same_entrants(tmp_path):
    (tmp_path / "a.csv").write_text(_table(["a", "b"], np.zeros((2, 2))))
    (tmp_path / "b.csv").write_text(_table(["b", "a"], np.zeros((2, 2))))
    with pytest.raises(TableError, match="names other entrants"):
        from_payoffs(tmp_path / "a.csv", tmp_path / "b.csv")
    with pytest.raises(TableError, match="can't read"):
        from_payoffs(tmp_path / "c.csv")


def test_it_is_written_as_csv_and_markdown(capsys, tmp_path):
    assert main(["leaderboard", "--payoffs", str(TABLE), "--csv", "-"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert (len(rows), rows[0]["entrant"], rows[0]["nemesis"]) == (43, "greenberg", "shofar")
    assert main(["leaderboard", "--payoffs", str(TABLE), "--markdown", str(tmp_path / "t.md")]) == 0
    assert "| 1 | greenberg | 284.50 | 288.15 | 3.65 | shofar |" in (tmp_path / "t.md").read_text()
    assert main(["leaderboard", "--payoffs", str(TABLE), "--svg", str(tmp_path / "t.svg")]) == 2
    assert main(["leaderboard"]) == 2


def _table(names, numbers):
    rows = [[name, *row] for name, row in zip(names, numbers.tolist(), strict=True)]
    return "\n".join(",".join(map(str, row)) for row in [["", *names], *rows]) + "\n"
