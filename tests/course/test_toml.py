import contextlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.course.toml import load_toml
from grader.model.errors import CourseError
from grader.model.manifest import Manifest
from tests.course.conftest import MANIFEST

LINES = MANIFEST.splitlines()


@pytest.fixture
def refusal(make_assignment):
    def refuse(text: str | bytes) -> CourseError:
        path = make_assignment(text=text) / "assignment.toml"
        with pytest.raises(CourseError) as caught:
            load_toml(path, Manifest)
        assert caught.value.where == path
        return caught.value

    return refuse


def line_of(text: str, wanted: str, *, nth: int = 1) -> int:
    return [number for number, line in enumerate(text.splitlines(), start=1) if wanted in line][nth - 1]


def test_a_manifest_is_read(make_assignment):
    found = load_toml(make_assignment() / "assignment.toml", Manifest)
    assert [exercise.id for exercise in found.exercises] == ["toy.double", "toy.treble"]


def test_a_byte_order_mark_and_crlf_are_no_obstacle(make_assignment):
    text = b"\xef\xbb\xbf" + MANIFEST.replace("\n", "\r\n").encode()
    assert load_toml(make_assignment(text=text) / "assignment.toml", Manifest).title.zh_tw == "玩具"


@pytest.mark.parametrize(
    ("right", "typo", "said"),
    [
        ("files =", "fiels =", "unknown key `fiels`; did you mean `files`?"),
        ("cpu_seconds", "cpu_second", "unknown key `limits.cpu_second`; did you mean `cpu_seconds`?"),
        ("needs =", "need =", "unknown key `exercises[1].need`; did you mean `needs`?"),
        ("points = 5", "pionts = 5", "unknown key `exercises[1].pionts`; did you mean `points`?"),
        ('zh-TW = "三', 'zhTW = "三', "unknown key `exercises[1].title.zhTW`; did you mean `zh-TW`?"),
    ],
)
def test_a_mistyped_key_is_told_with_its_line_and_the_right_one(refusal, right, typo, said):
    text = MANIFEST.replace(right, typo)
    error = refusal(text)
    assert error.message.startswith(said)
    assert error.line == line_of(text, typo)
    assert "grader schema manifest" in error.hint


def test_a_key_like_no_other_is_answered_with_those_there_are(refusal):
    error = refusal("wibble = 1\n" + MANIFEST)
    assert error.message.startswith(
        "unknown key `wibble`; known here: after, allowed_imports, artifacts, artifacts_by, data,"
    )
    assert error.line == 1


def test_a_missing_key_is_told_with_the_line_of_the_table_that_lacks_it(refusal):
    text = MANIFEST.replace("points = 5\n", "")
    error = refusal(text)
    assert error.message == "key `exercises[1].points` is missing"
    assert error.line == line_of(text, "[[exercises]]", nth=2)


def test_a_missing_key_of_the_first_table_is_not_looked_for_in_the_second(refusal):
    text = MANIFEST.replace("points = 10\n", "")
    assert refusal(text).line == line_of(text, "[[exercises]]", nth=1)


def test_a_missing_key_at_the_top_has_no_line(refusal):
    error = refusal(MANIFEST.replace('id = "toy"\n', ""))
    assert error.message == "key `id` is missing"
    assert error.line is None


@pytest.mark.parametrize("wrong", ["cpu_seconds = -1", 'cpu_seconds = "two"'])
def test_a_value_that_makes_no_sense_is_told_with_its_line(refusal, wrong):
    text = MANIFEST.replace("cpu_seconds = 2.0", wrong)
    error = refusal(text)
    assert error.message.startswith("`limits.cpu_seconds`: Input should be")
    assert error.line == line_of(text, "cpu_seconds")


def test_a_comment_is_not_taken_for_the_key(refusal):
    text = MANIFEST.replace("cpu_seconds = 2.0", "# cpu_seconds = 2.0\ncpu_seconds = 0")
    assert refusal(text).line == line_of(text, "cpu_seconds = 0")


def test_every_mistake_is_told_at_once(refusal):
    message = refusal(MANIFEST.replace("points", "pionts").replace("cpu_seconds = 2.0", "cpu_seconds = 0")).message
    assert "exercises[0].pionts" in message
    assert "exercises[1].pionts" in message
    assert "limits.cpu_seconds" in message


def test_exercises_that_do_not_fit_together_are_told_in_plain_words(refusal):
    error = refusal(MANIFEST.replace('"toy.double"]', '"toy.single"]'))
    assert error.message == "exercise 'toy.treble' needs 'toy.single', which is not an exercise of this assignment"


def test_what_is_not_toml_is_told_with_its_place(refusal):
    error = refusal("id = \n")
    assert error.message.startswith("not valid TOML: ")
    assert "line 1" in error.message


@pytest.mark.parametrize(
    "value", ["9" * 5000, "[" * 3000 + "]" * 3000, "{a=" * 3000 + "1" + "}" * 3000], ids=["digits", "lists", "tables"]
)
def test_what_no_reader_of_toml_takes_is_told_as_any_other_mistake(refusal, value):
    error = refusal(f"id = {value}\n")
    assert error.message.startswith("not valid TOML: ")
    assert error.hint


def test_a_line_of_a_text_that_looks_like_a_table_is_not_counted_on(refusal):
    exercise = '{ id = "toy.a", title = { en = "A", zh-TW = "B" }, names = ["a"], points = 1 }'
    inline = 'id = "toy"\ntitle = { en = """\n[[exercises]]\n""", zh-TW = "B" }\nfiles = ["toy.py"]\nexercises = ['
    error = refusal(f"{inline}{exercise}, {exercise.replace('points', 'pionts')}]\n")
    assert error.message.startswith("unknown key `exercises[1].pionts`; did you mean `points`?")


def test_what_is_not_utf_8_is_told_with_its_byte(refusal):
    error = refusal("id = 'caf\u00e9'".encode("latin-1"))
    assert error.message == "byte 0xe9 at offset 9 is not UTF-8"
    assert "UTF-8" in error.hint


def test_a_missing_file_and_a_folder_are_told_apart(tmp_path):
    with pytest.raises(CourseError, match="there is no such file"):
        load_toml(tmp_path / "assignment.toml", Manifest)
    with pytest.raises(CourseError, match="cannot be read") as caught:
        load_toml(tmp_path, Manifest)
    assert caught.value.hint


@settings(deadline=None)
@given(st.integers(0, len(LINES) - 1), st.text("[]{}=.\"'# az19", max_size=12))
def test_whatever_is_damaged_the_answer_is_a_manifest_or_a_course_error(tmp_path_factory, number, junk):
    path = tmp_path_factory.mktemp("toml") / "assignment.toml"
    path.write_text("\n".join([*LINES[:number], junk, *LINES[number + 1 :]]), encoding="utf-8")
    with contextlib.suppress(CourseError):
        load_toml(path, Manifest)
