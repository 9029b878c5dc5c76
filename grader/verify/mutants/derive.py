"""Derive all mutants of a module."""

from __future__ import annotations

from grader.template.markers import find_regions
from grader.verify.mutants.code import Code
from grader.verify.mutants.families.registry import FAMILIES
from grader.verify.mutants.mutant import Mutant, mutant
from grader.verify.mutants.walk import inside, solutions


def derive(module: str, text: str) -> list[Mutant]:
    """Return every mutant that an operator makes of a module's solutions, in the order of the text, none of them twice.

    Args:
        module: Its name, without `.py`.
        text: Its source.

    Raises:
        SyntaxError: The source is not Python.
        CourseError: The solutions are marked wrongly.
    """
    code = Code(text)
    found: dict[str, Mutant] = {}
    for name, function in solutions(code.tree, find_regions(text, f"{module}.py")):
        for node in inside(function):
            for family, edits in FAMILIES.items():
                for edit in edits(node, code):
                    found.setdefault(edit.applied(text), mutant(module, name, family, text, edit))
    found.pop(text, None)
    return sorted(found.values(), key=lambda each: each.edit)
