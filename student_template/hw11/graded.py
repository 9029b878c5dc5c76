"""What a run must have to be handed in: told before the first step, for after the training it is too late."""

from __future__ import annotations

from typing import Any

from hw11.corpus import BUILTIN
from hw11.say import say

LEAST = {"prompts": 3, "temperatures": 3}
LEAST_TOKENS = 100
CORPUS = "../assignments/homework11/data/corpus.txt"


def lacks(record: dict[str, Any]) -> list[str]:
    """Return what keeps a run from being handed in as homework, in words; nothing where it may be.

    Args:
        record: What `run.json` will hold.
    """
    wanted, dropout, kind = record["samples"], record["model"]["dropout"], record["tokenizer"]["kind"]
    few = [
        f"{least} different {name} (--{name[:-1]})" for name, least in LEAST.items() if len(set(wanted[name])) < least
    ]
    others = {
        f"{LEAST_TOKENS} new tokens at least (--max-new-tokens)": wanted["max_new_tokens"] < LEAST_TOKENS,
        "dropout 0": dropout != 0,
        "--tokenizer char": kind != "char",
        f"the course's text (--corpus {CORPUS})": record["corpus"]["name"] == BUILTIN,
    }
    return few + [what for what, missing in others.items() if missing]


def warn(record: dict[str, Any]) -> None:
    """Say what is lacking."""
    if missing := lacks(record):
        say(f"warning: this run cannot be handed in as homework, which needs {', '.join(missing)}")
