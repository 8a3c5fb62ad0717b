"""Whatever a session file holds: comparing it ends, and its copy keeps sizes and verdicts and loses the words."""

import json
import re
from collections.abc import Iterator
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from keel_ref.recording.anonymize import Anonymizer
from keel_ref.recording.findings import Verdict
from keel_ref.recording.record import read_record
from keel_ref.recording.verify import verify
from keel_ref.recording.vocabulary import EXTENSIONS, KEYS, PATH_NAMES, TOOLS, WORDS
from keel_ref.strategies.session_lines import session_files, session_lines
from keel_ref.strategies.text import any_text
from keel_ref.tokens.transcript import count_lines, parse_line

WORD = re.compile(r"[^\W\d_]{4,}")
FILLER = set("xXqQzZéαяあア字가ก\U0001f600\U00020000")
KEPT = {word.casefold() for text in KEYS | WORDS | TOOLS | PATH_NAMES | EXTENSIONS for word in WORD.findall(text)}
ROW_TYPES = ("user", "assistant", "system", "attachment", "progress", "acme-secret")


def split(data: bytes) -> list[bytes]:
    """The lines, each with its LF."""
    return data.splitlines(keepends=True) if b"\r" not in data else re.findall(rb"[^\n]*\n|[^\n]+\Z", data)


def texts_of(value: Any) -> Iterator[str]:
    """Every string in a value, keys too."""
    waiting = [value]
    while waiting:
        match waiting.pop():
            case str() as text:
                yield text
            case list() as items:
                waiting += items
            case dict() as members:
                waiting += [*members.keys(), *members.values()]
            case _:
                pass


def words_of(lines: list[bytes]) -> set[str]:
    """Words of four letters and more that are no filler, and no words of the record."""
    found: set[str] = set()
    for line in lines:
        row = parse_line(line.removesuffix(b"\n"))
        texts = texts_of(row) if row is not None else [line.decode("utf-8", "replace")]
        found |= {word.casefold() for text in texts for word in WORD.findall(text) if not set(word) <= FILLER}
    return found - KEPT


@st.composite
def conversations(draw: st.DrawFn) -> bytes:
    """Rows with words, names, paths and numbers of somebody's own, boundaries among them."""
    names = st.sampled_from(("t1", "t2", "b9464735-d762-4f89-ae27-4faa7ccfd194", "toolu_01AbcDef"))
    paths = st.lists(st.sampled_from(("home", "Secret", "plan.md", "Größe", "..", "a")), min_size=1).map("/".join)
    texts = any_text(max_code_points=12) | st.sampled_from(("Secret plans for Zürich", "/home/Secret/plan.md"))
    numbers = st.integers(-(10**18), 10**18) | st.floats(allow_nan=False, allow_infinity=False)
    inputs = st.dictionaries(
        st.sampled_from(("file_path", "command", "Customer name")) | texts, paths | texts | numbers
    )
    use = st.fixed_dictionaries(
        {"type": st.just("tool_use"), "id": names, "name": st.sampled_from(("Read", "mcp__acme__pay")), "input": inputs}
    )
    result = st.fixed_dictionaries({"type": st.just("tool_result"), "tool_use_id": names, "content": texts})
    blocks = st.lists(st.fixed_dictionaries({"type": st.just("text"), "text": texts}) | use | result, max_size=3)
    usage = st.fixed_dictionaries({"input_tokens": st.sampled_from((0, 900, 166_999, 167_000, 180_000))})
    message = st.fixed_dictionaries({"content": texts | blocks}, optional={"id": names, "usage": usage})
    about = st.fixed_dictionaries(
        {"trigger": st.sampled_from(("auto", "manual", "secretly")), "preTokens": st.integers(0, 10**6)}
    )
    file = st.fixed_dictionaries({"file": st.fixed_dictionaries({"filePath": paths, "content": texts})})
    memory = st.fixed_dictionaries(
        {"type": st.just("instructions"), "files": st.lists(st.fixed_dictionaries({"path": paths}))}
    )
    row = st.fixed_dictionaries(
        {"type": st.sampled_from(ROW_TYPES)},
        optional={
            "message": message,
            "uuid": names,
            "parentUuid": names,
            "cwd": paths,
            "isCompactSummary": st.booleans(),
            "toolUseResult": file | texts,
            "attachment": memory,
        },
    )
    boundary = st.fixed_dictionaries(
        {"type": st.just("system"), "subtype": st.just("compact_boundary")}, optional={"compactMetadata": about}
    )
    rows = draw(st.lists(row | row | boundary, max_size=8))
    is_ascii = draw(st.booleans())
    lines = [json.dumps(one, ensure_ascii=is_ascii).encode("utf-8", "replace") for one in rows]
    return b"".join(line + b"\n" for line in lines)


FILES = conversations() | conversations() | session_files() | session_lines()


@given(FILES)
def test_a_copy_has_the_sizes_and_the_form_and_no_word(data: bytes) -> None:
    """Line by line the same bytes in number, broken where they were broken; every count of the session is the same.

    No word of four letters and more survives, wherever it stood, but for those of the record itself.
    """
    lines = split(data)
    copy = list(Anonymizer().lines(lines))
    before, after = (read_record(held).session for held in (lines, copy))

    assert [len(line) for line in lines] == [len(line) for line in copy]
    assert before.broken == after.broken
    assert [row["role"] for row in before.rows] == [row["role"] for row in after.rows]
    assert before.lines == after.lines
    assert count_lines(lines, method="documented") == count_lines(copy, method="documented")
    assert set() == words_of(lines) & words_of(copy)


@given(FILES)
def test_any_file_can_be_compared_and_its_copy_alike(data: bytes) -> None:
    """Nothing is raised, a difference names both sides, and the copy gives the same verdicts."""
    lines = split(data)
    before, after = (verify(read_record(held)) for held in (lines, list(Anonymizer().lines(lines))))

    assert [(one.rule, one.clause, one.line, one.verdict) for one in before.findings] == [
        (one.rule, one.clause, one.line, one.verdict) for one in after.findings
    ]
    assert all(
        one.predicted is not None and one.recorded is not None and one.predicted != one.recorded
        for one in before.findings
        if one.verdict is Verdict.DIFFERS
    )
