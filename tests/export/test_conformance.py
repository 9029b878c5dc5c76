"""What every format promises."""

from __future__ import annotations

import json

import jsonschema
import pytest

from grader.export.base import Options
from grader.export.registry import FORMATS, OF_CLASS, OF_ONE
from grader.export.schemas import SCHEMAS
from grader.export.words import WORDS
from tests.escape.enemy import active
from tests.export import classes, readers

one = pytest.mark.parametrize("name", OF_ONE)
whole = pytest.mark.parametrize("name", OF_CLASS)
every = pytest.mark.parametrize("name", FORMATS)
SCORES = {"a": (0.0, 0.0), "b": (0.01, 0.0), "c": (3.33, 0.0), "d": (4.9, 2.45), "e": (7.0, 2.99), "f": (7.0, 3.0)}
CHINESE = {"language": "zh-TW"}


@pytest.fixture
def told(tmp_path):
    """Everything that a format says of some reports, whatever its kind."""

    def tell(name, *reports, **options):
        grades = classes.exported(tmp_path, *reports)
        asked = classes.all_options(tmp_path, [grade.id for grade in grades], **options)
        if name in OF_ONE:
            return "".join(OF_ONE[name].render(grade, asked) for grade in grades)
        return OF_CLASS[name].render(grades, asked).text

    return tell


def test_every_format_has_a_reader():
    assert readers.OF_ONE.keys() == OF_ONE.keys()
    assert readers.OF_CLASS.keys() == OF_CLASS.keys()


@one
@pytest.mark.parametrize("student", SCORES)
def test_a_score_comes_out_as_it_went_in(name, student, told):
    first, second = SCORES[student]
    found = readers.OF_ONE[name](told(name, classes.two(student, first, second)))
    assert found == pytest.approx(first + second, abs=1e-9)


@whole
def test_each_score_of_a_class_comes_out_as_it_went_in(name, told):
    found = readers.OF_CLASS[name](told(name, *(classes.two(each, *parts) for each, parts in SCORES.items())))
    names = [f"{number}@x.example" for number, _ in enumerate(SCORES)] if name == "moodle" else list(SCORES)
    assert found == dict(zip(names, (pytest.approx(sum(parts)) for parts in SCORES.values()), strict=True))


@one
@pytest.mark.parametrize("language", WORDS)
def test_a_fault_of_ours_is_no_score_and_says_so(name, language, told):
    text = told(name, classes.fault(), language=language)
    assert readers.OF_ONE[name](text) is None
    if name != "sarif":  # there is no line of the student's to show
        assert WORDS[language].fault.partition(":")[0] in text


@whole
def test_a_fault_of_ours_is_no_score_in_a_class(name, told):
    found = readers.OF_CLASS[name](told(name, classes.two("bo", 7.0, 1.0), classes.fault("eve")))
    kept = {"canvas": 1.5}.get(name)
    assert found.get("eve") == kept
    assert found.get("1@x.example") is None
    assert 8.0 in found.values()
    assert 0.0 not in found.values()


@one
@pytest.mark.parametrize("language", WORDS)
def test_nothing_of_a_hidden_test_is_told_but_what_became_of_it(name, language, told):
    text = told(name, classes.marked(), classes.wrong(), language=language, exercises=classes.toy_course())
    assert classes.HIDDEN not in text
    assert str(classes.SEED) not in text
    assert "test_three" in text or name in ("annotations", "sarif")


@whole
def test_nothing_of_a_hidden_test_is_in_a_class(name, told):
    assert classes.HIDDEN not in told(name, classes.marked(), classes.wrong())


@every
@pytest.mark.parametrize("language", WORDS)
def test_nothing_that_acts_on_a_terminal_is_left(name, language, told):
    text = told(name, classes.hostile(), language=language)
    assert active(text.removeprefix("\ufeff"), but="\r\n" if name == "canvas" else "\n") == []
    assert text.encode()
    # The log of a workflow would obey these.
    assert "##[" not in text
    assert name == "annotations" or not any(line.lstrip().startswith("::") for line in text.splitlines())


@pytest.mark.parametrize("name", ["gradescope", "autolab", "prairielearn", "classroom", "check50", "junit", "markdown"])
def test_a_named_mistake_is_explained_in_the_language_that_was_asked_for(name, told):
    english, chinese = told(name, classes.wrong()), told(name, classes.wrong(), **CHINESE)
    assert "Your double adds 2." in english
    assert "Try 3." in english
    assert "\u4f60\u7684 double \u52a0\u4e86 2\u3002" in chinese
    assert "\u8a66\u8a66 3\u3002" in chinese
    assert "Your double" not in chinese


@one
def test_the_course_says_where_to_look(name, told):
    text = told(name, classes.wrong(), exercises=classes.toy_course())
    assert "line 1)" in text or '"startLine": 1' in text or "line=1," in text


@pytest.mark.parametrize("name", SCHEMAS)
@pytest.mark.parametrize("make", [classes.wrong, classes.fault, classes.hostile])
def test_what_is_json_fits_the_published_schema(name, make, told):
    schema = SCHEMAS[name].model_json_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    text = told(name, make())
    jsonschema.validate(json.loads(text.splitlines()[-1] if name == "autolab" else text), schema)


@one
def test_who_is_excused_has_no_score(name, tmp_path):
    classes.exported(tmp_path, classes.two("ada", 7.0, 1.0))
    classes.counted(tmp_path, {"ada": 8.0}, '[students.ada]\nexcused = ["toy"]\n')
    (grade,) = classes.again(tmp_path)
    assert readers.OF_ONE[name](OF_ONE[name].render(grade, Options())) is None


@one
def test_what_counts_is_told_and_not_what_was_earned(name, tmp_path):
    classes.exported(tmp_path, classes.two("ada", 5.0, 3.0))
    classes.counted(tmp_path, {"ada": 8.0}, "[assignments.toy]\ncap = 5.25\n")
    (grade,) = classes.again(tmp_path)
    text = OF_ONE[name].render(grade, Options())
    assert readers.OF_ONE[name](text) == pytest.approx(5.25)
    assert "8.00" in text or name == "sarif"


@every
def test_help_is_one_line(name):
    assert FORMATS[name].HELP.strip() == FORMATS[name].HELP
    assert len(FORMATS[name].HELP.splitlines()) == 1
    assert len(FORMATS[name].HELP) < 100


def test_no_two_formats_write_the_same_file():
    assert len({each.SUFFIX for each in OF_ONE.values()}) == len(OF_ONE)
