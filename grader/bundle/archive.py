"""Archives of a bundle's files: the same bytes for the same files, with the modes that they are to have."""

from __future__ import annotations

import io
import stat
import tarfile
import zipfile
from collections.abc import Iterable

from grader.bundle.item import Item

# The first moment that a zip can hold.
_MOMENT = (1980, 1, 1, 0, 0, 0)


def zipped(items: Iterable[Item]) -> bytes:
    """Return a zip of the files."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for item in items:
            entry = zipfile.ZipInfo(item.path, _MOMENT)
            entry.create_system = 3  # Unix, which has modes
            entry.external_attr = (stat.S_IFREG | item.mode) << 16
            archive.writestr(entry, item.content, zipfile.ZIP_DEFLATED)
    return content.getvalue()


def tarred(items: Iterable[Item]) -> bytes:
    """Return a tar of the files, of nobody in particular."""
    content = io.BytesIO()
    with tarfile.open(fileobj=content, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for item in items:
            entry = tarfile.TarInfo(item.path)
            entry.mode, entry.size = item.mode, len(item.content)
            archive.addfile(entry, io.BytesIO(item.content))
    return content.getvalue()
