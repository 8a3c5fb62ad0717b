"""`keel-ref explain`: everything that belongs to a name of the specification."""

from __future__ import annotations

import argparse
import json
import shutil
import textwrap
from collections.abc import Iterator
from typing import TYPE_CHECKING

from keel_ref.cli.options import Subparsers
from keel_ref.conformance.exits import ExitCode

if TYPE_CHECKING:
    from keel_ref.conformance.explanation import Explanation, Section

EXAMPLE = """\
examples:
  keel-ref explain MEM-014             the clause, why it is so, and the vectors, tests and lines that cite it
  keel-ref explain memory.identity     the values of a choice, and the clauses that it changes
  keel-ref explain include-depth       what a reason for not loading means
  keel-ref explain B043 --json         what stands on a public report, for a program
"""
_MAX_WIDTH = 120
_LABEL_WIDTH = 12
_AS_WRITTEN = frozenset({"examples", "call", "expect"})
"""Sections whose lines are code."""


def register(subparsers: Subparsers) -> None:
    """Add the verb and its options."""
    parser = subparsers.add_parser(
        "explain",
        description="Everything that belongs to a name: a clause with its reason, its vectors, tests, lines of code "
        "and known public bugs; or a principle, choice, capability, function, test, reason, bug, observation or fact.",
        epilog=EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("name", metavar="NAME", help="MEM-014, P-3, memory.identity, a test, a reason, B043, owner/repo#1, O-01, M-05")
    add("--json", action="store_true", help="print one JSON object (schema keel-explain/1)")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Explain the name in each of its meanings."""
    from keel_ref.conformance.explain import explain
    from keel_ref.conformance.suite import load_suite

    found = explain(options.name, load_suite())
    if options.json:
        document = {"schema": "keel-explain/1", "name": options.name, "found": [one.to_object() for one in found]}
        print(json.dumps(document, indent=2))
    else:
        print("\n\n".join("\n".join(_render(one)) for one in found))
    return ExitCode.CONFORMANT


def _render(explanation: Explanation) -> Iterator[str]:
    """An explanation as lines for a terminal: what it is, what it says, what belongs to it."""
    yield f"{explanation.id}  {explanation.kind}{f': {explanation.title}' if explanation.title else ''}"
    if explanation.text:
        yield ""
        yield from textwrap.indent(explanation.text, "  ").split("\n")
    yield ""
    for section in explanation.sections:
        yield from _render_section(section)


def _render_section(section: Section) -> Iterator[str]:
    """A label and its lines beside it; nothing where there is nothing to say."""
    label = f"  {section.label:<{_LABEL_WIDTH}}"
    beside = " " * len(label)
    width = min(shutil.get_terminal_size().columns, _MAX_WIDTH)
    lines = [line.words for line in section.lines] or ([section.note] if section.note else [])
    for number, words in enumerate(lines):
        first = beside if number else label
        if section.label in _AS_WRITTEN:
            yield from textwrap.indent(words, beside).replace(beside, first, 1).split("\n")
        else:
            yield textwrap.fill(
                words,
                width,
                initial_indent=first,
                subsequent_indent=f"{beside}  ",
                break_long_words=False,
                break_on_hyphens=False,
            )
