"""Data-parallel training: one process, or several that `torchrun` started, of which each takes a part of every batch."""

from __future__ import annotations

import os
from typing import Any, Protocol

import torch
from torch import Tensor, nn

from hw11.errors import HomeworkError

Batch = tuple[Tensor, Tensor]


class Team(Protocol):
    """The processes of a run."""

    rank: int
    size: int

    def wrap(self, model: nn.Module) -> nn.Module:
        """Return the model as training calls it."""
        ...

    def begin(self, step: int) -> None:
        """Make ready for a step."""
        ...

    def share(self, batch: Batch) -> Batch:
        """Return this process's part of a batch that all of them have drawn."""
        ...

    def agree(self, loss: float, *, stop: bool) -> tuple[float, bool]:
        """Return the mean of everyone's loss, and whether anyone wants to stop."""
        ...

    def close(self) -> None:
        """Part."""
        ...


class Alone:
    """One process, which needs nobody's word."""

    rank, size = 0, 1

    def wrap(self, model: nn.Module) -> nn.Module:
        return model

    def begin(self, step: int) -> None:
        pass

    def share(self, batch: Batch) -> Batch:
        return batch

    def agree(self, loss: float, *, stop: bool) -> tuple[float, bool]:
        return loss, stop

    def close(self) -> None:
        pass


class Several:
    """Processes whose gradients are averaged in every step: with parts of one size, that is the whole batch's gradient.

    Args:
        device: Where this process computes.
        seed: The run's seed.

    Raises:
        HomeworkError: This torch cannot do it.
    """

    def __init__(self, device: torch.device, seed: int) -> None:
        if not torch.distributed.is_available():
            raise HomeworkError("this torch has no torch.distributed", hint="start one process, without torchrun")
        torch.distributed.init_process_group("nccl" if device.type == "cuda" else "gloo")
        self.rank, self.size = torch.distributed.get_rank(), torch.distributed.get_world_size()
        self._device, self._seed = device, seed

    def wrap(self, model: nn.Module) -> nn.Module:
        """Return the model in torch's DistributedDataParallel, which averages the gradients of each backward pass."""
        here = [self._device] if self._device.type == "cuda" else None
        wrapped: Any = nn.parallel.DistributedDataParallel(model, device_ids=here)
        return wrapped

    def begin(self, step: int) -> None:
        """Give each process a dropout of its own, which comes from the step alone, so that a resumed run has it too."""
        torch.manual_seed(self._seed + 1 + step * self.size + self.rank)

    def share(self, batch: Batch) -> Batch:
        """Return this process's rows.

        Raises:
            HomeworkError: The rows do not divide: unequal parts would not weigh the same.
        """
        x, y = batch
        if len(x) % self.size:
            raise HomeworkError(
                f"a batch of {len(x)} does not divide among {self.size} processes",
                hint=f"ask for a --batch-size that {self.size} divides",
            )
        return x.chunk(self.size)[self.rank], y.chunk(self.size)[self.rank]

    def agree(self, loss: float, *, stop: bool) -> tuple[float, bool]:
        """Return the mean of everyone's loss, and whether anyone wants to stop: all stop in one step, or wait for ever."""
        told = torch.tensor([loss / self.size, float(stop)], dtype=torch.float64, device=self._device)
        torch.distributed.all_reduce(told)
        return told[0].item(), told[1].item() > 0

    def close(self) -> None:
        """Leave the group."""
        torch.distributed.destroy_process_group()


def gather(device: torch.device, seed: int) -> Team:
    """Return the processes that `torchrun` started, or this one alone."""
    return Several(device, seed) if int(os.environ.get("WORLD_SIZE", "1")) > 1 else Alone()
