"""From paths to submissions."""

import os
from pathlib import Path

import pytest

from grader.intake.base import Caps, digest
from grader.intake.discover import discover
from grader.model.errors import UsageError

WANTED = {"attention.py"}


@pytest.fixture
def room(tmp_path, make_zip, make_tar, code):
    """A class with each form of submission, and the things that lie around in one."""
    room = tmp_path / "room"
    for name in ("bo-lin", "ada"):
        (room / name).mkdir(parents=True)
        (room / name / "attention.py").write_bytes(code + name.encode())
    (room / "cy.zip").write_bytes(make_zip({"attention.py": code}))
    (room / "dee.tar.gz").write_bytes(make_tar({"hw/attention.py": code}, mode="w:gz"))
    (room / "empty").mkdir()
    for clutter in ("README.md", ".DS_Store", "grades.csv", "expected.toml"):
        (room / clutter).write_text("x")
    for clutter in ("__MACOSX", "__pycache__", ".git"):
        (room / clutter).mkdir()
    return room


def ids(*paths, **options):
    return [s.id for s in discover(paths, WANTED, **options)]


def test_each_folder_and_archive_of_a_class_is_a_submission(room, code):
    found = discover([room], WANTED)
    assert [s.id for s in found] == ["ada", "bo-lin", "cy", "dee", "empty"]
    assert [s.source for s in found] == [room / n for n in ("ada", "bo-lin", "cy.zip", "dee.tar.gz", "empty")]
    assert found[0].files == {"attention.py": code + b"ada"}
    assert found[0].digest == digest(found[0].files)
    assert found[2].files == found[3].files == {"attention.py": code}
    assert found[2].digest == found[3].digest
    assert [s.problems == () for s in found] == [True, True, True, True, False]


def test_one_of_which_nothing_was_taken_is_still_there_and_says_why(room):
    empty = discover([room], WANTED)[-1]
    assert empty.files == {}
    assert empty.problems[0].message == "attention.py is missing: nothing else is there either"


def test_a_folder_that_directly_holds_a_wanted_file_is_one_submission(room):
    assert ids(room / "ada") == ["ada"]
    (room / "attention.py").touch()
    assert ids(room) == ["room"]


def test_told_that_it_is_one_a_folder_is_one(room):
    assert ids(room, mode="one") == ["room"]
    assert ids(room / "empty", mode="one") == ["empty"]


def test_told_that_it_is_a_class_a_folder_is_a_class(room):
    (room / "attention.py").touch()
    assert ids(room, mode="class") == ["ada", "bo-lin", "cy", "dee", "empty"]


def test_several_paths_are_graded_together_in_the_order_of_ids(room):
    assert ids(room / "dee.tar.gz", room / "bo-lin", room / "ada") == ["ada", "bo-lin", "dee"]


def test_the_working_folder_has_a_name(room, monkeypatch):
    monkeypatch.chdir(room / "ada")
    assert ids(Path()) == ["ada"]
    assert discover([Path()], WANTED)[0].source == room / "ada"
    assert ids(Path("../bo-lin")) == ["bo-lin"]
    monkeypatch.chdir(room)
    assert ids(Path("ada/..")) == ["ada", "bo-lin", "cy", "dee", "empty"]
    assert ids(Path("ada/.."), mode="one") == ["room"]


def test_a_link_given_by_the_caller_is_followed_and_names_the_submission(room, tmp_path):
    (tmp_path / "mine").symlink_to(room / "ada")
    assert ids(tmp_path / "mine") == ["mine"]


def test_a_link_inside_a_class_is_told_and_not_followed(room):
    (room / "eve").symlink_to("ada")
    eve = next(s for s in discover([room], WANTED) if s.id == "eve")
    assert eve.files == {}
    assert eve.problems[0].message == "it is a link, and links are not followed"


def test_a_pipe_in_a_class_is_passed_over(room):
    os.mkfifo(room / "pipe")
    os.mkfifo(room / "pipe.zip")
    assert ids(room) == ["ada", "bo-lin", "cy", "dee", "empty"]


def test_an_archive_that_cannot_be_read_is_told_and_the_next_one_is_untouched(room):
    (room / "bad.zip").write_bytes(b"no zip")
    (room / "old.rar").write_bytes(b"Rar!")
    found = {s.id: s for s in discover([room], WANTED)}
    assert found["bad"].problems[0].message == "it is broken: File is not a zip file"
    assert found["old"].problems[0].message == ".rar archives are not read"
    assert found["cy"].problems == ()


def test_the_caps_hold_for_each_submission_on_its_own(room, code):
    found = discover([room], WANTED, caps=Caps(total_bytes=len(code) + 6))
    assert [bool(s.files) for s in found] == [True, True, True, False, False]


@pytest.mark.parametrize("other", ["ada.zip", "ADA", "ada.tar"])
def test_two_submissions_of_one_id_are_told_both(room, make_zip, other):
    if "." in other:
        (room / other).write_bytes(make_zip({}))
    else:
        (room / other).mkdir()
    with pytest.raises(UsageError) as caught:
        discover([room], WANTED)
    assert str(room / "ada") in caught.value.message
    assert str(room / other) in caught.value.message
    assert caught.value.hint == "rename one, or leave one out"


def test_the_same_path_twice_is_told(room):
    with pytest.raises(UsageError, match="two submissions are called 'ada'"):
        discover([room / "ada", room / "ada"], WANTED)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Ada Lovelace", "Ada Lovelace"),
        ("\u738b\u5c0f\u660e", "\u738b\u5c0f\u660e"),
        ("a\nb", "a%0Ab"),
        ("-rf", "%2Drf"),
        ("=1+1", "%3D1%2B1"),
    ],
)
def test_an_odd_name_becomes_a_safe_id_and_is_kept_as_it_was(tmp_path, name, expected):
    (tmp_path / name).mkdir()
    [found] = discover([tmp_path], WANTED)
    assert found.id == expected
    assert found.source == tmp_path / name


def test_a_path_that_does_not_exist_is_told(tmp_path):
    with pytest.raises(UsageError, match="No such file") as caught:
        discover([tmp_path / "gone"], WANTED)
    assert caught.value.where == tmp_path / "gone"
    assert "a submission is a folder" in caught.value.hint


def test_no_path_at_all_is_told():
    with pytest.raises(UsageError, match="no path"):
        discover([], WANTED)


@pytest.mark.parametrize("names", [[], [".DS_Store"], ["README.md", "__pycache__/"]])
def test_an_empty_class_is_told(tmp_path, names):
    for name in names:
        (tmp_path / name).mkdir() if name.endswith("/") else (tmp_path / name).touch()
    with pytest.raises(UsageError, match="holds no submission") as caught:
        discover([tmp_path], WANTED)
    assert "a submission is a folder" in caught.value.hint


def test_an_empty_class_with_a_misnamed_file_is_told_how_to_hand_it_in(tmp_path):
    (tmp_path / "Attention.py").touch()
    with pytest.raises(UsageError) as caught:
        discover([tmp_path], WANTED)
    assert caught.value.hint == "found Attention.py; if that is one student's work, use --one"
    assert ids(tmp_path, mode="one") == [tmp_path.name]


def test_a_plain_file_is_told(tmp_path):
    (tmp_path / "attention.py").touch()
    with pytest.raises(UsageError, match="neither a folder nor an archive") as caught:
        discover([tmp_path / "attention.py"], WANTED)
    assert "give the folder around it" in caught.value.hint


def test_one_student_s_folder_is_no_class(room):
    with pytest.raises(UsageError, match="holds no submission") as caught:
        discover([room / "ada"], WANTED, mode="class")
    assert "leave out --class" in caught.value.hint


def test_an_archive_is_no_class(room):
    with pytest.raises(UsageError, match="not a folder of submissions"):
        discover([room / "cy.zip"], WANTED, mode="class")


def test_an_unknown_mode_is_told(room):
    with pytest.raises(UsageError, match="no mode 'all'"):
        discover([room], WANTED, mode="all")


def test_a_class_that_may_not_be_opened_is_told(open_folder, as_nobody):
    (open_folder / "room" / "ada").mkdir(parents=True)
    (open_folder / "room").chmod(0)
    with as_nobody(), pytest.raises(UsageError, match="Permission denied"):
        discover([open_folder / "room"], WANTED)


@pytest.mark.parametrize("closed", ["bob", "bob/attention.py", "cy.zip"])
def test_a_submission_that_we_may_not_read_is_our_problem_and_stops_no_other(
    open_folder, as_nobody, make_zip, code, closed
):
    for student in ("ada", "bob"):
        (open_folder / student).mkdir()
        (open_folder / student / "attention.py").write_bytes(code)
    (open_folder / "cy.zip").write_bytes(make_zip({"attention.py": code}))
    (open_folder / closed).chmod(0)
    with as_nobody():
        found = {each.id: each for each in discover([open_folder], WANTED)}
    lost = found.pop(closed.partition("/")[0].removesuffix(".zip"))
    assert [each.ours for each in lost.problems] == [True]
    assert all(each.files for each in found.values())


def test_an_archive_in_a_folder_that_may_only_be_walked_through_is_read(open_folder, as_nobody, make_zip, code):
    shelf = open_folder / "shelf"
    shelf.mkdir()
    (shelf / "ada.zip").write_bytes(make_zip({"attention.py": code}))
    (shelf / "ada.zip").chmod(0o644)
    shelf.chmod(0o711)
    with as_nobody():
        [found] = discover([shelf / "ada.zip"], WANTED)
    assert found.files == {"attention.py": code}


def test_the_same_class_is_found_the_same_twice(room):
    assert discover([room], WANTED) == discover([room], WANTED)
