"""Reading the chapters of the specification."""

from pathlib import Path

import pytest

from keel_ref.conformance.clauses import Example, Level, cited_ids, load_clauses, parse_chapter
from keel_ref.conformance.faults import SpecFault

CHAPTER = """\
# Memory

Prose, and a heading of no clause:

### Words

### MEM-005 [MUST] Within a folder

A text of
two lines:

- a bullet
- Note: a bullet that is no field

- Basis: documented (a title, with a comma), observed (O-01/order), decided
- Facts: M-05, M-09a
- Reason: it goes on
  in the next line.
- Choice: `memory.root`
- Capability: memory, memory.rules
- Bugs: B042, anthropics/claude-code#29599

```json example
{"call": {}}
```

```python example
1 + 1
```

## Another section
"""

LEAST = "### MEM-001 [MUST] T\n\ntext\n\n- Basis: decided\n- Reason: r\n"


def test_every_field_of_a_clause_is_read() -> None:
    """A clause is its heading, its text, its fields and its examples, and ends at the next heading."""
    (clause,) = parse_chapter(CHAPTER, path="memory.md")

    assert ("MEM-005", Level.MUST, "Within a folder", "memory") == (clause.id, clause.level, clause.title, clause.area)
    assert clause.text == "A text of\ntwo lines:\n\n- a bullet\n- Note: a bullet that is no field"
    assert clause.basis == ("documented (a title, with a comma)", "observed (O-01/order)", "decided")
    assert clause.facts == ("M-05", "M-09a")
    assert clause.reason == "it goes on in the next line."
    assert clause.choice == ("memory.root",)
    assert clause.capability == ("memory", "memory.rules")
    assert clause.bugs == ("B042", "anthropics/claude-code#29599")
    assert ("memory.md", 7) == (clause.path, clause.line)


def test_examples_know_their_kind_and_line() -> None:
    """A failing example can name the place where it is written."""
    (clause,) = parse_chapter(CHAPTER, path="memory.md")

    assert clause.examples == (
        Example(kind="json", source='{"call": {}}', path="memory.md", line=24),
        Example(kind="python", source="1 + 1", path="memory.md", line=28),
    )


def test_a_fence_that_is_no_example_is_part_of_the_text() -> None:
    """A grammar or a table in a fence is normative, and a heading inside it is none."""
    chapter = LEAST.replace("text\n", "text\n\n```\n### MEM-002 [MUST] inside\n```\n")
    (clause,) = parse_chapter(chapter, path="memory.md")

    assert clause.text == "text\n\n```\n### MEM-002 [MUST] inside\n```"


def test_an_anchor_is_what_renderers_make_of_the_heading() -> None:
    """A link from a report leads to the clause."""
    (clause,) = parse_chapter(LEAST.replace("] T", "] What `@x`, loads"), path="memory.md")

    assert clause.anchor == "memory.md#mem-001-must-what-x-loads"


@pytest.mark.parametrize(
    ("chapter", "line", "problem"),
    [
        ("# M\n\n### MEM-1 [MUST] T\n", 3, "heading reads"),
        ("### MEM-001 [SHALL] T\n", 1, "heading reads"),
        ("### MEM-001 T\n", 1, "heading reads"),
        (LEAST.replace("MEM", "XYZ"), 1, "no area has the prefix XYZ"),
        (LEAST.replace("text\n", ""), 1, "no normative text"),
        (LEAST.replace("- Basis: decided\n", ""), 1, "no line `- Basis"),
        (LEAST.replace("- Reason: r\n", ""), 1, "no line `- Reason"),
        (LEAST.replace("decided", "guessed"), 5, "must begin with one of documented"),
        (LEAST + "- Origin: x\n", 7, "no field is called 'Origin'"),
        (LEAST + "- Reason: x\n", 7, "second line `- Reason:`"),
        (LEAST + "- Facts:\n", 7, "the field Facts is empty"),
        (LEAST + "- Facts: M-5\n", 7, "'M-5' in Facts"),
        (LEAST + "- Facts: M-05 and M-06\n", 7, "'M-05 and M-06' in Facts"),
        (LEAST + "- Bugs: #12\n", 7, "'#12' in Bugs"),
        (LEAST + "\nmore text\n", 8, "behind the fields only examples may stand"),
        (LEAST + "\n```json example\n{}\n", 8, "never closed"),
        (LEAST + "\n```yaml example\n{}\n```\n", 8, "not 'yaml'"),
    ],
)
def test_an_ill_formed_clause_names_file_and_line(chapter: str, line: int, problem: str) -> None:
    """Nothing is read almost rightly: the fault says where it is and what is expected."""

    with pytest.raises(SpecFault) as caught:
        list(parse_chapter(chapter, path="memory.md"))
    assert ("memory.md", line) == (caught.value.path, caught.value.line)
    assert problem in caught.value.problem
    assert str(caught.value).startswith(f"memory.md:{line}: ")


def test_an_id_stands_once_in_all_chapters(tmp_path: Path) -> None:
    """A number that two chapters use is a fault at the second place, which names the first."""
    (tmp_path / "memory.md").write_text(LEAST)
    (tmp_path / "other.md").write_text("\n" + LEAST)

    with pytest.raises(SpecFault, match=r"other\.md:2: MEM-001 stands in memory\.md:1 already"):
        load_clauses(tmp_path)


def test_clauses_come_in_the_order_of_their_ids(tmp_path: Path) -> None:
    """The order in the chapters may serve the reader; programs get the same order every time."""
    (tmp_path / "memory.md").write_text(LEAST.replace("001", "020") + LEAST)

    assert ["MEM-001", "MEM-020"] == list(load_clauses(tmp_path))


def test_the_installed_chapters_are_well_formed() -> None:
    """The specification that is shipped can be read, and has the clause every example names."""

    assert load_clauses()["MEM-001"].level is Level.MUST


def test_cited_ids_are_those_of_an_area() -> None:
    """A word that merely looks like an id, such as a standard's, cites nothing."""

    assert ["MEM-014", "WIN-003"] == list(cited_ids("MEM-014, ISO-123, WIN-003 and MEM-014, XMEM-0010"))
