"""Where the whole of a large result is kept. Spec: CMP-027."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from attrs import frozen

from keel_ref.messages.rows import as_list, as_object, type_of
from keel_ref.tokens.serialise import Unserialisable, serialised

FOLDER: Final = "tool-results"
_PLAIN: Final = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.")


@frozen(kw_only=True)
class ResultText:
    """A result that consists of text alone."""

    text: str
    """Its texts, one behind the other."""
    file_text: str
    """What is written to the file: the text itself, or the list as JSON."""
    extension: str
    """`txt`, or `json` for a list of blocks."""


def text_of(content: object) -> ResultText | None:
    """The text of a result; None for one that holds anything but text. Spec: CMP-020, CMP-027."""
    if isinstance(content, str):
        return ResultText(text=content, file_text=content, extension="txt")
    blocks = as_list(content)
    if blocks is None or not all(_is_text(block) for block in blocks):
        return None
    try:
        form = serialised(content)
    except Unserialisable:  # [CMP-023] what cannot be written whole cannot be cut
        return None
    return ResultText(text=loose_text(content), file_text=form, extension="json")  # [CMP-027]


def loose_text(content: object) -> str:
    """Every text of a result, one behind the other; what is no text adds nothing. Spec: CMP-020."""
    if isinstance(content, str):
        return content
    texts = ((as_object(block) or {}).get("text") for block in as_list(content) or () if type_of(block) == "text")
    return "".join(text for text in texts if isinstance(text, str))


def path_of(session_folder: str, name: str, extension: str) -> str:
    """The file of a result, always directly in one folder. Spec: CMP-027."""
    folder = session_folder.rstrip("/")
    return f"{folder}/{FOLDER}/{encoded(name)}.{extension}"


def encoded(name: str) -> str:
    """The name, and in it the UTF-8 bytes of each character that may be unfit for a file name. Spec: CMP-027."""
    return "".join(
        character
        if character in _PLAIN
        else "".join(f"%{byte:02X}" for byte in character.encode("utf-8", "surrogatepass"))
        for character in name
    )


def name_of(call_id: str, names: Mapping[str, Any]) -> str:
    """The name that was given for a call, or else its id. Spec: CMP-027."""
    given = names.get(call_id)
    return given if isinstance(given, str) and given else call_id


def _is_text(block: object) -> bool:
    return type_of(block) == "text" and isinstance((as_object(block) or {}).get("text"), str)
