"""How large a result of a tool may be. Spec: CMP-021."""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite
from typing import Any, Final

from attrs import frozen

from keel_ref.constants import Constants
from keel_ref.errors import InvalidArgumentError

INFINITE: Final = "infinite"
"""What a tool declares whose results are never saved."""


@frozen(kw_only=True)
class Limits:
    """The limits of all tools, and which remote values could not be used."""

    declared: Mapping[str, int | None]
    """What a tool declares; None is infinite, and a tool that is not here declares nothing."""
    overrides: Mapping[str, int]
    """Remote values that can be used."""
    ignored: tuple[str, ...]
    """Tools whose remote value cannot be used, in code-point order."""
    cap_units: int
    """Ceiling for a declared limit, and the limit of a tool that declares none."""

    def limit(self, tool: str | None) -> int | None:
        """Units that one result of the tool may have; None: no limit. Spec: CMP-021."""
        if not tool:
            return self.cap_units
        declared = self.declared.get(tool, self.cap_units)
        if declared is None:
            return None  # [CMP-021] first of all: what it read can be read again, piece by piece
        return self.overrides.get(tool, min(declared, self.cap_units))  # [CMP-021] only an override passes the ceiling


def limits_of(declared: Mapping[str, Any], overrides: Mapping[str, Any], constants: Constants) -> Limits:
    """The limits of a scenario. Raises `InvalidArgumentError` for a declared limit that is none. Spec: CMP-021."""
    own: dict[str, int | None] = {"Bash": constants.shell_cap_units, "Read": None}
    own.update({tool: _declared(tool, value) for tool, value in declared.items()})
    usable = {tool: value for tool, held in overrides.items() if (value := _override(held)) is not None}
    ignored = sorted(tool for tool, held in overrides.items() if tool not in usable and held is not None)
    return Limits(declared=own, overrides=usable, ignored=tuple(ignored), cap_units=constants.result_cap_units)


def _declared(tool: str, value: object) -> int | None:
    if value == INFINITE:
        return None
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        problem = f"{value!r} is neither a whole number of at least 0 nor {INFINITE!r}"
        raise InvalidArgumentError(f"declared.{tool}", problem)
    return value


def _override(value: object) -> int | None:
    """A finite number above 0, rounded down, which no size can tell from the number itself. Spec: CMP-021."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value) or value <= 0:
        return None
    return int(value)
