"""A newcomer's five minutes: each README of the kit is followed, and prints what it says."""

from __future__ import annotations

import re

import pytest

from grader.course.locate import load_assignments
from grader.kit.make import make_kit
from tests.conftest import ROOT

TO_DO = '    raise NotImplementedError("context.average")'
WRONG = "    return X.mean(axis=1)"


@pytest.mark.parametrize("name", ["README.md", "README.zh-TW.md"])
def test_the_first_exercise_goes_as_the_readme_says(tmp_path, grader, name):
    make_kit(tmp_path / "kit", load_assignments(ROOT, ["context"]))
    text = (tmp_path / "kit" / "student_template" / name).read_text("utf-8")
    blocks = re.findall(r"^```console\n\$ grader (.*?)\n(.*?)^```$", text, flags=re.DOTALL | re.MULTILINE)
    file = tmp_path / "kit" / "student_template" / "context.py"
    template = file.read_text("utf-8")
    bodies = [template, template, template.replace(TO_DO, WRONG)]
    for (command, printed), body in zip(blocks, bodies, strict=True):
        file.write_text(body, encoding="utf-8")
        assert grader(*command.split(), cwd=tmp_path / "kit").stdout == printed
    file.write_text((ROOT / "reference" / "context.py").read_text("utf-8"), encoding="utf-8")
    assert grader("check", "context.average", cwd=tmp_path / "kit").stdout.split()[1] == "passed"


def test_both_languages_say_the_same():
    en, zh = ((ROOT / "student_template" / name).read_text("utf-8") for name in ("README.md", "README.zh-TW.md"))
    commands = [re.findall(r"grader (?:[a-z]+)", text) for text in (en, zh)]
    assert set(commands[0]) == set(commands[1])
    headings = [[len(marks) for marks in re.findall(r"^(#+) ", text, flags=re.MULTILINE)] for text in (en, zh)]
    assert headings[0] == headings[1]
