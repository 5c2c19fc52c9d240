"""Our training step against TRL's GRPO trainer on the same tokens: the same model, LoRA, advantages and updates.

python bench/trl_step.py [SPEC] [SEATS]      (pip install 'selfplay-arena[bench]')

Matches are played once; both sides then get the same conversations with the same trained tokens. TRL's trainer is the
released one with its generation switched off, in one batch per update cut into pieces of as many tokens as ours, no
gradient checkpointing, no KL term. Times are processor time in turns within one process; the gradients of both are
compared first.
"""

from __future__ import annotations

import statistics
import sys
import time
import warnings
from collections.abc import Mapping, Sequence
from tempfile import TemporaryDirectory
from typing import Any

import torch
from transformers import AutoModelForCausalLM

import games
from arena.illegal import IllegalRule
from arena.match import run_matches
from arena.records import Match
from policies.llm.base import Base
from policies.llm.player import Decoding, LLMPolicy
from selfplay import TrainConfig
from selfplay.advantages import Normaliser, get_preset
from selfplay.batch import Talk, sequences
from selfplay.learner import Learner
from selfplay.models import base_of, lora
from selfplay.table import turn_table

try:
    from datasets import Dataset
    from trl import GRPOConfig, GRPOTrainer
except ModuleNotFoundError as error:
    sys.exit(print(f"{error.name} is not installed; run: pip install 'selfplay-arena[bench]'"))

GAMES = ("trust-and-split:rounds=5", "prisoners-dilemma:rounds=10")
PAIRS = 3
TARGET = 1.5
Inputs = Mapping[str, torch.Tensor]


class Prepared(GRPOTrainer):
    """TRL's trainer on batches that are ready: nothing is generated."""

    def _prepare_inputs(self, generation_batch: Any) -> Any:
        return generation_batch


def played(game: str, learner: Learner, seats: int) -> list[Talk]:
    """The conversations of one batch of self-play, with their advantages."""
    made = games.make(game)
    matches = [Match(i, made, 0, ("learner", "learner")) for i in range(seats // 2)]
    policy = LLMPolicy(learner.base, learner.adapter, Decoding(decode="free", max_new_tokens=24))
    rule = IllegalRule.parse("random-legal")
    episodes = list(run_matches(matches, {"learner": policy}, seed=1, live=len(matches), illegal=rule))
    episodes.sort(key=lambda e: e.match.id)
    table = turn_table(episodes, "learner", 0.03)
    return sequences(episodes, table, get_preset("mars").estimate(table, learner.config, Normaliser()))


def trainer_of(base: Base, config: TrainConfig, rows: int, folder: str) -> Prepared:
    """TRL's trainer of a fresh copy of the base, with the same adapter."""
    model = AutoModelForCausalLM.from_pretrained(base.folder, dtype=torch.float32, attn_implementation="sdpa")
    arguments = GRPOConfig(
        output_dir=folder, per_device_train_batch_size=rows, num_generations=2, beta=0.0, loss_type="dr_grpo",
        learning_rate=config.learning_rate, gradient_checkpointing=False, bf16=False, use_cpu=True, report_to=[],
        max_completion_length=1, disable_dropout=True,
    )  # fmt: skip
    prompts = Dataset.from_list([{"prompt": "x"}] * rows)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        trainer = Prepared(
            model, reward_funcs=lambda completions, **_: [0.0] * len(completions), args=arguments,
            train_dataset=prompts, processing_class=base.tokenizer, peft_config=lora(config),
        )  # fmt: skip
    trainer.create_optimizer()
    return trainer


def pieces(rows: Sequence[Talk], tokens: int) -> list[Inputs]:
    """The conversations as TRL takes them, similar lengths together, pieces of at most ``tokens``."""
    ordered, groups = sorted(rows, key=lambda r: len(_used(r))), list[list[Talk]]()
    for row in ordered:
        if not groups or (len(groups[-1]) + 1) * len(_used(row)) > tokens:
            groups.append([])
        groups[-1].append(row)
    return [_padded(group, len(group) * len(groups) / len(rows)) for group in groups]


def _used(row: Talk) -> tuple[int, ...]:
    """What there is to read up to the last decision, its token included."""
    return row.ids[: max(d.position for d in row.decisions) + 2]


def _padded(group: Sequence[Talk], weight: float) -> Inputs:
    """Prompts padded on the left, the rest on the right; ``tool_mask`` leaves only what was decided.

    TRL takes the mean over pieces; ``weight`` makes it the mean over conversations.
    """
    starts = [min(d.position for d in row.decisions) + 1 for row in group]
    prompt, rest = max(starts), max(len(_used(r)) - s for r, s in zip(group, starts, strict=True))
    out = {f"{part}_{kind}": torch.zeros(len(group), width, dtype=torch.long)
           for part, width in (("prompt", prompt), ("completion", rest)) for kind in ("ids", "mask")}  # fmt: skip
    out["tool_mask"] = torch.zeros(len(group), rest, dtype=torch.long)
    out["advantages"] = torch.zeros(len(group), rest)
    for b, (row, start) in enumerate(zip(group, starts, strict=True)):
        ids = torch.tensor(_used(row))
        out["prompt_ids"][b, prompt - start :], out["prompt_mask"][b, prompt - start :] = ids[:start], 1
        out["completion_ids"][b, : len(ids) - start], out["completion_mask"][b, : len(ids) - start] = ids[start:], 1
        for decision in row.decisions:
            out["tool_mask"][b, decision.position + 1 - start] = 1
            out["advantages"][b, decision.position + 1 - start] = weight * decision.advantage
    return out


def step_of(trainer: Prepared, inputs: Sequence[Inputs]) -> None:
    """One update of TRL's: its training step on each piece, then clipping and its optimizer."""
    optimizer: Any = trainer.optimizer
    optimizer.zero_grad(set_to_none=True)
    trainer.current_gradient_accumulation_steps = len(inputs)
    for piece in inputs:
        trainer.training_step(trainer.model, piece, None)
    torch.nn.utils.clip_grad_norm_(trainer.model.parameters(), 1.0)
    optimizer.step()


def agreement(learner: Learner, trainer: Prepared) -> float:
    """Cosine of both gradients at the same weights."""
    ours = {
        n.replace(f".{learner.adapter}.", "."): p
        for n, p in learner.base.model.named_parameters()
        if p.grad is not None
    }
    learner.base.use(learner.adapter)
    theirs = {}
    for name, parameter in trainer.model.named_parameters():
        if parameter.requires_grad:
            plain = name.removeprefix("base_model.model.").replace(".default.", ".")
            theirs[plain] = parameter.grad
    names = sorted(set(ours) & set(theirs))
    a, b = (torch.cat([v.flatten() for v in vs]) for vs in ([ours[n].grad for n in names], [theirs[n] for n in names]))
    return float(torch.nn.functional.cosine_similarity(a, b, dim=0))


def copy_weights(learner: Learner, trainer: Prepared) -> None:
    """Give TRL's adapter our weights."""
    own = dict(learner.base.model.named_parameters())
    with torch.no_grad():
        for name, parameter in trainer.model.named_parameters():
            if parameter.requires_grad:
                mine = name.removeprefix("base_model.model.").replace(".default.", f".{learner.adapter}.")
                parameter.copy_(own[mine])


def seconds(work: Any) -> float:
    """Processor time of ``work``."""
    started = time.process_time()
    work()
    return time.process_time() - started


def compare(game: str, spec: str, seats: int) -> float:
    """Print both times and return the median ratio."""
    config = TrainConfig(base=spec, entropy=0.0, warmup=0, learning_rate=1e-4, clip_low=0.9, clip_high=99.0)
    learner = Learner(base_of(config)[0], config)
    rows = played(game, learner, seats)
    inputs = pieces(rows, config.chunk_tokens)
    read = sum(len(_used(row)) for row in rows)
    with TemporaryDirectory() as folder:
        trainer = trainer_of(learner.base, config, 2, folder)
        copy_weights(learner, trainer)
        learner.update(rows, 0), step_of(trainer, inputs)
        trained, distinct = sum(len(row.decisions) for row in rows), len({row.ids for row in rows})
        print(f"{game}: {len(rows)} conversations, {distinct} distinct, {read} tokens, {trained} of them trained")
        print(f"  cosine of both gradients {agreement(learner, trainer):.4f}")
        ratios = []
        for number in range(1, PAIRS + 1):
            ours = seconds(lambda n=number: learner.update(rows, n))
            theirs = seconds(lambda: step_of(trainer, inputs))
            ratios.append(theirs / ours)
            print(f"  ours {ours:.2f} s, TRL {theirs:.2f} s: {ratios[-1]:.2f} x", flush=True)
    return statistics.median(ratios)


def main(spec: str, seats: int) -> None:
    """A game with messages and one of moves alone."""
    torch.set_num_threads(1)
    warnings.simplefilter("ignore", FutureWarning)  # TRL's own use of names that transformers is renaming
    for game in GAMES:
        print(f"training step, {game}: {compare(game, spec, seats):.2f} x TRL's (target {TARGET:g} x)", flush=True)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "llm:tiny", int(sys.argv[2]) if len(sys.argv) > 2 else 32)
