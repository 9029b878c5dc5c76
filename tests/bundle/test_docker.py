from __future__ import annotations

import json
import platform
import subprocess
from pathlib import Path

from grader.bundle.make import make_bundle
from grader.course.locate import load_assignments
from tests.bundle.conftest import KEY, Bundle, toy
from tests.bundle.dockerfile import Dockerfile


def test_the_image_is_pinned_whole_and_run_by_an_ordinary_user(bundle: Bundle) -> None:
    found = Dockerfile(bundle("docker", "masking", "layers"))
    found.check()
    assert found.of("FROM") == [f"python:{platform.python_version()}-slim"]
    words = [word for word, _ in found.instructions]
    assert words.index("USER") < words.index("ENTRYPOINT")
    assert found.of("USER") == ["grader"]
    assert any(run.startswith("useradd") and run.endswith(" grader") for run in found.of("RUN"))
    assert any(run.endswith(" numpy torch") for run in found.of("RUN"))
    [entry] = json.loads(found.of("ENTRYPOINT")[0])
    targets = [target for _, target, _ in found.copies()]
    assert entry in targets
    # The user who grades owns the course, so that it can be closed to all others.
    assert all(
        flags.get("chown") == "grader:grader"
        for _, target, flags in found.copies()
        if target in (entry, "/opt/grader/course")
    )


def test_what_is_mounted_is_graded(tmp_path: Path, commands: dict[str, str]) -> None:
    course = toy(tmp_path)
    make_bundle("docker", load_assignments(course, []), tmp_path / "bundle", course_key=lambda: KEY)
    found = Dockerfile(tmp_path / "bundle")
    found.copy_into(tmp_path / "root")
    [entry] = json.loads(found.of("ENTRYPOINT")[0])
    env = commands | {"SUBMISSION": str(course / "class/ada"), "OUT": str(tmp_path / "out")}
    grade = [tmp_path / "root" / entry.lstrip("/"), "--student", "eva"]
    ran = subprocess.run(grade, env=env, capture_output=True, text=True, check=False, timeout=300)
    assert ran.returncode == 0, ran.stderr
    assert json.loads((tmp_path / "out" / "gradescope").read_bytes())["score"] == 10
    assert json.loads((tmp_path / "out" / "eva" / "report.json").read_bytes())["status"] == "passed"

    (tmp_path / "root/opt/grader/course/assignments/toy/tests.lock").unlink()
    env["OUT"] = str(tmp_path / "other")
    ran = subprocess.run(grade, env=env, capture_output=True, text=True, check=False, timeout=300)
    assert ran.returncode == 3
    assert not (tmp_path / "other" / "gradescope").exists()
