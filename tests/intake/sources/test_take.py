"""A submission is put together from the parts of it that a download holds, and one that cannot be read stops no other."""

from __future__ import annotations

from grader.intake.sources.base import Asked
from grader.intake.sources.collect import collect
from tests.intake.sources.downloads import A, B

MOODLE = "{}_assignsubmission_file_/attention.py"


def test_one_folder_that_may_not_be_read_is_a_fault_of_ours_and_stops_no_other(open_folder, collected, as_nobody):
    for name, mode in (("Ada_1", 0o000), ("Bo_2", 0o755)):
        path = open_folder / "all" / MOODLE.format(name)
        path.parent.mkdir(parents=True)
        path.write_bytes(B)
        path.parent.chmod(mode)
    with as_nobody():
        found = collected(open_folder / "all").by_id
    (open_folder / "all" / "Ada_1_assignsubmission_file_").chmod(0o755)
    assert found["Ada_1"].problems[0].ours
    assert found["Bo_2"].files == {"attention.py": B}


def test_a_folder_and_a_file_of_one_name_are_its_students_problem(lay, collected):
    files = {
        "Ada_1_assignsubmission_file_": A,
        "Ada_1_assignsubmission_file_/attention.py": A,
        MOODLE.format("Bo_2"): B,
    }
    found = collected(lay(files, "zip")).by_id
    assert found["Ada_1"].files == {}
    assert found["Ada_1"].problems
    assert found["Bo_2"].files == {"attention.py": B}


def test_a_file_that_two_parts_hold_is_refused_and_one_that_only_one_holds_is_not_missing(lay, collected):
    tree = {
        f"submitted/ada/{name}/{file}": A for name, file in (("attention", "attention.py"), ("masking", "masking.py"))
    }
    asked = Asked(["attention.py", "masking.py"], ["attention", "masking"])
    [ada] = collect([lay(tree, "folder")], asked)
    assert (sorted(ada.files), ada.problems) == (["attention.py", "masking.py"], ())
    [ada] = collect([lay({**tree, "submitted/ada/masking/attention.py": B}, "zip")], asked)
    assert sorted(ada.files) == ["masking.py"]
    assert [problem.message for problem in ada.problems] == ["it was handed in twice, in two places"]


def test_what_a_download_says_of_its_time_is_not_what_its_files_say(lay, collected, tmp_path):
    found = collected(lay({MOODLE.format("Ada_1"): A}, "zip")).submissions[0]
    assert (found.source, found.origin.shared) == (tmp_path / "download.zip", True)
    assert found.place == "download.zip: Ada_1"
    found = collected(lay({MOODLE.format("Ada_1"): A}, "folder")).submissions[0]
    assert (found.source, found.origin.shared) == (tmp_path / "download" / "Ada_1_assignsubmission_file_", False)
    assert found.place == "Ada_1_assignsubmission_file_"
