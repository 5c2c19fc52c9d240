"""OpenSpiel's games as ours: played to the end, conforming, chance from our streams, errors that help."""

from __future__ import annotations

import sys
from collections import Counter

import pytest

import arena
import games
import policies
from games import BadOption, IllegalMove, MissingExtra, Stream, UnknownName, conformance, exact
from games.hosts import _spiel
from games.stream import CHANCE, NoChance

pytest.importorskip("pyspiel")

PLAYED = [
    "tic_tac_toe",
    "kuhn_poker",
    "goofspiel(players=3,num_cards=4)",
    "liars_dice",
    "tiny_hanabi",
    "first_sealed_auction",
    "negotiation",
    "pig(winscore=15)",
    "repeated_game(stage_game=matrix_rps(),num_repetitions=5)",
    "blackjack",
    "chess",
]


@pytest.mark.parametrize("string", PLAYED)
def test_random_plays_it_to_the_end(string):
    game = games.make(f"openspiel:{string}")
    episodes = arena.play(game, ["random"] * game.seats, matches=2)
    assert [e.ending for e in episodes] == ["finished"] * 2
    low, high = game.info.payoff_bounds
    assert all(low <= payoff <= high for e in episodes for payoff in e.payoffs)
    assert not any(turn.illegal for e in episodes for turn in e.turns)


@pytest.mark.parametrize("string", [*PLAYED[:6], "pig(winscore=8)", "coin_game(episode_length=4)"])
def test_it_conforms(string):
    conformance.check(f"openspiel:{string}", matches_played=3)


def test_what_is_known_of_a_game():
    kuhn = games.make("openspiel:kuhn_poker").info
    assert (kuhn.kind, kuhn.zero_sum, kuhn.moves, kuhn.payoff_bounds) == ("competitive", True, ("Pass", "Bet"), (-2, 2))
    assert not kuhn.perfect_information
    assert not kuhn.deterministic
    assert games.make("openspiel:tiny_hanabi").info.kind == "cooperative"
    dilemma = games.make("openspiel:matrix_pd").info
    assert (dilemma.kind, dilemma.simultaneous, dilemma.deterministic) == ("mixed", True, True)
    assert games.make("openspiel:tic_tac_toe").info.perfect_information
    assert games.make("openspiel:goofspiel", players=3, num_cards=4).spec == f"openspiel:{PLAYED[2]}"


def test_exact_values_are_openspiels_own():
    game = games.make("openspiel:kuhn_poker")
    assert len(list(game.starts())) == 6
    assert exact.nash_conv(game, exact.uniform(game)) == pytest.approx(11 / 12)
    leduc = games.make("openspiel:leduc_poker(suit_isomorphism=True)")
    assert exact.nash_conv(leduc, exact.uniform(leduc)) == pytest.approx(4.747222222222222, abs=1e-9)


def test_search_and_equilibrium_play_there():
    [lost] = arena.play("openspiel:tic_tac_toe", ["random", "mcts:60"], seed=3)
    assert lost.payoffs == (-1, 1)
    assert policies.make("cfr:10").check(games.make("openspiel:kuhn_poker")) == ""
    [episode] = arena.play("openspiel:kuhn_poker", ["cfr:50", "best-response:cfr:50"])
    assert episode.ending == "finished"


def test_chance_comes_from_our_streams():
    game = games.make("openspiel:kuhn_poker")
    deals = Counter(game.start(Stream(0, CHANCE, deal, 0)).steps for deal in range(1200))
    assert len(deals) == 6
    assert all(abs(n - 200) < 5 * (200 * 5 / 6) ** 0.5 for n in deals.values())
    assert game.start(Stream(0, CHANCE, 5, 0)) == game.start(Stream(0, CHANCE, 5, 0))


def test_games_that_draw_for_themselves_get_our_seed():
    game = games.make("openspiel:negotiation")
    starts = [game.start(Stream(0, CHANCE, deal, 0)) for deal in range(6)]
    assert len({start.seed for start in starts}) == 6
    seen = [game.observe(start, 0).text for start in starts]
    assert len(set(seen)) > 1
    _spiel_kept = sys.modules["games.hosts.openspiel"]._KEPT
    _spiel_kept._lives.clear()
    assert [game.observe(start, 0).text for start in starts] == seen
    with pytest.raises(RuntimeError, match="draws for itself"):
        list(game.starts())


def test_what_a_seat_reads():
    board = games.make("openspiel:tic_tac_toe")
    state, _ = board.play(board.start(NoChance()), ("x(1,1)",), NoChance())
    assert board.observe(state, 1).text.startswith("Player 0: x(1,1)\n...\n.x.\n...\nLegal moves: o(0,0), o(0,1)")
    assert board.observe(state, 0).text == "...\n.x.\n..."
    kuhn = games.make("openspiel:kuhn_poker")
    first, other = (next(s for p, s in kuhn.starts() if s.steps == steps) for steps in ((2, 0), (2, 1)))
    assert kuhn.observe(first, 0) == kuhn.observe(other, 0)
    assert kuhn.key(first, 0) == kuhn.key(other, 0)
    assert kuhn.observe(first, 1) != kuhn.observe(other, 1)
    assert kuhn.observe(first, 0).text == "2\nLegal moves: Pass, Bet"


def test_moves_go_by_name():
    game = games.make("openspiel:kuhn_poker")
    state = game.start(Stream(0))
    assert game.parse(state, 0, "I bet.") == "Bet"
    with pytest.raises(IllegalMove, match="Pass, Bet"):
        game.parse(state, 0, "fold")
    assert game.forfeit(state, (0,)) == (-2, 2)


def test_names_that_read_alike_carry_their_number():
    class Two:
        def legal_actions(self, seat):
            return [3, 4, 5, 6]

        def action_to_string(self, seat, action):
            return {3: "Go", 4: "go.", 5: "stay  here\n", 6: "?"}[action]

    assert _spiel.legal(Two(), 0) == {"Go #3": 3, "go. #4": 4, "stay here": 5, "? #6": 6}


def test_rewards_on_the_way_add_up_to_the_returns():
    game = games.make(f"openspiel:{PLAYED[8]}")
    [episode] = arena.play(game, ["random", "random"], seed=4)
    assert any(any(r) for r in episode.rewards[:-1])
    assert episode.payoffs[0] == -episode.payoffs[1]


@pytest.mark.parametrize(
    ("string", "error", "message"),
    [
        ("kuhn_pokr", UnknownName, 'did you mean "kuhn_poker"'),
        ("goofspiel(cards=3)", BadOption, "Available parameters are: .*num_cards"),
        ("mfg_garnet", BadOption, "mean-field"),
        ("crossword", BadOption, "can't be hosted"),
    ],
)
def test_bad_strings(string, error, message):
    with pytest.raises(error, match=message):
        games.make(f"openspiel:{string}")


def test_without_openspiel_the_install_line_is_shown(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    with pytest.raises(MissingExtra, match=r"pip install 'selfplay-arena\[openspiel\]'"):
        games.make("openspiel:breakthrough(rows=6)")
