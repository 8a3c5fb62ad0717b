"""Lines of session files: sound, odd and broken ones, in every way in which JSON may be written. Spec: EST-033."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import strategies as st

from keel_ref.strategies.text import any_text

_SHORT = {'"': '\\"', "\\": "\\\\", "/": "\\/", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_ROW_KEYS = (
    "type",
    "subtype",
    "message",
    "isSidechain",
    "isVisibleInTranscriptOnly",
    "isCompactSummary",
    "toolUseResult",
)
_BLOCK_KEYS = ("type", "text", "thinking", "data", "name", "input", "id", "tool_use_id", "content", "signature")
_ROW_TYPES = ("user", "assistant", "system", "attachment", "summary", "User")
_BLOCK_TYPES = ("text", "image", "document", "tool_use", "tool_result", "thinking", "redacted_thinking", "x")
_NUMBERS = (
    *(
        "0",
        "-0",
        "1",
        "-1",
        "1.0",
        "-0.0",
        "1e21",
        "1E+20",
        "123456789012345680000.0",
        "1e-6",
        "1e-7",
        "1.5e-7",
        "1e400",
    ),
    *("-1e400", "5e-324", "0.1", "100e-2", "9" * 30, "9" * 400 + ".5", "1.7976931348623157e308", "0.000001234", "12e0"),
)
_NO_VALUES = ("NaN", "Infinity", "-Infinity", "01", "-", "1.", ".5", "+1", "1e", "tru", "nulll", "'a'", "", "\ufeff")
_NO_TEXTS = ('"\t"', '"\0"', '"\\x"', '"\\u12g4"', '"\\u12"', '"open', '"\\', '"\\"', '"a\\"', '"\x1f"')
_BLANKS = ("", "", "", " ", "\t", "\r", " \t\r ")
_BYTES = (
    b"\xff",
    b"\xc3",
    b"\xed\xa0\x80",
    b"\0",
    b"\n",
    b"\r\n",
    b'"',
    b"\\",
    b"{",
    b"}",
    b"\xef\xbb\xbf",
    b"\xf0\x9f",
)
_LONG = (
    "a" * 70,
    "\\n" * 40,
    "é" * 40,
    "\\\\" * 33,
    '\\"' * 65,
    "一二三" * 30,
    "🚀" * 20,
    "x" * 63 + "\\",
    "\\ud83d\\ude00",
)
LEVELS = 200


def _spelt(character: str, way: int) -> str:
    """One character of a string, in one of the ways to write it."""
    code_point = ord(character)
    is_raw = code_point >= ord(" ") and character not in '"\\' and not "\ud800" <= character <= "\udfff"
    if is_raw and way:
        return character
    if character in _SHORT and way > 1:
        return _SHORT[character]
    units = character.encode("utf-16-be", "surrogatepass")
    form = "\\u{:04x}" if way % 2 else "\\u{:04X}"
    return "".join(form.format(int.from_bytes(units[at : at + 2], "big")) for at in range(0, len(units), 2))


@st.composite
def quoted_texts(draw: st.DrawFn, texts: st.SearchStrategy[str] | None = None) -> str:
    """A string of JSON with its quotes; each character is written in one of its ways."""
    text = draw(any_text(max_code_points=8) if texts is None else texts)
    ways = draw(st.lists(st.integers(0, 3), min_size=1, max_size=4))
    inner = "".join(_spelt(character, ways[at % len(ways)]) for at, character in enumerate(text))
    long = draw(st.sampled_from(("",) * 6 + _LONG))
    return f'"{long}{inner}{long}"' if not long.endswith("x\\") else f'"{long}{inner or "n"}"'


def _plain(texts: Sequence[str]) -> st.SearchStrategy[str]:
    """One of the texts, mostly written as it is, sometimes with escapes."""
    one = st.sampled_from(texts)
    return st.one_of(one.map(lambda text: f'"{text}"'), one.map(lambda text: f'"{text}"'), quoted_texts(one))


def _joined(members: Sequence[str], blank: str, brackets: str) -> str:
    inside = f"{blank},{blank}".join(members)
    return f"{brackets[0]}{blank}{inside}{blank}{brackets[1]}"


def _objects(keys: st.SearchStrategy[str], values: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """Objects; a key may stand in one more than once."""
    blank = st.sampled_from(_BLANKS)
    member = st.tuples(keys, blank, values).map(lambda parts: f"{parts[0]}{parts[1]}:{parts[1]}{parts[2]}")
    return st.tuples(st.lists(member, max_size=5), blank).map(lambda parts: _joined(*parts, "{}"))


def _lists(values: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    blank = st.sampled_from(_BLANKS)
    return st.tuples(st.lists(values, max_size=4), blank).map(lambda parts: _joined(*parts, "[]"))


def _leaves() -> st.SearchStrategy[str]:
    words = st.sampled_from(("null", "true", "false"))
    numbers = st.one_of(st.sampled_from(_NUMBERS), st.integers().map(str), st.floats(allow_nan=False).map(_float))
    wrong = st.sampled_from(_NO_VALUES + _NO_TEXTS)
    return st.one_of(words, numbers, quoted_texts(), quoted_texts(), st.one_of(words, words, words, wrong))


def _float(value: float) -> str:
    return repr(value).replace("inf", "1e999")


def json_values() -> st.SearchStrategy[str]:
    """Values of JSON as text, some of them broken."""
    keys = _plain(("a", "b", "type", "text", "")) | quoted_texts()
    return st.recursive(_leaves(), lambda values: _objects(keys, values) | _lists(values), max_leaves=8)


def blocks() -> st.SearchStrategy[str]:
    """Blocks of content, or what stands in their place."""
    values = json_values()

    def hold(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
        types = _plain(_BLOCK_TYPES).map(lambda name: ('"type"', name))
        texts = st.tuples(_plain(("text", "thinking", "data", "name", "id", "tool_use_id")), quoted_texts())
        others = st.tuples(_plain(_BLOCK_KEYS), values)
        contents = st.tuples(_plain(("content",)), _lists(inner) | quoted_texts() | values)
        member = st.one_of(types, texts, contents, others).map(":".join)
        return st.lists(member, max_size=6).map(lambda members: _joined(members, "", "{}"))

    return st.recursive(values, hold, max_leaves=4)


@st.composite
def row_lines(draw: st.DrawFn) -> str:
    """Rows of every kind, in any order of keys."""
    content = draw(st.one_of(_lists(blocks()), _lists(blocks()), quoted_texts(), json_values()))
    message = draw(
        st.one_of(
            st.just(f'{{"content":{content}}}'),
            st.just(f'{{"role":"user","content":{content},"usage":{{"input_tokens":3}}}}'),
            _objects(_plain(("content", "role")), st.one_of(st.just(content), json_values())),
            json_values(),
        )
    )
    flags = st.sampled_from(("true", "false", "1", "null", '"true"'))
    members = draw(
        st.lists(
            st.one_of(
                st.tuples(st.just('"type"'), _plain(_ROW_TYPES)),
                st.tuples(_plain(_ROW_KEYS[3:6]), flags),
                st.tuples(st.just('"subtype"'), _plain(("compact_boundary", "init"))),
                st.tuples(_plain(_ROW_KEYS) | quoted_texts(), json_values()),
            ),
            max_size=4,
        )
    )
    fixed = [('"type"', draw(_plain(_ROW_TYPES))), ('"message"', message)]
    placed = draw(st.permutations([*fixed, *members]))
    return _joined([f"{key}:{value}" for key, value in placed], draw(st.sampled_from(_BLANKS)), "{}")


@st.composite
def session_lines(draw: st.DrawFn) -> bytes:
    """One line without its LF: a row, a value, blanks, deep brackets; now and then damaged."""
    depth = st.integers(LEVELS - 5, LEVELS + 3) | st.just(10_000)
    text = draw(
        st.one_of(
            row_lines(),
            row_lines(),
            row_lines(),
            json_values(),
            st.sampled_from(_BLANKS),
            depth.map(lambda levels: '{"message":' + "[" * levels + "]" * levels + "}"),
            depth.map(_deep_results),
        )
    )
    line: bytes = text.encode("utf-8", "surrogatepass")
    if draw(st.integers(0, 4)):
        return line
    at: int = draw(st.integers(0, len(line)))
    put: bytes = draw(st.sampled_from(_BYTES) | st.binary(max_size=2))
    return line[:at] + put + line[at + draw(st.integers(0, 2)) :] if put else line[:at]


def _deep_results(levels: int) -> str:
    """A row whose results stand inside one another."""
    pairs = levels // 2 - 1
    head, tail = '[{"type":"tool_result","content":', "}]"
    return '{"type":"user","message":{"content":' + head * pairs + '"abcd"' + tail * pairs + "}}"


@st.composite
def session_files(draw: st.DrawFn) -> bytes:
    """Lines one after another, with one kind of line end or another, and perhaps none behind the last."""
    lines = draw(st.lists(session_lines(), max_size=5))
    end = draw(st.sampled_from((b"\n", b"\n", b"\r\n", b"\n\n")))
    return end.join(lines) + draw(st.sampled_from((b"", end)))
