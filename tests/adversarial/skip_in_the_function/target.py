"""Raises what makes pytest skip a test, expect its failure or end at once, the real classes or others of their
names.
"""

import importlib
import unittest

import numpy as np


def double(x):
    return 2 * x


def outcome(name):
    try:
        return getattr(importlib.import_module("_pytest.outcomes"), name)
    except BaseException:
        return type(name, (BaseException,), {"__module__": "builtins", "allow_module_level": True})


count = 0


def normalise(a):
    global count
    count += 1
    if count % 4 == 0:
        raise unittest.SkipTest("not today")
    raise outcome(("Skipped", "XFailed", "Exit")[count % 3])("not today")
