"""What every source keeps to: it is known by its shape, no file of a download is dropped, and none does harm."""

from __future__ import annotations

import io
import zipfile

import pytest

from grader.intake.base import MIB, Caps
from grader.intake.ids import safe_id
from grader.intake.names import shown
from grader.intake.sources.collect import CHOICES
from grader.intake.sources.registry import SOURCES
from grader.model.errors import UsageError
from tests.intake.sources.downloads import DOWNLOADS

CASES = [(name, form) for name in SOURCES for form in ("zip", "folder") if form == "folder" or DOWNLOADS[name].zipped]
every = pytest.mark.parametrize(("name", "form"), CASES)


@every
@pytest.mark.parametrize("named", [True, False])
def test_a_download_is_known_by_its_shape_or_by_its_name(lay, collected, name, form, named):
    download = DOWNLOADS[name]
    found = collected(lay(download.files, form), name if named else "auto")
    assert {each.origin.called: each.files.get("attention.py") for each in found.submissions} == download.called
    assert {each.id for each in found.submissions} == set(map(safe_id, download.called))
    assert {each.origin.source for each in found.submissions} == {name}
    assert [f"is read as a download from {name}, for " in said for said in found.said] == ([] if named else [True])


@every
def test_every_file_of_a_download_is_in_a_submission_or_told(lay, collected, name, form):
    download = DOWNLOADS[name]
    extra = {download.loose: b"x", download.another("more.txt"): b"y", download.another("more/inner.txt"): b"z"}
    files = dict(download.files) | {path: content for path, content in extra.items() if path.count("/") < 4}
    found = collected(lay(files, form))
    taken = {content for each in found.submissions for content in each.files.values()}
    own = {"submission_metadata.yml", "HEAD"}  # the system's, and the clutter of a clone
    lost = [
        path
        for path, content in files.items()
        if content not in taken and path.split("/")[-1] not in own and not _is_told(path, found.told)
    ]
    assert lost == []


def _is_told(path: str, told: str) -> bool:
    """Whether a file is named, as it is in the download or as its student called it, or a folder that it lies in."""
    *folders, name = path.split("/")
    lines = [line.removesuffix(" (earlier)") for line in told.split("\n")]
    named = any(shown(name) == line or shown(name).endswith((f"_{line}", f"/{line}")) for line in lines)
    inside = any(line == f"{each}/" or line.endswith(f"/{each}/") for line in lines for each in folders)
    return named or inside or any(line.endswith(f"/{shown(name)}") for line in lines)


@every
def test_a_bomb_is_its_students_and_nobody_elses(lay, collected, name, form):
    download = DOWNLOADS[name]
    files = dict(download.files)
    first = next(path for path, content in files.items() if content == download.called[next(iter(download.called))])
    files[first] = bytes(3 * MIB)
    found = collected(lay(files, form), caps=Caps(total_bytes=4 * MIB))
    [spoilt] = [each for each in found.submissions if not each.files]
    assert spoilt.origin.called == next(iter(download.called))
    assert spoilt.problems
    others = {each.files["attention.py"] for each in found.submissions if each.files}
    assert others == {*download.called.values()} - {download.called[spoilt.origin.called]}


@every
def test_an_archive_in_a_submission_is_read_within_the_same_limits(lay, collected, make_zip, name, form):
    download = DOWNLOADS[name]
    own = (next(iter(download.called.values())), b"old")
    files = {path: content for path, content in download.files.items() if content not in own}
    files[download.another("hw.zip")] = make_zip({"attention.py": b"inner"})
    assert b"inner" in {each.files.get("attention.py") for each in collected(lay(files, form)).submissions}


@pytest.mark.parametrize("name", SOURCES)
def test_no_link_in_a_download_is_followed(lay, collected, tmp_path, name):
    download = DOWNLOADS[name]
    top = lay(download.files, "folder")
    secret = tmp_path / "secret.py"
    secret.write_bytes(b"secret")
    first = next(path for path, content in download.files.items() if content == next(iter(download.called.values())))
    (top / first).unlink()
    (top / first).symlink_to(secret)
    found = collected(top, name)
    assert b"secret" not in {content for each in found.submissions for content in each.files.values()}
    [problem] = [p for each in found.submissions for p in each.problems if "link" in p.message]
    assert problem.message == "it is a link, not a file"


@pytest.mark.parametrize("name", [name for name in SOURCES if DOWNLOADS[name].zipped])
def test_names_that_lead_elsewhere_are_told_and_harm_nobody(tmp_path, collected, name):
    download = DOWNLOADS[name]
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for path, content in download.files.items():
            archive.writestr(path, content)
        for path in ("../evil.py", "/evil2.py", "a\\evil3.py", "e\x1b[31mvil4.py"):
            archive.writestr(path, b"evil")
    (tmp_path / "x.zip").write_bytes(out.getvalue())
    found = collected(tmp_path / "x.zip", name)
    assert {each.origin.called: each.files.get("attention.py") for each in found.submissions} == download.called
    assert {"../evil.py", "/evil2.py"} <= set(found.told.split("\n"))
    assert "\x1b" not in found.told


@pytest.mark.parametrize("name", SOURCES)
def test_what_is_of_no_such_system_is_refused_where_it_is_named(lay, collected, name):
    top = lay({"ada/attention.py": b"", "bo/attention.py": b""}, "folder")
    with pytest.raises(UsageError, match=f"nothing there is as {name} has it"):
        collected(top, name)
    found = collected(top)
    assert (list(found.by_id), found.said) == (["ada", "bo"], [])


@pytest.mark.parametrize("name", SOURCES)
def test_a_broken_zip_is_told(tmp_path, collected, name):
    (tmp_path / "x.zip").write_bytes(b"PK\3\4 no zip")
    with pytest.raises(UsageError, match="cannot be read"):
        collected(tmp_path / "x.zip", name)
    assert collected(tmp_path / "x.zip").submissions[0].problems[0].message.startswith("it is broken")


@pytest.mark.parametrize("name", SOURCES)
def test_a_path_that_is_not_there_is_told(tmp_path, collected, name):
    for source in (name, "auto"):
        with pytest.raises(UsageError) as caught:
            collected(tmp_path / "gone.zip", source)
        assert caught.value.where == tmp_path / "gone.zip"


def test_the_command_knows_every_source():
    from grader.cli.grade import command

    [option] = [each for each in command.params if each.name == "source"]
    assert tuple(option.type.choices) == CHOICES
