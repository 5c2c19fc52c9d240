"""The checks that every game passes, for the built-in games and for yours.

from games import conformance
conformance.check("kuhn-poker")        # raises ConformanceError with a sentence that says what is wrong
conformance.check(MyGame(rounds=3))

``python -m games.conformance check SPEC…`` does the same; ``python -m games.conformance record NAME…`` writes the
golden playthrough that a test replays line by line.
"""

from games.conformance.checks import CHECKS, check
from games.conformance.golden import compare, golden, playthrough_lines, record
from games.conformance.sampling import ConformanceError, Playthrough, Step, playthrough

__all__ = [
    "CHECKS",
    "ConformanceError",
    "Playthrough",
    "Step",
    "check",
    "compare",
    "golden",
    "playthrough",
    "playthrough_lines",
    "record",
]
