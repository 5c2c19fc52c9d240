"""The processes of one training run: ``torchrun --nproc-per-node N -m arena train …`` starts N that learn as one.

Matches are split over them and gathered, so that all see the same table and compute the same advantages; each computes
the gradients of its share of the conversations, and these are summed before every rank takes the same step. The update
is that of one process, whatever N is. The first rank alone writes; the others read what it wrote, so that runs over
several machines need a folder that all of them see.
"""

from __future__ import annotations

import atexit
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import torch

from games.errors import ArenaError, MissingExtra

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Ranks:
    """This process among ``count`` ones; alone by default, and then everything here costs nothing."""

    rank: int = 0
    count: int = 1

    @classmethod
    def here(cls) -> Ranks:
        """The processes that were started together, connected by Accelerate; this one where there are no others.

        Raises:
            MissingExtra: there are others, and Accelerate is not installed.
        """
        if int(os.environ.get("WORLD_SIZE", "1")) < 2:
            return cls()
        try:
            from accelerate import PartialState
        except ModuleNotFoundError as error:
            raise MissingExtra("several processes need Accelerate: pip install 'selfplay-arena[accelerate]'") from error
        if not PartialState._shared_state:
            atexit.register(_part)
        state = PartialState(cpu=not torch.cuda.is_available())
        return cls(state.process_index, state.num_processes)

    @property
    def main(self) -> bool:
        """Whether this is the one that writes."""
        return self.rank == 0

    def share(self, items: Sequence[T]) -> list[T]:
        """This rank's part of what all of them know."""
        return list(items[self.rank :: self.count])

    def gather(self, items: list[T]) -> list[T]:
        """The parts of all ranks, one after the other; every rank gets them all."""
        if self.count == 1:
            return items
        from accelerate.utils import gather_object

        return list(gather_object(items))

    def most(self, number: int) -> int:
        """The greatest of the ranks' numbers."""
        return max(self.gather([number]))

    def add_up(self, tensors: Sequence[torch.Tensor]) -> None:
        """Replace each tensor by its sum over the ranks, all in one message."""
        if self.count == 1:
            return
        from accelerate.utils import reduce

        flat: Any = reduce(torch.cat([tensor.flatten() for tensor in tensors]), reduction="sum")
        for tensor, total in zip(tensors, flat.split([t.numel() for t in tensors]), strict=True):
            tensor.copy_(total.reshape(tensor.shape))

    def from_main(self, work: Callable[[], T]) -> T:
        """What ``work`` gives on the first rank, the only one that does it; the others wait for it.

        Raises:
            ArenaError: the work raised it, and now every rank does.
        """
        if self.count == 1:
            return work()
        from accelerate.utils import broadcast_object_list

        found, failed = broadcast_object_list([*(_tried(work) if self.main else (None, None))])
        if failed is not None:
            raise failed
        return found


def _tried(work: Callable[[], T]) -> tuple[T | None, ArenaError | None]:
    """What work gives, or the error that its user can mend."""
    try:
        return work(), None
    except ArenaError as error:
        return None, error


def _part() -> None:
    """Leave the other processes, if that has not been done: once the interpreter is gone it is too late."""
    if torch.distributed.is_initialized():
        torch.distributed.destroy_process_group()
