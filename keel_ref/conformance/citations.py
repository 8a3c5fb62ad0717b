"""Where code and tests cite the clauses: the trail from the specification and back.

Code cites at two grains: a line `Spec: MEM-nnn` in a docstring says what a function is
about, and a comment `# [MEM-nnn]` stands on the line that decides. A test cites by the
mark `@clause("MEM-nnn")` or in its docstring.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path

from attrs import frozen

from keel_ref.conformance.clauses import cited_ids
from keel_ref.resources import spec_folder

_DECIDES = re.compile(r"(?:#|//).*\[[A-Z]{3}-\d{3}[\],]")
_DESCRIBES = re.compile(r"\bSpec: (?P<ids>.*)")
_IN_BRACKETS = re.compile(r"\[([^\]]*)\]")
_SOURCES = ("keel_ref/**/*.py", "rust/*/src/**/*.rs")


class Grain(StrEnum):
    """How near a citation is to the rule."""

    DECIDES = "decides"
    DESCRIBES = "describes"


@frozen(kw_only=True)
class Citation:
    """One line of code that names a clause."""

    id: str
    """The clause."""
    grain: Grain
    """Whether the line decides, or a docstring describes."""
    path: str
    """Below the folder that holds the package, with `/`."""
    line: int
    """Counted from one."""
    text: str
    """The line, without the blanks around it."""


@frozen(kw_only=True)
class Shown:
    """One test that shows clauses."""

    ids: tuple[str, ...]
    """The clauses it is marked with, or that its docstring names."""
    path: str
    """Below the root of the checkout, with `/`."""
    line: int
    """The line of its name, counted from one."""
    name: str
    """As pytest names it, with its class."""
    claim: str
    """The first line of its docstring."""


def find_checkout() -> Path | None:
    """The root of the checkout this package runs from; none when it is an installed wheel."""
    root = spec_folder().parent
    return root if (root / "pyproject.toml").is_file() else None


def place_in_spec(anchor: str) -> str:
    """Where a file or heading of the specification can be read: in the checkout, or in the installed package."""
    return f"spec/{anchor}" if find_checkout() else str(spec_folder() / anchor)


def code_root() -> Path:
    """The folder that holds the package, and in a checkout the native code and the tests too."""
    return Path(__file__).resolve().parents[2]


def find_code_citations(root: Path) -> Iterator[Citation]:
    """Every line of the package, and of the native code where there is some, that names a clause."""
    for pattern in _SOURCES:
        for path in sorted(root.glob(pattern)):
            name = path.relative_to(root).as_posix()
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
                for grain, identity in _cited_in_line(line):
                    yield Citation(id=identity, grain=grain, path=name, line=number, text=line.strip())


def _cited_in_line(line: str) -> Iterator[tuple[Grain, str]]:
    """The clauses that one line of code names, with the grain of each."""
    if _DECIDES.search(line):
        for group in _IN_BRACKETS.findall(line):
            for identity in cited_ids(group):
                yield Grain.DECIDES, identity
    described = _DESCRIBES.search(line)
    if described:
        for identity in cited_ids(described["ids"]):
            yield Grain.DESCRIBES, identity


def find_tests(root: Path) -> Iterator[Shown]:
    """Every test below `tests/` that names a clause, read without importing any."""
    for path in sorted((root / "tests").rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        yield from _find_in_body(tree.body, path.relative_to(root).as_posix(), outer="", inherited=())


def _find_in_body(body: list[ast.stmt], path: str, *, outer: str, inherited: tuple[str, ...]) -> Iterator[Shown]:
    """The citing tests of a module or a class, whose own mark holds for all its tests."""
    for node in body:
        if not isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        marked = inherited + tuple(_marked_ids(node))
        name = f"{outer}{node.name}"
        if isinstance(node, ast.ClassDef):
            yield from _find_in_body(node.body, path, outer=f"{name}::", inherited=marked)
            continue
        claim = ast.get_docstring(node) or ""
        ids = tuple(dict.fromkeys(marked + tuple(cited_ids(claim))))
        if ids and (marked or node.name.startswith("test")):
            first = claim.partition("\n")[0]
            yield Shown(ids=ids, path=path, line=node.lineno, name=name, claim=first)


def _marked_ids(node: ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[str]:
    """The ids in decorators `@clause(...)` and `@pytest.mark.clause(...)`."""
    for decorator in node.decorator_list:
        if not isinstance(decorator, ast.Call):
            continue
        called = decorator.func
        name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
        if name == "clause":
            for argument in decorator.args:
                if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
                    yield argument.value


def find_mentions(root: Path, word: str) -> Iterator[tuple[str, int]]:
    """Path and line of everything below `tests/` that names a report, an observation or a record."""
    whole = re.compile(rf"(?<![\w/-]){re.escape(word)}(?![\w-])")
    for path in sorted((root / "tests").rglob("*.py")):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            if whole.search(line):
                yield path.relative_to(root).as_posix(), number
