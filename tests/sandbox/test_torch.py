"""With torch in its profile a sandbox has everything imported that a submission's first step needs, and one thread."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from grader.model.manifest import Limits
from grader.sandbox.base import Level, Profile, Sandbox
from grader.sandbox.registry import BACKENDS

pytest.importorskip("torch")

PROFILE = Profile(("numpy", "torch"), Limits(memory_mb=512))
_STEP = """
import sys, torch
before = set(sys.modules)
layer = torch.nn.MultiheadAttention(16, 4, batch_first=True)
optimizer = torch.optim.AdamW(layer.parameters())
x = torch.ones(2, 3, 16)
out, _ = layer(x, x, x)
out.square().mean().backward()
torch.nn.utils.clip_grad_norm_(layer.parameters(), 1.0)
optimizer.step()
result = len(set(sys.modules) - before), out.shape == x.shape, torch.get_num_threads()
"""


@pytest.fixture(scope="module", params=[Level.FULL, Level.CONTAINER], ids=str)
def sandbox(opened_for_all: Callable[..., Sandbox], request: pytest.FixtureRequest) -> Sandbox:
    if reason := BACKENDS[request.param].unavailable():
        pytest.skip(reason)
    return opened_for_all(request.param, PROFILE)


def test_a_step_of_training_imports_next_to_nothing(sandbox: Sandbox, ask: Any) -> None:
    more, right, threads = eval(ask(sandbox.fork(), _STEP))  # noqa: S307 - our own stand-in's
    assert more < 20  # without the preloading it is hundreds, and seconds
    assert right
    assert threads == 1


def test_a_bomb_of_tensors_is_an_error_of_memory(sandbox: Sandbox, ask: Any) -> None:
    answer = ask(sandbox.fork(), "import torch; kept = [torch.ones(1 << 24) for _ in range(100)]")
    assert answer.startswith(("RuntimeError", "MemoryError")), answer
    assert "memory" in answer


def test_workers_with_more_threads_of_torch_do_not_hang(sandbox: Sandbox, ask: Any) -> None:
    source = "import torch; torch.set_num_threads(2); a = torch.ones(400, 400); result = float((a @ a).sum())"
    for _ in range(3):
        worker = sandbox.fork()
        assert ask(worker, source) == "64000000.0"
        worker.kill()
