"""The NumPy assignments import no torch, in the command, the judge or the worker, even where it is installed."""

from __future__ import annotations

import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest

from tests.conftest import ROOT


@pytest.fixture
def python_with_a_torch_that_tells(tmp_path: Path) -> tuple[Path, Path]:
    """An environment like this one, whose torch leaves a mark when it is imported."""
    home = tmp_path / "env"
    venv.create(home, symlinks=True)
    site = Path(sysconfig.get_path("purelib", vars={"base": str(home), "platbase": str(home)}))
    mark = tmp_path / "torch-was-imported"
    (site / "torch").mkdir()
    (site / "torch" / "__init__.py").write_text(f"open({str(mark)!r}, 'w').close()\n")
    (site / "here.pth").write_text(f"{ROOT}\n{sysconfig.get_path('purelib')}\n")
    return home / "bin" / "python", mark


@pytest.mark.skipif(sys.platform == "win32", reason="the layout of an environment differs there")
@pytest.mark.parametrize("arguments", [["--help"], ["check", "attention.softmax"]], ids=["help", "check"])
def test_torch_is_not_imported(
    python_with_a_torch_that_tells: tuple[Path, Path], tmp_path: Path, arguments: list[str]
) -> None:
    python, mark = python_with_a_torch_that_tells
    work = tmp_path / "work"
    work.mkdir()
    (work / "attention.py").write_text((ROOT / "reference" / "attention.py").read_text("utf-8"), encoding="utf-8")
    command = [str(python), "-m", "grader", *arguments, *(["--course", str(ROOT)] if arguments[0] == "check" else [])]
    ran = subprocess.run(command, cwd=work, capture_output=True, text=True, check=False, timeout=120)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert not mark.exists()


@pytest.mark.parametrize("package", ["torch", "numpy", "pydantic", "pytest", "rich", "jinja2"])
def test_help_imports_no_heavy_package(package: str) -> None:
    ran = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "grader", "--help"],
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
    )
    assert "Usage:" in ran.stdout
    imported = {line.rpartition("|")[2].strip().partition(".")[0] for line in ran.stderr.splitlines()}
    assert package not in imported
