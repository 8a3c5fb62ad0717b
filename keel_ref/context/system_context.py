"""What stands behind the system prompt. Spec: CTX-010 to CTX-012."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from attrs import frozen

from keel_ref.choices import Gates

GIT_KEY: Final = "gitStatus"
BREAKER_KEY: Final = "cacheBreaker"


@frozen
class ContextEntry:
    """One thing that is told beside the conversation."""

    key: str
    value: str


def system_context(git_text: str | None, injection: str | None, gates: Gates) -> tuple[ContextEntry, ...]:
    """The entries that there are, in order. Spec: CTX-010, CTX-011."""
    entries: list[ContextEntry] = []
    if git_text:
        entries.append(ContextEntry(GIT_KEY, git_text))  # [CTX-010] absent, and not empty
    if gates.break_cache and injection:
        entries.append(ContextEntry(BREAKER_KEY, f"[CACHE_BREAKER: {injection}]"))  # [CTX-011]
    return tuple(entries)


def system_blocks(prompt: Sequence[str], entries: Sequence[ContextEntry]) -> tuple[str, ...]:
    """The texts of the system prompt with the context behind them. Spec: CTX-012."""
    block = "\n".join(f"{entry.key}: {entry.value}" for entry in entries)
    return tuple(text for text in (*prompt, block) if text)  # [CTX-012] last, and no empty block
