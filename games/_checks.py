"""Checks of options, one sentence for all games: what is wrong, what is allowed."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite

from games.errors import BadOption


def check_whole(game: str, option: str, value: object, low: int, high: int) -> None:
    """Refuse what is no whole number from ``low`` to ``high``.

    Raises:
        BadOption: with the values that are allowed.
    """
    if type(value) is not int or not low <= value <= high:
        raise BadOption(f"{game}: {option}={value} is not allowed; give a whole number from {low} to {high}")


def check_number(game: str, option: str, value: object, low: float, high: float) -> None:
    """Refuse what is no number from ``low`` to ``high`` that six digits write exactly, so that texts say what is true.

    Raises:
        BadOption: with the values that are allowed.
    """
    number = float(value) if isinstance(value, int | float) and not isinstance(value, bool) else float("nan")
    if not isfinite(number) or not low <= number <= high or float(f"{number:g}") != number:
        wanted = f"give a number from {low:g} to {high:g} with at most six digits"
        raise BadOption(f"{game}: {option}={value} is not allowed; {wanted}")


def check_choice(game: str, option: str, value: object, allowed: Sequence[str]) -> None:
    """Refuse what is not one of the words in ``allowed``.

    Raises:
        BadOption: with the values that are allowed.
    """
    if value not in allowed:
        raise BadOption(f"{game}: {option}={value} is not allowed; give {' or '.join(allowed)}")
