"""What is right but for its size ends in `memory`, and is told which of its arrays is the T x T matrix."""

from __future__ import annotations

import json
from pathlib import Path

from tests.conftest import ROOT

RIGHT = (ROOT / "reference" / "efficient.py").read_text("utf-8")
LOOP = "    for start in range(0, T_k, tile):\n"
SEES = "S = np.where(keys <= position, S, -np.inf)"
MASK = "    if causal:\n        sees = np.arange(T_k) <= position  # [T_q, T_k]\n"
ALWAYS = "    sees = np.arange(T_k) <= position\n"
SEEN = "S = np.where(sees[:, keys], S, -np.inf)"
TOO_LARGE = {
    "whole-matrix": RIGHT.replace(LOOP, f"    tile = max(T_k, 1)\n{LOOP}"),
    "whole-mask": RIGHT.replace(LOOP, MASK + LOOP).replace(SEES, SEEN),
    "whole-mask always": RIGHT.replace(LOOP, ALWAYS + LOOP).replace(SEES, SEEN),
}


def test_a_matrix_of_all_queries_and_keys_is_too_large_and_named(grade, tmp_path: Path) -> None:
    for name, source in TOO_LARGE.items():
        (tmp_path / "class" / name).mkdir(parents=True)
        (tmp_path / "class" / name / "efficient.py").write_text(source, encoding="utf-8")
    ran = grade(tmp_path / "class", "-a", "efficient", "--out", tmp_path / "out")
    assert ran.returncode == 0, ran.stderr
    for name in TOO_LARGE:
        [assignment] = json.loads((tmp_path / "out" / name / "report.json").read_text("utf-8"))["assignments"]
        online, blockwise = assignment["exercises"]
        assert (online["status"], online["score"]) == ("passed", online["points"])
        assert (blockwise["status"], blockwise["score"]) == ("memory", 0)
        assert blockwise["diagnosis"]["misconceptions"] == [f"efficient.blockwise_attention/{name.partition(' ')[0]}"]
        assert "T x T" in blockwise["diagnosis"]["en"][0]["name"]
        wrong = {
            test["id"].partition("::")[2]: test["status"] for test in blockwise["tests"] if test["suite"] == "hidden"
        }
        assert {test for test, status in wrong.items() if status != "passed"} == {
            "test_8192_tokens_fit_where_their_matrix_does_not"
        }
