"""A tar, compressed as a hundred thousand streams of a few bytes each, one after the other. Each takes a decompressor of
its own, so that a small file takes minutes.
"""

import gzip
import io
import tarfile
from pathlib import Path


def make(folder: Path, base: str) -> Path:
    plain = io.BytesIO()
    with tarfile.open(fileobj=plain, mode="w") as tar:
        member = tarfile.TarInfo("target.py")
        data = (base + "#" * 2_000_000).encode()[:900_000]
        member.size = len(data)
        tar.addfile(member, io.BytesIO(data))
    content = plain.getvalue()
    one = {content[place : place + 9] for place in range(0, len(content), 9)}
    packed = {part: gzip.compress(part, 1, mtime=0) for part in one}
    path = folder / "submission.tar.gz"
    path.write_bytes(b"".join(packed[content[place : place + 9]] for place in range(0, len(content), 9)))
    return path
