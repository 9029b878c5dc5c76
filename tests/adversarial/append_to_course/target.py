"""A shell reads its script line by line, so that a line appended to it while it runs is run too. Tries to open the
course's files, and whatever started this process, for appending; writes nothing.
"""

import os
import sys

import numpy as np


def double(x):
    return 2 * x


def normalise(a):
    return a / a.sum(axis=0, keepdims=True)


PATHS = (
    "{{course}}/assignments/target/hidden/test_target.py",
    "{{course}}/assignments/target/tests.lock",
    "{{course}}/assignments/target/assignment.toml",
    "{{course}}/reference/target.py",
    "{{class}}/neighbour/target.py",
    "{{out}}/summary.json",
    "/autograder/run_autograder",
    *(name for name in sys.orig_argv if os.path.isabs(name)),
    np.__file__,
    os.__file__,
)
for path in PATHS:
    if not os.path.exists(path):
        continue
    try:
        with open(path, "a", encoding="utf-8"):
            print("BREACH could append to", path)
    except OSError as error:
        print(error)
