"""Words and numbers that nobody can know: where one turns up, something was read."""

from __future__ import annotations

import secrets
import struct
from dataclasses import dataclass, field

VARIABLE = "ROWWISE_PLANTED"
_DIGITS = 8


def _word() -> str:
    return f"planted{secrets.token_hex(12)}"


def _number() -> float:
    # No digit is 0 and the last is below 5: whoever drops it prints the others as they are.
    digits = [secrets.randbelow(9) + 1 for _ in range(_DIGITS - 1)] + [secrets.randbelow(4) + 1]
    return float("0." + "".join(map(str, digits)))


@dataclass(frozen=True)
class Tokens:
    """What is planted in one course and around it.

    Args:
        hidden: In the source of the hidden tests.
        reference: In the source of the reference.
        neighbour: In another student's submission.
        environment: In the grader's environment, as `VARIABLE`.
        key: The course key.
        number: In the inputs of the hidden tests.
    """

    hidden: str = field(default_factory=_word)
    reference: str = field(default_factory=_word)
    neighbour: str = field(default_factory=_word)
    environment: str = field(default_factory=_word)
    key: str = field(default_factory=lambda: secrets.token_hex(32))
    number: float = field(default_factory=_number)

    def read(self, text: str) -> list[str]:
        """Return the names of the planted words that stand in a text."""
        words = {
            "the hidden tests": self.hidden,
            "the reference": self.reference,
            "a neighbour's submission": self.neighbour,
            "the grader's environment": self.environment,
            "the course key": self.key,
        }
        return [name for name, word in words.items() if word in text]

    def holds_input(self, text: str) -> bool:
        """Whether a hidden input stands in a text: its digits, or its bytes in hexadecimal."""
        digits = f"{self.number:.{_DIGITS}f}".partition(".")[2]
        # The last digit may be dropped, and the point may stand elsewhere.
        return digits[:-1] in text.replace(".", "") or struct.pack("<d", self.number).hex() in text.lower()
