"""A course of two exercises, one of which calls the other, with misconceptions of each."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from grader.judge.catalogue import load_catalogue
from grader.judge.diagnose import Diagnostician, Finding, Recorded
from grader.judge.direct import DirectCaller, Source
from grader.judge.fingerprints import FingerprintDiagnosis, Fingerprints, Visible, make_fingerprints
from grader.judge.record import Call, Outcome, Request
from grader.model.manifest import Manifest
from grader.testing.catalogue import Catalogue
from grader.testing.tolerance import FLOAT64, Tolerance
from tests.model.toy import exercise, manifest

REFERENCE = """
import numpy as np

def normalise(x):
    if x.ndim < 2:
        raise ValueError("two axes")
    return x / x.sum(axis=-1, keepdims=True)

def blend(w, v):
    return normalise(w) @ v
"""
MISCONCEPTIONS = """
from grader.testing import Explained, misconception

def words(name):
    return {"en": Explained(name, "why", "hint"), "zh_tw": Explained(name + "。", "為何", "提示")}

@misconception("toy.normalise/columns", **words("columns"))
def normalise(ref, x):
    if x.ndim < 2:
        raise ValueError("two axes")
    return x / x.sum(axis=0, keepdims=True)

@misconception("toy.normalise/in-place", **words("in-place"), name="normalise")
def normalise_in_place(ref, x):
    if x.ndim < 2:
        raise ValueError("two axes")
    x /= x.sum(axis=-1, keepdims=True)
    return x

@misconception("toy.normalise/wrong-error", **words("wrong-error"), name="normalise")
def normalise_wrong_error(ref, x):
    if x.ndim < 2:
        raise TypeError("two axes")
    return x / x.sum(axis=-1, keepdims=True)

@misconception("toy.blend/transposed", **words("transposed"))
def blend(ref, w, v):
    return ref.normalise(w).T @ v

@misconception("toy.blend/doubled", **words("doubled"), name="blend")
def blend_doubled(ref, w, v):
    return 2 * (ref.normalise(w) @ v)
"""

# What students hand in: the same mistakes, written in their own way.
RIGHT = """
import numpy as np

def normalise(x):
    if x.ndim < 2:
        raise ValueError
    out = x.copy()
    for row in out.reshape(-1, out.shape[-1]):
        row /= sum(row)
    return out

def blend(w, v):
    a = normalise(w)
    return np.einsum("ik,kj->ij", a, v)
"""
COLUMNS = RIGHT.replace("for row in out.reshape(-1, out.shape[-1]):", "for row in out.T:")
IN_PLACE = RIGHT.replace("out = x.copy()", "out = x")
TRANSPOSED = RIGHT.replace("a = normalise(w)", "a = normalise(w).T")
BOTH = COLUMNS.replace("a = normalise(w)", "a = normalise(w).T")
WRONG_ERROR = RIGHT.replace("raise ValueError", "raise type('Mine', (TypeError,), {})()")
UNKNOWN = RIGHT.replace("return out", "return out ** 2")


@dataclass(frozen=True)
class Toy:
    """The course, ready for diagnosis."""

    folder: Path
    manifest: Manifest
    sources: list[Source]
    catalogue: Catalogue

    def hand_in(self, source: str) -> DirectCaller:
        """Return something that can be called as the submission."""
        path = self.folder / "submission" / "toy.py"
        path.parent.mkdir(exist_ok=True)
        path.write_text(source, encoding="utf-8")
        return DirectCaller(Source(path).namespace())

    def name(self, source: str, exercise_id: str, tolerance: Tolerance = FLOAT64) -> Finding | None:
        """Return what an instructor's diagnosis finds in a submission."""
        calls = record(self.hand_in(source), REQUESTS[exercise_id], tolerance)
        return Diagnostician(self.sources, self.catalogue, self.manifest).name(exercise_id, calls)

    def fingerprints(self, tolerance: Tolerance = FLOAT64) -> Fingerprints:
        """Return the fingerprints of a kit whose visible tests make all calls with one tolerance."""
        visible = {exercise: asked(requests, tolerance) for exercise, requests in REQUESTS.items()}
        return make_fingerprints(self.sources, self.catalogue, self.manifest, visible)

    def name_in_kit(self, source: str, exercise_id: str, tolerance: Tolerance = FLOAT64) -> Finding | None:
        """Return what a student's kit finds in the same submission."""
        written = self.fingerprints().model_dump_json(by_alias=True, exclude_defaults=True)
        calls = record(self.hand_in(source), REQUESTS[exercise_id], tolerance)
        kit = FingerprintDiagnosis(Fingerprints.model_validate_json(written), self.manifest)
        return kit.name(exercise_id, calls)


def make_toy(folder: Path, misconceptions: str = MISCONCEPTIONS) -> Toy:
    """Write the course into a folder."""
    found = manifest(exercise("toy.normalise"), exercise("toy.blend", "toy.normalise"))
    for name, text in (("reference/toy.py", REFERENCE), ("misconceptions.py", misconceptions)):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(textwrap.dedent(text), encoding="utf-8")
    catalogue = load_catalogue(folder / "misconceptions.py", found)
    return Toy(folder, found, [Source(folder / "reference" / "toy.py")], catalogue)


def record(caller: DirectCaller, requests: Iterable[Request], tolerance: Tolerance = FLOAT64) -> list[Recorded]:
    """Make calls, as a test would, and remember them."""
    return [Recorded(Call(request, caller.call(request)), tolerance) for request in requests]


def asked(requests: Iterable[Request], tolerance: Tolerance = FLOAT64) -> list[Visible]:
    """The same calls, for fingerprints to be made of."""
    return [Visible([Call(request, Outcome())], tolerance) for request in requests]


def ids(finding: Finding | None) -> list[str]:
    """The names that were found."""
    return [] if finding is None else [found.id for found in finding.misconceptions]


def _draws(*shapes: Sequence[int]) -> list[np.ndarray]:
    rng = np.random.default_rng(20)
    return [rng.uniform(0.5, 2.0, size=shape) for shape in shapes]


_W, _WIDE, _V = _draws((3, 3), (2, 3), (3, 2))
REQUESTS = {
    "toy.normalise": [
        Request("normalise", (_W,)),
        Request("normalise", (), {"x": _WIDE}),
        Request("normalise", (_V[0],)),
    ],
    "toy.blend": [Request("blend", (_W, _V)), Request("blend", (_WIDE, _V))],
}
