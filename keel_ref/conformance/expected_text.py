"""The expected-failure file as text that people keep: edited entry by entry, every comment left where it belongs.

A comment directly above `[[expect]]` belongs to the entry below it. TOML libraries count it to the entry above, so
that taking an entry out would take the wrong comment with it. Hence the file is cut into blocks here, and what the
blocks say is checked against what the whole says before anything is changed.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterable
from typing import Any, Final

from attrs import evolve, frozen

from keel_ref.conformance.exits import UsageError
from keel_ref.conformance.expected import Entry, ExpectedFile, parse_expected

_HEADER = re.compile(r"\s*\[\[\s*expect\s*\]\]")
_COMMENT = re.compile(r"\s*#")
_ORDER: Final = ("id", "fails", "message", "reason", "issue", "until", "flaky")
_WIDTH: Final = max(map(len, _ORDER))
_ONE_VALUE: Final = r"""(?:"(?:[^"\\]|\\.)*"|'[^']*'|[^#\s"']+)"""
"""A value that is written in one line: a text in either quotes, a number or a day."""


@frozen(kw_only=True)
class Block:
    """One entry as it is written, with the comment above it and whatever follows it."""

    text: str
    """Whole lines."""
    entry: Entry
    """What they say."""


@frozen(kw_only=True)
class ExpectedText:
    """The file in pieces that together are its text."""

    head: str
    """Everything before the first entry."""
    blocks: tuple[Block, ...]
    """The entries, in the order of the file."""

    @property
    def text(self) -> str:
        """The file as it is to be written."""
        return self.head + "".join(block.text for block in self.blocks)

    def parse(self) -> ExpectedFile:
        """What the file says."""
        return parse_expected(tomllib.loads(self.text))


def parse_text(text: str) -> ExpectedText:
    """The pieces of a file. Raises `UsageError` for one that is ill-formed, or that cannot be cut into entries."""
    try:
        source = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise UsageError(str(error)) from error
    entries = parse_expected(source).entries
    head, pieces = _cut(text)
    written = source.get("expect", [])
    is_whole = len(pieces) == len(written) and _read(head) == {k: v for k, v in source.items() if k != "expect"}
    if not is_whole or any(_read(piece) != {"expect": [one]} for piece, one in zip(pieces, written, strict=True)):
        raise UsageError("write each expected failure as a block of its own under [[expect]], a word for nothing else")
    blocks = (Block(text=piece, entry=entry) for piece, entry in zip(pieces, entries, strict=True))
    return ExpectedText(head=head, blocks=tuple(blocks))


def _cut(text: str) -> tuple[str, list[str]]:
    """The text before each entry's own comment, as head and blocks."""
    lines = text.splitlines(keepends=True)
    starts: list[int] = []
    for number, line in enumerate(lines):
        if _HEADER.match(line):
            start = number
            while start > (starts[-1] + 1 if starts else 0) and _COMMENT.match(lines[start - 1]):
                start -= 1
            starts.append(start)
    ends = [*starts[1:], len(lines)] if starts else []
    head = "".join(lines[: starts[0]] if starts else lines)
    return head, ["".join(lines[start:end]) for start, end in zip(starts, ends, strict=True)]


def _read(piece: str) -> dict[str, Any] | None:
    """What a piece says by itself; none where it is no TOML."""
    try:
        return tomllib.loads(piece)
    except tomllib.TOMLDecodeError:
        return None


def start_text(suite: str) -> ExpectedText:
    """A file that says nothing yet but for which suite it was written."""
    about = "# Failures that are known, each with its reason. `keel-ref baseline` keeps this file exact.\n"
    return ExpectedText(head=f"{about}suite = {_literal(suite)}\n", blocks=())


def set_head(document: ExpectedText, *, suite: str, min_tests: int) -> ExpectedText:
    """The same file, written for this suite and this many tests."""
    head = _set_value(document.head, "suite", suite)
    return _checked(evolve(document, head=_set_value(head, "min_tests", min_tests, after="suite")))


def change_entry(document: ExpectedText, block: Block, *, fails: str, message: str) -> ExpectedText:
    """The same file, in which an entry fails in another way. Its reason and its comments stay."""
    text = _set_value(block.text, "fails", fails)
    text = _set_value(text, "message", message or None, after="fails")
    changed = evolve(block, text=text)
    return _checked(_replace(document, block, [changed]))


def remove_entry(document: ExpectedText, block: Block, successors: Iterable[Entry] = ()) -> ExpectedText:
    """The same file without an entry and its comment; its successors take its place."""
    rest = _trailing_comments(block.text)
    blocks = [Block(text=render_entry(entry), entry=entry) for entry in successors]
    if blocks:
        blocks[-1] = evolve(blocks[-1], text=blocks[-1].text + rest)
        return _checked(_replace(document, block, blocks))
    place = document.blocks.index(block)
    if place == 0:
        document = evolve(document, head=document.head + rest)
    else:
        before = document.blocks[place - 1]
        document = _replace(document, before, [evolve(before, text=before.text + rest)])
    return _checked(_replace(document, block, []))


def add_entry(document: ExpectedText, entry: Entry) -> ExpectedText:
    """The same file with one more entry at its end."""
    text = document.text
    gap = "" if text.endswith("\n\n") else "\n" if text.endswith("\n") else "\n\n"
    block = Block(text=f"{gap}{render_entry(entry)}", entry=entry)
    return _checked(evolve(document, blocks=(*document.blocks, block)))


def render_entry(entry: Entry) -> str:
    """An entry as it is written for the first time."""
    values: dict[str, object] = {
        "id": entry.id,
        "fails": entry.fails.value,
        "message": entry.message,
        "reason": entry.reason,
        "issue": entry.issue,
        "until": entry.until,
        "flaky": str(entry.flaky) if entry.flaky else "",
    }
    lines = [f"{name.ljust(_WIDTH)} = {_literal(values[name])}\n" for name in _ORDER if values[name]]
    return "[[expect]]\n" + "".join(lines)


def _trailing_comments(text: str) -> str:
    """What stands behind an entry and is not about it: comments, with the blank lines between them."""
    lines = text.splitlines(keepends=True)
    last = max(number for number, line in enumerate(lines) if line.strip() and not _COMMENT.match(line))
    behind = lines[last + 1 :]
    return "".join(behind) if any(line.strip() for line in behind) else ""


def _replace(document: ExpectedText, block: Block, successors: list[Block]) -> ExpectedText:
    """The same pieces with one block replaced."""
    place = document.blocks.index(block)
    return evolve(document, blocks=(*document.blocks[:place], *successors, *document.blocks[place + 1 :]))


def _checked(document: ExpectedText) -> ExpectedText:
    """The pieces read anew, so that no edit leaves what cannot be read."""
    try:
        return parse_text(document.text)
    except UsageError as error:
        raise UsageError(
            f"a value is written in a way that cannot be edited here ({error}); change it by hand"
        ) from error


def _literal(value: object) -> str:
    """A value as TOML writes it."""
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    return str(value)


def _set_value(text: str, name: str, value: object, *, after: str = "") -> str:
    """The text with a value set, or taken out where it is none; a comment behind the old one stays."""
    lines = text.splitlines(keepends=True)
    pattern = re.compile(rf"(?P<start>\s*{name}\s*=\s*){_ONE_VALUE}(?P<rest>\s*(?:#.*)?)$", re.DOTALL)
    for number, line in enumerate(lines):
        found = pattern.match(line)
        if found:
            lines[number] = "" if value is None else f"{found['start']}{_literal(value)}{found['rest']}"
            return "".join(lines)
    if value is not None:
        place = next((number + 1 for number, line in enumerate(lines) if re.match(rf"\s*{after}\s*=", line)), 0)
        padded = name.ljust(_WIDTH) if _HEADER.search(text) else name
        lines.insert(place, f"{padded} = {_literal(value)}\n")
    return "".join(lines)
