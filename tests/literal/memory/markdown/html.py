"""Raw HTML: what begins and ends an HTML block, and what is a tag."""

import re

SPACE = r"[ \t\n]"
"""Blanks, tabs and line ends; there is no blank line inside a block of inline content."""

ATTRIBUTE = (
    rf"{SPACE}+[A-Za-z_:][A-Za-z0-9_.:-]*"
    rf"(?:{SPACE}*={SPACE}*(?:[^ \t\n\"'=<>`]+|'[^']*'|\"[^\"]*\"))?"
)
"""An attribute with the space before it."""

OPEN_TAG = rf"<[A-Za-z][A-Za-z0-9-]*(?:{ATTRIBUTE})*{SPACE}*/?>"
"""A complete open tag."""

CLOSING_TAG = rf"</[A-Za-z][A-Za-z0-9-]*{SPACE}*>"
"""A complete closing tag."""

INLINE_TAG = re.compile(rf"{OPEN_TAG}|{CLOSING_TAG}|<!-->|<!--->|<![A-Za-z][^>]*>")
"""Raw HTML inside a line that ends with the next sign of an angle bracket outside quotes."""

INLINE_ENDS = {"<!--": "-->", "<?": "?>", "<![CDATA[": "]]>"}
"""Raw HTML inside a line that ends with a string of its own."""

EMAIL_LABEL = "[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?"
"""One part of the domain of a mail address."""

AUTOLINK = re.compile(
    rf"<[A-Za-z][A-Za-z0-9.+-]{{1,31}}:[^<>\x00-\x20\x7f]*>"
    rf"|<[a-zA-Z0-9.!#$%&'*+/=?^_`{{|}}~-]+@{EMAIL_LABEL}(?:\.{EMAIL_LABEL})*>"
)
"""A link in angle brackets, to an address or to a mail address."""

BLOCK_NAMES = (
    "address article aside base basefont blockquote body caption center col colgroup dd details dialog dir div dl dt "
    "fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hr html iframe legend li link "
    "main menu menuitem nav noframes ol optgroup option p param search section summary table tbody td tfoot th thead "
    "title tr track ul"
)
"""Names of the elements that begin an HTML block of the sixth type."""

BLOCK_STARTS: dict[int, re.Pattern[str]] = {
    1: re.compile(r"<(?:pre|script|style|textarea)(?:[ \t>]|$)", re.IGNORECASE | re.ASCII),
    2: re.compile(r"<!--"),
    3: re.compile(r"<\?"),
    4: re.compile(r"<![A-Za-z]"),
    5: re.compile(r"<!\[CDATA\["),
    6: re.compile(rf"</?(?:{BLOCK_NAMES.replace(' ', '|')})(?:[ \t]|/?>|$)", re.IGNORECASE | re.ASCII),
    7: re.compile(rf"(?:(?!<(?i:pre|script|style|textarea)[^A-Za-z0-9-]){OPEN_TAG}|{CLOSING_TAG})[ \t]*$"),
}
"""Start conditions by the number that CommonMark gives them."""

BLOCK_ENDS: dict[int, re.Pattern[str]] = {
    1: re.compile(r"</(?:pre|script|style|textarea)>", re.IGNORECASE | re.ASCII),
    2: re.compile(r"-->"),
    3: re.compile(r"\?>"),
    4: re.compile(r">"),
    5: re.compile(r"\]\]>"),
}
"""End conditions; a block of type 6 or 7 ends before a blank line."""


def find_block_type(text: str, *, continues_paragraph: bool) -> int:
    """The type of HTML block that a line begins, without its indentation; 0 if none."""
    for number, start in BLOCK_STARTS.items():
        if start.match(text) and not (number == 7 and continues_paragraph):
            return number
    return 0


def find_inline_html(text: str, start: int, missing: set[str]) -> int | None:
    """The end of the raw HTML that begins at an index. What ends are missing behind it is remembered in the set."""
    found = INLINE_TAG.match(text, start)
    if found:
        return found.end()
    for opening, ending in INLINE_ENDS.items():
        if text.startswith(opening, start) and ending not in missing:
            end = text.find(ending, start + len(opening))
            if end >= 0:
                return end + len(ending)
            missing.add(ending)
    return None
