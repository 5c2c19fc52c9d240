"""Recipes: training configurations that are known to work, as TOML files in this folder."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from games.errors import unknown

_FOLDER = Path(__file__).parent


def recipes() -> dict[str, str]:
    """Every recipe by name, with the comment on its first line."""
    files = sorted(_FOLDER.glob("*.toml"))
    return {path.stem: path.read_text(encoding="utf-8").splitlines()[0].lstrip("# ") for path in files}


def recipe(name: str) -> dict[str, Any]:
    """The settings of the recipe ``name``, by field of the training configuration.

    Raises:
        UnknownName: there is none; the message names the nearest.
    """
    if name not in recipes():
        raise unknown("recipe", name, recipes())
    return tomllib.loads((_FOLDER / f"{name}.toml").read_text(encoding="utf-8"))
