"""Which exercises have to do with a function: those that ask for it, or whose functions call it."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from grader.model.manifest import Manifest


def judges(manifest: Manifest, texts: Mapping[str, str]) -> dict[tuple[str, str], frozenset[str]]:
    """Return, for every function of the modules, the exercises whose tests judge it.

    A function that an exercise asks for is judged by that exercise alone, for its mistake must cost points there, a
    method too; a helper by every exercise that reaches it.

    Args:
        manifest: The assignment's.
        texts: The source of the reference, by module.
    """
    owners = {(e.module, name): frozenset({e.id}) for e in manifest.exercises for name in e.names}
    found: dict[tuple[str, str], frozenset[str]] = {}
    for module, text in texts.items():
        mentions = _mentions(ast.parse(text))
        for name in mentions:
            users = [
                owners[module, user]
                for user in mentions
                if (module, user) in owners and name in _reached(user, mentions)
            ]
            found[module, name] = owners.get((module, name)) or frozenset().union(*users)
    return found | {place: exercises for place, exercises in owners.items() if "." in place[1]}


def _mentions(tree: ast.Module) -> dict[str, set[str]]:
    """The names that each function or class of a module mentions."""
    return {
        node.name: {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
        for node in tree.body
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
    }


def _reached(start: str, mentions: Mapping[str, set[str]]) -> set[str]:
    reached: set[str] = set()
    waiting = [start]
    while waiting:
        fresh = {name for name in mentions[waiting.pop()] if name in mentions} - reached
        reached |= fresh
        waiting += fresh
    return reached
