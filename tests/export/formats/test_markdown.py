"""Rendered by markdown-it, within GitHub's limits."""

from __future__ import annotations

from markdown_it import MarkdownIt

from grader.export.base import Options
from grader.export.formats import markdown
from grader.model.verdict import Status
from tests.export import classes
from tests.graded import made

RENDER = MarkdownIt("commonmark").enable("table")


def comment(tmp_path, report, **options):
    (grade,) = classes.exported(tmp_path, report)
    return markdown.render(grade, Options(**options))


def test_score_exercises_and_mistakes_are_told(tmp_path):
    text = comment(tmp_path, classes.wrong(), exercises=classes.toy_course())
    assert text.startswith("### Score: 4.90 / 10\n")
    assert "| toy.double | partial | 4.90 / 7 |" in text
    assert "> **Your double adds 2.**" in text
    assert "> hint: Try 3." in text
    assert "`look at: double (toy.py, line 1)`" in text
    assert "- `test_three: double(3): got 5, expected 6`" in text


def test_hostile_words_are_only_code(tmp_path):
    page = RENDER.render(comment(tmp_path, classes.hostile()))
    assert not any(tag in page for tag in ("<a ", "<img", "<script", "<li><p><h", "<em"))
    assert page.count("<table>") == 1
    outside = "".join(part.partition("</code>")[2] for part in ("</code>" + page).split("<code>"))
    assert "@ada" not in outside
    assert "#1" not in outside


def test_a_comment_is_never_longer_than_github_takes(tmp_path):
    said = [made.tried(f"test_{n}", Status.FAILED, f"{n} " + "x" * 9_000) for n in range(3)]
    report = made.report("ada", *(made.exercise(f"toy.e{n}", 0.5, tests=said, message=str(n)) for n in range(20)))
    text = comment(tmp_path, report)
    assert 20_000 < len(text) <= 65_536
    assert text.count("| 0.50 / 10 |") == 20


def test_so_many_exercises_that_only_their_scores_fit(tmp_path):
    told = [made.exercise(f"toy.e{n}", 0.5, diagnosis=made.explained(), message=str(n)) for n in range(500)]
    report = made.report("ada", *told)
    text = comment(tmp_path, report)
    assert len(text) <= 65_536
    assert text.endswith("There was more than fits here.\n")


def test_what_every_exercise_says_is_said_once(tmp_path):
    missing = [
        made.exercise(f"toy.e{n}", 0.0, status=Status.IMPORT_ERROR, message="toy.py is missing") for n in range(5)
    ]
    assert comment(tmp_path, made.report("ada", *missing)).count("toy.py is missing") == 1
