"""What is forgotten behind a compaction, and what is not. Spec: CMP-156 to CMP-161."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from attrs import frozen

from keel_ref.choices import Gates

MAIN_PREFIX: Final = "repl_main_thread"
SDK: Final = "sdk"
DEFAULT_SOURCE: Final = "compact"
"""The source that the cache baseline is reset with where the call names none. Spec: CMP-160."""
MEMORY_REASON: Final = "compact"
"""With which the memory files are forgotten. Spec: CMP-157."""


class Store(StrEnum):
    """Something that a session keeps beside its list."""

    MICROCOMPACT_STATE = "microcompact_state"
    SYSTEM_PROMPT_SECTIONS = "system_prompt_sections"
    CLASSIFIER_APPROVALS = "classifier_approvals"
    SPECULATIVE_CHECKS = "speculative_checks"
    TRACING_STATE = "tracing_state"
    SESSION_MESSAGE_CACHE = "session_message_cache"
    COLLAPSE_STORE = "collapse_store"
    USER_CONTEXT = "user_context"
    MEMORY_FILES = "memory_files"
    SENT_SKILL_NAMES = "sent_skill_names"


ALWAYS: Final = (
    Store.MICROCOMPACT_STATE,
    Store.SYSTEM_PROMPT_SECTIONS,
    Store.CLASSIFIER_APPROVALS,
    Store.SPECULATIVE_CHECKS,
    Store.TRACING_STATE,
    Store.SESSION_MESSAGE_CACHE,
)
"""What is cleared whoever asked. Spec: CMP-156."""
MAIN_THREAD_ONLY: Final = (Store.COLLAPSE_STORE, Store.USER_CONTEXT, Store.MEMORY_FILES)
"""What agents share with the main thread. Spec: CMP-157."""
NEVER: Final = (Store.SENT_SKILL_NAMES,)
"""What stays. Spec: CMP-121, CMP-156."""


@frozen(kw_only=True)
class Baseline:
    """Who is to be told that the cached prefix was broken on purpose. Spec: CMP-160."""

    source: str
    agent: str | None
    """None for the main thread."""


@frozen(kw_only=True)
class Cleanup:
    """What follows a compaction that succeeded."""

    cleared: tuple[Store, ...]
    kept: tuple[Store, ...]
    baseline: Baseline | None
    """None where nobody watches the cache."""
    memory_reason: str | None
    """The reason with which the memory files are forgotten; None where they are not. Spec: CMP-157."""
    failures: int = 0
    """The new count of failures in a row. Spec: CMP-159."""
    is_warning_suppressed: bool = True
    """Whether the warning about a full context is held back. Spec: CMP-159."""


def cleanup_after(source: str | None, *, agent: str | None = None, gates: Gates | None = None) -> Cleanup:
    """What is cleared, kept and told when a compaction for that source has succeeded. Spec: CMP-156, CMP-157."""
    is_main = is_main_thread(source)
    told = Baseline(source=DEFAULT_SOURCE if source is None else source, agent=agent)
    watched = (gates or Gates()).cache_break_detection
    return Cleanup(
        cleared=(*ALWAYS, *(MAIN_THREAD_ONLY if is_main else ())),  # [CMP-156] [CMP-157]
        kept=(*(() if is_main else MAIN_THREAD_ONLY), *NEVER),
        memory_reason=MEMORY_REASON if is_main else None,  # [CMP-157]
        baseline=told if watched else None,  # [CMP-160]
    )


def is_main_thread(source: str | None) -> bool:
    """Whether the source is the main thread, as the cleanup understands it. Spec: CMP-158."""
    return source is None or source.startswith(MAIN_PREFIX) or source == SDK  # [CMP-158]
