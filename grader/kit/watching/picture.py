"""The picture of an exercise as a watch shows it: what was seen at the last check, in block characters."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator, Sequence

from grader.kit.checked import Checked
from grader.kit.lesson import Step
from grader.kit.picture import heat_maps, nothing_to_see, picture_lines, with_picture
from grader.kit.picturing.blocks import marks_for
from grader.kit.watching.view import Line
from grader.words import watch as words


def pictured(checked: Checked | None, step: Step, lesson: Sequence[Step], language: str) -> Iterator[Line]:
    """Yield what is shown for the picture of an exercise, or why there is none.

    Args:
        checked: The exercise; None where it was not checked yet.
        step: The exercise.
        lesson: All exercises.
        language: `en` or `zh-TW`.
    """
    if checked is None:
        yield Line(words.PICTURE_LATER(language), "quiet")
    elif heat_maps(checked):
        width, marks = shutil.get_terminal_size().columns, marks_for(sys.stdout.encoding, os.environ)
        yield from (Line(text) for text in picture_lines(checked, language, width, marks))
    elif step.id in with_picture([step.assignment]):
        yield from (Line(text) for told in nothing_to_see(checked, language) for text in told.split("\n"))
    else:
        every = list({each.assignment.id: each.assignment for each in lesson}.values())
        yield Line(words.NO_PICTURE(language, names=", ".join(with_picture(every))), "quiet")
