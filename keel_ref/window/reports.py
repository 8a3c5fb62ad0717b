"""What was decided about a value that makes up the limits: the closed list of reasons. Spec: WIN-033."""

from __future__ import annotations

from enum import StrEnum

from attrs import frozen


class ValueReason(StrEnum):
    """What became of a value. The words are part of the wire (errors.json, `values`)."""

    ASSUMED = "assumed"
    """Nobody said it, so the default stands."""
    REPLACED = "replaced"
    """It takes the place of what the model, or the rule, would give."""
    EXTENDED = "extended"
    """It makes the window the large one."""
    LOWERED = "lowered"
    """It lowers a window or a threshold."""
    NO_EFFECT = "no-effect"
    """It can be used, and changes nothing."""
    OVERRULED = "overruled"
    """Something that comes first has decided."""
    INTERNAL_ONLY = "internal-only"
    """It is heard from internal users alone."""
    NOT_SUPPORTED = "not-supported"
    """The model does not have what is asked for."""
    NO_NUMBER = "no-number"
    """A text that is no number."""
    OUT_OF_RANGE = "out-of-range"
    """A number that is not allowed here."""
    READ_IN_PART = "read-in-part"
    """The number at the head of a text that goes on; the rest was not looked at."""
    NO_SWITCH = "no-switch"
    """A text that means neither on nor off; it is off."""
    BAD_SETTING = "bad-setting"
    """A setting of the wrong type; the default stands."""
    SWITCHED_OFF = "switched-off"
    """Automatic compaction is off because of it."""
    CLAMPED = "clamped"
    """Below 0, so 0."""
    BAD_USAGE = "bad-usage"
    """No whole number of at least 0, so 0."""


@frozen
class ValueReport:
    """One decision about one value. Spec: WIN-033."""

    reason: ValueReason
    """What became of it."""
    name: str
    """The variable, setting, argument or limit."""

    def as_object(self) -> dict[str, str]:
        """In the form of the wire."""
        return {"reason": str(self.reason), "name": self.name}
