"""Self-play: matches become advantages, advantages a better adapter, which is a policy again.

import selfplay
result = selfplay.train(selfplay.TrainConfig(game="prisoners-dilemma", preset="advantage-alignment", steps=40))
print(result.metrics["payoff"], result.adapter)
"""

from typing import TYPE_CHECKING, Any

from selfplay.config import TrainConfig

if TYPE_CHECKING:
    from selfplay.run import RunResult, train

__all__ = ["RunResult", "TrainConfig", "train"]


def __getattr__(name: str) -> Any:
    if name in ("train", "RunResult"):
        import selfplay.run

        return getattr(selfplay.run, name)
    raise AttributeError(f"module 'selfplay' has no attribute {name!r}")
