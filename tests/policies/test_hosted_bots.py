"""Bots of other libraries: what they play, that they replay, and that their process may die."""

from __future__ import annotations

import itertools
import re
from collections import defaultdict
from importlib.util import find_spec

import numpy as np
import pytest

import arena
import games
import policies
from arena.commands.tournament import read_config
from games import BadOption, MissingExtra, UnknownName
from policies import _bots
from policies._bots import HostedBot, Worker
from policies.openspiel import BOTS

axelrod = pytest.mark.skipif(find_spec("axelrod") is None, reason="needs the extra axelrod")
openspiel = pytest.mark.skipif(find_spec("pyspiel") is None, reason="needs the extra openspiel")

BROKEN = """
import os, signal, time

class Bot:
    def __init__(self, question):
        print("a bot that prints")
        self.kind, self.seen = question["bot"], []
    def throw(self):
        if len(self.seen) == 2:
            if self.kind == "kills": os.kill(os.getpid(), signal.SIGABRT)
            if self.kind == "exits": os._exit(3)
            if self.kind == "raises": raise ValueError("out of ideas")
            if self.kind == "hangs": time.sleep(60)
        return sum(self.seen) % 2
    def see(self, own, other):
        self.seen.append(other)

make = Bot
def names(): return ["fine", "kills"]
"""


@pytest.fixture
def broken(tmp_path, monkeypatch):
    (tmp_path / "broken_bots.py").write_text(BROKEN)
    monkeypatch.syspath_prepend(tmp_path)
    made = Worker("broken_bots")
    yield made
    made.close()


def question(bot, own="", other="", match=0):
    return {"bot": bot, "match": match, "seat": 0, "seed": 1, "own": own, "other": other}


def test_a_bot_that_kills_the_process_takes_no_other_along(broken):
    assert broken.names() == ["fine", "kills"]
    first = broken._process
    assert broken.ask([question("fine"), question("kills"), question("fine", match=1)]) == [0, 0, 0]
    assert broken.ask([question("fine", "0", "1"), question("kills", "0", "1")]) == [1, 1]
    assert broken._process is first
    fine, dead, other = broken.ask([question(b, "01", "10", m) for b, m in (("fine", 0), ("kills", 0), ("fine", 1))])
    assert (fine, other) == (1, 1)  # replayed in a fresh process
    assert dead == 'the bot "kills" gives no move: its process ended with signal 6'
    assert broken.ask([question("fine", "011", "101")]) == [0]


@pytest.mark.parametrize(
    ("bot", "reason"),
    [("exits", "ended with code 3"), ("raises", "ValueError: out of ideas"), ("hangs", "no answer in 1")],
)
def test_other_ends(broken, monkeypatch, bot, reason):
    monkeypatch.setattr(_bots, "ANSWER_SECONDS", 1.0)
    (said,) = broken.ask([question(bot, "00", "01")])
    assert reason in said
    assert broken.ask([question("fine", "00", "01")]) == [1]


def test_a_process_that_died_between_questions_is_replaced(broken):
    assert broken.ask([question("fine", "0", "1")]) == [1]
    broken._process.kill()
    broken._process.wait()
    assert broken.ask([question("fine", "00", "11")]) == [0]


def test_asked_twice_a_bot_answers_the_same(broken):
    assert [broken.ask([question("fine", "0", "1")]) for _ in range(2)] == [[1], [1]]
    broken.forget("fine", [0])
    assert broken.ask([question("fine", "0", "1")]) == [1]


def test_a_dead_bot_forfeits_and_that_is_data(broken, monkeypatch):
    monkeypatch.setattr(_bots, "worker", lambda library: broken)
    bot = HostedBot("broken", "kills", "prisoners-dilemma")
    bot.name = "kills"
    [episode] = arena.play("prisoners-dilemma", [bot, "always-cooperate"])
    assert episode.ending == "forfeit"
    assert episode.illegal(0) == 1
    assert "signal 6" in next(t.illegal for t in episode.turns if t.illegal)


@openspiel
def test_the_43_bots_are_there():
    assert _bots.worker("openspiel").names() == sorted(BOTS)
    assert len(BOTS) == 43


@openspiel
def test_known_results_of_fixed_bots():
    """Lanctot et al. 2023 (arXiv 2303.03196) and OpenSpiel's own tests: exact where neither bot draws."""
    results = {}
    for pair in (("copybot", "rockbot"), ("rotatebot", "copybot"), ("greenberg", "rockbot"), ("randbot", "pibot")):
        [episode] = arena.play("rock-paper-scissors:rounds=200", [f"openspiel:{bot}" for bot in pair])
        results[pair] = episode.payoffs[0]
    assert results["copybot", "rockbot"] == 200
    assert results["rotatebot", "copybot"] == -1
    assert results["greenberg", "rockbot"] > 180  # and the process lives, though the match is short
    assert abs(results["randbot", "pibot"]) < 5 * (200 * 2 / 3) ** 0.5


@openspiel
def test_a_match_does_not_depend_on_the_others():
    bots = ["openspiel:iocainebot", "openspiel:shofar"]
    runs = [arena.play("rock-paper-scissors:rounds=30", bots, matches=4, seed=5, live=live) for live in (1, 4)]
    assert [e.payoffs for e in runs[0]] == [e.payoffs for e in runs[1]]
    lines = {tuple(t.move for t in e.turns) for e in runs[0]}
    assert len(lines) == 4  # each match has its own noise


@openspiel
def test_bots_and_games_of_openspiel_are_told_apart():
    words = ["openspiel:kuhn_poker", "openspiel:greenberg", "random"]
    config = read_config({"words": words, "config": ""} | {"json": False})
    assert list(config.games) == words[:1]
    assert list(config.entrants) == words[1:]


@openspiel
def test_what_openspiels_bots_play():
    bot = policies.make("openspiel:rockbot")
    assert bot.kind == "hosted"
    assert bot.check(games.make("rock-paper-scissors")) == ""
    assert "rock-paper-scissors" in bot.check(games.make("kuhn-poker"))
    with pytest.raises(UnknownName, match='did you mean "rockbot"'):
        policies.make("openspiel:rokbot")


@pytest.mark.parametrize("library", ["axelrod", "openspiel"])
def test_a_missing_library_is_named_with_its_install_line(monkeypatch, library):
    monkeypatch.setattr(f"policies.{library}.find_spec", lambda name: None)
    with pytest.raises(MissingExtra, match=re.escape(f"pip install 'selfplay-arena[{library}]'")):
        policies.make(f"{library}:any")


# Axelrod 4.14.0: mean payoff per round against the eleven others, matches of 10 and of 200 rounds.
STRATEGIES = {
    "Alternator": (2.567, 2.369),
    "TitForTat": (2.563, 2.487),
    "Grudger": (2.538, 2.463),
    "ZDGTFT2": (2.534, 2.542),
    "GTFT": (2.505, 2.522),
    "ZDExtort2": (2.489, 1.952),
    "TitFor2Tats": (2.472, 2.413),
    "WinStayLoseShift": (2.448, 2.428),
    "SuspiciousTitForTat": (2.379, 2.213),
    "Cooperator": (2.372, 2.387),
    "Random": (2.370, 2.212),
    "Defector": (2.367, 2.124),
}
PAIRS = {
    ("Defector", "TitForTat"): (1.4, 0.9),
    ("Defector", "WinStayLoseShift"): (3.0, 0.5),
    ("Defector", "Cooperator"): (5.0, 0.0),
    ("Defector", "TitFor2Tats"): (1.8, 0.8),
    ("TitForTat", "SuspiciousTitForTat"): (2.5, 2.5),
    ("Grudger", "SuspiciousTitForTat"): (1.3, 1.3),
    ("WinStayLoseShift", "SuspiciousTitForTat"): (1.8, 2.3),
}


@axelrod
@pytest.mark.parametrize(("rounds", "deals", "column"), [(10, 6, 0), (200, 2, 1)])
def test_twelve_axelrod_strategies_earn_what_the_library_says(rounds, deals, column):
    names = {name: f"axelrod:{name}" for name in STRATEGIES}
    store = arena.tournament(f"prisoners-dilemma:rounds={rounds}", names, deals=deals, live=512)
    earned = defaultdict(list)
    for match in store.matches():
        for own, other, payoff in zip(match.entrants, match.entrants[::-1], match.payoffs, strict=True):
            earned[own, other].append(payoff / rounds)
    if rounds == 10:
        for (one, other), (first, second) in PAIRS.items():
            assert set(np.round(earned[one, other], 9)) == {first}
            assert set(np.round(earned[other, one], 9)) == {second}
    for name, wanted in STRATEGIES.items():
        cells = [earned[name, other] for other in STRATEGIES if other != name]
        error = sum(np.var(cell, ddof=1) / len(cell) for cell in cells) ** 0.5 / len(cells)
        assert abs(np.mean([np.mean(cell) for cell in cells]) - wanted[column]) < 5 * error + 0.01, name


@axelrod
def test_every_strategy_of_the_library_plays():
    names = _bots.worker("axelrod").names()
    assert len(names) > 200
    assert "Darwin" not in names
    quick = [name for name in names if not name.startswith(("Meta", "NMWE", "NiceMeta", "DBS", "EvolvedAttention"))]
    for name, opponent in itertools.product(quick, ["random"]):
        [episode] = arena.play("prisoners-dilemma:rounds=4", [policies.make(f"axelrod:{name}"), opponent])
        assert episode.ending == "finished", name


@axelrod
def test_bad_axelrod_names():
    with pytest.raises(UnknownName, match='did you mean "TitForTat"'):
        policies.make("axelrod:TitForTa")
    with pytest.raises(BadOption, match="axelrod:Gradual"):
        policies.make("axelrod:")
    assert "prisoners-dilemma" in policies.make("axelrod:Gradual").check(games.make("chicken"))
