"""With matplotlib in its profile a sandbox draws at once, and without a screen."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from grader.model.manifest import Limits
from grader.sandbox.base import Level, Profile, Sandbox
from grader.sandbox.environment import INSIDE
from grader.sandbox.registry import BACKENDS

matplotlib = pytest.importorskip("matplotlib")

PROFILE = Profile(("numpy", "matplotlib"), Limits(memory_mb=512))
_FIGURE = """
import io, os, sys
before = set(sys.modules)
import matplotlib.pyplot as plt
from matplotlib.figure import Figure
pictures = []
for figure in (plt.figure(), Figure(layout="constrained")):
    axes = figure.subplots(1, 2)
    axes[0].plot([0, 1], [2, 3], label="training")
    axes[0].set(title="Loss", xlabel="step")
    axes[0].legend()
    figure.tight_layout()
    figure.savefig(picture := io.BytesIO())
    pictures.append(picture.getvalue()[1:4])
result = len(set(sys.modules) - before), plt.get_backend().lower(), pictures, os.environ["HOME"]
"""


@pytest.fixture(scope="module", params=[Level.FULL, Level.CONTAINER], ids=str)
def sandbox(opened_for_all: Callable[..., Sandbox], request: pytest.FixtureRequest) -> Sandbox:
    if reason := BACKENDS[request.param].unavailable():
        pytest.skip(reason)
    if request.param is Level.CONTAINER and _closed(Path(matplotlib.__file__)):
        pytest.skip("matplotlib follows links to its fonts, and these lie in a folder that is closed to others")
    return opened_for_all(request.param, PROFILE)


def _closed(path: Path) -> bool:
    return not all(folder.stat().st_mode & 0o001 for folder in path.parents)


def test_a_figure_is_drawn_without_a_screen_and_imports_next_to_nothing(sandbox: Sandbox, ask: Any) -> None:
    more, backend, pictures, home = eval(ask(sandbox.fork(), _FIGURE))  # noqa: S307 - our own stand-in's
    assert more < 20
    assert backend == "agg"
    assert pictures == [b"PNG", b"PNG"]
    assert home == INSIDE["HOME"]  # and not the one that fonts were looked for in
