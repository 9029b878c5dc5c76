"""Sleeps in each call for a little less than is allowed, in the hope that many calls add up to hours."""

import time

import numpy as np


def double(x):
    return 2 * x


def normalise(a):
    time.sleep(1.7)
    return a / a.sum(axis=0, keepdims=True)
