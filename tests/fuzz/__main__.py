"""Fuzz what takes in bytes that nobody vouches for.

python -m tests.fuzz [--minutes 10] [--only codec|archive|manifest] [--seed N]

What is found is kept in `tests/fuzz/corpus/`, where the ordinary tests run it again ever after.
"""

from __future__ import annotations

import argparse
import secrets
import sys
import tempfile
import time
from pathlib import Path

from tests.fuzz.engine import fuzz, keep, kept
from tests.fuzz.targets import TARGETS


def main() -> int:
    """Run the command line; returns 1 where something was found."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description="Fuzz the wire, the intake, the course.")
    parser.add_argument("--minutes", type=float, default=10.0, help="for all targets together")
    parser.add_argument("--only", choices=TARGETS, help="one target")
    parser.add_argument("--seed", type=int, default=secrets.randbits(32), help="to run the same again")
    asked = parser.parse_args()
    names = [asked.only] if asked.only else list(TARGETS)
    say(f"seed {asked.seed}")
    return max([one(name, asked.minutes * 60 / len(names), asked.seed) for name in names])


def one(name: str, seconds: float, seed: int) -> int:
    """Fuzz one target and tell what came of it; returns 1 where something was found."""
    # Not removed by hand: after a crash the input that led to it is still there.
    with tempfile.TemporaryDirectory(prefix=f"fuzz-{name}-") as folder:
        began = time.monotonic()
        tally = fuzz(TARGETS[name], kept(name), seconds, Path(folder), seed)
    took = time.monotonic() - began
    say(f"{name}: {tally.executions} inputs in {took:.0f} s, {tally.executions / took:.0f} a second")
    for outcome, count in tally.outcomes.most_common():
        say(f"    {count:8}  {outcome}")
    say(f"    memory grew by {tally.growth / 2**20:.1f} MiB")
    for words, finding in tally.findings.items():
        say(f"  FOUND {words}\n    kept as {keep(name, finding)}")
    return 0 if tally.is_clean else 1


def say(text: str) -> None:
    """Print at once, for whoever watches."""
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
