"""Times are those that somebody vouches for; else those of the files; it is known which."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from grader.batch.dated import by_file
from grader.batch.roster import dating, instant, submitted
from grader.gradebook.policy.model import Policy
from grader.intake.base import Origin, Submission
from grader.intake.roster import Roster, read_roster
from grader.model.errors import UsageError

TAIPEI = Policy(timezone="Asia/Taipei")
NOON = int(datetime(2026, 10, 1, 12, tzinfo=UTC).timestamp())


def roster(tmp_path: Path, text: str) -> Roster:
    path = tmp_path / "roster.csv"
    path.write_text(text, encoding="utf-8-sig")
    return read_roster(path)


def handed_in(source: Path, *files: str) -> Submission:
    return Submission(source.name, source, dict.fromkeys(files, b""), "0", (), ())


@pytest.mark.parametrize(
    "text", ["2026-10-01T12:00:00Z", "2026-10-01T20:00:00", "2026-10-01 20:00", "2026-10-01T14:00:00.9+02:00"]
)
def test_a_time_without_a_zone_is_in_that_of_the_policy(text: str) -> None:
    assert instant(text, TAIPEI) == NOON


def test_a_roster_vouches_for_those_in_it_and_the_files_tell_of_the_others(tmp_path: Path) -> None:
    path = roster(tmp_path, "name,id,submitted\nAda,Ada (1),2026-10-01T12:00:00Z\n")
    (tmp_path / "bob").mkdir()
    (tmp_path / "bob" / "toy.py").touch()
    os.utime(tmp_path / "bob" / "toy.py", (500, 500))
    tell = dating(None, path, Policy())
    known = Submission("Ada %281%29", tmp_path / "x", {}, "0", (), ())
    assert (tell(known).submitted, tell(known).by) == (NOON, "roster")
    assert (tell(handed_in(tmp_path / "bob", "toy.py")).submitted, tell(known).source) == (500, "x")
    assert tell(handed_in(tmp_path / "bob", "toy.py")).by == "file"


def test_a_time_for_all_is_the_options(tmp_path: Path) -> None:
    found = dating("2026-10-01T12:00:00Z", None, Policy())(handed_in(tmp_path))
    assert (found.submitted, found.by) == (NOON, "option")


def test_a_time_that_is_none_is_refused_with_the_line(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="'yesterday' is no time") as caught:
        submitted(roster(tmp_path, "id,submitted\nbo,\nada,yesterday\n"), Policy())
    assert caught.value.line == 3


def test_of_whom_the_roster_tells_no_time_the_next_best_tells(tmp_path: Path) -> None:
    there = roster(tmp_path, "id,submitted\nada,\nbo\ncy,2026-10-01T12:00Z\n")
    assert submitted(there, Policy()) == {"cy": NOON}
    assert submitted(roster(tmp_path, "id,name\nada,Ada\n"), Policy()) == {}


def test_the_source_tells_where_neither_roster_nor_option_does(tmp_path: Path) -> None:
    local, told = datetime(2026, 10, 1, 20), Origin("blackboard", "ada", submitted=datetime(2026, 10, 1, 20))  # noqa: DTZ001
    aware = Origin("gradescope", "bo", submitted=local.replace(tzinfo=UTC))
    ada = Submission("ada", tmp_path / "all.zip", {}, "0", (), (), told)
    bo = Submission("bo", tmp_path / "all.zip", {}, "0", (), (), aware)
    tell = dating(None, None, TAIPEI)
    assert (tell(ada).submitted, tell(ada).by) == (NOON, "source")
    assert tell(bo).submitted == NOON + 8 * 3600
    assert dating("2026-10-01T12:00:00Z", None, TAIPEI)(bo).by == "option"
    assert dating(None, roster(tmp_path, "id,submitted\nbo,2026-10-01T12:00Z\n"), TAIPEI)(bo).by == "roster"


def test_of_a_folder_the_youngest_of_the_files_that_were_taken_tells(tmp_path: Path) -> None:
    home = tmp_path / "ada"
    for name, at in (("sub/toy.py", 100), ("run/data.csv", 300), ("notes.txt", 900)):
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).touch()
        os.utime(home / name, (at, at))
    assert by_file(handed_in(home, "toy.py", "run/data.csv")).submitted == 300


def test_of_an_archive_or_of_what_nothing_was_taken_its_own_time_tells(tmp_path: Path) -> None:
    archive = tmp_path / "ada.zip"
    archive.touch()
    os.utime(archive, (700, 700))
    assert by_file(handed_in(archive, "toy.py")).submitted == 700
    (tmp_path / "bob").mkdir()
    os.utime(tmp_path / "bob", (800, 800))
    assert by_file(handed_in(tmp_path / "bob")).submitted == 800
    assert by_file(handed_in(tmp_path / "lost")).submitted == 0


def test_of_a_whole_download_its_own_time_tells_whatever_lies_in_it(tmp_path: Path) -> None:
    (tmp_path / "toy.py").touch()
    os.utime(tmp_path, (700, 700))
    shared = Submission("ada", tmp_path, {"toy.py": b""}, "0", (), (), Origin("canvas", "ada", shared=True))
    assert by_file(shared).submitted == 700
