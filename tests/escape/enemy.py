"""Text that an enemy would write."""

from __future__ import annotations

import unicodedata

from hypothesis import strategies as st

_PIECES = (
    *(
        "\x1b[2J",
        "\x1b]8;;http://x.example\x07",
        "\x9b31m",
        "\r",
        "\n",
        "\t",
        "\x00",
        "\x7f",
        "\x85",
        "\u2028",
        "\u2029",
    ),
    *("\u202e", "\u2066", "\u200b", "\u200d", "\ufeff", "\ud800", "\udcff", "\u3164", "\ufe0f", "\U000e0041"),
    *("=", "+", "-", "@", "\uff1d", ";", ",", '"', "'", " ", "|", "`", "\\", "<", ">", "&", "&#60;", "<!--", "]]>"),
    *("[a](javascript:x)", "![a](http://x.example)", "# ", "* ", "1. ", "@ada", "#1", "$x$", "https://x.example"),
    *("=cmd|' /C calc'!A0", "<script>", "</code>", "ada", "7", "\u6ce8\u610f\u529b"),
)
TEXT = st.text(st.characters()) | st.lists(st.sampled_from(_PIECES), max_size=8).map("".join)
ORDINARY = st.text("abcXYZ019 ", min_size=1).filter(lambda text: text == text.strip())
CHINESE = st.text("\u6ce8\u610f\u529b\u73ed\u7d1a\u3000\uff0c\u3002\u300c\u300d", min_size=1)
# What each character of these categories does or may do; the rest of them only draw.
_ACTIVE = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
_HIDDEN = "\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0"


def active(text: str, *, but: str = "") -> list[str]:
    """Return what in a text could do something to whatever shows it."""
    return [c for c in text if c not in but and (unicodedata.category(c) in _ACTIVE or c in _HIDDEN)]
