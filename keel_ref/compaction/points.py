"""Figures of the layers whose inner working is not known. Spec: CMP-043, CMP-044."""

from __future__ import annotations

from attrs import frozen

from keel_ref.constants import DEFAULT, Constants

PERCENT = 100


@frozen(kw_only=True)
class CollapsePoints:
    """Where collapse acts, in tokens."""

    commit: int
    """From here on what is staged is committed."""
    block: int
    """From here on the request waits for it."""


@frozen(kw_only=True)
class ProviderClearing:
    """When the provider clears tool use by itself, in tokens of input. Spec: CMP-044."""

    trigger: int
    target: int
    at_least: int


def collapse_points(effective: int, constants: Constants = DEFAULT) -> CollapsePoints:
    """The two points of an effective window, rounded down. Spec: CMP-043."""
    window = max(0, effective)
    return CollapsePoints(
        commit=window * constants.collapse_commit_percent // PERCENT,  # [CMP-043]
        block=window * constants.collapse_block_percent // PERCENT,
    )


def provider_clearing(
    trigger: int | None = None, target: int | None = None, constants: Constants = DEFAULT
) -> ProviderClearing:
    """The three figures; what is None takes its default. Spec: CMP-044."""
    start = constants.clearing_trigger_tokens if trigger is None else trigger
    goal = constants.clearing_target_tokens if target is None else target
    return ProviderClearing(trigger=start, target=goal, at_least=max(0, start - goal))  # [CMP-044]
