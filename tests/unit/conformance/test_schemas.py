"""The published schemas: sound, met by our own documents, and no laxer than our own readers."""

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from keel_ref.conformance.compare import Mode, first_difference
from keel_ref.conformance.config import CallConfig
from keel_ref.conformance.exits import UsageError
from keel_ref.conformance.expected import parse_expected
from keel_ref.conformance.match import FailureKind
from keel_ref.conformance.reference import call_reference
from keel_ref.conformance.verdict import Verdict
from keel_ref.conformance.wire import (
    CallItem,
    answer_from_object,
    decode_line,
    outcome_from_object,
    request_from_object,
)
from keel_ref.resources import spec_folder
from tests.unit.conformance.toy_suite import echo

SCHEMAS = ("expected", "replay", "report", "vectors", "wire")
LIMITS = {
    "window": 1,
    "compact_window": 1,
    "max_output": 1,
    "reserve": 1,
    "effective": 0,
    "warning": 0,
    "error": 0,
    "auto": 0,
    "blocking": 0,
    "enabled": True,
    "manual": True,
}
STATE = {
    "percent_left": 0,
    "above_warning": True,
    "above_error": True,
    "above_auto": True,
    "at_blocking": True,
    "used_per_mille": {"window": 1, "effective": None, "auto": "9007199254740992"},
}
USAGE = {
    "model": None,
    "categories": [{"name": "Messages", "tokens": "9007199254740992", "deferred": False}],
    "total": 1,
    "maximum": 1,
    "percentage": 100,
    "free": 0,
    "buffer": None,
    "excess": 0,
    "auto_compact": False,
    "grid": {"columns": 10, "rows": [[0] * 10] * 10},
    "system_prompt": [{"name": "", "tokens": 1}],
    "tools": [{"name": "a", "server": None, "tokens": 1, "deferred": False, "loaded": True}],
    "agents": [],
    "skills": [],
    "memory_files": [{"path": "/a", "type": "user", "tokens": 1}],
    "messages": {"tool_call": 0, "tool_result": 0, "attachment": 0, "assistant": 0, "user": 0},
}
READ = {
    "lines": 1,
    "conversation": [1],
    "view": [1],
    "kept": [],
    "side_chains": [{"agent": "", "lines": [1]}],
    "boundaries": [{"line": 1, "trigger": None, "pre_tokens": "9007199254740992"}],
    "other": [{"kind": "a", "rows": 1}],
    "problems": [{"line": 1, "reason": "no-uuid"}],
}
TERMS = {
    "input_tokens": 1,
    "cache_creation_input_tokens": 0,
    "cache_read_input_tokens": 0,
    "output_tokens": "9007199254740992",
}
RESPONSES = {
    "responses": [{"lines": [1], "usage": TERMS, "context": 1, "model": None, "in_conversation": True}],
    "totals": {"responses": 1, **TERMS},
    "naive": {"responses": 1, **TERMS},
    "context": {"tokens": 1, "measured": 1, "estimated": 0},
}
GOOD_ENTRY = {"id": "toy-a", "fails": "mismatch", "reason": "why"}


def schema(name: str) -> dict[str, Any]:
    """A published schema."""
    found: dict[str, Any] = json.loads((spec_folder() / "schema" / f"{name}.json").read_bytes())
    return found


def problems(document: object, name: str) -> list[str]:
    """What a schema says against a document."""
    return [error.message for error in Draft202012Validator(schema(name)).iter_errors(document)]


def conversation() -> list[tuple[str, dict[str, Any]]]:
    """The lines of the conversation in protocol.md, each with its direction."""
    text = (spec_folder() / "protocol.md").read_text(encoding="utf-8")
    block = re.search(r"```text conversation\n(.*?)```", text, re.DOTALL)
    assert block is not None
    return [(line[0], decode_line(line[2:].encode())) for line in block[1].splitlines()]


@pytest.mark.parametrize("name", SCHEMAS)
def test_a_schema_is_one(name: str) -> None:
    """Of JSON Schema 2020-12, and with an id."""
    Draft202012Validator.check_schema(schema(name))

    assert "https://json-schema.org/draft/2020-12/schema" == schema(name)["$schema"]
    assert f"keel-{name}-1.schema.json" == schema(name)["$id"]


@pytest.mark.parametrize("path", sorted((spec_folder() / "vectors").glob("*/*.json")), ids=lambda path: path.name)
def test_every_vector_file_keeps_to_its_schema(path: Path) -> None:
    """So that others can read them without our code."""

    assert [] == problems(json.loads(path.read_bytes()), "vectors")


@pytest.mark.parametrize(
    "changes",
    [
        {"id": "Toy One"},
        {"clauses": []},
        {"clauses": ["7"]},
        {"needs": []},
        {"why": ""},
        {"call": {"fn": "toy.echo"}},
        {"expect": {}},
        {"expect": {"subset": {}}},
        {"expect": {"has": {"files": [{}]}}},
        {"expect": {"error": "x", "eq": 1}},
        {"expect": {"choice": "x"}},
        {"expect": {"one_of": [{"eq": 1}]}},
        {"expect": {"equals": 1}},
        {"blessed": ["me"]},
        {"pattern": "x"},
    ],
)
def test_the_schema_of_vectors_refuses_what_our_lint_refuses(changes: dict[str, Any]) -> None:
    """Each of these alone is enough."""
    good = {"schema": "keel-vectors/1", "vectors": [echo("toy-one", 1)]}
    bad = {"schema": "keel-vectors/1", "vectors": [echo("toy-one", 1, **changes)]}

    assert [] == problems(good, "vectors")
    assert [] != problems(bad, "vectors")


def test_the_conversation_of_the_protocol_keeps_to_the_schema_and_is_read() -> None:
    """Every line of it, in its direction."""
    lines = conversation()

    assert [] == [problem for _, message in lines for problem in problems(message, "wire")]
    assert [">", "<"] * 4 == [direction for direction, _ in lines]
    for direction, message in lines:
        read = request_from_object if direction == ">" else answer_from_object
        assert read(message).id == message["id"]


def test_the_calls_of_the_conversation_are_answered_as_it_says() -> None:
    """By the reference, in the keys that it shows."""
    lines = conversation()
    call = CallItem(**lines[2][1]["calls"][0])
    shown = lines[3][1]["ok"]["results"][0]["ok"]

    given = call_reference(call.fn, call.args, CallConfig())

    assert first_difference(shown, given, Mode.SUBSET) is None


@pytest.mark.parametrize(
    "message",
    [
        {"id": 1},
        {"id": 1, "op": "dance"},
        {"id": 1, "op": "call"},
        {"id": 1, "op": "call", "calls": []},
        {"op": "ping"},
        {"id": 1, "ok": {}, "error": {"kind": "x"}},
        {"id": 1, "error": {}},
        {"id": "1", "ok": {}},
        {"id": -1, "ok": {}},
        {"ok": {}},
    ],
)
def test_the_schema_of_the_wire_refuses_what_is_no_message(message: dict[str, Any]) -> None:
    """In either direction."""

    assert [] != problems(message, "wire")


@pytest.mark.parametrize("kind", ["ok", "error", "unsupported", "declined", "internal"])
def test_the_schema_of_the_wire_takes_each_outcome(kind: str) -> None:
    """As our own reader does."""
    bodies = {"error": {"kind": "x"}, "declined": {"reason": "x"}}
    message = {"id": 1, kind: bodies.get(kind, {})}

    assert [] == problems(message, "wire")
    assert outcome_from_object({kind: message[kind]}) is not None


@pytest.mark.parametrize(
    ("name", "result", "is_good"),
    [
        ("memory.load", {"files": [{"p": "/a", "layer": "user"}]}, True),
        (
            "memory.load",
            {"files": [{"p": {"b64": "L/8="}, "layer": "auto", "text": "", "tokens": 0}], "skipped": []},
            True,
        ),
        ("memory.load", {"files": [{"p": "/a", "layer": "other"}]}, False),
        ("memory.load", {"files": [{"layer": "user"}]}, False),
        ("memory.load", {}, False),
        ("memory.touch", {"files": [], "reads": [{"p": "/a", "files": [{"p": "/b"}]}]}, True),
        ("memory.touch", {"files": []}, False),
        ("memory.index", {"text": "", "lines": 0, "size": 0, "cut": []}, True),
        ("memory.index", {"text": "", "lines": 0, "size": 0, "cut": ["bytes"]}, False),
        ("text.sizes", {"utf8": 1, "utf16": 1, "code_points": 1}, True),
        ("text.sizes", {"utf8": 1}, False),
        ("tokens.estimate", {"tokens": 1}, True),
        ("tokens.estimate", {"tokens": 1.5}, False),
        ("tokens.estimate_messages", {"tokens": 1, "reported": [{"reason": "bad-row", "row": 0}]}, True),
        ("tokens.estimate_messages", {"tokens": 1, "reported": ["bad-row"]}, False),
        ("tokens.context_size", {"tokens": 3, "measured": 1, "estimated": 2}, True),
        ("tokens.context_size", {"tokens": 3}, False),
        ("tokens.percentage", {"percent": 100}, True),
        ("tokens.percentage", {"percent": 101}, False),
        ("window.limits", LIMITS, True),
        ("window.limits", {**LIMITS, "auto": -1}, False),
        ("window.limits", {**LIMITS, "reported": [{"reason": "clamped", "name": "auto"}]}, True),
        ("window.limits", {**LIMITS, "reported": [{"reason": "squeezed", "name": "auto"}]}, False),
        ("window.state", STATE, True),
        ("window.state", {**STATE, "percent_left": 101}, False),
        ("window.budget", {"budget": None}, True),
        ("window.budget", {"budget": 0}, False),
        ("window.auto_continue", {"decisions": [{"action": "stop", "verdict": "gate-off"}]}, True),
        ("window.auto_continue", {"decisions": [{"action": "stop", "verdict": "tired"}]}, False),
        ("messages.rounds", {"rounds": [[0, 1]]}, True),
        ("messages.rounds", {"rounds": [[0, 1, 2]]}, False),
        ("messages.after_boundary", {"from": 0}, True),
        ("messages.after_boundary", {"from": -1}, False),
        ("messages.prepare", {"messages": [{"role": "user", "content": [{"type": "x"}]}], "reported": []}, True),
        ("messages.prepare", {"messages": [{"role": "system", "content": []}], "reported": []}, False),
        ("context.system_context", {"entries": [{"key": "gitStatus", "value": "g"}], "blocks": ["gitStatus: g"]}, True),
        ("context.system_context", {"entries": [{"key": "gitStatus"}], "blocks": []}, False),
        ("context.caches", {"outcomes": [{"fresh": ["messages"]}]}, True),
        ("context.caches", {"outcomes": [{}]}, False),
        ("context.tool_search", {"matches": [{"name": "Cron", "score": None}], "missing": []}, True),
        ("context.tool_search", {"matches": [{"name": "Cron"}], "missing": []}, False),
        ("context.grid", {"columns": 10, "rows": [], "squares": [0]}, True),
        ("context.grid", {"columns": 11, "rows": [], "squares": [0]}, False),
        ("context.usage", USAGE, True),
        ("context.usage", {**USAGE, "percentage": 101}, False),
        ("context.usage", {**USAGE, "reported": [{"reason": "clamped", "name": "auto"}]}, True),
        ("context.usage", {**USAGE, "reported": [{"reason": "bad-row", "row": 0}]}, True),
        ("context.usage", {**USAGE, "reported": ["bad-row"]}, False),
        ("transcript.read", READ, True),
        ("transcript.read", {**READ, "problems": [{"line": 0, "reason": "no-uuid"}]}, False),
        ("transcript.read", {**READ, "problems": [{"line": 1, "reason": "tired"}]}, False),
        ("transcript.responses", RESPONSES, True),
        ("transcript.responses", {**RESPONSES, "naive": TERMS}, False),
        ("compaction.strip", {"messages": [None], "decisions": [{"layer": "summary", "why": "media-marked"}]}, True),
        ("compaction.strip", {"messages": [], "decisions": [{"why": "media-marked"}]}, False),
    ],
)
def test_the_schema_of_the_wire_knows_the_results(name: str, result: dict[str, Any], *, is_good: bool) -> None:
    """Of every function that there is."""
    definitions = schema("wire")["$defs"]
    validator = Draft202012Validator({"$defs": definitions, "$ref": f"#/$defs/results/{name}"})

    assert is_good is validator.is_valid(result)


def test_the_registered_functions_are_those_of_the_schema() -> None:
    """Arguments and results of each."""
    registered = {entry["name"] for entry in json.loads((spec_folder() / "functions.json").read_bytes())["functions"]}
    definitions = schema("wire")["$defs"]

    assert registered == set(definitions["arguments"])
    assert registered == set(definitions["results"])


def test_the_schemas_name_the_kinds_and_verdicts_of_the_code() -> None:
    """Neither more nor fewer."""
    kinds = {kind.value for kind in FailureKind}
    entry = schema("expected")["properties"]["expect"]["items"]["properties"]

    assert kinds == set(entry["fails"]["enum"])
    assert kinds == set(schema("report")["$defs"]["failure"]["properties"]["kind"]["enum"])
    assert {verdict.value for verdict in Verdict} == set(schema("report")["properties"]["counts"]["required"])


@pytest.mark.parametrize(
    ("source", "is_good"),
    [
        ({"suite": "1"}, True),
        ({"suite": "1", "min_tests": 3, "expect": [GOOD_ENTRY]}, True),
        ({"suite": "1", "expect": [{**GOOD_ENTRY, "flaky": "2/5", "until": "2027-01-01"}]}, True),
        ({}, False),
        ({"suite": ""}, False),
        ({"suite": "1", "more": 1}, False),
        ({"suite": "1", "expect": [{**GOOD_ENTRY, "fails": "badly"}]}, False),
        ({"suite": "1", "expect": [{**GOOD_ENTRY, "reason": ""}]}, False),
        ({"suite": "1", "expect": [{**GOOD_ENTRY, "flaky": "2/5"}]}, False),
        ({"suite": "1", "expect": [{**GOOD_ENTRY, "more": "x"}]}, False),
    ],
)
def test_the_schema_of_expected_files_agrees_with_our_reader(source: dict[str, Any], *, is_good: bool) -> None:
    """What one takes, the other takes."""

    assert is_good is (problems(source, "expected") == [])
    assert is_good is is_read(source)


def is_read(source: dict[str, Any]) -> bool:
    """Whether our own reader takes it."""
    try:
        parse_expected(source)
    except UsageError:
        return False
    return True


def test_the_example_of_an_expected_file_is_one() -> None:
    """The one in protocol.md."""
    text = (spec_folder() / "protocol.md").read_text(encoding="utf-8")
    block = re.search(r"```toml\n(.*?)```", text, re.DOTALL)
    assert block is not None
    source = tomllib.loads(block[1])

    assert [] == problems(source, "expected")
    assert 1 == len(parse_expected(source).entries)
