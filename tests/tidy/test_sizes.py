"""Files and functions that a reader can hold in mind, and names that say what is inside."""

import ast
from collections.abc import Iterator
from math import ceil
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "keel_ref"

FILE_LINES = 300
FILE_LINES_AT_MOST = 360
FUNCTION_LINES = 50
FUNCTION_LINES_AT_MOST = 60
"""The first of each pair is the aim; one in ten may lie between it and the second, which nothing passes."""
SHARE_BETWEEN = 10

SAYS_NOTHING = {"helper", "helpers", "util", "utils", "utilities", "misc", "common", "stuff", "tools"}
"""Names for a heap. A file is split by notion."""


def sources() -> dict[str, str]:
    """Every Python file of the package, by its place in the repository."""
    return {str(path.relative_to(ROOT)): path.read_text(encoding="utf-8") for path in sorted(PACKAGE.rglob("*.py"))}


def functions(source: str) -> Iterator[tuple[str, int]]:
    """Each function, also inside another, with its lines from the first decorator to the last statement."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
            assert node.end_lineno is not None
            yield node.name, node.end_lineno - first + 1


def too_large(lines: dict[str, int], aim: int, at_most: int) -> dict[str, int]:
    """What passes the hard limit, and what lies above the aim where more than one in ten does."""
    above = {name: count for name, count in lines.items() if count > aim}
    if len(above) > ceil(len(lines) / SHARE_BETWEEN):
        return above
    return {name: count for name, count in above.items() if count > at_most}


def test_files_are_short() -> None:
    """About 300 lines, never more than 360."""
    lines = {name: len(source.splitlines()) for name, source in sources().items()}

    assert {} == too_large(lines, FILE_LINES, FILE_LINES_AT_MOST)


def test_functions_are_short() -> None:
    """About 50 lines, never more than 60."""
    lines = {
        f"{name}: {function}": count for name, source in sources().items() for function, count in functions(source)
    }

    assert {} == too_large(lines, FUNCTION_LINES, FUNCTION_LINES_AT_MOST)


def test_no_file_is_named_for_a_heap() -> None:
    """A name such as `helpers` says nothing of what is inside."""
    heaps = [
        str(path.relative_to(ROOT))
        for folder in ("keel_ref", "tests", "benches", "examples", "rust")
        for path in sorted((ROOT / folder).rglob("*"))
        if path.stem in SAYS_NOTHING and "node_modules" not in path.parts
    ]

    assert [] == heaps


@pytest.mark.parametrize(
    ("lines", "found"),
    [
        ({"a": 51, "b": 5}, {}),
        ({"a": 61, "b": 5}, {"a": 61}),
        ({"a": 51, "b": 52}, {"a": 51, "b": 52}),
        ({"a": 50, "b": 50}, {}),
    ],
)
def test_what_is_too_large_is_found(lines: dict[str, int], found: dict[str, int]) -> None:
    """One above the aim is borne, two of two are not, and nothing above the hard limit is."""

    assert found == too_large(lines, FUNCTION_LINES, FUNCTION_LINES_AT_MOST)


def test_a_function_is_measured_with_its_decorators_and_its_docstring() -> None:
    """What the reader has to read counts."""
    source = (
        'class A:\n    @one\n    @two(\n        3,\n    )\n    def f(self):\n        """Says."""\n\n        return 1\n'
    )

    assert [("f", 8)] == list(functions(source))
