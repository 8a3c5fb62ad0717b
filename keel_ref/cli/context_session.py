"""What the next turn of a session holds, by category, as far as its record says. Spec: CTX-105, CTX-107."""

from __future__ import annotations

from collections.abc import Iterator

from keel_ref.adapters.session_file import SessionFile, read_session
from keel_ref.cli.context_found import Asked, Found, Gap, List, SourceKind
from keel_ref.context.holdings import Holdings
from keel_ref.context.message_parts import break_down
from keel_ref.context.recorded import Recorded, recorded_of

UNSEEN = "a session file does not hold it; a part of Unattributed"
GAPS = (
    Gap(what="System prompt", why=UNSEEN, list=List.SYSTEM_PROMPT),
    Gap(what="Tools", why=UNSEEN, list=List.TOOLS),
    Gap(what="Custom agents", why=UNSEEN, list=List.AGENTS),
    Gap(what="Skills", why=UNSEEN, list=List.SKILLS),
    Gap(what="Memory files", why=UNSEEN, list=List.MEMORY_FILES),
)


def look_at_session(asked: Asked, path: str) -> Found:
    """The view of a session file. Raises `SessionFileError`."""
    session = read_session(path)
    broken_down, reported = break_down(session.view.rows, choices=asked.choices)
    recorded = recorded_of(session.view.rows, choices=asked.choices)
    return Found(
        kind=SourceKind.SESSION,
        name=asked.source,
        model=session.model,
        holdings=Holdings(messages=broken_down.parts(), recorded=recorded.tokens),
        tools=broken_down.tools(),
        attachments=broken_down.attachments(),
        first_growth=recorded.first_growth,
        compacted_at=_compacted_at(session),
        gaps=GAPS,
        reported=[one.as_object() for one in reported],
        notes=tuple(_notes(session, recorded)),
    )


def _compacted_at(session: SessionFile) -> int | None:
    """The use at which the last compaction began by itself; None where there was none, or a person asked for it."""
    boundary = next(iter(session.view.rows), {})
    before = boundary.get("tokens_before") if boundary.get("trigger") == "auto" else None
    return before if isinstance(before, int) and not isinstance(before, bool) else None


def _notes(session: SessionFile, recorded: Recorded) -> Iterator[str]:
    """What a person should know of the record."""
    view = session.view
    if recorded.tokens is None:
        yield "No response of what the next turn sees has recorded a usage, so nothing stands beside the estimates."
    if view.broken:
        yield f"{len(view.broken):,} lines are no JSON objects and are left out; the first is line {view.broken[0]:,}."
    if view.attachments:
        yield f"{view.attachments:,} attachments are left out: the record does not say how they were shown."
