"""From the text of a file to what is sent of it, and to what it mentions."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from keel_ref.adapters.in_memory import InMemoryTree
from keel_ref.conformance.marks import clause
from keel_ref.constants import DEFAULT, TINY, Constants
from keel_ref.memory import MemoryRequest, load_memory
from keel_ref.memory.comments import strip_comments
from keel_ref.memory.frontmatter import read_paths, repair, split_frontmatter
from keel_ref.memory.includes import find_mentions, resolve_mention
from keel_ref.memory.yaml_block import BlockValue
from keel_ref.paths import Flavour, is_absolute, normalise
from keel_ref.strategies.contents import COMMENTS, PROSE
from keel_ref.strategies.text import any_bytes, any_text
from keel_ref.text import JS_WHITE_SPACE, is_blank

MARKS = ("<!--", "-->", "<!", "--", ">", "\n", "\r\n", " ", "- ", "> ", "```\n", "    ", "<div>\n", "`", "x", "@a.md")
FENCES = ("---\n", "--- \r\n", "---", "paths: ", "src", ": ", "- ", "\t", '"', "'", "[", "{", "*a", "&a ", "!x ", "\n")
ODD = any_text(max_code_points=3)
MARKDOWN = st.lists(st.sampled_from((*MARKS, *COMMENTS, *PROSE)) | ODD, max_size=12).map("".join)
DASHED = st.lists(st.sampled_from(FENCES) | ODD, max_size=12).map("".join)
LINES = st.lists(st.sampled_from(("a: b", "", "----", " ---", "...", "é")), max_size=4)
LOGINS = st.text("abcé.,:(\"'@0", min_size=1, max_size=3).map(lambda text: text.strip("@") or "a")
NAME = st.from_regex(r"[A-Za-z0-9._-][A-Za-z0-9.-]{0,8}", fullmatch=True)
WORDS = st.lists(st.text("abcé.,;:!?()'\"0", min_size=1, max_size=5), min_size=1, max_size=4).map(" ".join)


def mentions_in(text: str) -> tuple[str, ...]:
    """The paths that a text mentions."""
    return find_mentions(text, DEFAULT).paths


@clause("MEM-103")
@given(MARKDOWN)
def test_removing_comments_twice_is_removing_them_once(text: str) -> None:
    """Whatever a removal uncovers is gone as well, so that a second one finds nothing."""
    once = strip_comments(text)

    assert once == strip_comments(once)


@clause("MEM-103")
@given(any_text())
def test_a_text_without_an_opening_mark_is_not_changed(text: str) -> None:
    """Without `<!--` not even a line end changes."""
    without = text.replace("<!--", "")

    assert without == strip_comments(without) or "<!--" in without


@clause("MEM-103", "MEM-105")
@given(MARKDOWN)
def test_removing_comments_takes_away_or_leaves_alone(text: str) -> None:
    """A text is not changed at all, or becomes shorter and has LF line ends only."""
    stripped = strip_comments(text)

    assert stripped == text or (len(stripped) < len(text) and "\r" not in stripped)


@clause("MEM-102")
@given(any_text(max_code_points=20), WORDS)
def test_a_block_comment_is_never_sent(note: str, words: str) -> None:
    """Whatever a comment holds, a line of its own between paragraphs goes, with the line ends behind it."""
    held = note.replace("-->", "").replace("<!--", "")
    text = f"{words}\n\n<!-- {held} -->\n\nz"

    assert f"{words}\n\nz" == strip_comments(text)


@clause("MEM-040")
@given(DASHED)
def test_frontmatter_and_body_are_what_the_text_was(text: str) -> None:
    """Without frontmatter the body is the text; with it both are parts of the text, and no blank begins the body."""
    split = split_frontmatter(text)

    assert text.endswith(split.body)
    if split.block is None:
        assert split.body == text
    else:
        assert text.startswith("---")
        assert split.block in text
        assert not split.body or not is_blank(split.body[0])


@clause("MEM-040")
@given(LINES, WORDS, st.sampled_from(("\n", "\r\n")))
def test_a_closed_block_is_taken_off(lines: list[str], words: str, end: str) -> None:
    """A block of lines, none of which is `---`, goes with all white space behind it, with either line end."""
    text = end.join(("---", *lines, "--- \t", "", " ", words))

    assert words == split_frontmatter(text).body


@clause("MEM-043", "MEM-044", "MEM-045", "MEM-046")
@given(DASHED | any_text(max_code_points=40), st.sampled_from((DEFAULT, TINY)))
def test_no_block_is_undefined(block: str, numbers: Constants) -> None:
    """Every text between the dashes is read or fails, and says why; a repaired one needs no second repair."""
    value = read_paths(block, numbers)

    assert isinstance(value, BlockValue) or value.why
    assert repair(block) == repair(repair(block))


@clause("MEM-072", "MEM-075", "MEM-092")
@given(MARKDOWN | any_text())
def test_mentions_have_the_form_of_a_path(text: str) -> None:
    """From any text come only paths that begin as they may, without a fragment, and without unescaped white space."""
    for path in mentions_in(text):
        assert path[0] in "._-/~" or (path[0].isascii() and path[0].isalnum())
        assert "#" not in path
        assert not set(path) & set(JS_WHITE_SPACE) - {" "}


@clause("MEM-072")
@given(WORDS, NAME, WORDS)
def test_a_mention_in_prose_is_found(before: str, name: str, behind: str) -> None:
    """A name behind a blank and an `@`, with a blank behind it, is mentioned, whatever plain words stand around."""

    assert (name,) == mentions_in(f"x {before} @{name} {behind}")


@clause("MEM-072")
@given(st.lists(LOGINS, min_size=2, max_size=5))
def test_mail_addresses_mention_nothing(parts: list[str]) -> None:
    """An `@` with anything but white space before it is part of a word."""

    assert () == mentions_in(" ".join(f"{one}@{two}" for one, two in pairwise(parts)))


@clause("MEM-079")
@given(any_text(), st.sampled_from(("```", "~~~", "````")))
def test_fenced_code_mentions_nothing(text: str, fence: str) -> None:
    """Between fences nothing is a mention, closed or not, whatever text it is."""
    code = text.replace("`", "").replace("~", "") + " @a.md"

    assert () == mentions_in(f"{fence}\n{code}\n{fence}")
    assert () == mentions_in(f"{fence} @b.md\n{code}".replace("```` @b.md", "````").replace("``` @b.md", "```"))


@clause("MEM-079")
@given(st.lists(WORDS | NAME.map(lambda name: f"@{name}"), min_size=1, max_size=4))
def test_code_spans_and_indented_code_mention_nothing(words: list[str]) -> None:
    """Words between back-ticks, and a line indented by four blanks, are code."""
    text = " ".join(words)

    assert () == mentions_in(f"`{text} @a.md`")
    assert () == mentions_in(f"    {text} @a.md")


@clause("MEM-079", "MEM-102")
@given(WORDS, NAME)
def test_comments_mention_nothing(words: str, name: str) -> None:
    """A mention in a comment is none, be the comment removed or not."""
    for text in (f"<!-- {words} @{name} -->", f"{words} <!-- @{name} -->", f"- x\n  <!-- @{name} -->"):
        assert () == mentions_in(text)
        assert () == mentions_in(strip_comments(text))


@clause("MEM-070", "MEM-112")
@given(any_text(min_code_points=1, max_code_points=12), st.sampled_from(Flavour))
def test_a_mention_leads_to_a_normal_absolute_path_or_nowhere(path: str, flavour: Flavour) -> None:
    """Only a home that is not known leads nowhere; `..` never leads above a root."""
    folder, home = ("/r/s", "/h") if flavour is Flavour.POSIX else ("C:\\r\\s", "C:\\h")
    found = resolve_mention(path, folder, home, flavour)

    assert found is not None
    assert is_absolute(found, flavour)
    assert normalise(found, flavour) == found
    assert (resolve_mention(path, folder, "", flavour) is None) == path.startswith("~/")


@clause("MEM-100", "MEM-106", "MEM-107", "MEM-108")
@given(any_bytes() | MARKDOWN.map(lambda text: text.encode("utf-8", "surrogatepass")))
def test_any_bytes_are_read(content: bytes) -> None:
    """A file of any bytes loads or is reported as empty, and says so when its text is not that of the file."""
    load = load_memory(InMemoryTree.of({"/r/CLAUDE.md": content}), MemoryRequest(cwd="/r"))
    raw = content.decode("utf-8", "replace")

    if not load.files:
        assert "empty" in {row.reason for row in load.skipped}
        return
    assert raw == load.files[0].raw
    assert (load.files[0].text != raw) == load.files[0].differs
