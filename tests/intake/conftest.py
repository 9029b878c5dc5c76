"""Archives of any kind in one line."""

from __future__ import annotations

import io
import os
import stat
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

CODE = b"def softmax(x):\n    return x\n"
MakeZip = Callable[..., bytes]
MakeTar = Callable[..., bytes]


def checked(raw: bytes) -> bytes:
    """Compress as the command `zstd` does: with a checksum at the end."""
    return zstd.compress(raw, options={zstd.CompressionParameter.checksum_flag: 1})


@pytest.fixture(scope="session")
def code() -> bytes:
    return CODE


@pytest.fixture(scope="session")
def make_zip() -> MakeZip:
    """Return a function that zips `{name: content}`; a `ZipInfo` in place of a name says more about the member."""

    def make(members: dict[str | zipfile.ZipInfo, bytes], *, method: int = zipfile.ZIP_DEFLATED) -> bytes:
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w") as archive:
            for name, content in members.items():
                kind = name.compress_type if isinstance(name, zipfile.ZipInfo) and name.compress_type else method
                archive.writestr(name, content, compress_type=kind)
        return out.getvalue()

    return make


@pytest.fixture(scope="session")
def make_tar() -> MakeTar:
    """Return a function that tars `{name: content}`, or `TarInfo`s for members that are no files."""

    def make(members: dict[str, bytes], *extra: tarfile.TarInfo, mode: str = "w", **options: object) -> bytes:
        out = io.BytesIO()
        plain = mode == "w:zst"  # older Pythons' `tarfile` does not know it
        with tarfile.open(fileobj=out, mode="w" if plain else mode, **options) as archive:
            for name, content in members.items():
                info = tarfile.TarInfo(name)
                info.size = len(content)
                archive.addfile(info, io.BytesIO(content))
            for info in extra:
                archive.addfile(info)
        return checked(out.getvalue()) if plain else out.getvalue()

    return make


@pytest.fixture(scope="session")
def zip_link() -> Callable[[str], zipfile.ZipInfo]:
    def link(name: str, kind: int = stat.S_IFLNK) -> zipfile.ZipInfo:
        info = zipfile.ZipInfo(name)
        info.create_system = 3
        info.external_attr = (kind | 0o777) << 16
        return info

    return link


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that any user of this machine may walk into, unlike `tmp_path`."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        yield Path(name)


@pytest.fixture(scope="session")
def as_nobody() -> Callable[[], object]:
    """Return a context in which we are not root, so that permissions hold; an ordinary user stays who they are."""

    @contextmanager
    def unprivileged() -> Iterator[None]:
        if os.geteuid() != 0:
            yield
            return
        os.seteuid(65534)
        try:
            yield
        finally:
            os.seteuid(0)

    return unprivileged
