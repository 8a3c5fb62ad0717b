"""The text that is put before the model. Spec: MEM-109, MEM-110."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from keel_ref.memory.values import Layer, MemoryFile

PREAMBLE = (
    "The files below hold instructions of the user and of this code base. Follow them exactly as they are written; "
    "where they differ from how you would act by default, they take precedence."
)
"""Our own words for the duty of MEM-109."""

LABELS = {
    Layer.MANAGED: "the user's private instructions for all projects",  # [MEM-110] the same as the user's own
    Layer.USER: "the user's private instructions for all projects",
    Layer.PROJECT: "instructions checked into the project",
    Layer.LOCAL: "the user's private instructions for this project",
    Layer.AUTO: "the index of the automatic memory, kept over sessions",
}
"""What the line of a file says about it. Spec: MEM-110."""


def render(files: Sequence[MemoryFile]) -> str | None:
    """One block of text; None when there is no file. Spec: MEM-109."""
    if not files:
        return None  # [MEM-109] no files, no block at all
    return "\n\n".join((PREAMBLE, *_entries(files)))


def _entries(files: Sequence[MemoryFile]) -> Iterator[str]:
    for file in files:
        text = f"{file.text}\n\n{file.notice}" if file.notice else file.text
        if file.layer is Layer.TEAM:  # [MEM-110]
            yield f"<team-memory>\nShared with the team, kept in {file.path}.\n\n{text}\n</team-memory>"
        else:
            yield f"Contents of {file.path} ({LABELS[file.layer]}):\n\n{text}"
