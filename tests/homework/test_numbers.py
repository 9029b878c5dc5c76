"""What the numbers of a run are taken for: a short run of right code is not accused of anything."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

import pytest

from grader.testing.artifacts import Artifacts

HOME = Path(__file__).parents[2] / "assignments" / "homework11"
# Steps and validation losses as they were measured on the course's corpus.
RIGHT_SHORT = {0: 4.5390, 1: 4.5385, 2: 4.5378, 3: 4.5366, 4: 4.5351, 25: 4.3525, 39: 4.0247}
DOUBLE_SHORT = {0: 4.54325, 1: 4.54324, 2: 4.54323, 3: 4.54322, 4: 4.5432, 25: 4.54095, 39: 4.53485}
DOUBLE = {0: 4.54308, 4: 4.54256, 25: 4.51860, 50: 4.35149, 100: 4.35096, 200: 4.35098, 300: 4.35100, 399: 4.35100}
RIGHT_SMALL = {0: 4.5391, 4: 4.5353, 50: 3.6103, 100: 3.2348, 150: 3.2199, 200: 3.2190, 249: 3.2189}
LEVEL = {0: 4.5431, 200: 4.5431, 399: 4.5431}


@pytest.fixture(params=["visible", "hidden"])
def judged(request):
    """Return what the suite says of the losses of a run."""
    spec = importlib.util.spec_from_file_location("numbers_of_a_run", HOME / request.param / "test_numbers.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)

    def say(losses, preset):
        rows = "".join(f"{step},4.5,{loss},90.0,0.01\n" for step, loss in losses.items())
        run = {"preset": preset, "training": {"steps": max(losses) + 1}}
        files = {"run/metrics.csv": ",".join(module.COLUMNS) + "\n" + rows, "run/run.json": json.dumps(run)}
        with pytest.raises(AssertionError) as said:
            module.test_the_model_learned_more_than_how_often_each_character_comes(
                Artifacts({name: text.encode() for name, text in files.items()})
            )
        return str(said.value)

    return say


def test_right_code_with_a_short_run_is_told_that_it_is_short(judged):
    said = judged(RIGHT_SHORT, "femto")
    assert said.startswith("40 of 500 steps, preset femto: too short and too small a model to tell; ")
    assert "softmax" not in said


def test_a_small_model_that_can_learn_no_more_is_told_that_it_is_small(judged):
    said = judged(RIGHT_SMALL, "femto")
    assert "too small a model to tell; the validation loss ends at 3.219" in said


@pytest.mark.parametrize("steps", [1, 2, 5])
def test_a_run_of_a_few_steps_is_told_that_it_is_short(judged, steps):
    few = dict([*RIGHT_SHORT.items()][:steps])
    assert judged(few, "nano").startswith(f"{steps} of 500 steps, preset nano: too short to tell; ")


def test_a_double_softmax_is_named_once_its_end_is_flat_and_not_before(judged):
    assert "softmax of a softmax" in judged(DOUBLE, "pico")
    assert "too short and too small a model to tell" in judged(DOUBLE_SHORT, "femto")


def test_a_long_run_that_learned_nothing_is_not_excused_as_short(judged):
    assert judged(LEVEL, "pico") == "the validation loss did not fall"
