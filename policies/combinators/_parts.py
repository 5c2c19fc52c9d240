"""What combinators share: the parts, asked in batches, checked, and told to forget."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from games import Game
from games.errors import UsageError
from policies.policy import BasePolicy, MatchId, Policy, Reply, Turn

Find = Callable[[str], Policy]
"""From a name or a spec to a policy."""


class Combined(BasePolicy):
    """A policy made of others; it plays what all of them play."""

    def __init__(self, parts: Sequence[Policy]) -> None:
        self.parts = tuple(parts)
        kinds = [part.kind for part in self.parts if part.kind != "script"]
        self.kind = kinds[0] if kinds else "script"

    @property
    def fingerprint(self) -> str:
        """What decides the parts' replies beside their specs."""
        return " ".join(filter(None, (getattr(part, "fingerprint", "") for part in self.parts)))

    @property
    def label(self) -> int:
        """A number for the streams of this policy alone, so that one inside another draws something else."""
        return zlib.crc32(self.name.encode())

    def check(self, game: Game[Any]) -> str:
        """Why a part can't play ``game``, or an empty string."""
        reasons = (getattr(part, "check", lambda _: "")(game) for part in self.parts)
        return next(filter(None, reasons), "")

    def forget(self, matches: Iterable[MatchId]) -> None:
        """Let every part forget."""
        over = list(matches)
        for part in self.parts:
            part.forget(over)


def ask(turns: Sequence[Turn], parts: Sequence[Policy]) -> list[Reply]:
    """The reply of ``parts[i]`` to ``turns[i]``; each part is asked once."""
    replies: list[Reply] = [Reply("")] * len(turns)
    for part in {id(part): part for part in parts}.values():
        places = [place for place, one in enumerate(parts) if one is part]
        for place, reply in zip(places, part.act([turns[place] for place in places]), strict=True):
            replies[place] = reply
    return replies


def odds(part: Policy, turns: Sequence[Turn]) -> Sequence[dict[str, float]]:
    """A part's exact move probabilities.

    Raises:
        UsageError: it gives none.
    """
    known = getattr(part, "probabilities", None)
    if known is None:
        raise UsageError(f'"{part.name}" gives no move probabilities, so nothing exact is known of what it is part of')
    return list(known(turns)) if turns else []
