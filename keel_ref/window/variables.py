"""The variables and settings of this area, read from what a caller hands over. Spec: WIN-030 to WIN-033."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Final, TypeVar

from attrs import Factory, define

from keel_ref.choices import Choices, NumberForm, is_truthy
from keel_ref.constants import Constants
from keel_ref.errors import InvalidArgumentError
from keel_ref.text import trim_white_space
from keel_ref.window.numbers import Decimal, read_percentage, read_whole
from keel_ref.window.reports import ValueReason, ValueReport

T = TypeVar("T")
INTERNAL_USER: Final = "ant"
"""The value of `USER_TYPE` of those who may set the window. Spec: WIN-003."""
AUTO_COMPACT_ENABLED: Final = "autoCompactEnabled"
"""The setting that switches automatic compaction. Spec: WIN-018."""
OFF_WORDS: Final = ("", "0", "false", "no", "off")
"""Texts that say off in so many words. Spec: WIN-030."""


class Variable(StrEnum):
    """Every variable that is looked at."""

    USER_TYPE = "USER_TYPE"
    MAX_CONTEXT_TOKENS = "CLAUDE_CODE_MAX_CONTEXT_TOKENS"
    DISABLE_1M_CONTEXT = "CLAUDE_CODE_DISABLE_1M_CONTEXT"
    MAX_OUTPUT_TOKENS = "CLAUDE_CODE_MAX_OUTPUT_TOKENS"
    AUTO_COMPACT_WINDOW = "CLAUDE_CODE_AUTO_COMPACT_WINDOW"
    PERCENTAGE = "CLAUDE_AUTOCOMPACT_PCT_OVERRIDE"
    BLOCKING_LIMIT = "CLAUDE_CODE_BLOCKING_LIMIT_OVERRIDE"
    DISABLE_COMPACT = "DISABLE_COMPACT"
    DISABLE_AUTO_COMPACT = "DISABLE_AUTO_COMPACT"


@define
class Reader:
    """Reads one variable after the other, and keeps what there is to say about each, in that order."""

    env: Mapping[str, str]
    """Name to text. Nothing else of an environment is seen."""
    choices: Choices
    """How texts are read."""
    constants: Constants
    """How large a number may be."""
    reports: list[ValueReport] = Factory(list)
    """What was decided so far."""

    def report(self, reason: ValueReason, name: str) -> None:
        """Keep one decision."""
        self.reports.append(ValueReport(reason, str(name)))

    def is_on(self, variable: Variable) -> bool:
        """A switch. Spec: WIN-030."""
        text = self.env.get(variable)
        is_on = is_truthy(text, self.choices.truthy)  # [WIN-030]
        if not is_on and text is not None and trim_white_space(text).lower() not in OFF_WORDS:
            self.report(ValueReason.NO_SWITCH, variable)
        return is_on

    def whole(self, variable: Variable) -> int | None:
        """A whole number of at least 1; None where there is none that can be used. Spec: WIN-031."""
        return self._number(variable, read_whole)

    def percentage(self, variable: Variable) -> Decimal | None:
        """A percentage above 0 and up to 100; None where there is none that can be used. Spec: WIN-032."""
        return self._number(variable, read_percentage)

    def _number(
        self,
        variable: Variable,
        read: Callable[[str, NumberForm, Constants], tuple[T | None, tuple[ValueReason, ...]]],
    ) -> T | None:
        text = self.env.get(variable, "")
        if not text:  # [WIN-031] empty is not set
            return None
        number, reasons = read(text, self.choices.number, self.constants)
        for reason in reasons:
            self.report(reason, variable)
        return number


def checked_env(env: object) -> Mapping[str, str]:
    """The variables, or `InvalidArgumentError`. Spec: WIN-008."""
    if not isinstance(env, Mapping):
        raise InvalidArgumentError("env", "is no map of names to texts; give an object such as {}")
    for name, text in env.items():
        if not isinstance(text, str) or not isinstance(name, str):
            raise InvalidArgumentError("env", f"the value of {name!r} is no text; leave out what is not set")
    return env


def checked_settings(settings: object) -> Mapping[str, object]:
    """The settings, or `InvalidArgumentError`. Spec: WIN-008."""
    if not isinstance(settings, Mapping):
        raise InvalidArgumentError("settings", "is no map of names to values; give an object such as {}")
    return settings
