"""What is served, by name: base models and their adapters, which may come and go while the server runs."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from peft import LoraConfig

from games.errors import UsageError, unknown
from policies.llm import LOAD, parse
from policies.llm.base import Base, load_base
from policies.llm.files import check_adapter, read_tensors
from policies.llm.serving.batcher import Batcher
from policies.llm.serving.refusals import Refusal, bad
from policies.llm.serving.shelf import Shelf
from policies.registry import split_name


@dataclass(frozen=True, slots=True)
class Served:
    """A model that callers can name."""

    name: str
    batcher: Batcher
    adapter: str | None = None
    """Key of its adapter on the base; None: the base itself."""
    parent: str | None = None
    """The base's name, where it is an adapter."""
    root: str = ""
    """Where it lies."""

    @property
    def base(self) -> Base:
        """Its base model; only the batcher's thread may compute with it."""
        return self.batcher.base


@dataclass
class Models:
    """Everything that is served.

    Args:
        allowed: the folder that adapters may be loaded from while the server runs; None: nothing is loaded.
        started: when, in seconds since 1970, for the list of models.
    """

    allowed: Path | None = None
    started: int = 0
    by_name: dict[str, Served] = field(default_factory=dict)
    _spare: list[tuple[Batcher, str, str]] = field(default_factory=list)
    """Adapters on a base that no name stands for any more: (batcher, shape, key); their places are used again."""
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @classmethod
    def of(cls, entrants: Sequence[str], allowed: str = "", started: int = 0) -> Models:
        """The models of specs, each ``llm:BASE``, ``llm:BASE+ADAPTER`` or ``NAME=SPEC``.

        Raises:
            UsageError: something else than a language model, or two of one name.
        """
        models = cls(Path(allowed).resolve() if allowed else None, started)
        for entrant in entrants:
            models.add(entrant)
        return models

    def add(self, entrant: str) -> None:
        """Serve one more spec.

        Raises:
            UsageError: it is no language model, or its name is taken.
        """
        name, spec = split_name(entrant)
        prefix, _, rest = spec.partition(":")
        if prefix != "llm":
            raise UsageError(
                f'"{spec}" can\'t be served: only language models answer messages, other players need the game; '
                "write llm:tiny, llm:FOLDER or llm:BASE+ADAPTER"
            )
        name = rest.partition("?")[0] if name == spec else name
        if name in self.by_name:
            raise UsageError(f'two models are called "{name}"; write NAME=SPEC to tell them apart')
        base_name, adapter, options = parse(rest)
        if others := set(options) - set(LOAD):
            raise UsageError(
                f'"{spec}": {", ".join(sorted(others))} can\'t be set here; a served model takes {", ".join(LOAD)}, '
                "and callers say the rest"
            )
        served = self._base(base_name, options)
        self.by_name[name] = Served(name, served.batcher, root=base_name)
        if adapter:
            self.by_name[name] = self._adapted(name, served, Path(adapter))

    def _base(self, name: str, options: dict[str, str]) -> Served:
        """A base, loaded once for all its adapters."""
        base = load_base(name, **options)
        batcher = next((m.batcher for m in self.by_name.values() if m.base is base), None) or Batcher(base)
        return Served(name, batcher, root=name)

    def get(self, name: object) -> Served:
        """The model called ``name``.

        Raises:
            Refusal: there is none (404), or the body names none (400).
        """
        if not isinstance(name, str):
            raise bad('"model" must be the name of a model; GET /v1/models lists them', "model")
        if name not in self.by_name:
            raise Refusal(404, str(unknown("model", name[:200], self.by_name)), "model", "model_not_found")
        return self.by_name[name]

    def load(self, name: str, path: str, *, inplace: bool = False, parent: str | None = None) -> None:
        """Serve the adapter folder ``path`` as ``name``.

        Args:
            name: what callers will ask for.
            path: a folder in PEFT's format, below ``allowed``.
            inplace: whether it may take the place of an adapter that has the name.
            parent: the model whose base it belongs to; None: the first.

        Raises:
            Refusal: loading is not allowed, the name is taken, or the folder is no adapter of this base.
        """
        with self._lock:
            folder = self._folder(path)
            there = self.by_name.get(name)
            if there is not None and not (inplace and there.parent):
                raise bad(f'"{name}" is served already; unload it first, or send "load_inplace": true', "lora_name")
            of = self.get(parent) if parent else there or next(iter(self.by_name.values()))
            try:
                self.by_name[name] = self._adapted(name, of, folder)
            except UsageError as error:
                raise bad(str(error), "lora_path") from None
            if there is not None:
                self._retire(there)

    def unload(self, name: str) -> None:
        """Serve the adapter ``name`` no longer.

        Raises:
            Refusal: there is no adapter of this name, or none may be unloaded.
        """
        with self._lock:
            if self.allowed is None:
                raise _closed()
            if self.get(name).parent is None:
                raise bad(f'"{name}" is a base model; only adapters are unloaded', "lora_name")
            self._retire(self.by_name.pop(name))

    def close(self) -> None:
        """Stop every engine."""
        for batcher in {id(m.batcher): m.batcher for m in self.by_name.values()}.values():
            batcher.close()

    def _folder(self, path: str) -> Path:
        if self.allowed is None:
            raise _closed()
        folder = (self.allowed / path).resolve()
        if not folder.is_relative_to(self.allowed):
            raise Refusal(403, "this server loads adapters from the folder of its --adapters alone", "lora_path")
        return folder

    def _adapted(self, name: str, of: Served, folder: Path) -> Served:
        parent = of.parent or of.name
        spare = [(shape, key) for batcher, shape, key in self._spare if batcher is of.batcher]
        shape, key = of.batcher.errand(lambda base, _: _load(base, folder, dict(spare))).result()
        self._spare = [one for one in self._spare if one != (of.batcher, shape, key)]
        return Served(name, of.batcher, key, parent, str(folder))

    def _retire(self, served: Served) -> None:
        """An adapter that no name stands for: what it read is forgotten, its place is used again."""
        key = str(served.adapter)

        def work(base: Base, shelf: Shelf) -> str:
            shelf.forget(key)
            base.engine.clear(key)
            return _shape(base.peft.peft_config[key])

        self._spare.append((served.batcher, served.batcher.errand(work).result(), key))


def _load(base: Base, folder: Path, spare: dict[str, str]) -> tuple[str, str]:
    """Put a folder's weights on the base, in a place that is free if one fits; (shape, key)."""
    check_adapter(folder, base.name, base.fingerprint)
    weights = read_tensors(folder / "adapter_model.safetensors")
    config = LoraConfig.from_pretrained(str(folder))
    shape = _shape(config)
    try:
        key = spare[shape] if shape in spare else base.add(config)
        base.set_weights(key, weights)
    except (RuntimeError, ValueError, TypeError, KeyError) as error:
        first = str(error).strip().splitlines()[0][:200]
        raise UsageError(f'the adapter in "{folder}" does not fit "{base.name}": {first}') from None
    return shape, key


def _shape(config: LoraConfig) -> str:
    """What adapters must have in common to take each other's place."""
    targets = config.target_modules
    named = targets if isinstance(targets, str) else sorted(targets or ())
    return repr((config.r, config.lora_alpha, named, config.use_rslora, config.use_dora, config.bias))


def _closed() -> Refusal:
    return Refusal(403, "this server loads no adapters while it runs; start it with --adapters FOLDER")
