"""Where a used count stands among the limits. Spec: WIN-020 to WIN-024."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from attrs import field, frozen
from attrs.validators import ge, le

from keel_ref.choices import Choices
from keel_ref.constants import DEFAULT, Constants
from keel_ref.units import div_half_up
from keel_ref.window.limits import NOTHING, Limits, window_limits
from keel_ref.window.reports import ValueReason, ValueReport

FULL_PERCENT = 100
FULL_PER_MILLE = 1_000


@frozen(kw_only=True)
class WindowState:
    """The five fields of a state, and what they were made from. Spec: WIN-020."""

    percent_left: int = field(validator=[ge(0), le(FULL_PERCENT)])
    """What is left of the base, in per cent, rounded half up. Spec: WIN-021."""
    is_above_warning: bool
    """At or above the warning threshold."""
    is_above_error: bool
    """At or above the error threshold."""
    is_above_auto: bool
    """Automatic compaction is on, and due. Spec: WIN-022."""
    is_at_blocking: bool
    """At or above the blocking limit."""
    used_tokens: int = field(validator=ge(0))
    """The use that was compared: what was counted, less what was freed. Spec: WIN-022, WIN-023."""
    limits: Limits
    """What it was compared with."""
    reports: tuple[ValueReport, ...] = ()
    """What was decided about the values behind it, those of the limits first. Spec: WIN-033."""

    def used_per_mille(self, base: int) -> int | None:
        """The use in thousandths of a base, rounded half up, without a cap; None of nothing. Spec: WIN-024."""
        return div_half_up(self.used_tokens * FULL_PER_MILLE, base) if base else None  # [WIN-024]


def state_of(limits: Limits, used: object, *, freed: object = 0) -> WindowState:
    """The state of a use in tokens, of which `freed` is gone already. Spec: WIN-020 to WIN-023.

    What is no whole number of at least 0 counts as 0 and is reported; nothing is raised.
    """
    reports: list[ValueReport] = []
    counted, gone = usage_of("used", used, reports), usage_of("freed", freed, reports)
    if gone > counted:
        reports.append(ValueReport(ValueReason.CLAMPED, "used"))
    left = max(0, counted - gone)  # [WIN-022]
    return WindowState(
        percent_left=_percent_left(limits.base, left),
        is_above_warning=left >= limits.warning,  # [WIN-020] at the threshold is above it
        is_above_error=left >= limits.error,
        is_above_auto=limits.is_enabled and left >= limits.auto,
        is_at_blocking=left >= limits.blocking,
        used_tokens=left,
        limits=limits,
        reports=(*limits.reports, *reports),
    )


def window_state(
    model: str | None,
    used_tokens: object,
    *,
    env: Mapping[str, str] = NOTHING,
    settings: Mapping[str, Any] = NOTHING,
    window: int | None = None,
    max_output: int | None = None,
    betas: Sequence[str] = (),
    choices: Choices = Choices(),  # noqa: B008 (frozen)
    constants: Constants = DEFAULT,
) -> WindowState:
    """Where a use stands in a session with that model; `window_limits` says what the arguments are. Spec: WIN-020."""
    limits = window_limits(
        model,
        window=window,
        max_output=max_output,
        betas=betas,
        env=env,
        settings=settings,
        choices=choices,
        constants=constants,
    )
    return state_of(limits, used_tokens)


def _percent_left(base: int, used: int) -> int:
    """What is left of a base, 0 to 100. Spec: WIN-021."""
    if base == 0:
        return 0  # [WIN-021] of nothing, nothing is left
    return max(0, div_half_up((base - used) * FULL_PERCENT, base))  # [WIN-021]


def usage_of(name: str, value: object, reports: list[ValueReport]) -> int:
    """An amount of tokens; 0 where it cannot be used. Spec: WIN-023."""
    if isinstance(value, float) and value.is_integer():  # [WIN-023] whole, however it is stored
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        reports.append(ValueReport(ValueReason.BAD_USAGE, name))
        return 0
    return value
