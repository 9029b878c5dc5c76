"""A picture as SVG and as PNG: one layout, with every number, and nothing in it that came from elsewhere."""

from __future__ import annotations

import io
from xml.etree import ElementTree as ET

import pytest

from grader.heat.colours import SHADE
from grader.heat.drawn import HEIGHT, WIDTH
from grader.kit.picturing.sheet import sheet
from grader.kit.picturing.svg import svg
from tests.kit.picturing.heats import COLUMNS, LARGE, SAME, heat

SVG = "{http://www.w3.org/2000/svg}"


def parsed(text: str) -> ET.Element:
    return ET.fromstring(text.encode())  # noqa: S314 - our own


def words(root: ET.Element) -> list[str]:
    return [text.text or "" for text in root.iter(f"{SVG}text")]


def test_both_matrices_their_sums_and_what_the_rows_should_satisfy_are_in_it():
    found = words(parsed(svg(sheet("toy.weights", [COLUMNS], "en"))))
    for text in ("toy.weights", "the weights", "Yours", "Right", "0.8", "0.75", "0.6 ✗", "1.4 ✗", "1.25"):
        assert text in found
    assert "Each row should sum to 1." in found
    assert any(text.startswith("✗ Not so in yours") for text in found)


def test_who_does_not_see_it_is_told_every_number():
    told = parsed(svg(sheet("toy.weights", [COLUMNS], "en"))).findtext(f"{SVG}desc") or ""
    assert "row 0: 0.2, 0.4; sum 0.6" in told
    assert "sums of the columns: 0.75, 1.25" in told


def test_it_asks_for_nothing_and_what_a_suite_calls_a_matrix_is_only_text():
    text = svg(sheet("toy.weights", [heat([[1.0]], [[1.0]], "<script>alert(1)</script>\u202e\x1b[2J&")], "en"))
    root = parsed(text)
    assert {each.tag for each in root.iter()} == {
        f"{SVG}{name}" for name in ("svg", "title", "desc", "style", "rect", "text", "g")
    }
    assert not any(part in text for part in ("href", "url(", "@import", "\u202e", "\x1b"))
    assert any("<script>" in each for each in words(root))


@pytest.mark.parametrize("language", ["en", "zh-TW"])
def test_nothing_stands_outside_of_it_or_over_something_else(language):
    made = sheet("toy.weights", [COLUMNS, LARGE, SAME], language)
    boxes = [(each.x, each.y, each.x + each.panel.width, each.y + each.panel.height) for each in made.panels]
    boxes += [(text.x, text.y - 13, text.x + 1, text.y) for text in made.texts]
    assert all(left >= 0 and top >= 0 and right <= made.width and low <= made.height for left, top, right, low in boxes)
    for n, (left, top, right, low) in enumerate(boxes):
        for other_left, other_top, other_right, other_low in boxes[n + 1 :]:
            assert other_left >= right or other_right <= left or other_top >= low or other_low <= top


def test_two_that_are_too_wide_stand_one_below_the_other():
    yours, right = sheet("toy.weights", [LARGE], "en").panels
    assert right.x == yours.x
    assert right.y > yours.y + yours.panel.height


def test_the_png_has_the_shades_at_the_same_places():
    pytest.importorskip("matplotlib")
    from matplotlib.image import imread

    from grader.kit.picturing.png import png

    made = sheet("toy $weights$", [COLUMNS], "en")
    content = png(made)
    pixels = imread(io.BytesIO(content))
    assert pixels.shape[:2] == (2 * made.height, 2 * made.width)
    for placed in made.panels:
        for cell in placed.panel.cells:
            x, y = placed.x + cell.x + WIDTH - 3, placed.y + cell.y + HEIGHT // 2
            shade = "#" + "".join(f"{round(255 * part):02x}" for part in pixels[2 * y, 2 * x, :3])
            assert shade == SHADE[cell.shade]
    assert content == png(made)


def test_a_font_that_was_installed_since_is_found(monkeypatch):
    manager = pytest.importorskip("matplotlib.font_manager")
    from grader.kit.picturing import png

    taken = []
    monkeypatch.setattr(manager.fontManager, "ttflist", [])
    monkeypatch.setattr(manager.fontManager, "addfont", taken.append)
    monkeypatch.setattr(manager, "findSystemFonts", lambda: ["/fonts/NotoSansCJK-Regular.ttc", "/fonts/Other.ttf"])
    assert not png.has_chinese()
    assert set(taken) == {"/fonts/NotoSansCJK-Regular.ttc"}
