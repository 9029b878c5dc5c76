"""A submission that hangs, dies or misbehaves gets its report, and the next one is untouched."""

from __future__ import annotations

import json
import resource
from pathlib import Path

import pytest

from tests.e2e.hostile import hand_in, replacing, right_answer
from tests.e2e.toy import TEST, toy_course
from tests.e2e.toy import hand_in as hand_in_toy


def report(out: Path, student: str) -> dict:
    return json.loads((out / student / "report.json").read_text("utf-8"))


def exercises(out: Path, student: str) -> dict[str, dict]:
    return {
        exercise["id"]: exercise
        for assignment in report(out, student)["assignments"]
        for exercise in assignment["exercises"]
    }


def next_is_untouched(out: Path) -> bool:
    after = report(out, "zoe")
    return after["status"] == "passed" and after["score"] == after["points"]


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ("import os; os._exit(0)", "crashed"),
        ("import os; os._exit(97)", "crashed"),
        ("import ctypes; ctypes.string_at(0)", "crashed"),
        ("raise SystemExit(0)", "failed"),
        ("raise KeyboardInterrupt", "failed"),
        (
            "import os\nfor fd in range(3, 16):\n    try: os.write(fd, b'garbage' * 1000)\n    except OSError: pass\nreturn 1.0",
            "crashed",
        ),
        ("return [[[]]] * 3", "failed"),
        ("class Lie(Exception):\n    def __str__(self): raise RuntimeError('no')\nraise Lie", "failed"),
        ("import numpy as np\nreturn np.ones(10**11)", "memory"),
        ("def deep(n): return deep(n + 1)\nreturn deep(0)", "failed"),
    ],
    ids=[
        "os-exit",
        "os-exit-with-a-code-of-ours",
        "segfault",
        "system-exit",
        "keyboard-interrupt",
        "garbage-on-the-wire",
        "odd-value",
        "lying-exception",
        "too-much-memory",
        "recursion",
    ],
)
def test_a_fault_costs_the_exercise_it_happened_in_and_nothing_else(
    grade, tmp_path: Path, body: str, status: str
) -> None:
    hand_in(tmp_path / "class", "ann", replacing("attention_backward", body))
    hand_in(tmp_path / "class", "zoe", right_answer())
    ran = grade(tmp_path / "class", "-a", "attention", "--out", tmp_path / "out", "-j", "1")
    assert ran.returncode == 0, ran.stderr
    found = exercises(tmp_path / "out", "ann")
    assert found["attention.backward"]["status"] == status
    assert found["attention.backward"]["score"] == 0
    assert all(exercise["status"] == "passed" for name, exercise in found.items() if name != "attention.backward")
    assert next_is_untouched(tmp_path / "out")


def test_a_hundred_megabytes_of_print_are_cut_with_a_note(grade, tmp_path: Path) -> None:
    hand_in(tmp_path / "class", "ann", replacing("attention_backward", "for _ in range(100): print('x' * 2**20)"))
    hand_in(tmp_path / "class", "zoe", right_answer())
    ran = grade(tmp_path / "class", "-a", "attention", "--out", tmp_path / "out", "-j", "1")
    assert ran.returncode == 0, ran.stderr
    output = report(tmp_path / "out", "ann")["assignments"][0]["output"]
    assert output["truncated"]
    assert len(output["text"]) <= 2**21
    assert next_is_untouched(tmp_path / "out")


def test_a_hang_costs_its_exercise_and_its_limit_once(grade, tmp_path: Path) -> None:
    hand_in(tmp_path / "class", "ann", replacing("attention_weights", "while True: pass"))
    ran = grade(tmp_path / "class", "-a", "attention", "--out", tmp_path / "out", "-j", "1")
    assert ran.returncode == 0, ran.stderr
    found = exercises(tmp_path / "out", "ann")
    assert found["attention.weights"]["status"] == "timeout"
    dependents = {"attention.attention", "attention.two_tokens", "attention.multi_head", "attention.backward"}
    assert {name for name, exercise in found.items() if exercise["carried"]} == dependents
    assert {name for name, exercise in found.items() if exercise["status"] != "passed"} == {"attention.weights"}
    waited = [
        test
        for exercise in found.values()
        for test in exercise["tests"]
        if test["status"] == "timeout" and not test["message"].startswith("not run")
    ]
    assert len(waited) == 1


def test_a_hang_at_import_costs_its_limit_once(grade, tmp_path: Path) -> None:
    hand_in(tmp_path / "class", "ann", "while True: pass\n")
    ran = grade(tmp_path / "class", "-a", "attention", "--out", tmp_path / "out", "-j", "1")
    assert ran.returncode == 0, ran.stderr
    assert {exercise["status"] for exercise in exercises(tmp_path / "out", "ann").values()} <= {"timeout", "blocked"}
    assert report(tmp_path / "out", "ann")["timings"]["total"] < 2 * 2.0 + 5.0


def test_sleeping_runs_out_of_wall_time_and_is_tried_once_more_alone(grade, tmp_path: Path) -> None:
    course = toy_course(tmp_path / "course", limits="{ wall_seconds = 1.0, cpu_seconds = 0.4 }")
    submissions = hand_in_toy(course, "ann", "import time\ndef double(x):\n    time.sleep(60)\n")
    ran = grade(submissions, "-a", "toy", "--out", tmp_path / "out", cwd=course)
    assert ran.returncode == 0, ran.stderr
    assert report(tmp_path / "out", "ann")["status"] == "timeout"


def test_huge_answers_do_not_fill_the_judge(grade, tmp_path: Path) -> None:
    # 40 MB an answer are within the cap of one reply; 60 calls of it would be 2.4 GB.
    hand_in(tmp_path / "class", "ann", replacing("softmax", "import numpy as np\nreturn np.zeros((5000, 1000))"))
    ran = grade(tmp_path / "class", "-a", "attention", "--out", tmp_path / "out", preexec_fn=few_megabytes)
    assert ran.returncode == 0, ran.stderr
    assert exercises(tmp_path / "out", "ann")["attention.softmax"]["status"] == "failed"


def few_megabytes() -> None:
    """Let no process of the run have more than 1.5 GB of memory."""
    resource.setrlimit(resource.RLIMIT_DATA, (1_500_000_000, 1_500_000_000))


def test_many_slow_calls_run_out_of_the_exercises_time(grade, tmp_path: Path) -> None:
    course = toy_course(tmp_path / "course", limits="{ wall_seconds = 1.0, cpu_seconds = 1.0 }")
    many = TEST.replace(
        "    assert_close", "    for _ in range(100):\n        submission.double(np.arange(3.0))\n    assert_close"
    )
    (course / "assignments/toy/hidden/test_double.py").write_text(many, encoding="utf-8")
    submissions = hand_in_toy(course, "ann", "import time\ndef double(x):\n    time.sleep(0.5)\n    return 2 * x\n")
    ran = grade(submissions, "-a", "toy", "--out", tmp_path / "out", cwd=course)
    assert ran.returncode == 0, ran.stderr
    assert report(tmp_path / "out", "ann")["status"] == "timeout"
    assert report(tmp_path / "out", "ann")["timings"]["total"] < 20
