"""Base models and their LoRA adapters: a base is loaded once, a population of adapters shares it."""

from __future__ import annotations

import hashlib
import json
import os
import warnings
from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import torch
from peft import LoraConfig, get_peft_model
from peft.utils import get_peft_model_state_dict, set_peft_model_state_dict
from safetensors.torch import save_file
from transformers import AutoConfig, AutoModelForCausalLM, AutoTokenizer
from transformers.utils import logging as transformers_logging

from games.errors import ArenaError, UsageError
from policies.llm.cache import SlotCache
from policies.llm.chat import ChatFormat
from policies.llm.engine import Engine
from policies.llm.files import check_adapter, fingerprint, read_tensors
from policies.llm.pull import SOURCES, pulled

transformers_logging.disable_progress_bar()  # a model loads in a blink; bars would break the tables

TINY = Path(__file__).parent / "tiny"
_LOADED: dict[tuple[str, str, str], Base] = {}
_NO_ADAPTER = "__base__"  # peft's name for rows without one


class Base:
    """A base model with its tokenizer, its chat format and the adapters loaded onto it."""

    def __init__(self, name: str, folder: str, dtype: torch.dtype, device: torch.device) -> None:
        self.name, self.folder, self.dtype, self.device = name, folder, dtype, device
        self.tokenizer = AutoTokenizer.from_pretrained(folder, trust_remote_code=False)
        loader: Any = AutoModelForCausalLM
        self.model: Any = loader.from_pretrained(
            folder, dtype=dtype, use_safetensors=True, trust_remote_code=False, attn_implementation="sdpa"
        )
        self.model.to(device).eval().requires_grad_(False)
        self.chat = ChatFormat.of(self.tokenizer)
        self.peft: Any = None  # the PeftModel around the base, once there is an adapter
        self._adapters: dict[str, str] = {}
        self._holders: Counter[str] = Counter()
        self._added = 0
        self._active: str | None = None

    @cached_property
    def fingerprint(self) -> str:
        """What adapters belong to: SHA-256 over weights, configuration and tokenizer, or id and commit at the hub."""
        if Path(self.folder).is_dir():
            return fingerprint(Path(self.folder))
        return f"hub:{self.folder}@{getattr(self.model.config, '_commit_hash', None)}"

    @property
    def context(self) -> int:
        """Tokens a conversation may have at most."""
        return int(self.model.config.max_position_embeddings)

    @cached_property
    def engine(self) -> Engine:
        """Reads conversations; all policies of this base share it and its memory."""
        cache = SlotCache(self.model.config, self.dtype, self.device)
        cache.tokens = spare_bytes(self.device) // cache.bytes_per_token
        return Engine(self.forward, cache, mixed=self.device.type != "cpu")

    def forward(
        self,
        adapters: Sequence[str | None],
        ids: torch.Tensor,
        mask: torch.Tensor,
        positions: torch.Tensor,
        cache: SlotCache | None,
        keep: torch.Tensor,
    ) -> torch.Tensor:
        """Logits (kept, vocabulary), each row with its own adapter.

        Args:
            adapters: for each row the key of a loaded adapter; None: the base itself.
            ids: (B, T) token ids.
            mask: (B, 1, T, S) boolean, True where attention is allowed.
            positions: (B, T) rotary positions.
            cache: the slots to read and write, or None.
            keep: (B, T) boolean, the positions whose logits are wanted.
        """
        inputs = {"input_ids": ids, "attention_mask": mask, "position_ids": positions, "logits_to_keep": keep}
        placed = {k: v.to(self.device) for k, v in inputs.items()}
        rest = {"cache": cache, "use_cache": cache is not None}
        if len(set(adapters)) == 1:
            self.use(adapters[0])
            return self.model(**placed, **rest).logits
        self.use(next(adapter for adapter in adapters if adapter is not None))  # so that adapters are on at all
        return self.peft(**placed, **rest, adapter_names=[adapter or _NO_ADAPTER for adapter in adapters]).logits

    def use(self, adapter: str | None) -> None:
        """Switch the active adapter (None: all off); gradients then flow to it alone."""
        if adapter == self._active or self.peft is None:
            return
        if adapter is None:
            self.peft.base_model.disable_adapter_layers()
        else:
            if self._active is None:
                self.peft.base_model.enable_adapter_layers()
            self.peft.set_adapter(adapter)
        self._active = adapter

    def load(self, path: str | Path) -> str:
        """Load the adapter folder at ``path`` and return its key; a folder is loaded once per content.

        Raises:
            UsageError: the folder is no adapter, or an adapter of another base model.
        """
        folder = check_adapter(Path(path), self.name, self.fingerprint)
        weights = folder / "adapter_model.safetensors"
        settings = (folder / "adapter_config.json").read_bytes()
        content = hashlib.sha256(settings + weights.read_bytes()).hexdigest()
        if content not in self._adapters:
            self._adapters[content] = self._load(folder, read_tensors(weights))
        self._holders[self._adapters[content]] += 1
        return self._adapters[content]

    def _load(self, folder: Path, weights: dict[str, torch.Tensor]) -> str:
        try:
            key = self.add(LoraConfig.from_pretrained(str(folder)))
            self.set_weights(key, weights)
        except (RuntimeError, ValueError, TypeError, KeyError) as error:
            first = str(error).strip().splitlines()[0][:200]
            raise UsageError(f'the adapter in "{folder}" does not fit "{self.name}": {first}') from None
        return key

    def add(self, config: LoraConfig, seed: int = 0) -> str:
        """A fresh adapter (B matrices zero: the base's behaviour) and its key."""
        key = f"a{self._added}"
        self._added += 1
        config.inference_mode = False
        config.base_model_name_or_path = self.model.name_or_path  # where it lies here; check_adapter knows whose it is
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", FutureWarning)  # peft asks transformers for a name it is renaming
                self._attach(key, config)
        self.peft.eval()
        self.use(None)
        return key

    def _attach(self, key: str, config: LoraConfig) -> None:
        if self.peft is None:
            self.peft = get_peft_model(self.model, config, adapter_name=key)
            self._active = key
        else:
            self.peft.add_adapter(key, config)

    def drop(self, key: str) -> None:
        """One of those who loaded an adapter needs it no longer; after the last of them its memory is given back."""
        self._holders[key] -= 1
        if self._holders[key] > 0:
            return
        if self._active == key:
            self.use(None)
        self.engine.clear(key)
        self.peft.delete_adapter(key)
        self._adapters = {content: k for content, k in self._adapters.items() if k != key}

    def weights(self, key: str) -> dict[str, torch.Tensor]:
        """The adapter's weights in PEFT's naming, copied to the CPU."""
        state = get_peft_model_state_dict(self.peft, adapter_name=key, save_embedding_layers=False)
        return {name: tensor.detach().to("cpu", copy=True).contiguous() for name, tensor in state.items()}

    def set_weights(self, key: str, weights: dict[str, torch.Tensor]) -> None:
        """Overwrite an adapter's weights in place."""
        set_peft_model_state_dict(self.peft, weights, adapter_name=key)

    def content(self, key: str) -> str:
        """SHA-256 over an adapter's weights."""
        digest = hashlib.sha256()
        for name, tensor in sorted(self.weights(key).items()):
            digest.update(name.encode() + tensor.numpy().tobytes())
        return digest.hexdigest()

    def parameters(self, key: str) -> list[torch.nn.Parameter]:
        """The adapter's trainable parameters, in a fixed order."""
        return [p for name, p in self.model.named_parameters() if f".{key}." in name]

    def save(self, key: str, path: Path, note: dict[str, Any] | None = None) -> None:
        """Write the adapter as a PEFT folder that remembers its base; it appears whole or not at all."""
        partial = path.with_name(path.name + ".partial")
        partial.mkdir(parents=True, exist_ok=True)
        config = self.peft.peft_config[key]
        config.base_model_name_or_path = f"llm:{self.name}"
        config.save_pretrained(str(partial))
        save_file(self.weights(key), str(partial / "adapter_model.safetensors"), metadata={"format": "pt"})
        about = {"base": self.name, "base_sha256": self.fingerprint, **(note or {})}
        (partial / "arena.json").write_text(json.dumps(about, indent=1) + "\n", encoding="utf-8")
        if path.exists():
            raise ArenaError(f"{path} exists already; a snapshot is never overwritten")
        os.replace(partial, path)


def load_base(
    name: str, dtype: str = "auto", device: str = "auto", kv_tokens: str = "auto", chunk_tokens: str = "auto"
) -> Base:
    """The base model ``name`` (``tiny``, ``smollm2``, a folder, a hub id), loaded once per dtype and device.

    Args:
        name: which.
        dtype: ``auto``: float32 on a processor, bfloat16 on a GPU.
        device: ``auto``: a GPU where there is one.
        kv_tokens: tokens that the keys and values of conversations may take in memory; ``auto``: a quarter of it on a
            processor, half of what is free on a GPU.
        chunk_tokens: tokens of a forward pass at most; ``auto``: 4,096.

    Raises:
        UsageError: no such model, or it can't be loaded; the message says what to do.
    """
    where = ("cuda" if torch.cuda.is_available() else "cpu") if device == "auto" else device
    kind = ("bfloat16" if where.startswith("cuda") else "float32") if dtype == "auto" else dtype
    if not isinstance(getattr(torch, kind, None), torch.dtype) or not getattr(torch, kind).is_floating_point:
        raise UsageError(f'dtype="{kind}" is unknown; use auto, float32, bfloat16 or float16')
    key = (name, kind, where)
    if key not in _LOADED:
        folder = base_folder(name)
        try:
            _LOADED[key] = Base(name, folder, getattr(torch, kind), torch.device(where))
        except (OSError, ValueError, RuntimeError) as error:
            first = str(error).strip().splitlines()[0][:200]
            raise UsageError(
                f'base model "{name}" can\'t be loaded ({first}); use llm:tiny, llm:smollm2, a folder with config.json '
                "and model.safetensors, or a hub id such as llm:Qwen/Qwen3-0.6B where the hub can be reached"
            ) from None
    _bound(_LOADED[key].engine, kv_tokens, chunk_tokens)
    return _LOADED[key]


def _bound(engine: Engine, kv_tokens: str, chunk_tokens: str) -> None:
    """Set the engine's limits, where they are given."""
    for name, text in (("kv_tokens", kv_tokens), ("chunk_tokens", chunk_tokens)):
        if text != "auto" and (not text.isdecimal() or int(text) < 1):
            raise UsageError(f'llm option {name}="{text}" is no number of tokens; give a whole number or auto')
    if kv_tokens != "auto":
        engine.cache.tokens = int(kv_tokens)
    if chunk_tokens != "auto":
        engine.chunk_tokens = int(chunk_tokens)


def spare_bytes(device: torch.device) -> int:
    """Memory that keys and values may take: half of what is free on a GPU, else a quarter of the machine's."""
    if device.type == "cuda":
        return int(torch.cuda.mem_get_info(device)[0]) // 2
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 4


def read_words(name: str) -> tuple[ChatFormat, int, str]:
    """What is known of a base without its weights: (chat format, context in tokens, fingerprint).

    Raises:
        UsageError: no such model, or it can't be read.
    """
    folder = base_folder(name)
    try:
        tokenizer = AutoTokenizer.from_pretrained(folder, trust_remote_code=False)
        context = int(AutoConfig.from_pretrained(folder, trust_remote_code=False).max_position_embeddings)
    except (OSError, ValueError, AttributeError) as error:
        first = str(error).strip().splitlines()[0][:200]
        raise UsageError(
            f'tokenizer and configuration of "{name}" can\'t be read ({first}); before "@" stands the base as it is '
            "called here, a folder or a hub id; what it is called at the server goes behind it: ?served=NAME"
        ) from None
    mark = fingerprint(Path(folder)) if Path(folder).is_dir() else f"hub:{folder}"
    return ChatFormat.of(tokenizer), context, mark


def base_folder(name: str) -> str:
    """Where a base lies: in the package, where it was pulled to, or what the name itself says."""
    if name == "tiny":
        return str(TINY)
    return str(pulled(name)) if name in SOURCES else name
