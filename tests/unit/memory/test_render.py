"""The text that is put before the model."""

from keel_ref.adapters.in_memory import InMemoryTree
from keel_ref.choices import Gates
from keel_ref.conformance.marks import clause
from keel_ref.constants import TINY
from keel_ref.memory import Layer, MemoryRequest, load_memory, render
from keel_ref.memory.render import LABELS, PREAMBLE

FILES = {
    "/m/CLAUDE.md": "M",
    "/h/.claude/CLAUDE.md": "U",
    "/r/CLAUDE.md": "P @i.md",
    "/r/i.md": "I",
    "/r/CLAUDE.local.md": "L",
    "/h/.claude/projects/-r/memory/MEMORY.md": "- idx",
    "/h/.claude/projects/-r/memory/team/MEMORY.md": "- ours",
}


@clause("MEM-109", "MEM-110")
def test_each_file_has_a_line_of_its_own_and_a_blank_line() -> None:
    """A fixed paragraph, then the files in their order, parted by a blank line; team memory stands in a tag."""
    request = MemoryRequest(cwd="/r", home="/h", managed_dir="/m")
    text = render(load_memory(InMemoryTree.of(FILES), request, gates=Gates(team_memory=True)).files)
    labels = [
        ("/m/CLAUDE.md", Layer.MANAGED, "M"),
        ("/h/.claude/CLAUDE.md", Layer.USER, "U"),
        ("/r/CLAUDE.md", Layer.PROJECT, "P @i.md"),
        ("/r/i.md", Layer.PROJECT, "I"),
        ("/r/CLAUDE.local.md", Layer.LOCAL, "L"),
        ("/h/.claude/projects/-r/memory/MEMORY.md", Layer.AUTO, "- idx"),
    ]
    parts = [PREAMBLE, *(f"Contents of {path} ({LABELS[layer]}):\n\n{body}" for path, layer, body in labels)]

    assert text is not None
    assert text.startswith("\n\n".join(parts) + "\n\n<team-memory>\n")
    assert text.endswith("- ours\n</team-memory>")


@clause("MEM-110")
def test_managed_and_user_share_a_label() -> None:
    """Whose text it is differs for project, local, auto and these two."""

    assert LABELS[Layer.MANAGED] == LABELS[Layer.USER]
    assert 4 == len(set(LABELS.values()))


@clause("MEM-109")
def test_without_files_there_is_no_text() -> None:
    """Not even the paragraph."""

    assert render(()) is None


@clause("MEM-109", "MEM-122")
def test_the_notice_of_a_cut_index_stands_behind_it() -> None:
    """Parted by a blank line, on top of the limits."""
    path = "/h/.claude/projects/-r/memory/MEMORY.md"
    tree = InMemoryTree.of({path: "1\n2\n3\n4\n", "/r/x": ""})
    (file,) = load_memory(tree, MemoryRequest(cwd="/r", home="/h"), constants=TINY).files
    text = render([file])

    assert text is not None
    assert text.endswith(f":\n\n1\n2\n3\n\n{file.notice}")
    assert "4 lines (limit 3)" in file.notice
