"""The scores in what was exported, read as the tools that it is for read them."""

from __future__ import annotations

import csv
import io
import json
import re

from junitparser import JUnitXml

NUMBER = r"(\d+\.\d\d) / "


def gradescope(text: str) -> float | None:
    found = json.loads(text)
    return found.get("score", sum(test["score"] for test in found["tests"]) if "tests" in found else None)


def autolab(text: str) -> float | None:
    scores = list(json.loads(text.rstrip().splitlines()[-1])["scores"].values())
    return None if None in scores else sum(scores)


def prairielearn(text: str) -> float | None:
    found = json.loads(text)
    return found["score"] * sum(test["max_points"] for test in found["tests"]) if found["gradable"] else None


def classroom(text: str) -> float | None:
    found = json.loads(text)
    return sum(test["score"] for test in found["tests"]) if found["max_score"] else None


def check50(text: str) -> float | None:
    (whole,) = [each for each in json.loads(text)["results"] if each["name"] == "score"]
    return whole["data"].get("score")


def junit(text: str) -> float | None:
    whole = next(iter(JUnitXml.fromstring(text.encode())))
    found = {each.name: float(each.value) for each in whole.properties()}
    return found.get("score")


def markdown(text: str) -> float | None:
    found = re.search(NUMBER, text.splitlines()[0])
    return float(found[1]) if found else None


def annotations(text: str) -> float | None:
    found = re.match(rf"::notice title=\S+ {NUMBER}", text)
    return float(found[1]) if found else None


def sarif(text: str) -> float | None:
    return json.loads(text)["runs"][0]["properties"].get("score")


def canvas(text: str) -> dict[str, float | None]:
    rows = [row for row in csv.DictReader(io.StringIO(text)) if "Points Possible" not in row["Student"]]
    return {row["SIS Login ID"]: float(row["Toy (901)"]) for row in rows}


def moodle(text: str) -> dict[str, float | None]:
    return {row["email"]: float(row["Toy (901)"]) for row in csv.DictReader(io.StringIO(text))}


def plain_csv(text: str) -> dict[str, float | None]:
    rows = csv.DictReader(io.StringIO(text.removeprefix("\ufeff")))
    return {row["id"]: float(row["score"]) if row["score"] else None for row in rows}


def summary(text: str) -> dict[str, float | None]:
    rows = re.findall(r"^\| `(.+)` \| \w+ \| (.+) \|$", text, re.MULTILINE)
    return {name: None if score == "no score" else float(score.partition(" ")[0]) for name, score in rows}


OF_ONE = {
    "gradescope": gradescope,
    "autolab": autolab,
    "prairielearn": prairielearn,
    "classroom": classroom,
    "check50": check50,
    "junit": junit,
    "markdown": markdown,
    "annotations": annotations,
    "sarif": sarif,
}
OF_CLASS = {"canvas": canvas, "moodle": moodle, "csv": plain_csv, "summary": summary}
