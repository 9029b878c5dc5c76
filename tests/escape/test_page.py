from __future__ import annotations

from html import unescape
from html.parser import HTMLParser

from hypothesis import given

from grader.escape.page import html
from grader.escape.terminal import block
from tests.escape.enemy import TEXT


class Seen(HTMLParser):
    """What a reader of HTML takes for a tag, an attribute, or text."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data):
        self.text += data


def read(page: str) -> Seen:
    seen = Seen()
    seen.feed(page)
    seen.close()
    return seen


@given(TEXT)
def test_a_reader_finds_the_text_and_no_tag(text):
    seen = read(f"<p>{html(text)}</p>")
    assert seen.tags == [("p", {})]
    assert seen.text == block(text)


@given(TEXT)
def test_no_text_leaves_an_attribute_whichever_its_quotes(text):
    for quote in "\"'":
        seen = read(f"<p title={quote}{html(text)}{quote}>x</p>")
        assert seen.tags == [("p", {"title": block(text)})]
        assert seen.text == "x"


@given(TEXT)
def test_it_can_be_undone(text):
    assert unescape(html(text)) == block(text)
