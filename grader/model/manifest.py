"""`assignment.toml`: what an assignment is made of, as typed data."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from graphlib import CycleError, TopologicalSorter
from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

Identifier = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$", max_length=64)]
ExerciseId = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*\.[a-z][a-z0-9_]*$", max_length=128)]
FileName = Annotated[str, Field(pattern=r"^[A-Za-z][A-Za-z0-9_]*\.(py|toml)$", max_length=64)]
# A name of a program: a function, a class, or a method of a class of another exercise.
AskedName = Annotated[str, Field(pattern=r"^[A-Za-z_]\w*(\.[A-Za-z_]\w*)?$", max_length=128)]
ProgramName = Annotated[str, Field(pattern=r"^[A-Za-z][A-Za-z0-9_]*\.py$", max_length=64)]
SHEET = ".toml"
ANSWER = "answer"
DottedName = Annotated[str, Field(pattern=r"^[A-Za-z_]\w*(\.[A-Za-z_]\w*)*$", max_length=200)]
ArtifactName = Annotated[
    str, Field(pattern=r"^([A-Za-z][A-Za-z0-9_]*/)?[A-Za-z][A-Za-z0-9_]*\.[a-z0-9]+$", max_length=128)
]
DataName = Annotated[str, Field(pattern=r"^[A-Za-z][A-Za-z0-9_]*\.[a-z0-9]+$", max_length=64)]
Sha256 = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
GivenFile = Annotated[str, Field(pattern=r"^[A-Za-z][A-Za-z0-9_]*(\.py)?$", max_length=64)]
GivenName = Annotated[str, Field(pattern=r"^[A-Za-z][A-Za-z0-9_]*\.[A-Za-z]\w*$", max_length=128)]


class Strict(BaseModel):
    """A frozen model that refuses keys it does not know."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True, allow_inf_nan=False)


class Text(Strict):
    """One text in the languages of the course."""

    en: str = Field(min_length=1, description="English")
    zh_tw: str = Field(min_length=1, alias="zh-TW", description="Traditional Chinese")

    def said_in(self, language: str) -> str:
        """Return it in one language, `en` or `zh-TW`."""
        return self.zh_tw if language == "zh-TW" else self.en


class Limits(Strict):
    """What a worker may use. Time and arrays are per call, calls per test, the rest per worker."""

    cpu_seconds: float = Field(
        2.0, gt=0, le=3600, description="CPU seconds a call may take, whatever the reference takes"
    )
    reference_multiple: float = Field(
        100.0, ge=1, description="A call may also take this many times the reference's own time"
    )
    wall_seconds: float = Field(10.0, gt=0, le=7200, description="Wall-clock seconds a call may take")
    memory_mb: int = Field(
        1024, ge=64, description="MiB of memory on top of what the interpreter and the packages take"
    )
    processes: int = Field(64, ge=1, description="Threads and processes")
    open_files: int = Field(128, ge=16, description="Open file descriptors")
    file_mb: int = Field(16, ge=0, description="MiB of the largest file it may write")
    output_kb: int = Field(1024, ge=1, description="KiB of printed text that are kept")
    reply_mb: int = Field(
        64, ge=1, description="MiB of arrays that one call may return, its arguments as they are afterwards included"
    )
    calls: int = Field(
        10_000,
        ge=1,
        description="Calls that one test may make into the submission, and the submission back into the test",
    )


class Exercise(Strict):
    """One thing to implement, and what it is worth."""

    id: ExerciseId
    title: Text
    points: float = Field(gt=0, le=1000)
    file: FileName | None = Field(
        None, description="The file it lives in, where that is not the Python file named as the id begins"
    )
    names: list[AskedName] = Field(
        default=[],
        description=(
            "The functions or classes of the module that the exercise asks for, or a method of a class that another one asks for, "
            "as in `GPT.load_gpt2_state_dict`; of a worksheet, `answer`"
        ),
    )
    artifacts: list[ArtifactName] = Field(
        default=[],
        description="What the exercise judges in the place of functions: files that a program of the student wrote",
    )
    needs: list[ExerciseId] = Field(
        default=[], description="Exercises of this assignment whose functions this one may call"
    )
    writes_files: bool = Field(
        default=False, description="Whether its functions write files: some sandboxes have no place for them"
    )

    @property
    def module(self) -> str:
        """The module the exercise lives in: the name of its file, without `.py` or `.toml`."""
        return stem(self.file) if self.file else self.id.partition(".")[0]

    @property
    def definitions(self) -> list[str]:
        """The functions and classes that hold what the exercise asks for: of a method its class."""
        return [name.partition(".")[0] for name in self.names]

    @property
    def is_worksheet(self) -> bool:
        """Whether it is answered in a file of data, and no program."""
        return self.file is not None and self.file.endswith(SHEET)

    @model_validator(mode="after")
    def _asks_for_something(self) -> Self:
        if bool(self.names) is bool(self.artifacts):
            raise ValueError(f"exercise {self.id!r} asks either for `names` or for `artifacts`: give one of them")
        return self


class RubricItem(Strict):
    """One thing that a person looks for in an answer in words, and what it is worth."""

    id: Identifier
    title: Text
    points: float = Field(gt=0, le=1000)


class Artifact(Strict):
    """A file that a student's program wrote, and that is handed in with it: it is read as data, and never run."""

    file: ArtifactName = Field(description="Its name, or `folder/name`")
    max_kb: int = Field(1024, ge=1, le=65536, description="KiB that it may have")
    collect: Text | None = Field(
        None,
        description="What it is, where it is an answer in words: its text goes to the report, for a person to grade",
    )
    rubric: list[RubricItem] = Field(
        default=[],
        description="What a person looks for in the answer: its points count beside the exercises' once somebody gave some",
    )

    @model_validator(mode="after")
    def _is_graded_by_whom_it_says(self) -> Self:
        if self.rubric and self.collect is None:
            raise ValueError(f"{self.file} has a rubric, so a person reads it: say with `collect` what it is")
        if twice := [each.id for each in self.rubric if [one.id for one in self.rubric].count(each.id) > 1]:
            raise ValueError(f"the rubric of {self.file} has two items {twice[0]!r}")
        return self


class Data(Strict):
    """A file that the assignment gives to every student: it lies in `data/`."""

    file: DataName
    sha256: Sha256 = Field(description="Its SHA-256: a run over other data cannot be compared")


class Material(Strict):
    """A module that the assignment gives to every submission: it lies in `materials/`, and a submission may import it."""

    file: ProgramName
    names: list[str] = Field(min_length=1, description="The functions or classes in it that tests ask for")

    @property
    def module(self) -> str:
        """The module, without `.py`."""
        return self.file.removesuffix(".py")


class Manifest(Strict):
    """An assignment: its files, its exercises, its limits."""

    schema_version: int = Field(1, ge=1, le=1)
    id: Identifier
    title: Text
    files: list[FileName] = Field(min_length=1, description="The files taken from a submission; all others are ignored")
    after: list[Identifier] = Field(default=[], description="Assignments that come right before this one")
    allowed_imports: list[DottedName] = Field(
        default=["numpy"], description="Packages a submission may import, beside the standard library"
    )
    forbidden: list[DottedName] = Field(
        default=[], description="Ready-made answers: calling one is refused in the worker"
    )
    given: list[GivenName] = Field(
        default=[],
        description="Dataclasses that the template gives, as in `shapes.ModelShape`: their objects are arguments and results by value",
    )
    given_objects: list[GivenName] = Field(
        default=[],
        description="Classes that the template gives, as in `layers.LayerCache`, whose objects stay in the worker as those of a submission do",
    )
    given_files: list[GivenFile] = Field(
        default=[],
        description="Files and folders of `student_template/` that a kit holds as they are, such as a program over the student's modules; a submission has none of them",
    )
    materials: list[Material] = Field(default=[], description="Modules that every submission is given")
    artifacts: list[Artifact] = Field(
        default=[], description="Files of a submission that a program of the student wrote"
    )
    artifacts_by: str | None = Field(
        None,
        min_length=1,
        max_length=200,
        description="The command that writes the artifacts, given in the folder of the student's files: told where one is missing",
    )
    data: list[Data] = Field(default=[], description="Files that every student is given")
    limits: Limits = Limits()
    exercises: list[Exercise] = Field(min_length=1)

    @property
    def points(self) -> float:
        """What the whole assignment is worth."""
        return sum(exercise.points for exercise in self.exercises)

    @property
    def by_hand(self) -> dict[str, float]:
        """What an answer in words is worth, by its file."""
        return {each.file: sum(item.points for item in each.rubric) for each in self.artifacts if each.rubric}

    @property
    def taken(self) -> dict[str, int | None]:
        """What is taken of a submission, programs and artifacts, each with the most bytes that it may have; None where the usual holds."""
        return dict.fromkeys(self.files) | {each.file: each.max_kb * 1024 for each in self.artifacts}

    @property
    def modules(self) -> list[str]:
        """The modules of a submission, in the order of `files`."""
        return [stem(name) for name in self.files]

    @property
    def programs(self) -> list[str]:
        """The modules that are programs, each of which has a template: a worksheet is written for its student."""
        return [stem(name) for name in self.files if not name.endswith(SHEET)]

    @property
    def answered(self) -> list[str]:
        """The programs in which exercises live; the others are of other assignments, or only given."""
        return [module for module in self.programs if any(each.module == module for each in self.exercises)]

    @property
    def worksheet(self) -> Exercise | None:
        """The exercise that is a worksheet; None where there is none."""
        return next((exercise for exercise in self.exercises if exercise.is_worksheet), None)

    def file_of(self, module: str) -> str:
        """Return the file of one of the modules, of the submission or given to it."""
        return next(name for name in [*self.files, *(each.file for each in self.materials)] if stem(name) == module)

    def exercise(self, exercise_id: str) -> Exercise:
        """Return one exercise by id.

        Raises:
            KeyError: No exercise has that id.
        """
        return next((e for e in self.exercises if e.id == exercise_id), None) or _missing(exercise_id)

    def prerequisites(self, exercise_id: str) -> list[str]:
        """Return all exercises that one needs, directly or through others, in the order of the manifest."""
        found: set[str] = set()
        waiting = [exercise_id]
        while waiting:
            fresh = set(self.exercise(waiting.pop()).needs) - found
            found |= fresh
            waiting += sorted(fresh)
        return [e.id for e in self.exercises if e.id in found]

    @property
    def homes(self) -> dict[str, str]:
        """The module of every function or class that a test may ask for."""
        asked = {name: exercise.module for exercise in self.exercises for name in exercise.definitions}
        asked |= {name: module for module, _, name in (dotted.partition(".") for dotted in self.given_objects)}
        return asked | {name: material.module for material in self.materials for name in material.names}

    @model_validator(mode="after")
    def _materials_are_its_own(self) -> Self:
        asked = [name for exercise in self.exercises for name in exercise.names]
        asked += [name for material in self.materials for name in material.names]
        packages = {name.partition(".")[0] for name in self.allowed_imports} | sys.stdlib_module_names
        for material in self.materials:
            if material.module in packages or material.module in self.modules:
                raise ValueError(
                    f"{material.file} is a material, and a submission could not tell it from another module "
                    f"{material.module!r} that it may import: give it another name"
                )
            if [each.file for each in self.materials].count(material.file) > 1:
                raise ValueError(f"the material {material.file} stands twice")
            if twice := [name for name in material.names if asked.count(name) > 1]:
                raise ValueError(f"`{twice[0]}` of the material {material.file} is the name of something else too")
        return self

    @property
    def given_names(self) -> list[str]:
        """The names of the classes that are given, without their modules."""
        return [name.partition(".")[2] for name in self.given]

    @model_validator(mode="after")
    def _gives_what_it_has(self) -> Self:
        asked = [name for exercise in self.exercises for name in exercise.names]
        given = [*self.given, *self.given_objects]
        asked += [dotted.partition(".")[2] for dotted in given]
        for dotted in given:
            module, _, name = dotted.partition(".")
            if f"{module}.py" not in self.files:
                raise ValueError(f"{dotted!r} is given in {module}.py, which is not among files {self.files}")
            if asked.count(name) > 1:
                raise ValueError(f"{dotted!r} is given, so nothing else of this assignment can be called {name}")
        if both := [name for name in self.given_files if name.removesuffix(".py") in self.modules]:
            raise ValueError(f"{both[0]} is given as it is, and a student writes it too: it is one or the other")
        return self

    @model_validator(mode="after")
    def _judges_what_it_takes(self) -> Self:
        files = [each.file for each in self.artifacts]
        for names in (files, [each.file for each in self.data]):
            if twice := [name for name in names if names.count(name) > 1]:
                raise ValueError(f"{twice[0]} stands twice")
        if both := [name for name in files if name in self.files]:
            raise ValueError(f"{both[0]} is among `files` and among `artifacts`: it is one or the other")
        for exercise in self.exercises:
            if strange := [name for name in exercise.artifacts if name not in files]:
                raise ValueError(f"exercise {exercise.id!r} judges {strange[0]}, which is not among artifacts {files}")
        return self

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        ids = [exercise.id for exercise in self.exercises]
        _refuse_duplicates(ids)
        _refuse_two_of_a_name(self.files)
        names = [f"{exercise.module}.{name}" for exercise in self.exercises for name in exercise.names]
        if twice := [name for name in names if names.count(name) > 1]:
            raise ValueError(f"two exercises ask for `{twice[0]}`: a function is one exercise's")
        if lost := [name for name in names if name.count(".") > 1 and name.rpartition(".")[0] not in names]:
            raise ValueError(f"`{lost[0]}` is a method of a class that no exercise asks for: name that in one too")
        for exercise in self.exercises:
            if exercise.names and (home := exercise.file or f"{exercise.module}.py") not in self.files:
                raise ValueError(f"exercise {exercise.id!r} lives in {home}, which is not among files {self.files}")
            for need in exercise.needs:
                if need not in ids:
                    raise ValueError(
                        f"exercise {exercise.id!r} needs {need!r}, which is not an exercise of this assignment"
                    )
        try:
            tuple(TopologicalSorter({e.id: e.needs for e in self.exercises}).static_order())
        except CycleError as error:
            raise ValueError(f"exercises need each other in a circle: {' -> '.join(error.args[1])}") from error
        for position, exercise in enumerate(self.exercises):
            if late := [need for need in exercise.needs if ids.index(need) > position]:
                raise ValueError(f"exercise {exercise.id!r} stands before {late[0]!r}, which it needs: put it after")
        _refuse_strange_worksheets(self)
        return self


def stem(file: str) -> str:
    """Return the name of a file without its suffix."""
    return file.rpartition(".")[0]


def _refuse_two_of_a_name(files: Sequence[str]) -> None:
    stems = [stem(file) for file in files]
    if twice := [file for file in files if stems.count(stem(file)) > 1]:
        raise ValueError(f"files {' and '.join(twice)} would be one module: give them different names")


def _refuse_strange_worksheets(manifest: Manifest) -> None:
    """A worksheet holds answers and no functions: it can call nothing, nothing can call it, and one name asks for all of it."""
    sheets = [exercise for exercise in manifest.exercises if exercise.is_worksheet]
    homes = {exercise.file for exercise in sheets}
    if len(sheets) > 1:
        raise ValueError(f"exercises {sheets[0].id!r} and {sheets[1].id!r} are both worksheets: an assignment has one")
    if lost := [file for file in manifest.files if file.endswith(SHEET) and file not in homes]:
        raise ValueError(f"{lost[0]} is no exercise's: name it as the `file` of one")
    for exercise in manifest.exercises:
        if exercise.is_worksheet and (exercise.names != [ANSWER] or exercise.needs):
            raise ValueError(f"exercise {exercise.id!r} is a worksheet: its names are [{ANSWER!r}], and it needs none")
        if not exercise.is_worksheet and sheets and ANSWER in exercise.names:
            raise ValueError(f"exercise {exercise.id!r} asks for `{ANSWER}`, which is the worksheet's")
        if wrong := [need for need in exercise.needs if sheets and need == sheets[0].id]:
            raise ValueError(f"exercise {exercise.id!r} needs {wrong[0]!r}, which is a worksheet: nothing can call it")


def _missing(exercise_id: str) -> Exercise:
    raise KeyError(exercise_id)


def _refuse_duplicates(ids: Sequence[str]) -> None:
    for exercise_id in ids:
        if ids.count(exercise_id) > 1:
            raise ValueError(f"exercise {exercise_id!r} stands twice")
