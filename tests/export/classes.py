"""Classes to export: ordinary ones, hostile ones, and one whose hidden fields are all marked."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from pathlib import Path

from grader.export.base import Options
from grader.export.grade import Grade, grades
from grader.gradebook.runs import note_facts
from grader.graded.read import read_class
from grader.model.evidence import Carried, Flag, IsolationInfo, OutputInfo
from grader.model.manifest import Exercise
from grader.model.report import CollectedAnswer, ProblemInfo, Report, SubmittedFile
from grader.model.verdict import Status, Suite
from tests.gradebook.toy import Filled, dated, key
from tests.graded import made

HIDDEN = "SEEN-NOWHERE"
SEED = 424242424242
SOURCE = b"def double(x):\n    return x + 2\n\n\ndef half(x):\n    raise ValueError('odd')\n"
ENEMY = 'a\x1b[2J\u202e`|<img src=x>@ada #1 ##[error]x\n::error::x\n=1+1,"%0A]]>&\x00\ud800'


def files(*names: str) -> list[SubmittedFile]:
    content = base64.b64encode(SOURCE).decode()
    return [SubmittedFile(name=name, sha256="0" * 64, content=content) for name in names or ("toy.py",)]


def with_files(report: Report, *names: str, **more: object) -> Report:
    submission = report.submission.model_copy(update={"files": files(*names), **more})
    return report.model_copy(update={"submission": submission})


def two(student: str, first: float | None, second: float | None) -> Report:
    """Two exercises of 7 and 3 points."""
    return with_files(
        made.report(
            student, made.exercise("toy.double", first, points=7.0), made.exercise("toy.half", second, points=3.0)
        )
    )


def wrong(student: str = "ada") -> Report:
    """A named mistake, an exception in the student's own file, and tests that say what they saw."""
    double = made.exercise(
        "toy.double",
        4.9,
        points=7.0,
        status=Status.PARTIAL,
        diagnosis=made.explained(),
        tests=[
            made.tried("test_three", Status.FAILED, "double(3): got 5, expected 6"),
            made.tried("test_two"),
            made.tried("test_deep", Status.FAILED, f"{HIDDEN} numbers", Suite.HIDDEN, seed=SEED),
        ],
    )
    half = made.exercise(
        "toy.half",
        0.0,
        points=3.0,
        carried=["toy.double"],
        tests=[
            made.tried(
                "test_odd", Status.FAILED, "ValueError: odd", error=made.raised("ValueError", "odd", "toy.py", 6)
            ),
            made.tried(
                "test_even",
                Status.FAILED,
                f"{HIDDEN} even",
                Suite.HIDDEN,
                error=made.raised("ValueError", f"{HIDDEN} 12", "toy.py", 6),
            ),
        ],
    )
    return with_files(made.report(student, double, half))


def fault(student: str = "eve") -> Report:
    """Half of it could not be judged."""
    return two(student, 7.0, None)


def marked(student: str = "mia") -> Report:
    """A report whose every field that no student may see holds the mark."""
    where = made.raised(f"{HIDDEN}Error", f"{HIDDEN} raised", f"{HIDDEN}.py", 3)
    tests = [
        made.tried(
            f"test_{HIDDEN}_{status}",
            status,
            f"{HIDDEN} message",
            Suite.HIDDEN,
            seed=SEED,
            error=where,
            carried=Carried(needs=[], status=Status.FAILED, message=f"{HIDDEN} carried", error=where),
        )
        for status in Status
    ]
    told = made.tried("test_seen", Status.FAILED, "this is shown", carried=tests[0].carried)
    ours = made.exercise("toy.ours", None, message=f"{HIDDEN} broke: /srv/{HIDDEN}", tests=tests)
    report = made.report(student, made.exercise(score=3.0, tests=[*tests, told]), ours)
    part = report.assignments[0].model_copy(
        update={
            "problem": f"{HIDDEN} problem",
            "output": OutputInfo(text=f"{HIDDEN} printed"),
            "flags": [Flag(file="toy.py", line=1, name=f"{HIDDEN}_flag")],
            "isolation": IsolationInfo(
                level=HIDDEN, guarantees={HIDDEN: True}, findings=[HIDDEN], kernel=HIDDEN, landlock_abi=1
            ),
            "collected": [CollectedAnswer(file=f"{HIDDEN}.md", title=made.text(HIDDEN), text=HIDDEN)],
        }
    )
    return report.model_copy(update={"assignments": [part], "environment": {HIDDEN: HIDDEN}})


def hostile(student: str = "%3Dcmd") -> Report:
    """Whatever a student may write is written by an enemy."""
    name = ENEMY.replace("\ud800", "")
    failing = made.tried("test_x", Status.FAILED, name, error=made.raised("ValueError", name, "toy.py", 2))
    report = made.report(
        student,
        made.exercise(score=2.5, status=Status.FAILED, message=name, tests=[failing]),
        made.exercise("toy.half", 0.0, points=0.5, status=Status.CRASHED, message=name),
    )
    problem = ProblemInfo(file=name, message=name, hint=name)
    return with_files(report, "toy.py", f"{name}.py", problems=[problem])


def exported(folder: Path, *reports: Report) -> list[Grade]:
    """The grades of a class that was graded with these reports."""
    graded = read_class(made.folder(folder, *reports))
    return list(grades(graded, graded.summary.assignments))


def counted(folder: Path, scores: Mapping[str, float | None], policy: str = "") -> Filled:
    """Beside the reports in a folder, a gradebook in which each earned so much of 10 a second after 1970 began."""
    filled = Filled(folder / "gradebook.db")
    for student, score in scores.items():
        filled.add(key(student), score, dated(1))
    with filled.book:
        note_facts(filled.book, {"assignment toy": {"exercises": {"toy.double": {"points": 10.0}}}})
    if policy:
        (folder / "policy.toml").write_text(policy, encoding="utf-8")
    return filled


def toy_course() -> dict[str, Exercise]:
    """What the course asks for, which says where to look."""
    fields = {"title": {"en": "t", "zh-TW": "t"}, "points": 1}
    return {
        f"toy.{name}": Exercise.model_validate({"id": f"toy.{name}", "names": [name], **fields})
        for name in ("double", "half")
    }


def canvas(path: Path, students: Sequence[str], column: str = "Toy (901)") -> Path:
    """A gradebook as Canvas exports it, with 1.50 for each."""
    head = f"Student,ID,SIS User ID,SIS Login ID,Section,{column},Other (77),Final Score"
    points = "    Points Possible,,,,,10.0,5,(read only)"
    rows = [
        f'"Last{number}, First",{number},s{number},{student},S1,1.50,4,40'
        for number, student in enumerate(students, 100)
    ]
    path.write_text("\n".join([head, points, *rows]) + "\n", encoding="utf-8")
    return path


def all_options(folder: Path, students: Sequence[str], **more: object) -> Options:
    """What every format needs."""
    roster = {
        student: {"id": student, "email": f"{number}@x.example", "login": student}
        for number, student in enumerate(students)
    }
    into = canvas(folder / "canvas.csv", students)
    return Options(roster=roster, into=into, column="Toy (901)", **more)


def again(folder: Path) -> list[Grade]:
    """The grades of what lies in a folder."""
    graded = read_class(folder)
    return list(grades(graded, graded.summary.assignments))


def moved(report: Report, source: bytes, *, by: int) -> Report:
    """The same report of a file in which everything stands some lines further down."""
    text = report.model_dump_json(by_alias=True).replace('"line":6', f'"line":{6 + by}')
    found = Report.model_validate_json(text)
    content = base64.b64encode(source).decode()
    file = SubmittedFile(name="toy.py", sha256="0" * 64, content=content)
    return found.model_copy(update={"submission": found.submission.model_copy(update={"files": [file]})})
