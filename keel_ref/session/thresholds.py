"""The window that a recording had, its thresholds, and whether the recording agrees. Rule S4."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any

from attrs import field, frozen

from keel_ref.choices import Choices, Gates
from keel_ref.constants import DEFAULT
from keel_ref.session.timeline import Step
from keel_ref.window.limits import Limits, window_limits


class Source(StrEnum):
    """What says how large the window was."""

    OPTION = "option"
    """Whoever asks."""
    MODEL = "model"
    """What is known of the model, or the default for one that nobody knows."""
    RECORD = "record"
    """The recording, which the model's window contradicts and the default window does not."""


@frozen(kw_only=True)
class Conditions:
    """What a recording does not say, as far as whoever asks knows it."""

    model: str | None = None
    """None: the model that answered last."""
    window: int | None = None
    max_output: int | None = None
    betas: Sequence[str] = ()
    env: Mapping[str, str] = field(factory=dict)
    settings: Mapping[str, Any] = field(factory=dict)
    gates: Gates = field(factory=Gates.released)
    choices: Choices = Choices()

    def limits(
        self, model: str | None, *, window: int | None = None, env: Mapping[str, str] | None = None, suffix: str = ""
    ) -> Limits:
        """The limits with that model, in another window or with other variables. Raises `InvalidArgumentError`."""
        name = self.model or model
        return window_limits(
            None if name is None else f"{name}{suffix}",
            window=window if window is not None else self.window,
            max_output=self.max_output,
            betas=self.betas,
            env={**self.env, **(env or {})},
            settings=self.settings,
            choices=self.choices,
        )


@frozen(kw_only=True)
class Window:
    """The limits that the recording is held against."""

    limits: Limits
    source: Source
    model: str | None
    contradiction: str = ""
    """Why the recording does not fit the window that is known of the model; empty where it does."""
    others: tuple[str, ...] = ()
    """Further models that answered, whose thresholds are others; the record is held against those of `model` alone."""


def find_window(model: str | None, steps: Sequence[Step], about: Conditions) -> Window:
    """The limits of the session. Raises `InvalidArgumentError` for a window that cannot be."""
    name = about.model or model
    known = about.limits(model)
    wrong = _contradiction(known, steps)
    if about.window is not None:
        return Window(limits=known, source=Source.OPTION, model=name, contradiction=wrong)
    others = _others(name, known, steps, about)
    if wrong:
        smaller = about.limits(model, window=DEFAULT.default_window_tokens)
        if smaller.auto < known.auto and not _contradiction(smaller, steps):
            return Window(limits=smaller, source=Source.RECORD, model=name, contradiction=wrong, others=others)
    return Window(limits=known, source=Source.MODEL, model=name, contradiction=wrong, others=others)


def _others(name: str | None, known: Limits, steps: Sequence[Step], about: Conditions) -> tuple[str, ...]:
    """Models that answered under other thresholds, by name."""
    if about.model is not None:
        return ()
    names = {step.response.model for step in steps if step.response is not None} - {name, None}
    return tuple(one for one in sorted(filter(None, names)) if about.limits(one).auto != known.auto)


def _contradiction(limits: Limits, steps: Sequence[Step]) -> str:
    """What in the recording cannot be with these limits. Spec: WIN-013, CMP-071."""
    sizes = [
        cut.boundary.pre_tokens
        for step in steps
        for cut in step.cuts
        if cut.boundary.trigger == "auto" and cut.boundary.pre_tokens is not None
    ]
    early = [size for size in sizes if size < limits.auto]  # [CMP-071] none begins below the threshold
    if early:
        times = "once" if len(early) == 1 else f"{len(early):,} times"
        return (
            f"it compacted by itself {times} below the threshold of {limits.auto:,} tokens, first at {early[0]:,}, so "
            f"its window was not {limits.window:,}, or a setting lowered the threshold"
        )
    largest = max((step.response.usage.input_total for step in steps if step.response is not None), default=0)
    if largest > limits.window:
        return f"a request held {largest:,} tokens, more than a window of {limits.window:,}"
    return ""


def stage_of(limits: Limits, used: int) -> str:
    """The highest stage that a use has reached. Spec: WIN-020."""
    if used >= limits.blocking:
        return "blocking"
    if limits.is_enabled and used >= limits.auto:
        return "auto"
    return "warning" if used >= limits.warning else "normal"
