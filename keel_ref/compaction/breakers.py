"""The family of breakers: a cap on failures, and the safe state behind it. Spec: CMP-073, CMP-077."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, Self

from attrs import evolve, field, frozen
from attrs.validators import ge

from keel_ref.constants import DEFAULT, Constants
from keel_ref.errors import InvalidArgumentError


@frozen(kw_only=True)
class Breaker:
    """Counts the failures of one automatic loop."""

    in_row_cap: int = field(validator=ge(1))
    """Failures in a row at which it opens."""
    total_cap: int | None = None
    """Failures in all at which it opens for good; None: they do not matter."""
    in_row: int = field(default=0, validator=ge(0))
    """Failures since the last success."""
    total: int = field(default=0, validator=ge(0))
    """Failures in all."""

    @property
    def is_open(self) -> bool:
        """Whether the loop has to stay in its safe state."""
        by_total = self.total_cap is not None and self.total >= self.total_cap
        return self.in_row >= self.in_row_cap or by_total  # [CMP-077]

    def fail(self) -> Self:
        """One more failure."""
        return evolve(self, in_row=self.in_row + 1, total=self.total + 1)

    def succeed(self) -> Self:
        """A success: nothing is in a row any more; the total stays. Spec: CMP-073, CMP-077."""
        return evolve(self, in_row=0)


@frozen(kw_only=True)
class BreakerKind:
    """One member of the family."""

    breaker: Breaker
    """As it is when the session begins."""
    degraded: str
    """What happens once it is open."""


def breaker_family(constants: Constants = DEFAULT) -> Mapping[str, BreakerKind]:
    """Every breaker by its name. Spec: CMP-077."""
    family = {
        "auto_compact": BreakerKind(
            breaker=Breaker(in_row_cap=constants.compact_cap_failures),
            degraded="no automatic attempt for the rest of the session",
        ),
        "classifier": BreakerKind(
            breaker=Breaker(
                in_row_cap=constants.classifier_cap_denials, total_cap=constants.classifier_cap_total_denials
            ),
            degraded="ask the user",
        ),
        "cut_output": BreakerKind(
            breaker=Breaker(in_row_cap=constants.cut_output_cap_nudges), degraded="accept the output as it was cut"
        ),
        "long_summary": BreakerKind(
            breaker=Breaker(in_row_cap=constants.head_cap_retries), degraded="give up with an error"
        ),
    }
    return MappingProxyType(family)


FAMILY: Final = breaker_family()
"""The breakers of the described client."""


def find_breaker(name: str) -> BreakerKind:
    """The breaker of that name. Raises `InvalidArgumentError`, which names those that exist."""
    if name not in FAMILY:
        raise InvalidArgumentError("name", f"{name!r} is none of {', '.join(FAMILY)}")
    return FAMILY[name]
