"""Where Markdown lets an include stand, and which comments are blocks of their own.

Regions are markdown-it-py's business (CommonMark preset, no extensions). What it would decode is looked at in its
source form, so that an escaped or written-out `@` is never taken for one. Spec: MEM-073, MEM-078, MEM-079, MEM-102.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from types import SimpleNamespace
from typing import Any

from attrs import frozen
from markdown_it import MarkdownIt, helpers
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

MARKUP = re.compile(r"[\\`*_\[\]<&!]")
BLOCK_MARK = re.compile(r"\n|>|(?:[-+*]|[0-9][.)])(?=[ \t\n])")
QUOTES = re.compile(r"^[ \t]*>[> \t]*", re.MULTILINE)
NESTING_CAP = 100
"""Levels of blocks that are looked into."""
LINES_PER_UNIT = 4
"""Lines continuing a quotation that cost as much as one more mark, for each level of the quotation."""
PENDING_CAP = 2_048
DESTINATION = re.compile(r"\\.|[()\x00-\x20\x7f]", re.DOTALL)
MAX_BRACKETS = 32
"""Round brackets inside one another in the destination of a link, as the parser allows them."""


def _flush_pending(state: StateInline, silent: bool) -> bool:  # noqa: FBT001 (the parser's own signature)
    """Keep the parser's text buffer short: it grows by copying, so a long line would cost its square."""
    if not silent and len(state.pending) > PENDING_CAP:
        state.pushPending()
    return False


def _balances(text: str, start: int, end: int) -> bool:
    """Do the round brackets of a link's destination close?

    The parser looks at each character to find out, and at the same ones again for each of the links that open in it.
    """
    level = 0
    for mark in DESTINATION.finditer(text, start, end):
        if mark[0] == "(":
            level += 1
            if level > MAX_BRACKETS:
                return False
        elif mark[0] == ")" and level:
            level -= 1
        elif len(mark[0]) == 1 or mark[0] == "\\ ":
            break
    return level == 0


def _link_destination(text: str, start: int, end: int) -> Any:
    """The parser's own, spared where it would find nothing."""
    is_hopeless = not text.startswith("<", start) and not _balances(text, start, end)
    return helpers.parseLinkDestination("", 0, 0) if is_hopeless else helpers.parseLinkDestination(text, start, end)


def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark").disable(["text_join", "fragments_join"])
    parser.inline.ruler.before("text", "flush_pending", _flush_pending)
    own = {"parseLinkDestination": _link_destination}
    vars(parser)["helpers"] = SimpleNamespace(**{name: getattr(helpers, name) for name in helpers.__all__} | own)
    return parser


PARSER = _parser()
BLOCKS = MarkdownIt("commonmark", {"maxNesting": NESTING_CAP}).disable("inline")


@frozen(kw_only=True)
class Runs:
    """The unbroken pieces of literal text. Spec: MEM-073, MEM-078."""

    texts: Iterator[str]
    """In order."""
    markup: int
    """Characters with a meaning inside a line, in what is searched."""


def size_blocks(text: str) -> int:
    """What it costs to part a text into blocks: line ends, and marks that open one. Spec: MEM-092, MEM-103."""
    marks = len(BLOCK_MARK.findall(text))
    if ">" not in text:
        return marks
    deepest = max((quote.count(">") for quote in QUOTES.findall(text)), default=0)
    return marks + text.count("\n") * min(deepest, NESTING_CAP) // LINES_PER_UNIT


def text_runs(text: str, markup_cap: int) -> Runs | None:
    """What a text literally says; None for more markup than the cap. Spec: MEM-073, MEM-078, MEM-092."""
    definitions: dict[str, object] = {}  # links are defined anywhere in a text, for all of it
    blocks = BLOCKS.parse(text, definitions)
    contents = [token.content for token in blocks if token.type == "inline" and "@" in token.content]
    markup = sum(len(MARKUP.findall(content)) for content in contents)
    if markup > markup_cap:
        return None  # [MEM-092]
    texts = (run for content in contents for run in _runs_of(content, definitions))
    return Runs(texts=texts, markup=markup)


def _runs_of(content: str, definitions: dict[str, object]) -> Iterator[str]:
    if not MARKUP.search(content):
        yield content  # nothing in it could end a run
        return
    (token,) = PARSER.parseInline(content, definitions)
    yield from _runs(token.children or ())


def _runs(tokens: Sequence[Token]) -> Iterator[str]:
    """Runs of literal text: [MEM-073] every inline token that is not literal text ends one."""
    pieces: list[str] = []
    for token in tokens:
        if token.type == "text":
            pieces.append(token.content)
        elif token.type == "softbreak":
            pieces.append("\n")
        elif token.type == "text_special" and not _is_escape(token):
            pieces.append(token.markup)  # [MEM-077] an entity is the characters it is written with
        elif pieces:
            yield "".join(pieces)
            pieces = []
    if pieces:
        yield "".join(pieces)


def _is_escape(token: Token) -> bool:
    """A backslash before punctuation; before anything else it is a plain character. Spec: MEM-077."""
    return token.info == "escape" and token.markup != token.content


def html_blocks(text: str) -> list[tuple[int, int]]:
    """First line and line behind of every top-level HTML block. The text has LF line ends only. Spec: MEM-102."""
    return [
        (token.map[0], token.map[1])
        for token in BLOCKS.parse(text)
        if token.type == "html_block" and token.level == 0 and token.map is not None
    ]
