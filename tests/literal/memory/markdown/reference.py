"""Labels, destinations and titles of links, and link reference definitions."""

import re

PUNCTUATION = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"
"""ASCII punctuation: what a backslash escapes."""

LABEL = re.compile(r"\[(?:[^\\\[\]]|\\.)*\]", re.DOTALL)
"""A label in brackets."""

MAX_LABEL_CHARACTERS = 999
"""Most characters between the brackets of a label."""

MAX_NESTED_BRACKETS = 32
"""Round brackets inside one another in a destination; CommonMark demands three and allows a limit."""

ANGLE_DESTINATION = re.compile(r"<(?:[^<>\n\\]|\\[^\n])*>")
"""A destination in angle brackets."""

TITLE = re.compile(r"\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'|\((?:[^()\\]|\\.)*\)", re.DOTALL)
"""A title in its quotes or brackets."""

SPACE_WITH_LINE_END = re.compile(r"[ \t]*(?:\n[ \t]*)?")
"""Blanks and tabs with up to one line end among them."""

REST_OF_LINE = re.compile(r"[ \t]*(?:\n|$)")
"""Nothing more on the line."""


def find_label(text: str, start: int) -> int:
    """The end of the label in brackets that begins at an index; the start itself if there is none."""
    found = LABEL.match(text, start)
    return found.end() if found and found.end() - start - 2 <= MAX_LABEL_CHARACTERS else start


def name_of_label(label: str) -> str:
    """What two labels, in their brackets, must share to be one. Empty if the label is blank."""
    return re.sub(r"[ \t\r\n]+", " ", label[1:-1].strip(" \t\r\n")).casefold()


def skip_space(text: str, start: int) -> int:
    """The index behind blanks, tabs and up to one line end."""
    found = SPACE_WITH_LINE_END.match(text, start)
    assert found
    return found.end()


def find_destination(text: str, start: int) -> int | None:
    """The end of the destination of a link that begins at an index; it may be empty."""
    if text[start : start + 1] == "<":
        found = ANGLE_DESTINATION.match(text, start)
        return found.end() if found else None
    index = start
    depth = 0
    while index < len(text):
        character = text[index]
        if character == "\\" and text[index + 1 : index + 2] and text[index + 1] in PUNCTUATION:
            index += 2
            continue
        if character == "(":
            depth += 1
            if depth > MAX_NESTED_BRACKETS:
                return None
        elif character == ")":
            if depth == 0:
                break
            depth -= 1
        elif character <= " " or character == "\x7f":  # ASCII control characters and the blank
            break
        index += 1
    return index if depth == 0 else None


def find_title(text: str, start: int) -> int | None:
    """The end of the title that begins at an index."""
    found = TITLE.match(text, start)
    return found.end() if found else None


def find_inline_target(text: str, start: int) -> int | None:
    """The end of what stands in round brackets behind the text of a link, from its opening bracket on."""
    if text[start : start + 1] != "(":
        return None
    end_of_destination = find_destination(text, skip_space(text, start + 1))
    if end_of_destination is None:
        return None
    index = skip_space(text, end_of_destination)
    if index > end_of_destination:
        end_of_title = find_title(text, index)
        if end_of_title is not None:
            index = skip_space(text, end_of_title)
    return index + 1 if text[index : index + 1] == ")" else None


def find_definition(text: str) -> tuple[str, int] | None:
    """The name and the end of a link reference definition at the start of the text of a paragraph."""
    end_of_label = find_label(text, 0)
    name = name_of_label(text[:end_of_label])
    if not name or text[end_of_label : end_of_label + 1] != ":":
        return None
    start = skip_space(text, end_of_label + 1)
    end_of_destination = find_destination(text, start)
    if end_of_destination is None or end_of_destination == start:
        return None
    index = skip_space(text, end_of_destination)
    end_of_title = find_title(text, index) if index > end_of_destination else None
    if end_of_title is not None:
        end = REST_OF_LINE.match(text, end_of_title)
        if end:
            return name, end.end()
    end = REST_OF_LINE.match(text, end_of_destination)
    return (name, end.end()) if end else None


def take_definitions(text: str, names: set[str]) -> str:
    """Add the names of the definitions at the start of a paragraph to the set; what is left of the paragraph."""
    while text.startswith("["):
        found = find_definition(text)
        if found is None:
            break
        name, end = found
        names.add(name)
        text = text[end:]
    return text
