"""The settings of an API player, each an option behind its spec."""

from __future__ import annotations

from dataclasses import dataclass

from games.errors import UsageError


@dataclass(frozen=True)
class ApiOptions:
    """How a server is asked."""

    temperature: float | None = None
    """Softmax temperature; without it the server's default."""
    max_tokens: int = 1024
    """Tokens of a reply at most, thinking included."""
    timeout: float = 60.0
    """Seconds without a sign of life until a call is given up and tried again."""
    deadline: float = 600.0
    """Seconds a reply may take in all, every retry and wait included."""
    retries: int = 4
    """How often a call is tried again after a timeout, a 429 or a server error; waits double, or are the server's."""
    concurrency: int = 8
    """Calls in flight at once."""
    history: int = 0
    """Latest exchanges of a match that are sent again each turn; 0: all of them."""
    reasoning_effort: str = ""
    """Passed on to reasoning models (low, medium, high); empty: not sent."""
    seed: bool = False
    """Whether a seed is sent with each call, so that servers that honour it repeat themselves."""
    price_in: float = 0.0
    """Price of a million prompt tokens, for the cost of a match."""
    price_out: float = 0.0
    """Price of a million completion tokens."""

    def __post_init__(self) -> None:
        limits = {
            "temperature": (0.0, 100.0), "max_tokens": (1, 10**7), "timeout": (0.01, 10**5), "deadline": (0.01, 10**6),
            "retries": (0, 100), "concurrency": (1, 10_000), "history": (0, 10**7), "price_in": (0.0, 10**6),
            "price_out": (0.0, 10**6),
        }  # fmt: skip
        for name, (low, high) in limits.items():
            value = getattr(self, name)
            if value is not None and not low <= value <= high:
                raise UsageError(f"openai option {name}={value:g} must lie between {low:g} and {high:g}")

    def cost(self, prompt_tokens: int, completion_tokens: int) -> float:
        """What so many tokens cost, in the currency of the prices."""
        return (prompt_tokens * self.price_in + completion_tokens * self.price_out) / 1e6
