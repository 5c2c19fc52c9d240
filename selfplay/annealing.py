"""What changes while a run goes on: the learning rate and the weight of the entropy bonus, as functions of the step."""

from __future__ import annotations

from selfplay.config import TrainConfig


def learning_rate(config: TrainConfig, step: int) -> float:
    """AdamW's step size at ``step`` (from 0): it rises over ``warmup`` steps and falls over ``decay_steps``.

    An adapter grows more sensitive as it trains: one step of the same size moves its choices several times as far after
    200 steps as at the first. Where play must come to rest in a mixture, the exponential shape with an end of a
    hundredth does it.
    """
    rising = min(1.0, (step + 1) / config.warmup) if config.warmup else 1.0
    if not config.decay_steps:
        return config.learning_rate * rising
    done, end = min(1.0, step / config.decay_steps), config.decay_end
    left = end**done if config.decay_shape == "exponential" else 1.0 - (1.0 - end) * done
    return float(config.learning_rate * rising * left)


def entropy_weight(config: TrainConfig, step: int) -> float:
    """Weight of the entropy bonus at ``step`` (from 0), in nats per decision: linear to its end, then constant."""
    end = config.entropy if config.entropy_end < 0 else config.entropy_end
    share = step / max(1, (config.entropy_steps or config.steps) - 1)
    return config.entropy + (end - config.entropy) * min(1.0, share)
