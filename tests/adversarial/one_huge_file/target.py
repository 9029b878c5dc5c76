"""Writes, reserves and stretches one file to sizes far above what an exercise needs. A hole of a terabyte costs nothing
until it is copied.
"""

import os
import signal

import numpy as np


def double(x):
    return 2 * x


def normalise(a):
    def write_on(file):
        for _ in range(64):
            os.write(file, bytes(1 << 20))

    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    for folder in (".", "/tmp", "/dev/shm", "{{home}}"):
        path = os.path.join(folder, "huge-{{tag}}")
        for grow in (lambda f: os.ftruncate(f, 1 << 40), lambda f: os.posix_fallocate(f, 0, 3 << 30), write_on):
            try:
                file = os.open(path, os.O_CREAT | os.O_RDWR)
            except OSError as error:
                print(folder, error)
                break
            try:
                grow(file)
                print("BREACH", folder, os.fstat(file).st_size)
            except OSError as error:
                print(folder, error)
            os.close(file)
            os.remove(path)
    return a / a.sum(axis=0, keepdims=True)
