import pytest

from grader.intake.base import Entry, Kind
from grader.intake.missing import best_lookalikes, is_lookalike, missing

WANTED = "attention.py"
NOTEBOOK = "name the notebook attention.ipynb, begin its cells with `# exercise: attention.NAME`, or save its code as attention.py"


def told(*names: str, kind: Kind = Kind.FILE):
    return missing(WANTED, [Entry(name, kind) for name in names], "")


@pytest.mark.parametrize(
    "name",
    [
        "Attention.py",
        "attention.py.txt",
        "attention (1).py",
        "attention - Copy.py",
        "attention_final.PY",
        "my-attention.py",
        "atention.py",
        "attention.ipynb",
        "attention.txt",
    ],
)
def test_a_slip_of_the_name_is_a_lookalike(name):
    assert is_lookalike(name, WANTED)


@pytest.mark.parametrize(
    "name", ["masking.py", "test_attention.py", "attention.pdf", "attention", "README.txt", "hw.py"]
)
def test_another_file_is_no_lookalike(name):
    assert not is_lookalike(name, WANTED)


def test_the_nearest_name_is_told_first():
    names = ["z.py", "notes.md", "homework.ipynb", "attention (1).py", "Attention.py"]
    assert best_lookalikes(names, WANTED) == ["Attention.py", "attention (1).py", "homework.ipynb", "z.py"]


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("Attention.py", "name it attention.py: capital and small letters are not the same"),
        ("attention.py.txt", "name it attention.py"),
        ("attention (1).py", "name it attention.py"),
        ("attention.ipynb", NOTEBOOK),
        ("homework.ipynb", NOTEBOOK),
        ("main.py", "hand in a file named attention.py"),
        ("essay.pdf", "hand in a file named attention.py"),
    ],
)
def test_what_was_found_instead_is_told_with_what_to_do(name, hint):
    problem = told(name)
    assert problem.file == WANTED
    assert problem.message == f"attention.py is missing: found {name} instead"
    assert problem.hint == hint


def test_several_folders_are_told_for_there_is_a_choice():
    problem = told("old", "new", kind=Kind.FOLDER)
    assert "found old, new instead" in problem.message
    assert "at the top" in problem.hint


def test_an_empty_folder_is_told():
    assert told().message == "attention.py is missing: nothing else is there either"


def test_of_many_names_the_first_are_told_and_the_rest_counted():
    assert "found a.pdf, b.pdf, c.pdf and 2 more instead" in told("a.pdf", "b.pdf", "c.pdf", "d.pdf", "e.pdf").message


def test_an_odd_name_is_told_escaped():
    assert "\x1b" not in told("attention\x1b[2J.py").message


def test_the_place_is_told():
    assert missing(WANTED, [], "hw/").file == "hw/attention.py"
