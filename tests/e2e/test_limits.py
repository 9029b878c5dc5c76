"""Each limit ends in a status of its own, and names itself and its value; one submission for each."""

from __future__ import annotations

import json
from pathlib import Path

from tests.e2e.toy import hand_in, toy_course

LIMITS = (
    "{ cpu_seconds = 0.3, wall_seconds = 5.0, memory_mb = 256, processes = 16, open_files = 64, file_mb = 1, "
    "output_kb = 64, reply_mb = 8, calls = 50 }"
)
TEST = """
import numpy as np
from grader.testing import assert_close, core, exercise

pytestmark = exercise("toy.double")


@core
def test_values(submission):
    while submission.double(np.arange(3.0), lambda x: 2 * x)[0] != 0:
        pass
    assert_close(submission.double(np.arange(3.0), lambda x: 2 * x), np.array([0.0, 2.0, 4.0]))
"""
# From a limit to what a submission does to meet it, and what is said of it.
BROKEN = {
    "cpu": ("while True: pass", "timeout", "double used more than 0.3 s of processor time"),
    "wall": ("import time; time.sleep(60)", "timeout", "double did not return within 5 s"),
    "memory": (
        "import numpy; numpy.ones(10 ** 9)",
        "memory",
        "MemoryError: Unable to allocate 7.45 GiB for an array with shape (1000000000,) and data type float64; the limit is 256 MiB of memory (toy.py, line 2)",
    ),
    "processes": (
        "import threading\n    for _ in range(100): threading.Thread(target=threading.Event().wait, daemon=True).start()",
        "failed",
        "RuntimeError: can't start new thread; the limit is 16 threads and processes, and 256 MiB of memory (toy.py, line 3)",
    ),
    "open-files": (
        "files = [open('/dev/null') for _ in range(100)]",
        "failed",
        "OSError: [Errno 24] Too many open files: '/dev/null'; the limit is 64 open files (toy.py, line 2)",
    ),
    "file-size": (
        "open('big', 'wb', buffering=0).write(bytes(2 ** 20)); open('big', 'ab', buffering=0).write(b'x')",
        "failed",
        "OSError: [Errno 27] File too large; the limit is 1 MiB a file (toy.py, line 2)",
    ),
    "folder": (
        "for i in range(9): open(str(i), 'wb', buffering=0).write(bytes(2 ** 20))",
        "failed",
        "OSError: [Errno 28] No space left on device; the limit is 4 MiB and 4096 files in the folder (toy.py, line 2)",
    ),
    "reply": (
        "import numpy; return numpy.zeros(2 ** 21)",
        "memory",
        "Unreturnable: double returned 16 MiB of arrays, more than the 8 MiB that one call may return",
    ),
    "reply-by-force": (
        "import gc, numpy\n    for it in gc.get_objects():\n        if type(it).__name__ == 'Channel': it._sendable = it._accepted\n    return numpy.zeros(2 ** 21)",
        "crashed",
        "double: its process sent something that is no answer (frame: ",
    ),
    "calls-back": (
        "while True: twice(x)",
        "timeout",
        "call 51 of this test, back from double: a test may make 50, calls back included",
    ),
    "arguments-back": (
        "import numpy; twice(numpy.zeros(2 ** 21))",
        "memory",
        "Unreturnable: a function you were given was called with 16 MiB of arrays, more than the 8 MiB that one call back may carry (toy.py, line 2)",
    ),
    "calls": (
        "return x + 1",
        "timeout",
        "call 51 of this test, to double: a test may make 50, calls back included",
    ),
}


def limited_course(folder: Path) -> Path:
    course = toy_course(folder, limits=LIMITS)
    for suite in ("visible", "hidden"):
        (course / "assignments" / "toy" / suite / "test_double.py").write_text(TEST, encoding="utf-8")
    (course / "reference" / "toy.py").write_text("def double(x, twice):\n    return twice(x)\n", encoding="utf-8")
    return course


def told(out: Path, student: str) -> tuple[str, str]:
    (assignment,) = json.loads((out / student / "report.json").read_text("utf-8"))["assignments"]
    (exercise,) = assignment["exercises"]
    return exercise["status"], next(test["message"] for test in exercise["tests"] if test["suite"] == "visible")


def test_each_limit_ends_in_its_status_and_names_itself(grade, tmp_path: Path) -> None:
    course = limited_course(tmp_path / "course")
    for name, (body, _, _) in BROKEN.items():
        submissions = hand_in(course, name, f"def double(x, twice):\n    {body}\n    return twice(x)\n")
    ran = grade(submissions, "-a", "toy", "--out", tmp_path / "out", cwd=course)
    assert ran.returncode == 0, ran.stderr
    found = {name: told(tmp_path / "out", name) for name in BROKEN}
    cut = {name: (status, message[: len(BROKEN[name][2])]) for name, (status, message) in found.items()}
    assert cut == {name: (status, message) for name, (_, status, message) in BROKEN.items()}
    reports = {name: json.loads((tmp_path / "out" / name / "report.json").read_text("utf-8")) for name in BROKEN}
    # What exactly was used is measured, and so differs between two runs: it stands among the timings alone.
    assert reports["cpu"]["timings"]["double: processor time"] >= 0.3
    assert reports["wall"]["timings"]["double: wall time"] >= 5.0


def test_printed_text_is_kept_up_to_its_limit_and_a_note_says_so(grade, tmp_path: Path) -> None:
    course = limited_course(tmp_path / "course")
    hand_in(course, "ann", "def double(x, twice):\n    print('x' * 2 ** 17)\n    return twice(x)\n")
    submissions = hand_in(
        course, "zoe", "def double(x, twice):\n    for i in range(3000): print(i)\n    return twice(x)\n"
    )
    ran = grade(submissions, "-a", "toy", "--out", tmp_path / "out", cwd=course)
    assert ran.returncode == 0, ran.stderr
    outputs = {}
    for name in ("ann", "zoe"):
        report = json.loads((tmp_path / "out" / name / "report.json").read_text("utf-8"))
        assert report["status"] == "passed"
        outputs[name] = report["assignments"][0]["output"]
    assert outputs["ann"]["text"] == "x" * 2**16 + "\n[cut here: the limit is 64 KiB of output]\n"
    assert outputs["ann"]["truncated"]
    assert outputs["zoe"]["text"] == "".join(f"{i}\n" for i in range(3000)) * 4
    assert not outputs["zoe"]["truncated"]


def test_what_a_submission_raises_is_told_in_part_however_long_it_is(grade, tmp_path: Path) -> None:
    course = limited_course(tmp_path / "course")
    submissions = hand_in(course, "ann", "def double(x, twice):\n    raise ValueError('x' * 10 ** 8)\n")
    ran = grade(submissions, "-a", "toy", "--out", tmp_path / "out", cwd=course)
    assert ran.returncode == 0, ran.stderr
    status, message = told(tmp_path / "out", "ann")
    assert status == "failed"
    assert len(message) == 2000
    assert message.startswith("ValueError: xxx")
    assert message.endswith("x…")
