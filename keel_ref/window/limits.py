"""The limits of a session: effective window, thresholds and switches. Spec: WIN-010 to WIN-018."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

from attrs import evolve, field, frozen
from attrs.validators import ge

from keel_ref.choices import Choices, WarningBase
from keel_ref.constants import DEFAULT, Constants
from keel_ref.errors import InvalidArgumentError
from keel_ref.window.reports import ValueReason, ValueReport
from keel_ref.window.size import Asked, output_of, window_of
from keel_ref.window.table import UNKNOWN, find_row
from keel_ref.window.variables import AUTO_COMPACT_ENABLED, Reader, Variable, checked_env, checked_settings

NOTHING: Final[Mapping[str, Any]] = MappingProxyType({})


@frozen(kw_only=True)
class Limits:
    """What one session may hold, and where each stage begins; all amounts in tokens. Spec: WIN-010 to WIN-018."""

    window: int = field(validator=ge(1))
    """Input and output together, as the model has it. Spec: WIN-001."""
    compact_window: int = field(validator=ge(1))
    """The part of it that is used. Spec: WIN-010."""
    max_output: int = field(validator=ge(1))
    """Most tokens of one answer. Spec: WIN-007."""
    reserve: int = field(validator=ge(1))
    """Kept free for the summary. Spec: WIN-011."""
    effective: int = field(validator=ge(0))
    """What is left of the window. Spec: WIN-012."""
    warning: int = field(validator=ge(0))
    """From here on the user is warned. Spec: WIN-015."""
    error: int = field(validator=ge(0))
    """From here on the warning is an error. Spec: WIN-015."""
    auto: int = field(validator=ge(0))
    """From here on automatic compaction is due. Spec: WIN-013, WIN-014."""
    blocking: int = field(validator=ge(0))
    """From here on no request is sent. Spec: WIN-016."""
    base: int = field(validator=ge(0))
    """What warning and error, and the percentage left, are counted from. Spec: WIN-015, WIN-021."""
    is_enabled: bool
    """Whether automatic compaction is on. Spec: WIN-018."""
    is_manual_enabled: bool
    """Whether the user can ask for a compaction. Spec: WIN-018."""
    reports: tuple[ValueReport, ...] = ()
    """What was decided about the values behind it, in the order of WIN-033."""


def window_limits(
    model: str | None = None,
    *,
    window: int | None = None,
    max_output: int | None = None,
    supports_1m: bool | None = None,
    betas: Sequence[str] = (),
    env: Mapping[str, str] = NOTHING,
    settings: Mapping[str, Any] = NOTHING,
    choices: Choices = Choices(),  # noqa: B008 (frozen)
    constants: Constants = DEFAULT,
) -> Limits:
    """The limits of a session with that model. Spec: WIN-001 to WIN-033.

    `window`, `max_output` (tokens) and `supports_1m` stand in the place of what the published table says of the model,
    each by itself. `env` is all that is seen of an environment; of `settings`, `autoCompactEnabled` alone is looked at.
    Raises `InvalidArgumentError` where an argument has the wrong form (WIN-008); no text of a variable does that.
    """
    asked = _asked(model, window, max_output, supports_1m, betas)
    reader = Reader(env=checked_env(env), choices=choices, constants=constants)
    values = checked_settings(settings)
    own = window_of(asked, reader)
    output = output_of(asked, reader)
    used = _compact_window(own, reader)
    reserve = min(output, constants.reserve_cap_tokens)  # [WIN-011] the smaller one
    effective = _at_least_nothing(used - reserve, "effective", reader)  # [WIN-012]
    auto = _auto_threshold(effective, reader)
    blocking = _blocking_limit(effective, reader)
    is_enabled, is_manual_enabled = _switches(values, reader)
    takes_auto = is_enabled or choices.warning_base is WarningBase.AUTO
    base = auto if takes_auto else effective  # [WIN-015]
    return Limits(
        window=own,
        compact_window=used,
        max_output=output,
        reserve=reserve,
        effective=effective,
        auto=auto,
        blocking=blocking,
        base=base,
        warning=_at_least_nothing(base - constants.warning_buffer_tokens, "warning", reader),  # [WIN-015]
        error=_at_least_nothing(base - constants.error_buffer_tokens, "error", reader),
        is_enabled=is_enabled,
        is_manual_enabled=is_manual_enabled,
        reports=tuple(reader.reports),
    )


def _asked(model: object, window: object, max_output: object, supports_1m: object, betas: object) -> Asked:
    """The model as a row, the caller's words before those of the table. Spec: WIN-006, WIN-008."""
    if model is not None and not isinstance(model, str):
        raise InvalidArgumentError("model", "is no text; give the name of a model")
    if supports_1m is not None and not isinstance(supports_1m, bool):
        raise InvalidArgumentError("supports_1m", "is neither true nor false")
    if isinstance(betas, str) or not isinstance(betas, Sequence) or not all(isinstance(one, str) for one in betas):
        raise InvalidArgumentError("betas", "is no list of texts; give the names of the beta headers")
    row = find_row(model)[1] if model else UNKNOWN
    given = {"window": _amount("window", window), "max_output": _amount("max_output", max_output)}
    told: dict[str, Any] = {**given, "supports_1m": supports_1m}
    row = evolve(row, **{name: value for name, value in told.items() if value is not None})  # [WIN-006] each by itself
    return Asked(model=model or "", betas=tuple(betas), row=row)


def _amount(name: str, value: object) -> int | None:
    """An amount of tokens; None where it was left out. Spec: WIN-008."""
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= DEFAULT.number_cap:  # [WIN-008]
        raise InvalidArgumentError(name, f"{value!r} is no whole number from 1 to {DEFAULT.number_cap}")
    return value


def _compact_window(own: int, reader: Reader) -> int:
    """The part of the window that is used. Spec: WIN-010."""
    value = reader.whole(Variable.AUTO_COMPACT_WINDOW)
    if value is None:
        return own
    reader.report(ValueReason.LOWERED if value < own else ValueReason.NO_EFFECT, Variable.AUTO_COMPACT_WINDOW)
    return min(own, value)  # [WIN-010] never larger


def _auto_threshold(effective: int, reader: Reader) -> int:
    """Where automatic compaction comes due. Spec: WIN-013, WIN-014."""
    auto = _at_least_nothing(effective - reader.constants.auto_buffer_tokens, "auto", reader)  # [WIN-013]
    percentage = reader.percentage(Variable.PERCENTAGE)
    if percentage is None:
        return auto
    share = percentage.share_of(effective)
    reader.report(ValueReason.LOWERED if share < auto else ValueReason.NO_EFFECT, Variable.PERCENTAGE)
    return min(share, auto)  # [WIN-014] the lower one


def _blocking_limit(effective: int, reader: Reader) -> int:
    """From where on no request is sent. Spec: WIN-016."""
    override = reader.whole(Variable.BLOCKING_LIMIT)
    if override is not None:
        reader.report(ValueReason.REPLACED, Variable.BLOCKING_LIMIT)
        return override  # [WIN-016] whatever the window is
    return _at_least_nothing(effective - reader.constants.blocking_buffer_tokens, "blocking", reader)


def _switches(settings: Mapping[str, Any], reader: Reader) -> tuple[bool, bool]:
    """Whether automatic compaction is on, and whether a manual one can be had. Spec: WIN-018."""
    off = [name for name in (Variable.DISABLE_COMPACT, Variable.DISABLE_AUTO_COMPACT) if reader.is_on(name)]
    names = [str(name) for name in off]
    match settings.get(AUTO_COMPACT_ENABLED):
        case False:
            names.append(AUTO_COMPACT_ENABLED)
        case None | True:
            pass
        case _:
            reader.report(ValueReason.BAD_SETTING, AUTO_COMPACT_ENABLED)  # [WIN-018] on, as without it
    for name in names:
        reader.report(ValueReason.SWITCHED_OFF, name)
    return not names, Variable.DISABLE_COMPACT not in off  # [WIN-018]


def _at_least_nothing(amount: int, name: str, reader: Reader) -> int:
    """An amount below 0 is 0, and said to be. Spec: WIN-017."""
    if amount < 0:
        reader.report(ValueReason.CLAMPED, name)
    return max(0, amount)  # [WIN-017]
