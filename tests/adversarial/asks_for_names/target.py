"""Looks up names of hosts, users and services. A name that is asked for leaves the machine even where no connection is
made.
"""

import socket

import numpy as np


def double(x):
    return 2 * x


def normalise(a):
    for act in (
        lambda: socket.getaddrinfo("rowwise.invalid", 80),
        lambda: socket.gethostbyname("localhost"),
        lambda: (
            socket.getaddrinfo("127.0.0.1", int("{{tcp}}"))
            and socket.create_connection(("localhost", int("{{tcp}}")), 1)
        ),
        lambda: socket.gethostbyaddr("127.0.0.1"),
        lambda: socket.getnameinfo(("127.0.0.1", 80), 0),
        lambda: socket.if_nameindex(),
    ):
        try:
            print("answered:", act())
        except Exception as error:
            print("asked:", type(error).__name__, error)
    return a / a.sum(axis=0, keepdims=True)
