"""The files of models and adapters: read safely, told apart by their contents.

Only safetensors and JSON are read; nothing is unpickled and no code of a model folder runs.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file

from games.errors import UsageError

_PART = 1 << 24  # bytes of a large file's head and tail that its fingerprint reads


def fingerprint(folder: Path) -> str:
    """SHA-256 over a model folder's weights, configuration and tokenizer (of large files head, tail and size)."""
    digest = hashlib.sha256()
    names = ["config.json", "tokenizer.json", *sorted(p.name for p in folder.glob("*.safetensors"))]
    for name in names:
        path = folder / name
        if path.is_file():
            size = path.stat().st_size
            digest.update(f"{name}:{size}:".encode())
            with path.open("rb") as file:
                digest.update(file.read(_PART))
                if size > _PART:
                    file.seek(max(_PART, size - _PART))
                    digest.update(file.read())
    return digest.hexdigest()


def read_tensors(path: Path) -> dict[str, torch.Tensor]:
    """The tensors of a safetensors file.

    Raises:
        UsageError: it is something else.
    """
    try:
        return load_file(str(path))
    except (SafetensorError, OSError) as error:
        raise UsageError(f'"{path}" is no safetensors file ({error}); nothing else is loaded') from None


def read_json(path: Path) -> dict[str, Any]:
    """A JSON object from a file.

    Raises:
        UsageError: it holds something else.
    """
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise UsageError(f'"{path}" is no JSON ({error}); the folder is damaged, use another snapshot') from None
    if not isinstance(found, dict):
        raise UsageError(f'"{path}" holds no JSON object; the folder is damaged, use another snapshot')
    return found


def check_adapter(folder: Path, base: str, fingerprint: str) -> Path:
    """``folder``, if it is an adapter of the base with this name and fingerprint that can be loaded safely.

    Raises:
        UsageError: it is not there, holds no safetensors adapter, or belongs to another base.
    """
    for name in ("adapter_config.json", "adapter_model.safetensors"):
        if not (folder / name).is_file():
            raise UsageError(
                f'"{folder}" is no adapter folder: {name} is missing; name a snapshot folder of a training run, '
                "such as runs/NAME/adapter"
            )
    config = read_json(folder / "adapter_config.json")
    if config.get("peft_type") != "LORA":
        raise UsageError(f'"{folder}" holds a {config.get("peft_type")} adapter; only LORA adapters can play here')
    about = folder / "arena.json"
    if about.is_file():
        saved = read_json(about)
        if saved.get("base_sha256") != fingerprint:
            raise UsageError(
                f'"{folder}" was trained on base "{saved.get("base")}" ({str(saved.get("base_sha256"))[:12]}…), not on '
                f'this "{base}" ({fingerprint[:12]}…); use that base, or train the adapter again'
            )
    return folder
