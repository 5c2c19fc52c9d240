"""Trackers beside the metrics on disk."""

from __future__ import annotations

import sys
import types

import pytest

from games.errors import BadOption, MissingExtra
from selfplay.log import MetricLog, tracker


def test_a_tracker_gets_every_step_and_is_finished(tmp_path, monkeypatch) -> None:
    calls: list[tuple[object, ...]] = []
    fake = types.ModuleType("trackio")
    fake.init = lambda **given: calls.append(("init", given["name"], given["config"]))
    fake.log = lambda numbers, step: calls.append(("log", numbers, step))
    fake.finish = lambda: calls.append(("finish",))
    monkeypatch.setitem(sys.modules, "trackio", fake)
    with MetricLog(tmp_path, 0, ("trackio",), {"game": "kuhn-poker"}) as log:
        log.write({"step": 1, "payoff": 0.5})
    assert calls == [("init", tmp_path.name, {"game": "kuhn-poker"}), ("log", {"payoff": 0.5}, 1), ("finish",)]


def test_an_absent_tracker_says_what_to_install(monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "wandb", None)
    with pytest.raises(MissingExtra, match=r"pip install 'selfplay-arena\[wandb\]'"):
        tracker("wandb")


def test_an_unknown_tracker_is_refused() -> None:
    with pytest.raises(BadOption, match="wandb or trackio"):
        tracker("mlflow")
