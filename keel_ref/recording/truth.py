"""What somebody saw of a session beside its record: a truth file, as the recorded sessions have one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from attrs import frozen

from keel_ref.errors import InvalidArgumentError
from keel_ref.messages.rows import as_list, as_object
from keel_ref.recording.course import INLINED, NAMED, Restored
from keel_ref.units import div_floor

NANOSECONDS: Final = 1_000
"""Nanoseconds of a microsecond."""
_FORM: Final = "see spec/guides/recordings.md for its form"


@frozen(kw_only=True)
class SeenAttempt:
    """An attempt at a compaction."""

    is_success: bool
    restored: Sequence[Restored] | None
    """What was put back, in the order sent; None: nobody looked."""


@frozen(kw_only=True)
class Truth:
    """What was seen; None where nobody looked."""

    attempts: Sequence[SeenAttempt] | None = None
    modified_us: Mapping[str, int] | None = None
    """When each file was changed last."""
    boundaries: Sequence[tuple[str | None, int | None]] | None = None
    """Trigger and tokens before of each boundary."""


def read_truth(value: object) -> Truth:
    """The truth that an object of JSON says. Raises `InvalidArgumentError`; keys that it does not know do no harm."""
    held = as_object(value)
    if held is None:
        raise InvalidArgumentError("truth", f"is no JSON object; {_FORM}")
    attempts, times, boundaries = (held.get(name) for name in ("attempts", "mtimes_ns", "boundaries"))
    return Truth(
        attempts=None if attempts is None else tuple(map(_attempt, _list("attempts", attempts))),
        modified_us=None if times is None else _times(times),
        boundaries=None if boundaries is None else tuple(map(_boundary, _list("boundaries", boundaries))),
    )


def _list(name: str, value: object) -> Sequence[Any]:
    found = as_list(value)
    if found is None:
        raise InvalidArgumentError("truth", f"{name} is no list; {_FORM}")
    return found


def _attempt(value: object) -> SeenAttempt:
    held = as_object(value) or {}
    success, restored = held.get("succeeded"), held.get("restored")
    if not isinstance(success, bool):
        raise InvalidArgumentError("truth", f"an attempt does not say whether it succeeded; {_FORM}")
    files = None if restored is None else tuple(map(_file, _list("restored", restored)))
    return SeenAttempt(is_success=success, restored=files)


def _file(value: object) -> Restored:
    held = as_object(value) or {}
    path, how = held.get("path"), held.get("how")
    if not isinstance(path, str) or how not in {INLINED, NAMED}:
        raise InvalidArgumentError("truth", f"a restored file needs path and how, {INLINED} or {NAMED}; {_FORM}")
    return Restored(path=path, how=str(how))


def _times(value: object) -> Mapping[str, int]:
    held = as_object(value)
    if held is None or not all(isinstance(at, int) and not isinstance(at, bool) for at in held.values()):
        raise InvalidArgumentError("truth", f"mtimes_ns does not map paths to whole numbers; {_FORM}")
    return {str(path): div_floor(at, NANOSECONDS) for path, at in held.items()}


def _boundary(value: object) -> tuple[str | None, int | None]:
    held = as_object(value) or {}
    trigger, tokens = held.get("trigger"), held.get("preTokens")
    is_whole = isinstance(tokens, int) and not isinstance(tokens, bool)
    return trigger if isinstance(trigger, str) else None, tokens if is_whole else None
