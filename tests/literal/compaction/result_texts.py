"""The text of a result, its preview, and the name of its file."""

from typing import Any

from tests.literal.compaction.arguments import size_text, take_beginning

PREVIEW_UNITS = 2_000
"""The size of a preview. [CMP-025]"""

PLAIN = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.")
"""Characters that stay in the name of a file. [CMP-027]"""


def read_whole_text(content: Any) -> str:
    """The text of a content: its own, or that of its text blocks one behind the other. Spec: CMP-020."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    texts = [block.get("text") for block in content if isinstance(block, dict) and block.get("type") == "text"]
    return "".join(text for text in texts if isinstance(text, str))


def make_preview(text: str, unit: str, most: int = PREVIEW_UNITS) -> str:
    """The preview of a text. Spec: CMP-025."""
    if size_text(text, unit) <= most:
        return text
    head = take_beginning(text, most, unit)
    before = head.rpartition("\n")[0]
    return before if "\n" in head and 2 * size_text(before, unit) >= most else head


def name_file(folder: str, name: str, ending: str) -> str:
    """The path of the file of a result. Spec: CMP-027."""
    out = [
        letter if letter in PLAIN else "".join(f"%{byte:02X}" for byte in letter.encode("utf-8", "surrogatepass"))
        for letter in name
    ]
    return f"{folder.rstrip('/')}/tool-results/{''.join(out)}.{ending}"
