"""What is opened is a regular file inside the folder, whatever its name becomes in between."""

import os
import socket
import stat
from pathlib import Path

import pytest

from grader.intake import nofollow
from grader.intake.base import Entry, Kind, Refused
from grader.intake.nofollow import ByDescriptor, ByPath, file_at, opened

OPENERS = pytest.mark.parametrize("opener", [ByDescriptor, ByPath])


@pytest.fixture
def zoo(tmp_path):
    """A folder with one of each kind, and a secret beside it that some of them point at."""
    (tmp_path / "secret").write_bytes(b"secret")
    zoo = tmp_path / "zoo"
    (zoo / "folder").mkdir(parents=True)
    (zoo / "folder" / "inner").write_bytes(b"inner")
    (zoo / "file").write_bytes(b"content")
    (zoo / "link").symlink_to("../secret")
    (zoo / "folder-link").symlink_to("..")
    (zoo / "loop").symlink_to("loop")
    os.mkfifo(zoo / "pipe")
    return zoo


@OPENERS
def test_each_kind_is_told_apart_without_following(zoo, opener):
    with opened(opener.at(zoo)) as folder:
        assert sorted(folder.names(100)) == [
            Entry("file", Kind.FILE),
            Entry("folder", Kind.FOLDER),
            Entry("folder-link", Kind.LINK),
            Entry("link", Kind.LINK),
            Entry("loop", Kind.LINK),
            Entry("pipe", Kind.SPECIAL),
        ]


@OPENERS
def test_no_more_names_are_listed_than_asked_for(zoo, opener):
    with opened(opener.at(zoo)) as folder:
        assert len(folder.names(2)) == 2


@OPENERS
def test_a_regular_file_is_read(zoo, opener):
    with opened(opener.at(zoo)) as folder, folder.file("file") as stream:
        assert stream.read() == b"content"


@OPENERS
def test_a_folder_is_entered(zoo, opener):
    with opened(opener.at(zoo)) as folder, opened(folder.folder("folder")) as inner, inner.file("inner") as stream:
        assert stream.read() == b"inner"


@OPENERS
@pytest.mark.parametrize(
    ("name", "seen"),
    [("link", "a link"), ("loop", "a link"), ("folder", "a folder"), ("pipe", "a device, a pipe or a socket")],
)
def test_nothing_else_is_read_and_a_pipe_without_a_writer_does_not_hang(zoo, opener, name, seen):
    with opened(opener.at(zoo)) as folder, pytest.raises(Refused, match=f"it is {seen}, not a file"):
        folder.file(name)


@OPENERS
@pytest.mark.parametrize("name", ["folder-link", "file", "pipe"])
def test_nothing_else_is_entered(zoo, opener, name):
    with opened(opener.at(zoo)) as folder, pytest.raises(Refused, match="not a folder"):
        folder.folder(name)


@OPENERS
def test_a_socket_and_a_device_are_not_opened(tmp_path, opener, monkeypatch):
    monkeypatch.chdir(tmp_path)  # the path of a socket may not be long
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind("socket")
        with opened(opener.at(tmp_path)) as folder, pytest.raises(Refused, match="device, a pipe or a socket"):
            folder.file("socket")
    with (
        opened(opener.at(Path("/dev"))) as devices,
        pytest.raises(Refused, match="device, a pipe or a socket"),
    ):
        devices.file("null")


@pytest.mark.parametrize("name", ["link", "folder", "pipe"])
def test_a_path_must_lead_to_a_regular_file(zoo, name):
    with pytest.raises(Refused):
        file_at(zoo / name)


def test_the_folder_at_a_path_is_no_link(zoo):
    with pytest.raises(Refused):
        ByPath.at(zoo / "folder-link")
    with pytest.raises(OSError, match=r"symbolic|directory"):
        ByDescriptor.at(zoo / "folder-link")


def swap(monkeypatch, name, deed):
    """Let `deed` happen after `name` was looked at and before it is opened."""
    honest = os.open

    def late(path, flags, *args, **kwargs):
        if os.fspath(path).endswith(name):
            deed()
        return honest(path, flags, *args, **kwargs)

    monkeypatch.setattr(nofollow.os, "open", late)


@OPENERS
def test_a_file_swapped_for_a_link_after_the_look_is_not_followed(zoo, opener, monkeypatch):
    def deed():
        (zoo / "file").unlink()
        (zoo / "file").symlink_to("../secret")

    with opened(opener.at(zoo)) as folder:
        swap(monkeypatch, "file", deed)
        with pytest.raises(OSError, match="symbolic"):
            folder.file("file")


@OPENERS
def test_a_file_swapped_for_a_pipe_after_the_look_neither_hangs_nor_reads(zoo, opener, monkeypatch):
    def deed():
        (zoo / "file").unlink()
        os.mkfifo(zoo / "file")

    with opened(opener.at(zoo)) as folder:
        swap(monkeypatch, "file", deed)
        before = len(list(Path("/proc/self/fd").iterdir()))
        with pytest.raises(Refused, match="device, a pipe or a socket"):
            folder.file("file")
        assert len(list(Path("/proc/self/fd").iterdir())) == before


def test_where_only_paths_are_known_another_file_of_the_same_name_is_noticed(zoo, monkeypatch):
    def deed():
        (zoo / "other").write_bytes(b"other")
        (zoo / "other").rename(zoo / "file")

    with opened(ByPath.at(zoo)) as folder:
        swap(monkeypatch, "file", deed)
        with pytest.raises(Refused, match="changed while it was opened"):
            folder.file("file")


def test_a_folder_swapped_for_a_link_after_the_look_is_not_followed(zoo, monkeypatch):
    def deed():
        (zoo / "folder").rename(zoo / "moved")
        (zoo / "folder").symlink_to("..")

    with opened(ByDescriptor.at(zoo)) as folder:
        swap(monkeypatch, "folder", deed)
        with pytest.raises(OSError, match=r"symbolic|directory"):
            folder.folder("folder")


def test_names_are_looked_up_from_the_open_folder_wherever_its_path_leads_by_then(zoo):
    with opened(ByDescriptor.at(zoo)) as folder:
        zoo.rename(zoo.with_name("moved"))
        zoo.mkdir()
        (zoo / "file").write_bytes(b"planted")
        with folder.file("file") as stream:
            assert stream.read() == b"content"


@OPENERS
def test_nothing_stays_open(zoo, opener):
    before = len(list(Path("/proc/self/fd").iterdir()))
    with opened(opener.at(zoo)) as folder:
        folder.names(10)
        with folder.file("file"), opened(folder.folder("folder")):
            pass
        for name in ("link", "pipe", "folder"):
            with pytest.raises(Refused):
                folder.file(name)
    assert len(list(Path("/proc/self/fd").iterdir())) == before


def test_a_junction_of_windows_is_a_link():
    class Found:
        st_mode = stat.S_IFDIR | 0o755
        st_file_attributes = 0x400

    assert nofollow.kind_of(Found) is Kind.LINK
