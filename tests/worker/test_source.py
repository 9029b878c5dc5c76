from __future__ import annotations

from encodings.aliases import aliases

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.worker.source import decode


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"", ""),
        (b"x = 1\n", "x = 1\n"),
        (b"\xef\xbb\xbfx = 1\n", "x = 1\n"),
        (b"x = 1\r\ny = 2\r\n", "x = 1\ny = 2\n"),
        (b"x = 1\ry = 2\r", "x = 1\ny = 2\n"),
        ("x = 'é'\n".encode(), "x = 'é'\n"),
        (b"# -*- coding: latin-1 -*-\nx = '\xe9'\n", "# -*- coding: latin-1 -*-\nx = 'é'\n"),
        (
            b"#!/usr/bin/python\n# vim: set fileencoding=cp1252 :\nx = '\x80'\n",
            "#!/usr/bin/python\n# vim: set fileencoding=cp1252 :\nx = '€'\n",
        ),
        ("# coding: big5\n# 注意力\n".encode("big5"), "# coding: big5\n# 注意力\n"),
        (b"# coding: utf8\n", "# coding: utf8\n"),
        (b"\xef\xbb\xbf# coding: utf-8\n", "# coding: utf-8\n"),
    ],
)
def test_what_python_reads_is_read(data, text):
    assert decode("a.py", data) == text


@pytest.mark.parametrize(
    ("data", "line", "column", "byte"),
    [
        (b"x='caf\xe9'\n", 1, 7, "0xe9"),
        (b"# ok\nx='caf\xe9'\n", 2, 7, "0xe9"),
        (b"# ok\r\nx='caf\xe9'\r\n", 2, 7, "0xe9"),
        (b"# ok\rx='caf\xe9'\r", 2, 7, "0xe9"),
        (b"\xff\xfex\0=\0", 1, 1, "0xff"),
        (b"\xef\xbb\xbf# x\n\xe9", 2, 1, "0xe9"),
        ("注意 = 'é".encode() + b"\xe9'\n", 1, 8, "0xe9"),
        (b"a\n" * 500 + b"  \x80", 501, 3, "0x80"),
        (b"x = '\xe6\xb3", 1, 6, "0xe6"),
    ],
)
def test_a_byte_that_is_not_utf8_is_named_with_its_place(data, line, column, byte):
    with pytest.raises(SyntaxError) as caught:
        decode("a.py", data)
    error = caught.value
    assert error.msg == f"byte {byte} at column {column} is not UTF-8: save the file as UTF-8"
    assert (error.filename, error.lineno, error.offset) == ("a.py", line, column)


def test_a_byte_outside_a_declared_encoding_names_that_encoding():
    with pytest.raises(SyntaxError, match="byte 0xe9 at column 6 is not ascii: save the file as UTF-8") as caught:
        decode("a.py", b"# coding: ascii\nx = '\xe9'")
    assert caught.value.lineno == 2


@pytest.mark.parametrize("name", [b"klingon", b"rot13", b"hex", b"zip", b"undefined", b"uu"])
def test_a_coding_line_that_names_no_text_encoding_says_to_remove_it_or_to_use_utf8(name):
    with pytest.raises(SyntaxError, match="save the file as UTF-8") as caught:
        decode("a.py", b"# coding: " + name + b"\nx = '\xe9'\n")
    assert caught.value.lineno == 1


def test_a_null_byte_is_named_with_its_line():
    with pytest.raises(SyntaxError, match="null byte") as caught:
        decode("a.py", b"x = 1\ny = '\0'\n")
    assert (caught.value.lineno, caught.value.offset) == (2, 6)


codings = st.sampled_from(
    sorted({*aliases.values(), "utf_8_sig", "idna", "punycode", "unicode_escape", "raw_unicode_escape"})
)
coded = st.builds("# coding: {}\n".format, codings).map(str.encode)


@settings(max_examples=500)
@given(st.binary(max_size=60) | st.tuples(coded, st.binary(max_size=40)).map(b"".join))
def test_any_bytes_are_text_or_a_syntax_error_with_a_line(data):
    try:
        outcome = decode("a.py", data)
    except SyntaxError as error:
        outcome = error
    if isinstance(outcome, SyntaxError):
        assert outcome.lineno >= 1
        assert outcome.offset >= 1
        assert outcome.filename == "a.py"
    else:
        assert "\r" not in outcome
