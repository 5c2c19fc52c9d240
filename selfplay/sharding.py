"""A base model's weights split over the ranks that learn (fully sharded data parallelism, arXiv 2304.11277).

While the learner computes, each rank holds its part and the others' of one layer at a time. The adapters stay whole
everywhere: they are small, and their gradients are summed as ever. For play the weights are put together, since ranks
then read at their own pace; where Ray's actors play, they never are.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import FSDPModule, fully_shard
from transformers.modeling_layers import GradientCheckpointingLayer

from policies.llm.base import Base
from selfplay.ranks import Ranks


class Shards:
    """The split weights of a base; the first learner on it splits them, before it has adapters.

    Args:
        base: whose weights are split, layer by layer.
        ranks: who gets a part.
    """

    def __init__(self, base: Base, ranks: Ranks) -> None:
        if not isinstance(base.model, FSDPModule):
            _split(base, ranks)
        self._parts: list[Any] = [module for module in base.model.modules() if isinstance(module, FSDPModule)]
        self._root: Any = base.model

    @contextmanager
    def whole(self) -> Iterator[None]:
        """Every rank holds all weights, and its forward passes wait for nobody. All ranks enter and leave together."""
        for part in self._parts:
            part.set_reshard_after_forward(False, recurse=False)
            part.unshard()
        yield
        for part in self._parts:
            part.reshard()
            part.set_reshard_after_forward(part is not self._root, recurse=False)


def _split(base: Base, ranks: Ranks) -> None:
    mesh = init_device_mesh(base.device.type, (ranks.count,))
    layers = [module for module in base.model.modules() if isinstance(module, GradientCheckpointingLayer)]
    for module in (*layers, base.model):  # what is in no layer (embeddings, head) goes with the whole
        fully_shard(module, mesh=mesh)
