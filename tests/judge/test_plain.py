"""Tests that need nothing of pytest are called without its stages; what the others set up begins and ends as ever."""

import pytest

from grader.course.assignment import load_assignment
from grader.judge.collect import run_pytest
from grader.judge.plugin import JudgePlugin
from grader.model.verdict import Suite
from tests.e2e.toy import toy_course

HEAD = """
import pytest
from grader.testing import core, exercise

pytestmark = exercise("toy.double")
said = []
"""
PLAIN = """
@core
def test_{name}(submission, rng):
    said.append("{name}")
"""
STAGED = """
@pytest.fixture(scope="module")
def whole():
    said.append("set up")
    yield
    said.append("torn down")


@core
def test_{name}(submission, whole):
    said.append("{name}")
"""


class Runner:
    """Calls bodies with nothing; those of `wrong` fail."""

    def __init__(self, wrong=()):
        self.wrong = wrong

    def wanted(self, test):
        return True

    def run(self, test):
        test.body(**dict.fromkeys(test.wants))
        return "wrong" if test.id.rpartition("::")[2] in self.wrong else None


def judged(tmp_path, files, runner):
    """Run hidden files of tests; return the plugin, and what each file's tests said, in order of the files."""
    assignment = load_assignment(toy_course(tmp_path / "course") / "assignments" / "toy")
    hidden = assignment.suite(Suite.HIDDEN)
    for old in hidden.iterdir():
        old.unlink()
    log = tmp_path / "log"
    log.touch()
    tell = f"class Log:\n    def append(self, word):\n        with open({str(log)!r}, 'a') as file:\n            file.write(word + '\\n')\n\nsaid = Log()\n"
    for name, text in files.items():
        # Under a name of its own, for pytest keeps what it has imported.
        (hidden / f"test_{tmp_path.name}_{name}.py").write_text(
            HEAD.replace("said = []\n", tell) + text, encoding="utf-8"
        )
    plugin = JudgePlugin(assignment.manifest, runner)
    run_pytest(assignment, [Suite.HIDDEN], plugin)
    return plugin, log.read_text("utf-8").split("\n")[:-1]


def outcomes(plugin):
    return {test["nodeid"].rpartition("::")[2]: test["outcome"] for test in plugin.report["tests"]}


def test_plain_tests_are_reported_as_passed_and_failed_with_what_is_wrong(tmp_path):
    files = {"a": PLAIN.format(name="one") + PLAIN.format(name="two")}
    plugin, said = judged(tmp_path, files, Runner({"test_two"}))
    assert said == ["one", "two"]
    assert outcomes(plugin) == {"test_one": "passed", "test_two": "failed"}
    assert plugin.report["tests"][1]["call"]["longrepr"] == "wrong"
    assert plugin.report["exitcode"] == 1
    assert [name.rpartition("::")[2] for name in plugin.seconds] == ["test_one", "test_two"]
    assert "setup" not in plugin.report["tests"][0], "it went through pytest's stages"


@pytest.mark.parametrize(
    "mark", ["@pytest.mark.skip", "@pytest.mark.filterwarnings('default')", "@pytest.mark.parametrize('x', [1])"]
)
def test_what_asks_more_of_pytest_goes_through_its_stages(tmp_path, mark):
    body = PLAIN.format(name="one").replace("@core", f"@core\n{mark}")
    body = body.replace("rng)", "rng, x)") if "parametrize" in mark else body
    files = {"a": STAGED.format(name="zero") + body}
    plugin, _ = judged(tmp_path, files, Runner())
    found = next(test for test in plugin.report["tests"] if "test_one" in test["nodeid"])
    assert "setup" in found
    assert found["outcome"] == ("skipped" if "skip" in mark else "passed")


def test_what_a_file_sets_up_ends_with_it_also_where_plain_tests_follow(tmp_path):
    files = {
        "a": STAGED.format(name="a1") + PLAIN.format(name="a2"),
        "b": PLAIN.format(name="b1"),
        "c": STAGED.format(name="c1"),
    }
    plugin, said = judged(tmp_path, files, Runner())
    assert said == ["set up", "a1", "a2", "torn down", "b1", "set up", "c1", "torn down"]
    assert set(outcomes(plugin).values()) == {"passed"}


AROUND = """
@pytest.fixture(autouse=True)
def always():
    said.append("before")
    yield
    said.append("after")


@pytest.fixture
def used():
    said.append("used")


@pytest.mark.usefixtures("used")
@core
def test_{name}(submission):
    said.append("{name}")
"""


def test_a_fixture_that_the_body_does_not_take_is_set_up_and_not_handed_to_it(tmp_path):
    plugin, said = judged(tmp_path, {"a": AROUND.format(name="one")}, Runner())
    assert said == ["before", "used", "one", "after"]
    assert outcomes(plugin) == {"test_one": "passed"}


def test_a_plain_test_that_skips_itself_is_reported_so(tmp_path):
    text = PLAIN.format(name="one") + "    pytest.skip('not today')\n"
    plugin, _ = judged(tmp_path, {"a": text}, Runner())
    assert outcomes(plugin) == {"test_one": "skipped"}


def test_what_a_judge_raises_in_a_plain_test_is_kept(tmp_path):
    class Broken(Runner):
        def run(self, test):
            raise RuntimeError("out of order")

    plugin, _ = judged(tmp_path, {"a": PLAIN.format(name="one")}, Broken())
    assert outcomes(plugin) == {"test_one": "failed"}
    assert "out of order" in plugin.report["tests"][0]["call"]["longrepr"]


DIFFERS = """
@core
def test_{name}(submission):
    import warnings
    warnings.warn("nobody sees it")
    with warnings.catch_warnings(record=True) as seen:
        warnings.warn("{name}")
    said.append(str(len(seen)))
    assert [1, 2] == [1, 3]
"""


@pytest.mark.parametrize("other", ["", STAGED.format(name="b")], ids=["alone", "beside another"])
def test_a_bare_assert_says_what_differs_and_warnings_go_to_nobody(tmp_path, capfd, other):
    class Catching(Runner):
        def run(self, test):
            try:
                return super().run(test)
            except AssertionError as error:
                return str(error)

    files = {"a": DIFFERS.format(name="a1") + DIFFERS.format(name="a2") + other}
    plugin, said = judged(tmp_path, files, Catching())
    wrong = [test["call"]["longrepr"] for test in plugin.report["tests"] if test["outcome"] == "failed"]
    assert len(wrong) == 2
    assert all("At index 1 diff: 2 != 3" in each for each in wrong)
    assert said[:2] == ["1", "1"]
    assert capfd.readouterr() == ("", "")
