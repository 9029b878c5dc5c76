import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from grader.model.manifest import Limits, Manifest
from tests.model.toy import exercise, manifest, raw_manifest


def complaint(*exercises, **more) -> str:
    with pytest.raises(ValidationError) as caught:
        manifest(*exercises, **more)
    return str(caught.value)


def test_what_a_manifest_leaves_out_has_a_default():
    found = manifest()
    assert found.allowed_imports == ["numpy"]
    assert found.forbidden == []
    assert found.limits == Limits()
    assert found.schema_version == 1


def test_points_and_modules_are_read_off_the_exercises_and_files():
    found = manifest(exercise("b.f", points=2.5), exercise("a.g", points=4), files=["b.py", "a.py"])
    assert found.points == 6.5
    assert found.modules == ["b", "a"]
    assert found.exercise("a.g").module == "a"


def test_a_module_is_found_in_its_file_whether_handed_in_or_given_as_a_material():
    found = manifest(materials=[{"file": "tiny.py", "names": ["Tiny"]}])
    assert {name: found.file_of(found.homes[name]) for name in ("double", "Tiny")} == {
        "double": "toy.py",
        "Tiny": "tiny.py",
    }


def test_an_exercise_that_is_not_there_is_no_exercise():
    with pytest.raises(KeyError):
        manifest().exercise("toy.treble")


def test_prerequisites_are_followed_all_the_way_and_told_in_the_manifest_s_order():
    found = manifest(
        exercise("toy.a"), exercise("toy.b", "toy.a"), exercise("toy.c"), exercise("toy.d", "toy.c", "toy.b")
    )
    assert found.prerequisites("toy.d") == ["toy.a", "toy.b", "toy.c"]
    assert found.prerequisites("toy.b") == ["toy.a"]
    assert found.prerequisites("toy.a") == []


def test_exercises_that_need_each_other_in_a_circle_are_refused():
    text = complaint(exercise("toy.a", "toy.b"), exercise("toy.b", "toy.a"))
    assert "need each other in a circle: toy." in text


def test_an_exercise_that_needs_itself_is_refused():
    assert "circle: toy.a -> toy.a" in complaint(exercise("toy.a", "toy.a"))


def test_a_prerequisite_stands_before_what_needs_it():
    text = complaint(exercise("toy.a", "toy.b"), exercise("toy.b"))
    assert "'toy.a' stands before 'toy.b', which it needs" in text


def test_an_unknown_prerequisite_is_refused():
    assert "'toy.a' needs 'toy.z', which is not an exercise" in complaint(exercise("toy.a", "toy.z"))


def test_an_exercise_stands_once():
    assert "exercise 'toy.a' stands twice" in complaint(exercise("toy.a"), exercise("toy.a"))


def test_an_exercise_lives_in_one_of_the_files():
    assert "lives in other.py, which is not among files" in complaint(exercise("other.f"))


@pytest.mark.parametrize(
    "more",
    [
        {"id": "Toy"},
        {"files": []},
        {"files": ["../toy.py"]},
        {"files": ["toy"]},
        {"allowed_imports": ["numpy; import os"]},
        {"forbidden": ["numpy."]},
        {"exercises": []},
        {"schema_version": 2},
        {"title": {"en": "Toy"}},
        {"title": {"en": "Toy", "zh-TW": ""}},
        {"limits": {"cpu_seconds": 0}},
        {"limits": {"memory_mb": 1}},
        {"deadline": "tomorrow"},
    ],
    ids=str,
)
def test_what_makes_no_sense_is_refused(more):
    assert complaint(**more)


@pytest.mark.parametrize("points", [0, -1, float("nan"), float("inf"), 1001])
def test_points_are_a_positive_number(points):
    assert "points" in complaint(exercise("toy.a", points=points))


def test_a_manifest_cannot_be_changed_after_it_was_read():
    with pytest.raises(ValidationError):
        manifest().id = "other"


@given(st.integers(1, 6).flatmap(lambda n: st.tuples(*[st.sets(st.integers(0, max(i - 1, 0))) for i in range(n)])))
def test_prerequisites_contain_those_of_each_prerequisite(needs):
    """Any assignment whose exercises need only earlier ones is valid, and "needs" is transitive."""
    names = [f"toy.e{i}" for i in range(len(needs))]
    found = manifest(*(exercise(name, *(names[j] for j in sorted(needs[i]) if j < i)) for i, name in enumerate(names)))
    for name in names:
        all_needs = set(found.prerequisites(name))
        assert name not in all_needs
        assert all(set(found.prerequisites(need)) <= all_needs for need in all_needs)


def test_a_manifest_written_down_reads_the_same():
    found = manifest(exercise("toy.a"), exercise("toy.b", "toy.a"), limits={"cpu_seconds": 3})
    assert Manifest.model_validate_json(found.model_dump_json(by_alias=True)) == found
    assert Manifest.model_validate(raw_manifest()) == manifest()


def test_a_class_that_is_given_lives_in_a_file_and_has_a_name_of_its_own():
    assert manifest(given=["toy.Sizes"]).given_names == ["Sizes"]
    assert manifest().given_names == []
    assert "'other.Sizes' is given in other.py, which is not among files" in complaint(given=["other.Sizes"])
    assert "nothing else of this assignment can be called double" in complaint(given=["toy.double"])
    files = ["toy.py", "other.py"]
    assert "can be called Sizes" in complaint(given=["toy.Sizes", "other.Sizes"], files=files)
    assert "given.0" in complaint(given=["Sizes"])
    assert "given.0" in complaint(given=["toy._Sizes"])


def test_a_class_whose_objects_stay_where_they_are_can_be_asked_for_and_has_a_name_of_its_own():
    assert manifest(given_objects=["toy.Cache"]).homes["Cache"] == "toy"
    assert "'other.Cache' is given in other.py, which is not among files" in complaint(given_objects=["other.Cache"])
    assert "can be called double" in complaint(given_objects=["toy.double"])
    assert "can be called Sizes" in complaint(given=["toy.Sizes"], given_objects=["toy.Sizes"])


def test_what_is_given_as_it_is_lies_in_the_templates_folder_and_is_no_file_of_the_student():
    assert manifest(given_files=["program.py", "parts"]).given_files == ["program.py", "parts"]
    assert "toy.py is given as it is, and a student writes it too" in complaint(given_files=["toy.py"])
    assert "toy is given as it is, and a student writes it too" in complaint(given_files=["toy"])
    for name in ("../secret.py", "parts/one.py", "notes.md", ".hidden"):
        assert "given_files.0" in complaint(given_files=[name])


def test_a_material_is_found_by_its_module_as_a_file_of_the_submission_is():
    found = manifest(materials=[{"file": "tiny.py", "names": ["Tiny"]}])
    assert [found.file_of(module) for module in ("toy", "tiny")] == ["toy.py", "tiny.py"]


def sheet(**more):
    return exercise("toy.sheet", file="answers.toml") | {"names": ["answer"]} | more


BOTH = ["toy.py", "answers.toml"]


def test_a_worksheet_lives_in_a_file_of_data():
    found = manifest(exercise("toy.double"), sheet(), files=BOTH)
    assert found.worksheet is found.exercise("toy.sheet")
    assert (found.modules, found.programs) == (["toy", "answers"], ["toy"])
    assert (found.exercise("toy.sheet").module, found.file_of("answers")) == ("answers", "answers.toml")
    assert manifest().worksheet is None


@pytest.mark.parametrize(
    ("exercises", "files", "said"),
    [
        ([sheet()], ["toy.py"], "'toy.sheet' lives in answers.toml, which is not among files"),
        ([exercise("toy.double")], BOTH, "answers.toml is no exercise's"),
        ([sheet(names=["answers"])], BOTH, "its names are ['answer']"),
        ([exercise("toy.double"), sheet(needs=["toy.double"])], BOTH, "and it needs none"),
        (
            [sheet(), exercise("toy.double", "toy.sheet")],
            BOTH,
            "'toy.sheet', which is a worksheet: nothing can call it",
        ),
        ([exercise("toy.answer"), sheet()], BOTH, "asks for `answer`, which is the worksheet's"),
        ([sheet(), sheet(id="toy.more", file="more.toml")], [*BOTH, "more.toml"], "an assignment has one"),
        ([exercise("toy.double"), sheet(file="toy.toml")], ["toy.py", "toy.toml"], "would be one module"),
    ],
)
def test_a_worksheet_that_cannot_be_one_is_refused(exercises, files, said):
    assert said in complaint(*exercises, files=files)


MATERIAL = {"file": "tools.py", "names": ["tally"]}


def test_a_material_is_the_home_of_its_names():
    found = manifest(materials=[MATERIAL])
    assert found.homes == {"double": "toy", "tally": "tools"}


@pytest.mark.parametrize(
    ("materials", "said"),
    [
        ([MATERIAL | {"file": "tools.toml"}], "materials.0.file"),
        ([MATERIAL | {"file": "tools"}], "materials.0.file"),
        ([MATERIAL | {"file": "json.py"}], "another module 'json' that it may import: give it another name"),
        ([MATERIAL | {"file": "numpy.py"}], "another module 'numpy'"),
        ([MATERIAL | {"file": "toy.py"}], "another module 'toy'"),
        ([MATERIAL, MATERIAL | {"names": ["more"]}], "the material tools.py stands twice"),
        ([MATERIAL | {"names": ["double"]}], "`double` of the material tools.py is the name of something else too"),
    ],
)
def test_a_material_that_is_no_module_or_shadows_another_is_refused(materials, said):
    assert said in complaint(materials=materials)


def test_a_material_cannot_be_called_as_the_worksheet():
    text = complaint(sheet(), exercise("toy.double"), files=BOTH, materials=[MATERIAL | {"file": "answers.py"}])
    assert "another module 'answers'" in text


RUN = {"file": "run/metrics.csv", "max_kb": 8}


def judging(**more):
    return exercise("toy.run", **{"names": [], "artifacts": ["run/metrics.csv"]} | more)


def test_an_exercise_may_judge_what_a_program_wrote_in_the_place_of_functions():
    found = manifest(exercise("toy.double"), judging(), artifacts=[RUN])
    assert found.taken == {"toy.py": None, "run/metrics.csv": 8192}


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ([judging(artifacts=[])], "asks either for `names` or for `artifacts`"),
        ([judging(names=["double"])], "asks either for `names` or for `artifacts`"),
        ([judging(artifacts=["run/loss.png"])], "judges run/loss.png, which is not among artifacts"),
    ],
)
def test_an_exercise_judges_what_the_manifest_takes(given, words):
    assert words in complaint(*given, artifacts=[RUN])


@pytest.mark.parametrize("name", ["../x.csv", "a/b/c.csv", "/x.csv", "run/.csv", "run\\x.csv", "run/x"])
def test_an_artifact_lies_in_one_folder_at_most(name):
    assert "String should match pattern" in complaint(artifacts=[{"file": name}])


def test_an_artifact_and_data_stand_once():
    assert "run/metrics.csv stands twice" in complaint(artifacts=[RUN, RUN])
    data = {"file": "corpus.txt", "sha256": "0" * 64}
    assert "corpus.txt stands twice" in complaint(data=[data, data])
    assert "one or the other" in complaint(artifacts=[{"file": "toy.py"}])


ANSWERS = {"file": "answers.md", "collect": {"en": "Why?", "zh-TW": "為什麼"}}


def item(name, points=2.5):
    return {"id": name, "title": {"en": name, "zh-TW": name}, "points": points}


def test_an_answer_in_words_is_worth_what_its_rubric_says():
    found = manifest(artifacts=[ANSWERS | {"rubric": [item("idea"), item("words", 1)]}, RUN])
    assert found.by_hand == {"answers.md": 3.5}
    assert found.points == manifest().points


def test_a_rubric_is_for_what_a_person_reads_and_each_item_stands_once():
    assert "say with `collect` what it is" in complaint(artifacts=[RUN | {"rubric": [item("idea")]}])
    assert "two items 'idea'" in complaint(artifacts=[ANSWERS | {"rubric": [item("idea"), item("idea")]}])


BOX = exercise("toy.box", names=["Box"])


def test_a_method_may_be_an_exercise_of_its_own_and_lives_in_its_class():
    found = manifest(BOX, exercise("toy.open", "toy.box", names=["Box.open", "lid"]))
    assert found.exercise("toy.open").definitions == ["Box", "lid"]
    assert found.homes == {"Box": "toy", "lid": "toy"}


@pytest.mark.parametrize(
    ("exercises", "said"),
    [
        ([exercise("toy.open", names=["Box.open"])], "`toy.Box.open` is a method of a class that no exercise asks for"),
        ([BOX, exercise("toy.open", names=["Bax.open"])], "`toy.Bax.open` is a method of a class"),
        ([BOX | {"names": ["Box", "Box.open"]}, exercise("toy.open", names=["Box.open"])], "two exercises ask for"),
        ([BOX, exercise("toy.open", names=["Box.lid.open"])], "exercises.1.names.0"),
        ([BOX, exercise("toy.open", names=[".open"])], "exercises.1.names.0"),
    ],
)
def test_a_method_of_no_exercise_s_class_is_refused(exercises, said):
    assert said in complaint(*exercises)


def test_programs_in_which_no_exercise_lives_are_not_answered():
    found = manifest(exercise("b.f"), files=["a.py", "b.py"])
    assert (found.programs, found.answered) == (["a", "b"], ["b"])
    assert manifest(sheet(), exercise("toy.double"), files=BOTH).answered == ["toy"]
