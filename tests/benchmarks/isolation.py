"""What holding a worker costs: the same submission in a worker of each level and in a bare fork of the same zygote, in turn.

python -m tests.benchmarks.isolation [--rounds 60]

One round of each: fork, lock down, hand over and import a submission, one attention call with the arrays going both ways, kill, reap.
"""

from __future__ import annotations

import argparse
import gc
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from itertools import count
from unittest import mock

import numpy as np

from grader.judge.caller import WorkerCaller
from grader.judge.record import Request
from grader.model.manifest import Manifest
from grader.sandbox import container, forked
from grader.sandbox.base import Broken, Level, Profile, Worker
from grader.sandbox.registry import BACKENDS
from grader.sandbox.zygote import Zygote
from grader.worker.lockdown import INHERITED, STEPS

NUMPY = """
import numpy as np

def attention(q, k, v):
    s = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
    e = np.exp(s - s.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True) @ v
"""
TORCH = (
    NUMPY
    + """
import torch

def step(x):
    layer = torch.nn.MultiheadAttention(128, 4, batch_first=True)
    out, _ = layer(x, x, x)
    out.square().mean().backward()
    return out.detach()
"""
)
# What makes a worker a worker; the rest of the lock-down is what is measured.
_BARE = {"session", "descriptors", "environment"}


class NoHold:
    """In the place of a control group or a watcher."""

    def release(self) -> Broken:
        return Broken(memory=False, processes=False)


class Bare:
    """Forks workers that are not locked down, from a zygote that is in no namespace."""

    def __init__(self, profile: Profile) -> None:
        self._limits = profile.limits
        self._numbers = count()
        plan = container.plan(container.PACKAGE, profile, (STEPS.keys() | INHERITED.keys()) - _BARE)
        self._zygote = Zygote(container.PACKAGE, plan | {"users": None, "held": []})

    def fork(self) -> Worker:
        with mock.patch.object(forked, "hold", return_value=NoHold()):
            return forked.fork(self._zygote, next(self._numbers), self._limits)

    def close(self) -> None:
        self._zygote.close()


def manifest(source: str) -> Manifest:
    """An assignment of one file, with torch where the source has it."""
    text = {"en": "x", "zh-TW": "x"}
    names = ["attention"] + (["step"] if "torch" in source else [])
    exercise = {"id": "student.attention", "title": text, "points": 1, "names": names}
    allowed = ["numpy"] + (["torch"] if "torch" in source else [])
    return Manifest.model_validate(
        {"id": "timing", "title": text, "files": ["student.py"], "allowed_imports": allowed, "exercises": [exercise]}
    )


def rounds(sandbox: object, source: str) -> Callable[[], float]:
    """Return what times one round, in seconds."""
    assignment = manifest(source)
    q, k, v = np.random.default_rng(0).normal(size=(3, 2, 4, 64, 32))
    requests = [Request("attention", (q, k, v))]
    if "torch" in source:
        requests.append(Request("step", (sys.modules["torch"].randn(2, 16, 128),)))

    def one() -> float:
        caller = WorkerCaller(sandbox, {"student.py": source.encode()}, assignment, lambda _: 0.0)  # type: ignore[arg-type]
        started = time.perf_counter()
        for request in requests:
            assert caller.call(request).raised is None
        caller.close()
        return time.perf_counter() - started

    return one


@contextmanager
def contenders(source: str) -> Iterator[dict[str, Callable[[], float]]]:
    """Open a sandbox of each level that forks, and a bare one."""
    assignment = manifest(source)
    profile = Profile(tuple(assignment.allowed_imports), assignment.limits)
    with ExitStack() as stack:
        bare = Bare(profile)
        stack.callback(bare.close)
        found: dict[str, Callable[[], float]] = {"bare fork": rounds(bare, source)}
        for level in (Level.FULL, Level.CONTAINER):
            if reason := BACKENDS[level].unavailable():
                sys.stdout.write(f"{level}: {reason}\n")
            else:
                found[level] = rounds(stack.enter_context(BACKENDS[level].open(profile)), source)
        yield found


def compare(name: str, source: str, number: int) -> None:
    """Print the medians of all contenders, and what each costs over the bare fork, round by round."""
    with contenders(source) as found:
        gc.disable()
        times: dict[str, list[float]] = {each: [] for each in found}
        for _ in range(number + 3):
            for each, one in found.items():
                times[each].append(one() * 1000)
        gc.enable()
    sys.stdout.write(f"{name}\n")
    floor = times["bare fork"][3:]
    for each, all_ in times.items():
        kept = all_[3:]
        ratio = statistics.median(a / b for a, b in zip(kept, floor, strict=True))
        more = statistics.median(a - b for a, b in zip(kept, floor, strict=True))
        spread = f"{min(kept):.1f} to {max(kept):.1f}"
        sys.stdout.write(
            f"  {each:<10} median {statistics.median(kept):6.1f} ms  ({spread})   {ratio:.2f} times, {more:+.1f} ms\n"
        )


def main() -> None:
    """Compare with NumPy alone, and with torch where it is installed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=60)
    number = parser.parse_args().rounds
    compare("NumPy", NUMPY, number)
    try:
        import torch

        torch.set_num_threads(1)
    except ImportError:
        return
    compare("torch", TORCH, number)


if __name__ == "__main__":
    main()
