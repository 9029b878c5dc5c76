"""What is set up around one attack: a folder, a word, listeners and a victim of its own, so that it can be told who did it."""

from __future__ import annotations

import contextlib
import re
import secrets
import shutil
import socket
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

_WORLD_WRITABLE = 0o777
# Another user may not be able to reach the interpreter.
_SLEEP = shutil.which("sleep")
_WAITS = [_SLEEP, "3600"] if _SLEEP else [sys.executable, "-S", "-E", "-c", "import time; time.sleep(3600)"]


@dataclass
class Place:
    """The surroundings of one attack.

    Args:
        home: A folder into which everybody may write.
        tag: A word that stands nowhere else.
        listeners: Sockets that wait for somebody.
        victim: A process that is not to be killed; None where the attack names none.
    """

    home: Path
    tag: str = field(default_factory=lambda: f"tag{secrets.token_hex(6)}")
    listeners: dict[str, socket.socket] = field(default_factory=dict)
    victim: subprocess.Popen[bytes] | None = None

    def reached(self) -> list[str]:
        """Return the listeners to which somebody connected; a connection waits in the queue until it is looked for."""
        found = []
        for name, listener in self.listeners.items():
            with contextlib.suppress(OSError):
                listener.accept()[0].close()
                found.append(name)
        return found

    def close(self) -> None:
        """End the victim and the listeners."""
        for listener in self.listeners.values():
            listener.close()
        if self.victim is not None:
            self.victim.kill()
            self.victim.wait()


def make_place(folder: Path, text: bytes, owner: int | None) -> Place:
    """Set up what the text of an attack asks for.

    Args:
        folder: Where, an empty folder.
        text: The attack.
        owner: The user who grades, where that is not the one who runs this.
    """
    home = folder / "home"
    home.mkdir(parents=True)
    home.chmod(_WORLD_WRITABLE)
    place = Place(home)
    if b"{{tcp}}" in text:
        place.listeners["tcp"] = _waiting(socket.create_server(("127.0.0.1", 0)))
    if b"{{unix}}" in text and hasattr(socket, "AF_UNIX"):
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(str(folder / "unix"))
        (folder / "unix").chmod(_WORLD_WRITABLE)
        listener.listen()
        place.listeners["unix"] = _waiting(listener)
    if b"{{victim}}" in text:
        place.victim = subprocess.Popen(_WAITS, user=owner, cwd="/", start_new_session=True)
    return place


def _waiting(listener: socket.socket) -> socket.socket:
    listener.setblocking(False)
    return listener


def facts(place: Place) -> dict[str, str]:
    """Return what an attack is told about its place, by placeholder."""
    told = {"home": str(place.home), "tag": place.tag}
    for name, listener in place.listeners.items():
        address = listener.getsockname()
        told[name] = address if isinstance(address, str) else str(address[1])
    if place.victim is not None:
        told["victim"] = str(place.victim.pid)
    return told


def filled(text: bytes, told: Mapping[str, str]) -> bytes:
    """Return a text with its placeholders `{{name}}` replaced; others are left as they are."""
    return re.sub(
        rb"\{\{(\w+)\}\}", lambda found: told.get(found.group(1).decode(), found.group().decode()).encode(), text
    )
