"""The model of compaction and the naive version of its chapter, on calls and programs that nobody wrote."""

from collections.abc import Mapping
from random import Random
from typing import Any

import pytest

from keel_ref.choices import registered
from keel_ref.conformance.config import CallConfig, resolve_gates
from keel_ref.conformance.oracle import ask_reference
from keel_ref.conformance.reference import call_reference
from keel_ref.conformance.wire import Ok, ProgramItem
from keel_ref.errors import KeelError
from tests.differential.compaction_calls import drawn_compaction_call
from tests.differential.compaction_programs import drawn_program
from tests.literal.compaction import CHOICES, read_choices
from tests.literal.compaction.notes import TITLES
from tests.literal.test_literal_vectors import literal, literal_program

GATES = (
    *("message_sum", "time_micro", "cached_micro", "session_memory", "sm_compact", "collapse", "reactive"),
    *("reactive_only", "cache_break_detection", "snip"),
)
MOSTLY_OPEN = {"message_sum", "time_micro", "cached_micro", "session_memory", "sm_compact"}
WORDING = "..."
BATCH = 30


def hide_wording(name: str, result: dict[str, Any]) -> dict[str, Any]:
    """A result without what every implementation words for itself, and without the order of decisions."""
    shown = dict(result)
    if name == "compaction.notes" and [section["title"] for section in shown["sections"]] == list(TITLES):
        del shown["sections"], shown["tokens"]  # the template, whose descriptions are free
    if "decisions" in shown and name != "compaction.session_memory":
        shown["decisions"] = sorted(map(str, shown["decisions"]))
    match name:
        case "compaction.tool_results":
            texts = [item["text"] for item in shown["state"]["replaced"] if "/tool-results/" in item["text"]]
            shown["messages"] = hide_texts(shown["messages"], texts)
            shown["state"] = hide_texts(shown["state"], texts)
            if texts:
                del shown["freed"]
        case "compaction.drop_head":
            shown["messages"] = [row if not is_marker(row) else WORDING for row in shown["messages"]]
        case "compaction.restore":
            cut = [row for row in result["decisions"] if row["why"] in ("file-cut", "skill-cut")]
            paths = {row["path"] for row in cut}
            shown["attachments"] = [hide_about(row, paths) for row in shown["attachments"]]
        case "compaction.rebuild":
            shown["messages"] = [hide_summary(row) for row in shown["messages"]]
        case "compaction.session_memory" if shown.get("notes") != shown.get("summary"):
            shown["summary"] = WORDING
    return shown


def hide_texts(value: Any, texts: list[str]) -> Any:
    """A value without some texts."""
    match value:
        case str() if value in texts:
            return WORDING
        case list():
            return [hide_texts(item, texts) for item in value]
        case dict():
            return {key: hide_texts(item, texts) for key, item in value.items()}
        case _:
            return value


def is_marker(row: Any) -> bool:
    """Whether it is the row that a retry puts in front."""
    return isinstance(row, dict) and row.get("head_marker") is True


def hide_about(row: dict[str, Any], paths: set[str]) -> dict[str, Any]:
    """An attachment without the block that says what it is about, and without a notice."""
    blocks = row["content"][1:]
    if row.get("path") in paths and row["attachment"] in ("file", "skill"):
        texts = [block["text"] for block in blocks]
        blocks = blocks[:-1] if len(texts) > 1 and max(map(len, texts)) > len(texts[-1]) else blocks
    return row | {"content": blocks}


def hide_summary(row: Any) -> Any:
    """A summary row without the block that says what it is."""
    if isinstance(row, dict) and row.get("summary") is True:
        return row | {"content": row["content"][1:]}
    return row


def outcome(oracle: Any, name: str, args: Mapping[str, Any], config: CallConfig) -> Any:
    """A result as far as it is not free, or the kind of an error."""
    try:
        return hide_wording(name, oracle(name, args, config))
    except KeelError as error:
        return error.code


def drawn_config(rng: Random) -> CallConfig:
    """Choices and gates."""
    choices = {name: rng.choice(registered()[name]) for name in CHOICES}
    wanted = {gate: rng.random() < (0.85 if gate in MOSTLY_OPEN else 0.15) for gate in GATES}
    return CallConfig(choices=choices, gates=resolve_gates(wanted))


@pytest.mark.parametrize("seed", range(20))
def test_both_come_to_the_same_result(seed: int) -> None:
    """Whatever was chosen, the two say the same of every call."""
    rng = Random(f"compaction {seed}")  # noqa: S311 (the same calls every time)
    for _ in range(BATCH):
        name, args = drawn_compaction_call(rng)
        config = drawn_config(rng)

        assert outcome(call_reference, name, args, config) == outcome(literal, name, args, config), (name, args)


def show_trace(answer: Any) -> Any:
    """What came of each step, an error without its message; or the kind of an error."""
    if not isinstance(answer, Ok):
        return answer.kind
    return [step.get("ok", {"error": step.get("error", {}).get("kind")}) for step in answer.value]


@pytest.mark.parametrize("seed", range(10))
def test_both_run_a_program_alike(seed: int) -> None:
    """Whatever was chosen, the two say the same of every step."""
    rng = Random(f"program {seed}")  # noqa: S311 (the same programs every time)
    for _ in range(BATCH):
        config = drawn_config(rng)
        wanted, steps = drawn_program(rng, read_choices(dict(config.choices)), dict(config.gates))
        program = ProgramItem(config=wanted, steps=tuple(steps))

        assert show_trace(literal_program(program, config)) == show_trace(ask_reference(program, config)), program
