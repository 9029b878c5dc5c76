import jsonschema
import pytest
from pydantic import ValidationError

from grader.model.evidence import Diagnosis, Evidence, Explanation, IsolationInfo, TestEvidence
from grader.model.report import AssignmentReport, ExerciseReport, Report, StudentReport, SubmissionInfo, Summary
from grader.model.verdict import Status, Suite, Tier

EN = Explanation(name="Columns.", why="Rows sum to 1.", hint="Which axis?")
ZH = Explanation(name="直行。", why="每一列的和應為 1。", hint="看看是哪一軸。")
TITLE = {"en": "Toy", "zh-TW": "玩具"}


def report() -> Report:
    test = TestEvidence(
        id="hidden/a::b", suite=Suite.HIDDEN, tier=Tier.CORE, exercise="toy.f", status=Status.FAILED, seed=2**64 - 1
    )
    diagnosis = Diagnosis(exercise="toy.f", misconceptions=["toy.f/x"], en=[EN], zh_tw=[ZH], calls=3, separating=1)
    isolation = IsolationInfo(level="none", guarantees={"network": False}, findings=["x"], kernel="6", landlock_abi=0)
    part = ExerciseReport(
        id="toy.f", title=TITLE, status=Status.FAILED, score=0.0, points=10, diagnosis=diagnosis, tests=[test]
    )
    whole = AssignmentReport(
        id="toy",
        title=TITLE,
        status=Status.FAILED,
        score=0.0,
        points=10,
        exercises=[part],
        isolation=isolation,
        suite_digest="d",
    )
    return Report(
        grader_version="0",
        submission=SubmissionInfo(id="ann", source="ann", digest="d", files=[]),
        status=Status.FAILED,
        score=0.0,
        points=10,
        assignments=[whole],
        environment={},
        timings={},
    )


def test_a_report_written_down_reads_the_same():
    assert Report.model_validate_json(report().model_dump_json(by_alias=True)) == report()


def test_a_report_fits_its_published_schema():
    schema = Report.model_json_schema(by_alias=True)
    jsonschema.validate(report().model_dump(mode="json", by_alias=True), schema)


def test_languages_are_named_as_the_world_names_them():
    written = report().model_dump(mode="json", by_alias=True)
    exercise = written["assignments"][0]["exercises"][0]
    assert exercise["title"]["zh-TW"] == "玩具"
    assert exercise["diagnosis"]["zh-TW"][0]["name"] == "直行。"


@pytest.mark.parametrize("model", [Report, StudentReport, Summary, Evidence])
def test_a_key_that_no_schema_knows_is_refused(model):
    with pytest.raises(ValidationError, match="extra_forbidden"):
        model.model_validate({"surprise": 1})


@pytest.mark.parametrize("count", [0, 3])
def test_a_diagnosis_names_one_mistake_or_two(count):
    with pytest.raises(ValidationError, match="misconceptions"):
        Diagnosis(exercise="e", misconceptions=["m"] * count, en=[], zh_tw=[], calls=0, separating=0)


def test_a_status_nobody_knows_is_refused():
    with pytest.raises(ValidationError, match="status"):
        TestEvidence(id="a", suite="hidden", tier="core", exercise="e", status="splendid", seed=0)
