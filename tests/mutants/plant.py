"""Puts one fault into a module of the model when that is imported for the first time in a process."""

import sys
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from types import CodeType
from typing import Any

from tests.mutants.mutant import Mutant


class _Faulty(SourceFileLoader):
    """Compiles one module with the fault in it."""

    def __init__(self, name: str, path: str, mutant: Mutant) -> None:
        super().__init__(name, path)
        self.mutant = mutant

    def get_code(self, fullname: str) -> CodeType:
        """The code with the fault."""
        source = self.get_source(fullname) or ""
        assert source.count(self.mutant.old) == 1, f"{fullname}: the fault does not stand there once"
        code: CodeType = compile(source.replace(self.mutant.old, self.mutant.new), self.path, "exec", dont_inherit=True)
        return code


class _Finder(MetaPathFinder):
    """Finds that one module."""

    def __init__(self, mutant: Mutant) -> None:
        self.mutant = mutant

    def find_spec(self, fullname: str, path: Any, target: Any = None) -> ModuleSpec | None:  # noqa: ARG002
        """The module's place, with a loader of our own."""
        if fullname != self.mutant.module:
            return None
        spec = PathFinder.find_spec(fullname, path)
        assert spec is not None
        assert spec.origin is not None
        spec.loader = _Faulty(fullname, spec.origin, self.mutant)
        return spec


def plant(mutant: Mutant) -> None:
    """Whatever imports the module from now on gets the fault."""
    assert mutant.module not in sys.modules, "the fault would come too late"
    sys.meta_path.insert(0, _Finder(mutant))
