"""Where it is computed."""

from __future__ import annotations

import os

import torch

from hw11.errors import HomeworkError


def find(name: str) -> torch.device:
    """Return a device; of several GPUs the one that is this process's.

    Raises:
        HomeworkError: This machine, or this torch, has none.
    """
    there = {"cpu": True, "cuda": torch.cuda.is_available(), "mps": torch.backends.mps.is_available()}
    if not there[name]:
        raise HomeworkError(
            f"torch finds no {name} here", hint="take --device cpu, or install a torch that knows the device"
        )
    if name != "cuda":
        return torch.device(name)
    device = torch.device("cuda", int(os.environ.get("LOCAL_RANK", "0")))
    torch.cuda.set_device(device)
    return device
