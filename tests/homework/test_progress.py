"""How far a run is: exact where a clock is given, one line in a terminal of 80 columns, silent where another speaks."""

from __future__ import annotations

import io

import pytest
from hw11 import progress
from hw11.loop import Step
from hw11.metrics import Row

ROW = Row(9, 2.34567, 2.5, 12.18, 1e-2)


@pytest.fixture
def pace(monkeypatch):
    """Ten of a hundred steps were made before; another ten take 20 seconds."""
    now = [100.0]
    monkeypatch.setattr(progress.time, "perf_counter", lambda: now[0])
    made = progress.Pace(10, 100, 512)
    now[0] += 20
    return made


def test_speed_and_time_left_count_what_was_made_since_the_start(pace):
    assert pace.seconds == 20
    assert pace.tokens_per_second(20) == 10 * 512 / 20
    assert pace.left(20) == "2:40"
    assert pace.describe(20) == "256 tokens/s  2:40 left"


def test_a_line_is_written_for_each_logged_step(pace, capsys):
    with progress.Lines(pace) as lines:
        lines.step(Step(18, 2.4, None, stop=False))
        lines.step(Step(19, 2.3, ROW, stop=False))
    assert capsys.readouterr().err == (
        "step    19 of 100  loss 2.346  validation 2.500, perplexity 12.18  rate 1.0e-02  256 tokens/s  2:40 left\n"
    )


def test_a_bar_fits_a_terminal_of_80_columns(pace, monkeypatch):
    rich = pytest.importorskip("rich.console")

    class Screen(io.StringIO):
        def isatty(self):
            return True

    screen = Screen()
    monkeypatch.setattr(progress.sys, "stderr", screen)
    plain = rich.Console
    monkeypatch.setattr(
        rich, "Console", lambda **_: plain(file=screen, width=80, force_terminal=True, color_system=None)
    )
    with progress.progress(pace, speaks=True) as bar:
        bar.step(Step(19, 2.3, ROW, stop=False))
    assert " 20/100 loss 2.35  validation 2.50  256 tokens/s  2:40 left" in screen.getvalue()


def test_of_several_processes_one_speaks(pace, capsys):
    with progress.progress(pace, speaks=False) as silent:
        silent.step(Step(19, 2.3, ROW, stop=False))
    assert capsys.readouterr() == ("", "")
