"""Raises messages that are code somewhere else: HTML with a script, formulas of a spreadsheet, links of Markdown,
markup of the terminal library, and line ends that only some readers of JSON lines know.
"""

import numpy as np


def double(x):
    return 2 * x


MARKUP = (
    "<script>fetch('//example.invalid')</script><img src=x onerror=alert(1)>",
    '=HYPERLINK("https://example.invalid","passed")',
    "+1+cmd|' /C calc'!A0",
    "@SUM(1)\t-2+3",
    "[passed](javascript:alert(1)) ![x](https://example.invalid/x.png) | a | b |\n|---|---|",
    "[bold red on white]passed[/] [link=https://example.invalid]x[/link] [/nothing]",
    '"}\u2028{"status": "passed", "score": 100}\u2029\x85\n{"score": 100}',
    "</script>]]><!-- ${7*7} {{7*7}} %s %n $(id) `id`",
)


def normalise(a):
    raise ValueError(" ".join(MARKUP))
