from __future__ import annotations

from html import unescape
from html.parser import HTMLParser

import pytest
from hypothesis import given
from markdown_it import MarkdownIt

from grader.escape.markdown import markdown, prose
from grader.escape.terminal import line
from tests.escape.enemy import TEXT

RENDER = MarkdownIt("commonmark").enable("table")


class Shape(HTMLParser):
    """The tags of a page, and what stands in its code spans."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.code: list[str] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        if tag == "code":
            self.code.append("")

    def handle_data(self, data):
        if self.tags[-1] == "code" and self.code:
            self.code[-1] += data.strip("\n")


def said(text: str) -> str:
    """What a reader should see; Markdown drops one space at each end of a code span that has both."""
    shown = line(text).replace("|", "\\x7c").replace("`", "\\x60")
    return shown[1:-1] if shown.strip(" ") and shown[0] == shown[-1] == " " else shown


@given(TEXT.filter(bool))
def test_a_paragraph_holds_one_code_span_and_nothing_else(text):
    shape = Shape(RENDER.render(markdown(text)))
    assert shape.tags == ["p", "code"]
    assert shape.code == [said(text)]


@given(TEXT.filter(bool))
def test_in_a_table_it_stays_in_its_cell(text):
    shape = Shape(RENDER.render(f"| a | b |\n|---|---|\n| {markdown(text)} | `end` |\n"))
    assert shape.tags == ["table", "thead", "tr", "th", "th", "tbody", "tr", "td", "code", "td", "code"]
    assert shape.code[0].strip() == said(text).strip()
    assert shape.code[1] == "end"


@pytest.mark.parametrize(
    "text",
    ["@ada", "#1", "[a](b)", "![a](b)", "<img src=x>", "# a", "- a", "*a*", "https://x.example", "a@x.example", "$x$"],
)
def test_what_github_would_link_render_or_tell_somebody_stands_in_code(text):
    assert markdown(text) == f"`{text}`"


def test_no_text_is_no_code_span():
    assert markdown("") == ""


@pytest.mark.parametrize(
    "words", ["*a* _b_ [c](d) <b> `e`", "1. x", "- x", "# x", "a | b", "$x$ ~~y~~ &amp; !", "\u6ce8\u610f"]
)
def test_words_of_the_course_read_as_they_stand(words):
    page = RENDER.render(prose(words))
    assert unescape(page.removeprefix("<p>").removesuffix("</p>\n")) == words
