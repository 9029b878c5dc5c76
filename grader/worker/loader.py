"""Imports the files of a submission from memory: nothing is written to disk, and nothing there can shadow them."""

from __future__ import annotations

import linecache
import sys
from collections.abc import Iterable, Mapping
from importlib import import_module
from importlib.machinery import ModuleSpec
from types import ModuleType

from grader.worker import worksheet
from grader.worker.imports import builtins_for
from grader.worker.source import decode


class Submission:
    """The modules of a submission, as Python's import system finds them once it is installed.

    A file is shown by its bare name ("attention.py") in tracebacks; `inspect.getsource` works.

    Args:
        files: From name to content.
        modules: Every module of the assignment, whether handed in or not.
        allowed: The packages it may import beside the standard library.
    """

    def __init__(self, files: Mapping[str, bytes], modules: Iterable[str] = (), allowed: Iterable[str] = ()) -> None:
        self.files = dict(files)
        self._homes = {file.rpartition(".")[0]: file for file in self.files}
        self._builtins = builtins_for(self.files, frozenset(modules), tuple(allowed))

    def install(self) -> None:
        """Put the submission's modules before all others that are not loaded yet."""
        sys.meta_path.insert(0, self)

    def uninstall(self) -> None:
        """Take them out again, those that were imported too."""
        sys.meta_path.remove(self)
        for module in self._imported():
            del sys.modules[module.__name__]
        for file in self.files:
            linecache.cache.pop(file, None)

    def load(self, module: str) -> ModuleType:
        """Return one module of the submission, imported where it was not yet.

        Raises:
            ModuleNotFoundError: There is no such file.
            BaseException: Whatever its import raises.
        """
        if module not in self._homes:
            raise ModuleNotFoundError(f"{module}.py was not handed in", name=module)
        return import_module(module)

    def replace(self, module: ModuleType, name: str, stand_in: object) -> None:
        """Put something in the place of a module's function, and of every name that an imported module has for that function."""
        original = vars(module).get(name, stand_in)
        setattr(module, name, stand_in)
        for other in self._imported():
            for alias in [alias for alias, value in vars(other).items() if value is original]:
                setattr(other, alias, stand_in)

    def _imported(self) -> list[ModuleType]:
        return [
            module
            for module in list(sys.modules.values())
            if getattr(getattr(module, "__spec__", None), "loader", None) is self
        ]

    def find_spec(self, fullname: str, path: object = None, target: object = None) -> ModuleSpec | None:  # noqa: ARG002  (the import system's signature)
        """Return how to import a module of the submission; see `importlib.abc.MetaPathFinder`."""
        if fullname not in self._homes:
            return None
        return ModuleSpec(fullname, self, origin=self._homes[fullname])  # type: ignore[arg-type]  # a loader without that base

    def create_module(self, spec: ModuleSpec) -> None:
        """Leave it to Python to make the module; see `importlib.abc.Loader`."""

    def exec_module(self, module: ModuleType) -> None:
        """Run a module; see `importlib.abc.Loader`.

        Raises:
            SyntaxError: It is no text, or no Python.
            BaseException: Whatever it raises.
        """
        file = self._homes[module.__name__]
        text = self.get_source(module.__name__)
        module.__file__ = file
        if file.endswith(worksheet.SUFFIX):
            return worksheet.fill(module, text, file)
        module.__dict__["__builtins__"] = self._builtins
        code = compile(text, file, "exec", dont_inherit=True)
        exec(code, module.__dict__)  # noqa: S102  (to run a submission is what this process is for)
        return None

    def get_source(self, fullname: str) -> str:
        """Return a module's text, for `inspect` and tracebacks; see `importlib.abc.InspectLoader`.

        Raises:
            SyntaxError: Its bytes are no text.
        """
        file = self._homes[fullname]
        return decode(file, self.files[file])
