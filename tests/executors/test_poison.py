"""A submission with which workers of the cluster die takes nothing from the others, and comes to an end."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from tests.executors.classes import poisoned
from tests.executors.clusters import local_cluster
from tests.faults.graded import grade

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")


def test_it_is_tried_twice_and_is_then_our_fault_and_the_rest_is_graded(tmp_path: Path) -> None:
    deaths, out = tmp_path / "deaths", tmp_path / "out"
    course = poisoned(tmp_path, deaths)
    with local_cluster(tmp_path) as cluster:
        where = ["--executor", "dask", "--scheduler", cluster.address]
        run = grade(course, [course / "class"], out, *where)
        assert cluster.is_left()
    assert run.code == 4, run.said
    assert deaths.read_text("utf-8") == "xx"
    summary = json.loads((out / "summary.json").read_text("utf-8"))
    ours = {row["id"]: row["score"] for row in summary["submissions"] if row["status"] == "grader_error"}
    assert ours == {"ivy": None}
    assert {row["status"] for row in summary["submissions"] if row["id"] != "ivy"} == {"passed"}
    assert len(summary["submissions"]) == 5
    problem = json.loads((out / "ivy" / "report.json").read_text("utf-8"))["assignments"][0]["problem"]
    assert "the worker tcp://127.0.0.1:" in problem
    assert "was lost (its limit of memory: " in problem
