"""Registers functions that run for ever when Python ends: at exit, on signals, and when modules are taken apart."""

import atexit
import signal
import threading

import numpy as np


def double(x):
    return 2 * x


def normalise(a):
    return a / a.sum(axis=0, keepdims=True)


def endless(*_):
    while True:
        pass


atexit.register(endless)
threading._register_atexit(endless)
for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
    signal.signal(number, endless)
