"""Grade a class in which every third submission is hostile: the honest ones get the reports that they get by themselves.

python -m tests.faults.mixed [--size 200] [--seed N]
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from pathlib import Path

from grader.pipeline.key import FILE_NAME
from grader.sandbox.base import Level
from grader.sandbox.registry import best
from grader.selftest.corpus import Attack, find_corpus, load_corpus
from grader.selftest.course import BASE, FILE
from grader.selftest.keeping import Keeper
from grader.selftest.reports import read_reports, report_of
from grader.selftest.stage import Stage, staged
from grader.selftest.tokens import VARIABLE
from tests.faults.compare import differences, reports
from tests.faults.graded import Run, grade
from tests.faults.processes import adopt_orphans, left_over

_RIGHT = BASE.replace("axis=0", "axis=-1")
SOURCES = {
    "right": _RIGHT,
    "half-right": BASE,
    "talkative": _RIGHT
    + "\nprint('imported')\n_double = double\ndef double(x):\n    print(x)\n    return _double(x)\n",
    "drawing": _RIGHT
    + "\nrng = np.random.default_rng(7)\ndef double(x):\n    return 2 * x + rng.random(np.shape(x))\n",
    "raising": _RIGHT + "\ndef normalise(a):\n    raise ValueError(f'no {a.shape}')\n",
    "ending": _RIGHT + "\ndef normalise(a):\n    raise SystemExit(3)\n",
    "unfinished": _RIGHT + "\ndef normalise(a):\n    raise NotImplementedError('target.normalise')\n",
    "broken": "def double(x:\n",
}


def main() -> int:
    """Grade the honest alone and among the hostile, compare, and say what was seen."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=200)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**6))
    options = parser.parse_args()
    adopt_orphans()
    level = best(Level.CONTAINER).level
    # Of the attacks that a level is known not to stop nothing is claimed.
    corpus = [attack for attack in load_corpus(find_corpus()) if not attack.happens(level)]
    count = min(options.size // 3, len(corpus))
    attacks = random.Random(options.seed).sample(corpus, count)  # noqa: S311 - a choice, no secret
    sys.stdout.write(f"seed {options.seed}, level {level}: {count} hostile submissions\n")
    with Keeper() as keeper, staged(attacks, level, keeper.pid) as stage:
        wrong = _try(stage, attacks, level)
    wrong += [f"{each} lives on" for each in left_over()]
    sys.stdout.write("".join(f"WRONG: {each}\n" for each in wrong[:20]))
    return 1 if wrong else 0


def _try(stage: Stage, attacks: list[Attack], level: Level) -> list[str]:
    honest = _hand_in_honest(stage, attacks)
    started = time.monotonic()
    alone = _grade(stage, stage.calm, level)
    between = time.monotonic()
    mixed = _grade(stage, stage.attacked, level)
    ended = time.monotonic()
    before, after = _of(honest, reports(stage.out(stage.calm))), reports(stage.out(stage.attacked))
    wrong = differences(before, _of(honest, after))
    pairs = read_reports(stage.out(stage.attacked))
    wrong += [f"{attack.name}: no report" for attack in attacks if report_of(attack.name, stage, pairs) is None]
    sys.stdout.write(
        f"{len(honest)} honest submissions, {len(before)} reports on them compared; "
        f"alone {between - started:.0f} s, mixed {ended - between:.0f} s (exit code {mixed.code})\n"
    )
    if len(before) != 2 * len(honest):
        wrong.append(f"{len(honest)} honest submissions have {len(before)} reports: {alone.said[-2000:]}")
    wrong += [f"{each} is left in the temporary folder" for each in alone.left_in_temp + mixed.left_in_temp]
    # An attack may end in a fault of ours: that is for whoever looks at the attack to judge, and no matter here.
    return wrong + [f"exit code {run.code}: {run.said[-2000:]}" for run in (alone, mixed) if run.code not in (0, 4)]


def _hand_in_honest(stage: Stage, attacks: list[Attack]) -> list[str]:
    """Put two honest submissions behind each attack, in the order in which they are graded; return their names."""
    names = [f"{attack.name}-{place}" for attack in sorted(attacks, key=lambda each: each.name) for place in "ab"]
    kinds = list(SOURCES)
    for number, name in enumerate(names):
        for class_ in (stage.calm, stage.attacked):
            (class_ / name).mkdir()
            (class_ / name / FILE).write_text(SOURCES[kinds[number % len(kinds)]], encoding="utf-8")
    return names


def _grade(stage: Stage, class_: Path, level: Level) -> Run:
    options = ["--class", "-j", "2", "--isolation", level.value, "--seed-key", str(stage.course / FILE_NAME)]
    planted = {VARIABLE: stage.tokens.environment}
    return grade(stage.course, [class_], stage.out(class_), *options, environment=planted)


def _of(names: list[str], found: dict[str, str]) -> dict[str, str]:
    return {path: text for path, text in found.items() if path.partition("/")[0] in names}


if __name__ == "__main__":
    sys.exit(main())
