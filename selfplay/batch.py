"""From played turns to token sequences: what the learner's forward pass reads, every distinct conversation once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch

from arena.records import Episode
from policies import Sample
from selfplay.table import Floats, TurnTable

Allowed = tuple[int, ...] | None


@dataclass(frozen=True, slots=True)
class Decision:
    """One sampled token with a choice behind it: where it stands, what it was chosen among, and what it is worth."""

    position: int
    """Index in its sequence of the token whose logits chose it."""
    token: int
    allowed: Allowed
    logp: float
    advantage: float
    turn: int


@dataclass(frozen=True, slots=True)
class Talk:
    """A conversation of one seat and the decisions in it that are trained on."""

    ids: tuple[int, ...]
    decisions: tuple[Decision, ...]


@dataclass(frozen=True)
class Batch:
    """Conversations padded to one width; M decisions flattened, each with its row and its position in ``ids_BT``.

    ``prefix_P`` is what all rows begin with (the rules, at least where they are the same): it is computed once for all.
    ``allowed_MA`` holds the allowed ids of each decision, padded with -1; ``free_M`` says where instead the whole
    vocabulary was allowed.
    """

    prefix_P: torch.Tensor
    ids_BT: torch.Tensor
    row_M: torch.Tensor
    position_M: torch.Tensor
    token_M: torch.Tensor
    allowed_MA: torch.Tensor
    free_M: torch.Tensor
    logp_M: torch.Tensor
    advantage_M: torch.Tensor
    turn_M: torch.Tensor

    @property
    def tokens(self) -> int:
        """Tokens computed, padding included."""
        return int(self.prefix_P.numel() + self.ids_BT.numel())


def unshared(batch: Batch) -> Batch:
    """The same decisions with every conversation whole: where keys and values of a prefix can't be kept."""
    width, rows = len(batch.prefix_P), len(batch.ids_BT)
    ids_BT = torch.cat([batch.prefix_P.expand(rows, -1), batch.ids_BT], dim=1)
    return replace(batch, prefix_P=batch.prefix_P[:0], ids_BT=ids_BT, position_M=batch.position_M + width)


def sequences(episodes: Sequence[Episode], table: TurnTable, advantage: Floats) -> list[Talk]:
    """The learner's conversations with their decisions; tokens without a choice carry no loss and are left out.

    Args:
        episodes: the matches of ``table``.
        table: their turns.
        advantage: (N,) of turns, or (N, 2) of each turn's thoughts and answer.
    """
    out: list[Talk] = []
    where: dict[tuple[int, int], list[int]] = {}
    for i in np.flatnonzero(table.learner):
        where.setdefault((int(table.match[i]), int(table.seat[i])), []).append(int(i))
    by_id = {e.match.id: e for e in episodes}
    for (match, _), rows in where.items():
        samples = [by_id[match].turns[int(table.record[i])].sample for i in rows]
        out += _conversations([s for s in samples if s is not None], rows, advantage)
    return [s for s in out if s.decisions]


def _conversations(samples: Sequence[Sample], rows: Sequence[int], advantage: Floats) -> Iterator[Talk]:
    ids: list[int] = []
    decisions: list[Decision] = []
    for sample, row in zip(samples, rows, strict=True):
        if sample.fresh and ids:
            yield Talk(tuple(ids), tuple(decisions))
        if sample.fresh:
            ids, decisions = [], []
        ids += sample.prompt_ids
        worth = np.broadcast_to(np.ravel(advantage[row]), (2,)).tolist()  # of thoughts, of the answer
        for j, (token, logp, allowed) in enumerate(zip(sample.reply_ids, sample.logprobs, sample.allowed, strict=True)):
            if allowed is None or len(allowed) > 1:
                decisions.append(Decision(len(ids) - 1, token, allowed, logp, worth[j >= sample.thought], row))
            ids.append(token)
    if ids:
        yield Talk(tuple(ids), tuple(decisions))


def batches(rows: Sequence[Talk], chunk_tokens: int) -> list[Batch]:
    """Padded batches of similar conversations, ``chunk_tokens`` each at most (one conversation at least).

    Equal conversations are computed once and carry the decisions of all their copies; what follows the last decision is
    cut off. Of two orders, by length and by content, the one that computes fewer tokens is taken.
    """
    merged: dict[tuple[int, ...], list[Decision]] = {}
    for row in rows:
        end = max(d.position for d in row.decisions) + 1
        merged.setdefault(row.ids[:end], []).extend(row.decisions)
    items = list(merged.items())
    orders = [sorted(items, key=lambda kv: (len(kv[0]), kv[0])), sorted(items, key=lambda kv: kv[0])]
    plans = [_parts(order, chunk_tokens) for order in orders]
    best = min(plans, key=lambda parts: sum(_cost(part) for part in parts))
    return [_pad(part) for part in best]


_Item = tuple[tuple[int, ...], list[Decision]]


def _parts(items: Sequence[_Item], chunk_tokens: int) -> list[list[_Item]]:
    parts: list[list[_Item]] = []
    for item in items:
        if not parts or _cost([*parts[-1], item]) > chunk_tokens:
            parts.append([])
        parts[-1].append(item)
    return parts


def _cost(part: Sequence[_Item]) -> int:
    """Tokens that a padded batch computes."""
    shared = _shared(part)
    return shared + len(part) * (max(len(ids) for ids, _ in part) - shared)


def _shared(part: Sequence[_Item]) -> int:
    """Length of what all conversations begin with; every decision stands behind it."""
    low, high = min(part)[0], max(part)[0]
    same = next((i for i, (a, b) in enumerate(zip(low, high, strict=False)) if a != b), min(len(low), len(high)))
    return min(same, *(d.position for _, decisions in part for d in decisions))


def _pad(part: Sequence[_Item]) -> Batch:
    shared = _shared(part)
    width = max(len(ids) for ids, _ in part) - shared
    ids_BT = torch.zeros(len(part), width, dtype=torch.long)
    flat: list[tuple[int, Decision]] = []
    for b, (ids, decisions) in enumerate(part):
        ids_BT[b, : len(ids) - shared] = torch.tensor(ids[shared:])
        flat += [(b, d) for d in decisions]
    widest = max([len(d.allowed) for _, d in flat if d.allowed is not None], default=1)
    allowed = [[*(d.allowed or ()), *[-1] * (widest - len(d.allowed or ()))] for _, d in flat]
    return Batch(
        torch.tensor(part[0][0][:shared], dtype=torch.long),
        ids_BT,
        torch.tensor([b for b, _ in flat]),
        torch.tensor([d.position - shared for _, d in flat]),
        torch.tensor([d.token for _, d in flat]),
        torch.tensor(allowed),
        torch.tensor([d.allowed is None for _, d in flat]),
        torch.tensor([d.logp for _, d in flat]),
        torch.tensor([d.advantage for _, d in flat]),
        torch.tensor([d.turn for _, d in flat]),
    )
