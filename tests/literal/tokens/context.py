"""Recorded usage and the size of the context."""

from typing import Any

from tests.literal.memory.errors import LiteralError
from tests.literal.tokens.count import Counter
from tests.literal.tokens.measure import Measure
from tests.literal.tokens.rows import INVALID, find_view, get_response_id, is_assistant

INPUT_TERMS = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
"""The terms of the percentage. [EST-014]"""

LARGEST = 2**53
"""From here on a number travels as decimal text."""

TERMS = (*INPUT_TERMS, "output_tokens")
"""The terms of the total. [EST-013]"""


def read_term(value: Any) -> int | None:
    """A term of a usage; none if it cannot be used. Spec: EST-015."""
    if value is None:
        return 0  # [EST-013] missing
    if isinstance(value, float) and value.is_integer():
        value = int(value)  # [EST-015] whole, however it is stored
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        return None
    return value


def read_usage(usage: Any) -> tuple[dict[str, int], bool]:
    """The four terms, and whether the usage is to be reported. Spec: EST-013, EST-015."""
    if usage is None:
        return dict.fromkeys(TERMS, 0), False
    if not isinstance(usage, dict):
        return dict.fromkeys(TERMS, 0), True  # [EST-015]
    terms = {name: read_term(usage.get(name)) for name in TERMS}
    return {name: term or 0 for name, term in terms.items()}, None in terms.values()


def percentage(args: dict[str, Any]) -> dict[str, Any]:
    """The used percentage of a window. Raises LiteralError. Spec: EST-014, EST-015."""
    window = args.get("window")
    if isinstance(window, bool) or not isinstance(window, int) or window < 1:
        raise LiteralError(INVALID, "window")  # [EST-014]
    terms, is_bad = read_usage(args.get("usage"))
    used = sum(terms[name] for name in INPUT_TERMS)
    percent = min((2 * used * 100 + window) // (2 * window), 100)  # [EST-014] half up
    return {"percent": percent} | ({"reported": [{"reason": "bad-usage"}]} if is_bad else {})


def context_size(rows: list[Any], measure: Measure) -> dict[str, Any]:
    """The size of the context of a list. Raises LiteralError. Spec: EST-016 to EST-020, EST-028."""
    counter = Counter(measure)
    start = find_view(rows)  # [EST-020]
    anchor, measured = find_anchor(rows, start, counter)
    if anchor is None:
        estimated = sum(counter.count_row(rows[index], index) for index in range(start, len(rows)))  # [EST-019]
    else:
        first = find_first_fragment(rows, start, anchor)
        skipped = find_later_fragments(rows, first) if measure.choices["tokens.fragments"] == "skip" else set()
        tail = [index for index in range(first + 1, len(rows)) if index not in skipped]  # [EST-016] [EST-018]
        estimated = sum(counter.count_row(rows[index], index) for index in tail)
    sizes = {"tokens": measured + estimated, "measured": measured, "estimated": estimated}
    written = {
        name: size if size < LARGEST else str(size) for name, size in sizes.items()
    }  # larger ones travel as text
    return written | counter.show()


def find_anchor(rows: list[Any], start: int, counter: Counter) -> tuple[int | None, int]:
    """Index of the anchor and its total; no index and 0 where there is none. Spec: EST-015, EST-016."""
    for index in range(len(rows) - 1, start - 1, -1):
        row = rows[index]
        if not is_assistant(row):
            continue
        if row.get("error") is True or row.get("kept") is True:
            continue  # [EST-019] [EST-020] void, and not looked at
        terms, is_bad = read_usage(row.get("usage"))
        if is_bad:
            counter.report("bad-usage", index)
        if sum(terms.values()) > 0:
            return index, sum(terms.values())
    return None, 0


def find_first_fragment(rows: list[Any], start: int, anchor: int) -> int:
    """Index of the first fragment of the anchor's response. Spec: EST-017, EST-028."""
    name = get_response_id(rows[anchor])
    first = anchor
    if name is None:
        return first  # [EST-028]
    for index in range(anchor - 1, start - 1, -1):
        if is_assistant(rows[index]):
            if get_response_id(rows[index]) != name:
                break  # [EST-017]
            first = index
    return first


def find_later_fragments(rows: list[Any], first: int) -> set[int]:
    """Indices of the fragments behind the first one. Spec: EST-018, EST-028."""
    name = get_response_id(rows[first])
    found: set[int] = set()
    for index in range(first + 1, len(rows)):
        if is_assistant(rows[index]):
            if name is None or get_response_id(rows[index]) != name:
                break  # [EST-018] another response
            found.add(index)
    return found
