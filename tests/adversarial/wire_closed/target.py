"""Closes the socket, shuts it down, or puts a pipe of its own in its place, and lives on."""

import os
import socket
import stat
import time

import numpy as np


def double(x):
    return 2 * x


def wire():
    """Return the descriptor of the socket to the grader."""
    for number in range(3, 64):
        try:
            if stat.S_ISSOCK(os.fstat(number).st_mode):
                return number
        except OSError:
            pass
    return 3


def normalise(a):
    number = wire()
    match int(a.sum() * 1e6) % 3:
        case 0:
            os.close(number)
        case 1:
            socket.socket(fileno=os.dup(number)).shutdown(socket.SHUT_RDWR)
        case 2:
            os.dup2(os.pipe()[0], number)
    time.sleep(600)
