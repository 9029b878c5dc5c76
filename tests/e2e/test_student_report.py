"""The student's report gives away nothing of a hidden test, whatever the submission tries."""

from __future__ import annotations

import json
from pathlib import Path

from tests.e2e.hostile import hand_in, replacing

LEAKS = {
    "as-a-message": "raise ValueError(repr(args))",
    "as-a-class-name": "raise type('Leak' + repr(args), (Exception,), {})('x')",
    "as-output": "print(args)\nreturn 0.0",
    "in-a-later-visible-test": "import builtins\nraise ValueError(repr(getattr(builtins, 'stash', None)))",
}


def test_no_hidden_input_seed_source_or_path_reaches_the_student(grade, tmp_path: Path) -> None:
    for student, body in LEAKS.items():
        hand_in(tmp_path / "class", student, replacing("attention_backward", body))
    ran = grade(tmp_path / "class", "-a", "attention", "--out", tmp_path / "out")
    assert ran.returncode == 0, ran.stderr
    for student in LEAKS:
        text = (tmp_path / "out" / student / "report.student.json").read_text("utf-8")
        told = json.loads(text)
        hidden = [
            test for each in told["assignments"][0]["exercises"] for test in each["tests"] if test["suite"] == "hidden"
        ]
        assert hidden
        assert all(test["name"] is None and test["message"] is None for test in hidden)
        assert all(test["error"] in (None, "ValueError", "Exception") for test in hidden)
        assert "hidden/" not in text
        assert "seed" not in text
        assert str(tmp_path) not in text
        assert "content" not in text


def test_visible_tests_run_before_any_hidden_input_is_seen(grade, tmp_path: Path) -> None:
    stashing = replacing("attention_backward", "raise ValueError('stashed ' + repr(STASH))") + (
        "\n\nSTASH = []\n_inner = softmax\n\n\ndef softmax(*args, **kwargs):\n    STASH.append(args)\n    return _inner(*args, **kwargs)\n"
    )
    hand_in(tmp_path / "class", "ann", stashing)
    ran = grade(tmp_path / "class", "-a", "attention", "--out", tmp_path / "out")
    assert ran.returncode == 0, ran.stderr
    report = json.loads((tmp_path / "out" / "ann" / "report.json").read_text("utf-8"))
    order = [key for key in report["timings"] if "::" in key]
    suites = [key.partition("/")[0] for key in order]
    assert suites == sorted(suites, key=["visible", "hidden"].index)
