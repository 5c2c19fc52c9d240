"""``axelrod:NAME``: a strategy of the Axelrod library in our prisoner's dilemma.

Knight et al. 2016, doi 10.5334/jors.125. NAME is the class, as in ``axelrod:Gradual``. All strategies that keep to
the library's rules play; the one that does not (Darwin, which looks into its opponent) has nothing to look at here.
They run in a process of their own.
"""

from __future__ import annotations

from importlib.util import find_spec

from games.errors import BadOption, MissingExtra, unknown
from policies._bots import HostedBot, worker


def make(rest: str) -> HostedBot:
    """The policy of ``axelrod:NAME``.

    Raises:
        MissingExtra: the Axelrod library is not installed.
        UnknownName: it has no such strategy; the message names the nearest.
        BadOption: no name.
    """
    if find_spec("axelrod") is None:
        line = "pip install 'selfplay-arena[axelrod]'"
        raise MissingExtra(f"the Axelrod library is not installed; run: {line}")
    if not rest:
        raise BadOption('"axelrod" needs a strategy; write axelrod:NAME, as in axelrod:Gradual')
    known = worker("axelrod").names()
    if rest not in known:
        raise unknown("strategy of the Axelrod library", rest, known)
    return HostedBot("axelrod", rest, "prisoners-dilemma")
