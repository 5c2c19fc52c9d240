"""Spec strings to options and back: ``prisoners-dilemma:rounds=10,noise=0.05``."""

from __future__ import annotations

import ast
import inspect
import itertools
import textwrap
from dataclasses import MISSING, fields
from functools import cache
from typing import Any

from games.errors import BadOption, unknown


def split_spec(spec: str) -> tuple[str, dict[str, str]]:
    """``name:key=value,key=value`` as (name, options as text).

    Raises:
        BadOption: a part after the colon is no ``key=value``.
    """
    name, _, rest = spec.strip().partition(":")
    options: dict[str, str] = {}
    for part in filter(None, rest.split(",")):
        key, sign, value = part.partition("=")
        if not sign or not key.strip():
            raise BadOption(f'"{part}" in "{spec}" is no option; write {name}:option=value,option=value')
        options[key.strip().replace("-", "_")] = value.strip()
    return name.strip(), options


def build(cls: type[Any], name: str, options: dict[str, Any]) -> Any:
    """An instance of the dataclass ``cls`` from options given as text or as values.

    Raises:
        UnknownName: ``cls`` has no such option.
        BadOption: a text that can't be read as the option's type.
    """
    known = {f.name: f for f in fields(cls)}
    values: dict[str, Any] = {}
    for key, value in options.items():
        if key not in known:
            raise unknown(f"option of {name}", key, known) if known else BadOption(f"{name} has no options")
        default = known[key].default
        values[key] = _read(name, key, value, default) if isinstance(value, str) else _fit(name, key, value, default)
    return cls(**values)


def _fit(name: str, key: str, value: Any, default: Any) -> Any:
    """A value as the option's type: a list serves as a tuple, a whole number as a float; nothing else changes."""
    if default is MISSING:
        return value
    if isinstance(default, tuple):
        if isinstance(value, list | tuple) and all(_like(part, (*default, 0.0)[0]) for part in value):
            return tuple(value)
    elif _like(value, default):
        return float(value) if isinstance(default, float) else value
    raise _unfit(name, key, value, default)


def _like(value: Any, default: Any) -> bool:
    """Whether a value is of a default's type; no truth value is a number here."""
    if default is None:
        return value is None or type(value) is int
    if isinstance(default, float):
        return type(value) in (int, float)
    return isinstance(value, type(default)) and isinstance(value, bool) == isinstance(default, bool)


def _read(name: str, key: str, text: str, default: Any) -> Any:
    try:
        if default is MISSING or isinstance(default, str):
            return text
        if isinstance(default, bool):
            return {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}[text.lower()]
        if isinstance(default, int) or default is None:  # None: a whole number that another option decides
            return int(text)
        if isinstance(default, tuple):
            kind = type(default[0]) if default else float
            return tuple(kind(part) for part in text.split("/"))
        return float(text)
    except (ValueError, KeyError):
        raise _unfit(name, key, text, default) from None


def _unfit(name: str, key: str, value: Any, default: Any) -> BadOption:
    """The error for a value of another type: what it was, what is wanted."""
    whole = "a whole number"
    wanted = {bool: "true or false", int: whole, type(None): whole, str: "text", tuple: "values with / between them"}
    shown = " ".join(repr(value).split())[:60] if not isinstance(value, str) else f'"{value}"'
    return BadOption(f"{name}: {key}={shown} is not {wanted.get(type(default), 'a number')} (default {default})")


@cache
def field_help(cls: type[Any]) -> dict[str, str]:
    """The string under each field of a dataclass (and its bases), by field name."""
    found: dict[str, str] = {}
    for base in reversed(cls.__mro__):
        try:
            tree = ast.parse(textwrap.dedent(inspect.getsource(base)))
        except (OSError, TypeError, SyntaxError):
            continue
        body = tree.body[0].body if isinstance(tree.body[0], ast.ClassDef) else []
        for node, after in itertools.pairwise(body):
            if not (isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)):
                continue
            if isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant):
                found[node.target.id] = " ".join(str(after.value.value).split())
    return found
