"""The tests of tier V: one behaviour each, written by hand, in files anybody can read. Spec: schema/vectors.json."""

import hashlib
import json
import re
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from attrs import evolve, frozen

from keel_ref.conformance.exits import SuiteError
from keel_ref.conformance.line import WireError, encode_line
from keel_ref.conformance.match import Expectation, ExpectationError, parse_expectation
from keel_ref.conformance.wire import Call, CallItem, Program, ProgramItem, Question, request_to_object

SCHEMA: Final = "keel-vectors/1"
"""What every vector file says it is."""

_SLUG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)+")
_PROSE = frozenset({"id", "why", "bug", "seen", "blessed"})
"""Fields that say why a test exists, not what it tests; they are no part of its digest."""
_FIELDS = _PROSE | {"clauses", "needs", "call", "program", "expect", "supersedes"}
MAX_STEPS: Final = 1_000
"""Steps of one program."""
PROGRAM: Final = "program"
"""What an implementation claims that runs programs."""


@frozen(kw_only=True)
class Vector:
    """One test: a call or a program, and what is expected of its outcome."""

    id: str
    """A slug for ever: never renamed, never used again."""
    area: str
    """The area, which is the name of its folder."""
    clauses: tuple[str, ...]
    """The clauses that the test shows, the most important one first."""
    needs: tuple[str, ...]
    """Capabilities without which the test is not run."""
    why: str
    """What goes wrong for a user when an implementation fails here."""
    seen: tuple[str, ...]
    """Where the fault or the behaviour was seen: cases of bugs, observations."""
    question: Question
    """What is sent: a call, or a program."""
    expectation: Expectation
    """What is expected; holds no matcher where the vector is broken."""
    source: Mapping[str, Any]
    """The vector as its file has it."""
    path: str
    """The file, as named below `spec/`."""
    digest: str
    """Fingerprint of what is tested; changes with anything but prose."""
    tier: str = "V"
    """V: written by hand; K: drawn once, and frozen."""
    problems: tuple[str, ...] = ()
    """What its own lint says against it; a test with a problem is never run."""

    @property
    def expect(self) -> Mapping[str, Any]:
        """The expectation as its file has it."""
        found: Mapping[str, Any] = self.source["expect"]
        return found


def load_vectors(spec: Path) -> tuple[Vector, ...]:
    """The vectors below a specification folder, sorted by id. Raises `SuiteError` for a file that is none."""
    found: list[Vector] = []
    for path in sorted(spec.glob("vectors/*/*.json")):
        name = path.relative_to(spec).as_posix()
        found.extend(_load_vector(source, area=path.parent.name, path=name) for source in _read_file(path, name))
    return _in_order(found)


def load_corpus(spec: Path) -> tuple[Vector, ...]:
    """Every program of the corpus, sorted by id: a file for each area, a test on each line. Raises `SuiteError`."""
    found: list[Vector] = []
    for path in sorted(spec.glob("corpus/*.ndjson")):
        name = path.relative_to(spec).as_posix()
        try:
            sources = [json.loads(line) for line in path.read_bytes().splitlines()]
        except (OSError, ValueError) as error:
            raise SuiteError(f"{name}: {error}") from error
        found.extend(evolve(_load_vector(one, area=path.stem, path=name), tier="K") for one in sources)
    return _in_order(found)


def _in_order(found: list[Vector]) -> tuple[Vector, ...]:
    """Sorted by id; one that is used twice is a problem of all that use it."""
    counts = Counter(vector.id for vector in found)
    found.sort(key=lambda vector: (vector.id, vector.path))
    return tuple(
        evolve(vector, problems=(*vector.problems, "id: used twice")) if counts[vector.id] > 1 else vector
        for vector in found
    )


def _read_file(path: Path, name: str) -> list[Any]:
    try:
        content = json.loads(path.read_bytes())
    except (OSError, ValueError) as error:
        raise SuiteError(f"{name}: {error}") from error
    if not isinstance(content, dict) or content.get("schema") != SCHEMA or not isinstance(content.get("vectors"), list):
        raise SuiteError(f'{name}: an object with "schema": "{SCHEMA}" and a list "vectors"')
    vectors: list[Any] = content["vectors"]
    return vectors


def _load_vector(source: object, *, area: str, path: str) -> Vector:
    """One vector; what is wrong with it becomes a problem, so that one broken test spoils no other."""
    problems: list[str] = []
    if not isinstance(source, Mapping) or not isinstance(source.get("id"), str):
        raise SuiteError(f"{path}: a vector without an id")
    if not _SLUG.fullmatch(source["id"]):
        problems.append("id: words of lower-case letters and digits, joined by hyphens")
    problems.extend(f"{field}: unknown field" for field in sorted(set(source) - _FIELDS))
    expectation = Expectation(matchers=())
    try:
        expectation = parse_expectation(source.get("expect"))
    except ExpectationError as error:
        problems.append(str(error))
    question = read_question(source, problems)
    if isinstance(question, ProgramItem) and PROGRAM not in source.get("needs", ()):
        problems.append(f"needs: {PROGRAM} is missing")
    return Vector(
        id=source["id"],
        area=area,
        clauses=_texts(source, "clauses", problems, is_needed=True),
        needs=_texts(source, "needs", problems, is_needed=True),
        why=_why(source, problems),
        seen=_texts(source, "seen", problems),
        question=question,
        expectation=expectation,
        source=source,
        path=path,
        digest=_digest(source),
        problems=tuple(problems),
    )


def read_question(source: Mapping[str, Any], problems: list[str]) -> Question:
    """The call or the program of a test; what is wrong with it is added to the problems."""
    if PROGRAM not in source:
        return _load_call(source.get("call"), problems)
    if "call" in source:
        problems.append("a call or a program, not both")
    return _load_program(source[PROGRAM], problems)


def _load_program(source: object, problems: list[str]) -> ProgramItem:
    program = source if isinstance(source, Mapping) else {}
    config, steps = program.get("config", {}), program.get("steps")
    if not (isinstance(config, Mapping) and isinstance(steps, list) and 0 < len(steps) <= MAX_STEPS):
        problems.append(f'program: an object with perhaps "config", and "steps", at most {MAX_STEPS}')
        return ProgramItem(steps=())
    item = ProgramItem(config=config, steps=tuple(steps))
    try:
        encode_line(request_to_object(Program(id=2**31, item=item)))
    except WireError as error:
        problems.append(f"program: {error}")
    return item


def _load_call(source: object, problems: list[str]) -> CallItem:
    call = source if isinstance(source, Mapping) else {}
    name, args, config = call.get("fn", ""), call.get("args", {}), call.get("config")
    if not (isinstance(name, str) and name and isinstance(args, Mapping) and isinstance(config, Mapping | None)):
        problems.append('call: an object with "fn", "args" and perhaps "config"')
        return CallItem(fn="")
    item = CallItem(fn=name, args=args, config=config)
    try:
        encode_line(request_to_object(Call(id=2**31, calls=(item,))))
    except WireError as error:
        problems.append(f"call: {error}")
    return item


def _why(source: Mapping[str, Any], problems: list[str]) -> str:
    why = source.get("why")
    if not isinstance(why, str) or not why:
        problems.append("why: what goes wrong for a user")
        return ""
    return why


def _texts(source: Mapping[str, Any], name: str, problems: list[str], *, is_needed: bool = False) -> tuple[str, ...]:
    value = source.get(name, [])
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value) or (is_needed and not value):
        problems.append(f"{name}: a list of texts")
        return ()
    return tuple(value)


def _digest(source: Mapping[str, Any]) -> str:
    tested = {name: value for name, value in source.items() if name not in _PROSE}
    canonical = json.dumps(tested, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(canonical.encode()).hexdigest()


def digest_all(vectors: tuple[Vector, ...]) -> str:
    """Fingerprint of a set of vectors, whatever their order."""
    lines = sorted(f"{vector.id} {vector.digest}\n" for vector in vectors)
    return hashlib.sha256("".join(lines).encode()).hexdigest()
