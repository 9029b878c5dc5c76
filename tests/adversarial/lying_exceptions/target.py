"""Raises errors whose text, name, traceback, order of classes and attributes raise themselves, return something
that is no text, or go on for ever.
"""

import numpy as np


def double(x):
    return 2 * x


class Meta(type):
    @property
    def __name__(cls):
        raise SystemExit(0)

    @property
    def __mro__(cls):
        raise SystemExit(0)


class Lying(Exception, metaclass=Meta):
    def __str__(self):
        raise SystemExit(0)

    def __repr__(self):
        return 7

    def __getattribute__(self, name):
        raise KeyboardInterrupt


class Loud(Exception):
    def __str__(self):
        return "x" * 50_000_000


class Nested(SyntaxError):
    @property
    def filename(self):
        raise Lying


ERRORS = (Lying, Loud, Nested)
count = 0


def normalise(a):
    global count
    count += 1
    raise ERRORS[count % 3]()
