"""Homework 11: train a GPT on a text, draw its loss and perplexity, and let it write.

    python homework11.py train --corpus ../assignments/homework11/data/corpus.txt --out run
    python homework11.py sample run --prompt "The " --temperature 0.8
    python homework11.py plot run

The first is the run that is handed in. Without --corpus it reads the documentation of this Python, to try things: that is not graded.
This program is given. It trains and samples with your layers.py, gpt2.py, training.py and generation.py, which lie beside
it, and writes run/: run.json, metrics.csv, loss.png, samples.md, samples.json, checkpoint.pt and
tokenizer.json.
"""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Sequence
from pathlib import Path

HERE = Path(__file__).resolve().parent
NEEDED = ("torch", "numpy")
TO_MEND = 1


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program.

    Args:
        arguments: Its arguments; those of the command line where left out.

    Returns:
        The exit code: 0, or 1 where something is to be mended, 2 where the arguments are wrong, 130 where it was
        interrupted.
    """
    if missing := [package for package in NEEDED if importlib.util.find_spec(package) is None]:
        packages = " ".join(missing)
        sys.stderr.write(
            f"error: {sys.executable} has no {packages}\n"
            f"hint: activate the environment of the course, or {sys.executable} -m pip install {packages} matplotlib\n"
        )
        return TO_MEND
    from hw11.command import run  # noqa: PLC0415  (it imports what is needed)

    return run("homework11.py {}", HERE, sys.argv[1:] if arguments is None else arguments)


if __name__ == "__main__":
    sys.exit(main())
