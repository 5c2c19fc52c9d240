"""What distinguishes one repeated matrix game from another: data, and the checks of its options."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass

from games.errors import BadOption

Table = tuple[tuple[float, ...], ...]


@dataclass(frozen=True)
class Family:
    """What distinguishes one matrix game from another: data, no code."""

    title: str
    """How the rules call it: "the prisoner's dilemma"."""
    moves: tuple[str, ...]
    symbols: str
    """A letter for each number of the option ``payoffs``, in order."""
    order: str
    """What the payoffs must satisfy, as a falling chain of those letters: ``T>R>P>S``, ``R>T>=P>S``."""
    table: tuple[str, ...]
    """Seat 0's payoffs: for each of its moves the letters against each move of the other."""
    other: tuple[str, ...] | None = None
    """Seat 1's payoffs, its own move first; None: the same table."""
    roles: tuple[str, str] = ("player", "player")
    kind: str = "competitive"
    measure: str = ""
    """The name of the measure: ``agreement`` is the share of rounds with equal moves, any other the share of move 0."""
    digest: str = ""
    """The payoff table in words, with the letters in braces, where a full table would be long."""
    paper: str = ""

    @property
    def has_roles(self) -> bool:
        """Whether the seats are different places at the table."""
        return self.roles[0] != self.roles[1]


_DIGITS = "with at most six digits"


def check_rounds(name: str, rounds: int) -> None:
    """Refuse numbers of rounds that are not allowed.

    Raises:
        BadOption: ``rounds`` is no whole number from 1 to 10000.
    """
    if type(rounds) is not int or not 1 <= rounds <= 10_000:
        raise BadOption(f"{name}: rounds={rounds} is not allowed; give a whole number from 1 to 10000")


def check_probability(name: str, option: str, value: float, below: float = math.inf) -> None:
    """Refuse what is no probability, or not below ``below``.

    Raises:
        BadOption: with the values that are allowed.
    """
    if not _plain(value) or not 0 <= value <= 1 or value >= below:
        to = "1" if below > 1 else f"below {below:g}"
        raise BadOption(f"{name}: {option}={value} is not allowed; give a number from 0 to {to} {_DIGITS}")


def check_payoffs(name: str, family: Family, payoffs: tuple[float, ...]) -> None:
    """Refuse payoffs that would make another game.

    Raises:
        BadOption: with the order that the payoffs must keep.
    """
    written = "/".join(f"{p}" for p in payoffs)
    wanted = f"give {'/'.join(family.symbols)} with {family.order}, each from -1000 to 1000 {_DIGITS}"
    if len(payoffs) != len(family.symbols):
        raise BadOption(f"{name}: payoffs={written} has {len(payoffs)} numbers; {wanted}")
    if not all(_plain(p) and abs(p) <= 1000 for p in payoffs) or not _falls(family, payoffs):
        raise BadOption(f"{name}: payoffs={written} is not allowed; {wanted}")


def _plain(number: object) -> bool:
    """Whether it is a number that ``:g`` writes exactly, so that texts and specs say what is true."""
    if not isinstance(number, int | float) or isinstance(number, bool):
        return False
    return math.isfinite(number) and float(f"{number:g}") == number


def _falls(family: Family, payoffs: tuple[float, ...]) -> bool:
    """Whether the payoffs satisfy the family's chain, such as ``R>T>=P>S``."""
    value = dict(zip(family.symbols, payoffs, strict=True))
    links = itertools.pairwise(family.order.split(">"))
    return all(value[a[-1]] >= value[b[-1]] if b[0] == "=" else value[a[-1]] > value[b[-1]] for a, b in links)
