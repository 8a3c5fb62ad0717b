"""A second, literal and slow implementation of the chapter on compaction, made from its text alone."""

from collections.abc import Callable
from typing import Any

from tests.literal.compaction import program
from tests.literal.compaction.auto import (
    show_blocking,
    show_breaker,
    show_continue,
    show_due,
    show_points,
    show_summary,
)
from tests.literal.compaction.micro import show_microcompact
from tests.literal.compaction.notes import show_notes
from tests.literal.compaction.rebuild import show_cleanup, show_rebuild
from tests.literal.compaction.restore import show_restore
from tests.literal.compaction.results import show_tool_results
from tests.literal.compaction.session_memory import show_session_memory
from tests.literal.compaction.strip import show_drop_head, show_strip
from tests.literal.memory.errors import LiteralError
from tests.literal.tokens.measure import CHOICES as TOKEN_CHOICES
from tests.literal.window import CHOICES as WINDOW_CHOICES

__all__ = ["LiteralError", "call", "run_program"]

CHOICES = (
    TOKEN_CHOICES
    | WINDOW_CHOICES
    | {
        "compaction.restore_recency": ("mtime", "read"),
        "compaction.oversize_restore": ("reference", "truncate"),
        "compaction.abort_counts": ("yes", "no"),
        "compaction.inflated_summary": ("accept", "refuse"),
        "compaction.refill_guard": ("on", "off"),
        "results.unit": ("utf16", "utf8"),
    }
)
"""The values of each choice that matters here, the default first."""

FUNCTIONS: dict[str, tuple[Callable[..., dict[str, Any]], str]] = {
    "compaction.due": (show_due, "cg"),
    "compaction.blocking": (show_blocking, "cg"),
    "compaction.breaker": (show_breaker, ""),
    "compaction.points": (show_points, "c"),
    "compaction.continue": (show_continue, ""),
    "compaction.summary": (show_summary, ""),
    "compaction.tool_results": (show_tool_results, "cg"),
    "compaction.microcompact": (show_microcompact, "cg"),
    "compaction.strip": (show_strip, ""),
    "compaction.drop_head": (show_drop_head, "c"),
    "compaction.restore": (show_restore, "c"),
    "compaction.notes": (show_notes, "cg"),
    "compaction.session_memory": (show_session_memory, "cg"),
    "compaction.rebuild": (show_rebuild, ""),
    "compaction.cleanup": (show_cleanup, "g"),
}
"""The functions of the area; each takes the arguments and, where named, the choices (c) and the gates (g)."""


def read_choices(choices: dict[str, str]) -> dict[str, str]:
    """A value for each choice that matters here. Raises LiteralError."""
    chosen = {name: choices.get(name, values[0]) for name, values in CHOICES.items()}
    for name, value in chosen.items():
        if value not in CHOICES[name]:
            raise LiteralError("unknown_choice", f"{name} {value}")
    return chosen


def call(fn: str, args: dict[str, Any], choices: dict[str, str], gates: dict[str, bool]) -> dict[str, Any]:
    """The result of one call of the wire. Raises LiteralError. Spec: CMP-003."""
    if fn not in FUNCTIONS:
        raise LiteralError("unknown_function", fn)
    function, wanted = FUNCTIONS[fn]
    given: dict[str, Any] = {"c": read_choices(choices), "g": gates}
    return function(args, *(given[letter] for letter in wanted))


def run_program(
    config: dict[str, Any], steps: list[Any], choices: dict[str, str], gates: dict[str, bool]
) -> list[dict[str, Any]]:
    """The trace of a program. Raises LiteralError. Spec: protocol (program)."""
    return program.run_program(config, steps, read_choices(choices), gates)
