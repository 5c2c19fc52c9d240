"""The model behind a configuration: its base, the shape of its adapter, how it chooses replies."""

from __future__ import annotations

from functools import partial
from typing import Any

from peft import LoraConfig
from torch.utils.checkpoint import checkpoint
from transformers.modeling_layers import GradientCheckpointingLayer

from games.errors import UsageError
from policies.llm import parse
from policies.llm.base import Base, load_base
from policies.llm.decoding import Decoding
from policies.llm.remote import split_engine
from selfplay.config import TrainConfig

TARGETS = "all-linear"


def base_of(config: TrainConfig) -> tuple[Base, str]:
    """The base model of a configuration, and the folder of the adapter to go on from, if there is one.

    Raises:
        UsageError: it is no language model.
    """
    prefix, _, rest = config.base.partition(":")
    if prefix != "llm" or not rest:
        raise UsageError(f'base="{config.base}" is no language model; write llm:tiny, llm:FOLDER or llm:HUB-ID')
    rest, engine = split_engine(rest)
    if engine:
        raise UsageError(f'base="{config.base}" is trained here; where its matches are played is --sampler {engine}')
    name, adapter, options = parse(rest)
    if config.dtype:
        options["dtype"] = config.dtype
    return load_base(name, **options), adapter


def recompute(model: Any) -> None:
    """Keep only each layer's input for the backward pass and compute the rest again there (arXiv 1604.06174).

    transformers does so in training mode alone, which would switch dropout on; here only the layers are told.
    """
    for module in model.modules():
        if isinstance(module, GradientCheckpointingLayer):
            layer: Any = module
            layer.gradient_checkpointing, layer.training = True, True
            layer._gradient_checkpointing_func = partial(checkpoint, use_reentrant=False)


def decoding_of(config: TrainConfig) -> Decoding:
    """How the learner chooses its replies."""
    return Decoding(config.decode, config.temperature, config.max_new_tokens, config.think)


def lora(config: TrainConfig) -> LoraConfig:
    """The shape of the adapter that is trained."""
    return LoraConfig(r=config.lora_rank, lora_alpha=config.lora_alpha, target_modules=TARGETS, task_type="CAUSAL_LM")
