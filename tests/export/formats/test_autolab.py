"""By what Autolab's lab guide says of the output, and what its server does with it."""

from __future__ import annotations

import json
import re

from grader.export.base import Options
from grader.export.formats import autolab
from tests.export import classes


def printed(tmp_path, report, **options):
    (grade,) = classes.exported(tmp_path, report)
    return autolab.render(grade, Options(**options)).rstrip().splitlines()


def test_the_last_line_gives_each_problem_its_score(tmp_path):
    assert json.loads(printed(tmp_path, classes.two("ada", 4.9, 2.45))[-1]) == {"scores": {"toy": 7.35}}


def test_the_server_reads_the_last_line_as_it_stands(tmp_path):
    # It puts quotes around whatever looks like a bare key, in strings too.
    last = printed(tmp_path, classes.two("ada", 4.9, 2.45))[-1]
    assert re.sub(r"([a-zA-Z0-9]+):", r'"\1":', last) == last


def test_a_fault_of_ours_is_null_for_where_there_are_no_scores_the_server_posts_0(tmp_path):
    assert json.loads(printed(tmp_path, classes.fault())[-1]) == {"scores": {"toy": None}}


def test_the_line_before_is_semantic_feedback_with_every_stage_a_key(tmp_path):
    feedback = json.loads(printed(tmp_path, classes.wrong())[-2])
    assert feedback["_presentation"] == "semantic"
    assert {*feedback["stages"]} == feedback.keys() - {"_presentation", "stages"}
    (stage,) = feedback["stages"]
    assert not feedback[stage]["toy.double"]["passed"]
    assert "Try 3." in feedback[stage]["toy.double"]["hint"]


def test_what_passed_has_no_hint(tmp_path):
    feedback = json.loads(printed(tmp_path, classes.two("ada", 7.0, 0.0))[-2])
    assert feedback["toy (toy)"]["toy.double"] == {"passed": True}


def test_only_the_last_two_lines_are_json_whatever_a_student_wrote(tmp_path):
    *said, _, _ = printed(tmp_path, classes.hostile())
    assert said
    assert not any(line.startswith("{") for line in said)
