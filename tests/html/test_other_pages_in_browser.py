"""What a person reviews, and pairs that are alike: pages of other commands, under the promises of all pages."""

from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe

from grader.review.collect import PAGE, collect
from grader.similar.page import as_page
from grader.similar.pairs import alike, same
from tests.review.made import graded, submitted
from tests.similar.test_pairs import OWN, renamed, source

ENEMY = "</pre><script>alert(1)</script><img src=x onerror=alert(2)>"
PAGES = ["review", "similar"]
both = pytest.mark.parametrize("name", PAGES)


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pages")
    graded(folder / "scores", submitted("ada", ENEMY, flags=True), submitted("bo"), submitted("cy", score=None))
    collect(folder / "scores", folder)
    text = f"X = {ENEMY!r}\n{OWN}"
    sources = [source("ada", text), source(ENEMY, renamed(text)), source("cy", OWN)]
    (folder / "similar.html").write_text(as_page(same(sources), alike(sources, (), (), 0.3), 2, 0.3), encoding="utf-8")
    return {"review": folder / PAGE, "similar": folder / "similar.html"}


@both
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_page_asks_for_nothing_and_has_no_fault_that_axe_knows(open_page, pages, name, theme):
    opened = open_page(pages[name], theme=theme)
    # axe's own script is let in past the policy of the page.
    assert [request for request in opened.requests if not request.startswith("data:")] == [opened.url]
    assert opened.said == []
    checked = open_page(pages[name], theme=theme, bypass_csp=True)
    assert Axe().run(checked.page).response["violations"] == []


@both
def test_an_enemy_s_text_is_shown_as_text(open_page, pages, name):
    opened = open_page(pages[name])
    assert opened.said == []
    assert opened.page.locator("script").count() == 0
    assert opened.page.get_by_text("alert(1)").count() > 0


@both
def test_a_phone_shows_a_page_without_scrolling_sideways(open_page, pages, name):
    page = open_page(pages[name], width=360).page
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
