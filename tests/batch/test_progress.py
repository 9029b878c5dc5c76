from __future__ import annotations

import io
import unicodedata

import pytest
from rich.console import Console

from grader.batch import progress
from grader.batch.finished import Finished, How, line_of
from grader.batch.tally import Tally
from grader.model.report import ExerciseReport, Report
from grader.model.verdict import Status
from tests.batch.test_run import report


def shown(*, terminal: bool) -> tuple[Console, io.StringIO]:
    text = io.StringIO()
    return Console(file=text, force_terminal=terminal, width=100, _environ={}), text


def judged(what: Report) -> Finished:
    return Finished(line_of(what), How.JUDGED, "new", 1.5)


def test_a_terminal_sees_a_bar_with_the_time_left() -> None:
    console, text = shown(terminal=True)
    with progress.progress(Tally(2), console) as tell:
        tell(judged(report("ann")))
    assert "1 of 2, 0 failing" in text.getvalue()
    assert "s left" in text.getvalue()


def test_a_log_gets_a_line_now_and_then_with_the_time_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "_LINE_EVERY_SECONDS", 0.0)
    console, text = shown(terminal=False)
    with progress.progress(Tally(2), console) as tell:
        tell(judged(report("ann")))
    assert text.getvalue().startswith("graded 1 of 2, 0 failing, ")
    assert text.getvalue().endswith(" s left, slowest ann (1.5 s)\n")


def test_the_table_shows_names_as_they_are_and_no_score_for_our_faults() -> None:
    console, text = shown(terminal=False)
    console.print(progress.table([line_of(report("[red]zoe[/red]")), line_of(report("ann", None))]))
    assert "[red]zoe[/red]" in text.getvalue()
    assert "no score" in text.getvalue()


def test_what_was_seen_is_the_message_of_an_exercise() -> None:
    exercise = ExerciseReport(
        id="a.b",
        title={"en": "x", "zh-TW": "x"},
        status=Status.IMPORT_ERROR,
        score=0,
        points=1,
        message="no file",
        tests=[],
    )
    part = {
        "id": "a",
        "title": {"en": "x", "zh-TW": "x"},
        "status": "import_error",
        "score": 0,
        "points": 1,
        "exercises": [exercise],
        "suite_digest": "0",
    }
    console, text = shown(terminal=False)
    with_part = type(report("ann")).model_validate(report("ann").model_dump() | {"assignments": [part]})
    console.print(progress.table([line_of(with_part)]))
    assert "no file" in text.getvalue()


@pytest.mark.parametrize("terminal", [True, False])
def test_no_name_and_no_message_acts_on_the_terminal(*, terminal: bool) -> None:
    hostile = "\x1b[2J\x1b]8;;http://x.example\x07link\x9b31m\u202e\u200b\r\n\x7f"
    console, text = shown(terminal=terminal)
    console.no_color = True
    plain, harmless = shown(terminal=terminal)
    plain.no_color = True
    for screen, name in ((console, hostile), (plain, "ann")):
        screen.print(progress.table([line_of(report(name))]))
    controls = {c for c in text.getvalue() if unicodedata.category(c) in ("Cc", "Cf")}
    assert controls <= {c for c in harmless.getvalue() if unicodedata.category(c) in ("Cc", "Cf")}
    assert "\x1b[2J" not in text.getvalue()
    assert "\\x1b" in text.getvalue()
    assert "\x1b]" not in text.getvalue()


def test_the_bar_does_not_act_for_a_name(monkeypatch: pytest.MonkeyPatch) -> None:
    console, text = shown(terminal=True)
    with progress.progress(Tally(1), console) as tell:
        tell(judged(report("\x1b]0;x\x07\u202e")))
        console.print("done")
    assert "\x1b]0;" not in text.getvalue()
    assert "\u202e" not in text.getvalue()
