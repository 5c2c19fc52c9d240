"""Games by name. A file ``games/<name>.py`` that binds ``GAME`` is a game; nothing is listed anywhere.

Folders called ``games`` on ``sys.path`` count too, so a user's own file needs no installation.
"""

from __future__ import annotations

import importlib
import pkgutil
import re
import sys
from pathlib import Path
from typing import Any

import games
from games.errors import unknown
from games.game import Game
from games.options import build, split_spec

_NOT_GAMES = frozenset(
    {
        "conformance",
        "errors",
        "exact",
        "game",
        "hosts",
        "matrix",
        "options",
        "parsing",
        "pettingzoo",
        "registry",
        "stream",
    }
)
_BINDS_GAME = re.compile(r"^GAME\s*[:=]", re.MULTILINE)


def names() -> list[str]:
    """Every game that can be made by name, sorted."""
    found = {m.name for m in pkgutil.iter_modules(_folders()) if not m.name.startswith("_")} - _NOT_GAMES
    return sorted(name.replace("_", "-") for name in found if _defines_game(name))


def make(spec: str, **options: Any) -> Game[Any]:
    """The game of a spec string; keyword options come on top.

    Args:
        spec: ``kuhn-poker``, ``prisoners-dilemma:rounds=20,noise=0.05`` or ``pettingzoo:ID``.
        options: the same options as values.

    Raises:
        UnknownName: no such game or option; the message names the nearest.
        BadOption: a value that the game does not allow.
    """
    head = spec.partition(":")[0].strip()
    if head in hosts():
        host = importlib.import_module(f"games.hosts.{head}")
        return host.make(spec.partition(":")[2], **options)  # type: ignore[no-any-return]
    name, texts = split_spec(spec)
    return build(load(name), name, {**texts, **options})  # type: ignore[no-any-return]


def load(name: str) -> type[Game[Any]]:
    """The game class called ``name``, options open."""
    module_name = name.replace("-", "_")
    if name != name.lower() or module_name in _NOT_GAMES or name not in names():
        raise unknown("game", name, [*names(), *(f"{h}:" for h in hosts())])
    module = importlib.import_module(f"games.{module_name}")
    cls: type[Game[Any]] = module.GAME
    cls.name = name
    return cls


def hosts() -> list[str]:
    """The prefixes under which games of other libraries are hosted (``pettingzoo:ID``)."""
    folder = Path(__file__).parent / "hosts"
    return sorted(m.name for m in pkgutil.iter_modules([str(folder)]) if not m.name.startswith("_"))


def _folders() -> list[str]:
    """``games`` folders: the package's own and those on ``sys.path``; the package learns of new ones here."""
    for entry in sys.path:
        folder = str(Path(entry or ".") / "games")
        if folder not in games.__path__ and Path(folder).is_dir():
            games.__path__.append(folder)
    return list(games.__path__)


def _defines_game(module_name: str) -> bool:
    """Whether the file binds ``GAME``, told from its text: listing games must not import them all."""
    for folder in games.__path__:
        path = Path(folder) / f"{module_name}.py"
        if path.is_file():
            return _BINDS_GAME.search(path.read_text(encoding="utf-8")) is not None
    return False
