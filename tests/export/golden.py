"""What every format writes of one class, kept to be looked at.

python -m tests.export.golden --write
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from grader import __version__
from grader.export.registry import OF_CLASS, OF_ONE
from grader.export.words import WORDS
from tests.export import classes

FOLDER = Path(__file__).parent / "golden"
_LATE = "[late]\npercent_per_day = 10\n[assignments.toy]\ndue = 1970-01-01T00:00:00\n"


def documents(folder: Path) -> Iterator[tuple[str, str]]:
    """Yield the names of files and what stands in them: a late submission with a named mistake, and the class that it is of."""
    classes.exported(folder, classes.wrong("ada"), classes.fault("eve"), classes.two("\u738b", 7.0, 2.45))
    classes.counted(folder, {"ada": 4.9, "\u738b": 9.45}, _LATE)
    graded = classes.again(folder)
    students = [grade.id for grade in graded]
    for language in WORDS:
        options = classes.all_options(folder, students, language=language, exercises=classes.toy_course(), prefix="hw/")
        for name, one in OF_ONE.items():
            yield (
                f"{language}.{name}{one.SUFFIX[one.SUFFIX.rindex('.') :]}",
                _without_version(one.render(graded[0], options)),
            )
        for name, whole in OF_CLASS.items():
            kind = "md" if name == "summary" else "csv"
            yield f"{language}.{name}.{kind}", whole.render(graded, options).text


def _without_version(text: str) -> str:
    return text.replace(f'"version": "{__version__}"', '"version": "0"')


def main() -> None:
    """Write all of them anew."""
    if sys.argv[1:] != ["--write"]:
        sys.exit(__doc__)
    for old in FOLDER.iterdir():
        old.unlink()
    with tempfile.TemporaryDirectory() as folder:
        for name, text in documents(Path(folder)):
            (FOLDER / name).write_bytes(text.encode())


if __name__ == "__main__":
    main()
