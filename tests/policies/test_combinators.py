"""Relay, mix and noisy: who plays when, what is drawn from what, what the second of a relay has read, exact odds."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

import arena
import games
import policies
from arena.entrants import seat_entrants
from arena.exploitability import exploitability
from games import BadOption, Stream, UnknownName, UsageError, exact
from games.stream import POLICY
from policies import BasePolicy, Exchange, Reply
from policies.strategies import strategy

KUHN, DILEMMA = games.make("kuhn-poker"), games.make("prisoners-dilemma:rounds=6")


class Listener(BasePolicy):
    """Plays one move and keeps what it read."""

    kind = "llm"

    def __init__(self, name, move):
        self.name, self.move, self.read, self.forgot = name, move, [], []
        self.fingerprint = f"print-of-{name}"

    def act(self, turns):
        self.read += [(turn.match, turn.seat, turn.observation.text) for turn in turns]
        return [Reply(self.move, seconds=1.0) for _ in turns]

    def forget(self, matches):
        self.forgot += list(matches)


def moves(episode, seat):
    return "".join((turn.move or "?")[0] for turn in episode.turns if turn.seat == seat)


def turn(seed=0, match=0, seat=0, tick=0, game=DILEMMA):
    state = game.start(Stream(0))
    rng = Stream(seed, POLICY, match, seat, tick)
    return policies.Turn(game, match, seat, tick, game.observe(state, seat), game.moves(state, seat), rng)


def test_a_relay_hands_over_after_k_turns_of_the_seat():
    episodes = arena.play(DILEMMA, ["relay:2:always-cooperate,always-defect", "tit-for-tat"], matches=2)
    for episode in episodes:
        assert (moves(episode, 0), moves(episode, 1)) == ("ccdddd", "cccddd")
    # in Kuhn poker a seat's turns are not the ticks: the first seat's second turn comes at tick 2
    passed = arena.play(KUHN, ["relay:1:tight,always-call", "always-bet"], matches=20)
    assert {moves(e, 0) for e in passed} >= {"cc"}


def test_the_second_of_a_relay_is_caught_up():
    first, second = Listener("first", "cooperate"), Listener("second", "defect")
    population = seat_entrants({"a": first, "b": second, "r": "relay:2:a,b", "t": "tit-for-tat"})
    relay = population[2].policy
    [episode] = arena.play(DILEMMA, [relay, "tit-for-tat"])
    own = [t.observation for t in episode.turns if t.seat == 0]
    assert [text for *_, text in first.read] == own[:2]
    caught_up = f"{own[0]}\nYou answered: cooperate\n{own[1]}\nYou answered: cooperate\n{own[2]}"
    assert [text for *_, text in second.read] == [caught_up, *own[3:]]
    assert first.forgot == second.forgot == [0]
    assert relay.fingerprint == "print-of-first print-of-second"
    assert relay.kind == "llm"


def test_a_turn_asked_again_counts_once():
    relay = policies.make("relay:1:always-cooperate,always-defect")
    one = turn()
    assert [relay.act([one])[0].text for _ in range(3)] == ["cooperate"] * 3
    assert [relay.act([replace(one, tick=5)])[0].text for _ in range(3)] == ["defect"] * 3
    relay.forget([0])
    assert relay.act([replace(one, tick=9)])[0].text == "cooperate"


def test_a_mix_is_drawn_once_per_match_and_seat():
    spec = "mix:always-cooperate=0.7,always-defect=0.3"
    episodes = arena.play(DILEMMA, [spec, spec], matches=400)
    drawn = Counter(moves(e, seat) for e in episodes for seat in (0, 1))
    assert set(drawn) == {"cccccc", "dddddd"}
    assert abs(drawn["cccccc"] / 800 - 0.7) < 4 * (0.21 / 800) ** 0.5
    both = Counter((moves(e, 0)[0], moves(e, 1)[0]) for e in episodes)
    assert abs(both["c", "c"] / 400 - 0.49) < 4 * (0.25 / 400) ** 0.5  # the seats draw independently


def test_a_draw_does_not_depend_on_batches_ticks_or_memory():
    mix = policies.make("mix:always-cooperate=1,always-defect=1")
    turns = [turn(match=m, seat=s) for m in range(30) for s in (0, 1)]
    together = [reply.text for reply in mix.act(turns)]
    again = policies.make("mix:always-cooperate=1,always-defect=1")
    assert [again.act([turn(match=t.match, seat=t.seat, tick=3)])[0].text for t in turns] == together
    assert len(set(together)) == 2
    other_run = [mix.act([turn(seed=1, match=t.match, seat=t.seat)])[0].text for t in turns]
    assert other_run != together


def test_a_mix_in_a_mix_draws_independently():
    population = seat_entrants(["c=always-cooperate", "d=always-defect", "m=mix:c=1,d=1", "x=mix:m=1,d=1"])
    replies = population[3].policy.act([turn(match=m) for m in range(2000)])
    assert abs(sum(r.text == "cooperate" for r in replies) / 2000 - 0.25) < 4 * (0.1875 / 2000) ** 0.5


def test_a_mixs_exact_odds_hang_together():
    # of the parts two check, then fold or call, and one (weight 2) bets: having checked rules it out
    mix = policies.make("mix:tight=1,always-call=1,always-bet=2")
    odds = strategy(KUHN, mix)[0]
    assert odds["J|"] == {"check": pytest.approx(0.5), "bet": pytest.approx(0.5)}
    assert odds["J|check bet"] == {"call": pytest.approx(0.5), "fold": pytest.approx(0.5)}
    parts = [strategy(KUHN, policies.make(p)) for p in ("tight", "always-call", "always-bet")]
    other = exact.uniform(KUHN)
    expected = [exact.expected_payoffs(KUHN, [part[0], other])[0] for part in parts]
    assert exact.expected_payoffs(KUHN, [odds, other])[0] == pytest.approx(
        0.25 * expected[0] + 0.25 * expected[1] + 0.5 * expected[2]
    )


def test_mixed_equilibria_are_equilibria():
    # Kuhn's equilibria are a family with convex plans: a draw between two of them is one of them
    assert exploitability(KUHN, policies.make("mix:kuhn-nash:0=1,kuhn-nash:0.2=1")) < 1e-12


def test_noise_replaces_some_moves_and_asks_all_the_same():
    listener = Listener("l", "cooperate")
    noisy = seat_entrants({"l": listener, "n": "noisy:0.2:l"})[1].policy
    episodes = arena.play(DILEMMA, [noisy, "always-cooperate"], matches=300)
    played = "".join(moves(e, 0) for e in episodes)
    assert len(listener.read) == len(played) == 1800
    assert abs(played.count("d") / 1800 - 0.1) < 4 * (0.09 / 1800) ** 0.5  # half of the random moves change nothing
    assert episodes[0].turns[0].seconds == 1.0


def test_noise_leaves_the_parts_own_draws_alone():
    turns = [turn(match=m) for m in range(500)]
    plain = [r.text for r in policies.make("random").act([turn(match=m) for m in range(500)])]
    noisy = [r.text for r in policies.make("noisy:0.3:random").act(turns)]
    assert abs(sum(a != b for a, b in zip(plain, noisy, strict=True)) / 500 - 0.15) < 4 * (0.1275 / 500) ** 0.5
    assert abs(noisy.count("cooperate") / 500 - 0.5) < 4 * (0.25 / 500) ** 0.5


def test_exact_odds_of_noisy_and_relay():
    noisy = strategy(KUHN, policies.make("noisy:0.1:tight"))
    assert noisy[0]["K|"] == {"check": pytest.approx(0.05), "bet": pytest.approx(0.95)}
    relay = strategy(KUHN, policies.make("relay:1:tight,random"))
    assert relay[0]["J|"] == {"check": 1.0, "bet": 0.0}
    assert relay[0]["J|check bet"] == {"call": 0.5, "fold": 0.5}
    assert relay[1]["J|bet"] == {"fold": 1.0, "call": 0.0}
    # a mix as the second counts only the moves that it made itself
    mixed = strategy(KUHN, policies.make("relay:1:always-bet,best-response:random"))
    assert set(mixed[0]) == set(relay[0])


def test_the_past_of_the_second_begins_with_being_caught_up():
    first, later = turn(), turn(tick=1)
    exchanges = (
        Exchange("one", "cooperate", first),
        Exchange("two", "defect", replace(later, past=(Exchange("one", "cooperate", first),))),
    )
    relay = policies.make("relay:1:random,random")
    seen = relay._second(replace(turn(tick=2), past=exchanges))
    assert [e.observation for e in seen.past] == ["one\nYou answered: cooperate\ntwo"]
    assert seen.past[0].turn.past == ()
    assert seen.past[0].turn.observation.text.startswith("one\nYou answered: cooperate\n")


def test_names_come_before_specs_and_each_entrant_is_made_once():
    population = seat_entrants(["n=noisy:0:a", "a=random", "random=always-defect", "r=relay:1:random,a"])
    by_name = {entrant.name: entrant.policy for entrant in population}
    assert by_name["n"].parts == (by_name["a"],)
    assert by_name["r"].parts == (by_name["random"], by_name["a"])
    assert by_name["random"].name == "always-defect"


def test_entrants_made_of_themselves_are_refused():
    with pytest.raises(UsageError, match='"a" is made of itself: a of b of a'):
        seat_entrants(["a=noisy:0:b", "b=noisy:0:a"])


@pytest.mark.parametrize(
    ("spec", "error", "message"),
    [
        ("relay:0:a,b", BadOption, "write relay:K:A,B"),
        ("relay:2:random", BadOption, "write relay:K:A,B"),
        ("relay:2:random,mix:a=1,b=1", BadOption, "needs a name"),
        ("mix:random", BadOption, "write mix:A=P,B=Q"),
        ("mix:random=0.5,nash=-1", BadOption, "weights above 0"),
        ("mix:random=0.5,nash=inf", BadOption, "weights above 0"),
        ("noisy:1.5:random", BadOption, "P from 0 to 1"),
        ("noisy:random", BadOption, "P from 0 to 1"),
        ("noisy:0.5:randon", UnknownName, 'did you mean "random"'),
    ],
)
def test_bad_specs(spec, error, message):
    with pytest.raises(error, match=message):
        policies.make(spec)


def test_what_a_part_can_not_play_the_whole_can_not():
    with pytest.raises(UsageError, match='"tight" plays kuhn-poker'):
        arena.play(DILEMMA, ["noisy:0.1:tight", "random"])
