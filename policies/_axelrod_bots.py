"""Strategies of the Axelrod library as players (imported in the bots' process alone)."""

from __future__ import annotations

from typing import Any

import axelrod

from policies._bot_server import Question

ACTIONS = (axelrod.Action.C, axelrod.Action.D)
"""Move 0 cooperates, 1 defects."""


class Strategy:
    """A strategy and a stand-in for its opponent, whose history grows as the strategy's own does.

    As in the library's matches: the strategy knows the length (infinite where the end is random), the payoffs and the
    noise; it is seeded; both histories get both executed moves after each round.
    """

    def __init__(self, question: Question) -> None:
        reward, sucker, temptation, punishment = question["payoffs"]
        self.player: Any = getattr(axelrod, question["bot"])()
        self.other: Any = axelrod.Player()
        length = float("inf") if question["ends"] else question["rounds"]
        game = axelrod.Game(r=reward, s=sucker, t=temptation, p=punishment)
        self.player.reset()
        self.player.set_match_attributes(length=length, game=game, noise=question["noise"])
        self.player.set_seed(question["seed"])

    def throw(self) -> int:
        """Its move."""
        return ACTIONS.index(self.player.strategy(self.other))

    def see(self, own: int, other: int) -> None:
        """Both moves into both histories."""
        self.player.update_history(ACTIONS[own], ACTIONS[other])
        self.other.update_history(ACTIONS[other], ACTIONS[own])


def names() -> list[str]:
    """The strategies that keep to the rules: all but those that look into their opponent."""
    return sorted(strategy.__name__ for strategy in axelrod.strategies)


make = Strategy
