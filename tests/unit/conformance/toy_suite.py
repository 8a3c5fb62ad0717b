"""A small suite about a toy, written to a folder, and the commands that start the toy adapter."""

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from attrs import evolve

from keel_ref.conformance.subject import Limits, Subject
from keel_ref.conformance.suite import Suite, load_suite

ADAPTER = Path(__file__).parent / "adapters" / "toy.py"
LIMITS = Limits(timeout_ms=10_000, handshake_timeout_ms=20_000)
"""Patience with a toy that answers, on whatever machine."""
QUICK = Limits(timeout_ms=300, handshake_timeout_ms=300)
"""For a toy that hangs when it is started, or that hangs later but is quick to start."""
HANGS = frozenset({"hang", "half-line"})
"""Misdeeds that keep us waiting to the limit."""

CHAPTER = """\
# A toy chapter

### MEM-001 [MUST] Echo

What goes in comes out.

- Basis: decided
- Reason: so that it can be compared
- Bugs: B001

### MEM-002 [SHOULD] Politeness

Errors are kind.

- Basis: decided
- Reason: so that people stay

### MEM-003 [MAY] Speed

It may be fast.

- Basis: decided
- Reason: why not
"""
REGISTRIES: Mapping[str, Any] = {
    "capabilities.json": {
        "capabilities": [
            {"name": "memory", "core": True, "needs": [], "clauses": ["MEM-001"], "about": "the toy"},
            {"name": "memory.part", "needs": ["memory"], "clauses": ["MEM-002"], "about": "a part of it"},
            {"name": "later", "reserved": True, "needs": [], "clauses": [], "about": "another toy"},
        ]
    },
    "functions.json": {"functions": [{"name": f"toy.{name}"} for name in ("echo", "list", "fail", "slow")]},
    "errors.json": {"errors": [{"kind": "invalid_argument"}, {"kind": "not_a_folder"}]},
}


def command(misdeed: str = "none", moment: str = "trap") -> tuple[str, ...]:
    """The toy adapter, misbehaving in one way at one moment."""
    return (sys.executable, "-I", "-S", str(ADAPTER), misdeed, moment)


def limits_for(misdeed: str) -> Limits:
    """No longer than we must, and no shorter than a busy machine needs."""
    return evolve(LIMITS, timeout_ms=300) if misdeed in HANGS else LIMITS


def subject(misdeed: str = "none", moment: str = "trap", limits: Limits = LIMITS) -> Subject:
    """A process of the toy, not started yet."""
    return Subject(command(misdeed, moment), limits=limits, suite="toy", revisions=("2026.11",))


def echo(name: str, value: object, **changes: object) -> dict[str, Any]:
    """A vector that wants back what it sends."""
    vector: dict[str, Any] = {
        "id": name,
        "clauses": ["MEM-001"],
        "needs": ["memory"],
        "why": "what comes back must be what was sent",
        "call": {"fn": "toy.echo", "args": {"value": value}},
        "expect": {"subset": {"value": value}},
        "blessed": ["literal"],
    }
    return {**vector, **changes}


TRAP = echo("toy-m-trap", "trap")
ECHOES = tuple(echo(f"toy-{letter}-echo", letter) for letter in "abcdefghijklnopqrstuvwxyz")


def write_spec(folder: Path, vectors: Sequence[Mapping[str, Any]]) -> Path:
    """A specification folder that holds these tests."""
    (folder / "vectors" / "memory").mkdir(parents=True)
    (folder / "toy.md").write_text(CHAPTER, encoding="utf-8")
    for name, content in REGISTRIES.items():
        (folder / name).write_text(json.dumps(content), encoding="utf-8")
    text = json.dumps({"schema": "keel-vectors/1", "vectors": list(vectors)})
    (folder / "vectors" / "memory" / "toy.json").write_text(text, encoding="utf-8")
    return folder


def make_suite(folder: Path, vectors: Sequence[Mapping[str, Any]] = (*ECHOES, TRAP)) -> Suite:
    """The suite of these tests; by default 25 that pass, and one that may be a trap."""
    return load_suite(write_spec(folder / "spec", vectors))
