"""A gradebook is a file that is made once, brought up to date, and shared by whoever asks."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from grader.gradebook import opening as module
from grader.gradebook.book import Book
from grader.gradebook.migrations import MIGRATIONS
from grader.model.errors import GraderError, UsageError


def age(path: Path) -> int:
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute("PRAGMA user_version").fetchone()[0]


def test_it_is_made_with_its_folder_and_is_up_to_date(tmp_path: Path) -> None:
    with Book(tmp_path / "a" / "b.db") as book:
        assert book.rows("PRAGMA journal_mode") == [("wal",)]
        assert book.rows("SELECT * FROM submissions") == []
    assert age(tmp_path / "a" / "b.db") == len(MIGRATIONS)
    assert [path.name for path in (tmp_path / "a").iterdir()] == ["b.db"]


def test_an_older_one_keeps_what_it_holds_and_gets_what_it_lacks(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(module, "MIGRATIONS", MIGRATIONS[:1])
    with Book(tmp_path / "b.db") as book, book.writing() as writing:
        writing.execute("INSERT INTO facts VALUES ('a', '1')")
    assert age(tmp_path / "b.db") == 1
    monkeypatch.undo()
    with Book(tmp_path / "b.db") as book:
        assert book.rows("SELECT * FROM facts") == [("a", "1")]
        assert book.rows("SELECT * FROM overrides") == []
    assert age(tmp_path / "b.db") == len(MIGRATIONS)


def test_a_step_that_fails_leaves_the_file_as_it_was(tmp_path: Path, monkeypatch) -> None:
    Book(tmp_path / "b.db").__exit__(None, None, None)
    monkeypatch.setattr(module, "MIGRATIONS", (*MIGRATIONS, "CREATE TABLE fine (x); CREATE TABLE facts (x)"))
    with pytest.raises(GraderError, match="already exists"):
        Book(tmp_path / "b.db")
    monkeypatch.undo()
    with Book(tmp_path / "b.db") as book:
        assert book.rows("SELECT name FROM sqlite_master WHERE name = 'fine'") == []


def test_one_of_a_later_version_is_left_alone(tmp_path: Path) -> None:
    Book(tmp_path / "b.db").__exit__(None, None, None)
    with closing(sqlite3.connect(tmp_path / "b.db")) as connection:
        connection.execute(f"PRAGMA user_version = {len(MIGRATIONS) + 1}")
    with pytest.raises(UsageError, match="later version"):
        Book(tmp_path / "b.db")


@pytest.mark.parametrize("content", [b"not a database" * 100, None])
def test_a_strangers_file_is_left_as_it_is(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "b.db"
    if content:
        path.write_bytes(content)
    else:
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("CREATE TABLE theirs (x)")
    before = path.read_bytes()
    with pytest.raises(UsageError, match="not a gradebook"):
        Book(path)
    assert path.read_bytes() == before


def test_a_missing_one_is_told_to_whoever_only_looks(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="there is no gradebook"):
        Book(tmp_path / "b.db", must_exist=True)
    assert list(tmp_path.iterdir()) == []


def test_a_file_in_the_place_of_its_folder_is_told(tmp_path: Path) -> None:
    (tmp_path / "a").touch()
    with pytest.raises(UsageError, match="cannot be made"):
        Book(tmp_path / "a" / "b.db")


def test_what_is_written_together_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    with Book(tmp_path / "b.db") as book:
        with pytest.raises(GraderError, match="UNIQUE"), book.writing() as writing:
            writing.executemany("INSERT INTO facts VALUES (?, '1')", [("a",), ("a",)])
        assert book.rows("SELECT * FROM facts") == []


def test_two_processes_that_make_it_at_once_both_write_to_one(tmp_path: Path) -> None:
    script = """
import sys
from contextlib import closing
from pathlib import Path
from grader.gradebook.book import Book
sys.stdin.readline()
with Book(Path(sys.argv[1])) as book:
    for number in range(20):
        with book.writing() as writing:
            writing.execute("INSERT INTO facts VALUES (?, '')", (f"{sys.argv[2]}-{number}",))
"""
    command = [sys.executable, "-c", script, str(tmp_path / "b.db")]
    running = [
        subprocess.Popen([*command, name], stdin=subprocess.PIPE, text=True, cwd=Path(__file__).parents[2])
        for name in "ab"
    ]
    for each in running:
        each.stdin.write("\n")
        each.stdin.flush()
    for each in running:
        each.communicate()
        assert each.returncode == 0
    with Book(tmp_path / "b.db") as book:
        assert book.rows("SELECT count(*) FROM facts") == [(40,)]
    assert age(tmp_path / "b.db") == len(MIGRATIONS)


def test_what_was_deleted_cannot_be_read_out_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "b.db"
    with Book(path) as book:
        with book.writing() as writing:
            writing.execute("INSERT INTO facts VALUES ('a', ?)", ("the secret of ada" * 1000,))
        assert b"the secret of ada" in path.read_bytes() + path.with_name("b.db-wal").read_bytes()
        with book.writing() as writing:
            writing.execute("DELETE FROM facts")
        book.erase()
        assert b"secret of ada" not in path.read_bytes() + path.with_name("b.db-wal").read_bytes()


def test_whoever_holds_it_too_long_is_told(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(module, "_PATIENCE_SECONDS", 0.05)
    with Book(tmp_path / "b.db") as one, Book(tmp_path / "b.db") as other:
        with one.writing(), pytest.raises(GraderError, match="another process has held it"), other.writing():
            pass
        with other.writing() as writing:
            writing.execute("INSERT INTO facts VALUES ('a', '1')")
        assert one.rows("SELECT value FROM facts") == [("1",)]


def test_a_damaged_one_is_told(tmp_path: Path) -> None:
    path = tmp_path / "b.db"
    with Book(path) as book, book.writing() as writing:
        writing.executemany("INSERT INTO facts VALUES (?, ?)", [(str(n), "x" * 500) for n in range(200)])
    content = bytearray(path.read_bytes())
    content[8192:-4096] = bytes(len(content) - 12288)
    path.write_bytes(content)
    with pytest.raises(GraderError, match="damaged"), Book(path) as book:
        book.rows("SELECT * FROM facts")
