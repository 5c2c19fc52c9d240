"""``arena train``."""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from collections.abc import Mapping
from contextlib import redirect_stderr, redirect_stdout
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from arena.flags import Parser
    from selfplay import RunResult, TrainConfig

ABOUT = """Train a LoRA adapter of a language model by self-play. A run is a folder with its configuration, metrics
(JSON lines and TensorBoard), adapter snapshots and the finished adapter, which plays as llm:BASE+FOLDER/adapter. Kill
it at any moment: started again with the same words it goes on with the same numbers."""
EXAMPLES = """
arena train --list
arena train --recipe ipd-aligned --seed 1
arena train --recipe kuhn --dry-run
arena train --game prisoners-dilemma:rounds=10 --preset advantage-alignment --beta 1 --out runs/aa
arena train --game kuhn-poker --preset mars --steps 200 --opponents self 0.3*past:uniform
arena train --recipe ipd-aligned --workers ray --actors 2 --staleness 1
torchrun --nproc-per-node 2 -m arena train --recipe kuhn
arena train --config train.toml --seed 1
arena train --recipe ipd-aligned --sampler http://127.0.0.1:8000/v1     rollouts at `arena serve` or vLLM
"""


def configure(parser: Parser) -> None:
    """The words and flags of the command: the fields of the training configuration."""
    from arena.flags import add_flags
    from selfplay.config import TrainConfig

    parser.add_argument("--config", default="", metavar="FILE.toml", help="settings by field name; flags go over them")
    parser.add_argument("--recipe", default="", metavar="NAME", help="start from a recipe; see --list")
    parser.add_argument(
        "--dry-run", action="store_true", help="show the resolved settings, time one step in a scratch folder, and stop"
    )
    parser.add_argument("--list", action="store_true", help="list the recipes and presets, and stop")
    parser.add_argument("--json", action="store_true", help="the result as JSON, for programs")
    add_flags(parser, TrainConfig)


def run(args: Namespace) -> int:
    """Train, and print where the adapter is; of several processes the first speaks for all."""
    if not int(os.environ.get("RANK", "0")):
        return _run(args)
    with open(os.devnull, "w", encoding="utf-8") as nowhere, redirect_stdout(nowhere), redirect_stderr(nowhere):
        return _run(args)


def _run(args: Namespace) -> int:
    from arena.flags import build, read_toml
    from arena.training_view import watching
    from selfplay.config import TrainConfig
    from selfplay.recipes import recipe

    given = dict(vars(args))
    path, listing, as_json = given.pop("config"), given.pop("list"), given.pop("json")
    dry = given.pop("dry_run")
    start = recipe(name) if (name := given.pop("recipe")) else {}
    if listing:
        return _list(as_json)
    config = build(TrainConfig, {**start, **(read_toml(path) if path else {})}, given)
    if dry:
        return _dry_run(config, as_json)
    print(f"loading {config.base}; {config.steps} steps, the first of them the longest", file=sys.stderr, flush=True)
    import selfplay  # torch comes with the training itself, after the words are checked

    with watching(config.steps) as watch:
        result = selfplay.train(config, watch=watch)
    return _report(config, result, as_json)


def _dry_run(config: TrainConfig, as_json: bool) -> int:
    """Print what would be done, and what a step of it takes: one is really made, in a folder that is thrown away."""
    from dataclasses import asdict, replace
    from pathlib import Path
    from tempfile import TemporaryDirectory

    from arena.show import print_json, print_table

    settings = {**asdict(config), "out": config.folder}
    if not as_json:
        print_table("", ("setting", "value"), [(name, _text(value)) for name, value in settings.items()])
        print("timing a step …", file=sys.stderr, flush=True)
    import selfplay

    near = Path(config.folder).parent if config.sampler else None  # a server reads adapters from where runs lie
    if near:
        near.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=near) as scratch:
        trial = replace(config, out=f"{scratch}/run", steps=1, track=(), gate=(), samples_every=0)
        seconds = selfplay.train(trial).metrics["seconds"]
    if as_json:
        print_json({"config": settings, "seconds_per_step": seconds, "minutes": seconds * config.steps / 60})
        return 0
    print(
        f"The first step takes {seconds:.1f} s; {config.steps} like it take {seconds * config.steps / 60:.0f} min. "
        "Steps get cheaper as matches become alike, and dearer with past selves among the opponents."
    )
    return 0


def _text(value: object) -> str:
    return " ".join(map(str, value)) if isinstance(value, tuple) else str(value)


def _report(config: TrainConfig, result: RunResult, as_json: bool) -> int:
    from arena.show import print_json

    if as_json:
        facts = {"folder": str(result.folder), "adapter": str(result.adapter), "minutes": result.minutes}
        print_json({**facts, "metrics": result.metrics})
    else:
        base = config.base.partition("+")[0]
        print(f"{config.steps} steps in {result.minutes:.1f} min; the adapter plays as {base}+{result.adapter}")
    return 0


def _list(as_json: bool) -> int:
    from arena.show import print_json, print_table
    from selfplay.advantages import NEEDS, presets
    from selfplay.recipes import recipes

    known, found = recipes(), presets().values()
    if as_json:
        listed = [
            {"name": p.name, "summary": p.summary, "paper": p.paper, "needs": p.needs, "options": p.options}
            for p in found
        ]
        print_json({"recipes": [{"name": n, "summary": about} for n, about in known.items()], "presets": listed})
        return 0
    print_table("", ("recipe", "what it shows"), list(known.items()))
    heads = ("preset", "what it does", "needs", "options", "paper")
    print_table("", heads, [(p.name, p.summary, _needs(p.needs), _options(p.options), p.paper) for p in found])
    print_table("", ("need", "beside rewards"), list(NEEDS.items()))
    print("Options go behind the name: --preset gigpo:weight=0.5,norm=mean-std")
    return 0


def _needs(needs: tuple[str, ...]) -> str:
    return ", ".join(needs) or "rewards"


def _options(options: Mapping[str, object]) -> str:
    return ", ".join(f"{name}={str(value).lower()}" for name, value in options.items())
