"""The benchmark measures what it says, however small it is; how fast anything is depends on the machine."""

import json
import sys

import pytest

from tests.benchmarks.throughput import __main__ as throughput
from tests.benchmarks.throughput.contenders import CONTENDERS
from tests.benchmarks.throughput.direct import Bodies
from tests.benchmarks.throughput.flavour import FLAVOURS
from tests.benchmarks.throughput.ground import FILE, Ground
from tests.benchmarks.throughput.rounds import Times
from tests.benchmarks.throughput.table import Spread, measurement, shown

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="processors are chosen as Linux does it")


@pytest.fixture
def ground(tmp_path):
    return Ground(tmp_path, FLAVOURS["numpy"], 2)


def test_a_round_is_compared_with_the_same_round(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    told = tmp_path / "told.json"
    names = ("grader", "bodies", "pytest", "unittest")
    asked = [word for name in names for word in ("--contender", name)]
    small = ["--tests", "2", "--flavour", "numpy", "--rounds", "2", "--batch", "3", "--json", str(told)]
    [found] = throughput.main([*asked, *small])
    assert [line.name for line in found.lines] == [CONTENDERS[name].name for name in names]
    base, bodies, *cold = found.lines
    assert base.times_as_fast == Spread(1, 1, 1)
    assert all(line.seconds.least > 0 and line.cpu.most > 0 for line in found.lines)
    assert all(line.rate == pytest.approx(1 / line.seconds.median) for line in found.lines)
    assert bodies.times_as_fast.most < 1 < min(line.seconds.median for line in cold) / bodies.seconds.median
    assert found.outside.median < base.seconds.most
    shown = capsys.readouterr().out
    assert "NumPy, 2 tests" in shown
    assert "outside student code and tests" in shown
    [written] = json.loads(told.read_text("utf-8"))
    assert [line["name"] for line in written["lines"]] == [line.name for line in found.lines]


def test_ratios_are_those_of_rounds_and_their_middle_is_told(ground):
    times = {
        "grader": Times(opening=1.0, wall=[0.1, 0.2, 0.1], cpu=[0.1, 0.1, 0.1]),
        "grader-2": Times(opening=1.0, wall=[0.05, 0.1, 0.1], cpu=[0.1, 0.1, 0.1]),
        "bodies": Times(wall=[0.01, 0.02, 0.03], cpu=[0.01, 0.02, 0.03]),
        "pytest": Times(wall=[0.5, 0.6, 0.4], cpu=[0.5, 0.6, 0.4]),
    }
    found = measurement(ground, times)
    assert found.lines[3].times_as_fast == Spread(*map(pytest.approx, (4, 3, 5)))
    assert found.slots == Spread(*map(pytest.approx, (2, 1, 2)))
    assert found.outside == Spread(*map(pytest.approx, (0.09, 0.07, 0.18)))
    assert "2.00 times (1.00 to 2.00) as many submissions a second as one" in shown(found)


@pytest.mark.parametrize("flavour", FLAVOURS)
def test_no_two_submissions_are_alike_and_all_are_right(tmp_path, flavour):
    pytest.importorskip(flavour)
    ground = Ground(tmp_path, FLAVOURS[flavour], 2)
    handed_in = [*ground.hand_in(7), *ground.hand_in(7)]
    assert len({(folder / FILE).read_text("utf-8") for folder in handed_in}) == 14
    with Bodies().open(ground) as grade:
        grade(handed_in)


@pytest.mark.parametrize("name", ["bodies", "pytest", "unittest"])
def test_nobody_may_call_a_wrong_submission_right(ground, name):
    with CONTENDERS[name].open(ground) as grade:
        [folder] = ground.hand_in(1)
        (folder / FILE).write_text("import numpy as np\n\n\ndef attention(q, k, v):\n    return v + 1\n")
        with pytest.raises(Exception, match=r"(?s)."):
            grade([folder])


@pytest.mark.parametrize("name", ["otter", "nbgrader"])
def test_who_is_not_installed_is_left_out_by_name(ground, name, monkeypatch):
    rival = CONTENDERS[name]
    monkeypatch.setattr(rival, "package", "no_such_grader")
    assert "no_such_grader" in rival.lacking(FLAVOURS["numpy"])
