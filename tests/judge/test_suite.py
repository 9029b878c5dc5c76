"""Suites of a toy assignment, collected by the judge's own pytest in a process of its own."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.course.lock import LockedTest
from grader.judge.suite import SuiteTest, in_order
from grader.model.verdict import Suite, Tier
from tests.model.toy import exercise, manifest, raw_manifest

EXERCISES = (exercise("toy.double"), exercise("toy.treble", "toy.double"))
HEAD = "import pytest\nfrom grader.testing import core, edge, exercise\n\n"
COLLECT = """
import json, sys
from pathlib import Path
from grader.course.assignment import load_assignment
from grader.judge.collect import run_pytest
from grader.judge.plugin import JudgePlugin
from grader.model.errors import CourseError
from grader.model.verdict import Suite

class Runner:
    def wanted(self, test):
        return "unwanted" not in test.id

    def run(self, test):
        ran.append(test.id)
        test.body(**dict.fromkeys(test.wants, "given"))
        return "wrong" if "fails" in test.id else None

ran = []
assignment = load_assignment(Path(sys.argv[1]))
plugin = JudgePlugin(assignment.manifest, Runner())
try:
    run_pytest(assignment, [suite for suite in Suite if assignment.suite(suite).is_dir()], plugin)
    fault = None
except CourseError as error:
    fault = [error.message, Path(str(error.where)).name, error.line, error.hint]
collected = [[*test.locked, list(test.wants)] for test in plugin.collected]
report = {test["nodeid"]: test["outcome"] for test in plugin.report.get("tests", [])}
print(json.dumps({"collected": collected, "ran": ran, "report": report, "fault": fault}))
"""


@pytest.fixture
def collect(tmp_path):
    """Write suites and collect them."""

    def run(**suites: str) -> dict:
        home = tmp_path / "assignments" / "toy"
        for suite, text in suites.items():
            (home / suite).mkdir(parents=True)
            (home / suite / "test_toy.py").write_text(HEAD + text, encoding="utf-8")
        (home / "assignment.toml").write_text(as_toml(raw_manifest(*EXERCISES)), encoding="utf-8")
        command = [sys.executable, "-c", COLLECT, str(home)]
        ran = subprocess.run(command, capture_output=True, text=True, check=False, cwd=Path(__file__).parents[2])
        assert ran.returncode == 0, ran.stderr
        return json.loads(ran.stdout)

    return run


def as_toml(data: dict) -> str:
    """Enough of TOML for a manifest: JSON's strings and lists are TOML's."""

    def value(one) -> str:
        if isinstance(one, dict):
            return "{" + ", ".join(f"{key} = {value(each)}" for key, each in one.items()) + "}"
        if isinstance(one, list):
            return "[" + ", ".join(map(value, one)) + "]"
        return json.dumps(one, ensure_ascii=False)

    return "".join(f"{key} = {value(one)}\n" for key, one in data.items())


def test_a_test_is_read_off_its_place_and_marks_and_runs_where_the_judge_says(collect):
    found = collect(
        visible='pytestmark = exercise("toy.double")\n\n@core\ndef test_values(submission):\n    assert submission == "given"\n',
        hidden="""
pytestmark = exercise("toy.treble")

@pytest.fixture
def size():
    return 3

@edge
def test_edge_fails(rng, size, reference):
    assert (rng, size, reference) == ("given", 3, "given")

@core
@exercise("toy.double")
def test_other(): pass

@core
def test_unwanted(): pass
""",
    )
    assert found["fault"] is None
    assert sorted(found["collected"]) == [
        ["hidden", "core", "toy.double", "hidden/test_toy.py::test_other", []],
        ["hidden", "core", "toy.treble", "hidden/test_toy.py::test_unwanted", []],
        ["hidden", "edge", "toy.treble", "hidden/test_toy.py::test_edge_fails", ["rng", "reference"]],
        ["visible", "core", "toy.double", "visible/test_toy.py::test_values", ["submission"]],
    ]
    assert found["ran"] == [
        "visible/test_toy.py::test_values",
        "hidden/test_toy.py::test_other",
        "hidden/test_toy.py::test_edge_fails",
    ]
    assert list(found["report"].values()) == ["passed", "passed", "failed"]


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        ("@core\ndef test_a(): pass", "test_a belongs to no exercise", "pytestmark = exercise"),
        ("@exercise()\n@core\ndef test_a(): pass", "test_a belongs to no exercise", "pytestmark = exercise"),
        (
            '@exercise("toy.duble")\n@core\ndef test_a(): pass',
            "test_a belongs to 'toy.duble', which the manifest does not have",
            "there are: toy.double, toy.treble",
        ),
        ('@exercise("toy.double")\ndef test_a(): pass', "test_a must be marked either core or edge", "grader.testing"),
        ('@exercise("toy.double")\n@core\n@edge\ndef test_a(): pass', "either core or edge", "grader.testing"),
    ],
    ids=["no exercise", "empty", "unknown", "no tier", "both tiers"],
)
def test_a_test_that_is_marked_wrongly_is_told_with_its_line(collect, text, message, hint):
    said, where, line, remedy = collect(hidden=text)["fault"]
    assert message in said
    assert hint in remedy
    assert (where, line) == ("test_toy.py", (HEAD + text).splitlines().index(text.splitlines()[0]) + 1)


@pytest.mark.parametrize(
    ("before", "asked"),
    [("", "reference"), ("@pytest.fixture\ndef size(reference): return 3\n\n", "size")],
    ids=["itself", "by a fixture"],
)
def test_a_visible_test_that_asks_for_the_reference_is_told_for_a_kit_has_none(collect, before, asked):
    text = f'{before}@exercise("toy.double")\n@core\ndef test_a(submission, {asked}): pass'
    said, where, line, remedy = collect(visible=text)["fault"]
    assert said == "test_a is visible and asks for `reference`"
    assert (where, line) == ("test_toy.py", (HEAD + text).splitlines().index('@exercise("toy.double")') + 1)
    assert remedy == "visible tests run without the reference in a kit: write the expected values down"


@pytest.mark.parametrize("text", ["def test_a(:", "import nothing_like_it", "@pytest.mark.cor\ndef test_a(): pass"])
def test_a_suite_that_cannot_be_collected_is_the_course_s_fault(collect, text):
    assert "cannot be collected" in collect(hidden=text)["fault"][0]


@pytest.mark.parametrize(
    ("text", "place", "error"),
    [
        ("def test_a(:", "line 4", "SyntaxError: invalid syntax"),
        ("import nothing_like_it", "line 4 of test_toy.py: ", "No module named 'nothing_like_it'"),
        ("import json\njson.loads('{')", "line 5 of test_toy.py: ", "json.decoder.JSONDecodeError: Expecting property"),
    ],
    ids=["syntax", "import", "deep in a library"],
)
def test_of_what_pytest_says_only_the_error_and_its_place_in_the_suite_are_told(collect, text, place, error):
    said = collect(hidden=text)["fault"][0]
    assert place in said
    assert error in said
    assert "site-packages" not in said
    assert "importtestmodule" not in said
    assert len(said.splitlines()) <= 4


def test_a_fixture_that_fails_is_told_with_its_place_alone(collect):
    text = """
@pytest.fixture
def size():
    raise ValueError("no size")

@exercise("toy.double")
@core
def test_a(size): pass
"""
    said = collect(hidden=text)["fault"][0]
    assert said == "a test cannot be run: line 7 of test_toy.py: ValueError: no size"


ORDERED = manifest(*EXERCISES)
LOCKED = st.lists(
    st.builds(
        LockedTest,
        st.sampled_from(Suite),
        st.sampled_from(Tier),
        st.sampled_from(["toy.double", "toy.treble"]),
        st.text(),
    )
)


@given(LOCKED, st.randoms())
def test_the_order_is_the_same_whatever_was_collected_first(tests, random):
    ordered = in_order(tests, ORDERED)
    random.shuffle(tests)
    assert in_order(tests, ORDERED) == ordered


@given(LOCKED)
def test_visible_tests_and_prerequisites_and_core_come_first(tests):
    keys = [
        (test.suite is Suite.HIDDEN, test.exercise, list(Tier).index(test.tier)) for test in in_order(tests, ORDERED)
    ]
    assert keys == sorted(keys)


def test_fixtures_of_the_suite_s_own_are_filled_in():
    locked = LockedTest(Suite.HIDDEN, Tier.CORE, "toy.double", "hidden/a")
    test = SuiteTest(locked, lambda size, submission: (size, submission), ("submission",))
    assert test.bind({"size": 3}).body(submission="s") == (3, "s")
    assert test.bind({}) is test
    assert test.id == "hidden/a"


@pytest.mark.parametrize(
    ("wants", "draws"),
    [(("submission", "reference"), False), (("submission", "rng"), True), (("submission", "worksheet"), True)],
)
def test_what_asks_for_an_rng_or_a_worksheet_draws_its_inputs(wants, draws):
    locked = LockedTest(Suite.HIDDEN, Tier.CORE, "toy.double", "hidden/test_toy.py::test_values")
    assert SuiteTest(locked, lambda: None, wants).draws is draws
