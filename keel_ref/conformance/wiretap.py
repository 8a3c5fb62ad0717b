"""Keeps the lines that cross the wire, and checks them against the schema: for whoever writes an adapter."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import IO, Any, Final

from attrs import evolve

from keel_ref.conformance.compare import cut_text
from keel_ref.conformance.exits import SuiteError
from keel_ref.conformance.line import WireError
from keel_ref.conformance.subject import Direction, Observer
from keel_ref.conformance.vectors import Vector
from keel_ref.conformance.wire import question_to_object

FOLDER: Final = Path(".keel/trace")
"""Where traces go, below the folder one is in."""
MAX_KEPT_BYTES: Final = 256 * 1024
"""Bytes of lines that are kept of one test."""


class WholeTrace:
    """Writes down every line of one process as it crosses."""

    def __init__(self, stream: IO[bytes]) -> None:
        """Take the file to write to."""
        self._stream = stream

    def __call__(self, direction: Direction, line: bytes) -> None:
        """Write one line with an arrow before it."""
        self._stream.write(direction.value.encode() + b" " + line + b"\n")


class LoneCalls:
    """Remembers what crossed the wire while one call or program was put alone, which is how failures are repeated."""

    def __init__(self) -> None:
        """Start with nothing."""
        self._lines: dict[str, list[bytes]] = {}
        self._current: list[bytes] | None = None
        self._kept_bytes = 0

    def __call__(self, direction: Direction, line: bytes) -> None:
        """Keep a line if it belongs to a call that was put alone."""
        if direction is Direction.SENT:
            message = json.loads(line)
            if message.get("op") == "call":
                self._begin(message["calls"])
            elif message.get("op") == "program":
                self._begin([{name: value for name, value in message.items() if name not in ("id", "op")}])
        if self._current is not None and self._kept_bytes < MAX_KEPT_BYTES:
            kept = line[: MAX_KEPT_BYTES - self._kept_bytes]
            self._kept_bytes += len(kept)
            self._current.append(direction.value.encode() + b" " + kept + b"\n")

    def _begin(self, calls: list[Any]) -> None:
        self._current, self._kept_bytes = None, 0
        if len(calls) == 1:
            self._current = self._lines[_key(calls[0])] = []

    def lines_of(self, vector: Vector, *, is_revealed: bool) -> list[bytes]:
        """The lines of a test's last lone call."""
        asked = evolve(vector.question, test=vector.id if is_revealed else None)
        return self._lines.get(_key(question_to_object(asked))) or []


def _key(call: Any) -> str:
    return json.dumps(call, sort_keys=True)


class SchemaCheck:
    """Holds both directions to the schema of the wire. Ours is our fault, theirs breaks the wire."""

    def __init__(self, spec: Path) -> None:
        """Read the schema below a specification folder."""
        from jsonschema import Draft202012Validator  # noqa: PLC0415 (slow to import, and rarely wanted)

        definitions = json.loads((spec / "schema" / "wire.json").read_bytes())["$defs"]

        def validator(name: str) -> Draft202012Validator:
            return Draft202012Validator({"$defs": definitions, "$ref": f"#/$defs/{name}"})

        self._requests, self._answers, self._trace = validator("request"), validator("answer"), validator("trace")
        self._results = {name: validator(f"results/{name}") for name in definitions["results"]}
        self._asked: list[str] = []
        self._is_program = False

    def __call__(self, direction: Direction, line: bytes) -> None:
        """Check one line. Raises `SuiteError` for one of ours, `WireError` for one of theirs."""
        message = json.loads(line)
        if direction is Direction.SENT:
            self._asked = [call["fn"] for call in message.get("calls", [])]
            self._is_program = message.get("op") == "program"
            problem = first_problem(self._requests.iter_errors(message))
            if problem:
                raise SuiteError(f"our own request breaks the schema of the wire: {problem}")
            return
        problem = first_problem(self._answers.iter_errors(message)) or self._check_results(message)
        if problem:
            raise WireError(f"breaks the schema of the wire: {problem}")

    def _check_results(self, message: Any) -> str:
        if self._is_program and "ok" in message:
            return first_problem(self._trace.iter_errors(message["ok"].get("trace")))
        results = message.get("ok", {}).get("results", []) if self._asked else []
        for name, result in zip(self._asked, results, strict=False):
            if name in self._results and "ok" in result:
                problem = first_problem(self._results[name].iter_errors(result["ok"]))
                if problem:
                    return f"{name}: {problem}"
        return ""


def first_problem(errors: Iterable[Any]) -> str:
    """The first place at which a value breaks a schema, and how; empty where it keeps to it."""
    problems = sorted(errors, key=lambda error: [str(step) for step in error.absolute_path])
    if not problems:
        return ""
    return f"{cut_text(problems[0].json_path, 200)}: {cut_text(problems[0].message, 200)}"


def watch_all(observers: Iterable[Observer]) -> Observer | None:
    """Several observers as one; none if there are none."""
    several = tuple(observers)

    def observe(direction: Direction, line: bytes) -> None:
        for observer in several:
            observer(direction, line)

    return observe if several else None
