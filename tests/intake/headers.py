"""Blocks of a tar, put together by hand."""

from grader.intake.tarstream import BLOCK

END = bytes(2 * BLOCK)


def block(name: bytes = b"a", kind: bytes = b"0", size: int = 0, size_field: bytes | None = None) -> bytes:
    """One header block with the right checksum."""
    whole = bytearray(BLOCK)
    whole[: len(name)] = name
    whole[124:136] = size_field if size_field is not None else b"%011o\0" % size
    whole[156:157] = kind
    whole[257:265] = b"ustar\x0000"
    whole[148:156] = b" " * 8
    whole[148:156] = b"%06o\0 " % sum(whole)
    return bytes(whole)


def pax(*records: tuple[bytes, bytes]) -> bytes:
    """An extended header with such records."""
    body = b""
    for key, value in records:
        rest = b" " + key + b"=" + value + b"\n"
        length = len(rest) + 1
        while len(str(length)) + len(rest) != length:
            length += 1
        body += str(length).encode() + rest
    return block(b"pax", b"x", len(body)) + body + bytes(-len(body) % BLOCK)
