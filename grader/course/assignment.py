"""An assignment on disk: its manifest and where its parts lie."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from grader.course.lock import FILE_NAME, LockedTest, read_lock
from grader.course.toml import load_toml
from grader.model.errors import CourseError
from grader.model.manifest import Manifest
from grader.model.verdict import Suite


@dataclass(frozen=True)
class Assignment:
    """An assignment of a course.

    Args:
        manifest: What `assignment.toml` says.
        folder: `assignments/<id>`.
        course: The folder that holds `assignments/`, and `reference/` unless it is a student's kit.
    """

    manifest: Manifest
    folder: Path
    course: Path

    @property
    def id(self) -> str:
        """The id, which is also the folder's name."""
        return self.manifest.id

    @property
    def misconceptions(self) -> Path:
        """Wrong implementations, in one file or a folder of them; missing in a kit."""
        folder = self.folder / "misconceptions"
        return folder if folder.is_dir() else self.folder / "misconceptions.py"

    @property
    def fingerprints(self) -> Path:
        """What each misconception gives on the visible inputs; all that a kit knows of them."""
        return self.folder / "visible" / "fingerprints.json"

    @property
    def equivalents(self) -> Path:
        """Mutants of the reference that do the same as it does; missing where there are none, and in a kit."""
        return self.folder / "equivalents.toml"

    @property
    def right_answers(self) -> list[Path]:
        """Whole right answers in unlike styles, none of which may lose a point."""
        return sorted((self.folder / "right_answers").glob("*.py"))

    @property
    def right_run(self) -> Path:
        """The artifacts of a right run, by the names that the manifest gives them; missing in a kit."""
        return self.folder / "right_run"

    def data(self, file: str) -> Path:
        """A file that every student is given."""
        return self.folder / "data" / file

    @property
    def worksheet(self) -> Path:
        """The questions of a worksheet; most assignments have none."""
        return self.folder / "worksheet.toml"

    def suite(self, suite: Suite) -> Path:
        """The folder of a suite."""
        return self.folder / suite

    def reference(self, module: str) -> Path:
        """The reference solution of a module; missing in a kit."""
        return self.course / "reference" / f"{module}.py"

    @property
    def readmes(self) -> list[Path]:
        """How students begin, in the languages of the course; none where it does not say."""
        return sorted((self.course / "student_template").glob("README*.md"))

    def template(self, module: str) -> Path:
        """What a student starts from."""
        return self.course / "student_template" / f"{module}.py"

    def original(self, module: str) -> Path:
        """What a student began with: in a kit a copy of it that nobody works in, in a course the template itself."""
        kept = self.folder / "template" / f"{module}.py"
        return kept if self.is_kit else self.template(module)

    @property
    def given_files(self) -> list[Path]:
        """What a student is given as it is, beside the templates; of a folder all its modules."""
        homes = [self.course / "student_template" / name for name in self.manifest.given_files]
        return [path for home in homes for path in (sorted(home.rglob("*.py")) if home.is_dir() else [home])]

    @property
    def materials(self) -> dict[str, Path]:
        """The modules that every submission is given, by the name of their file.

        Raises:
            CourseError: One of them is missing.
        """
        found = {each.file: self.folder / "materials" / each.file for each in self.manifest.materials}
        if lost := [path for path in found.values() if not path.is_file()]:
            raise CourseError(
                "the manifest names this material, and there is no such file",
                where=lost[0],
                hint="write it there, or take it out of `materials` in assignment.toml",
            )
        return found

    @property
    def is_kit(self) -> bool:
        """Whether this is a student's copy, without hidden tests and reference."""
        return not self.suite(Suite.HIDDEN).is_dir()

    def lock(self) -> list[LockedTest]:
        """Return the tests that count.

        Raises:
            CourseError: There is no lock, or it names an exercise that the manifest does not have.
        """
        tests = read_lock(self.folder / FILE_NAME)
        known = {exercise.id for exercise in self.manifest.exercises}
        for test in tests:
            if test.exercise not in known:
                raise CourseError(
                    f"test {test.id} belongs to {test.exercise!r}, which the manifest does not have",
                    where=self.folder / FILE_NAME,
                    hint="run `grader verify --lock`",
                )
        return tests


def load_assignment(folder: Path) -> Assignment:
    """Read the assignment in `folder`.

    Raises:
        CourseError: Its manifest is missing or wrong, or its id is not the folder's name.
    """
    path = folder / "assignment.toml"
    manifest = load_toml(path, Manifest)
    if manifest.id != folder.name:
        raise CourseError(
            f"id is {manifest.id!r}, but the folder is called {folder.name!r}",
            where=path,
            hint="give both the same name",
        )
    return Assignment(manifest, folder, folder.parent.parent)
