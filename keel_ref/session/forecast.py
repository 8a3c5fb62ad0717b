"""How many responses and turns are left until each stage, and with other settings. Rule S11."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from attrs import frozen

from keel_ref.session.timeline import Step
from keel_ref.transcript.log import LogRow
from keel_ref.units import div_ceil, div_half_up
from keel_ref.window.limits import Limits
from keel_ref.window.variables import Variable

MOST_STEPS: Final = 20
"""The rate is taken from so many responses at most."""
STAGES: Final = ("warning", "auto", "blocking")


@frozen(kw_only=True)
class Rate:
    """How fast the context grew lately."""

    used_tokens: int
    """What the next request will find."""
    grown_tokens: int
    """Growth over the responses below."""
    responses: int
    """Responses at which it did not become smaller, the last 20 of them at most."""
    turns: int
    """Prompts of a person among them."""

    @property
    def per_response(self) -> int | None:
        """Tokens a response; None: nothing to tell it by."""
        return div_half_up(self.grown_tokens, self.responses) if self.responses and self.grown_tokens > 0 else None

    def responses_to(self, threshold: int) -> int | None:
        """Responses until a use of that size; 0: it is reached; None: at this rate never, or not known."""
        if self.used_tokens >= threshold:
            return 0
        if not self.responses or self.grown_tokens <= 0:
            return None
        return div_ceil((threshold - self.used_tokens) * self.responses, self.grown_tokens)

    def turns_to(self, threshold: int) -> int | None:
        """The same in turns, each of which begins with a prompt."""
        if self.used_tokens >= threshold:
            return 0
        if not self.turns or not self.responses or self.grown_tokens <= 0:
            return None
        return div_ceil((threshold - self.used_tokens) * self.turns, self.grown_tokens)


@frozen(kw_only=True)
class WhatIf:
    """The thresholds under another setting."""

    setting: str
    limits: Limits


def find_rate(steps: Sequence[Step], rows: Sequence[LogRow]) -> Rate:
    """The rate at the end of the session, over the last responses at which the context did not become smaller."""
    end = steps[-1].size_tokens if steps else 0
    grown = responses = turns = 0
    last: Step | None = None
    for step in reversed(steps[:-1]):
        if responses == MOST_STEPS:
            break
        if last is not None and last.response is not None and step.response is not None and not last.cuts:
            growth = last.response.usage.input_total - step.response.usage.input_total
            if growth >= 0:  # what fell says nothing of how fast it grows
                grown += growth
                responses += 1
                turns += sum(rows[place].is_prompt for place in last.before)
        last = step
    return Rate(used_tokens=end, grown_tokens=grown, responses=responses, turns=turns)


def find_what_ifs(
    make: Callable[[Mapping[str, str], str], Limits], now: Limits, *, may_be_large: bool
) -> tuple[WhatIf, ...]:
    """Other settings that somebody may try, as far as they change a threshold. Spec: WIN-010, WIN-014, WIN-018."""
    return tuple(one for one in _what_ifs(make, may_be_large=may_be_large) if _differs(one.limits, now))


def _differs(one: Limits, now: Limits) -> bool:
    return (one.auto, one.blocking, one.warning, one.is_enabled) != (
        now.auto,
        now.blocking,
        now.warning,
        now.is_enabled,
    )


def _what_ifs(make: Callable[[Mapping[str, str], str], Limits], *, may_be_large: bool) -> Iterator[WhatIf]:
    settings = (
        (Variable.PERCENTAGE, "50"),
        (Variable.PERCENTAGE, "80"),
        (Variable.AUTO_COMPACT_WINDOW, "100000"),
        (Variable.DISABLE_AUTO_COMPACT, "1"),
    )
    for name, value in settings:
        yield WhatIf(setting=f"{name}={value}", limits=make({str(name): value}, ""))
    if may_be_large:
        yield WhatIf(setting="[1m] behind the model's name", limits=make({}, "[1m]"))
