"""Everything an adapter can do wrong on the wire. Each is the adapter's fault, never the implementation's."""

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from keel_ref.conformance.match import FailureKind
from keel_ref.errors import KeelError


class Misdeed(StrEnum):
    """What an adapter did."""

    NOT_STARTED = "not_started"
    """The command cannot be run."""
    DIED = "died"
    """The process ended, perhaps in the middle of a line."""
    CLOSED_STDIN = "closed_stdin"
    """It takes no more requests; as good as dead."""
    HUNG = "hung"
    """No answer within the limit, perhaps half a line."""
    POLLUTED = "polluted"
    """A line on stdout that is no answer: a log line, invalid UTF-8, JSON without an id."""
    TOO_LONG = "too_long"
    """A line longer than `max_line`."""
    WRONG_ID = "wrong_id"
    """An answer to a request that was never sent."""
    ANSWERED_TWICE = "answered_twice"
    """A second answer to one request."""
    ILL_FORMED = "ill_formed"
    """An answer with the right id that breaks the wire's rules."""
    BAD_HELLO = "bad_hello"
    """A hello that is missing, ill-formed, or claims what nobody can claim."""
    WRONG_NONCE = "wrong_nonce"
    """A hello that does not repeat the nonce, so that it may be anybody's."""
    NO_SHARED_WIRE = "no_shared_wire"
    """It speaks no version of the wire that the suite speaks."""


_AS_FAILURE: Final[Mapping[Misdeed, FailureKind]] = MappingProxyType(
    {
        Misdeed.DIED: FailureKind.CRASH,
        Misdeed.CLOSED_STDIN: FailureKind.CRASH,
        Misdeed.HUNG: FailureKind.TIMEOUT,
    }
)


class Misbehaviour(KeelError):
    """An adapter broke the wire. Before its hello is accepted the run ends; after it, a test fails."""

    code = "adapter"

    def __init__(self, misdeed: Misdeed, problem: str, *, detail: str = "", stderr: tuple[str, ...] = ()) -> None:
        """Say what was done in words that are the same each time; what came goes into the detail."""
        super().__init__(f"{problem}: {detail}" if detail else problem)
        self.misdeed = misdeed
        self.problem = problem
        self.detail = detail
        self.stderr = stderr

    @property
    def failure_kind(self) -> FailureKind:
        """How a test fails on which this happened."""
        return _AS_FAILURE.get(self.misdeed, FailureKind.PROTOCOL)


class AdapterError(KeelError):
    """The adapter cannot be tested: it did not start, shook hands badly, or died too often. Ends with code 3."""

    code = "adapter"

    def __init__(self, problem: str, stderr: tuple[str, ...] = (), *, detail: str = "") -> None:
        """Say what is wrong in words that are the same each time; what came goes into the detail."""
        super().__init__(f"{problem}: {detail}" if detail else problem)
        self.problem = problem
        self.detail = detail
        self.stderr = stderr
