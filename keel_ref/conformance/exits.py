"""What a run ends with, and the errors that end it early. Whose fault it is decides the code."""

from enum import IntEnum

from keel_ref.errors import KeelError


class ExitCode(IntEnum):
    """The exit code of the runner. Never a count of failures, never success on nothing."""

    CONFORMANT = 0
    """Every selected MUST of every claimed capability passed, and the expected file matched exactly."""
    NOT_CONFORMANT = 1
    """An unexpected failure, or an expected entry that does not hold."""
    USAGE = 2
    """A bad flag, an unknown id, a selector that matches nothing, a pinned suite that is another one."""
    ADAPTER = 3
    """The adapter did not start, shook hands badly, or had to be started too often."""
    INCONCLUSIVE = 4
    """Too few tests, a required capability not claimed, or only nondeterminism."""
    SUITE = 5
    """Our own fault: an internal error, or a test that fails its own lint."""


class UsageError(KeelError):
    """The command line, or a file that it names, cannot be used; ends with `ExitCode.USAGE`."""

    code = "usage"


class SuiteError(KeelError):
    """The suite itself is broken; ends with `ExitCode.SUITE`."""

    code = "suite_error"
