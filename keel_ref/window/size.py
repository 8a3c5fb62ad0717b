"""How large the window of a model is, and who decided it. Spec: WIN-001 to WIN-007."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen

from keel_ref.window.reports import ValueReason
from keel_ref.window.table import ModelRow, has_suffix
from keel_ref.window.variables import INTERNAL_USER, Reader, Variable

BETA = "context-1m-"
"""How the name of the header begins that asks for the large window. Spec: WIN-005."""


@frozen(kw_only=True)
class Asked:
    """Who may ask for a window."""

    model: str
    """The model's name as it was given; empty where none was."""
    betas: tuple[str, ...]
    """The names of the beta headers."""
    row: ModelRow
    """What is known of the model."""


def is_large_beta(name: str) -> bool:
    """Whether a beta header asks for the large window. Spec: WIN-005."""
    return name.startswith(BETA)  # [WIN-005] whatever its date


def window_of(asked: Asked, reader: Reader) -> int:
    """The window in tokens. Spec: WIN-001."""
    own = reader.constants.default_window_tokens if asked.row.window is None else asked.row.window
    override = _internal_override(reader)
    is_off = reader.is_on(Variable.DISABLE_1M_CONTEXT)
    requests = _requests(asked)
    if override is not None:  # [WIN-003] before everything else
        _overrule(reader, [*([Variable.DISABLE_1M_CONTEXT] if is_off else []), *requests])
        return override
    if is_off:  # [WIN-004]
        return _without_large(own, asked, requests, reader)
    if "suffix" in requests:  # [WIN-002]
        reader.report(ValueReason.EXTENDED, "suffix")
        _overrule(reader, [name for name in requests if name != "suffix"])
        return reader.constants.large_window_tokens
    if "betas" in requests:
        if asked.row.supports_1m:  # [WIN-005]
            reader.report(ValueReason.EXTENDED, "betas")
            return reader.constants.large_window_tokens
        reader.report(ValueReason.NOT_SUPPORTED, "betas")
    _assume(asked, reader)
    return own


def output_of(asked: Asked, reader: Reader) -> int:
    """The most tokens of one answer. Spec: WIN-007."""
    override = reader.whole(Variable.MAX_OUTPUT_TOKENS)
    if override is not None:  # [WIN-007]
        reader.report(ValueReason.REPLACED, Variable.MAX_OUTPUT_TOKENS)
        return override
    if asked.row.max_output is None:
        reader.report(ValueReason.ASSUMED, "max_output")
        return reader.constants.reserve_cap_tokens  # [WIN-007] more would change nothing
    return asked.row.max_output


def _internal_override(reader: Reader) -> int | None:
    """The window that an internal user sets. Spec: WIN-003."""
    if not reader.env.get(Variable.MAX_CONTEXT_TOKENS):
        return None
    if reader.env.get(Variable.USER_TYPE) != INTERNAL_USER:  # [WIN-003]
        reader.report(ValueReason.INTERNAL_ONLY, Variable.MAX_CONTEXT_TOKENS)
        return None
    override = reader.whole(Variable.MAX_CONTEXT_TOKENS)
    if override is not None:
        reader.report(ValueReason.REPLACED, Variable.MAX_CONTEXT_TOKENS)
    return override


def _without_large(own: int, asked: Asked, requests: Sequence[str], reader: Reader) -> int:
    """The window where the large one is switched off: what the model has, at most the default. Spec: WIN-004."""
    window = min(own, reader.constants.default_window_tokens)  # [WIN-004]
    reason = ValueReason.LOWERED if window < own else ValueReason.NO_EFFECT
    reader.report(ValueReason.LOWERED if requests else reason, Variable.DISABLE_1M_CONTEXT)
    _overrule(reader, requests)
    _assume(asked, reader)
    return window


def _requests(asked: Asked) -> list[str]:
    """Who asks for the large window, the stronger one first."""
    by_suffix = ["suffix"] if has_suffix(asked.model) else []
    by_header = ["betas"] if any(map(is_large_beta, asked.betas)) else []
    return [*by_suffix, *by_header]


def _assume(asked: Asked, reader: Reader) -> None:
    if asked.row.window is None:
        reader.report(ValueReason.ASSUMED, "window")  # [WIN-001]


def _overrule(reader: Reader, names: Sequence[str]) -> None:
    for name in names:
        reader.report(ValueReason.OVERRULED, name)
