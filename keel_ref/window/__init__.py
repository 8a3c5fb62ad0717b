"""Area window: how large it is, what stays free, where each stage begins, and when a turn goes on. Spec: WIN."""

from keel_ref.window.limits import Limits, window_limits
from keel_ref.window.reports import ValueReason, ValueReport
from keel_ref.window.state import WindowState, state_of, window_state

__all__ = [
    "Limits",
    "ValueReason",
    "ValueReport",
    "WindowState",
    "state_of",
    "window_limits",
    "window_state",
]
