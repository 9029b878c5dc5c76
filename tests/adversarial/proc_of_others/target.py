"""Lists the processes of the machine and opens the memory, environment, arguments and files of some of them."""

import os

import numpy as np


def double(x):
    return 2 * x


def normalise(a):
    try:
        found = [name for name in os.listdir("/proc") if name.isdigit()]
        print("BREACH" if found else "empty:", len(found), "processes")
    except OSError as error:
        print(error)
    for pid in ("1", "{{victim}}", "{{grader}}", str(os.getppid())):
        for entry in (
            "mem",
            "environ",
            "cmdline",
            "maps",
            "stat",
            "status",
            "root",
            "cwd",
            "fd",
            "exe",
            "stack",
            "syscall",
        ):
            try:
                os.close(os.open(f"/proc/{pid}/{entry}", os.O_RDONLY))
            except OSError as error:
                print(pid, entry, error.strerror)
            else:
                print("BREACH", pid, entry)
    return a / a.sum(axis=0, keepdims=True)
