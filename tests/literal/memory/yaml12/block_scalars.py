"""Literal and folded block scalars."""

import re

from tests.literal.memory.yaml12.characters import NO, Source, is_nonbreak
from tests.literal.memory.yaml12.scalars import Text

HEADER = re.compile(r"[|>](?:([1-9])([-+]?)|([-+])([1-9]?))?")
"""[162] c-b-block-header(t), with the sign before it and without the comment behind it"""


def read_block_scalar(source: Source, index: int, n: int) -> Text | None:
    """[170] c-l+literal(n) or [174] c-l+folded(n)."""
    header = HEADER.match(source.text, index)
    if not header:
        return None
    start = source.short_comment(header.end())
    if start == NO:
        return None
    digit = header[1] or header[4]
    indent = n + int(digit) if digit else find_block_indent(source, start, n)
    if indent is None:
        return None
    lines, end = read_block_lines(source, start, indent)
    text = join_block_lines(lines, header[2] or header[3] or "", is_folded=source.at(index) == ">")
    return text, skip_trailing_comments(source, end, indent)


def find_block_indent(source: Source, index: int, n: int) -> int | None:
    """8.1.1.1: the indentation of the first line that is not empty; no empty line before it may have more."""
    longest = 0
    while True:
        spaces = source.count_spaces(index)
        behind = source.at(index + spaces)
        if behind == "\n":
            longest = max(longest, spaces)
            index += spaces + 1
        elif behind == "" or spaces <= n:
            return max(longest, n + 1)
        else:
            return spaces if longest <= spaces else None


def read_block_lines(source: Source, index: int, indent: int) -> tuple[list[str], int]:
    """The lines of a block scalar without their indentation, the empty ones at its end too."""
    lines: list[str] = []
    while index < len(source.text):
        behind_empty = source.empty_line(index, indent, is_flow=False)
        if behind_empty != NO:
            lines.append("")
            index = behind_empty
            continue
        start = source.indent(index, indent)
        if start == NO or not is_nonbreak(source.at(start)):
            break
        end = start
        while is_nonbreak(source.at(end)):
            end += 1
        lines.append(source.text[start:end])
        index = source.comment_break(end)
        if index == NO:
            return lines, end  # a character that may not stand here
    return lines, index


def skip_trailing_comments(source: Source, index: int, indent: int) -> int:
    """[169] l-trail-comments(n)."""
    spaces = source.count_spaces(index)
    if spaces < indent and source.at(index + spaces) == "#":
        while (behind := source.comment_line(index)) > index:
            index = behind
    return index


def join_block_lines(lines: list[str], chomping: str, *, is_folded: bool) -> str:
    """[165] b-chomped-last(t) and [166] l-chomped-empty(n,t)."""
    content = list(lines)
    while content and content[-1] == "":
        content.pop()
    empty_lines = len(lines) - len(content)
    text = fold(content) if is_folded else "\n".join(content)
    if chomping == "-":
        return text
    if chomping == "+":
        return text + "\n" * (empty_lines + (1 if content else 0))
    return text + ("\n" if content else "")


def fold(lines: list[str]) -> str:
    """[175] to [182]: single line ends between lines of text become blanks."""
    text = ""
    before = ""
    empty_lines = 0
    for line in lines:
        if line == "":
            empty_lines += 1
            continue
        is_spaced = line[0] in " \t" or before[:1] in {" ", "\t"}
        if before == "":
            text += "\n" * empty_lines
        elif is_spaced:
            text += "\n" * (empty_lines + 1)
        else:
            text += "\n" * empty_lines or " "
        text += line
        before = line
        empty_lines = 0
    return text
