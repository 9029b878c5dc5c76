"""Sleeps for an hour in a call, which costs no processor time at all."""

import time

import numpy as np


def double(x):
    return 2 * x


def normalise(a):
    time.sleep(3600)
    return a / a.sum(axis=0, keepdims=True)
