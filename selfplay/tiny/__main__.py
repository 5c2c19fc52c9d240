"""``python -m selfplay.tiny``: build the model."""

from __future__ import annotations

import argparse
from dataclasses import fields
from pathlib import Path

import torch

from games.options import field_help
from policies.llm.base import TINY
from selfplay.tiny.build import TinyConfig, build


def main() -> None:
    """Read the flags and build."""
    parser = argparse.ArgumentParser(prog="python -m selfplay.tiny", description=__doc__)
    for f in fields(TinyConfig):
        kind = type(f.default)
        parser.add_argument(
            f"--{f.name.replace('_', '-')}", type=kind, default=f.default, help=field_help(TinyConfig)[f.name]
        )
    parser.add_argument("--out", type=Path, default=TINY, help="folder to write")
    parser.add_argument("--threads", type=int, default=2, help="processor threads")
    arguments = vars(parser.parse_args())
    folder, threads = arguments.pop("out"), arguments.pop("threads")
    folder.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(threads)
    build(TinyConfig(**arguments), folder)


if __name__ == "__main__":
    main()
