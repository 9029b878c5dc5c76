"""The page of a class: what needs somebody first, then what came of it."""

from __future__ import annotations

import json
import re
from fractions import Fraction

from grader.gradebook.policy.final import Final
from grader.gradebook.policy.lateness import Lateness
from grader.gradebook.policy.total import Total
from grader.gradebook.show import Shown
from grader.graded.read import Counted, Graded, GradedClass, read_class
from grader.html.overview import class_page, place
from grader.html.tally import Tally
from grader.model.report import Report
from grader.model.verdict import Status
from tests.graded import made
from tests.html import hostile


def page_of(tmp_path, *reports: Report, counted: Counted | None = None, **summary: object) -> str:
    read = read_class(made.folder(tmp_path, *reports))
    tally = Tally()
    for each in read:
        tally.add(Graded(each.row, each.report, counted.students.get(each.row.id) if counted else None))
    changed = read.summary.model_copy(update=summary)
    return class_page(GradedClass(tmp_path, changed, counted), tally, language="en")


def data(page: str) -> dict[str, object]:
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page)
    assert found is not None
    return json.loads(found[1])


def heading(page: str, name: str) -> int:
    return page.index(f'<h2 id="{name}">')


def test_faults_of_ours_come_first_then_who_is_missing_then_the_class(tmp_path):
    lost = made.report("bo", made.exercise(score=None, message="no space left"))
    page = page_of(tmp_path, made.report("ada"), lost, not_graded=["cy"], left_out=["loose.py"], interrupted=True)
    order = [heading(page, name) for name in ("ours", "not_graded", "left_out", "distribution", "hardest", "mistakes")]
    assert order == sorted(order)
    assert "no space left" in page
    assert "<li>cy</li>" in page
    assert "<li>loose.py</li>" in page
    assert "The run was stopped before all were graded." in page


def test_a_class_without_faults_says_nothing_of_them(tmp_path):
    page = page_of(tmp_path, made.report("ada"))
    assert 'id="ours"' not in page
    assert "faults of ours" not in page
    assert "No misconception was named." in page


def test_mean_median_and_full_marks_leave_out_what_has_no_score(tmp_path):
    reports = [
        made.report(name, made.exercise(score=score))
        for name, score in zip("abcd", (10.0, 4.0, 1.0, None), strict=True)
    ]
    page = page_of(tmp_path, *reports)
    told = re.findall(r'<dd>(.*?)</dd><dt><span lang="en">(.*?)</span>', page)
    assert told == [
        ("4", "graded"),
        ("50.0 %", "mean"),
        ("40.0 %", "median"),
        ("1", "full marks"),
        ("1", "faults of ours"),
    ]


def test_with_a_gradebook_what_counts_is_what_is_shown(tmp_path):
    late = Lateness(90_000, 2, 0, Fraction(4, 5))
    final = Final("toy", Fraction(10), Fraction(10), Fraction(8), late, None, 1)
    shown = Shown("ada", [final], Total(Fraction(8), Fraction(10)), {"toy": ()})
    page = page_of(tmp_path, made.report("ada"), made.report("bo"), counted=Counted({"ada": shown}, frozenset()))
    assert [row[:5] for row in data(page)["rows"]] == [["ada", 9, 10.0, 8.0, 2], ["bo", 9, 10.0, None, 0]]
    assert 'data-column="counted"' in page
    assert "Students by the share of the points that count" in page
    assert ("80.0 %", "mean") in re.findall(r'<dd>(.*?)</dd><dt><span lang="en">(.*?)</span>', page)


def test_what_the_script_draws_from_is_short_and_complete(tmp_path):
    wrong = made.exercise(score=0.0, diagnosis=made.explained())
    found = data(page_of(tmp_path, made.report("ada", wrong, made.exercise("toy.half"))))
    statuses = [status[0] for status in found["statuses"]]
    assert found["rows"] == [["ada", statuses.index("partial"), 10.0, None, 0, 1, 2, [0], 0.25]]
    assert found["mistakes"] == [["toy.double/adds-2", "Your double adds 2.", "你的 double 加了 2。"]]
    assert statuses == [status.value for status in Status]


def test_an_enemy_s_words_end_no_script(tmp_path):
    page = page_of(tmp_path, *hostile.a_class())
    assert page.count("</script>") == 2
    assert data(page)["mistakes"][0][1].startswith("Named \"'><img src=x onerror=alert(1)></script><script>")


def test_a_student_s_page_is_found_whatever_the_name_is():
    assert place("a%2F b#c?d:林") == "a%252F%20b%23c%3Fd%3A%E6%9E%97/report.html"
