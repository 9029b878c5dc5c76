"""All families of operators. A new one is a line here."""

from __future__ import annotations

from grader.verify.mutants.families.arguments import arguments
from grader.verify.mutants.families.arithmetic import arithmetic
from grader.verify.mutants.families.axes import axes
from grader.verify.mutants.families.base import Family
from grader.verify.mutants.families.comparisons import comparisons
from grader.verify.mutants.families.conditions import conditions
from grader.verify.mutants.families.constants import constants
from grader.verify.mutants.families.counterparts import counterparts
from grader.verify.mutants.families.indices import indices
from grader.verify.mutants.families.operands import operands
from grader.verify.mutants.families.statements import statements

FAMILIES: dict[str, Family] = {
    "arithmetic": arithmetic,
    "operands": operands,
    "comparisons": comparisons,
    "conditions": conditions,
    "constants": constants,
    "axes": axes,
    "indices": indices,
    "arguments": arguments,
    "counterparts": counterparts,
    "statements": statements,
}
