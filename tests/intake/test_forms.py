"""What every form keeps to, and how each tells its own."""

import os
from pathlib import Path

import pytest

from grader.intake import archive, folder
from grader.intake.base import CAPS, Taken
from grader.intake.registry import FORMS


@pytest.fixture
def shelf(tmp_path, make_zip):
    (tmp_path / "ada").mkdir()
    (tmp_path / "bo.zip").write_bytes(make_zip({"attention.py": b"x"}))
    (tmp_path / "cy.zip").mkdir()
    (tmp_path / "notes.txt").touch()
    (tmp_path / "link.zip").symlink_to("bo.zip")
    (tmp_path / "link").symlink_to("ada")
    os.mkfifo(tmp_path / "pipe.zip")
    return tmp_path


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("ada", {"folder"}),
        ("bo.zip", {"archive"}),
        ("cy.zip", {"folder"}),
        ("notes.txt", set()),
        ("link.zip", set()),
        ("link", set()),
        ("pipe.zip", set()),
    ],
)
def test_at_most_one_form_handles_a_path_and_none_follows_a_link(shelf, name, expected):
    assert {key for key, form in FORMS.items() if form.handles(shelf / name)} == expected


@pytest.mark.parametrize(
    ("name", "called"),
    [("ada.zip", "ada"), ("ada.tar.gz", "ada"), ("v1.2.tgz", "v1.2"), ("A.ZIP", "A"), ("bo.rar", "bo")],
)
def test_an_archive_is_called_by_its_stem(name, called):
    assert archive.name(Path(name)) == called


def test_a_folder_keeps_its_dots():
    assert folder.name(Path("class/v1.2")) == "v1.2"


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_a_path_that_vanished_is_told(tmp_path, form):
    taken = form.read(tmp_path / "gone.zip", {"attention.py"}, CAPS)
    assert taken.files == {}
    assert [(p.file, p.message) for p in taken.problems] == [
        ("gone.zip", "it cannot be read: No such file or directory")
    ]


@pytest.mark.parametrize(("form", "name"), [(folder, "link"), (archive, "link.zip"), (archive, "pipe.zip")])
def test_a_path_that_became_a_link_or_a_pipe_is_told(shelf, form, name):
    taken = form.read(shelf / name, {"attention.py"}, CAPS)
    assert taken.files == {}
    assert [p.file for p in taken.problems] == [name]


def test_an_archive_is_read(shelf):
    assert archive.read(shelf / "bo.zip", {"attention.py"}, CAPS) == Taken(files={"attention.py": b"x"})
