"""What stops the attacks of the corpus, and what does not, written into SECURITY.md from their expectations.

python -m tests.adversarial.table --write
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


def refreshed(text: str, attacks: Sequence[Attack]) -> str:
    """Return the document with what the corpus says now between its markers."""
    part = "\n".join((*_stopped(attacks), *_not_stopped(attacks)))
    return _PART.sub(lambda found: f"{found.group(1)}{part}\n{found.group(2)}", text)


def _stopped(attacks: Sequence[Attack]) -> Iterator[str]:
    classes = {about: [each for each in attacks if each.expected.about == about] for about in ABOUTS}
    yield "| attacks on | " + " | ".join(f"`{level}`" for level in Level) + " |"
    yield "|---" * (1 + len(Level)) + "|"
    for about, found in classes.items():
        yield f"| {_NAMES[about]} | " + " | ".join(_count(found, level) for level in Level) + " |"
    yield ""
    for about, found in classes.items():
        yield from (f"**{_NAMES[about].capitalize()}** is stopped most often", "", *_reasons(found), "")


def _count(attacks: Sequence[Attack], level: Level) -> str:
    return f"{sum(not attack.happens(level) for attack in attacks)} of {len(attacks)}"


def _reasons(attacks: Sequence[Attack]) -> Iterator[str]:
    """What stops most of them, level by level; a level that is as the one before goes with it."""
    groups: dict[str, list[Level]] = {}
    for level in Level:
        words = Counter(word for attack in attacks if (word := attack.expected.held.at(level)))
        if often := "; ".join(word for word, _ in words.most_common(_SHOWN)):
            groups.setdefault(often, []).append(level)
    for often, levels in groups.items():
        yield f"- at {', '.join(f'`{level}`' for level in levels)} by: {often}"


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
    """Write the part anew."""
    if sys.argv[1:] != ["--write"]:
        sys.exit(__doc__)
    SECURITY.write_text(refreshed(SECURITY.read_text("utf-8"), load_corpus(HERE)), encoding="utf-8")


if __name__ == "__main__":
    main()
