"""Compare the reports of the sample class with the verdicts that stand beside its submissions.

python -m tests.sample_class scores
"""

from __future__ import annotations

import json
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

CLASS = Path(__file__).resolve().parent.parent / "assignments" / "attention" / "sample_class"


def students() -> list[str]:
    """The students of the sample class."""
    return sorted(path.parent.name for path in CLASS.glob("*/expected.toml"))


def differences(out: Path, student: str) -> Iterator[str]:
    """Say where a student's report is not as expected."""
    expected = tomllib.loads((CLASS / student / "expected.toml").read_text("utf-8"))
    report = json.loads((out / student / "report.json").read_text("utf-8"))
    found = {exercise["id"]: exercise for assignment in report["assignments"] for exercise in assignment["exercises"]}
    if report["score"] != expected["score"]:
        yield f"{student}: score {report['score']}, expected {expected['score']}"
    for exercise, status in expected["exercises"].items():
        if found[exercise]["status"] != status:
            yield f"{student}: {exercise} is {found[exercise]['status']}, expected {status}"
    carried = {exercise: each["carried"] for exercise, each in found.items() if each["carried"]}
    if carried != expected.get("carried", {}):
        yield f"{student}: carried {carried}, expected {expected.get('carried', {})}"
    named = {exercise: each["diagnosis"]["misconceptions"] for exercise, each in found.items() if each["diagnosis"]}
    wanted = {
        exercise: [name] if isinstance(name, str) else name for exercise, name in expected.get("diagnoses", {}).items()
    }
    if named != wanted:
        yield f"{student}: named {named}, expected {wanted}"


def main() -> int:
    """Print every difference; return 0 where there is none."""
    found = [difference for student in students() for difference in differences(Path(sys.argv[1]), student)]
    sys.stdout.write("".join(f"{difference}\n" for difference in found))
    sys.stdout.write(f"{len(students())} students, {len(found)} differences\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
