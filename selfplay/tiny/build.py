"""Tokenizer and weights of ``llm:tiny``, reproducible from a seed."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

from games.stream import TRAINING, Stream
from policies.llm.base import TINY
from policies.llm.chat import ChatFormat
from selfplay.tiny.corpus import Conversation, conversations

TEMPLATE = (
    "{% for m in messages %}<|im_start|>{{ m['role'] }}\n{{ m['content'] }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
Row = tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]  # token ids, loss weights


@dataclass(frozen=True)
class TinyConfig:
    """What ``llm:tiny`` is made from."""

    version: int = 2
    """Raised whenever the model is retrained; adapters of another version are refused."""
    seed: int = 0
    """Seed of the corpus, the weights and the order of batches."""
    start: str = ""
    """Folder of an earlier build to go on from, with its tokenizer; by default the model starts from noise."""
    emphasis: str = ""
    """Games, with commas between, that fill eight times their share of the corpus."""
    conversations: int = 38_000
    """Conversations in the corpus."""
    vocabulary: int = 2048
    """Entries of the tokenizer."""
    hidden: int = 160
    """Width of the model."""
    layers: int = 4
    """Depth of the model."""
    heads: int = 5
    """Attention heads."""
    context: int = 4096
    """Tokens of the longest conversation."""
    epochs: float = 1.0
    """Passes over the corpus."""
    batch_tokens: int = 1536
    """Tokens of one update, padding included; small batches learn faster per token."""
    learning_rate: float = 2e-3
    """Peak learning rate of AdamW; warmed up, then cosine to a tenth."""
    reading: float = 0.15
    """Loss weight of what the model reads (rules and observations); replies weigh 1."""
    init: float = 0.06
    """Standard deviation of the initial weights; the usual 0.02 is too little for so narrow a model."""
    sharpen: float = 1.15
    """What the logits are multiplied by in the end: even choices stay even, slips become rarer."""


def build(config: TinyConfig, folder: Path = TINY) -> None:
    """Make corpus, tokenizer and weights, and write them to ``folder``."""
    started = time.perf_counter()
    corpus = conversations(config.conversations, config.seed, more=dict.fromkeys(config.emphasis.split(","), 8.0))
    if config.start:
        tokenizer = PreTrainedTokenizerFast.from_pretrained(config.start)
    else:
        tokenizer = train_tokenizer(corpus, config.vocabulary)
    rows = [encode(c, ChatFormat.of(tokenizer), config.reading) for c in corpus]
    tokens = sum(len(ids) for ids, _ in rows)
    print(f"corpus: {len(rows)} conversations, {tokens:,} tokens, {time.perf_counter() - started:.0f} s", flush=True)
    model = train(rows, config, tokenizer)
    model.save_pretrained(str(folder), safe_serialization=True)
    tokenizer.save_pretrained(str(folder))
    earlier = Path(config.start) / "arena.json"
    history = json.loads(earlier.read_text(encoding="utf-8")) if config.start else {}
    minutes = round((time.perf_counter() - started) / 60 + history.get("minutes", 0.0), 1)
    about = {"name": "tiny", "config": {**asdict(config), "start": ""}, "after": history, "minutes": minutes}
    (folder / "arena.json").write_text(json.dumps(about, indent=1) + "\n", encoding="utf-8")


def train_tokenizer(corpus: Sequence[Conversation], vocabulary: int) -> PreTrainedTokenizerFast:
    """A byte-level BPE tokenizer with single digits and ChatML control tokens."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.ByteLevel(add_prefix_space=False)]
    )
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=vocabulary,
        special_tokens=["<|endoftext|>", "<|im_start|>", "<|im_end|>"],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    texts = (f"user\n{c.text}\nassistant\nsystem\n" for c in corpus[:6000])
    tokenizer.train_from_iterator(texts, trainer)
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        bos_token=None,
        eos_token="<|im_end|>",
        pad_token="<|endoftext|>",
        additional_special_tokens=["<|im_start|>"],
        chat_template=TEMPLATE,
        clean_up_tokenization_spaces=False,
    )


def encode(conversation: Conversation, chat: ChatFormat, reading: float) -> Row:
    """Token ids of a conversation and the loss weight of each."""
    ids = list(chat.opening(conversation.rules))
    weights = [reading] * len(ids)
    for index, (observation, reply) in enumerate(conversation.exchanges):
        read = chat.next(observation) if index else chat.first(observation)
        said = (*chat.content(reply), chat.end)
        ids += [*read, *said]
        weights += [reading] * len(read) + [1.0] * len(said)
    return np.array(ids, np.int64), np.array(weights, np.float32)


def train(rows: Sequence[Row], config: TinyConfig, tokenizer: PreTrainedTokenizerFast) -> LlamaForCausalLM:
    """Weights by AdamW on length-sorted batches in seeded random order."""
    torch.manual_seed(config.seed)
    if config.start:
        model = LlamaForCausalLM.from_pretrained(config.start, use_safetensors=True)
    else:
        model = LlamaForCausalLM(_llama(config, tokenizer))
    optimizer = torch.optim.AdamW(model.parameters(), lr=config.learning_rate, betas=(0.9, 0.95), weight_decay=0.05)
    batches = list(_batches(rows, config))
    started, tokens, losses = time.perf_counter(), 0, []
    for step, batch in enumerate(batches):
        for group in optimizer.param_groups:
            group["lr"] = config.learning_rate * _schedule(step, len(batches))
        loss = _loss(model, batch)
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        losses.append(loss.item())
        tokens += sum(len(ids) for ids, _ in batch)
        if step % 200 == 199 or step == len(batches) - 1:
            rate = tokens / (time.perf_counter() - started)
            recent = np.mean(losses[-200:])
            print(f"step {step + 1}/{len(batches)}  loss {recent:.4f}  {rate:,.0f} tokens/s", flush=True)
    return _sharpened(model.eval(), config.sharpen)


@torch.no_grad()
def _sharpened(model: LlamaForCausalLM, factor: float) -> LlamaForCausalLM:
    """The model with its logits multiplied: temperature 1 then samples as 1 / ``factor`` did."""
    model.model.norm.weight.mul_(factor)
    return model


def _llama(config: TinyConfig, tokenizer: PreTrainedTokenizerFast) -> LlamaConfig:
    return LlamaConfig(
        vocab_size=len(tokenizer),
        hidden_size=config.hidden,
        intermediate_size=3 * config.hidden,
        num_hidden_layers=config.layers,
        num_attention_heads=config.heads,
        max_position_embeddings=config.context,
        initializer_range=config.init,
        tie_word_embeddings=True,
        bos_token_id=None,
        eos_token_id=tokenizer.eos_token_id,
        pad_token_id=tokenizer.pad_token_id,
    )


def _schedule(step: int, steps: int) -> float:
    warm = max(1, steps // 30)
    if step < warm:
        return (step + 1) / warm
    return 0.1 + 0.45 * (1 + math.cos(math.pi * (step - warm) / max(1, steps - warm)))


def _batches(rows: Sequence[Row], config: TinyConfig) -> Iterator[list[Row]]:
    """Batches of similar lengths, about ``batch_tokens`` each, in random order, for as many passes as asked."""
    wanted = round(config.epochs * len(rows))
    for epoch in range(math.ceil(config.epochs)):
        rng = Stream(config.seed, TRAINING, 3, epoch)
        order = rng.shuffled(range(len(rows)))[: wanted - epoch * len(rows)]
        pools = [order[i : i + 2048] for i in range(0, len(order), 2048)]
        for pool in pools:
            yield from rng.shuffled(_packed([rows[i] for i in pool], config.batch_tokens))


def _packed(rows: list[Row], batch_tokens: int) -> list[list[Row]]:
    batches: list[list[Row]] = [[]]
    for row in sorted(rows, key=lambda r: len(r[0])):
        if batches[-1] and (len(batches[-1]) + 1) * len(row[0]) > batch_tokens:
            batches.append([])
        batches[-1].append(row)
    return batches


def _loss(model: LlamaForCausalLM, batch: list[Row]) -> torch.Tensor:
    """Weighted next-token cross-entropy, mean over weights."""
    width = max(len(ids) for ids, _ in batch)
    ids_BT = torch.zeros(len(batch), width, dtype=torch.long)
    weights_BT = torch.zeros(len(batch), width)
    for b, (ids, weights) in enumerate(batch):
        ids_BT[b, : len(ids)] = torch.from_numpy(ids)
        weights_BT[b, : len(ids)] = torch.from_numpy(weights)
    logits = model(input_ids=ids_BT).logits[:, :-1]
    loss_BT = torch.nn.functional.cross_entropy(logits.transpose(1, 2), ids_BT[:, 1:], reduction="none")
    return (loss_BT * weights_BT[:, 1:]).sum() / weights_BT[:, 1:].sum()
