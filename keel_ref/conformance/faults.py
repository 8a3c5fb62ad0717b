"""What goes wrong in the specification's own files."""

from __future__ import annotations

from keel_ref.conformance.exits import SuiteError


class SpecFault(SuiteError):
    """A chapter or registry of ours is ill-formed: never the caller's fault, always ours."""

    code = "spec_fault"

    def __init__(self, *, path: str, line: int, problem: str) -> None:
        """Name the file, the line (0 where none is meant) and what is wrong there."""
        place = f"{path}:{line}" if line else path
        super().__init__(f"{place}: {problem}")
        self.path = path
        self.line = line
        self.problem = problem
