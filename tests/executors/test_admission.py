"""A worker that would not give the verdicts of this machine is refused, by name and with what to do."""

from __future__ import annotations

import re

import pytest

from grader.executors.admission import Wanted, prepare_node
from grader.executors.link import CallError
from grader.executors.packed import PackedCourse
from grader.executors.words import Fit
from grader.model.errors import GraderError
from grader.sandbox.base import Level
from tests.executors.fake import A, FakeLink

HERE = {"python": "3.11.7", "numpy": "2.4.6"}
WANTED = Wanted("run", PackedCourse("digest", b"the course"), Level.FULL, {"toy": HERE})


@pytest.fixture
def link() -> FakeLink:
    made = FakeLink(A)
    made.fit = Fit(environments={"toy": HERE}, level=Level.FULL)
    return made


def refused(link: FakeLink, worker=A) -> GraderError:
    with pytest.raises(GraderError) as told:
        prepare_node(link, worker, WANTED)
    assert told.value.where == worker.address
    assert told.value.hint
    return told.value


def test_one_that_is_the_same_is_given_the_course_and_told_the_level(link: FakeLink) -> None:
    prepare_node(link, A, WANTED)
    assert link.calls == [
        (A.address, "look", ("digest",)),
        (A.address, "take", ("run", "digest", b"the course", "full")),
    ]


def test_one_that_holds_the_course_is_not_sent_it_again(link: FakeLink) -> None:
    link.seen = link.seen.model_copy(update={"holds": True})
    prepare_node(link, A, WANTED)
    assert link.calls[-1][2] == ("run", "digest", b"", "full")


@pytest.mark.parametrize(
    ("change", "words"),
    [({"grader": "0.0.1"}, r"its grader is 0\.0\.1, here"), ({"code": "other"}, "its grader is another")],
)
def test_one_with_another_grader_is_refused_before_it_has_the_course(link: FakeLink, change, words: str) -> None:
    link.seen = link.seen.model_copy(update=change)
    assert re.search(words, refused(link).message)
    assert {name for _, name, _ in link.calls} == {"look"}


@pytest.mark.parametrize(
    ("there", "words"),
    [
        (HERE | {"numpy": "2.3.0"}, "numpy is 2.3.0, here 2.4.6"),
        ({"python": "3.11.7"}, "numpy is none, here 2.4.6"),
        ({}, "python is none, here 3.11.7, numpy is none"),
    ],
)
def test_one_with_other_versions_is_refused(link: FakeLink, there: dict[str, str], words: str) -> None:
    link.fit = Fit(environments={"toy": there}, level=Level.FULL)
    assert words in refused(link).message


def test_one_without_the_level_is_refused_with_its_reason(link: FakeLink) -> None:
    link.fit = Fit(problem="it gives no sandbox of level full: no user namespaces")
    error = refused(link)
    assert "no user namespaces" in error.message
    assert "--isolation container" in error.hint


def test_one_without_the_package_or_with_nonsense_is_refused(link: FakeLink) -> None:
    link.fault = CallError("ModuleNotFoundError: No module named 'grader'")
    assert "No module named 'grader'" in refused(link).message
    link.fault, link.fit_said = None, "nonsense"
    assert "could not take the course" in refused(link).message


def test_one_that_is_spoken_to_in_the_open_is_asked_nothing(link: FakeLink) -> None:
    refused(link, A._replace(address="tcp://10.0.0.7:1"))
    assert link.calls == []
