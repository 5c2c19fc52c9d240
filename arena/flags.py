"""Configuration from a frozen dataclass: its fields are flags, the string under each is the help, TOML lies beneath.

Nothing here imports numpy, so that ``--help`` answers at once. What is wrong with the words of a command is one line:
an unknown flag names the nearest known one.
"""

from __future__ import annotations

import argparse
import difflib
import textwrap
import tomllib
import types
from collections.abc import Collection, Mapping, Sequence
from dataclasses import MISSING, Field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NoReturn, TypeVar, Union, get_args, get_origin, get_type_hints

from games.errors import UsageError
from games.options import field_help

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

C = TypeVar("C")


class Parser(argparse.ArgumentParser):
    """An argument parser whose complaints are one line each, with the nearest known flag."""

    def __init__(self, prog: str, about: str, examples: str) -> None:
        example = textwrap.indent(examples.strip(), "  ")
        super().__init__(
            prog=prog,
            description=about,
            epilog=f"examples:\n{example}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )

    def read(self, words: Sequence[str]) -> argparse.Namespace:
        """The parsed words; flags may stand anywhere among the others.

        Raises:
            UsageError: an unknown flag, a missing word, or a value of the wrong kind.
        """
        args, extra = self.parse_known_intermixed_args(words)
        if extra:
            self.error(self._unknown(extra[0]))
        return args

    def error(self, message: str) -> NoReturn:
        """Raise the complaint instead of printing usage."""
        raise UsageError(f"{message} (see `{self.prog} --help`)")

    def _unknown(self, word: str) -> str:
        flag = word.partition("=")[0]
        if not flag.startswith("-"):
            return f'unexpected word "{word}"'
        near = difflib.get_close_matches(flag, self._option_string_actions, n=2, cutoff=0.5)
        return f"unknown flag {flag}" + (f" — did you mean {' or '.join(near)}?" if near else "")


def add_flags(parser: argparse.ArgumentParser, cls: type[DataclassInstance], *, skip: Collection[str] = ()) -> None:
    """A flag for each field of the dataclass ``cls``; unset flags leave no trace, so that files can lie beneath."""
    helps, hints = field_help(cls), get_type_hints(cls)
    for f in fields(cls):
        if f.name not in skip:
            flag = f"--{f.name.replace('_', '-')}"
            text = f"{helps.get(f.name, '')} {_default_text(f)}".strip().replace("%", "%%")
            parser.add_argument(flag, dest=f.name, default=argparse.SUPPRESS, help=text, **_form(hints[f.name]))


def build(cls: type[C], *layers: Mapping[str, Any]) -> C:
    """The dataclass from layers of values, the later over the earlier (preset, file, flags).

    Raises:
        UsageError: a key that is no field, or a value that doesn't fit its field.
    """
    hints = get_type_hints(cls)
    values: dict[str, Any] = {}
    for layer in layers:
        for key, value in layer.items():
            name = key.replace("-", "_")
            if name not in hints:
                near = difflib.get_close_matches(name, hints, n=1, cutoff=0.5) or sorted(hints)
                raise UsageError(f'no setting "{key}"; known: {", ".join(near)}')
            values[name] = fit(name, hints[name], value)
    return cls(**values)


def read_toml(path: str) -> dict[str, Any]:
    """The settings in a TOML file.

    Raises:
        UsageError: there is no such file, or it is no TOML.
    """
    try:
        return tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise UsageError(f"can't read {path}: {error.strerror}; name a TOML file") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"{path} is no TOML file: {error}") from None


def fit(name: str, hint: Any, value: Any) -> Any:
    """``value`` as the type of its field: lists become tuples, a table of strings ``NAME=VALUE`` texts.

    Raises:
        UsageError: it doesn't fit.
    """
    origin, inner = get_origin(hint), _plain(hint)
    if origin is Literal and value in get_args(hint):
        return value
    if origin in (Union, types.UnionType):
        return None if value is None else fit(name, inner, value)
    if origin is tuple and isinstance(value, Mapping):
        return tuple(f"{key}={item}" for key, item in value.items())
    if origin is tuple and isinstance(value, list | tuple):
        return tuple(fit(name, inner, item) for item in value)
    if hint is float and type(value) is int:
        return float(value)
    if origin is None and (hint is Any or type(value) is hint):
        return value
    raise UsageError(f"{name} = {value!r} does not fit; give {_kind(hint)}")


def _form(hint: Any) -> dict[str, Any]:
    """How argparse reads a flag of this type."""
    if hint is bool:
        return {"action": argparse.BooleanOptionalAction}
    if get_origin(hint) is tuple:
        return {"nargs": "+", "type": _READERS[_plain(hint)], "metavar": _METAVARS[_plain(hint)]}
    if get_origin(hint) is Literal:
        return {"choices": get_args(hint)}
    return {"type": _READERS[_plain(hint)], "metavar": _METAVARS[_plain(hint)]}


def whole(text: str) -> int:
    """A whole number from a word of the command.

    Raises:
        argparse.ArgumentTypeError: it is none.
    """
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f'"{text}" is no whole number') from None


def number(text: str) -> float:
    """A number from a word of the command.

    Raises:
        argparse.ArgumentTypeError: it is none.
    """
    try:
        return float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f'"{text}" is no number') from None


_READERS: dict[Any, Any] = {int: whole, float: number, str: str}
_METAVARS = {int: "N", float: "X", str: "TEXT"}
_KINDS = {int: "a whole number", float: "a number", str: "a text", bool: "true or false"}


def _plain(hint: Any) -> Any:
    """The type inside ``T | None`` and ``tuple[T, ...]``."""
    if get_origin(hint) in (Union, types.UnionType, tuple):
        return next(t for t in get_args(hint) if t is not type(None))
    return hint


def _kind(hint: Any) -> str:
    if get_origin(hint) is tuple:
        return f"a list, each {_kind(_plain(hint))}"
    if get_origin(hint) is Literal:
        return "one of " + ", ".join(map(str, get_args(hint)))
    return _KINDS.get(_plain(hint), "another value")


def _default_text(f: Field[Any]) -> str:
    default = f.default if f.default_factory is MISSING else f.default_factory()
    if default is MISSING or default in ("", (), None):
        return ""
    shown = " ".join(map(str, default)) if isinstance(default, tuple) else default
    return f"(default: {shown})"
