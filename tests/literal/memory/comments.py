"""Taking block comments out of a text."""

import re

from tests.literal.memory.markdown.runs import find_top_level_html
from tests.literal.memory.space import is_blank

OPENING = "<!--"
"""What a comment begins with."""

CLOSING = "-->"
"""What a comment ends with."""

COMMENT_TYPE = 2
"""The type of HTML block that begins with a comment, as CommonMark counts."""


def remove_comments(text: str) -> str:
    """The text without its block comments. Spec: MEM-102, MEM-103, MEM-105."""
    if OPENING not in text:
        return text  # [MEM-103]
    with_line_feeds = re.sub(r"\r\n|\r", "\n", text)
    removed = remove_once(with_line_feeds)
    if removed == with_line_feeds:
        return text  # [MEM-105]
    while (again := remove_once(removed)) != removed:  # [MEM-103]
        removed = again
    return removed


def remove_once(text: str) -> str:
    """One removal from every block of the top level. Spec: MEM-102."""
    lines = text.split("\n")
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    result = ""
    done = 0
    for block in find_top_level_html(text):
        if block.html_type != COMMENT_TYPE:
            continue
        start, end = starts[block.first_line], starts[block.last_line + 1] - 1
        rest = remove_from_block(text[start:end])
        if rest == text[start:end]:
            continue
        result += text[done:start]
        done = end
        if is_blank(rest):
            while text[done : done + 1] == "\n":
                done += 1  # line ends alone: a line that holds blanks stays [MEM-102]
        else:
            result += rest
    return result + text[done:]


def remove_from_block(block: str) -> str:
    """A block without every comment in it. Spec: MEM-102."""
    rest = ""
    index = 0
    while (start := block.find(OPENING, index)) >= 0:
        end = block.find(CLOSING, start + len(OPENING))  # [MEM-102]
        if end < 0:
            break
        rest += block[index:start]
        index = end + len(CLOSING)
    return rest + block[index:]
