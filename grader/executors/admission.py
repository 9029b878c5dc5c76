"""Whether a worker is fit to judge: the same grader, the same versions, and a sandbox that held."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pydantic import ValidationError

from grader import __version__
from grader.executors import node
from grader.executors.link import CallError, Link, Worker
from grader.executors.packed import PackedCourse
from grader.executors.safety import require_safety
from grader.executors.words import Fit, Seen, Versions
from grader.model.errors import GraderError
from grader.pipeline.engine import code_digest
from grader.sandbox.base import Level

_SAME = "install the same rowwise there, from the same files"


@dataclass(frozen=True)
class Wanted:
    """What a run asks of its nodes.

    Args:
        run: What the run is called.
        course: The course.
        level: The isolation that every submission is held at.
        environments: The versions that the gradebook will say each assignment was judged with.
    """

    run: str
    course: PackedCourse
    level: Level
    environments: Mapping[str, Versions]


def prepare_node(link: Link, worker: Worker, wanted: Wanted) -> None:
    """Give the course to a worker that is fit.

    Raises:
        GraderError: It is not; `where` is its address.
    """
    address = worker.address
    require_safety(address)
    try:
        seen = Seen.model_validate_json(link.call(address, node.look, wanted.course.digest))
        _require_same_grader(address, seen)
        content = b"" if seen.holds else wanted.course.content
        told = link.call(address, node.take, wanted.run, wanted.course.digest, content, str(wanted.level))
        fit = Fit.model_validate_json(told)
    except (CallError, ValidationError) as error:
        raise GraderError(f"it could not take the course: {error}", where=address, hint=_SAME) from error
    if fit.problem:
        raise GraderError(fit.problem, where=address, hint=fit.hint or _other_level(wanted.level))
    _require_same_versions(address, fit, wanted)


def _require_same_grader(address: str, seen: Seen) -> None:
    if seen.grader != __version__:
        raise GraderError(f"its grader is {seen.grader}, here it is {__version__}", where=address, hint=_SAME)
    if seen.code != code_digest():
        raise GraderError(f"its grader is another {__version__} than this one", where=address, hint=_SAME)


def _require_same_versions(address: str, fit: Fit, wanted: Wanted) -> None:
    for assignment, here in wanted.environments.items():
        there = fit.environments.get(assignment, {})
        if differing := [name for name in here if there.get(name) != here[name]]:
            told = ", ".join(f"{name} is {there.get(name, 'none')}, here {here[name]}" for name in differing)
            raise GraderError(
                f"{assignment} would be judged with other versions there: {told}",
                where=address,
                hint="install the same there: python -m pip install -c .ci/constraints.txt ...",
            )


def _other_level(level: Level) -> str:
    weaker = "--isolation container is for nodes that refuse namespaces; " if level is Level.FULL else ""
    return f"{weaker}`grader doctor` there shows what it gives"
