"""``openspiel:NAME``: one of the 43 bots of OpenSpiel in our rock-paper-scissors (arXiv 2303.03196).

They are entrants and fixed players of D. Billings' programming competitions of 1999 and 2000. They run in a process of
their own.
"""

from __future__ import annotations

from importlib.util import find_spec

from games.errors import MissingExtra, unknown
from policies._bots import HostedBot

BOTS = (
    "actr_lag2_decay",
    "adddriftbot2",
    "addshiftbot3",
    "antiflatbot",
    "antirotnbot",
    "biopic",
    "boom",
    "copybot",
    "debruijn81",
    "driftbot",
    "flatbot3",
    "foxtrotbot",
    "freqbot2",
    "granite",
    "greenberg",
    "halbot",
    "inocencio",
    "iocainebot",
    "marble",
    "markov5",
    "markovbails",
    "mixed_strategy",
    "mod1bot",
    "multibot",
    "peterbot",
    "phasenbott",
    "pibot",
    "piedra",
    "predbot",
    "r226bot",
    "randbot",
    "robertot",
    "rockbot",
    "rotatebot",
    "russrocker4",
    "shofar",
    "sunCrazybot",
    "sunNervebot",
    "sweetrock",
    "switchalot",
    "switchbot",
    "textbot",
    "zq_move",
)
"""Their names in OpenSpiel."""


def make(rest: str) -> HostedBot:
    """The policy of ``openspiel:NAME``.

    Raises:
        MissingExtra: OpenSpiel is not installed.
        UnknownName: there is no such bot; the message names the nearest.
    """
    if find_spec("pyspiel") is None:
        line = "pip install 'selfplay-arena[openspiel]'"
        raise MissingExtra(f"OpenSpiel is not installed; run: {line}")
    if rest not in BOTS:
        raise unknown("rock-paper-scissors bot of OpenSpiel", rest, BOTS)
    return HostedBot("openspiel", rest, "rock-paper-scissors")
