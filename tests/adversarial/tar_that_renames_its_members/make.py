"""Has a header before a harmless member that renames it to its file, with another size, and a second one for all that
follow.
"""

from __future__ import annotations

import io
import tarfile
from pathlib import Path


def make(folder: Path, base: str) -> Path:
    content = base.encode()
    made = folder / "work.tar"
    with tarfile.open(made, "w", format=tarfile.PAX_FORMAT, pax_headers={"path": "../neighbour/target.py"}) as archive:
        member = tarfile.TarInfo("notes.txt")
        member.size = len(content)
        member.pax_headers = {"path": "target.py", "linkpath": "/etc/passwd"}
        archive.addfile(member, io.BytesIO(content))
    return made
