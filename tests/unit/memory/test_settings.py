"""Settings files, and how their layers combine."""

from collections.abc import Mapping

import pytest

from keel_ref.adapters.in_memory import FOLDER, InMemoryTree, Node
from keel_ref.conformance.marks import clause
from keel_ref.constants import DEFAULT, TINY, Constants
from keel_ref.errors import InvalidArgumentError
from keel_ref.memory.settings import Settings, parse_object, read_settings
from keel_ref.memory.values import MemoryRequest, Source
from keel_ref.ports import EntryKind

PLACES = {
    "managed": "/m/managed-settings.json",
    "named": "/x.json",
    "local": "/r/.claude/settings.local.json",
    "project": "/r/.claude/settings.json",
    "user": "/h/.claude/settings.json",
}


def settings(
    files: Mapping[str, str | bytes | Node],
    sources: frozenset[Source] = frozenset(Source),
    numbers: Constants = DEFAULT,
) -> Settings:
    """What the files say together; each is given by its layer, or by its path."""
    tree = InMemoryTree.of({PLACES.get(name, name): content for name, content in files.items()})
    request = MemoryRequest(cwd="/r", home="/h", managed_dir="/m", settings_files=("/x.json",), sources=sources)
    return read_settings(tree, request, "/h/.claude", "/r", numbers)


def excludes(found: Settings) -> tuple[str, ...]:
    """The patterns of all layers."""
    return tuple(pattern for _, pattern in found.excludes)


def broken(found: Settings) -> set[str]:
    """The files that could not be used."""
    return {row.path for row in found.skipped if row.reason == "settings-broken"}


@clause("MEM-020", "MEM-021", "MEM-061")
def test_lists_of_all_layers_are_merged() -> None:
    """Every item of every layer that is read counts."""
    found = settings({name: f'{{"claudeMdExcludes": ["/{name}"]}}' for name in PLACES})

    assert {f"/{name}" for name in PLACES} == set(excludes(found))
    assert () == found.skipped


@clause("MEM-021")
@pytest.mark.parametrize("first", range(5))
def test_of_a_single_value_the_first_layer_counts(first: int) -> None:
    """Managed, named, local, project, user."""
    names = list(PLACES)[first:]
    found = settings({name: f'{{"autoMemoryEnabled": {"true" if name == names[0] else "false"}}}' for name in names})

    assert found.auto_memory_enabled is True


@clause("MEM-013", "MEM-020")
def test_a_layer_that_is_off_is_not_read() -> None:
    """Managed and named settings always are."""
    files: dict[str, str | bytes | Node] = {name: f'{{"claudeMdExcludes": ["/{name}"]}}' for name in PLACES}

    assert ("/managed", "/named") == excludes(settings(files, frozenset()))
    assert "/user" not in excludes(settings(files, frozenset({Source.LOCAL, Source.PROJECT})))
    assert () == settings({"/r/s/.claude/settings.json": "{", "/.claude/settings.json": "{"} | {"named": "{}"}).skipped


@clause("MEM-020")
@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"[]",
        b"null",
        b"{",
        b'{"a": 1,}',
        b'{"a": 1} // x',
        b'{"a": "\xff"}',
        b'\xef\xbb\xbf\xef\xbb\xbf{"a": 1}',
        b'{"a": NaN}',
        b"[" * 100_000,
        Node(kind=EntryKind.OTHER, what="fifo"),
        Node(kind=EntryKind.FILE, data=b"{}", may_read=False),
        FOLDER,
    ],
)
def test_a_broken_file_is_ignored_and_reported(content: bytes | Node) -> None:
    """No JSON, no object, no UTF-8, no regular file, no permission."""
    found = settings({"project": content, "named": "{}"})

    assert {PLACES["project"]} == broken(found)
    assert ((), None, None) == (excludes(found), found.auto_memory_enabled, found.auto_memory_directory)


@clause("MEM-020")
def test_a_missing_file_is_silent_unless_it_was_named() -> None:
    """Nobody asked for the others."""

    assert {PLACES["named"]} == broken(settings({}))
    assert set() == broken(settings({"named": "{}"}))


@clause("MEM-020")
@pytest.mark.parametrize(
    "value",
    ['"claudeMdExcludes": "x"', '"claudeMdExcludes": {}', '"autoMemoryEnabled": 1', '"autoMemoryDirectory": true'],
)
def test_a_value_of_the_wrong_type_is_ignored_by_itself(value: str) -> None:
    """It is reported under the file that holds it, and the rest of the file counts."""
    rest = {key: f'"{key}": {text}' for key, text in (("autoMemoryEnabled", "false"), ("claudeMdExcludes", '["a"]'))}
    others = [text for key, text in rest.items() if key not in value]
    found = settings({"user": f"{{{', '.join([value, *others])}}}", "named": "{}"})

    assert {PLACES["user"]} == broken(found)
    assert found.auto_memory_enabled is (None if "Enabled" in value else False)
    assert (() if "Excludes" in value else ("a",)) == excludes(found)


@clause("MEM-020")
def test_items_that_are_no_strings_are_left_out() -> None:
    """The list counts without them."""
    found = settings({"user": '{"claudeMdExcludes": [1, "a", null, ["b"], "c"]}', "named": "{}"})

    assert ("a", "c") == excludes(found)


@clause("MEM-020")
def test_one_byte_order_mark_is_allowed() -> None:
    """Other keys are not looked at."""
    found = settings({"user": b'\xef\xbb\xbf{"other": 1, "claudeMdExcludes": ["a"]}', "named": "{}"})

    assert ("a",) == excludes(found)
    assert set() == broken(found)


@clause("MEM-024")
@pytest.mark.parametrize(("is_broken", "size"), [(False, 399), (False, 400), (True, 401)])
def test_a_file_above_the_limit_is_broken(is_broken: bool, size: int) -> None:
    """At the limit it is read."""
    content = b"{" + b" " * (size - 2) + b"}"

    assert ({PLACES["user"]} if is_broken else set()) == broken(
        settings({"user": content, "named": "{}"}, numbers=TINY)
    )


@clause("MEM-013")
def test_another_source_is_an_error() -> None:
    """It names the argument and what is allowed."""

    assert frozenset({Source.USER}) == Source.parse(["user", "user"])
    with pytest.raises(InvalidArgumentError, match="sources: 'all' is none of user, project, local"):
        Source.parse(["all"])


def test_what_is_wrong_with_a_file_is_said_on_one_line() -> None:
    """It stands in the detail of a row."""
    problem = parse_object(b"{\n\n")

    assert isinstance(problem, str)
    assert "\n" not in problem
