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
        values[key] = _read(name, key, value, default) if isinstance(value, str) else _fit(value, default)
    return cls(**values)


def _fit(value: Any, default: Any) -> Any:
    if isinstance(default, tuple) and isinstance(value, list):
        return tuple(value)
    return float(value) if isinstance(default, float) and type(value) is int else value


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
        whole = "a whole number"
        wanted = {bool: "true or false", int: whole, type(None): whole, tuple: "values with / between them"}
        kind_text = wanted.get(type(default), "a number")
        raise BadOption(f'{name}: {key}="{text}" is not {kind_text} (default {default})') from None


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
