"""Luck taken out: by hand, unbiased and narrower in simulation, and refused where a game says too little."""

from __future__ import annotations

import json

import numpy as np
import pytest

import arena
import games
from arena.cli import main
from arena.columns import Columns
from games.stream import CHANCE, Stream
from leaderboards.luck import luck_free, of_game

KUHN = games.make("kuhn-poker")
STARTS = [repr(state) for _, state in KUHN.starts()]
SKILL = 0.1


def start(deal):
    return STARTS.index(repr(KUHN.start(Stream(0, CHANCE, deal, 0))))


def simulated(deals, seed):
    """Lone seats of one entrant (and its opponent): luck by the start, a little noise, and a true mean of ``SKILL``."""
    rng = np.random.default_rng(seed)
    offset = int(rng.integers(10**9))
    luck = np.linspace(-1, 1, len(STARTS))  # averages 0 over equally likely starts
    number = np.arange(offset, offset + deals)
    won = SKILL + luck[[start(deal) for deal in number.tolist()]] + 0.2 * rng.normal(size=deals)
    seats = np.tile([0, 1], (deals, 1))
    payoff, nothing = np.stack([won, -won], axis=1), np.zeros((deals, 2))
    head = ("kuhn-poker", "competitive", ("first", "second"), ("a", "b"), np.arange(deals), number)
    return Columns(*head, np.ones(deals, dtype=np.int64), seats, payoff, nothing, nothing, nothing, nothing, {})


def test_the_estimate_is_unbiased_and_its_interval_narrower_and_honest():
    found = [of_game("kuhn-poker", [simulated(60, seed)], 0) for seed in range(200)]
    free, half = np.array([part.free[0] for part in found]), np.array([part.free_half[0] for part in found])
    known = ~np.isnan(free)
    assert known.mean() > 0.95
    assert free[known].mean() == pytest.approx(SKILL, abs=4 * 0.2 / np.sqrt(60 * 200) + 1e-3)
    covered = np.abs(free[known] - SKILL) <= half[known]
    assert 0.91 <= covered.mean() <= 0.98
    assert np.nanmedian([part.worth[0] for part in found]) > 8  # (0.68² + 0.2²) / 0.2² = 12.7


def test_by_hand():
    chosen: list[int] = []
    for k in range(len(STARTS)):
        chosen += [deal for deal in range(500) if start(deal) == k][: 2 + (k == 0)]
    deals = np.array(sorted(chosen))
    payoff = np.array([float(start(deal)) for deal in deals.tolist()])
    nothing, seats = np.zeros((len(deals), 2)), np.tile([0, 1], (len(deals), 1))
    head = ("kuhn-poker", "competitive", ("first", "second"), ("a", "b"), np.arange(len(deals)), deals)
    table = np.stack([payoff, -payoff], axis=1)
    part = of_game(
        "kuhn-poker", [Columns(*head, np.ones_like(deals), seats, table, nothing, nothing, nothing, nothing, {})], 0
    )
    assert part.payoff[0] == pytest.approx(2 * (0 + 1 + 2 + 3 + 4 + 5) / 13)  # start 0 was dealt once more
    assert part.free[0] == pytest.approx(2.5)
    assert part.free_half[0] == pytest.approx(0.0)
    assert part.note == ""


def test_games_without_luck_and_too_few_deals_say_so(tmp_path, capsys):
    path = tmp_path / "arena.sqlite"
    arena.tournament(
        ["kuhn-poker", "prisoners-dilemma:rounds=2"], ["random", "nash=random"], deals=3, store=path
    ).close()
    with arena.Store(path) as store:
        kuhn, dilemma = luck_free(store)
    assert "6 starts are possible" in kuhn.note
    assert "nothing is dealt at its start" in dilemma.note
    assert np.isnan(kuhn.free).all()
    assert kuhn.payoff.sum() == pytest.approx(0.0)
    assert main(["leaderboard", str(path), "--luck"]) == 0
    assert "play more deals" in " ".join(capsys.readouterr().out.split())
    assert main(["leaderboard", str(path), "--luck", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)[0]["free"] == [None, None]


def test_exploitability_of_a_stores_entrants(tmp_path, capsys):
    path = tmp_path / "arena.sqlite"
    arena.tournament("kuhn-poker", ["random", "kuhn-nash"], deals=1, store=path).close()
    assert main(["leaderboard", str(path), "--exploitability", "--json"]) == 0
    found = {line["entrant"]: line["exploitability"] for line in json.loads(capsys.readouterr().out)}
    assert found["kuhn-nash"] == pytest.approx(0.0, abs=1e-12)
    assert found["random"] == pytest.approx(11 / 24)  # NashConv of uniform play is 11 / 12
    assert main(["leaderboard", str(path), "--exploitability"]) == 0
    assert capsys.readouterr().out.split()[3] == "kuhn-nash"
