from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import example, given

from grader.batch.finished import Finished, How, line_of
from grader.batch.machine import Machine, as_json_line
from grader.batch.notes import work_done
from grader.batch.tally import Tally
from grader.model.errors import GraderError
from tests.batch.test_run import report
from tests.escape.enemy import TEXT


def finished(
    name: str, how: How = How.JUDGED, why: str = "new", seconds: float = 1.0, **more: float | None
) -> Finished:
    return Finished(line_of(report(name, **more)), how, why if how is How.JUDGED else "", seconds)


def tally(*each: Finished, total: int = 10, every: float = 2.0) -> Tally:
    """A tally whose clock goes on by some seconds with each submission."""
    now = [0.0]
    made = Tally(total, lambda: now[0])
    for one in each:
        now[0] += every
        made.add(one)
    return made


def test_it_tells_how_far_how_fast_how_long_and_what_was_slowest() -> None:
    done = tally(finished("ann", seconds=3.0), finished("bob", score=None), finished("cyd", seconds=2.0))
    assert done.told() == "3 of 10, 1 failing, 0.5 a second, about 14 s left, slowest ann (3.0 s)"


def test_what_is_left_as_it_was_says_nothing_of_how_long_the_others_take() -> None:
    left = [finished(f"s{number}", How.LEFT, seconds=0.0) for number in range(8)]
    assert tally(*left, finished("ann")).told().startswith("9 of 10, 0 failing, 0.5 a second, about 2 s left")


def test_what_had_to_be_done_is_told_with_the_reasons_unless_all_was_new() -> None:
    assert work_done(tally(finished("ann"), finished("bob"))) is None
    some = [finished("a", why="other files"), finished("b", How.SCORED), finished("c", How.LEFT), finished("d")]
    assert work_done(tally(*some)) == "2 judged (1 new, 1 other files), 1 scored anew, 1 left as they were"
    assert work_done(tally(finished("c", How.LEFT))) == "none judged, 1 left as they were"


def test_a_program_that_reads_no_more_is_told_no_more_and_the_class_goes_on() -> None:
    told: list[str] = []

    def tell(text: str) -> None:
        told.append(text)
        raise GraderError("nobody reads the output any more")

    machine = Machine(tell, Path("out"))
    machine(finished("ann"))
    machine(finished("bob"))
    assert len(told) == 1
    with pytest.raises(GraderError, match="nobody reads"):
        machine.close()
    Machine(tell, Path("out")).close()


@given(TEXT)
@example("\ud800\udc00")
def test_a_program_reads_one_line_of_plain_characters_whatever_somebody_is_called(name: str) -> None:
    told = as_json_line(finished(name), Path("out"))
    assert told.isascii()
    assert told.isprintable()
    read = json.loads(told)
    # To JSON two halves of a surrogate pair are one character.
    whole = name.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")
    assert (read["id"], read["how"], read["why"], read["score"]) == (whole, "judged", "new", 1.0)
