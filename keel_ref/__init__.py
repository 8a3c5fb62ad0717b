"""The reference for how coding agents manage their context window: specification, model, suite, estimator.

The names here are the ones that others rely on. They are imported when first used, so `import keel_ref` costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from keel_ref.adapters.load_family import load_family
    from keel_ref.adapters.load_memory import load_memory
    from keel_ref.choices import Choices, Gates
    from keel_ref.errors import KeelError
    from keel_ref.fast import (
        api_rounds,
        estimate_messages,
        estimate_text,
        estimate_texts,
        estimate_transcript,
        size_code_points,
        size_utf8,
        size_utf16,
    )
    from keel_ref.memory.values import MemoryFile, MemoryLoad
    from keel_ref.messages.prepare import PreparedMessages, prepare_messages
    from keel_ref.tokens.context import ContextSize, context_size
    from keel_ref.tokens.families import Family
    from keel_ref.tokens.transcript import TranscriptEstimate
    from keel_ref.window.limits import Limits, window_limits
    from keel_ref.window.state import WindowState, window_state

_HOMES = {
    "Choices": "keel_ref.choices",
    "ContextSize": "keel_ref.tokens.context",
    "Family": "keel_ref.tokens.families",
    "Gates": "keel_ref.choices",
    "KeelError": "keel_ref.errors",
    "Limits": "keel_ref.window.limits",
    "MemoryFile": "keel_ref.memory.values",
    "MemoryLoad": "keel_ref.memory.values",
    "PreparedMessages": "keel_ref.messages.prepare",
    "TranscriptEstimate": "keel_ref.tokens.transcript",
    "WindowState": "keel_ref.window.state",
    "api_rounds": "keel_ref.fast",
    "context_size": "keel_ref.tokens.context",
    "estimate_messages": "keel_ref.fast",
    "estimate_text": "keel_ref.fast",
    "estimate_texts": "keel_ref.fast",
    "estimate_transcript": "keel_ref.fast",
    "load_family": "keel_ref.adapters.load_family",
    "load_memory": "keel_ref.adapters.load_memory",
    "prepare_messages": "keel_ref.messages.prepare",
    "size_code_points": "keel_ref.fast",
    "size_utf8": "keel_ref.fast",
    "size_utf16": "keel_ref.fast",
    "window_limits": "keel_ref.window.limits",
    "window_state": "keel_ref.window.state",
}

__all__ = [
    "Choices",
    "ContextSize",
    "Family",
    "Gates",
    "KeelError",
    "Limits",
    "MemoryFile",
    "MemoryLoad",
    "PreparedMessages",
    "TranscriptEstimate",
    "WindowState",
    "api_rounds",
    "context_size",
    "estimate_messages",
    "estimate_text",
    "estimate_texts",
    "estimate_transcript",
    "load_family",
    "load_memory",
    "prepare_messages",
    "size_code_points",
    "size_utf8",
    "size_utf16",
    "window_limits",
    "window_state",
]


def __getattr__(name: str) -> Any:
    """A public name, from the module that it lives in."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
