"""In a grader that runs tests in one process with the submission, the expected values are a few frames away. Looks
through all frames, everything the collector knows and all modules for them.
"""

import gc
import inspect
import sys

import numpy as np


def double(x):
    return 2 * x


def normalise(a):
    hunt()
    return a / a.sum(axis=0, keepdims=True)


NAMES = {"expected", "want", "reference", "rng", "seed", "seeds", "submission_test"}
MODULES = {"pytest", "_pytest", "reference", "misconceptions", "test_target", "pytest_jsonreport", "grader.judge"}


def hunt():
    frame = sys._getframe()
    while frame:
        for space in (frame.f_locals, frame.f_globals):
            for name in NAMES & set(space):
                print("BREACH a frame holds", name)
        frame = frame.f_back
    for each in inspect.stack():
        if "test_" in each.filename:
            print("BREACH a test is on the stack", each.filename)
    for each in sys._current_frames().values():
        if "judge" in each.f_code.co_filename:
            print("BREACH a frame of the judge", each.f_code.co_filename)
    for name in list(sys.modules):
        if name in MODULES or name.startswith("grader.judge"):
            print("BREACH a module", name)


for thing in gc.get_objects():
    kind = type(thing).__name__
    if kind in ("TestReport", "JudgePlugin", "SuiteTest", "Evidence", "Session", "Job"):
        print("BREACH an object of class", kind)
