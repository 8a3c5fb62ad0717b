"""What may be in a window: sections, tools, files, messages, a record, and categories of any amounts."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from keel_ref.context.categories import Share
from keel_ref.context.holdings import Holdings, MemoryShare, MessageParts, Named, Tool
from keel_ref.strategies.text import any_text


def amounts() -> st.SearchStrategy[int]:
    """Tokens of one thing: none, few, as many as a window, far too many."""
    return st.integers(0, 30) | st.integers(0, 1_100_000) | st.integers(0, 2**53 - 1)


def shares() -> st.SearchStrategy[Share]:
    """One category."""
    return st.builds(Share, name=any_text(), tokens=amounts(), is_deferred=st.booleans())


def _listed(kind: Any) -> st.SearchStrategy[Any]:
    return st.lists(kind, max_size=4).map(tuple)


def tools() -> st.SearchStrategy[Tool]:
    """A definition, built in or of a server, deferred or not, loaded or not."""
    return st.builds(
        Tool,
        name=any_text(),
        server=st.none() | any_text(),
        tokens=amounts(),
        is_deferred=st.booleans(),
        is_loaded=st.booleans(),
    )


def message_parts() -> st.SearchStrategy[MessageParts]:
    """The five parts."""
    names = ("tool_call", "tool_result", "attachment", "assistant", "user")
    return st.builds(MessageParts, **dict.fromkeys(names, amounts()))


def holdings() -> st.SearchStrategy[Holdings]:
    """All that can be in a window, with a record or without."""
    named = _listed(st.builds(Named, name=any_text(), tokens=amounts()))
    return st.builds(
        Holdings,
        system_prompt=named,
        tools=_listed(tools()),
        agents=named,
        memory_files=_listed(st.builds(MemoryShare, path=any_text(), type=any_text(), tokens=amounts())),
        skills=named,
        messages=message_parts(),
        recorded=st.none() | amounts(),
    )


def prompts() -> st.SearchStrategy[str]:
    """System prompts, with headings, fences and what looks like them."""
    lines = st.sampled_from(
        ["# A", "## B ##", "#", "#A", "   # C", "    # D", "```", "~~~", "````", "``` x", "```a`", "", " ", "text\r"]
    )
    return st.lists(lines | any_text(), max_size=12).map("\n".join)
