"""Games: rules only, as frozen states and pure functions, with text faces and PettingZoo adapters.

import games
game = games.make("prisoners-dilemma:rounds=10")
state = game.start(games.Stream(0))
state, rewards = game.play(state, ("cooperate", "defect"), games.Stream(1))
print(game.render(state), rewards)
"""

from games._registration import register_when_imported
from games.errors import ArenaError, BadOption, IllegalMove, MissingExtra, UnknownName, UsageError
from games.game import FreeText, Game, GameInfo, Move, Moves, Observation, Rewards
from games.registry import load, make, names
from games.stream import Stream

__all__ = [
    "ArenaError",
    "BadOption",
    "FreeText",
    "Game",
    "GameInfo",
    "IllegalMove",
    "MissingExtra",
    "Move",
    "Moves",
    "Observation",
    "Rewards",
    "Stream",
    "UnknownName",
    "UsageError",
    "load",
    "make",
    "names",
]

register_when_imported()
