"""Who judges a function."""

from __future__ import annotations

from grader.model.manifest import Exercise, Manifest
from grader.verify.mutants.reach import judges

TEXT = """
def a(x):
    return shared(x)


def b(x):
    return a(x) + deep(x)


def shared(x):
    return x


def deep(x):
    return deeper(x)


def deeper(x):
    return deep(x)


def idle(x):
    return x
"""


def manifest() -> Manifest:
    title = {"en": "T", "zh-TW": "T"}
    exercises = [{"id": f"m.{name}", "title": title, "names": [name], "points": 1} for name in "ab"]
    return Manifest.model_validate({"id": "m", "title": title, "files": ["m.py"], "exercises": exercises})


def test_an_exercise_judges_its_own_functions_and_every_helper_that_they_reach() -> None:
    found = {name: set(ids) for (_, name), ids in judges(manifest(), {"m": TEXT}).items()}
    assert found == {
        "a": {"m.a"},
        "b": {"m.b"},
        "shared": {"m.a", "m.b"},
        "deep": {"m.b"},
        "deeper": {"m.b"},
        "idle": set(),
    }


def test_a_method_that_an_exercise_asks_for_is_judged_by_it_and_the_rest_of_its_class_by_the_class_s() -> None:
    title = {"en": "T", "zh-TW": "T"}
    exercises = [
        {"id": f"m.{names[0].lower().replace('.', '_')}", "title": title, "names": names, "points": 1}
        for names in (["Box"], ["Box.open"])
    ]
    found = manifest().model_copy(update={"exercises": [Exercise.model_validate(each) for each in exercises]})
    text = "class Box:\n    def shut(self): ...\n    def open(self): ...\n"
    assert judges(found, {"m": text}) == {("m", "Box"): {"m.box"}, ("m", "Box.open"): {"m.box_open"}}
