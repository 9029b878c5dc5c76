"""A file of a submission as text, or a `SyntaxError` that says which byte to mend."""

from __future__ import annotations

from codecs import BOM_UTF8
from io import BytesIO, IncrementalNewlineDecoder
from tokenize import detect_encoding

_ASCII_ONLY = bytes(range(128)) + b"?" * 128
_REMEDY = "save the file as UTF-8"


def decode(file: str, data: bytes) -> str:
    r"""Return the text of a source file, with "\n" at the end of each line.

    Args:
        file: Its name, for the error.
        data: Its bytes. A byte order mark, a coding line and any line ends are fine, as they are for Python.

    Raises:
        SyntaxError: The bytes are no text in the encoding they should be in. It has the line and the column.
    """
    body = data.removeprefix(BOM_UTF8)
    encoding = "utf-8" if data.startswith(BOM_UTF8) else _declared(file, body)
    try:
        text = _lines(body.decode(encoding))
    except UnicodeDecodeError as error:
        raise _undecodable(file, body, error.start, encoding) from None
    except (LookupError, UnicodeError) as error:
        raise _at(file, "", f"{encoding}, named in the coding line, is no text encoding ({error}): {_REMEDY}") from None
    head, null, _ = text.partition("\0")
    if null:
        raise _at(file, head, f"a null byte, which no program text holds: {_REMEDY}")
    return text


def _lines(text: str) -> str:
    return str(IncrementalNewlineDecoder(None, translate=True).decode(text, final=True))


def _declared(file: str, body: bytes) -> str:
    # On a copy without other bytes: Python's own reader would stop at the first of them, and not say where it is.
    try:
        return detect_encoding(BytesIO(body.translate(_ASCII_ONLY)).readline)[0]
    except SyntaxError as error:
        raise _at(file, "", f"{error.msg} in the coding line: {_REMEDY} and remove that line") from None


def _undecodable(file: str, body: bytes, at: int, encoding: str) -> SyntaxError:
    # What comes before is UTF-8, up to there. In any other encoding columns are counted in bytes.
    head = _lines(body[:at].decode("utf-8" if encoding == "utf-8" else "latin-1"))
    column = len(head) - head.rfind("\n")
    name = "UTF-8" if encoding == "utf-8" else encoding
    return _at(file, head, f"byte 0x{body[at]:02x} at column {column} is not {name}: {_REMEDY}")


def _at(file: str, head: str, message: str) -> SyntaxError:
    """Return the error for what follows `head`, the text before it."""
    return SyntaxError(message, (file, head.count("\n") + 1, len(head) - head.rfind("\n"), None))
