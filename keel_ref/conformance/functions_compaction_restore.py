"""The wire functions about what stands behind a compaction: files, skills, notes, the new list, what is forgotten."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any, Final

from keel_ref.adapters.in_memory import InMemoryTree
from keel_ref.choices import Choices, Gates
from keel_ref.compaction.attachments import Named, Row, Standing, ordered_attachments
from keel_ref.compaction.cleanup import cleanup_after
from keel_ref.compaction.disk_file import GONE, DiskFile, TreeFiles, read_disk_file
from keel_ref.compaction.extraction import SinceExtraction, extraction_due
from keel_ref.compaction.notes import notes_path, notes_template, review_notes
from keel_ref.compaction.read_state import ReadState
from keel_ref.compaction.rebuild import BoundaryFacts, Summary, Trigger, rebuilt_list
from keel_ref.compaction.restore import restore_candidates, restore_files
from keel_ref.compaction.session_memory import NotesCompaction, SessionNotes, compact_with_notes
from keel_ref.compaction.shown import shown_paths
from keel_ref.compaction.skills import Invocation, restore_skills
from keel_ref.compaction.trace import Decision, Why
from keel_ref.conformance.arguments import Args, argument, list_argument
from keel_ref.conformance.config import CallConfig
from keel_ref.conformance.line import path_to_wire
from keel_ref.conformance.optional_arguments import given, object_list, optional_text, optional_whole, text_list
from keel_ref.conformance.tree_entries import path_of, read_tree
from keel_ref.errors import InvalidArgumentError
from keel_ref.paths import Flavour, is_absolute, normalise
from keel_ref.ports import Refusal
from keel_ref.tokens.context import context_size

NOTES_PLACE: Final = "/session-memory/summary.md"
"""Where the notes of a call lie when it does not say where."""


def compaction_restore(args: Args, config: CallConfig) -> Mapping[str, Any]:
    """`compaction.restore`: what is put back behind a summary."""
    args = given(args)
    choices = Choices.of(config.choices)
    state, forgotten = _read_state(args)
    tree = read_tree(list_argument(args, "tree"), Flavour.POSIX, is_case_sensitive=True)
    candidates = restore_candidates(
        state,
        _modified(tree, state),
        plan_files=_paths(args, "plan_files"),
        memory_files=_paths(args, "memory_files"),
        shown=shown_paths(list_argument(args, "kept")),
        choices=choices,
    )
    files = restore_files(candidates.paths, TreeFiles(tree), choices=choices)
    skills = restore_skills(_invocations(args), agent=optional_text(args, "agent"), choices=choices)
    attachments = ordered_attachments(files.attachments, skills.attachments, _standing(args))
    return {
        "attachments": [_row(row) for row in attachments],
        "candidates": [path_to_wire(path) for path in candidates.paths],
        "read": [path_to_wire(path) for path in files.state.paths],
        "file_tokens": files.tokens,
        "skill_tokens": skills.tokens,
        "decisions": _decisions((*forgotten, *candidates.decisions, *files.decisions, *skills.decisions)),
    }


def compaction_notes(args: Args, config: CallConfig) -> Mapping[str, Any]:
    """`compaction.notes`: whether notes are taken now, and what an update of them has to look after."""
    args = given(args)
    choices = Choices.of(config.choices)
    since = given(argument(args, "since", dict, {}))
    why = extraction_due(
        _context_tokens(args, choices),
        SinceExtraction(
            tokens=optional_whole(since, "tokens"),
            calls=optional_whole(since, "calls") or 0,
            last_turn_has_call=argument(since, "last_turn_has_call", bool, default=False),
        ),
        source=optional_text(args, "source"),
        is_auto_compact_on=argument(args, "auto_compact", bool, default=True),
        gates=Gates.of(config.gates),
    )
    text = argument(args, "text", str, notes_template())  # [CMP-131] notes begin as the template
    review = review_notes(text, before=optional_text(args, "before"), choices=choices)
    folder = optional_text(args, "session_folder")
    return {
        "due": why is Why.EXTRACTION_DUE,
        "why": str(why),
        **({} if folder is None else {"path": notes_path(folder)}),
        "sections": [{"title": title, "tokens": tokens} for title, tokens in review.sections],
        "tokens": review.tokens,
        "condense": list(review.condense),
        "intact": review.is_intact,
        "empty": review.is_empty,
        "decisions": _decisions(review.decisions),
    }


def compaction_session_memory(args: Args, config: CallConfig) -> Mapping[str, Any]:
    """`compaction.session_memory`: the notes as a summary, or why they cannot be one."""
    args = given(args)
    place = argument(args, "notes_path", str, NOTES_PLACE)
    notes = SessionNotes(
        file=_notes_file(args),
        path=place,
        last_covered=optional_text(args, "last_covered"),
        running_ms=optional_whole(args, "running_ms"),
    )
    found = compact_with_notes(
        _rows(args),
        notes,
        attachments=list_argument(args, "attachments"),
        threshold_tokens=optional_whole(args, "threshold"),
        choices=Choices.of(config.choices),
        gates=Gates.of(config.gates),
    )
    if isinstance(found, NotesCompaction):
        return {
            "used": True,
            "from": found.start,
            "notes": found.notes.kept,
            "summary": found.notes.text,
            "tokens": found.tokens,
            "decisions": _decisions(found.decisions),
        }
    waiting = {"wait_ms": found.wait_ms} if found.wait_ms else {}
    return {"used": False, "why": str(found.why), **waiting, "decisions": _decisions(found.decisions)}


def compaction_rebuild(args: Args, config: CallConfig) -> Mapping[str, Any]:  # noqa: ARG001 (one signature for all)
    """`compaction.rebuild`: the list with which the session goes on."""
    args = given(args)
    trigger = argument(args, "trigger", str, None)
    if trigger not in {*Trigger}:
        raise InvalidArgumentError("trigger", f"{trigger!r} is neither auto nor manual")
    before = optional_whole(args, "tokens_before")
    if before is None:
        raise InvalidArgumentError("tokens_before", "is missing")
    facts = BoundaryFacts(
        trigger=Trigger(trigger),
        tokens_before=before,
        discovered_tools=text_list(args, "discovered_tools"),
        uuid=optional_text(args, "uuid") or None,
        at_ms=optional_whole(args, "at"),
    )
    new = rebuilt_list(
        _rows(args),
        facts,
        [
            Summary(text=optional_text(one, "text") or "", uuid=optional_text(one, "uuid") or None)
            for one in object_list(args, "summaries")
        ],
        kept_from=optional_whole(args, "from"),
        attachments=list_argument(args, "attachments"),
        hook_results=list_argument(args, "hooks"),
        log_path=optional_text(args, "log"),
    )
    return {"messages": list(new.messages), "decisions": _decisions(new.decisions)}


def compaction_cleanup(args: Args, config: CallConfig) -> Mapping[str, Any]:
    """`compaction.cleanup`: what is forgotten when a compaction has succeeded."""
    args = given(args)
    found = cleanup_after(
        optional_text(args, "source"), agent=optional_text(args, "agent"), gates=Gates.of(config.gates)
    )
    told = found.baseline
    return {
        "cleared": [str(store) for store in found.cleared],
        "kept": [str(store) for store in found.kept],
        "memory_reason": found.memory_reason,
        "baseline": None if told is None else {"source": told.source, "agent": told.agent},
        "failures": found.failures,
        "suppressed": found.is_warning_suppressed,
    }


FUNCTIONS: Final = MappingProxyType(
    {
        "compaction.restore": compaction_restore,
        "compaction.notes": compaction_notes,
        "compaction.session_memory": compaction_session_memory,
        "compaction.rebuild": compaction_rebuild,
        "compaction.cleanup": compaction_cleanup,
    }
)
"""Every function of this module by its wire name."""


def _read_state(args: Args) -> tuple[ReadState, list[Decision]]:
    """The read-state after all passes, and what it had to forget."""
    state = ReadState()
    forgotten: list[Decision] = []
    for reads in list_argument(args, "passes"):
        if not isinstance(reads, list):
            raise InvalidArgumentError("passes", "each pass is a list of reads")
        state = state.pass_begun()
        for read in reads:
            sized = read if isinstance(read, Mapping) and "p" in read else {"p": read}
            path, size = _path("passes", sized["p"]), optional_whole(sized, "bytes") or 0
            state, found = state.after_read(path, size_bytes=size)
            forgotten += found
    return state, forgotten


def _modified(tree: InMemoryTree, state: ReadState) -> dict[str, int]:
    times = {path: tree.modified(normalise(path, Flavour.POSIX)) for path in state.paths}
    return {path: time for path, time in times.items() if not isinstance(time, Refusal)}


def _notes_file(args: Args) -> DiskFile:
    entry = args.get("notes")
    if entry is None:
        return GONE
    if not isinstance(entry, Mapping) or "p" in entry or "link" in entry:
        raise InvalidArgumentError("notes", "a file as in a tree, without its path")
    tree = read_tree([{**entry, "p": NOTES_PLACE}], Flavour.POSIX, is_case_sensitive=True)
    return read_disk_file(tree, NOTES_PLACE)


def _standing(args: Args) -> Standing:
    plan = given(argument(args, "plan", dict, {}))
    return Standing(
        background=_named(args, "background"),
        plan=(argument(plan, "path", str, None), argument(plan, "text", str, None)) if "plan" in args else None,
        is_planning=argument(args, "plan_mode", bool, default=False),
        deferred_tools=text_list(args, "deferred_tools"),
        agents=text_list(args, "agents"),
        mcp=_named(args, "mcp"),
    )


def _named(args: Args, name: str) -> tuple[Named, ...]:
    return tuple(
        Named(name=argument(one, "name", str, None), text=argument(one, "text", str, ""))
        for one in object_list(args, name)
    )


def _summaries(args: Args) -> list[Summary]:
    found = object_list(args, "summaries")
    return [Summary(text=optional_text(one, "text") or "", uuid=optional_text(one, "uuid") or None) for one in found]


def _invocations(args: Args) -> tuple[Invocation, ...]:
    return tuple(
        Invocation(
            name=argument(one, "name", str, None),
            path=argument(one, "path", str, None),
            text=argument(one, "text", str, None),
            agent=optional_text(one, "agent"),
        )
        for one in object_list(args, "skills")
    )


def _paths(args: Args, name: str) -> tuple[str, ...]:
    return tuple(_path(name, one) for one in list_argument(args, name))


def _path(name: str, value: object) -> str:
    path = path_of(name, value)
    if not is_absolute(path, Flavour.POSIX):
        raise InvalidArgumentError(name, f"{path!r} is not absolute")
    return path


def _rows(args: Args) -> list[Any]:
    if "messages" not in args:
        raise InvalidArgumentError("messages", "is missing")
    return argument(args, "messages", list, None)


def _context_tokens(args: Args, choices: Choices) -> int:
    """The size of the context, given as a number or as the list that makes it. Spec: CMP-135."""
    if "messages" in args and "tokens" in args:
        raise InvalidArgumentError("tokens", "give either tokens or messages")
    return (
        context_size(_rows(args), choices=choices).tokens if "messages" in args else optional_whole(args, "tokens") or 0
    )


def _row(row: Row) -> dict[str, Any]:
    return {**row, "path": path_to_wire(row["path"])} if "path" in row else dict(row)


def _decisions(found: Iterable[Decision]) -> list[dict[str, Any]]:
    return [_row(one.as_object()) for one in found]
