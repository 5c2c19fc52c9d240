"""vLLM in this process: many adapters of one base, swapped while it runs (``vllm.LLM``, ``LoRARequest``)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from games.errors import ArenaError, MissingExtra, UsageError
from policies.llm.remote.asking import Floats, Got, Want


@dataclass(frozen=True)
class VllmOptions:
    """How vLLM is started; what is one model of these settings is started once."""

    lora_rank: int = 16
    """Greatest rank of an adapter."""
    loras: int = 4
    """Adapters in one batch at most."""
    memory: float = 0.5
    """Share of the GPU's memory that it takes; a learner in the same process needs the rest."""
    dtype: str = "auto"
    """Number format of the weights."""

    def __post_init__(self) -> None:
        limits = {"lora_rank": (1, 512), "loras": (1, 4096), "memory": (0.01, 1.0)}
        for name, (low, high) in limits.items():
            if not low <= getattr(self, name) <= high:
                raise UsageError(f"llm option {name}={getattr(self, name)} must lie between {low:g} and {high:g}")


class VllmRemote:
    """One base model in vLLM's own engine, with the adapters that were published to it.

    Args:
        model: the model's folder or hub id.
        options: how it is started.

    Raises:
        MissingExtra: vLLM is not installed.
    """

    def __init__(self, model: str, options: VllmOptions) -> None:
        if find_spec("vllm") is None:
            raise MissingExtra("vLLM is not installed; run, where a GPU is: pip install 'selfplay-arena[vllm]'")
        import vllm

        self.name, self._vllm = f"{model} in vLLM", vllm
        self._llm = vllm.LLM(
            model=model,
            dtype=options.dtype,
            enable_lora=True,
            max_lora_rank=options.lora_rank,
            max_loras=options.loras,
            gpu_memory_utilization=options.memory,
            logprobs_mode="processed_logprobs",  # of what is really sampled from: temperature and masks included
            max_logprobs=-1,
            generation_config="vllm",  # not the sampling that the model's makers recommend
        )
        self.context = int(self._llm.llm_engine.model_config.max_model_len)
        self._adapters: dict[str, Any] = {}
        self._made = 0

    def complete(self, wants: Sequence[Want]) -> list[Got]:
        """Sample a reply to each, in one batch."""
        return [self._got(output) for output in self._generate(wants, 0)]

    def weigh(self, wants: Sequence[Want]) -> list[Floats]:
        """Weigh every choice, in one batch."""
        top = max(len(want.allowed or ()) for want in wants)
        found = [output.logprobs[0] for output in self._generate(wants, top)]
        return [
            np.array([logps[token].logprob for token in want.allowed or ()])
            for want, logps in zip(wants, found, strict=True)
        ]

    def publish(self, name: str, folder: Path) -> None:
        """Know the adapter in ``folder`` as ``name``; vLLM loads it with the first request that uses it."""
        from vllm.lora.request import LoRARequest

        self._made += 1  # a number of its own each time: caches of earlier weights never fit
        self._adapters[name] = LoRARequest(lora_name=name, lora_int_id=self._made, lora_path=str(folder.resolve()))

    def retire(self, name: str) -> None:
        """Forget an adapter."""
        if (request := self._adapters.pop(name, None)) is not None:
            self._llm.llm_engine.remove_lora(request.lora_int_id)

    def published(self) -> list[str]:
        """Names of the adapters."""
        return list(self._adapters)

    def _generate(self, wants: Sequence[Want], top: int) -> list[Any]:
        prompts = [{"prompt_token_ids": list(want.ids)} for want in wants]
        settings = [self._settings(want, top) for want in wants]
        adapters = [self._adapters[want.model] if want.model else None for want in wants]
        done = self._llm.generate(prompts, settings, lora_request=adapters, use_tqdm=False)
        return [request.outputs[0] for request in done]

    def _settings(self, want: Want, top: int) -> Any:
        return self._vllm.SamplingParams(
            max_tokens=want.max_tokens,
            temperature=want.temperature,
            seed=want.seed if want.seed < 2**63 else want.seed - 2**64,
            logprobs=top,
            allowed_token_ids=list(want.allowed) if want.allowed is not None else None,
            stop_token_ids=[want.end] if want.end is not None else None,
            stop=[want.stop] if want.stop else None,
            include_stop_str_in_output=bool(want.stop),
        )

    def _got(self, output: Any) -> Got:
        ids = tuple(map(int, output.token_ids))
        if not ids or output.logprobs is None:
            raise ArenaError(f"{self.name} returned no tokens with log-probabilities; use vLLM 0.10.2 or newer")
        return Got(ids, tuple(float(at[token].logprob) for token, at in zip(ids, output.logprobs, strict=True)))


@cache
def started(model: str, options: VllmOptions) -> VllmRemote:
    """VLLM with this model, started once."""
    return VllmRemote(model, options)
