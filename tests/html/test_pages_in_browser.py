"""What a person meets: every page is quiet, can be read by anybody, and shows an enemy's text as text."""

from __future__ import annotations

from urllib.parse import quote

import pytest
from axe_playwright_python.sync_playwright import Axe

from grader.graded.read import Graded, GradedClass, read_class
from grader.html.overview import class_page
from grader.html.student import student_page
from grader.html.tally import Tally
from grader.html.write import write_pages
from grader.model.report import Summary
from tests.escape.enemy import active
from tests.graded import made
from tests.html import hostile

PAGES = ("index.html", "ada/report.html", "wen/report.html", "bo/report.html", f"{hostile.TAG_NAME}/report.html")
UNLIKE = PAGES[:3]  # the others are made of the same parts
every = pytest.mark.parametrize("name", PAGES, ids=lambda name: name.partition("/")[0])

FOCUSABLE = """() => [...document.querySelectorAll('a[href], button, input, select, summary, [tabindex="0"]')].filter(
    (each) => each.checkVisibility() && !(each.type === 'radio' && !each.checked))"""
TABBED = f"() => ({FOCUSABLE})().indexOf(document.activeElement)"


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    out = hostile.folder(tmp_path_factory.mktemp("class"))
    write_pages(read_class(out), out)
    return out


@pytest.mark.parametrize("name", UNLIKE)
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_page_says_nothing_to_the_console_asks_for_nothing_and_has_no_fault_that_axe_knows(
    open_page, pages, name, theme
):
    opened = open_page(pages / name, theme=theme)
    opened.page.evaluate("() => document.querySelectorAll('details').forEach((each) => { each.open = true; })")
    assert opened.did_nothing_else()
    found = Axe().run(opened.page).response["violations"]
    assert [(each["id"], [node["html"][:200] for node in each["nodes"]]) for each in found] == []


@every
def test_an_enemy_s_text_is_shown_as_text(open_page, pages, name):
    opened = open_page(pages / name)
    assert opened.did_nothing_else()
    assert opened.page.locator("img, iframe, object, form, [onerror]").count() == 0
    assert opened.page.locator("script").count() == (2 if name == "index.html" else 0)
    shown = opened.page.inner_text("body")
    assert active(shown, but="\n\t") == []
    if name in ("index.html", "ada/report.html"):
        assert "<img src=x onerror=alert(1)></script><script>alert(2)</script><!-- {{ 7*7 }} &lt; \\u202egnp" in shown


@every
def test_the_tab_key_reaches_everything_that_can_be_used(open_page, pages, name):
    page = open_page(pages / name).page
    wanted = page.evaluate(f"() => ({FOCUSABLE})().length")
    reached = set()
    for _ in range(wanted):
        page.keyboard.press("Tab")
        reached.add(page.evaluate(TABBED))
    assert reached == set(range(wanted))


@every
def test_a_phone_shows_a_page_without_scrolling_sideways_in_both_languages(open_page, pages, name):
    page = open_page(pages / name, width=360).page
    for button in ("#in-en", "#in-zh"):
        page.check(button, force=True)
        assert page.evaluate("() => document.documentElement.scrollWidth") <= 360


@pytest.mark.parametrize("kind", ["student", "class"])
def test_a_name_of_ten_thousand_letters_breaks_no_page(open_page, tmp_path, kind):
    report = hostile.failing(hostile.LONG)
    graded = Graded(made.row(report), report, None)
    tally = Tally()
    tally.add(graded)
    facts = {"grader_version": "0", "assignments": ["toy"], "points": 10.0, "graded": 1, "grader_errors": 0}
    named = {"not_graded": [hostile.LONG], "left_out": [hostile.EVIL], "mean": None, "submissions": [], "timings": {}}
    whole = GradedClass(tmp_path, Summary.model_validate(facts | named), None)
    pages = {
        "student": lambda: student_page(graded, None, language="en"),
        "class": lambda: class_page(whole, tally, language="en"),
    }
    (tmp_path / "page.html").write_text(pages[kind](), encoding="utf-8")
    opened = open_page(tmp_path / "page.html", width=360)
    assert opened.did_nothing_else()
    assert hostile.LONG in opened.page.inner_text("main")
    assert opened.page.evaluate("() => document.documentElement.scrollWidth") <= 360


def test_one_language_is_shown_at_a_time_and_the_keyboard_switches(open_page, pages):
    page = open_page(pages / "ada/report.html").page
    assert "At a glance" in page.inner_text("main")
    assert "總覽" not in page.inner_text("main")
    page.focus("#in-en")
    page.keyboard.press("ArrowRight")
    assert "總覽" in page.inner_text("main")
    assert "At a glance" not in page.inner_text("main")


def test_the_skip_link_leads_past_the_languages(open_page, pages):
    page = open_page(pages / "ada/report.html").page
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert page.evaluate("() => document.activeElement.id") == "main"


def test_on_paper_the_numbers_of_a_heat_map_are_open_and_the_switch_is_gone(open_page, pages):
    page = open_page(pages / "ada/report.html", theme="dark").page
    page.emulate_media(media="print")
    assert page.locator(".languages").is_hidden()
    assert page.locator("table.numbers").first.evaluate("(table) => table.getBoundingClientRect().height") > 40
    assert page.evaluate("() => getComputedStyle(document.documentElement).backgroundColor") == "rgb(255, 255, 255)"


def test_without_scripts_the_class_page_has_its_summary_and_every_report(open_page, pages):
    page = open_page(pages / "index.html", java_script_enabled=False).page
    assert "Without scripts this list can be read, but not sorted or filtered." in page.inner_text("noscript")
    links = [link.get_attribute("href") for link in page.locator("noscript a").all()]
    assert links == [f"{quote(name, safe='')}/report.html" for name in (hostile.TAG_NAME, "ada", "bo", "wen")]
    assert page.locator("#submissions").is_hidden()


def test_a_link_of_the_class_page_opens_the_student_s(open_page, pages):
    page = open_page(pages / "index.html").page
    page.locator("#table").get_by_role("link", name=hostile.TAG_NAME).click()
    assert page.inner_text("h1") == hostile.TAG_NAME
