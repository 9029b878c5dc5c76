"""How far a run is, on stderr: a bar where there is a terminal and `rich`, else a line for each logged step."""

from __future__ import annotations

import importlib.util
import sys
import time
from typing import Protocol, Self

from hw11.loop import Step
from hw11.metrics import Row


class Progress(Protocol):
    """What is told each step."""

    def __enter__(self) -> Self:
        """Begin."""
        ...

    def __exit__(self, *_: object) -> None:
        """End."""
        ...

    def step(self, step: Step) -> None:
        """Tell of a step."""
        ...


class Pace:
    """How fast it goes.

    Args:
        start: The number of steps that were made before.
        total: The number of steps.
        tokens_per_step: The number of tokens in a step.
    """

    def __init__(self, start: int, total: int, tokens_per_step: int) -> None:
        self.total = total
        self._start, self._tokens, self._began = start, tokens_per_step, time.perf_counter()

    @property
    def seconds(self) -> float:
        """Seconds since it began."""
        return time.perf_counter() - self._began

    def tokens_per_second(self, made: int) -> float:
        """Return the mean speed, where `made` steps are made, those before included."""
        return (made - self._start) * self._tokens / self.seconds

    def left(self, made: int) -> str:
        """Return the time that the rest will take, as minutes and seconds."""
        seconds = round(self.seconds * (self.total - made) / max(made - self._start, 1))
        return f"{seconds // 60}:{seconds % 60:02}"

    def describe(self, made: int) -> str:
        """Return speed and time left."""
        return f"{self.tokens_per_second(made):,.0f} tokens/s  {self.left(made)} left"


class Silent:
    """Says nothing: of several processes, one speaks."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def step(self, step: Step) -> None:
        pass


class Lines(Silent):
    """Writes a line for each logged step."""

    def __init__(self, pace: Pace) -> None:
        self._pace = pace

    def step(self, step: Step) -> None:
        if step.row is not None:
            pace = self._pace.describe(step.number + 1)
            sys.stderr.write(f"step {step.number:>5} of {self._pace.total}  {_numbers(step.row)}  {pace}\n")
            sys.stderr.flush()


class Bar:
    """Draws a bar, and beside it the losses of the last logged step."""

    def __init__(self, pace: Pace) -> None:
        from rich.console import Console  # noqa: PLC0415
        from rich.progress import BarColumn, MofNCompleteColumn, TextColumn  # noqa: PLC0415
        from rich.progress import Progress as RichProgress  # noqa: PLC0415

        # Narrow enough for 80 columns, numbers included.
        columns = [BarColumn(bar_width=10), MofNCompleteColumn(), TextColumn("{task.description}")]
        self._pace, self._progress = pace, RichProgress(*columns, console=Console(stderr=True))
        self._task = self._progress.add_task("", total=pace.total)
        self._last = ""

    def __enter__(self) -> Self:
        self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._progress.stop()

    def step(self, step: Step) -> None:
        if step.row is not None:
            self._last = f"loss {step.row.loss:.2f}  validation {step.row.val_loss:.2f}"
        made = step.number + 1
        self._progress.update(self._task, completed=made, description=f"{self._last}  {self._pace.describe(made)}")


def progress(pace: Pace, *, speaks: bool) -> Progress:
    """Return what fits the place where it is shown."""
    if not speaks:
        return Silent()
    # A machine with torch alone has no `rich`.
    return Bar(pace) if sys.stderr.isatty() and importlib.util.find_spec("rich") else Lines(pace)


def _numbers(row: Row) -> str:
    _, loss, val_loss, perplexity, rate = row
    return f"loss {loss:.3f}  validation {val_loss:.3f}, perplexity {perplexity:.2f}  rate {rate:.1e}"
