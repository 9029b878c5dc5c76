"""Replaces all clocks of its process by ones that stand still and limits by none, and then takes all the time it
wants.
"""

import resource
import signal
import time

import numpy as np


def double(x):
    return 2 * x


for name in ("time", "monotonic", "perf_counter", "process_time", "thread_time", "time_ns", "monotonic_ns", "sleep"):
    setattr(time, name, lambda *args: 0)
resource.getrusage = lambda *args: None
for number in (signal.SIGXCPU, signal.SIGALRM, signal.SIGTERM, signal.SIGINT):
    signal.signal(number, signal.SIG_IGN)


def normalise(a):
    while True:
        a.sum()
