"""`verify` finds what is wrong with a suite, says it, and exits 3."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.model.errors import CourseError
from grader.verify.run import verify_assignment
from tests.e2e.toy import TEST, toy_course

SQUARE = """
from grader.testing import Explained, misconception, variant

SAID = Explained("You squared.", "Twice x is x + x.", "Look at 3.")


@misconception("toy.double/square", en=SAID, zh_tw=SAID)
def double(ref, x):
    return x * x


@variant("toy.double/square")
def double_by_power(ref, x):
    return x**2
"""


@pytest.fixture
def toy(tmp_path: Path) -> Path:
    course = toy_course(tmp_path / "course")
    write(course, "misconceptions.py", SQUARE)
    return course


def write(course: Path, name: str, text: str) -> None:
    path = course / "assignments" / "toy" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def problems(grader, course: Path, *options: str) -> str:
    """What `verify` complains about; it must exit 3."""
    ran = grader("verify", "toy", "--course", course, *options)
    assert ran.returncode == 3, ran.stdout + ran.stderr
    return ran.stdout + ran.stderr


def test_a_sound_suite_holds(grader, toy: Path) -> None:
    ran = grader("verify", "toy", "--lock", "--course", toy)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert ran.stdout.rstrip().endswith("holds")


def test_declared_mutants_are_read_before_anything_is_run(toy: Path) -> None:
    write(toy, "equivalents.toml", '[[equivalent]]\nfunction = "toy.double"\n')
    write(toy, "misconceptions.py", "raise KeyError\n")
    with pytest.raises(CourseError, match=r"equivalents\.toml.*unknown key `equivalent`; did you mean `equivalents`"):
        verify_assignment(toy / "assignments" / "toy", seeds=1, write_lock=False)


def test_a_mistake_that_no_test_catches_survives(grader, toy: Path) -> None:
    # 0 and 2 are the two numbers whose square is their double.
    write(
        toy,
        "hidden/test_double.py",
        TEST.replace("np.arange(3.0)", "np.array([0.0, 2.0])").replace("[0.0, 2.0, 4.0]", "[0.0, 4.0]"),
    )
    assert "toy.double/square survives" in problems(grader, toy)


def test_a_right_answer_that_fails_is_told_with_test_and_seed(grader, toy: Path) -> None:
    write(toy, "right_answers/lists.py", "def double(x):\n    return [2 * each for each in x]\n")
    told = problems(grader, toy)
    assert "right_answers/lists.py is right, but fails" in told
    assert "test_double.py::test_values" in told
    assert "should be a NumPy array, got a list of 3" in told


def test_a_template_that_earns_something_is_told(grader, toy: Path) -> None:
    (toy / "student_template" / "toy.py").write_text("def double(x):\n    return 2 * x\n", encoding="utf-8")
    assert "the bare template should be not_implemented in toy.double" in problems(grader, toy)


def test_a_missing_template_is_told_with_the_command_that_makes_it(grader, toy: Path) -> None:
    (toy / "student_template" / "toy.py").unlink()
    told = problems(grader, toy)
    assert "toy.py: there is no template" in told
    assert "hint: run `grader template build toy`" in told


def test_two_mistakes_that_no_test_tells_apart_are_told(grader, toy: Path) -> None:
    again = '\n\n@misconception("toy.double/power", en=SAID, zh_tw=SAID, name="double")\ndef by_power(ref, x):\n    return x**2.0\n'
    write(toy, "misconceptions.py", SQUARE + again)
    told = problems(grader, toy)
    assert "toy.double/square is also named as toy.double/power" in told
    assert "toy.double/power has no second variant" in told


def test_mistakes_declared_equivalent_may_share_a_name(grader, toy: Path) -> None:
    again = (
        '\n\n@misconception("toy.double/power", en=SAID, zh_tw=SAID, name="double", equivalent=("toy.double/square",))\ndef by_power(ref, x):\n    return x**2.0\n'
        '\n\n@variant("toy.double/power")\ndef by_exp(ref, x):\n    return x * x * 1.0\n'
    )
    write(toy, "misconceptions.py", SQUARE + again)
    ran = grader("verify", "toy", "--lock", "--course", toy)
    assert ran.returncode == 0, ran.stdout + ran.stderr


def test_a_variant_of_another_mistake_is_told(grader, toy: Path) -> None:
    write(toy, "misconceptions.py", SQUARE.replace("x**2", "x**3"))
    assert "is not named as itself" in problems(grader, toy)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (("pytestmark", "mark"), "belongs to no exercise"),
        (("toy.double", "toy.treble"), "'toy.treble', which the manifest does not have"),
        (("@core\n", ""), "must be marked either core or edge"),
        (("import numpy", "import nunpy"), "cannot be collected"),
        (("def test_values(submission)", "def test_values(submision)"), "submision"),
    ],
    ids=["no-exercise", "unknown-exercise", "no-tier", "broken-import", "unknown-fixture"],
)
def test_a_suite_that_cannot_be_read_is_told_with_its_place(
    grader, toy: Path, change: tuple[str, str], words: str
) -> None:
    write(toy, "hidden/test_double.py", TEST.replace(*change))
    told = problems(grader, toy)
    assert words in told
    assert "test_double.py" in told


def test_a_stale_lock_is_told_and_lock_mends_it(grader, toy: Path) -> None:
    write(toy, "hidden/test_double.py", TEST + "\n\n@core\ndef test_again(submission):\n    test_values(submission)\n")
    assert "test_again (core of toy.double) is not in tests.lock" in problems(grader, toy)
    ran = grader("verify", "toy", "--lock", "--course", toy)
    assert "not in tests.lock" not in ran.stdout
    assert "test_again" in (toy / "assignments/toy/tests.lock").read_text("utf-8")
    assert (toy / "assignments/toy/visible/fingerprints.json").is_file()


def test_a_test_that_adds_nothing_is_a_note_not_a_problem(grader, toy: Path) -> None:
    write(toy, "hidden/test_double.py", TEST + "\n\n@core\ndef test_again(submission):\n    test_values(submission)\n")
    ran = grader("verify", "toy", "--lock", "--course", toy)
    assert ran.returncode == 0, ran.stdout
    assert "note:" in ran.stdout


def test_fingerprints_of_another_catalogue_are_told(grader, toy: Path) -> None:
    grader("verify", "toy", "--lock", "--course", toy)
    write(toy, "misconceptions.py", SQUARE.replace("You squared.", "You took the square."))
    assert "fingerprints.json is not what the catalogue" in problems(grader, toy)


def test_an_exercise_without_misconceptions_is_told(grader, toy: Path) -> None:
    (toy / "assignments" / "toy" / "misconceptions.py").unlink()
    assert "toy.double has no misconception" in problems(grader, toy, "--lock")


def test_a_misconception_that_only_raises_proves_nothing(grader, toy: Path) -> None:
    write(toy, "misconceptions.py", SQUARE.replace("(ref, x)", "(x)"))
    assert "is not named as itself" in problems(grader, toy, "--lock")


def test_a_test_that_draws_nothing_is_run_once_for_all_rounds(grader, toy: Path) -> None:
    counted = "from pathlib import Path\n\nRUNS = Path(__file__).with_name('runs')\n"
    drawing = "\n\n@core\ndef test_drawn(submission, rng):\n    x = rng.normal(size=3)\n    assert_close(submission.double(x), 2 * x)\n"
    counting = "def test_values(submission):\n    with RUNS.open('a') as runs:\n        runs.write('.')"
    write(toy, "hidden/test_double.py", counted + TEST.replace("def test_values(submission):", counting) + drawing)
    ran = grader("verify", "toy", "--lock", "--seeds", "4", "--course", toy)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    # The reference, the template, the mistake and its variant.
    assert (toy / "assignments" / "toy" / "hidden" / "runs").read_text("utf-8") == "...."


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="tells how many threads a process has")
def test_it_computes_in_one_thread_for_threads_that_wait_for_each_other_are_slower(grader, toy: Path) -> None:
    counting = "from pathlib import Path\n\nassert len(list(Path('/proc/self/task').iterdir())) == 1\n"
    write(toy, "hidden/test_double.py", counting + TEST)
    ran = grader("verify", "toy", "--lock", "--course", toy)
    assert ran.returncode == 0, ran.stdout + ran.stderr


BLIND = """

@core
def test_nothing(submission):
    submission.double(np.array([0.0, 2.0]))
"""


def test_a_test_in_which_no_mistake_differs_from_the_reference_is_noted(grader, toy: Path) -> None:
    # 0 and 2 are the two numbers whose square is their double.
    write(toy, "hidden/test_double.py", TEST + BLIND)
    told = grader("verify", "toy", "--lock", "--course", toy).stdout
    noted = "no mistake of the exercise differs from the reference in any call of these tests:"
    assert f"{noted}\n    hidden/test_double.py::test_nothing\n" in told
    write(toy, "hidden/test_double.py", TEST + BLIND.replace("2.0", "3.0"))
    assert noted not in grader("verify", "toy", "--lock", "--course", toy).stdout
