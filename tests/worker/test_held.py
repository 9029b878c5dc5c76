"""Tried in a process of its own, for what is renamed is everything that Python has imported."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from grader.worker.held import descriptors, hold

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux has /proc/self/fd")

_SOURCE = """
import sys
sys.path[:0] = [{repository!r}, {library!r}]
from grader.worker.held import hold, rename
from grader.worker.shown import Shown
import held_package
sys.meta_path.append(Shown({{"held_late": {late!r}}}))
names = hold([{library!r}, {late!r}])
rename(names)
import os
os.rename({closed!r}, {closed!r} + ".away")  # as far as names go, it is out of reach now
import held_package.inner, held_module, held_late
print(held_package.inner.value, held_module.value, held_late.value, held_package.__path__ != [{library!r} + "/held_package"])
"""


def test_what_is_held_is_imported_however_unreachable_its_name(tmp_path: Path) -> None:
    closed = tmp_path / "closed"
    library = closed / "library"
    (library / "held_package").mkdir(parents=True)
    (library / "held_package" / "__init__.py").touch()
    (library / "held_package" / "inner.py").write_text("value = 1")
    (library / "held_module.py").write_text("value = 2")
    (closed / "held_late.py").write_text("value = 3")
    closed.chmod(0o700)
    source = _SOURCE.format(
        repository=str(Path(__file__).parents[2]),
        library=str(library),
        late=str(closed / "held_late.py"),
        closed=str(closed),
    )
    done = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True, check=False)
    assert done.stdout.split() == ["1", "2", "3", "True"], done.stderr


def test_what_everyone_may_look_up_is_not_held() -> None:
    assert hold(["/usr", "/proc/self/status"]) == {}


def test_the_descriptors_are_told(tmp_path: Path) -> None:
    closed = tmp_path / "closed"
    (closed / "inner").mkdir(parents=True)
    closed.chmod(0o700)
    names = hold([str(closed / "inner")])
    (descriptor,) = descriptors(names)
    assert Path(f"/proc/self/fd/{descriptor}").readlink() == closed / "inner"
    os.close(descriptor)
