"""Packs members that say of themselves that they are devices, pipes and sockets."""

from __future__ import annotations

import stat
import zipfile
from pathlib import Path


def make(folder: Path, base: str) -> Path:
    made = folder / "work.zip"
    kinds = {"target.py": stat.S_IFCHR, "pipe": stat.S_IFIFO, "disk": stat.S_IFBLK, "socket": stat.S_IFSOCK}
    with zipfile.ZipFile(made, "w") as archive:
        for name, kind in kinds.items():
            member = zipfile.ZipInfo(name)
            member.external_attr = (kind | 0o666) << 16
            archive.writestr(member, base)
    return made
