"""Raises a message at import that closes tags nobody opened, in the markup of the terminal library, and forges
further rows of the table.
"""

import numpy as np


def double(x):
    return 2 * x


def normalise(a):
    return a / a.sum(axis=0, keepdims=True)


raise ImportError(
    "[/] [/bold] [not a tag [[ \\[ :smile: [@click=app.quit]x[/]\r\n"
    "\x1b[1A\u2502 neighbour \u2502 passed \u2502 100.00 / 100 \u2502\u202e"
)
