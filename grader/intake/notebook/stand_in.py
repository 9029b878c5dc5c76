"""Notebooks that were handed in where modules are wanted."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from grader.intake.base import Problem, Refused
from grader.intake.blame import unreadable
from grader.intake.missing import is_lookalike
from grader.intake.names import is_notebook, shown
from grader.intake.notebook.cells import Cell, NoReaderError, code_cells
from grader.intake.notebook.module import made
from grader.intake.notebook.plain import Plain, plain_texts

Read = Callable[[str], bytes]


@dataclass
class StandIn:
    """What notebooks gave.

    Args:
        files: The modules that were made of them, by the names that are wanted.
        used: The notebooks that are somebody's modules, or were meant to be.
        refused: Why a notebook that is a module's could not be read as it, by the name of the module.
        notes: What else their student should know.
    """

    files: dict[str, bytes] = field(default_factory=dict)
    used: set[str] = field(default_factory=set)
    refused: dict[str, Problem] = field(default_factory=dict)
    notes: list[Problem] = field(default_factory=list)


@dataclass(frozen=True)
class Wanted:
    """The modules that are wanted of a folder.

    Args:
        modules: Their names.
        lacking: Those that are not there.
        most: Bytes that one may have.
    """

    modules: Collection[str]
    lacking: Collection[str]
    most: int


def stand_in(wanted: Wanted, names: Sequence[str], read: Read) -> StandIn:
    """Make modules of the notebooks of a folder.

    A notebook that is named as a module stands for it; any other is looked at for cells that are marked as a module's, and
    stands for it without marks where it is the only notebook and the module the only one that is wanted.

    Args:
        wanted: The modules.
        names: The files that are there.
        read: Returns the content of one of them; raises `Refused` or `OSError`.
    """
    notebooks = sorted(name for name in names if is_notebook(name))
    owners = _owners(wanted, notebooks)
    unowned = [module for module in sorted(wanted.lacking) if module not in owners]
    found = StandIn()
    for notebook in notebooks:
        own = [module for module, owner in owners.items() if owner == notebook]
        if own or unowned:
            modules = {**dict.fromkeys(own, True), **dict.fromkeys(unowned, False)}
            _add(found, notebook, _cells(notebook, read, wanted.most), modules, wanted.most)
    return found


def _owners(wanted: Wanted, notebooks: Sequence[str]) -> Mapping[str, str]:
    """Return the notebook that is each module's: named as it, nearly so, or the only one where nothing else is wanted."""
    owners = {module: near[0] for module in sorted(wanted.lacking) if len(near := _near(module, notebooks)) == 1}
    if len(notebooks) == len(wanted.modules) == 1:
        owners |= dict.fromkeys(wanted.lacking, notebooks[0])
    return owners


def _near(module: str, notebooks: Sequence[str]) -> list[str]:
    exact = f"{module.removesuffix('.py')}.ipynb"
    return [exact] if exact in notebooks else [each for each in notebooks if is_lookalike(each, module)]


def _cells(notebook: str, read: Read, most: int) -> list[tuple[Cell, Plain]] | Problem:
    try:
        cells = code_cells(notebook, read(notebook), most)
    except NoReaderError as error:
        return error.problem(notebook)
    except Refused as refused:
        return refused.problem
    except OSError as error:
        return unreadable(shown(notebook), error)
    return list(zip(cells, plain_texts([cell.source for cell in cells]), strict=True))


def _add(
    found: StandIn, notebook: str, cells: list[tuple[Cell, Plain]] | Problem, modules: Mapping[str, bool], most: int
) -> None:
    """Add what a notebook gives.

    Args:
        found: What notebooks gave before.
        notebook: Its name.
        cells: Its code cells, or why it cannot be read.
        modules: What may be made of it, each with whether it is this notebook's.
        most: Bytes that a module may have.
    """
    own = [name for name, is_own in modules.items() if is_own]
    found.used |= {notebook} if own else set()
    if isinstance(cells, Problem):
        found.refused |= {name: _instead(name, cells) for name in own}
        found.notes += [] if own else [cells]
        return
    for name, is_own in modules.items():
        module = made(notebook, name, cells, whole=is_own)
        wrong = _wrong(notebook, name, found, None if module is None else len(module.content), most)
        if module is not None and wrong is None:
            found.files[name] = module.content
            found.notes += module.problems
            found.used.add(notebook)
        elif is_own and wrong is not None:
            found.refused[name] = wrong
        elif module is not None and wrong is not None:
            found.notes.append(wrong)


def _wrong(notebook: str, name: str, found: StandIn, size: int | None, most: int) -> Problem | None:
    if size is None:
        hint = "write functions in code cells, save it and hand in again"
        return Problem(
            shown(name), f"{shown(notebook)} was handed in instead, and no code cell of it can be read", hint
        )
    if name in found.files:
        return Problem(shown(notebook), f"another notebook has cells of {name} too", "hand in one of the two")
    if size > most:
        return Problem(shown(name), f"the code of {shown(notebook)} is too large", "only code belongs in it, no data")
    return None


def _instead(name: str, problem: Problem) -> Problem:
    message = f"{problem.file} was handed in instead, and {problem.message}"
    return replace(problem, file=shown(name), message=message)
