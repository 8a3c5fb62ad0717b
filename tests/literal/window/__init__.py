"""A second, literal and slow implementation of the chapter on the window, made from its text alone."""

from typing import Any

from tests.literal.memory.errors import LiteralError
from tests.literal.window.budget import show_auto_continue, show_budget
from tests.literal.window.limits import show_limits, show_state

__all__ = ["LiteralError", "call"]

CHOICES = {
    "env.truthy": ("wide", "strict"),
    "env.number": ("prefix", "strict"),
    "window.warning_base": ("switch", "auto"),
}
"""The values of each choice of this area, the default first."""


def read_choices(choices: dict[str, str]) -> dict[str, str]:
    """A value for each choice of this area. Raises LiteralError."""
    chosen = {name: choices.get(name, values[0]) for name, values in CHOICES.items()}
    for name, value in chosen.items():
        if value not in CHOICES[name]:
            raise LiteralError("unknown_choice", f"{name} {value}")
    return chosen


def call(fn: str, args: dict[str, Any], choices: dict[str, str], gates: dict[str, bool]) -> dict[str, Any]:
    """The result of one call of the wire. Raises LiteralError. Spec: WIN-001, WIN-020, WIN-040, WIN-042."""
    chosen = read_choices(choices)
    match fn:
        case "window.limits":
            return show_limits(args, chosen)
        case "window.state":
            return show_state(args, chosen)
        case "window.budget":
            return show_budget(args)
        case "window.auto_continue":
            return show_auto_continue(args, gates)
        case _:
            raise LiteralError("unknown_function", fn)
