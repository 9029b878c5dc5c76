"""Runs a shell that leaves a marker: by subprocess, os.system, popen, spawn, posix_spawn, a terminal of its own, and
worker processes.
"""

import multiprocessing
import os
import pty
import subprocess

import numpy as np


def mark():
    with open("{{home}}/marker", "w") as file:
        file.write("by a worker process")


def double(x):
    return 2 * x


def normalise(a):
    shell = ["/bin/sh", "-c", "touch {{home}}/marker"]

    def terminal():
        pid, _ = pty.fork()
        if pid == 0:
            os.execv(shell[0], shell)

    def process(kind):
        made = multiprocessing.get_context(kind).Process(target=mark)
        made.start()
        made.join(1)

    ways = {
        "run": lambda: subprocess.run(shell),
        "shell": lambda: subprocess.run(shell[2], shell=True),
        "system": lambda: os.system(shell[2]) and print("system: not run"),
        "popen": lambda: os.popen(shell[2]).read(),
        "spawn": lambda: os.spawnv(os.P_WAIT, shell[0], shell),
        "posix_spawn": lambda: os.posix_spawn(shell[0], shell, {}),
        "terminal": terminal,
        "fork": lambda: process("fork"),
        "forkserver": lambda: process("forkserver"),
    }
    for name, way in ways.items():
        try:
            way()
        except Exception as error:
            print(f"{name}: {type(error).__name__}: {error}")
    return a / a.sum(axis=0, keepdims=True)
