"""The population benchmark: who belongs to it, its figures by hand, resuming, and the command."""

from __future__ import annotations

import json

import numpy as np
import pytest

from arena.cli import main
from arena.commands.rps_population import cautions, published, report, standing
from arena.populations import Returns, members, score
from arena.store import Store
from games import UsageError
from policies.openspiel import BOTS
from policies.rps import POPULATION

SMALL = ("copybot", "rockbot", "rotatebot")


def test_populations_and_their_parts():
    assert members() == tuple(sorted(POPULATION))
    train, test = members("train"), members("test")
    assert (len(train), len(test)) == (33, 10)
    assert sorted(train + test) == sorted(POPULATION)
    assert members("test", 1) not in (test, members("test", 2))
    assert members("test") == test
    assert members("originals") == tuple(sorted(f"openspiel:{bot}" for bot in BOTS))
    assert set(members("originals-train")) | set(members("originals-test")) == set(members("originals"))
    with pytest.raises(UsageError, match="originals-train"):
        members("half")


def test_figures_by_hand():
    """Rock loses every throw to copybot, draws with itself, and with the rotation over thirty throws."""
    returns = score(["rockbot"], SMALL, throws=30, matches=4)
    assert returns.returns.shape == (1, 3, 4)
    assert returns.mean.tolist() == [[-30, 0, 0]]
    (card,) = report(returns)
    assert card.population_return == pytest.approx(-10)
    assert (card.exploitability, card.nemesis) == (30, "copybot")
    assert card.aggregate == pytest.approx(-40)
    assert (card.return_error, card.aggregate_error, card.noise_bias) == pytest.approx((0, 0, 0))


def test_errors_by_hand():
    """Two members: returns 8, 12 (error 2) and -4, 0 (error 2), the second of them counted one and a half times."""
    (card,) = report(Returns(("a",), ("x", "y"), 1000, np.array([[[8.0, 12.0], [-4.0, 0.0]]])))
    assert (card.population_return, card.exploitability, card.nemesis) == (4, 2, "y")
    assert card.return_error == pytest.approx(np.sqrt(1 + 1))
    assert card.exploitability_error == pytest.approx(2)
    assert card.aggregate_error == pytest.approx(np.sqrt(1**2 + 3**2))
    assert card.noise_bias == 0  # y is the nemesis whichever match chooses
    assert card.corrected == card.aggregate + card.noise_bias


def test_the_maximum_of_noise_is_corrected():
    """A uniform player is worth nothing to anybody; the greatest of 43 noisy means says otherwise (2.19 deviations)."""
    noise = np.random.default_rng(0).normal(0, 20, (60, 43, 4))
    cards = report(Returns(tuple(map(str, range(60))), tuple(map(str, range(43))), 1000, noise))
    bias = np.mean([card.exploitability for card in cards])
    assert bias == pytest.approx(2.19 * 20 / 2, abs=1.5)
    assert np.mean([card.noise_bias for card in cards]) == pytest.approx(bias, abs=2.5)


def test_one_match_gives_no_errors():
    (card,) = report(score(["rockbot"], SMALL, throws=3, matches=1))
    assert np.isnan([card.return_error, card.noise_bias]).all()
    assert card.corrected == card.aggregate


def test_any_policy_is_scored_and_a_stopped_run_goes_on(tmp_path):
    """A plain script goes through the turn loop, array bots through blocks; the figures don't depend on either."""
    entrants, path = ["random", "nash"], tmp_path / "arena.sqlite"
    options = {"throws": 12, "matches": 3, "seed": 5}
    whole = score(entrants, SMALL, **options)

    def stop(played, total, before):
        assert (total, before) == (18, 0)
        for count, match in enumerate(played):
            if count == 5:
                return
            yield match

    part = score(entrants, SMALL, store=path, watch=stop, **options)
    assert np.isnan(part.returns).any()
    with Store(path) as store:
        assert 0 < len(store) < 18
    resumed = score(entrants, SMALL, store=path, **options)
    assert (resumed.returns == whole.returns).all()
    with Store(path) as store:
        assert store.episode(1).match.entrants == ("random", "copybot")
        assert store.episode(7).match.entrants == ("copybot", "random")  # the second deal: seats change
    with pytest.raises(UsageError, match="matches"):
        score(entrants, SMALL, **{**options, "matches": 4}, store=path)


def test_who_is_both_entrant_and_member_plays_itself():
    returns = score(["rockbot", "mine=rockbot"], SMALL, throws=5, matches=2)
    assert returns.entrants == ("rockbot", "mine")
    assert (returns.returns[0] == returns.returns[1]).all()


@pytest.mark.parametrize(
    ("entrants", "options", "words"),
    [
        (["rockbot=random"], {}, "another name"),
        (["rockbot"], {"matches": 0}, "1 or more"),
        (["rockbot"], {"throws": 0}, "rounds=0"),
        (["tit-for-tat"], {}, "can't play"),
        (["rockbit"], {}, "rockbot"),
    ],
)
def test_what_is_refused(entrants, options, words):
    with pytest.raises(UsageError, match=words):
        score(entrants, SMALL, **options)


def test_published_entries_and_standing():
    entries = published()["entries"]
    assert len(entries) == 46
    assert [entry["aggregate"] for entry in entries] == sorted((e["aggregate"] for e in entries), reverse=True)
    figures = {entry["name"]: entry["aggregate"] for entry in entries}
    assert figures["greenberg"] == 284.5
    assert figures["Chinchilla 70B"] == 155.2
    assert set(BOTS) < set(figures)
    assert "place 1 " in standing(300)
    assert "below iocainebot (250.0), above PopRL (247.0)" in standing(249)
    assert "below antiflatbot" in standing(-2000)


def test_lengths_and_populations_are_not_compared_silently():
    assert cautions(1000, "originals") == []
    assert "don't compare" in cautions(100, "originals")[0]
    assert "43 original bots" in cautions(1000, "all")[0]


def test_the_command(capsys):
    words = ["tournament", "rps-population", "--entrant", "rotatebot", "--population", "test", "--matches", "2"]
    assert main([*words, "--throws", "20", "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    (scored,) = said["scores"]
    assert set(scored["against"]) == set(members("test"))
    assert scored["standing"] is None
    assert "don't compare" in said["notes"][0]
    assert main([*words, "--throws", "20"]) == 0
    shown = capsys.readouterr().out
    assert "rotatebot against each" in shown
    assert "note: matches of 20 throws" in shown


def test_the_command_refuses_in_a_line(capsys):
    assert main(["tournament", "rps-population"]) == 2
    assert "--entrant" in capsys.readouterr().err
    assert main(["tournament", "rps-population", "--entrant", "rockbit"]) == 2
    assert main(["tournament", "rps-population", "--help-me"]) == 2
