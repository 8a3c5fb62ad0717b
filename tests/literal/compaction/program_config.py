"""What a program runs under, and the forms of its steps."""

import string
from typing import Any

import attrs

from tests.literal.compaction.arguments import INVALID, need_count, read_count, read_list, read_object
from tests.literal.memory.errors import LiteralError
from tests.literal.window.limits import Buffers, Limits, find_limits
from tests.literal.window.numbers import Values, is_whole

CONSTANTS = {
    "auto_buffer": 13_000,
    "warning_buffer": 20_000,
    "blocking_buffer": 3_000,
    "summary_reserve": 20_000,
    "restore_files": 5,
    "restore_file_tokens": 5_000,
    "skill_tokens": 5_000,
    "skills_tokens": 25_000,
    "result_limit": 50_000,
    "message_limit": 200_000,
    "preview": 2_000,
    "keep_results": 5,
    "gap_minutes": 60,
}
"""Constants that a program may make smaller. [protocol, What a program runs under]"""

LEAST = {
    "auto_buffer": 0,
    "warning_buffer": 0,
    "blocking_buffer": 0,
    "restore_files": 0,
    "gap_minutes": 0,
    "preview": 4,
}
"""The least values; 1 for the others."""

DEFAULT_WINDOW = 200_000
DEFAULT_OUTPUT = 32_000
MOST_STEPS = 1_000
MOST_STEP_TOKENS = 2_000_000
MOST_TOKENS = 20_000_000
FAILURES = ("empty", "blank", "thinking", "tool_call", "api_error", "abort")
"""Words of an outcome that is no summary."""

MOST_TOOL_LETTERS = 24
LEAST_CALL_TOKENS = 8
MOST_PAIR = 2_000_000


@attrs.define
class Config:
    """What a program runs under."""

    window: Any
    max_output: Any
    env: Any
    settings: Any
    numbers: dict[str, int]
    gates: dict[str, bool]
    choices: dict[str, str]

    def limits(self) -> Limits:
        """The limits of the window. Raises LiteralError. Spec: WIN-010 to WIN-018."""
        args = {"window": self.window, "max_output": self.max_output, "env": self.env, "settings": self.settings}
        numbers = self.numbers
        buffers = Buffers(
            auto=numbers["auto_buffer"],
            warning=numbers["warning_buffer"],
            error=numbers["warning_buffer"],
            blocking=numbers["blocking_buffer"],
            summary=numbers["summary_reserve"],
        )
        return find_limits(args, self.choices, Values(), buffers)


def read_config(config: dict[str, Any], choices: dict[str, str], gates: dict[str, bool]) -> Config:
    """The config of a program. Raises LiteralError. Spec: protocol, What a program runs under."""
    numbers = {name: need_count(config, name, most) for name, most in CONSTANTS.items()}
    if any(not LEAST.get(name, 1) <= numbers[name] <= most for name, most in CONSTANTS.items()):
        raise LiteralError(INVALID, "a constant is larger than its default, or too small")
    if numbers["blocking_buffer"] > numbers["auto_buffer"] or numbers["skill_tokens"] > numbers["skills_tokens"]:
        raise LiteralError(INVALID, "blocking_buffer or skill_tokens")
    if not numbers["preview"] < numbers["result_limit"] <= numbers["message_limit"]:
        raise LiteralError(INVALID, "preview, result_limit, message_limit")
    given = {name: config.get(name) for name in ("window", "max_output", "env", "settings")}
    result = Config(**given, numbers=numbers, gates=gates, choices=choices)
    result.window = DEFAULT_WINDOW if result.window is None else result.window
    result.max_output = DEFAULT_OUTPUT if result.max_output is None else result.max_output
    result.limits()  # a config that cannot be used is an error of the whole request
    return result


def read_tokens(args: dict[str, Any], name: str = "tokens") -> int:
    """Tokens of one step. Raises LiteralError. Spec: protocol, program."""
    tokens = need_count(args, name)
    if tokens > MOST_STEP_TOKENS:
        raise LiteralError(INVALID, "too many tokens for one step")
    return tokens


def read_tool(args: dict[str, Any]) -> str:
    """The tool of a call. Raises LiteralError. Spec: protocol, program."""
    tool = args.get("tool")
    if tool is None:
        return "Read"
    plain = string.ascii_letters + string.digits
    if not isinstance(tool, str) or not 1 <= len(tool) <= MOST_TOOL_LETTERS or any(c not in plain for c in tool):
        raise LiteralError(INVALID, "tool")
    return tool


def read_numbers(args: dict[str, Any], name: str) -> list[int]:
    """A list of whole numbers. Raises LiteralError."""
    numbers = read_list(args, name)
    if not all(is_whole(number) for number in numbers):
        raise LiteralError(INVALID, name)
    return [int(number) for number in numbers]


def read_outcomes(args: dict[str, Any]) -> list[dict[str, Any]]:
    """The outcomes of calls for a summary. Raises LiteralError. Spec: protocol, Steps."""
    outcomes = read_list(args, "summary")
    for outcome in outcomes:
        read_outcome(outcome)
    return list(outcomes)


def read_outcome(outcome: Any) -> None:
    """One outcome of a call for a summary. Raises LiteralError. Spec: protocol, Steps."""
    if not isinstance(outcome, dict):
        raise LiteralError(INVALID, "summary")
    if "tokens" in outcome and set(outcome) == {"tokens"}:
        read_tokens(outcome)
    elif set(outcome) == {"fail"}:
        if outcome["fail"] not in FAILURES:
            raise LiteralError(INVALID, "fail")
    elif outcome.get("too_long") is True and not set(outcome) - {"too_long", "excess"}:
        excess = outcome.get("excess")
        if excess is not None and not is_whole(excess):
            raise LiteralError(INVALID, "excess")
    else:
        raise LiteralError(INVALID, "summary")


def read_step(step: Any) -> tuple[str, dict[str, Any]]:
    """The name of a step and its arguments. Raises LiteralError. Spec: protocol, Steps."""
    if not isinstance(step, list) or len(step) != 2 or not isinstance(step[0], str) or not isinstance(step[1], dict):
        raise LiteralError(INVALID, "a step is a list of its name and an object")
    return step[0], step[1]


def read_session_name(args: dict[str, Any], key: str, default: str | None) -> str:
    """The name of a session. Raises LiteralError. Spec: protocol, Steps."""
    name = args.get(key)
    name = default if name is None else name
    if not isinstance(name, str) or name == "":
        raise LiteralError(INVALID, key)
    return name


def read_time(args: dict[str, Any]) -> int | None:
    """The argument `at`. Raises LiteralError."""
    return read_count(args, "at", None)


def read_settings(args: dict[str, Any], config: Config) -> None:
    """Change what a program runs under. Raises LiteralError. Spec: protocol, Steps (set)."""
    if args.get("window") is not None:
        config.window = need_count(args, "window")
    if args.get("max_output") is not None:
        config.max_output = need_count(args, "max_output")
    if args.get("env") is not None:
        config.env = read_object(args, "env")
    if args.get("settings") is not None:
        config.settings = read_object(args, "settings")
    config.limits()
