"""The README's clusters: what is said there is run here or in test_conformance, or at least holds together."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

from tests.e2e.toy import hand_in, toy_course
from tests.executors import readme
from tests.executors.clusters import scheduler_and_workers
from tests.faults.graded import grade


def test_the_programs_are_python_and_what_kubernetes_is_given_names_one_cluster() -> None:
    for program in readme.blocks("python"):
        compile(program, "README.md", "exec")
    (told,) = (yaml.safe_load(block) for block in readme.blocks("yaml"))
    name, spec = told["metadata"]["name"], told["spec"]
    assert spec["scheduler"]["service"]["selector"]["dask.org/cluster-name"] == name
    for part in ("worker", "scheduler"):
        (container,) = spec[part]["spec"]["containers"]
        assert container["args"][:2] == ["dask", part]
        assert container["volumeMounts"][0]["name"] == spec[part]["spec"]["volumes"][0]["name"]
    assert f"tls://{name}-scheduler:8786" in spec["worker"]["spec"]["containers"][0]["args"]
    assert f"service/{name}-scheduler" in readme.section()


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("openssl") or not shutil.which("bash"), reason="the README's commands need both")
def test_a_cluster_with_the_certificates_of_the_readme_grades_and_without_them_is_refused(tmp_path: Path) -> None:
    script = f"{readme.certificates()}\nenv -0"
    env = os.environ | {"HOME": str(tmp_path)}
    made = subprocess.run(["bash", "-c", script], env=env, capture_output=True, check=True).stdout
    tls = dict(each.split("=", 1) for each in made.decode().split("\0") if each.startswith("DASK_"))
    assert len(tls) == 7
    course = toy_course(tmp_path / "course")
    hand_in(course, "ann", "def double(x):\n    return 2 * x\n")
    with scheduler_and_workers(tmp_path, "--protocol", "tls", env=tls) as cluster:
        assert cluster.address.startswith("tls://")
        where = ["--executor", "dask", "--scheduler", cluster.address]
        without = grade(course, [course / "class"], tmp_path / "out", *where)
        assert (without.code, "there are no certificates" in without.said) == (2, True)
        ran = grade(course, [course / "class"], tmp_path / "out", *where, environment=tls)
    assert ran.code == 0, ran.said
    assert json.loads((tmp_path / "out" / "summary.json").read_text("utf-8"))["submissions"][0]["status"] == "passed"
