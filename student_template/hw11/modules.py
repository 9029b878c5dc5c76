"""The modules that the program trains and samples with: yours, or any others with their names."""

from __future__ import annotations

import importlib
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hw11.errors import HomeworkError

NAMES = ("layers", "gpt2", "training", "generation")


@dataclass(frozen=True)
class Code:
    """The four modules."""

    layers: Any
    gpt2: Any
    training: Any
    generation: Any


def load(folder: Path) -> Code:
    """Import the modules that lie in a folder, which import one another as `from layers import Block`.

    Raises:
        HomeworkError: One is missing, or cannot be imported.
    """
    folder = folder.resolve()
    if missing := [f"{name}.py" for name in NAMES if not (folder / f"{name}.py").is_file()]:
        raise HomeworkError(
            f"{folder} has no {', '.join(missing)}",
            hint=f"the program needs {', '.join(f'{name}.py' for name in NAMES)}: put them there, or name another folder with --code DIR",
        )
    if any(name in sys.modules and not _lies_in(folder, name) for name in NAMES):
        for name in NAMES:  # all of them: one that stayed would go on with the classes of the others' namesakes
            sys.modules.pop(name, None)
    sys.path.insert(0, str(folder))
    try:
        return Code(*[importlib.import_module(name) for name in NAMES])
    except SyntaxError as error:
        raise HomeworkError(
            f"{error.filename}, line {error.lineno}: {error.msg}", hint="mend this line, then start again"
        ) from error
    except ImportError as error:
        raise HomeworkError(
            f"the modules in {folder} cannot be imported: {error}",
            hint="a name must be defined where it is imported from, and a package must be installed",
        ) from error


def _lies_in(folder: Path, name: str) -> bool:
    file = getattr(sys.modules[name], "__file__", None)
    return file is not None and Path(file).resolve().parent == folder
