"""`student_template/` is written from `reference/` all or nothing, and compared byte for byte."""

from __future__ import annotations

import pytest

from grader.model.errors import CourseError
from grader.model.manifest import Manifest
from grader.template import Stale, build, check

SOLVED = "def {0}():\n    # BEGIN SOLUTION\n    return 1\n    # END SOLUTION\n"
OPEN = 'def {0}():\n    raise NotImplementedError("{1}")\n'


def manifest(assignment, *exercises):
    """A manifest whose exercises are given as (id, names)."""
    text = {"en": "t", "zh-TW": "t"}
    return Manifest.model_validate(
        {
            "id": assignment,
            "title": text,
            "files": sorted({f"{e.partition('.')[0]}.py" for e, _ in exercises}),
            "exercises": [{"id": e, "title": text, "points": 1, "names": names} for e, names in exercises],
        }
    )


@pytest.fixture
def course(tmp_path):
    (tmp_path / "reference").mkdir()
    for module, names in [("a", ["f", "g"]), ("b", ["h"])]:
        (tmp_path / "reference" / f"{module}.py").write_bytes("\n\n".join(map(SOLVED.format, names)).encode())
    return tmp_path


ONE = manifest("one", ("a.f", ["f"]), ("a.both", ["g"]))
TWO = manifest("two", ("b.h", ["h"]))


def test_templates_are_written_beside_each_other_and_then_current(course):
    written = build(course, [ONE, TWO])
    assert written == [course / "student_template/a.py", course / "student_template/b.py"]
    assert written[0].read_text() == OPEN.format("f", "a.f") + "\n\n" + OPEN.format("g", "a.both")
    assert sorted(path.name for path in (course / "student_template").iterdir()) == ["a.py", "b.py"]
    assert check(course, [ONE, TWO]) == []


def test_only_the_assignments_asked_for_are_built(course):
    assert build(course, [TWO]) == [course / "student_template/b.py"]
    assert not (course / "student_template/a.py").exists()


def test_a_current_template_is_not_written_again(course):
    build(course, [ONE, TWO])
    (course / "student_template/b.py").write_bytes(b"x = 1\n")
    assert build(course, [ONE, TWO]) == [course / "student_template/b.py"]


def test_line_ends_are_those_of_the_reference(course):
    reference = course / "reference/b.py"
    reference.write_bytes(reference.read_bytes().replace(b"\n", b"\r\n"))
    build(course, [TWO])
    assert (course / "student_template/b.py").read_bytes() == OPEN.format("h", "b.h").replace("\n", "\r\n").encode()


def test_a_missing_template_is_stale(course):
    path = course / "student_template/b.py"
    assert check(course, [TWO]) == [Stale(path, None, "", "")]
    assert str(check(course, [TWO])[0]) == f"{path}: missing"
    assert not path.exists()


@pytest.mark.parametrize(
    ("found", "line", "expected_line", "found_line"),
    [
        (b"def h():\n    raise ValueError\n", 2, '    raise NotImplementedError("b.h")\n', "    raise ValueError\n"),
        (b"def h():\r\n", 1, "def h():\n", "def h():\r\n"),
        (b"def h():\n", 2, '    raise NotImplementedError("b.h")\n', ""),
        (OPEN.format("h", "b.h").encode() + b"more\n", 3, "", "more\n"),
        (
            OPEN.format("h", "b.h").encode()[:-1],
            2,
            '    raise NotImplementedError("b.h")\n',
            '    raise NotImplementedError("b.h")',
        ),
        (b"\xff\n", 1, "def h():\n", "\ufffd\n"),
    ],
)
def test_a_stale_template_is_named_with_the_first_line_that_differs(course, found, line, expected_line, found_line):
    build(course, [TWO])
    path = course / "student_template/b.py"
    path.write_bytes(found)
    [stale] = check(course, [TWO])
    assert stale == Stale(path, line, expected_line, found_line)
    assert str(stale) == f"{path}:{line}: expected {expected_line!r}, found {found_line!r}"
    assert path.read_bytes() == found


def test_one_broken_reference_leaves_every_template_as_it_is(course):
    (course / "reference/b.py").write_text("def h():\n    # BEGIN SOLUTION\n    return 1\n")
    with pytest.raises(CourseError, match="never ended") as caught:
        build(course, [ONE, TWO])
    assert caught.value.where == course / "reference/b.py"
    assert not (course / "student_template").exists()


def test_a_template_is_replaced_in_one_step_or_not_at_all(course, monkeypatch):
    build(course, [TWO])
    path = course / "student_template/b.py"
    path.write_bytes(b"old\n")

    def full_disk(self, target):
        raise OSError("no space left")

    monkeypatch.setattr(type(path), "replace", full_disk)
    with pytest.raises(OSError, match="no space left"):
        build(course, [TWO])
    assert path.read_bytes() == b"old\n"
    assert [entry.name for entry in path.parent.iterdir()] == ["b.py"]


def test_a_folder_in_the_place_of_a_template_is_an_error_and_leaves_no_rubbish(course):
    (course / "student_template/b.py").mkdir(parents=True)
    with pytest.raises(OSError, match=r"b\.py"):
        build(course, [TWO])
    assert [path.name for path in (course / "student_template").iterdir()] == ["b.py"]


def test_assignments_that_share_a_module_share_its_template(course):
    halves = [manifest("first", ("a.f", ["f"])), manifest("second", ("a.both", ["g"]))]
    build(course, halves)
    assert check(course, [ONE]) == []


def test_a_function_claimed_by_two_exercises_is_refused(course):
    with pytest.raises(CourseError, match=r"`f` is named by both a\.f and a\.other") as caught:
        check(course, [ONE, manifest("other", ("a.other", ["f"]))])
    assert caught.value.where == course / "assignments/other/assignment.toml"


def test_a_file_of_two_assignments_is_built_for_either_with_the_exercises_of_the_one_that_has_them(course):
    sharing = manifest("three", ("a.f", ["f"]), ("a.both", ["g"]))
    other = TWO.model_copy(update={"files": ["a.py", "b.py"]})
    assert build(course, [sharing, other], ["two"]) == [
        course / "student_template/a.py",
        course / "student_template/b.py",
    ]
    assert 'NotImplementedError("a.f")' in (course / "student_template/a.py").read_text()


def test_only_the_templates_of_the_assignments_wanted_are_written_and_compared(course):
    assert build(course, [ONE, TWO], ["two"]) == [course / "student_template/b.py"]
    assert check(course, [ONE, TWO], ["two"]) == []
    assert [stale.path.name for stale in check(course, [ONE, TWO])] == ["a.py"]
