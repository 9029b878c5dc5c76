"""A class is looked at as it grows; how long that takes depends on the machine."""

import mmap
import sys

import pytest

from tests.benchmarks import growth, weight
from tests.benchmarks.growth import Growth, Look
from tests.sample_class import students

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="memory is looked up as Linux tells it")


def look(finished, *, wall=0.0, cpu=0.0, own=50.0, below=100.0, gradebook=1.0):
    return Look(finished, wall or finished / 10, cpu or finished / 10, own, below, gradebook)


def test_a_class_of_the_sample_class_has_no_two_submissions_alike(tmp_path):
    size = 2 * len(students()) + 3
    assert growth.hand_in(tmp_path, size) == len(students())
    handed_in = [b"".join(sorted(file.read_bytes() for file in each.iterdir())) for each in tmp_path.iterdir()]
    assert len(handed_in) == len(set(handed_in)) == size


def test_a_run_is_looked_at_as_often_as_asked(capsys):
    code = growth.main(["--size", "4", "--every", "1", "--jobs", "1", "--exercise", "attention.softmax"])
    *rows, last = capsys.readouterr().out.splitlines()
    assert [row.split()[0] for row in rows] == ["1", "2", "3", "4"]
    assert all("ms each" in row and "gradebook" in row for row in rows)
    assert "the grader's own process grew by" in last
    assert code == 0


def test_the_last_third_is_compared_with_the_first():
    seen = [look(100 * turn) for turn in range(1, 8)]
    even = growth.growth(seen)
    assert (even.memory, even.gradebook) == (0, 1)
    assert (even.wall, even.cpu) == (pytest.approx(1), pytest.approx(1))
    slower = [*seen[:-2], look(600, wall=60.0), look(700, wall=80.0, own=75.0, gradebook=250.0)]
    assert growth.growth(slower) == Growth(25.0, 250.0, pytest.approx(1.5), pytest.approx(1))


@pytest.mark.parametrize(("memory", "gradebook", "code"), [(20, 200, 0), (20.1, 1, 1), (1, 200.1, 1)])
def test_growing_further_than_allowed_is_a_failure(monkeypatch, memory, gradebook, code):
    monkeypatch.setattr(growth, "grade", lambda home, options: [])
    monkeypatch.setattr(growth, "growth", lambda seen: Growth(memory, gradebook, 9.0, 9.0))
    assert growth.main(["--size", "1"]) == code


def test_what_this_process_takes_is_seen_and_what_lies_in_a_gradebook(tmp_path):
    before = weight.own()
    # So much that what else comes and goes in the process of all tests is little beside it.
    with mmap.mmap(-1, 1 << 27, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS) as held:
        held.write(b"x" * len(held))
        assert weight.own() - before > 0.8 * len(held) / 1e6
    assert weight.own() - before < 0.5 * (1 << 27) / 1e6
    book = tmp_path / "gradebook.db"
    book.write_bytes(bytes(1_000_000))
    (tmp_path / "gradebook.db-wal").write_bytes(bytes(500_000))
    assert weight.gradebook(book) == 1.5
