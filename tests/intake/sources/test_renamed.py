"""The name that a student gave a file is found under the one that a system made of it."""

import pytest

from grader.intake.base import Entry, Kind
from grader.intake.sources.renamed import Upload, latest, own_name

WANTED = {"attention.py", "run/metrics.csv"}


@pytest.mark.parametrize(
    ("name", "own"),
    [
        ("attention.py", "attention.py"),
        ("attention-1.py", "attention.py"),
        ("attention-12.py", "attention.py"),
        ("attention (1).py", "attention.py"),
        ("attention(2).py", "attention.py"),
        ("attention-1.ipynb", "attention.ipynb"),
        ("metrics-3.csv", "metrics.csv"),
        ("notes-1.py", "notes-1.py"),
        ("attention-1.py.txt", "attention-1.py.txt"),
        ("attention-1", "attention-1"),
        ("my-attention-1.py", "my-attention-1.py"),
        ("\n-1.py", "\n-1.py"),
        ("", ""),
    ],
)
def test_a_number_is_taken_off_where_that_makes_a_wanted_name(name, own):
    assert own_name(name, WANTED) == own


def upload(name: str, *order: int) -> Upload:
    return Upload(Entry(f"x_{name}", Kind.FILE), name, order)


def test_of_uploads_of_one_name_the_last_is_kept_and_the_others_named():
    kept, earlier = latest([upload("attention.py", 9), upload("attention-1.py", 7), upload("a.txt", 1)], WANTED)
    assert kept == {"attention.py": Entry("x_attention.py", Kind.FILE), "a.txt": Entry("x_a.txt", Kind.FILE)}
    assert earlier == ("x_attention-1.py",)


def test_without_an_order_the_higher_number_is_the_later_one():
    kept, earlier = latest([upload("attention-2.py"), upload("attention.py"), upload("attention-10.py")], WANTED)
    assert kept["attention.py"].name == "x_attention-10.py"
    assert earlier == ("x_attention-2.py", "x_attention.py")
