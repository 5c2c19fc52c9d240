"""TextArena's environments while they run: what each seat read, and a global random state lent to them.

They draw from Python's and numpy's global generators and seed the former. So an environment has a state of its own for
both, which is put in place for the time of a call, and the arena's is put back after it.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from games.game import Rewards

GAME = "Game"
"""Who speaks where no seat does."""


class Live:
    """An environment in progress.

    Args:
        env: without TextArena's wrappers.
        seats: how many play.
        brackets: whether an action without brackets is put into some, as TextArena does for this game.
    """

    def __init__(self, env: Any, seats: int, brackets: bool) -> None:
        self.env, self.seats, self.brackets = env, seats, brackets
        self.done = False
        self.inbox: list[tuple[str, ...]] = [()] * seats
        """For each seat, the messages since it last moved."""
        self.read: list[tuple[str, ...]] = [()] * seats
        """For each seat, the texts it read when it moved and its moves, in turn."""
        self._random: Any = None
        self._numpy: Any = None

    def begin(self, seed: int) -> None:
        """Reset."""
        with self._own_chance(seed):
            self.env.reset(num_players=self.seats, seed=seed)
            self._collect()

    def movers(self) -> tuple[int, ...]:
        """The seat that must move now."""
        return () if self.done else (int(self.env.state.current_player_id),)

    def step(self, move: str) -> Rewards:
        """The seat's action; payoffs come with the last one."""
        (seat,) = self.movers()
        self.read[seat] = (*self.read[seat], self.text(seat), move)
        self.inbox[seat] = ()
        bare = self.brackets and "[" not in move and "]" not in move
        with self._own_chance():
            self.done, _ = self.env.step(f"[{move}]" if bare else move)
            self._collect()
        if not self.done:
            return (0.0,) * self.seats
        rewards = self.env.state.rewards or {}
        return tuple(float(rewards.get(pid, 0.0)) for pid in range(self.seats))

    def text(self, seat: int) -> str:
        """What is new to a seat, and whether it must move."""
        asked = "The game is over." if self.done else "Your turn." if seat in self.movers() else "Wait."
        return "\n".join([*self.inbox[seat], asked])

    def _collect(self) -> None:
        """Empty the environment's boxes into ours; what a seat said itself is no news to it."""
        boxes = self.env.state.observations
        if not self.done:
            seat, messages = self.env.get_observation()
            self._deliver(int(seat), messages)
        for seat in range(self.seats):
            self._deliver(seat, boxes.get(seat) or ())
            boxes[seat] = []

    def _deliver(self, seat: int, messages: Any) -> None:
        if isinstance(messages, str):
            messages = [(-1, messages)]
        told = [f"{self._speaker(sender)}: {text}" for sender, text, *_ in messages if sender != seat]
        self.inbox[seat] = (*self.inbox[seat], *told)

    def _speaker(self, sender: int) -> str:
        return GAME if sender < 0 else str(self.env.state.role_mapping.get(sender, f"Player {sender}"))

    @contextmanager
    def _own_chance(self, seed: int | None = None) -> Iterator[None]:
        with chance_kept():
            if seed is None:
                random.setstate(self._random)
                np.random.set_state(self._numpy)
            else:
                random.seed(seed)
                np.random.seed(seed)
            yield
            self._random, self._numpy = random.getstate(), np.random.get_state()


@contextmanager
def chance_kept() -> Iterator[None]:
    """Whatever is drawn or seeded meanwhile, the global random state is the same afterwards."""
    before = random.getstate(), np.random.get_state()
    try:
        yield
    finally:
        random.setstate(before[0])
        np.random.set_state(before[1])
