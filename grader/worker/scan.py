"""What a person should look at in a submission, found in its syntax before any of it runs.

A flag costs nothing. What is searched for can be written in other ways; this finds what is written plainly.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Container, Iterable, Iterator, Mapping
from warnings import catch_warnings, simplefilter

from grader.wire.messages import MAX_FLAGS, Flag

# Nothing that is watched has a longer name, and a long one that is taken from many times would be many times as long.
_LONGEST = 200

# Ways around the rules of an assignment, and into the process that runs it.
SUSPECT = frozenset(
    {
        "__import__",
        "builtins.__import__",
        "builtins.eval",
        "builtins.exec",
        "ctypes",
        "eval",
        "exec",
        "gc",
        "importlib",
        "inspect.currentframe",
        "inspect.stack",
        "sys._current_frames",
        "sys._getframe",
        "sys.meta_path",
        "sys.modules",
    }
)

_TELLING = frozenset({ast.Import, ast.ImportFrom, ast.Attribute, ast.Name, ast.Call})
_SILENT = frozenset({ast.Load, ast.Store, ast.Del, ast.Constant})


def scan(texts: Mapping[str, str], forbidden: Iterable[str]) -> list[Flag]:
    """Return the lines that name something forbidden or suspect, at most `MAX_FLAGS` of them.

    Args:
        texts: The submission, from file name to text. A file that is no Python has no flags: its import will say why.
        forbidden: Dotted names.
    """
    watched = SUSPECT | frozenset(forbidden)
    flags = {Flag(file, line, name) for file, text in texts.items() for line, name in _found(text, watched)}
    return sorted(flags, key=lambda flag: (flag.file, flag.line, flag.name))[:MAX_FLAGS]


def _found(text: str, watched: frozenset[str]) -> list[tuple[int, str]]:
    """Return the lines and names; none of a text that is no Python, or that takes more than there is to be looked through."""
    try:
        with catch_warnings():
            simplefilter("ignore")
            nodes = _telling(ast.parse(text))
        names = dict(pair for node in nodes for pair in _bound(node))
        # Every node that names something has a line.
        return [(node.lineno, name) for node in nodes for name in _named(node, names, watched)]  # type: ignore[attr-defined]
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []


def _telling(tree: ast.AST) -> list[ast.AST]:
    """Return the nodes that can name something, layer by layer: a few of many, so that the others are only passed by."""
    found: list[ast.AST] = []
    layer = [tree]
    while layer:
        found += [node for node in layer if type(node) in _TELLING]
        parts = [part for node in layer for part in vars(node).values()]
        layer = [part for part in parts if isinstance(part, ast.AST) and type(part) not in _SILENT]
        layer += [item for part in parts if type(part) is list for item in part if isinstance(item, ast.AST)]
    return found


def _bound(node: ast.AST) -> Iterator[tuple[str, str]]:
    """Yield the names that an import binds, with what each stands for."""
    match node:
        case ast.Import():
            for alias in node.names:
                top = alias.name.partition(".")[0]
                yield (alias.asname, alias.name) if alias.asname else (top, top)
        case ast.ImportFrom(module=str(module), level=0) if len(module) <= _LONGEST:
            for alias in node.names:
                yield alias.asname or alias.name, f"{module}.{alias.name}"


def _named(node: ast.AST, names: Mapping[str, str], watched: frozenset[str]) -> Iterable[str]:
    """Return the watched names that one node names."""
    match node:
        case ast.Import():
            return [hit for alias in node.names for hit in _hits(alias.name, watched)]
        case ast.ImportFrom(module=str(module), level=0) if len(module) <= _LONGEST:
            return [hit for alias in node.names for hit in _taken(module, alias.name, watched)]
        case ast.Attribute() | ast.Name():
            return _hits(_dotted(node, names), watched)
        case ast.Call(func=ast.Name(id="getattr"), args=[_, ast.Constant(value=str(text)), *_]):
            return [name for name in watched if name.rpartition(".")[2] == text]
        case ast.Call(func=ast.Name(id="getattr")):
            return ["getattr"]
        case _:
            return ()


def _taken(module: str, name: str, watched: frozenset[str]) -> list[str]:
    """Return the watched names that `from module import name` takes."""
    if name == "*":
        return [name for name in watched if name.startswith(f"{module}.")]
    return _hits(f"{module}.{name}", watched)


def _hits(dotted: str, watched: Container[str]) -> list[str]:
    """Return the prefixes of a dotted name that are watched, itself included."""
    hits, end = [], dotted.find(".")
    while end >= 0:
        if dotted[:end] in watched:
            hits.append(dotted[:end])
        end = dotted.find(".", end + 1)
    return [*hits, dotted] if dotted in watched else hits


def _dotted(node: ast.expr, names: Mapping[str, str]) -> str:
    """Return what an expression such as `F.softmax` stands for, as far as imports tell; "" where they do not."""
    attributes: list[str] = []
    while isinstance(node, ast.Attribute):
        attributes.insert(0, node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return ""
    root = names.get(node.id) or (node.id if node.id in vars(builtins) else "")
    return ".".join([root, *attributes])
