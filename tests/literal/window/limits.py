"""The window, the thresholds, and where a use stands."""

from fractions import Fraction
from typing import Any

import attrs

from tests.literal.memory.errors import LiteralError
from tests.literal.window.models import find_row, has_suffix
from tests.literal.window.numbers import (
    INVALID,
    LARGEST,
    Values,
    is_whole,
    read_env,
    read_percentage,
    read_switch,
    read_whole,
)

DEFAULT_WINDOW = 200_000
LARGE_WINDOW = 1_000_000
SUMMARY_TOKENS = 20_000
AUTO_BUFFER = 13_000
WARNING_BUFFER = 20_000
ERROR_BUFFER = 20_000
BLOCKING_BUFFER = 3_000
BETA = "context-1m-"
"""Beginning of the name of the beta header. [WIN-005]"""

MAX_CONTEXT = "CLAUDE_CODE_MAX_CONTEXT_TOKENS"
NO_1M = "CLAUDE_CODE_DISABLE_1M_CONTEXT"
MAX_OUTPUT = "CLAUDE_CODE_MAX_OUTPUT_TOKENS"
COMPACT_WINDOW = "CLAUDE_CODE_AUTO_COMPACT_WINDOW"
PERCENTAGE = "CLAUDE_AUTOCOMPACT_PCT_OVERRIDE"
BLOCKING = "CLAUDE_CODE_BLOCKING_LIMIT_OVERRIDE"
SWITCHES = ("DISABLE_COMPACT", "DISABLE_AUTO_COMPACT")
SETTING = "autoCompactEnabled"


@attrs.frozen
class Buffers:
    """The constants that a program may make smaller, in tokens. Spec: WIN constants, protocol (program)."""

    auto: int = AUTO_BUFFER
    warning: int = WARNING_BUFFER
    error: int = ERROR_BUFFER
    blocking: int = BLOCKING_BUFFER
    summary: int = SUMMARY_TOKENS


@attrs.frozen
class Model:
    """The arguments about a model, with what the table says of it. Spec: WIN-006, WIN-008."""

    name: str | None
    window: int | None
    max_output: int | None
    supports_1m: bool
    asks_by_header: bool


@attrs.frozen
class Limits:
    """What `window.limits` gives, the base beside it. Spec: WIN-010 to WIN-018."""

    window: int
    compact_window: int
    max_output: int
    reserve: int
    effective: int
    warning: int
    error: int
    auto: int
    blocking: int
    enabled: bool
    manual: bool
    base: int
    """What warning, error and the percentage left are counted from. [WIN-015]"""

    def show(self) -> dict[str, Any]:
        """The limits as they travel."""
        shown = attrs.asdict(self)
        del shown["base"]
        return shown


def read_amount(args: dict[str, Any], name: str) -> int | None:
    """A window or maximum output that is given. Raises LiteralError. Spec: WIN-008."""
    value = args.get(name)
    if value is None:
        return None
    if not is_whole(value) or not 1 <= value <= LARGEST:
        raise LiteralError(INVALID, name)
    return int(value)


def read_model(args: dict[str, Any]) -> Model:
    """The arguments about the model. Raises LiteralError. Spec: WIN-005, WIN-006, WIN-008."""
    name = args.get("model")
    if name is not None and not isinstance(name, str):
        raise LiteralError(INVALID, "model")
    supports = args.get("supports_1m")
    if supports is not None and not isinstance(supports, bool):
        raise LiteralError(INVALID, "supports_1m")
    betas = args.get("betas")
    betas = [] if betas is None else betas
    if not isinstance(betas, list) or not all(isinstance(beta, str) for beta in betas):
        raise LiteralError(INVALID, "betas")
    window, max_output = read_amount(args, "window"), read_amount(args, "max_output")
    row = find_row(name) or {}
    return Model(
        name=name,
        window=row.get("window") if window is None else window,
        max_output=row.get("max_output") if max_output is None else max_output,
        supports_1m=bool(row.get("supports_1m")) if supports is None else supports,
        asks_by_header=any(beta.startswith(BETA) for beta in betas),  # [WIN-005]
    )


def decide_window(model: Model, env: dict[str, str], choices: dict[str, str], report: Values) -> int:
    """The window. Spec: WIN-001 to WIN-005."""
    override = read_override(env, choices, report)
    is_off = read_switch(env, NO_1M, choices["env.truthy"], report)
    suffix = has_suffix(model.name)
    if override is not None:
        for is_there, name in ((is_off, NO_1M), (suffix, "suffix"), (model.asks_by_header, "betas")):
            if is_there:
                report.add("overruled", name)  # [WIN-003]
        return override
    if is_off:
        return cap_window(model, report, suffix=suffix)
    return read_window(model, report, suffix=suffix)


def cap_window(model: Model, report: Values, *, suffix: bool) -> int:
    """The window with 1M turned off. Spec: WIN-004."""
    known = DEFAULT_WINDOW if model.window is None else model.window
    asks = suffix or model.asks_by_header
    report.add("lowered" if asks or known > DEFAULT_WINDOW else "no-effect", NO_1M)
    for is_there, name in ((suffix, "suffix"), (model.asks_by_header, "betas")):
        if is_there:
            report.add("overruled", name)
    if model.window is None:
        report.add("assumed", "window")  # [WIN-001]
    return min(known, DEFAULT_WINDOW)


def read_window(model: Model, report: Values, *, suffix: bool) -> int:
    """The window by suffix, header and row. Spec: WIN-001 (3 to 6), WIN-002, WIN-005."""
    if suffix:
        report.add("extended", "suffix")  # [WIN-002]
    if model.asks_by_header:  # [WIN-005]
        if suffix:
            report.add("overruled", "betas")
        else:
            report.add("extended" if model.supports_1m else "not-supported", "betas")
    if suffix or (model.asks_by_header and model.supports_1m):
        return LARGE_WINDOW
    if model.window is None:
        report.add("assumed", "window")  # [WIN-001] 6
        return DEFAULT_WINDOW
    return model.window


def read_override(env: dict[str, str], choices: dict[str, str], report: Values) -> int | None:
    """The override for internal users. Spec: WIN-003."""
    if env.get("USER_TYPE") != "ant":
        if env.get(MAX_CONTEXT, "") != "":
            report.add("internal-only", MAX_CONTEXT)
        return None
    override = read_whole(env, MAX_CONTEXT, choices["env.number"], report)
    if override is not None:
        report.add("replaced", MAX_CONTEXT)
    return override


def raise_to_zero(amount: int, name: str, report: Values) -> int:
    """An amount below 0 is 0. Spec: WIN-017."""
    if amount < 0:
        report.add("clamped", name)
        return 0
    return amount


def find_limits(args: dict[str, Any], choices: dict[str, str], report: Values, buffers: Buffers) -> Limits:
    """All limits. Raises LiteralError. Spec: WIN-001 to WIN-018, WIN-033."""
    model, env = read_model(args), read_env(args)
    settings = args.get("settings")
    if settings is not None and not isinstance(settings, dict):
        raise LiteralError(INVALID, "settings")
    number = choices["env.number"]
    window = decide_window(model, env, choices, report)
    max_output = read_whole(env, MAX_OUTPUT, number, report)  # [WIN-007]
    if max_output is not None:
        report.add("replaced", MAX_OUTPUT)
    elif model.max_output is not None:
        max_output = model.max_output
    else:
        max_output = SUMMARY_TOKENS
        report.add("assumed", "max_output")
    smaller = read_whole(env, COMPACT_WINDOW, number, report)  # [WIN-010]
    compact_window = window if smaller is None else min(window, smaller)
    if smaller is not None:
        report.add("lowered" if smaller < window else "no-effect", COMPACT_WINDOW)
    reserve = min(max_output, buffers.summary)  # [WIN-011]
    effective = raise_to_zero(compact_window - reserve, "effective", report)  # [WIN-012]
    auto = raise_to_zero(effective - buffers.auto, "auto", report)  # [WIN-013]
    percentage = read_percentage(env, PERCENTAGE, number, report)  # [WIN-014]
    if percentage is not None:
        share = take_share(effective, percentage)
        report.add("lowered" if share < auto else "no-effect", PERCENTAGE)
        auto = min(auto, share)
    blocking = read_whole(env, BLOCKING, number, report)  # [WIN-016]
    if blocking is not None:
        report.add("replaced", BLOCKING)
    else:
        blocking = raise_to_zero(effective - buffers.blocking, "blocking", report)
    enabled, manual = read_switches(env, settings or {}, choices["env.truthy"], report)
    base = auto if enabled or choices["window.warning_base"] == "auto" else effective  # [WIN-015]
    return Limits(
        window=window,
        compact_window=compact_window,
        max_output=max_output,
        reserve=reserve,
        effective=effective,
        warning=raise_to_zero(base - buffers.warning, "warning", report),
        error=raise_to_zero(base - buffers.error, "error", report),
        auto=auto,
        blocking=blocking,
        enabled=enabled,
        manual=manual,
        base=base,
    )


def take_share(effective: int, percentage: Fraction) -> int:
    """A share of the effective window, rounded down once. Spec: WIN-014, WIN-032."""
    share = effective * percentage / 100
    return share.numerator // share.denominator


def read_switches(env: dict[str, str], settings: dict[str, Any], truthy: str, report: Values) -> tuple[bool, bool]:
    """Whether automatic compaction is on, and whether one by hand is possible. Spec: WIN-018."""
    everything, automatic = (read_switch(env, name, truthy, report) for name in SWITCHES)
    setting = settings.get(SETTING)
    if setting is not None and not isinstance(setting, bool):
        report.add("bad-setting", SETTING)
        setting = True
    is_off = setting is False
    for is_there, name in ((everything, SWITCHES[0]), (automatic, SWITCHES[1]), (is_off, SETTING)):
        if is_there:
            report.add("switched-off", name)
    return not (everything or automatic or is_off), not everything


def halve_up(dividend: int, divisor: int) -> int:
    """A quotient rounded half up: x + 0.5, rounded down. Spec: WIN-021, WIN-024, WIN-045."""
    return (2 * dividend + divisor) // (2 * divisor)


def show_large(number: int) -> int | str:
    """A whole number, as decimal text beyond 2^53-1. Spec: WIN-024, WIN-045 (functions.json)."""
    return number if number <= LARGEST else str(number)


def find_percent_left(used: int, base: int) -> int:
    """The percentage left. Spec: WIN-021."""
    return 0 if base == 0 else max(0, halve_up((base - used) * 100, base))


def show_limits(args: dict[str, Any], choices: dict[str, str]) -> dict[str, Any]:
    """`window.limits`. Raises LiteralError. Spec: WIN-001 to WIN-018."""
    report = Values()
    return find_limits(args, choices, report, Buffers()).show() | report.show()


def read_use(args: dict[str, Any], name: str, report: Values) -> int:
    """A use; what cannot be used is 0. Spec: WIN-023."""
    value = args[name]
    if not is_whole(value) or value < 0:
        report.add("bad-usage", name)
        return 0
    return int(value)


def show_state(args: dict[str, Any], choices: dict[str, str]) -> dict[str, Any]:
    """`window.state`. Raises LiteralError. Spec: WIN-020 to WIN-024."""
    if "used" not in args:
        raise LiteralError(INVALID, "used")  # [WIN-008]
    report = Values()
    limits = find_limits(args, choices, report, Buffers())
    used = read_use(args, "used", report)
    freed = 0 if args.get("freed") is None else read_use(args, "freed", report)
    if freed > used:
        report.add("clamped", "used")  # [WIN-022]
    used = max(0, used - freed)
    bases = {"window": limits.window, "effective": limits.effective, "auto": limits.auto}
    return {
        "percent_left": find_percent_left(used, limits.base),
        "above_warning": used >= limits.warning,
        "above_error": used >= limits.error,
        "above_auto": limits.enabled and used >= limits.auto,
        "at_blocking": used >= limits.blocking,
        "used_per_mille": {  # [WIN-024]
            name: None if base == 0 else show_large(halve_up(used * 1_000, base)) for name, base in bases.items()
        },
    } | report.show()
