"""The rock-paper-scissors population (:mod:`policies.rps`), every strategy by its name."""

from __future__ import annotations

import importlib
import pkgutil

import policies.rps

for _module in pkgutil.iter_modules(policies.rps.__path__):
    importlib.import_module(f"policies.rps.{_module.name}")
