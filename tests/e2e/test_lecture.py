"""The lecture's example of two tokens, right and with the softmax run down the columns."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from reference import attention as reference
from tests.e2e.hostile import hand_in, replacing

DOWN_THE_COLUMNS = """
Q, K, V = (np.array(each, dtype=float) for each in ([[1], [2]], [[1], [3]], [[10], [20]]))
given = dict(zip("QKV", args)) | kwargs
Q, K, V = as_floats(given.get("Q", Q), given.get("K", K), given.get("V", V))
S = attention_scores(Q, K)
A = softmax(np.where(np.tri(len(S), dtype=bool), S, S.dtype.type(-np.inf)), axis=0)
return {"S": S, "A": A, "Z": A @ V}
"""


def test_the_second_output_is_19_82() -> None:
    assert round(float(reference.two_token_example()["Z"][1, 0]), 2) == 19.82


def test_down_the_columns_its_rows_sum_to_269_and_1731() -> None:
    S = reference.two_token_example()["S"]
    A = reference.softmax(np.where(np.tri(2, dtype=bool), S, -np.inf), axis=0)
    assert A.sum(axis=1).round(3).tolist() == [0.269, 1.731]


def test_the_trap_is_named_in_both_languages_to_the_student_and_the_instructor(grade, tmp_path: Path) -> None:
    hand_in(tmp_path / "class", "ann", replacing("two_token_example", DOWN_THE_COLUMNS.strip()))
    ran = grade(tmp_path / "class", "-a", "attention", "--out", tmp_path / "out")
    assert ran.returncode == 0, ran.stderr
    for name in ("report.json", "report.student.json"):
        report = json.loads((tmp_path / "out" / "ann" / name).read_text("utf-8"))
        (exercise,) = [each for each in report["assignments"][0]["exercises"] if each["status"] != "passed"]
        assert exercise["id"] == "attention.two_tokens"
        assert exercise["diagnosis"]["misconceptions"] == ["attention.two_tokens/softmax-columns"]
        assert "column" in exercise["diagnosis"]["en"][0]["name"]
        assert "直行" in exercise["diagnosis"]["zh-TW"][0]["name"]
        assert any(
            "your rows sum to [0.269, 1.731]" in (test["message"] or "")
            for test in exercise["tests"]
            if test["suite"] == "visible"
        )
