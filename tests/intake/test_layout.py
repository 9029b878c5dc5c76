"""Where the files of a submission are found, whatever lies around them."""

import io
import json
import tarfile

import pytest

from grader.intake import archive, folder
from grader.intake.base import CAPS, Caps, Taken

WANTED = {"attention.py"}


@pytest.fixture
def ada(tmp_path):
    (tmp_path / "ada").mkdir()
    return tmp_path / "ada"


def take(path, wanted=WANTED, caps=CAPS) -> Taken:
    source = folder if path.is_dir() else archive
    return source.read(path, wanted, caps)


def put(folder_, **files):
    folder_.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        (folder_ / f"{name}.py").write_bytes(content)


def messages(taken):
    return [(p.file, p.message) for p in taken.problems]


def test_a_wanted_file_at_the_top_is_taken_and_the_rest_named(ada, code):
    put(ada, attention=code, notes=b"", scratch=b"")
    (ada / "data").mkdir()
    (ada / ".hidden").write_bytes(b"")
    (ada / "expected.toml").write_bytes(b"")
    assert take(ada) == Taken(files={"attention.py": code}, ignored=("data/", "notes.py", "scratch.py"))


def test_every_wanted_file_is_taken_and_a_missing_one_told(ada, code):
    put(ada, attention=code)
    taken = take(ada, {"attention.py", "masking.py"})
    assert taken.files == {"attention.py": code}
    assert messages(taken) == [("masking.py", "masking.py is missing: found attention.py instead")]


@pytest.mark.parametrize("depth", [1, 2, 4])
def test_a_lone_folder_is_entered(ada, code, depth):
    put(ada.joinpath(*["hw"] * depth), attention=code, other=b"")
    way = "hw/" * depth
    assert take(ada) == Taken(files={"attention.py": code}, ignored=(f"{way}other.py",))


def test_nobody_looks_deeper_than_the_cap(ada, code):
    put(ada.joinpath(*["hw"] * 5), attention=code)
    assert messages(take(ada)) == [("hw/hw/hw/hw/hw", "the files lie too deep")]


def test_what_lies_beside_a_lone_folder_is_named(ada, code):
    put(ada / "hw", attention=code)
    (ada / "README.md").write_text("hi")
    (ada / "__MACOSX").mkdir()
    assert take(ada) == Taken(files={"attention.py": code}, ignored=("README.md",))


@pytest.mark.parametrize("suffix", ["zip", "tar", "tar.gz", "tar.xz", "tar.zst"])
def test_a_lone_archive_is_opened(ada, make_zip, make_tar, code, suffix):
    members = {"attention.py": code, "notes.txt": b"x"}
    mode = "w" if suffix == "tar" else f"w:{suffix[4:]}"
    (ada / f"hw.{suffix}").write_bytes(make_zip(members) if suffix == "zip" else make_tar(members, mode=mode))
    (ada / "expected.toml").write_bytes(b"")
    assert take(ada) == Taken(files={"attention.py": code}, ignored=(f"hw.{suffix}/notes.txt",))


def test_an_archive_whose_content_sits_in_a_folder_of_its_own_is_taken(tmp_path, make_zip, code):
    path = tmp_path / "ada.zip"
    path.write_bytes(make_zip({"ada/attention.py": code, "__MACOSX/ada/._attention.py": b"junk", "ada/.DS_Store": b""}))
    assert take(path) == Taken(files={"attention.py": code})


def test_archives_inside_archives_are_opened_up_to_the_cap(tmp_path, make_zip, make_tar, code):
    inner = make_tar({"hw/attention.py": code}, mode="w:gz")
    path = tmp_path / "ada.zip"
    path.write_bytes(make_zip({"deep/inner.tar.gz": inner}))
    assert take(path).files == {"attention.py": code}
    assert take(path, caps=Caps(depth=2)).problems[0].message == "the files lie too deep"


def test_one_budget_holds_through_all_nested_archives(tmp_path, make_zip, make_tar):
    noise = bytes(range(256)) * 2000
    inner = make_tar({"data.bin": noise}, mode="w")
    for _ in range(3):
        inner = make_tar({"inner.tar": inner}, mode="w")
    path = tmp_path / "ada.tar"
    path.write_bytes(inner)
    size = path.stat().st_size
    assert "is missing" in take(path, caps=Caps(total_bytes=5 * size)).problems[0].message
    assert "holds more than" in take(path, caps=Caps(total_bytes=2 * size)).problems[0].message


def test_a_choice_of_folders_is_not_guessed_at(ada, code):
    put(ada / "new", attention=code)
    put(ada / "old", attention=code)
    taken = take(ada)
    assert taken.files == {}
    assert messages(taken) == [("attention.py", "attention.py is missing: found new, old instead")]


def test_a_file_that_was_meant_to_be_the_wanted_one_is_not_passed_over_for_an_older_one_below(ada, code):
    put(ada / "backup", attention=b"old")
    (ada / "attention (1).py").write_bytes(code)
    taken = take(ada)
    assert taken.files == {}
    assert messages(taken) == [("attention.py", "attention.py is missing: found attention (1).py instead")]


def test_a_notebook_that_is_none_is_told_once(ada):
    (ada / "attention.ipynb").write_text("{}")
    [problem] = take(ada).problems
    assert problem.message.startswith("attention.ipynb was handed in instead, and it is no notebook that can be read")
    assert problem.hint == "open it in Jupyter, save it, and hand in again"


def test_a_notebook_of_another_name_is_found_beside_a_folder_of_data(ada):
    cell = {
        "cell_type": "code",
        "id": "a",
        "metadata": {},
        "source": "def f(): pass",
        "outputs": [],
        "execution_count": None,
    }
    content = {"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    (ada / "homework 1.ipynb").write_text(json.dumps(content))
    put(ada / "data", numbers=b"1")
    found = take(ada)
    assert b"def f(): pass" in found.files["attention.py"]
    assert found.ignored == ("data/",)
    assert [problem.file for problem in found.problems] == ["homework 1.ipynb"]


def test_a_wanted_file_named_like_a_test_is_found_beside_a_folder(ada, code):
    put(ada, test_plan=code)
    put(ada / "data", test_plan=b"old")
    assert take(ada, {"test_plan.py"}) == Taken(files={"test_plan.py": code}, ignored=("data/",))


def test_an_empty_folder_is_told(ada):
    assert messages(take(ada)) == [("attention.py", "attention.py is missing: nothing else is there either")]


def test_two_names_that_differ_only_by_case_are_not_guessed_at(ada, code):
    put(ada, attention=code, Attention=code)
    taken = take(ada)
    assert taken.files == {}
    assert messages(taken) == [
        ("attention.py", "Attention.py lies beside it, and many systems take the two for one"),
    ]


def test_two_names_that_differ_only_by_what_draws_nothing_are_not_guessed_at(tmp_path, make_zip, code):
    path = tmp_path / "ada.zip"
    path.write_bytes(make_zip({"attention.py": code, "attention\u200d.py": b"other"}))
    taken = take(path)
    assert taken.files == {}
    assert messages(taken) == [
        ("attention.py", "attention\\u200d.py lies beside it, and many systems take the two for one"),
    ]


@pytest.mark.parametrize("target", ["../secret.py", "/etc/hostname", "attention.py", "nowhere"])
def test_a_link_is_never_followed(ada, target):
    (ada.parent / "secret.py").write_bytes(b"secret")
    (ada / "attention.py").symlink_to(target)
    taken = take(ada)
    assert taken.files == {}
    assert messages(taken) == [("attention.py", "it is a link, not a file")]


def test_a_link_to_a_folder_is_no_way_down(ada, code):
    put(ada.parent / "bo", attention=code)
    (ada / "hw").symlink_to("../bo")
    taken = take(ada)
    assert taken.files == {}
    assert messages(taken) == [("attention.py", "attention.py is missing: found hw instead")]


def test_a_folder_with_the_wanted_name_is_told(ada):
    (ada / "attention.py").mkdir()
    assert messages(take(ada)) == [("attention.py", "it is a folder, not a file")]


def test_what_could_take_effect_beside_the_wanted_file_is_never_taken(ada, code):
    put(ada, attention=code, numpy=b"", conftest=b"", sitecustomize=b"")
    (ada / "pytest.ini").write_text("[pytest]\naddopts = -k easy\n")
    (ada / "x.pth").write_text("import os\n")
    (ada / "__pycache__").mkdir()
    taken = take(ada)
    assert set(taken.files) == {"attention.py"}
    assert set(taken.ignored) == {"numpy.py", "conftest.py", "sitecustomize.py", "pytest.ini", "x.pth"}


def test_a_sparse_file_of_gigabytes_is_told_at_once(ada):
    with (ada / "attention.py").open("wb") as file:
        file.truncate(3 << 30)
    assert messages(take(ada)) == [("attention.py", "it is larger than 1024 KiB")]


def test_too_many_names_are_told(ada):
    for number in range(20):
        (ada / f"{number}.txt").touch()
    assert messages(take(ada, caps=Caps(entries=19))) == [("ada", "there are more than 19 files in it")]
    assert len(take(ada, caps=Caps(entries=20)).ignored) == 20


def test_of_very_many_names_the_first_are_listed_and_the_rest_counted(ada, code):
    put(ada, attention=code)
    for number in range(150):
        (ada / f"{number:03}.txt").touch()
    assert take(ada).ignored[-2:] == ("099.txt", "and 50 more")


def test_odd_names_are_told_escaped(ada, code):
    put(ada, attention=code)
    (ada / "a\x1b[2J\n").touch()
    (ada / b"\xff.py".decode("utf-8", "surrogateescape")).touch()
    assert take(ada).ignored == ("a\\x1b[2J\\n", "\\udcff.py")


def test_an_unreadable_file_is_told(open_folder, as_nobody, code):
    put(open_folder / "ada", attention=code)
    (open_folder / "ada" / "attention.py").chmod(0)
    with as_nobody():
        taken = take(open_folder / "ada")
    assert taken.files == {}
    assert messages(taken) == [("attention.py", "it cannot be read: Permission denied")]


@pytest.mark.parametrize("mode", [0, 0o311])
def test_an_unreadable_folder_is_told_at_the_top_and_below(open_folder, as_nobody, code, mode):
    put(open_folder / "ada" / "hw", attention=code)
    (open_folder / "ada" / "hw").chmod(mode)
    with as_nobody():
        assert messages(take(open_folder / "ada")) == [("hw", "it cannot be read: Permission denied")]
        assert messages(folder.read(open_folder / "ada" / "hw", WANTED, CAPS)) == [
            ("hw", "it cannot be read: Permission denied")
        ]


def test_a_broken_archive_below_is_told(ada):
    (ada / "hw.zip").write_bytes(b"PK\3\4 and nothing more")
    taken = take(ada)
    assert taken.files == {}
    assert messages(taken) == [("hw.zip", "it is broken: File is not a zip file")]


def test_a_rar_below_is_told(ada):
    (ada / "hw.rar").write_bytes(b"Rar!")
    assert messages(take(ada)) == [("hw.rar", ".rar archives are not read")]


def test_names_refused_in_an_archive_are_told_beside_what_is_taken(tmp_path, make_zip, code):
    path = tmp_path / "ada.zip"
    path.write_bytes(make_zip({"../evil.py": b"", "attention.py": code}))
    taken = take(path)
    assert taken.files == {"attention.py": code}
    assert messages(taken) == [("../evil.py", "its name leads out of the archive")]


def test_nothing_is_written_anywhere(tmp_path, make_tar, code):
    path = tmp_path / "ada.tar"
    path.write_bytes(make_tar({"hw/attention.py": code, "../x": b"", "hw/y": b""}))
    before = sorted(tmp_path.parent.rglob("*"))
    assert take(path).files == {"attention.py": code}
    assert sorted(tmp_path.parent.rglob("*")) == before


def test_what_is_taken_stays_when_the_file_changes(ada, code):
    put(ada, attention=code)
    taken = take(ada)
    put(ada, attention=b"changed")
    assert taken.files == {"attention.py": code}


def test_bytes_are_taken_as_they_are(ada):
    raw = b"\xef\xbb\xbf# caf\xe9\r\nx = 1\r\n\0"
    put(ada, attention=raw)
    assert take(ada).files == {"attention.py": raw}


def test_an_old_folder_member_of_a_tar_does_not_hide_a_file(tmp_path, code):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.USTAR_FORMAT) as tar:
        top = tarfile.TarInfo("./")
        top.type = tarfile.DIRTYPE
        tar.addfile(top)
        info = tarfile.TarInfo("./attention.py")
        info.size = len(code)
        tar.addfile(info, io.BytesIO(code))
    (tmp_path / "ada.tar").write_bytes(out.getvalue())
    assert take(tmp_path / "ada.tar") == Taken(files={"attention.py": code})


RUN = {"attention.py", "run/loss.png", "run/metrics.csv"}


@pytest.mark.parametrize("form", ["folder", "zip", "tar.gz"])
def test_files_of_a_folder_that_is_wanted_are_taken_with_it(tmp_path, make_zip, make_tar, code, form):
    members = {"attention.py": code, "run/loss.png": b"png", "run/metrics.csv": b"1", "run/notes.txt": b"", "x/y": b""}
    if form == "folder":
        path = tmp_path / "ada"
        for name, content in members.items():
            (path / name).parent.mkdir(parents=True, exist_ok=True)
            (path / name).write_bytes(content)
    else:
        path = tmp_path / f"ada.{form}"
        path.write_bytes(make_zip(members) if form == "zip" else make_tar(members, mode="w:gz"))
    taken = take(path, RUN)
    assert taken.files == {"attention.py": code, "run/loss.png": b"png", "run/metrics.csv": b"1"}
    assert sorted(taken.ignored) == ["run/notes.txt", "x/"]
    assert taken.problems == ()


def test_a_folder_that_is_wanted_is_no_way_down(ada):
    (ada / "run").mkdir()
    (ada / "run" / "loss.png").write_bytes(b"png")
    taken = take(ada, RUN)
    assert taken.files == {"run/loss.png": b"png"}
    assert [file for file, _ in messages(taken)] == ["attention.py", "run/metrics.csv"]


def test_a_wanted_folder_that_is_a_link_is_not_followed(ada, code, tmp_path):
    put(ada, attention=code)
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "loss.png").write_bytes(b"secret")
    (ada / "run").symlink_to(tmp_path / "elsewhere")
    taken = take(ada, RUN)
    assert taken.files == {"attention.py": code}
    assert [file for file, _ in messages(taken)] == ["run/loss.png", "run/metrics.csv"]


def test_a_file_may_be_as_large_as_is_said_of_it_and_no_other(ada, code):
    put(ada, attention=code)
    (ada / "run").mkdir()
    (ada / "run" / "loss.png").write_bytes(bytes(3000))
    (ada / "run" / "metrics.csv").write_bytes(bytes(3000))
    taken = take(ada, RUN, Caps(file_bytes=1000, larger={"loss.png": 4096}))
    assert set(taken.files) == {"attention.py", "run/loss.png"}
    assert messages(taken) == [("run/metrics.csv", "it is larger than 0 KiB")]
