"""The learner: an adapter on its base, and one update from a batch of played turns."""

from __future__ import annotations

import math
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field

import torch

from games.stream import TRAINING, Stream
from policies.llm.base import Base
from selfplay.annealing import entropy_weight, learning_rate
from selfplay.batch import Batch, Talk, batches, unshared
from selfplay.config import TrainConfig
from selfplay.correction import corrected, gaps
from selfplay.losses import Chosen, aggregate, choices, clipped, divergence, kl_estimate
from selfplay.models import lora, recompute
from selfplay.ranks import Ranks
from selfplay.sharding import Shards


@dataclass
class Sums:
    """Running sums of what an update logs."""

    values: dict[str, float] = field(default_factory=dict)
    largest: dict[str, float] = field(default_factory=dict)

    def add(self, name: str, values: torch.Tensor) -> None:
        """Add up a tensor and count it."""
        self.values[name] = self.values.get(name, 0.0) + float(values.detach().sum())
        self.values[f"{name}#"] = self.values.get(f"{name}#", 0.0) + values.numel()

    def top(self, name: str, values: torch.Tensor) -> None:
        """Keep the greatest value."""
        if values.numel():
            self.largest[name] = max(self.largest.get(name, 0.0), float(values.detach().max()))

    def joined(self, ranks: Ranks) -> Sums:
        """The sums over all ranks."""
        out = Sums()
        for part in ranks.gather([self]):
            for name, value in part.values.items():
                out.values[name] = out.values.get(name, 0.0) + value
            for name, value in part.largest.items():
                out.largest[name] = max(out.largest.get(name, 0.0), value)
        return out

    def means(self) -> dict[str, float]:
        """Means and maxima by name."""
        names = [n for n in self.values if not n.endswith("#")]
        return {**{n: self.values[n] / max(1.0, self.values[f"{n}#"]) for n in names}, **self.largest}


class Learner:
    """Trains one adapter; the base stays as it is and is what KL is measured from.

    With ``config.reference`` a second adapter holds the policy as it was some steps ago, and the loss pulls towards it:
    the magnet of magnetic mirror descent (arXiv 2206.05825), the moving target of R-NaD (arXiv 2206.15378). Between two
    moves self-play then has one regularised equilibrium to converge to instead of circling, and each move takes that
    equilibrium nearer to one of the game itself.
    """

    def __init__(
        self, base: Base, config: TrainConfig, adapter: str | None = None, ranks: Ranks | None = None, number: int = 0
    ) -> None:
        self.base, self.config, self.ranks = base, config, ranks or Ranks()
        self.shards = Shards(base, self.ranks) if config.shard and self.ranks.count > 1 else None
        self.born = 0  # the step before which it began; rates and entropy are counted from there
        self.adapter = adapter or base.add(lora(config), seed=config.seed + number)
        self.reference = base.add(lora(config), seed=config.seed + number) if config.reference else None
        self.parameters = base.parameters(self.adapter)
        self.optimizer = self._optimizer()

    def _optimizer(self) -> torch.optim.Optimizer:
        rate, eps = self.config.learning_rate, self.config.adam_eps
        return torch.optim.AdamW(self.parameters, lr=rate, weight_decay=0.0, betas=(0.9, 0.99), eps=eps)

    def begin(self, weights: dict[str, torch.Tensor], step: int) -> None:
        """Begin (again) from these weights before ``step``, with nothing learned of rates and moments."""
        self.base.set_weights(self.adapter, weights)
        self.move_reference()
        self.optimizer, self.born = self._optimizer(), step

    def update(self, rows: Sequence[Talk], step: int) -> dict[str, float]:
        """One step's passes over the decisions of ``rows``; returns what is logged."""
        config, sums = self.config, Sums()
        turns = len({d.turn for row in rows for d in row.decisions})
        self._set_rate(learning_rate(config, step - self.born))
        if config.weight_cap:
            rows = self._corrected(rows, sums)
        for epoch in range(config.epochs):
            order = Stream(config.seed, TRAINING, 4, step, epoch).shuffled(range(len(rows)))
            size = max(1, math.ceil(len(order) / config.minibatches))
            for start in range(0, len(order), size):
                self._one(rows, order[start : start + size], step, sums, first=epoch == 0 and start == 0)
        if (step + 1) % config.reference_every == 0:
            self.move_reference()
        return {
            **sums.joined(self.ranks).means(),
            "turns": float(turns),
            "learning_rate": self.optimizer.param_groups[0]["lr"],
        }

    def move_reference(self) -> None:
        """Make the reference what the policy is now."""
        if self.reference is not None:
            self.base.set_weights(self.reference, self.base.weights(self.adapter))

    def _corrected(self, rows: Sequence[Talk], sums: Sums) -> list[Talk]:
        """``rows``, those of this rank corrected for what sampled them."""
        everybody = range(len(rows))
        mine = list(everybody) if self.shards else self.ranks.share(everybody)  # split weights need equal passes
        sampled = [rows[i] for i in mine]
        fixed, weights = corrected(sampled, self.old_logp, self.config.weight_cap, self.config.chunk_tokens)
        sums.add("importance", weights)
        sums.top("sampler_gap", gaps(sampled, fixed))
        known = dict(zip(mine, fixed, strict=True))
        return [known.get(i, row) for i, row in enumerate(rows)]

    def _one(self, rows: Sequence[Talk], part: Sequence[int], step: int, sums: Sums, *, first: bool) -> None:
        """One optimizer step over a ``part`` of the rows, gradients gathered chunk by chunk and rank by rank."""
        all_, mine = [rows[i] for i in part], [rows[i] for i in part if i % self.ranks.count == self.ranks.rank]
        turns = len({d.turn for row in all_ for d in row.decisions})
        tokens = sum(len(row.decisions) for row in all_)
        self.optimizer.zero_grad(set_to_none=True)
        chunks = self._chunks(mine, all_)
        for number, (batch, weight) in enumerate(chunks):
            # Where the divergence from the base is only shown, one chunk in turn is enough: it costs a forward pass.
            shown = first and number == step % len(chunks)
            loss_M = self._loss(batch, step, sums if weight else Sums(), first=first, shown=shown)
            how, length = self.config.aggregate, self.config.loss_length
            (weight * aggregate(loss_M, batch.turn_M, turns, tokens, how, length)).backward()
        norm = self._gradient()
        self.optimizer.step()
        sums.add("grad_norm", norm.reshape(1))

    def _chunks(self, mine: Sequence[Talk], all_: Sequence[Talk]) -> list[tuple[Batch, float]]:
        """Batches of this rank's rows, with weight 1; of split weights as many on every rank, the rest weighing 0."""
        own = [(batch, 1.0) for batch in batches(mine, self.config.chunk_tokens)]
        if self.shards is None:
            return own
        spare = (batches(all_[:1], self.config.chunk_tokens)[0], 0.0)
        return own + [spare] * (self.ranks.most(len(own)) - len(own))

    def _gradient(self) -> torch.Tensor:
        """Make every rank's gradient that of all of them, bounded; returns its norm before."""
        for parameter in self.parameters:
            if parameter.grad is None and self.ranks.count > 1:  # a rank without conversations joins in all the same
                parameter.grad = torch.zeros_like(parameter)
        self.ranks.add_up([parameter.grad for parameter in self.parameters if parameter.grad is not None])
        return torch.nn.utils.clip_grad_norm_(self.parameters, self.config.max_grad_norm)

    def _loss(self, batch: Batch, step: int, sums: Sums, *, first: bool, shown: bool) -> torch.Tensor:
        """(M,) losses of a batch's decisions: clipped policy loss, KL to the base, entropy bonus."""
        config = self.config
        base = self.frozen(batch, None) if config.kl or shown else None
        reference = self.frozen(batch, self.reference) if self.reference is not None else None
        now = choices(self._logits(batch, self.adapter), batch, config.temperature)
        limits = config.clip_low, config.clip_high, config.clip_dual
        loss_M = clipped(now.logp_M, batch.logp_M, batch.advantage_M, *limits)
        loss_M = loss_M - entropy_weight(config, step - self.born) * now.entropy_M
        if base is not None:
            kl_M = divergence(now, base)
            sums.add("kl", kl_M)
            if config.kl_estimator != "exact":
                kl_M = kl_estimate(now.logp_M, base.logp_M, config.kl_estimator)
            loss_M = loss_M + config.kl * kl_M
        if reference is not None:
            pull_M = divergence(now, reference)
            loss_M = loss_M + config.reference * pull_M
            sums.add("reference_kl", pull_M)
        if first:
            sums.top("logp_gap", (now.logp_M - batch.logp_M).abs())
        ratio_M = (now.logp_M - batch.logp_M).detach().exp()
        outside_M = (ratio_M < 1 - config.clip_low) | (ratio_M > 1 + config.clip_high)
        sums.add("clipped", outside_M.float())
        sums.add("entropy", now.entropy_M)
        sums.add("trained_tokens", torch.tensor([float(batch.tokens)]))
        return loss_M

    def whole(self) -> AbstractContextManager[None]:
        """While this rank plays: the base's weights put together, where they are split."""
        return self.shards.whole() if self.shards else nullcontext()

    def frozen(self, batch: Batch, adapter: str | None) -> Chosen:
        """Distributions of another adapter (None: the base); asked before the learner's, since switching freezes it."""
        with torch.no_grad():
            return choices(self._logits(batch, adapter), batch, self.config.temperature)

    def old_logp(self, batch: Batch) -> torch.Tensor:
        """(M,) log-probabilities of what was chosen, as the trainer computes them before it updates."""
        return self.frozen(batch, self.adapter).logp_M

    def _logits(self, batch: Batch, adapter: str | None) -> torch.Tensor:
        """(M, vocabulary) logits at the decisions, each distinct position computed once."""
        self.base.use(adapter)
        if again := self.config.gradient_checkpointing and torch.is_grad_enabled():
            recompute(self.base.model)
        if again or self.shards:
            batch = unshared(batch)  # one pass a batch, the same on every rank
        keep_BT = torch.zeros(batch.ids_BT.shape, dtype=torch.bool)
        keep_BT[batch.row_M, batch.position_M] = True
        logits = self.forward(batch, keep_BT).cpu()
        place_BT = keep_BT.flatten().cumsum(0).reshape(keep_BT.shape) - 1
        index: torch.Tensor = place_BT[batch.row_M, batch.position_M]
        return logits[index]

    def forward(self, batch: Batch, keep_BT: torch.Tensor) -> torch.Tensor:
        """Logits (kept, vocabulary); the shared prefix is read once and its keys and values serve every row."""
        device, (rows, width), shared = self.base.device, batch.ids_BT.shape, len(batch.prefix_P)
        cache = None
        if shared:
            prefix = batch.prefix_P[None].to(device)
            cache = self.base.model(input_ids=prefix, use_cache=True, logits_to_keep=1).cache
            cache.batch_repeat_interleave(rows)
        positions = torch.arange(shared, shared + width)
        mask_TS = positions[:, None] >= torch.arange(shared + width)
        return self.base.model(
            input_ids=batch.ids_BT.to(device),
            attention_mask=mask_TS[None, None].to(device),
            position_ids=positions[None].to(device),
            cache=cache,
            use_cache=cache is not None,
            logits_to_keep=keep_BT.to(device),
        ).logits

    def _set_rate(self, rate: float) -> None:
        for group in self.optimizer.param_groups:
            group["lr"] = rate
