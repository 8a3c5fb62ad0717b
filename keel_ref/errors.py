"""What a caller can get wrong. Each error has a stable code, the one that travels on the wire. Spec: errors.json."""

from __future__ import annotations

from typing import ClassVar


class KeelError(Exception):
    """The root of every error that a caller can cause and mend; `str()` says what to do."""

    code: ClassVar[str] = "invalid_argument"


class InvalidArgumentError(KeelError):
    """An argument has the wrong form; `argument` names it."""

    def __init__(self, argument: str, problem: str) -> None:
        """Say which argument, and what is wrong with it."""
        super().__init__(f"{argument}: {problem}")
        self.argument = argument
        self.problem = problem


class NotAFolderError(KeelError):
    """The working folder is missing, is no folder, or cannot be reached."""

    code = "not_a_folder"

    def __init__(self, path: str, problem: str) -> None:
        """Say which folder, and why it is none."""
        super().__init__(f"{path}: {problem}; name an existing folder that can be read")
        self.path = path
        self.problem = problem


class UnknownFunctionError(KeelError):
    """A call names a function that this implementation does not have."""

    code = "unknown_function"

    def __init__(self, name: str) -> None:
        """Say which function was asked for."""
        super().__init__(f"{name}: no such function; see spec/functions.json")
        self.name = name


class UnknownChoiceError(KeelError):
    """A choice or gate, or its value, is not registered."""

    code = "unknown_choice"

    def __init__(self, name: str, value: str, allowed: tuple[str, ...]) -> None:
        """Say which choice, which value, and which values there are."""
        known = ", ".join(allowed) if allowed else "no choice of that name"
        super().__init__(f"{name}={value}: not registered ({known}); see spec/choices.json")
        self.name = name
        self.value = value
        self.allowed = allowed


class MalformedTreeError(KeelError):
    """A tree entry of a call has the wrong form; `path` names the entry."""

    code = "malformed_tree"

    def __init__(self, path: str, problem: str) -> None:
        """Say which entry, and what is wrong with it."""
        super().__init__(f"tree entry {path!r}: {problem}")
        self.path = path
        self.problem = problem


class NotSerialisableError(KeelError):
    """A value in a row has no JSON form; `place` names the block or the row. Spec: EST-027."""

    code = "not_serialisable"

    def __init__(self, place: str, problem: str) -> None:
        """Say where, and what is wrong with it."""
        super().__init__(f"{place}: {problem}; count what a request can hold")
        self.place = place
        self.problem = problem
