"""Starts thousands of threads with small stacks, which wait for ever. More than two hundred would be a success."""

import threading

import numpy as np


def double(x):
    return 2 * x


def normalise(a):
    threading.stack_size(65536)
    never = threading.Event()
    started = 0
    try:
        for _ in range(4000):
            threading.Thread(target=never.wait, daemon=True).start()
            started += 1
    except RuntimeError as error:
        print("thread:", error)
    print("BREACH" if started > 200 else "held at", started, "threads")
    return a / a.sum(axis=0, keepdims=True)
