"""What stops the attacks of the corpus, and what does not, from their expectations: printed, or written into SECURITY.md.

python -m tests.adversarial.table [--write]
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from grader.sandbox.base import Level
from grader.selftest.corpus import Attack, load_corpus
from grader.selftest.expectation import ABOUTS

HERE = Path(__file__).parent
SECURITY = HERE.parents[1] / ".github" / "SECURITY.md"
_PART = re.compile(r"(<!-- attacks: begin -->\n).*?(<!-- attacks: end -->)", re.DOTALL)
_SHOWN = 3
# A list that is longer is folded.
_LONG = 12
_NAMES = {
    "secrets": "reading what is secret",
    "forging": "forging a verdict",
    "resources": "using up the machine",
    "escape": "getting out, and at others",
    "intake": "the folder or archive handed in",
    "report": "what is written and printed",
}


def told(attacks: Sequence[Attack]) -> str:
    """Return the table, and the lists of what is not stopped."""
    return "\n".join((*_stopped(attacks), *_not_stopped(attacks)))


def refreshed(text: str, attacks: Sequence[Attack]) -> str:
    """Return the document with what the corpus says now between its markers."""
    return _PART.sub(lambda found: f"{found.group(1)}{told(attacks)}\n{found.group(2)}", text)


def _stopped(attacks: Sequence[Attack]) -> Iterator[str]:
    classes = {about: [each for each in attacks if each.expected.about == about] for about in ABOUTS}
    yield "| attacks on | " + " | ".join(f"`{level}`" for level in Level) + " |"
    yield "|---" * (1 + len(Level)) + "|"
    for about, found in classes.items():
        yield f"| {_NAMES[about]} | " + " | ".join(_cell(found, level) for level in Level) + " |"
    yield ""


def _cell(attacks: Sequence[Attack], level: Level) -> str:
    """How many of a class a level stops, and by what most of them."""
    words = Counter(word for attack in attacks if (word := attack.expected.held.at(level)))
    often = "; ".join(word for word, _ in words.most_common(_SHOWN))
    return f"**{sum(words.values())} of {len(attacks)}** {often}".rstrip()


def _not_stopped(attacks: Sequence[Attack]) -> Iterator[str]:
    for level in Level:
        found = [attack for attack in attacks if attack.happens(level)]
        lines = [f"- {attack.expected.title}: {attack.expected.happens.at(level)}" for attack in found]
        if not lines:
            yield from (f"**`{level}`** stops all of them.", "")
        elif len(lines) <= _LONG:
            yield from (f"**`{level}`** does not stop:", "", *lines, "")
        else:
            summary = f"<b><code>{level}</code></b> does not stop {len(lines)}"
            yield from (f"<details><summary>{summary}</summary>", "", *lines, "", "</details>", "")


def main() -> None:
    """Print the part, or write it anew."""
    attacks = load_corpus(HERE)
    if sys.argv[1:] == ["--write"]:
        SECURITY.write_text(refreshed(SECURITY.read_text("utf-8"), attacks), encoding="utf-8")
    elif sys.argv[1:]:
        sys.exit(__doc__)
    else:
        sys.stdout.write(told(attacks))


if __name__ == "__main__":
    main()
