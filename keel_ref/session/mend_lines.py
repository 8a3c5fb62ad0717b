"""Lines of a session file as they should be, each by itself. Rule S13."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from attrs import define, field, frozen

from keel_ref.tokens.usage import TERMS, read_usage
from keel_ref.transcript.lines import read_line
from keel_ref.transcript.log import Reason
from keel_ref.transcript.slim import KINDS, is_link


@frozen(kw_only=True)
class Action:
    """One thing that a repair did."""

    line: int
    """The line of the file that is mended, counted from 1."""
    reason: Reason
    """What was wrong there."""


@define
class LineMender:
    """Takes the lines one after another, and remembers the names of the rows."""

    actions: list[Action] = field(factory=list)
    lines: int = 0
    seen: set[str] = field(factory=set)
    last: str | None = None
    """The name of the row above."""

    def mend(self, line: bytes | None) -> Sequence[bytes]:
        """The lines that stand in the place of one; None stands for one that was too long to be read."""
        self.lines += 1
        found = Reason.LONG_LINE if line is None else read_line(line)
        if found is None or line is None:
            if line is None:
                self._did(Reason.LONG_LINE)
            return ()
        if found is Reason.JOINED_LINES:
            self._did(found)
            return [mended for part in _parts(line) for mended in self._mend_part(part)]
        if isinstance(found, Reason):
            self._did(found)
            return ()
        return self._mend_row(found, line)

    def _mend_part(self, part: bytes) -> Sequence[bytes]:
        found = read_line(part)
        if isinstance(found, Mapping):
            return self._mend_row(found, part)
        if found is not None:
            self._did(found)
        return ()

    def _mend_row(self, row: Mapping[str, Any], line: bytes) -> Sequence[bytes]:
        kind = row.get("type")
        if not isinstance(kind, str):
            self._did(Reason.NO_KIND)
            return ()
        whole = line if line.endswith(b"\n") else line + b"\n"
        if kind not in KINDS and not is_link(row):
            return (whole,)
        changed = dict(row)
        name = row.get("uuid")
        if not (isinstance(name, str) and name):
            self._did(Reason.NO_UUID)
            name = _new_name(line, self.seen)
            changed["uuid"] = name
            if not isinstance(row.get("parentUuid"), str) and row.get("subtype") != "compact_boundary":
                changed["parentUuid"] = self.last
        elif name in self.seen:
            self._did(Reason.DUPLICATE_UUID)
            return ()
        self.seen.add(name)
        if row.get("isSidechain") is not True:
            self.last = name
        if kind == "assistant" and (message := _without_bad_usage(row.get("message"))) is not None:
            self._did(Reason.BAD_USAGE)
            changed["message"] = message
        return (whole if changed == row else write_line(changed),)

    def _did(self, reason: Reason) -> None:
        self.actions.append(Action(line=self.lines, reason=reason))


def write_line(row: Mapping[str, Any]) -> bytes:
    """The row as a line, with its characters as they are unless one of them is no character."""
    try:
        return json.dumps(row, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
    except UnicodeEncodeError:  # half of a character
        return json.dumps(row, separators=(",", ":")).encode() + b"\n"


def _parts(line: bytes) -> Iterator[bytes]:
    """The objects of a line that holds several; what is left where no object begins, as it is. Ends with the line."""
    text = line.decode("utf-8").strip()
    decoder = json.JSONDecoder()
    at = 0
    while at < len(text):
        try:
            _, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            end = len(text)
        yield text[at:end].encode() + b"\n"
        blank = _BLANKS.match(text, end)
        at = end if blank is None else blank.end()


_BLANKS: Final = re.compile(r"\s*")


def _new_name(line: bytes, taken: set[str]) -> str:
    """A name that follows from the text, and that no other row has."""
    for count in range(len(taken) + 1):
        digest = hashlib.sha256(line + b"#" * count).hexdigest()
        name = "-".join((digest[:8], digest[8:12], digest[12:16], digest[16:20], digest[20:32]))
        if name not in taken:
            return name
    raise AssertionError("one of so many names is free")


def _without_bad_usage(message: object) -> Mapping[str, Any] | None:
    """The message without the terms of its usage that cannot be read; None where there are none."""
    if not isinstance(message, Mapping) or message.get("usage") is None:
        return None
    usage = message["usage"]
    found = read_usage(usage)
    if found is None:
        return {key: value for key, value in message.items() if key != "usage"}
    if not found.has_bad_terms:
        return None
    bad = {name for name in TERMS if (one := read_usage({name: usage.get(name)})) is not None and one.has_bad_terms}
    return {**message, "usage": {key: value for key, value in usage.items() if key not in bad}}
