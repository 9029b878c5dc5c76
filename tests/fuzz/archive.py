"""Archives, as intake takes them: files that are wanted, or problems told; nothing raised, no cap passed."""

from __future__ import annotations

import gzip
import io
import lzma
import zipfile
import zlib
from collections.abc import Callable, Mapping
from pathlib import Path

from hypothesis import strategies as st

from grader.intake import archive, formats
from grader.intake.base import MIB, Caps
from tests.fuzz.base import Input, bounded
from tests.intake.conftest import checked
from tests.intake.headers import BLOCK, END, block, pax

WANTED = {"attention.py"}
CAPS = Caps(total_bytes=4 * MIB)
MEMORY = 24 * MIB
COMPRESS: Mapping[str, Callable[[bytes], bytes]] = {
    "": bytes,
    ".gz": lambda raw: gzip.compress(raw, 1, mtime=0),
    ".xz": lambda raw: lzma.compress(raw, preset=0),
    ".zst": checked,
}
_INFLATE: Mapping[str, Callable[[bytes], bytes]] = {
    ".tar": bytes,
    ".tar.gz": lambda raw: zlib.decompressobj(31).decompress(raw, MIB),
    ".tar.xz": lambda raw: lzma.LZMADecompressor().decompress(raw, MIB),
}

_ODD = ["attention.py", "hw/attention.py", "Attention.py", "./attention.py", "attention\u200d.py", "hw", "hw/", "a/b/c"]
_ODD += [
    "../attention.py",
    "/attention.py",
    "C:/attention.py",
    "hw\\attention.py",
    "a\x1b[2J",
    "\u202ea",
    "",
    "inner.zip",
]
_ODD += [
    "inner.tar.gz",
    "hw/inner.tar.zst",
    ".hidden",
    "__MACOSX/x",
    "conftest.py",
    "a" * 300,
    "a/" * 60 + "b",
    "\ud800",
]
_names = st.sampled_from(_ODD) | st.text(
    st.sampled_from("./\\:a") | st.characters(exclude_characters="\0"), max_size=20
)
_contents = st.binary(max_size=600) | st.just(b"x = 1\n" * 50) | st.just(bytes(400_000))


def inputs() -> st.SearchStrategy[Input]:
    """Return archives of odd members, archives in archives, damaged ones, and bytes that are none."""
    tarred = st.builds(_tar, st.lists(st.tuples(_names, _contents, _headers()), max_size=6))
    plain = st.builds(lambda raw, suffix: (suffix, raw), tarred, st.sampled_from(list(COMPRESS)))
    zipped = st.builds(zip_of, st.lists(st.tuples(_names, _contents), max_size=6))
    one = plain.map(lambda made: Input(f".tar{made[0]}", COMPRESS[made[0]](made[1]))) | zipped.map(_named(".zip"))
    nested = one.map(lambda inner: Input(".zip", zip_of([(f"inner{inner.suffix}", inner.data)])))
    broken = one.flatmap(lambda made: damaged(made.data).map(_named(made.suffix)))
    within = plain.flatmap(
        lambda made: damaged(made[1]).map(lambda raw: Input(f".tar{made[0]}", COMPRESS[made[0]](raw)))
    )
    rubbish = st.builds(Input, st.sampled_from(sorted(formats.OPENERS)), st.binary(max_size=2000))
    return one | nested | broken | within | rubbish


@st.composite
def damaged(draw: st.DrawFn, whole: bytes) -> bytes:
    """An archive with some bytes changed, cut out or put in."""
    raw = bytearray(whole)
    for _ in range(draw(st.integers(1, 6))):
        at = draw(st.integers(0, max(len(raw) - 1, 0)))
        length = draw(st.sampled_from([0, 1, 2, 4, 30]))
        raw[at : at + length] = draw(st.binary(max_size=8) | st.sampled_from([b"\xff" * 4, b"\xff" * 8, bytes(4)]))
    return bytes(raw)


def mended(changed: Input, choice: int) -> Input:
    """Return a tar with the sums of its headers right, compressed again in any way; or what it is."""
    if choice % 3 == 0 or changed.suffix not in _INFLATE:
        return changed
    try:
        raw = _INFLATE[changed.suffix](changed.data)
    except (zlib.error, lzma.LZMAError):
        return changed
    if choice % 3 == 1:
        raw = b"".join(_summed(raw[at : at + BLOCK]) for at in range(0, len(raw), BLOCK))
    kind = list(COMPRESS)[choice // 3 % len(COMPRESS)]
    return Input(f".tar{kind}", COMPRESS[kind](raw))


def check(path: Path) -> str:
    """Take what is wanted from a file; see `Target`."""
    with bounded(MEMORY):
        taken = archive.read(path, WANTED, CAPS)
    assert set(taken.files) <= WANTED
    assert all(len(content) <= CAPS.file_bytes for content in taken.files.values())
    assert taken.files or taken.problems, "nothing was taken and nothing told"
    assert not any("cannot be read" in p.message for p in taken.problems), "the file can be, whatever it holds"
    assert len(taken.problems) < 200
    assert len(taken.ignored) < 2000
    told = [text for p in taken.problems for text in (p.file, p.message, p.hint)] + list(taken.ignored)
    assert all(text.isprintable() and len(text) < 2000 for text in told), "fit for a terminal"
    if taken.files:
        return "taken, with problems" if taken.problems else "taken"
    return "refused: " + " ".join(taken.problems[0].message.split()[:3])


def zip_of(members: list[tuple[str, bytes]]) -> bytes:
    """Zip members, under whatever names."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as whole:
        for name, content in dict(members).items():
            whole.writestr(zipfile.ZipInfo(name.encode("utf-8", "replace").decode() or "x"), content)
    return out.getvalue()


def _tar(members: list[tuple[str, bytes, list[bytes]]]) -> bytes:
    parts = []
    for name, content, extra in members:
        raw = name.encode("utf-8", "surrogatepass")
        long = block(b"L", b"L", len(raw)) + raw + bytes(-len(raw) % BLOCK) if len(raw) > 100 else b""
        kind = b"5" if name.endswith("/") else b"0"
        own = block(raw[:100], kind, len(content)) + content + bytes(-len(content) % BLOCK)
        parts += [*extra, long, own]
    return b"".join(parts) + END


def _headers() -> st.SearchStrategy[list[bytes]]:
    keys = st.sampled_from([b"path", b"size", b"GNU.sparse.major", b"mtime", b""]) | st.binary(max_size=5)
    records = st.lists(st.tuples(keys, st.binary(max_size=30) | st.just(b"attention.py")), max_size=4)
    odd = st.builds(block, st.just(b"attention.py"), st.sampled_from([b"1", b"2", b"3", b"6", b"S", b"g", b"K", b"Z"]))
    return st.lists(records.map(lambda found: pax(*found)) | odd, max_size=2)


def _summed(header: bytes) -> bytes:
    if len(header) < BLOCK or header[257:262] != b"ustar":
        return header
    sum_ = b"%06o\0 " % (sum(header[:148]) + 8 * ord(" ") + sum(header[156:]))
    return header[:148] + sum_ + header[156:]


def _named(suffix: str) -> Callable[[bytes], Input]:
    return lambda raw: Input(suffix, raw)
