"""Which files a compaction puts back, how, and in which order. Spec: CMP-111 to CMP-118, CMP-124.

Reading a disk is no business of a rule, so there are two steps: `restore_candidates` says which files come into
question and in which order, somebody reads them, and `restore_files` takes what was read.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Final

from attrs import define, field, frozen

from keel_ref.choices import Choices, OversizeRestore, RestoreRecency
from keel_ref.compaction.attachments import Row, attachment_row
from keel_ref.compaction.cuts import beginning, text_tokens
from keel_ref.compaction.disk_file import GONE, DiskFile, Files, FileState
from keel_ref.compaction.read_state import ReadState
from keel_ref.compaction.trace import Decision, Layer, Why
from keel_ref.constants import DEFAULT, Constants
from keel_ref.text import size_utf8
from keel_ref.tokens.serialise import serialised
from keel_ref.units import Tokens, div_floor

MICROSECONDS: Final = 1_000
"""Microseconds of a millisecond. Spec: CMP-113."""

_WHY_NOT: Final = {
    FileState.GONE: Why.FILE_GONE,
    FileState.UNREADABLE: Why.FILE_UNREADABLE,
    FileState.NOT_REGULAR: Why.FILE_NOT_REGULAR,
    FileState.TOO_LARGE: Why.FILE_TOO_LARGE,
}


@frozen(kw_only=True)
class Candidates:
    """The files that come into question."""

    paths: tuple[str, ...]
    """All of them, the first to be tried in front."""
    decisions: tuple[Decision, ...]
    """What of the read-state comes into no question."""


@frozen(kw_only=True)
class RestoredFiles:
    """The files that are put back."""

    attachments: tuple[Row, ...]
    """One for each place taken, in order."""
    decisions: tuple[Decision, ...]
    """What became of each candidate."""
    tokens: Tokens
    """The running sum of CMP-117."""
    state: ReadState
    """The read-state afterwards: files whose whole text is shown. Spec: CMP-124."""


def restore_candidates(
    state: ReadState,
    modified_us: Mapping[str, int],
    *,
    plan_files: Collection[str] = (),
    memory_files: Collection[str] = (),
    shown: Collection[str] = (),
    choices: Choices | None = None,
) -> Candidates:
    """The files of the read-state that may be put back, in the order in which they are tried. Spec: CMP-111, CMP-113.

    `modified_us` says when each file was changed last, in microseconds; of a file that is gone it says nothing.
    """
    left_out = (
        (Why.PLAN_FILE, frozenset(plan_files)),
        (Why.MEMORY_FILE, frozenset(memory_files)),
        (Why.STILL_SHOWN, frozenset(shown)),
    )
    paths: list[str] = []
    decisions: list[Decision] = []
    for path in state.paths:
        why = next((why for why, those in left_out if path in those), None)  # [CMP-111] the first reason is said
        if why is None:
            paths.append(path)
        else:
            decisions.append(Decision(layer=Layer.RESTORE, why=why, path=path))
    if (choices or Choices()).restore_recency is RestoreRecency.READ:
        number = {entry.path: entry.number for entry in state.entries}
        paths.sort(key=lambda path: -number[path])  # [CMP-113] last read first
    else:
        paths.sort(key=lambda path: _age(modified_us.get(path)))  # [CMP-113] stable: ties as the read-state has them
    return Candidates(paths=tuple(paths), decisions=tuple(decisions))


def restore_files(
    paths: Iterable[str],
    contents: Files,
    *,
    choices: Choices | None = None,
    constants: Constants = DEFAULT,
) -> RestoredFiles:
    """The attachments for the first files that can be had. Spec: CMP-114 to CMP-118.

    `contents` is asked for a path only while there is a place for it; a path it has not is gone.
    """
    places = _Places(choices or Choices(), constants)
    for path in paths:
        if places.taken == constants.restore_cap_files:
            places.decide(Why.FILES_CAP, path)  # [CMP-114]
        else:
            places.offer(path, contents.get(path, GONE))
    state = places.read_state()
    return RestoredFiles(
        attachments=tuple(places.attachments),
        decisions=tuple(places.decisions),
        tokens=Tokens(places.tokens),
        state=state,
    )


@define
class _Places:
    """The places for files, while they are filled."""

    choices: Choices
    constants: Constants
    taken: int = 0
    tokens: int = 0
    attachments: list[Row] = field(factory=list)
    decisions: list[Decision] = field(factory=list)
    whole: dict[str, str] = field(factory=dict)

    def decide(self, why: Why, path: str, tokens: int | None = None) -> None:
        self.decisions.append(Decision(layer=Layer.RESTORE, why=why, path=path, tokens=tokens))

    def offer(self, path: str, found: DiskFile) -> None:
        """Give the file a place, or say why it gets none."""
        is_named = self.choices.oversize_restore is OversizeRestore.REFERENCE
        if found.state is FileState.TOO_LARGE and is_named:
            self._take(Why.FILE_NAMED, path, None)  # [CMP-114] what is not read can still be named
        elif found.state is not FileState.READ:
            self.decide(_WHY_NOT[found.state], path)  # [CMP-114] its place goes to the next one
        elif found.is_binary:
            self.decide(Why.FILE_BINARY, path)  # [CMP-115]
        elif self._text_tokens(found.text) <= self.constants.restore_file_cap_tokens:
            self._take(Why.FILE_RESTORED, path, found.text)
        elif is_named:
            self._take(Why.FILE_NAMED, path, None)  # [CMP-116]
        else:
            cap = self.constants.restore_file_cap_tokens
            self._take(Why.FILE_CUT, path, beginning(found.text, cap, choices=self.choices, constants=self.constants))

    def _take(self, why: Why, path: str, text: str | None) -> None:
        """Take a place; put the file back if the sum allows it. Spec: CMP-117."""
        self.taken += 1  # [CMP-114] [CMP-116] whatever becomes of it now
        form = (
            {"type": "file_reference", "path": path} if text is None else {"type": "file", "path": path, "text": text}
        )
        cost = self._text_tokens(serialised(form))
        if self.tokens + cost > self.constants.restore_cap_tokens:
            self.decide(Why.FILES_SUM, path, cost)  # [CMP-117] a later one may still fit
            return
        self.tokens += cost
        self.decide(why, path, cost)
        self.attachments.append(file_row(why, path, text))
        if why is Why.FILE_RESTORED:
            self.whole[path] = text or ""  # [CMP-124] only what is shown whole

    def read_state(self) -> ReadState:
        """What counts as read afterwards, the first file in front. Spec: CMP-124."""
        state = ReadState()
        for path, text in reversed(self.whole.items()):
            state, forgotten = state.after_read(path, size_bytes=size_utf8(text), constants=self.constants)
            self.decisions.extend(forgotten)
        return state

    def _text_tokens(self, text: str) -> int:
        return text_tokens(text, choices=self.choices, constants=self.constants)


def file_row(why: Why, path: str, text: str | None) -> Row:
    """The attachment for one file; the wording is free, the text is not. Spec: CMP-118."""
    if text is None:
        note = f"[keel-ref: {path} was read before; it is too large to be shown again, read it when it is needed]"
        return attachment_row("file_reference", note, path=path)
    if why is Why.FILE_CUT:
        notice = f"[keel-ref: this is the beginning of {path}; the rest is in the file]"  # P-3
        return attachment_row("file", f"[keel-ref: the beginning of {path} as it is now]", text, notice, path=path)
    return attachment_row("file", f"[keel-ref: {path} as it is now]", text, path=path)


def _age(modified_us: int | None) -> tuple[bool, int]:
    """A key that puts the newest file first, in whole milliseconds, and those of unknown age last. Spec: CMP-113."""
    return (modified_us is None, -div_floor(modified_us or 0, MICROSECONDS))
