"""What stands beside a talk when it is compacted: files that were read, skills in use, notes, announcements."""

from __future__ import annotations

from functools import cache
from typing import Any

from attrs import frozen
from hypothesis import strategies as st

from keel_ref.compaction.attachments import Named, Standing
from keel_ref.compaction.disk_file import DiskFile, FileState
from keel_ref.compaction.notes import TEMPLATE
from keel_ref.compaction.skills import Invocation
from keel_ref.strategies.messages import short_text
from keel_ref.strategies.text import any_text

PATHS = tuple(f"/p/{name}" for name in ("a", "b", "c", "d", "e", "f", "g", "é"))
"""More than there are places for."""
_NAMES = ("s", "t", "u", "v")


@frozen(kw_only=True)
class Reads:
    """What a session read, pass by pass, and what lies on the disk now."""

    passes: tuple[tuple[tuple[str, int], ...], ...]
    """For each pass the reads in it, as path and size in bytes."""
    modified_us: dict[str, int]
    files: dict[str, DiskFile]


@cache
def texts() -> st.SearchStrategy[str]:
    """A text that is short, or long for tiny limits, with what grows when it is serialised."""
    return any_text(max_code_points=12) | st.text('ab\n"\x01é字🚀', max_size=60)


@cache
def disk_files() -> st.SearchStrategy[DiskFile]:
    """A file that was read, or that could not be."""
    refused = st.sampled_from([state for state in FileState if state is not FileState.READ])
    return st.one_of(*[texts().map(DiskFile.of)] * 3, refused.map(lambda state: DiskFile(state=state)))


@st.composite
def reads(draw: st.DrawFn) -> Reads:
    """Some passes over some files, of which some are gone by now."""
    read = st.tuples(st.sampled_from(PATHS), st.integers(0, 60))
    passes = draw(st.lists(st.lists(read, max_size=4).map(tuple), max_size=5).map(tuple))
    files = draw(st.dictionaries(st.sampled_from(PATHS), disk_files()))
    times = {path: draw(st.integers(0, 4_000)) for path, file in files.items() if file.state is not FileState.GONE}
    return Reads(passes=passes, modified_us=times, files=files)


@cache
def invocations() -> st.SearchStrategy[list[Invocation]]:
    """Uses of a few skills by the main thread and by an agent."""
    one = st.builds(
        Invocation,
        name=st.sampled_from(_NAMES),
        path=st.sampled_from(PATHS),
        text=texts(),
        agent=st.sampled_from([None, None, "x"]),
    )
    return st.lists(one, max_size=8)


@cache
def standings() -> st.SearchStrategy[Standing]:
    """What there is to say again, or nothing."""
    names = st.lists(st.sampled_from(_NAMES), max_size=5).map(tuple)
    named = st.lists(st.builds(Named, name=st.sampled_from(_NAMES), text=short_text()), max_size=3).map(tuple)
    return st.builds(
        Standing,
        background=named,
        plan=st.none() | st.tuples(st.sampled_from(PATHS), short_text()),
        is_planning=st.booleans(),
        deferred_tools=names,
        agents=names,
        mcp=named,
    )


@cache
def notes_texts() -> st.SearchStrategy[str]:
    """Notes in their form, torn, or no notes at all."""
    heading = st.sampled_from([*TEMPLATE, "build", ""]).map(lambda title: f"# {title}")
    line = st.one_of(
        heading, heading, short_text(), st.sampled_from(["_about_", "", " ", "__", "## Worklog", "x" * 40])
    )
    end = st.sampled_from(["\n", "\n", "\n", "\r\n", "\r", "\u2028"])
    lines = st.lists(st.tuples(line, end).map("".join), max_size=12).map("".join)
    return lines | texts()


@st.composite
def named_rows(draw: st.DrawFn, rows: list[Any]) -> list[Any]:
    """The rows, most of them with a name, some names twice."""
    return [
        {**row, "uuid": draw(st.sampled_from([f"u{index}", f"u{index}", f"u{index}", "u0", ""]))}
        if isinstance(row, dict)
        else row
        for index, row in enumerate(rows)
    ]
