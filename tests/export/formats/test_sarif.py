"""By what GitHub's code scanning asks of a SARIF file."""

from __future__ import annotations

import json
from urllib.parse import unquote

from grader.export.base import Options
from grader.export.formats import sarif
from tests.export import classes


def run(tmp_path, report, **options):
    (grade,) = classes.exported(tmp_path, report)
    found = json.loads(sarif.render(grade, Options(**options)))
    assert (found["version"], len(found["runs"])) == ("2.1.0", 1)
    assert found["$schema"].endswith("sarif-2.1.0.json")
    return found["runs"][0]


def test_every_result_has_its_rule_message_place_and_fingerprint(tmp_path):
    found = run(tmp_path, classes.wrong(), exercises=classes.toy_course())
    rules = found["tool"]["driver"]["rules"]
    assert len(found["results"]) == 2
    for result in found["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        assert result["message"]["text"]
        (location,) = result["locations"]
        assert location["physicalLocation"]["region"]["startLine"] >= 1
        assert result["partialFingerprints"]["primaryLocationLineHash"]


def test_every_rule_has_the_texts_that_an_alert_shows(tmp_path):
    found = run(tmp_path, classes.wrong())
    for rule in found["tool"]["driver"]["rules"]:
        assert all(rule[key]["text"] for key in ("shortDescription", "fullDescription", "help"))


def test_a_misconception_is_a_rule_with_its_own_id(tmp_path):
    ids = {result["ruleId"] for result in run(tmp_path, classes.wrong())["results"]}
    assert ids == {"toy.double/adds-2", "toy.half/failed"}


def test_an_alert_is_the_same_one_when_lines_come_above_it(tmp_path):
    before = classes.wrong()
    source = b"\n# a comment\n" + classes.SOURCE
    after = classes.moved(before, source, by=2)
    prints = [
        [
            each["partialFingerprints"]
            for each in run(tmp_path / str(n), report, exercises=classes.toy_course())["results"]
        ]
        for n, report in enumerate((before, after))
    ]
    assert prints[0] == prints[1]


def test_a_file_name_is_an_address_in_the_repository(tmp_path):
    found = run(tmp_path, classes.hostile(), prefix="week 1/")
    uri = found["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert uri.isascii()
    assert unquote(uri) == "week 1/toy.py"


def test_what_is_right_has_no_results(tmp_path):
    assert run(tmp_path, classes.two("ada", 7.0, 3.0))["results"] == []
