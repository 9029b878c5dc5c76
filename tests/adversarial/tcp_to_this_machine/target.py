"""Connects to a listening port of 127.0.0.1 in several ways."""

import asyncio
import socket
import urllib.request

import numpy as np


def double(x):
    return 2 * x


def normalise(a):
    for act in (
        lambda: socket.create_connection(("127.0.0.1", int("{{tcp}}")), 1),
        lambda: socket.socket(socket.AF_INET6).connect(("::ffff:127.0.0.1", int("{{tcp}}"))),
        lambda: asyncio.run(asyncio.open_connection("127.0.0.1", int("{{tcp}}"))),
        lambda: urllib.request.urlopen("http://127.0.0.1:{{tcp}}/", timeout=0.3),
    ):
        try:
            act()
        except Exception as error:
            print("connect:", type(error).__name__, error)
        else:
            print("BREACH connected")
    return a / a.sum(axis=0, keepdims=True)
