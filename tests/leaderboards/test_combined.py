"""One rating over several games, percentiles over them, and what is lost by working together."""

from __future__ import annotations

import numpy as np
import pytest

from leaderboards import TableError, bradley_terry, collect, combined, from_store


def games(store, *sizes):
    """For each game (name, matches, share won by a); a and b meet in both seats."""
    stores = []
    for name, matches, share in sizes:
        won = round(matches * share)
        plays = [(k, [("a", 1.0 if k < won else 0.0), ("b", 0.0 if k < won else 1.0)]) for k in range(matches)]
        stores.append(store(plays, game=name, kind="competitive"))
    return stores


def test_games_weigh_the_same_however_many_matches_they_had(store):
    found = combined(collect(*games(store, ("big", 1000, 0.75), ("small", 40, 0.25))))
    assert found.elo.tolist() == pytest.approx([1500, 1500], abs=0.5)
    assert found.matches.tolist() == [1040, 1040]
    assert found.names == ("a", "b")


def test_one_game_is_its_own_rating(store):
    (results,) = collect(*games(store, ("only", 60, 0.7)))
    found = combined([results])
    alone = bradley_terry(results.wins, names=results.entrants)
    np.testing.assert_allclose(found.elo, alone.elo, atol=1e-6)


def test_the_weights_are_worth_as_many_matches_as_such_a_sample(store):
    # Kish: (sum of weights)^2 / sum of squares = 2 * harmonic mean of 1000 and 40. Wald's half-width follows from it.
    two = combined(collect(*games(store, ("big", 1000, 0.5), ("small", 40, 0.5))), prior_sd=np.inf)
    effective = 2 * 2 / (1 / 1000 + 1 / 40)
    wald = bradley_terry([[0, effective / 2], [effective / 2, 0]], prior_sd=np.inf)
    assert two.half[0] >= wald.half[0] / 2 - 1e-6
    assert two.half[0] == pytest.approx(wald.half[0], rel=0.35)


def test_who_played_little_is_marked_by_matches_really_played(store):
    plays = [(0, [("c", 1.0), ("a", 0.0)])] * 3
    stores = [*games(store, ("big", 100, 0.5)), store(plays, game="rare", kind="competitive")]
    found = combined(collect(*stores))
    assert dict(zip(found.names, found.marks, strict=True))["c"] == ("prior-bound", "preliminary")
    assert dict(zip(found.names, found.matches.tolist(), strict=True)) == {"a": 103, "b": 100, "c": 3}


def test_nothing_to_rate_is_an_error(store):
    with pytest.raises(TableError, match="two different entrants"):
        combined(collect(store([(0, [("a", 1.0), ("a", 0.0)])])))


def test_a_board_of_several_games_has_one_over_all(store, poker, dilemma):
    board = from_store(
        store(poker(), game="kuhn-poker", kind="competitive"),
        store(poker(seed=1), game="leduc-poker", kind="competitive"),
        store([(0, [("strong", 3.0), ("hawk", 5.0)])]),
    )
    overall = board.overall
    assert overall is not None
    assert overall.games == ("kuhn-poker", "leduc-poker", "prisoners-dilemma")
    assert overall.rated == ("kuhn-poker", "leduc-poker")
    lines = {line.entrant: line for line in overall.standings}
    assert lines["strong"].ranks == (1, 1, 2)
    assert lines["strong"].percentile == pytest.approx((100 + 100 + 0) / 3)
    assert lines["hawk"].participation == pytest.approx(1 / 3)
    assert np.isnan(lines["hawk"].elo)
    assert lines["strong"].elo > lines["medium"].elo > lines["weak"].elo
    assert [line.rank for line in overall.standings] == [1, 2, 3, 4]
    assert board.to_json()["overall"]["standings"][0]["entrant"] == "hawk"
    assert from_store(store(dilemma())).overall is None


def test_playing_alone_and_together_gives_the_collaboration_gap(store):
    alone = [(deal, [(name, payoff)]) for deal in range(4) for name, payoff in (("able", 1.0), ("poor", 0.25))]
    together = [(deal, [(a, 0.5), (b, 0.5)]) for deal in range(4) for a in ("able", "poor") for b in ("able", "poor")]
    board = from_store(
        store(alone, game="maze:solo=true", kind="cooperative", rounds=4),
        store(together, game="maze", kind="cooperative", rounds=9),
    )
    solo, paired = board.sections
    assert solo.collaboration_gap == {}
    assert paired.collaboration_gap == {"able": 0.5, "poor": -0.25}
    assert any("able 0.50, poor -0.25" in sentence for sentence in paired.caption)
    assert solo.standings[0].payoff == pytest.approx(0.25)  # 1.0 in four rounds: a game for one has payoffs too
