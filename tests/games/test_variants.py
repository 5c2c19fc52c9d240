"""Games with options other than their defaults conform too."""

from __future__ import annotations

import pytest

from games import conformance

SPECS = [
    "goofspiel:cards=2",
    "goofspiel:cards=4,order=descending,payoff=win",
    "liars-dice:players=3,dice=2,sides=3",
    "liars-dice:players=6,dice=5",
    "hanabi:preset=full",
    "hanabi:preset=full,players=4,lives=8",
    "hanabi:players=3,hand=2",
    "hanabi:hints=0",
    "hanabi:colours=1,ranks=5",
    "maze:form=solo",
    "maze:form=solo-partial,size=4",
    "maze:size=3,walls=0.5,overlap=0.8,turns=1",
]


@pytest.mark.parametrize("spec", SPECS)
def test_variant_conforms(spec: str) -> None:
    conformance.check(spec, matches_played=6)
