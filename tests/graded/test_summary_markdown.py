from __future__ import annotations

from hypothesis import given
from markdown_it import MarkdownIt

from grader.graded import summary_markdown
from grader.graded.summary_markdown import as_markdown
from tests.escape.enemy import TEXT
from tests.graded.test_summary_csv import row, summary

RENDER = MarkdownIt("commonmark").enable("table")


def test_the_class_is_a_table_with_a_line_above():
    assert as_markdown(summary(row("ann"), row("bo-lin", None))) == (
        "2 graded, mean 1.50 / 10, 1 without a score by a fault of the grader\n\n"
        "| submission | status | score |\n|---|---|---:|\n"
        "| `ann` | failed | 1.50 / 10 |\n| `bo-lin` | grader_error | no score |\n\n"
    )


@given(TEXT)
def test_no_id_is_more_than_a_cell(name):
    page = RENDER.render(as_markdown(summary(row(name))))
    assert page.count("<table>") == page.count("</table>") == 1
    assert page.count("<td") == 3
    assert not any(tag in page for tag in ("<a ", "<img", "<script", "<h1", "<li", "<em"))


def test_a_large_class_is_cut_so_that_github_shows_any_of_it():
    rows = [row("\u738b" * 50) for _ in range(summary_markdown._MOST_ROWS + 2)]
    page = as_markdown(summary(*rows))
    assert page.endswith("\nand 2 more\n\n")
    assert len(page.encode()) < 2**20
