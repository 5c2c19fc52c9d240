"""Every game as a PettingZoo environment, through PettingZoo's own tests and longer ones of ours."""

from __future__ import annotations

import pickle
import subprocess
import sys
import warnings
from types import SimpleNamespace
from typing import Any

import numpy as np
import pettingzoo
import pytest
from gymnasium.utils.env_checker import data_equivalence

import games
from games.conformance import playthrough
from games.errors import BadOption, UnknownName
from games.pettingzoo import aec_env, parallel_env

with warnings.catch_warnings():  # it imports one of its own environments in a way it deprecates
    warnings.simplefilter("ignore", DeprecationWarning)
    import pettingzoo.test

pytestmark = [
    # what PettingZoo warns of in every environment whose observations are not bare arrays, and after a match's end
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),
    pytest.mark.filterwarnings("ignore:(Observation|Action) space for each agent probably should be"),
    pytest.mark.filterwarnings("ignore:Action mask numpy array is all zeros"),
]

NAMES = games.names()


def all_move_at_once(name: str) -> bool:
    """Whether all seats move in four ticks or more, and may play anything, as ``max_cycles_test`` takes for granted."""
    game = games.make(name)
    if game.info.free is not None:
        return False
    matches = [playthrough(game, seed).steps for seed in range(5)]
    return all(len(steps) >= 4 and all(_anything_goes(game, step) for step in steps) for steps in matches)


def _anything_goes(game: Any, step: Any) -> bool:
    legal = [game.moves(step.state, seat).texts for seat in step.movers]
    return len(legal) == game.seats and all(set(texts) == set(game.info.moves) for texts in legal)


ALL_AT_ONCE = [name for name in NAMES if all_move_at_once(name)]


@pytest.mark.parametrize("name", NAMES)
def test_api(name: str) -> None:
    pettingzoo.test.api_test(aec_env(name), num_cycles=100)


@pytest.mark.parametrize("name", NAMES)
def test_parallel_api(name: str) -> None:
    pettingzoo.test.parallel_api_test(parallel_env(name), num_cycles=100)


@pytest.mark.parametrize("name", NAMES)
def test_seed(name: str) -> None:
    pettingzoo.test.seed_test(lambda: aec_env(name), num_cycles=100)


@pytest.mark.parametrize("name", NAMES)
def test_parallel_seed(name: str) -> None:
    pettingzoo.test.parallel_seed_test(lambda: parallel_env(name), num_cycles=100)


@pytest.mark.parametrize("name", NAMES)
def test_render(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    pettingzoo.test.render_test(lambda **options: aec_env(name, **options))
    assert capsys.readouterr().out.strip()


@pytest.mark.parametrize("name", ALL_AT_ONCE)
def test_max_cycles(name: str) -> None:
    module = SimpleNamespace(
        env=lambda **options: aec_env(name, **options), parallel_env=lambda **options: parallel_env(name, **options)
    )
    pettingzoo.test.max_cycles_test(module)


def test_max_cycles_is_tested_somewhere() -> None:
    assert "prisoners-dilemma" in ALL_AT_ONCE


def sampled(env: Any, agent: str, observation: dict[str, Any]) -> Any:
    mask = observation.get("action_mask")
    if mask is None:
        return env.action_space(agent).sample()
    return env.action_space(agent).sample(mask) if mask.any() else 0


def parallel_record(name: str, seed: int, episodes: int = 3) -> list[Any]:
    """Whole episodes, the second and later ones going on with the stream, as all that an agent gets to see."""
    env, seen = parallel_env(name), []
    for episode in range(episodes):
        observations, infos = env.reset(seed if episode == 0 else None)
        for place, agent in enumerate(env.agents):
            env.action_space(agent).seed(seed + place + 10 * episode)
        seen.append((observations, infos))
        while env.agents:
            actions = {agent: sampled(env, agent, observations[agent]) for agent in env.agents}
            step = env.step(actions)
            observations = step[0]
            seen.append((actions, step))
    return seen


@pytest.mark.parametrize("name", NAMES)
def test_whole_parallel_episodes_repeat_with_their_seed(name: str) -> None:
    assert data_equivalence(parallel_record(name, 5), parallel_record(name, 5))


def test_seeds_matter_and_reset_without_seed_goes_on() -> None:
    def hands(seed: int | None, count: int) -> list[str]:
        env = parallel_env("kuhn-poker")
        return [env.reset(seed if n == 0 else None)[0]["player_0"]["text"] for n in range(count)]

    assert hands(1, 20) == hands(1, 20)
    assert hands(1, 20) != hands(2, 20)
    assert len(set(hands(1, 20))) == 3


@pytest.mark.parametrize("name", NAMES)
def test_both_kinds_play_the_same_match(name: str) -> None:
    turns, at_once = aec_env(name), parallel_env(name)
    turns.reset(seed=3)
    observations, _ = at_once.reset(seed=3)
    for seat, agent in enumerate(at_once.agents):
        at_once.action_space(agent).seed(seat)
    while at_once.agents:
        actions: dict[str, Any] = {}
        for agent in [f"player_{seat}" for seat in at_once._movers]:
            assert turns.agent_selection == agent
            assert data_equivalence(turns.observe(agent), observations[agent])
            actions[agent] = sampled(at_once, agent, observations[agent])
            turns.step(actions[agent])
        observations, rewards, *_ = at_once.step(actions)
        assert turns.rewards == rewards
    assert all(turns.terminations.values())


def test_registered_by_name_and_version_with_options() -> None:
    for name in NAMES:
        env_id = f"arena/{name}-v{games.make(name).info.version}"
        assert pettingzoo.make("aec", env_id).game == games.make(name)
        assert pettingzoo.make("parallel", env_id).game == games.make(name)
    env = pettingzoo.make("aec", "arena/prisoners-dilemma-v0", rounds=3, max_cycles=2, render_mode="ansi")
    assert (env.game.spec, env.max_cycles, env.render_mode) == ("prisoners-dilemma:rounds=3", 2, "ansi")


LAZY = """
import sys, games
assert "pettingzoo" not in sys.modules and "gymnasium" not in sys.modules
import importlib.util
assert importlib.util.find_spec("pettingzoo").origin.endswith("__init__.py")
import pettingzoo
assert not any("games" in type(f).__module__ for f in sys.meta_path)
assert pettingzoo.__spec__.loader.get_filename("pettingzoo") == pettingzoo.__file__
assert "games.pettingzoo" not in sys.modules
env = pettingzoo.make("aec", "arena/kuhn-poker-v0")
env.reset(seed=0)
print(env.last()[0]["text"])
"""
EAGER = LAZY.replace("import sys, games\n", "import sys\n", 1).replace("import pettingzoo", "import pettingzoo, games")


@pytest.mark.parametrize("program", [LAZY, EAGER.replace('assert "pettingzoo" not', 'assert "games" not')])
def test_games_register_in_either_order_of_imports(program: str) -> None:
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.startswith("You hold the ")


def test_a_broken_game_file_does_not_break_the_import_of_pettingzoo(tmp_path: Any) -> None:
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "broken.py").write_text("import nothing_of_this_name\nGAME = 1\n")
    program = f"import sys; sys.path.append({str(tmp_path)!r}); import games, pettingzoo"
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert ran.returncode == 0
    assert 'game "broken" is not registered with PettingZoo: No module named' in ran.stderr


def test_illegal_action_forfeits_with_the_reason() -> None:
    env = aec_env("kuhn-poker")
    env.reset(seed=0)
    env.step(env.game.info.moves.index("call"))
    assert env.terminations == {"player_0": True, "player_1": True}
    assert "is not legal now; legal is" in env.infos["player_0"]["illegal"]
    assert env.infos["player_1"] == {}
    expected = games.make("kuhn-poker").forfeit(env._state, (0,))
    assert tuple(env.rewards.values()) == expected


@pytest.mark.parametrize("action", [99, -1, "bet", None, 1.0])
def test_what_is_no_action_forfeits_too(action: Any) -> None:
    env = parallel_env("kuhn-poker")
    env.reset(seed=0)
    _, _, terminations, _, infos = env.step({"player_0": action})
    assert terminations["player_0"]
    assert "legal is" in infos["player_0"]["illegal"]
    assert env.agents == []
    assert env.step({}) == ({}, {}, {}, {}, {})


def test_both_illegal_actions_of_a_tick_are_named() -> None:
    env = parallel_env("prisoners-dilemma")
    env.reset(seed=0)
    infos = env.step({"player_0": 7})[4]
    assert all("illegal" in infos[agent] for agent in ("player_0", "player_1"))


def test_a_message_that_is_too_long_is_silence_and_the_reason_stays_until_the_next_action() -> None:
    env = aec_env("trust-and-split")
    env.reset(seed=0)
    first = env.agent_selection
    env.step("x" * 501)
    assert "501 characters" in env.infos[first]["illegal"]
    assert "They say nothing." in env.last()[0]["text"]
    env.step("ok")
    assert "illegal" in env.infos[first]
    if env.agent_selection != first:
        env.step("5")
    env.step("5")
    assert "illegal" not in env.infos[first]


def test_masks_are_zero_off_turn_and_match_the_legal_moves_on_turn() -> None:
    env = parallel_env("kuhn-poker")
    observations, _ = env.reset(seed=0)
    moves = env.game.info.moves
    legal = {moves[i] for i in np.flatnonzero(observations["player_0"]["action_mask"])}
    assert legal == {"check", "bet"}
    assert not observations["player_1"]["action_mask"].any()


def test_free_text_observations_have_no_mask_anywhere() -> None:
    env = parallel_env("trust-and-split")
    observations, infos = env.reset(seed=0)
    assert all(set(sight) == {"text"} for sight in observations.values())
    assert all("action_mask" not in info for info in infos.values())
    assert env.observation_space("player_0").contains({"text": 'They say: "åßç 日本 <|x|> \n"'})
    assert env.action_space("player_0").contains("¿ 5 ?")
    assert not env.action_space("player_0").contains(5)


def test_simultaneous_moves_are_buffered_in_turn() -> None:
    env = aec_env("prisoners-dilemma", rounds=2)
    env.reset(seed=0)
    defect = env.game.info.moves.index("defect")
    before = env.observe("player_1")["text"]
    env.step(defect)
    assert env.agent_selection == "player_1"
    assert env.observe("player_1")["text"] == before, "the first move is not shown before the second is made"
    assert env.rewards == {"player_0": 0.0, "player_1": 0.0}
    env.step(1 - defect)
    assert env.rewards == {"player_0": 5.0, "player_1": 0.0}


def test_max_cycles_is_read_at_every_step_and_truncates() -> None:
    env = parallel_env("prisoners-dilemma")
    env.reset(seed=0)
    env.step({"player_0": 0, "player_1": 0})
    env.max_cycles = 2
    _, _, terminations, truncations, _ = env.step({"player_0": 0, "player_1": 0})
    assert (terminations, truncations) == (dict.fromkeys(terminations, False), dict.fromkeys(truncations, True))


def test_rendered_text_is_inert() -> None:
    env = aec_env("tic-tac-toe", render_mode="ansi")
    env.reset()
    env.game = SimpleNamespace(render=lambda state: "a\x1b[31m\nb")
    assert env.render() == "a\\x1b[31m\nb"


def test_environments_pickle_in_the_middle_of_a_match() -> None:
    env = aec_env("kuhn-poker")
    env.reset(seed=0)
    env.step(0)
    again = pickle.loads(pickle.dumps(env))
    assert data_equivalence(again.last()[0], env.last()[0])


def test_bad_arguments_are_named() -> None:
    with pytest.raises(BadOption, match="render_mode='rgb_array' is not allowed; give None, human or ansi"):
        aec_env("kuhn-poker", render_mode="rgb_array")
    with pytest.raises(BadOption, match="rounds: options go with a spec string"):
        aec_env(games.make("prisoners-dilemma"), rounds=3)
    with pytest.raises(UnknownName, match='did you mean "kuhn-poker"'):
        parallel_env("kuhn")
