"""What an answer says: a result, or one of the four ways of not giving one. Spec: protocol.md, errors."""

from collections.abc import Mapping
from typing import Any, assert_never

from attrs import field, frozen

from keel_ref.conformance.line import WireError, take_field


@frozen(kw_only=True)
class Ok:
    """A result."""

    value: Any = field(factory=dict)
    """An object; of a program that was run, the list of its steps' outcomes."""


@frozen(kw_only=True)
class ErrorAnswer:
    """The input is at fault, and the implementation says so."""

    kind: str
    """A registered kind, mapped from whatever the implementation raises."""
    message: str = ""
    """Free text, never compared."""


@frozen(kw_only=True)
class Unsupported:
    """Not claimed, so not done. For something that is claimed it is a failure."""

    capability: str


@frozen(kw_only=True)
class Declined:
    """Claimed, not done, and known: a failure that only the expected file excuses."""

    reason: str
    issue: str = ""


@frozen(kw_only=True)
class Internal:
    """A crash that was caught. It never stands for an expected error."""

    message: str
    trace: str = ""


Outcome = Ok | ErrorAnswer | Unsupported | Declined | Internal


def outcome_to_object(outcome: Outcome) -> dict[str, Any]:
    """An outcome as the one field of its JSON object."""
    match outcome:
        case Ok():
            return {"ok": outcome.value}
        case ErrorAnswer():
            return {"error": {"kind": outcome.kind, "message": outcome.message}}
        case Unsupported():
            return {"unsupported": {"capability": outcome.capability}}
        case Declined():
            issue = {"issue": outcome.issue} if outcome.issue else {}
            return {"declined": {"reason": outcome.reason, **issue}}
        case Internal():
            trace = {"trace": outcome.trace} if outcome.trace else {}
            return {"internal": {"message": outcome.message, **trace}}
        case _:
            assert_never(outcome)


def outcome_from_object(message: object) -> Outcome:
    """An outcome from its JSON object. Raises `WireError` where it is none, or two at once."""
    kinds = ("ok", "error", "unsupported", "declined", "internal")
    found = [kind for kind in kinds if kind in message] if isinstance(message, Mapping) else []
    if len(found) != 1 or not isinstance(message, Mapping):
        raise WireError(f"an answer holds exactly one of {', '.join(kinds)}")
    body = take_field(message, found[0], dict)
    match found[0]:
        case "ok":
            return Ok(value=body)
        case "error":
            return ErrorAnswer(kind=take_field(body, "kind", str), message=_text(body, "message"))
        case "unsupported":
            return Unsupported(capability=_text(body, "capability"))
        case "declined":
            return Declined(reason=_text(body, "reason"), issue=_text(body, "issue"))
        case _:
            return Internal(message=_text(body, "message"), trace=_text(body, "trace"))


def _text(body: Mapping[str, Any], name: str) -> str:
    """Free text that is never compared; anything else counts as none."""
    value = body.get(name, "")
    return value if isinstance(value, str) else ""
