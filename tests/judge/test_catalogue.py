import sys

import pytest

from grader.judge.catalogue import load_catalogue
from grader.model.errors import CourseError
from tests.judge.toy import MISCONCEPTIONS
from tests.model.toy import exercise, manifest

MANIFEST = manifest(exercise("toy.normalise"), exercise("toy.blend", "toy.normalise"))
VARIANT = """
from grader.testing import variant

@variant("toy.normalise/columns")
def normalise_by_loop(ref, x):
    return x
"""


@pytest.fixture
def load(tmp_path):
    def write(text: str):
        (tmp_path / "misconceptions.py").write_text(text, encoding="utf-8")
        return load_catalogue(tmp_path / "misconceptions.py", MANIFEST)

    return write


@pytest.fixture
def refusal(load):
    def refuse(text: str) -> CourseError:
        with pytest.raises(CourseError) as caught:
            load(text)
        assert caught.value.where.name == "misconceptions.py"
        return caught.value

    return refuse


def test_a_catalogue_keeps_the_order_of_its_file(load):
    found = load(MISCONCEPTIONS + VARIANT)
    assert [each.id.partition("/")[2] for each in found.misconceptions] == [
        "columns",
        "in-place",
        "wrong-error",
        "transposed",
        "doubled",
    ]
    assert [each.of for each in found.variants] == ["toy.normalise/columns"]


def test_a_kit_has_no_misconceptions_and_that_is_no_fault(tmp_path):
    found = load_catalogue(tmp_path / "misconceptions.py", MANIFEST)
    assert found.misconceptions == found.variants == []


@pytest.mark.parametrize("text", ["def f(:", "import numpy.nothing", "1 / 0", "\0"])
def test_a_file_that_does_not_run_is_told(refusal, text):
    assert refusal(text).message.startswith("misconceptions cannot be imported: ")


def test_two_loads_do_not_mix(load):
    assert len(load(MISCONCEPTIONS).misconceptions) == len(load(MISCONCEPTIONS).misconceptions) == 5


@pytest.mark.parametrize(
    ("right", "wrong"),
    [("toy.normalise/columns", "toy.normalize/columns"), ('name="blend"', 'name="blended"'), ("def blend(", "def b(")],
    ids=["exercise", "name", "function"],
)
def test_a_misconception_replaces_a_function_of_its_exercise(refusal, right, wrong):
    error = refusal(MISCONCEPTIONS.replace(right, wrong))
    assert "does not have" in error.message
    assert "exercise/slug" in error.hint


def test_a_misconception_stands_once(refusal):
    text = MISCONCEPTIONS.replace("toy.normalise/in-place", "toy.normalise/columns")
    assert refusal(text).message == "misconception 'toy.normalise/columns' stands twice"


def test_a_variant_is_of_a_misconception_that_there_is(refusal):
    text = MISCONCEPTIONS + VARIANT.replace("columns", "colums")
    assert refusal(text).message == "there is no misconception 'toy.normalise/colums'"


def test_an_equivalent_is_a_misconception_that_there_is(refusal):
    text = MISCONCEPTIONS.replace('name="blend")', 'name="blend", equivalent=("toy.blend/nothing",))')
    assert refusal(text).message == "there is no misconception 'toy.blend/nothing'"


def test_a_folder_of_files_may_share_helpers(tmp_path):
    folder = tmp_path / "misconceptions"
    folder.mkdir()
    for name, text in (
        ("__init__", ""),
        ("shared", "SHARED = 1\n"),
        ("all", f"from misconceptions.shared import SHARED\n{MISCONCEPTIONS}"),
    ):
        (folder / f"{name}.py").write_text(text, encoding="utf-8")
    assert len(load_catalogue(folder, MANIFEST).misconceptions) == 5
    assert not [name for name in sys.modules if name.startswith("misconceptions")]


def test_what_a_mistake_shares_with_others_cannot_be_changed_by_any(load):
    shared = "import numpy as np\n\nMASK = np.ones(3, dtype=bool)\n"
    changing = """
@misconception("toy.blend/changed", **words("changed"), name="blend")
def changed(ref, w, v):
    MASK[0] = False
    return w
"""
    *_, found = load(shared + MISCONCEPTIONS + changing).misconceptions
    with pytest.raises(ValueError, match="read-only"):
        found.implementation(None, 1, 2)


def test_a_mistake_in_a_method_replaces_its_class(tmp_path):
    declared = '@misconception("toy.open/shut", **words("shut"), name="Box")\ndef shut(ref):\n    return 1\n'
    text = MISCONCEPTIONS.partition("@misconception")[0] + declared
    path = tmp_path / "misconceptions.py"
    path.write_text(text, encoding="utf-8")
    found = manifest(exercise("toy.box", names=["Box"]), exercise("toy.open", "toy.box", names=["Box.open"]))
    [shut] = load_catalogue(path, found).misconceptions
    assert (shut.function, shut.exercise) == ("Box", "toy.open")
    path.write_text(text.replace('"Box"', '"Box.open"'), encoding="utf-8")
    with pytest.raises(CourseError, match=r"replaces `Box\.open`") as caught:
        load_catalogue(path, found)
    assert "of a method that is its class" in caught.value.hint
