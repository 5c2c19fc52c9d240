"""How a language model's replies are chosen: the options behind its spec."""

from __future__ import annotations

from dataclasses import dataclass

from games.errors import UsageError

DECODE = ("constrained", "free")


@dataclass(frozen=True)
class Decoding:
    """How replies are chosen."""

    decode: str = "constrained"
    """constrained: finite moves are chosen among the legal ones, exactly; free: everything is generated and parsed."""
    temperature: float = 1.0
    """Softmax temperature; more is more random."""
    max_new_tokens: int = 160
    """Tokens of a generated reply at most."""
    think: int = 0
    """Tokens that may be spent on thinking before a reply; 0: none. Thoughts are kept apart and forgotten."""

    def __post_init__(self) -> None:
        if self.decode not in DECODE:
            raise UsageError(f'decode="{self.decode}" is unknown; use {" or ".join(DECODE)}')
        if not 0.01 <= self.temperature <= 100:
            raise UsageError(f"temperature={self.temperature:g} must lie between 0.01 and 100")
        if not 1 <= self.max_new_tokens <= 100_000:
            raise UsageError(f"max_new_tokens={self.max_new_tokens} must lie between 1 and 100,000")
        if not 0 <= self.think <= 1_000_000:
            raise UsageError(f"think={self.think} must lie between 0 and 1,000,000")

    @property
    def room(self) -> int:
        """Tokens to be kept free for what is still written in a turn."""
        return self.max_new_tokens + (self.think + _MARKS if self.think else 0)


_MARKS = 16  # tokens of the marks around a thought
