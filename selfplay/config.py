"""The configuration of a training run. Importing it never imports torch."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args, get_type_hints

from arena.illegal import IllegalRule
from games.errors import BadOption

LIMITS: Mapping[str, tuple[float, float]] = {
    "seed": (-(2**62), 2**62), "steps": (1, 10**7), "matches": (1, 10**6), "group_size": (1, 10**6), "epochs": (1, 100),
    "minibatches": (1, 1000), "lora_rank": (1, 1024), "lora_alpha": (1, 4096), "snapshot_every": (1, 10**7),
    "checkpoint_every": (1, 10**7), "pool": (1, 1000), "gate_matches": (2, 10**6), "gate_margin": (0.0, 1.0),
    "samples_every": (0, 10**7), "actors": (1, 10**4), "staleness": (0, 1000),
    "live": (1, 10**6), "chunk_tokens": (64, 10**8), "threads": (0, 1024),
    "entropy_steps": (0, 10**7), "decay_steps": (0, 10**7), "decay_end": (0.0, 1.0),
    "warmup": (0, 10**6), "max_new_tokens": (1, 10**5), "think": (0, 10**6),
    "gamma": (0.0, 1.0), "beta": (0.0, 1000.0), "learning_rate": (0.0, 1.0), "adam_eps": (0.0, 1.0),
    "clip_low": (0.0, 1.0), "clip_high": (0.0, 100.0), "clip_dual": (0.0, 100.0), "importance_cap": (0.0, 100.0),
    "loss_length": (1, 10**6), "kl": (0.0, 1000.0), "reference": (0.0, 1000.0), "reference_every": (1, 10**7),
    "entropy": (-10.0, 1000.0), "std_floor": (0.0, 1.0), "temperature": (0.01, 100.0),
    "exploiter_wins": (0.5, 1.0), "exploiter_steps": (1, 10**7), "max_grad_norm": (1e-06, 1000000000.0),
}  # fmt: skip
"""Least and greatest value of the settings that are numbers."""


@dataclass(frozen=True)
class TrainConfig:
    """Everything that decides what a training run computes, and where it lies."""

    game: str = "prisoners-dilemma"
    """Game to train on, options behind a colon: prisoners-dilemma:rounds=20; several: 2*kuhn-poker + tic-tac-toe."""
    curriculum: tuple[str, ...] = ()
    """Other games from some step on, as STEP:GAME: 50:goofspiel:cards=4."""
    preset: str = "mars"
    """How rewards become advantages; `arena train --list` shows all presets."""
    base: str = "llm:tiny"
    """Base model that the adapter is trained on (llm:BASE, or llm:BASE+ADAPTER to go on from an adapter)."""
    out: str = ""
    """Folder of the run; by default runs/GAME-PRESET-SEED."""
    seed: int = 0
    """Seed of everything that is drawn."""
    steps: int = 60
    """Training steps: one batch of matches and one update each."""
    matches: int = 32
    """Matches per step."""
    group_size: int = 1
    """Matches of a step that share their deal, so that they can be compared (games with chance)."""
    opponents: tuple[str, ...] = ("self",)
    """Who sits in the other seats: self, past:uniform|prioritised|nash, members (the other learners), best-response
    (what beats the learner as it is now, exactly, in small games) or any spec, each as SPEC or WEIGHT*SPEC."""
    adapters: str = "shared"
    """Who learns: one adapter in every seat (shared), one for each (per-seat), members:N, or a main agent with
    exploiters (league:EXPLOITERS)."""
    roles: Literal["swapped", "fixed"] = "swapped"
    """swapped: a learner takes every seat in turn; fixed: it keeps to its own (a single one to the first)."""
    exploiter_wins: float = 0.7
    """Share of matches against the main agent at which an exploiter joins the past selves and begins again."""
    exploiter_steps: int = 50
    """Steps after which it does so in any case."""
    gamma: float = 1.0
    """Discount per turn (per round under advantage alignment)."""
    beta: float = 0.0
    """Weight of the alignment term (advantage alignment)."""
    learning_rate: float = 1e-3
    """Step size of AdamW."""
    adam_eps: float = 1e-8
    """AdamW's epsilon: gradients well below it hardly move the weights, so a run that has converged stands still."""
    epochs: int = 1
    """Passes over each batch."""
    minibatches: int = 1
    """Updates per pass."""
    clip_low: float = 0.2
    """The probability ratio is clipped below 1 minus this."""
    clip_high: float = 0.2
    """The probability ratio is clipped above 1 plus this."""
    clip_dual: float = 0.0
    """Where the advantage is negative, the loss is at most this times its size; 0: no such bound (3 is usual)."""
    importance_cap: float = 0.0
    """Where sampler and trainer disagree, tokens weigh min(trainer / sampler, this); 0: they are taken to agree (with
    --sampler or --staleness: 2)."""
    aggregate: Literal["constant", "token-mean", "sequence-mean"] = "constant"
    """How token losses become one: summed over replies and divided by loss_length, or means over tokens or replies."""
    loss_length: int = 1
    """The constant that summed token losses are divided by (aggregate constant)."""
    kl: float = 0.0
    """Weight of the divergence from the base model (adapter switched off)."""
    kl_estimator: Literal["exact", "k1", "k2", "k3"] = "exact"
    """exact: over the whole distribution at each token; k1, k2, k3: estimated from the chosen token alone."""
    reference: float = 0.0
    """Weight of the exact divergence from a slowly moving copy of the policy itself (regularised self-play)."""
    reference_every: int = 50
    """Steps after which that copy is made anew."""
    entropy: float = 0.01
    """Weight of the entropy bonus, in nats per decision."""
    entropy_end: float = -1.0
    """Weight of the entropy bonus after ``entropy_steps``; negative: the same as at the first step."""
    entropy_steps: int = 0
    """Steps over which the entropy bonus goes linearly to its end; 0: all of them."""
    warmup: int = 3
    """Steps over which the learning rate rises to its value."""
    decay_steps: int = 0
    """Steps over which the learning rate falls to ``decay_end`` of itself; 0: it stays."""
    decay_end: float = 0.1
    """Share of the learning rate that is left after ``decay_steps``."""
    decay_shape: Literal["linear", "exponential"] = "linear"
    """How it falls: by the same amount at every step, or by the same share."""
    max_grad_norm: float = 1.0
    """Gradients are scaled down to this norm."""
    lora_rank: int = 16
    """Rank of the adapter's matrices."""
    lora_alpha: int = 32
    """Scale of the adapter: its output is multiplied by alpha / rank."""
    std_floor: float = 0.03
    """Advantages are divided by at least this share of the payoff range (of returns in units)."""
    temperature: float = 1.0
    """Softmax temperature of play and training."""
    decode: str = "constrained"
    """constrained: finite moves are chosen among the legal ones; free: everything is generated and parsed."""
    think: int = 0
    """Tokens that may be spent on thinking before a reply; 0: none."""
    illegal: str = "game"
    """What an illegal reply counts as: game (the game's own rule), forfeit, random-legal, or retry:N."""
    max_new_tokens: int = 96
    """Tokens of a free reply at most."""
    snapshot_every: int = 10
    """Steps between adapter snapshots (PEFT folders)."""
    checkpoint_every: int = 1
    """Steps between full states for resuming."""
    pool: int = 20
    """Past snapshots that are kept as opponents, evenly thinned."""
    gate: tuple[str, ...] = ()
    """What a snapshot must not get worse at to be promoted: self, promoted, any spec, each also as SPEC@GAME."""
    gate_matches: int = 32
    """Matches of each of these tests, on the same deals every time."""
    gate_margin: float = 0.02
    """Loss that is let through, as a share of the payoff range; the lower 95 % bound counts."""
    samples_every: int = 25
    """Steps between transcripts of a few matches in the folder samples; 0: none."""
    track: tuple[str, ...] = ()
    """Trackers that get the metrics too: wandb, trackio (extras)."""
    workers: str = ""
    """Who plays: this process; ray: Ray's actors (extra), on the cluster at RAY_ADDRESS or else on this machine's
    processors; ray://HOST:PORT: on that cluster."""
    actors: int = 2
    """Ray's actors, each with the base model of its own."""
    staleness: int = 0
    """Steps that the adapter which plays is behind the learner's: 0: they take turns, more: they work at once."""
    sampler: str = ""
    """Where the learner's seats are played: http://HOST:PORT/v1 (arena serve, vLLM) or vllm; empty: in this process."""
    live: int = 256
    """Matches kept going at once; changes speed, not results."""
    chunk_tokens: int = 4096
    """Tokens per forward pass of an update; changes memory and speed."""
    gradient_checkpointing: bool = False
    """Layers are computed again in the backward pass instead of being kept: less memory, a third more time."""
    shard: bool = False
    """Processes that learn together (torchrun) split the base's weights among them; whole only while they play."""
    dtype: Literal["", "auto", "float32", "bfloat16"] = ""
    """Numbers of the base model (the adapter stays in float32); empty: as the spec says, else bfloat16 on a GPU."""
    threads: int = 0
    """Processor threads of torch; 0 leaves its choice."""

    def __post_init__(self) -> None:
        for name, (low, high) in LIMITS.items():
            if not low <= getattr(self, name) <= high:
                raise BadOption(f"{name}={getattr(self, name)} must lie between {low:g} and {high:g}")
        for name in ("aggregate", "kl_estimator", "decay_shape", "dtype", "roles"):
            allowed = get_args(get_type_hints(type(self))[name])
            if getattr(self, name) not in allowed:
                raise BadOption(f'{name}="{getattr(self, name)}" is unknown; use {" or ".join(allowed)}')
        if self.decay_shape == "exponential" and not self.decay_end:
            raise BadOption(
                "decay_end=0 is never reached by an exponential fall; write the share that is left, as 0.01"
            )
        if 0 < self.clip_dual <= 1:
            raise BadOption(f"clip_dual={self.clip_dual:g} must be 0 (off) or more than 1")
        if self.staleness and not self.workers:
            raise BadOption(f"staleness={self.staleness} needs workers=ray; one process plays and learns in turn")
        IllegalRule.parse(self.illegal)
        if (
            self.sampler
            and self.sampler.partition("?")[0] != "vllm"
            and not self.sampler.startswith(("http://", "https://"))
        ):
            raise BadOption(f'sampler="{self.sampler}" is no engine; write http://HOST:PORT/v1, or vllm')
        if self.sampler and self.workers:
            raise BadOption("rollouts are played by workers or by a sampler, not by both; leave one of them out")
        if not self.opponents:
            raise BadOption('opponents names nobody; write opponents="self" at least')

    @property
    def weight_cap(self) -> float:
        """Greatest importance weight of a token; 0: sampler and trainer are taken to agree."""
        return self.importance_cap or (2.0 if self.sampler or self.staleness else 0.0)

    @property
    def folder(self) -> str:
        """Where the run lies."""
        preset = re.sub("[^a-z0-9=.+-]+", "_", self.preset.lower())
        return self.out or f"runs/{re.sub('[^a-z0-9=.-]+', '_', self.game.lower())}-{preset}-{self.seed}"
