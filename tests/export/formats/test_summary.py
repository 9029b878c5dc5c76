from __future__ import annotations

from markdown_it import MarkdownIt

from grader.export.base import Options
from grader.export.formats import summary
from tests.export import classes


def page(grades):
    return summary.render(grades, Options()).text


def test_the_class_is_told_with_what_counts(tmp_path):
    classes.exported(tmp_path, classes.two("ada", 5.0, 3.0), classes.two("bo", 7.0, 3.0), classes.fault("eve"))
    classes.counted(tmp_path, {"ada": 8.0, "bo": 10.0}, "[assignments.toy]\ncap = 9\n")
    text = page(classes.again(tmp_path))
    assert text.startswith("3 graded, mean 8.50 / 10, 1 without a score by a fault of the grader\n")
    assert "| `ada` | partial | 8.00 / 10 |" in text
    assert "| `bo` | passed | 9.00 / 10 |" in text
    assert "| `eve` | grader_error | no score |" in text


def test_a_hostile_id_is_a_cell_and_nothing_else(tmp_path):
    text = page(classes.exported(tmp_path, classes.two("a|b<img src=x>@ada", 1.0, 0.0)))
    shown = MarkdownIt("commonmark").enable("table").render(text)
    assert shown.count("<td") == 3
    assert "<img" not in shown


def test_an_empty_class_is_told():
    assert page([]).startswith("0 graded\n")
