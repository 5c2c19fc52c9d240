"""Matches on Ray's workers: the results of one process, also where a worker or a whole node dies meanwhile."""

from __future__ import annotations

import os
import signal
import sys
import warnings
from collections.abc import Iterator

import pytest

import arena
import arena.workers
from arena.cluster import load_ray
from games import ArenaError, MissingExtra, UsageError
from policies import Script

pytest.importorskip("ray", reason="pip install 'selfplay-arena[ray]'")
pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning")
SEARCH = ("tic-tac-toe", ["mcts:50", "mcts:25"])


@pytest.fixture(name="cluster", scope="module")
def one_node_of_one_processor() -> Iterator:
    """Ray's own cluster of several nodes on one machine; the tests add a second one."""
    ray = load_ray()
    from ray.cluster_utils import Cluster

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        head = {"num_cpus": 1, "include_dashboard": False}
        cluster = Cluster(initialize_head=True, connect=False, head_node_args=head)
        ray.init(address=cluster.address, log_to_driver=False, logging_level="ERROR")
        yield cluster
        ray.shutdown()
        cluster.shutdown()


@pytest.fixture(name="workers")
def what_the_tournament_used(monkeypatch) -> list[arena.workers.Workers]:
    """The workers of the tournaments of a test, with tasks so short that many are under way."""
    made: list[arena.workers.Workers] = []

    class Seen(arena.workers.Workers):
        def __call__(self, matches):
            made.append(self)
            return super().__call__(matches)

    monkeypatch.setattr(arena.workers, "Workers", Seen)
    monkeypatch.setattr(arena.workers, "SECONDS", 0.1)
    return made


def rows(store: arena.Store) -> list[tuple]:
    """Every seat, and every reply; the seconds that it took aside."""
    seats = [(s.match, s.deal, s.seat, s.entrant, s.payoff, s.turns, s.illegal, s.measures) for s in store.seats()]
    return seats + [tuple(t.reply for t in store.episode(m.id).turns) for m in store.matches()]


@pytest.mark.parametrize(
    ("games", "entrants", "options"),
    [
        ("kuhn-poker", ["nash", "tight", "c=cfr:20", "shaky=noisy:0.3:tight", "random"], {"deals": 20, "seed": 3}),
        (["trust-and-split:rounds=3", "prisoners-dilemma"], ["random", "llm:tiny"], {"deals": 2}),
        ("kuhn-poker", ["tight", "random", "loose=noisy:0.5:tight"], {"schedule": "active", "deals": 10}),
    ],
)
def test_results_are_those_of_one_process(cluster, workers, games, entrants, options):
    with (
        arena.tournament(games, entrants, **options) as here,
        arena.tournament(games, entrants, **options, workers="ray") as there,
    ):
        assert rows(there) == rows(here)


def test_a_node_that_dies_costs_only_what_was_unfinished_there(cluster, workers, tmp_path):
    node = cluster.add_node(num_cpus=1)
    name, killed_at = node.node_id, 0

    def kill(episodes, total, before):
        nonlocal killed_at
        for number, episode in enumerate(episodes, 1):
            if not killed_at and workers[0].places[name]:
                cluster.remove_node(node, allow_graceful=False)
                killed_at = number
            yield episode

    with (
        arena.tournament(*SEARCH, deals=40) as undisturbed,
        arena.tournament(*SEARCH, deals=40, workers="ray", watch=kill, store=tmp_path / "t.sqlite") as store,
    ):
        assert 0 < killed_at < 120
        assert len(workers[0].places) == 2
        assert rows(store) == rows(undisturbed)


def test_a_worker_that_dies_is_replaced(cluster, workers, tmp_path):
    class Fragile(Script):
        """Takes its process down, once."""

        def decide(self, turn):
            flag = tmp_path / "died"
            if turn.match == 7 and not flag.exists():
                flag.touch()
                os.kill(os.getpid(), signal.SIGKILL)
            return turn.moves.texts[turn.match % len(turn.moves.texts)]

    by_value()
    with arena.tournament("prisoners-dilemma", {"fragile": Fragile()}, deals=12, workers="ray") as store:
        assert (tmp_path / "died").exists()
        assert sorted(store.finished()) == list(range(1, 13))


def test_what_fails_in_a_player_is_the_error_that_it_was(cluster, workers):
    class Broken(Script):
        def decide(self, turn):
            raise ArenaError("the player is out of order")

    by_value()
    with pytest.raises(ArenaError, match=r"^the player is out of order$"):
        arena.tournament("prisoners-dilemma", {"broken": Broken()}, deals=1, workers="ray")


def by_value() -> None:
    """Workers can't import this file, so that its classes must travel whole."""
    from ray import cloudpickle

    cloudpickle.register_pickle_by_value(sys.modules[__name__])


def test_people_and_unknown_words_are_refused_before_anything_is_played(tmp_path):
    with pytest.raises(UsageError, match="sits at this terminal"):
        arena.tournament("kuhn-poker", ["human", "random"], workers="ray", store=tmp_path / "t.sqlite")
    with pytest.raises(UsageError, match='workers="dask" is unknown; give ray'):
        arena.tournament("kuhn-poker", ["random"], workers="dask", store=tmp_path / "t.sqlite")
    assert not list(tmp_path.iterdir())


def test_without_the_extra_the_pip_line_is_said(monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(MissingExtra, match=r"pip install 'selfplay-arena\[ray\]'"):
        arena.tournament("kuhn-poker", ["random"], workers="ray")
