"""The policy of a page names the very style and script that stand in it, and nothing needs more than it allows."""

from __future__ import annotations

import base64
import re
from hashlib import sha256
from html.parser import HTMLParser

import pytest
from jinja2 import UndefinedError

from grader.graded.read import Graded
from grader.html.page import render
from grader.html.student import student_page
from tests.escape.enemy import active
from tests.graded import made
from tests.html import hostile, large


class Parsed(HTMLParser):
    """A page's elements, and what stands in style and script."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.within: dict[str, list[str]] = {"style": [], "script": []}
        self._open = ""
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        self._open = tag

    def handle_data(self, data):
        if self._open in self.within:
            self.within[self._open].append(data)
        self._open = ""


def graded(report) -> Graded:
    return Graded(made.row(report), report, None)


def page_of(report) -> str:
    page = student_page(graded(report), None, language="en")
    assert page is not None
    return page


PAGES = {"student": lambda: page_of(hostile.failing("ada")), "class": lambda: large.page(3)}
every = pytest.mark.parametrize("kind", PAGES)


def policy(page: str) -> dict[str, str]:
    for tag, attributes in Parsed(page).elements:
        if tag == "meta" and attributes.get("http-equiv") == "Content-Security-Policy":
            return dict(part.strip().partition(" ")[::2] for part in attributes["content"].split(";"))
    raise AssertionError("no policy")


def digest(text: str) -> str:
    return f"'sha256-{base64.b64encode(sha256(text.encode()).digest()).decode()}'"


@every
def test_the_policy_allows_the_style_and_script_of_the_page_and_nothing_else(kind):
    page = PAGES[kind]()
    found = Parsed(page)
    allowed = policy(page)
    assert allowed["default-src"] == allowed["base-uri"] == allowed["form-action"] == "'none'"
    assert [digest(style) for style in found.within["style"]] == [allowed["style-src"]]
    programs = [text for text in found.within["script"] if not text.startswith("{")]
    assert [digest(text) for text in programs] == ([allowed["script-src"]] if kind == "class" else [])
    assert kind == "class" or allowed["script-src"] == "'none'"


@every
def test_the_policy_comes_before_all_that_it_is_about(kind):
    tags = [tag for tag, _ in Parsed(PAGES[kind]()).elements]
    assert tags[:4] == ["html", "head", "meta", "meta"]


@every
def test_no_element_has_a_style_a_handler_or_an_address_elsewhere(kind):
    for _, attributes in Parsed(PAGES[kind]()).elements:
        assert not [name for name in attributes if name == "style" or name.startswith("on")]
        for name in {"href", "src", "action", "data"} & attributes.keys():
            assert not re.match(r"(?!data:,$)[a-z]+:|//", attributes[name] or "")


@every
def test_no_id_stands_twice_and_every_reference_leads_to_one(kind):
    elements = Parsed(PAGES[kind]()).elements
    ids = [attributes["id"] for _, attributes in elements if "id" in attributes]
    assert len(ids) == len(set(ids))
    for _, attributes in elements:
        wanted = [
            *(attributes.get("aria-labelledby") or "").split(),
            *(attributes.get("aria-describedby") or "").split(),
        ]
        wanted += [attributes["href"][1:]] if (attributes.get("href") or "").startswith("#") else []
        assert set(wanted) <= set(ids)


@every
def test_nothing_in_the_file_turns_text_around_or_hides(kind):
    assert active(PAGES[kind](), but="\n") == []


def test_a_name_of_ten_thousand_letters_is_a_name():
    page = page_of(hostile.failing(hostile.LONG))
    assert page.count(f"<h1>{hostile.LONG}</h1>") == 1


def test_what_is_not_given_to_a_template_is_an_error_and_not_silence():
    with pytest.raises(UndefinedError):
        render("student.html.j2", language="en")
