"""The trail from facts to clauses, from clauses to code, vectors and tests, and back, has no gap."""

import inspect
import re
from collections.abc import Iterable
from pathlib import Path

import attrs
import pytest

import keel_ref.errors
from keel_ref.choices import Gates, registered
from keel_ref.compaction.trace import Why
from keel_ref.conformance.citations import find_code_citations, find_tests
from keel_ref.conformance.clauses import Level, cited_ids, load_clauses
from keel_ref.conformance.config import PRESETS
from keel_ref.conformance.line import WireError
from keel_ref.conformance.registry import load_registries
from keel_ref.conformance.suite import load_suite
from keel_ref.constants import DEFAULT
from keel_ref.errors import KeelError
from keel_ref.messages.rows import RowReason
from keel_ref.trace import Reason
from keel_ref.transcript.log import Reason as ProblemReason
from keel_ref.window.auto_continue import Verdict
from keel_ref.window.reports import ValueReason

ROOT = Path(__file__).resolve().parents[2]
CLAUSES = load_clauses(ROOT / "spec")
REGISTRIES = load_registries(ROOT / "spec")
VECTORS = load_suite(ROOT / "spec").vectors
AREAS = ("memory", "tokens", "messages", "window", "compaction", "context", "transcript")
"""The chapters that are written."""
MUST = {name for name, clause in CLAUSES.items() if clause.level is Level.MUST}

FACTS = {
    "M-09a",
    *(f"M-{number:02}" for low, high in ((1, 17), (20, 36), (40, 51), (53, 58)) for number in range(low, high + 1)),
    *(f"M-{number:02}" for low, high in ((60, 64), (70, 78), (80, 84)) for number in range(low, high + 1)),
    *(f"T-{number:02}" for number in range(1, 22)),
    *(f"G-{number:02}" for low, high in ((1, 6), (10, 14), (20, 36)) for number in range(low, high + 1)),
    *(f"W-{number:02}" for low, high in ((1, 7), (9, 10), (12, 27)) for number in range(low, high + 1)),
    *(f"W-{number:02}" for low, high in ((33, 36), (40, 45)) for number in range(low, high + 1)),
    *(f"C-{number:02}" for low, high in ((1, 3), (10, 27), (30, 38), (40, 47)) for number in range(low, high + 1)),
    *(f"C-{number:02}" for low, high in ((50, 68), (70, 77)) for number in range(low, high + 1)),
    *(f"A-{number:02}" for low, high in ((1, 18), (30, 30), (32, 33), (36, 43)) for number in range(low, high + 1)),
    *(f"A-{number:02}" for low, high in ((45, 51), (53, 56)) for number in range(low, high + 1)),
}
"""Every fact about these areas; the gaps between groups were never used."""

NOBODYS = "MEM-999"
"""What tests write where they mean a number that no clause has."""

NO_CODE: dict[str, str] = {}
"""Clauses that no line of code can cite, each with the reason."""

NO_VECTOR: dict[str, str] = {
    "MEM-109": "the text given to the model is not part of any result of the wire",
    "MEM-110": "labels stand in the text given to the model, which is not part of any result of the wire",
    "MEM-129": "the types of memories are named in topic files, which no function of the wire reads",
    "MEM-130": "the scan of topic files is no function of the wire",
    "MEM-146": "reasons for the hook are not part of any result of the wire",
    "EST-022": "every function of the wire has a counter that is always unavailable",
    "EST-023": "a permission to show more, of which nothing is seen",
    "EST-027": "the wire nests no deeper than 100 levels and carries JSON alone",
    "EST-033": "session files are no argument of the wire",
    "EST-034": "objects of a client library cannot travel on the wire",
    "WIN-046": "a budget of the server is no argument of the wire",
    "CMP-090": "calls to a model are not made on the wire",
    "CTX-009": "the commands of git are not run on the wire",
    "CTX-057": "the model that selects is not called on the wire",
    "MSG-021": "the tool that reads files is no function of the wire",
}
"""Clauses that cannot be seen on the wire, each with the reason."""

NO_TEST: dict[str, str] = {}
"""Clauses that no Python test cites, each with the reason."""

CONSTANTS = {
    "`MAX_INCLUDE_DEPTH`": "max_include_depth",
    "`MAX_MEMORY_CHARACTER_COUNT`": "warn_characters",
    "`MAX_ENTRYPOINT_LINES`": "index_cap_lines",
    "`MAX_ENTRYPOINT_BYTES`": "index_cap_units",
    "`MAX_MEMORY_LINES`": "nested_cap_lines",
    "`MAX_MEMORY_BYTES`": "nested_cap_bytes",
    "topic head": "topic_head_lines",
    "topic cap": "topic_cap_files",
    "`MAX_FILE_BYTES`": "max_file_bytes",
    "rules cap": "rules_cap_files",
    "pattern cap": "pattern_cap",
    "YAML nodes": "yaml_cap_nodes",
    "YAML levels": "yaml_cap_levels",
    "YAML size": "yaml_cap_units",
    "YAML per load": "load_cap_yaml_units",
    "pattern text per load": "load_cap_pattern_characters",
    "exclusions": "exclusions_cap_patterns",
    "exclusion text": "exclusions_cap_characters",
    "comparisons": "load_cap_comparisons",
    "bytes per load": "load_cap_bytes",
    "blocks": "block_cap",
    "search per load": "load_cap_scan",
    "mentions": "mention_cap",
    "markup": "markup_cap",
    "characters per token": "tokens_ratio_units",
    "default ratio": "tokens_ratio_units",
    "JSON ratio": "json_ratio_units",
    "`IMAGE_MAX_TOKEN_SIZE`": "image_tokens",
    "message pad, dividend": "pad_dividend",
    "message pad, divisor": "pad_divisor",
    "nesting bound": "nesting_cap_levels",
    "media cap": "media_cap_blocks",
    "Read default": "read_default_lines",
    "default window": "default_window_tokens",
    "large window": "large_window_tokens",
    "`MAX_OUTPUT_TOKENS_FOR_SUMMARY`": "reserve_cap_tokens",
    "`AUTOCOMPACT_BUFFER_TOKENS`": "auto_buffer_tokens",
    "`WARNING_THRESHOLD_BUFFER_TOKENS`": "warning_buffer_tokens",
    "`ERROR_THRESHOLD_BUFFER_TOKENS`": "error_buffer_tokens",
    "`MANUAL_COMPACT_BUFFER_TOKENS`": "blocking_buffer_tokens",
    "number cap": "number_cap",
    "number size": "number_cap_characters",
    "budget share": "continue_share_percent",
    "diminishing count": "diminishing_continuations",
    "diminishing increment": "diminishing_tokens",
    "read-state, files": "read_state_cap_entries",
    "read-state, size": "read_state_cap_bytes",
    "`POST_COMPACT_MAX_FILES_TO_RESTORE`": "restore_cap_files",
    "`POST_COMPACT_MAX_TOKENS_PER_FILE`": "restore_file_cap_tokens",
    "`POST_COMPACT_TOKEN_BUDGET`": "restore_cap_tokens",
    "`POST_COMPACT_MAX_TOKENS_PER_SKILL`": "skill_cap_tokens",
    "`POST_COMPACT_SKILLS_TOKEN_BUDGET`": "skills_cap_tokens",
    "`MAX_SECTION_LENGTH`": "section_cap_tokens",
    "`MAX_TOTAL_SESSION_MEMORY_TOKENS`": "notes_cap_tokens",
    "extraction start": "extraction_start_tokens",
    "extraction growth": "extraction_growth_tokens",
    "extraction calls": "extraction_calls",
    "extraction wait": "extraction_wait_ms",
    "tail minimum": "tail_min_tokens",
    "tail messages": "tail_min_messages",
    "tail maximum": "tail_max_tokens",
    "`MAX_CONSECUTIVE_AUTOCOMPACT_FAILURES`": "compact_cap_failures",
    "classifier, in a row": "classifier_cap_denials",
    "classifier, in all": "classifier_cap_total_denials",
    "nudges": "cut_output_cap_nudges",
    "output slot": "output_slot_tokens",
    "escalated slot": "escalated_slot_tokens",
    "refill stretch": "refill_cap_requests",
    "refill rises": "refill_cap_rises",
    "collapse commits": "collapse_commit_percent",
    "collapse blocks": "collapse_block_percent",
    "clearing trigger": "clearing_trigger_tokens",
    "clearing target": "clearing_target_tokens",
    "`DEFAULT_MAX_RESULT_SIZE_CHARS`": "result_cap_units",
    "shell result": "shell_cap_units",
    "`MAX_TOOL_RESULTS_PER_MESSAGE_CHARS`": "message_cap_units",
    "preview": "preview_cap_units",
    "preview line end": "preview_line_end_percent",
    "time gap": "micro_gap_minutes",
    "kept results": "micro_keep_results",
    "prompt-too-long retries": "head_cap_retries",
    "prompt-too-long share": "head_share_percent",
    "`MAX_STATUS_CHARS`": "status_cap_units",
    "commits": "commits_cap_lines",
    "git wait": "git_wait_ms",
    "git output": "git_cap_bytes",
    "`TURNS_BETWEEN_ATTACHMENTS`": "reminder_gap_turns",
    "full reminder": "reminder_full_every",
    "relevant memories": "surfaced_cap_files",
    "surfaced total": "surfaced_cap_bytes",
    "selector output": "selector_output_tokens",
    "listing share": "listing_share_percent",
    "listing ratio": "listing_ratio_units",
    "listing fallback": "listing_default_units",
    "description cap": "description_cap_units",
    "description least": "description_least_units",
    "deferral threshold": "defer_default_percent",
    "search results": "search_cap_tools",
    "line cap": "line_cap_bytes",
    "segment walk": "segment_walk_factor",
    "kept again": "kept_cap_boundaries",
}
"""A row of a chapter's table, and the field of the code that holds its value."""


def gaps(cited: Iterable[str], exceptions: dict[str, str]) -> dict[str, str]:
    """What is wrong with the trail: clauses without a citation, and exceptions that are none."""
    found = set(cited)
    missing = dict.fromkeys(MUST - found - exceptions.keys(), "not cited")
    return missing | dict.fromkeys(found & exceptions.keys(), "cited, so no exception")


def test_every_clause_stands_on_something() -> None:
    """A clause has a fact, an observation or a decision behind it; a guess has no place."""
    bare = {
        name: clause.basis
        for name, clause in CLAUSES.items()
        if not clause.facts and not any(basis.startswith(("observed", "decided")) for basis in clause.basis)
    }

    assert {} == bare


def test_every_clause_has_an_example() -> None:
    """What can be run cannot be misread."""

    assert [] == [name for name, clause in CLAUSES.items() if not clause.examples]


def test_what_cannot_be_seen_on_the_wire_is_shown_in_python() -> None:
    """A clause without a capability belongs to no vector, so its example is Python, and the list of them is known."""
    hidden = {name for name, clause in CLAUSES.items() if not clause.capability}

    assert NO_VECTOR.keys() == hidden
    assert {"python"} == {example.kind for name in hidden for example in CLAUSES[name].examples}


@pytest.mark.parametrize("folder", ["keel_ref", "rust", "tests", "benches", "spec", "examples"])
def test_every_clause_that_is_cited_exists(folder: str) -> None:
    """A citation of a number that was never given, or was mistyped, leads nowhere."""
    unknown = {
        f"{path.relative_to(ROOT)}: {name}"
        for path in sorted((ROOT / folder).rglob("*"))
        if path.suffix in {".py", ".rs", ".md", ".json"} and not {"node_modules", "_spec"} & set(path.parts)
        for name in cited_ids(path.read_text(encoding="utf-8"))
        if name.startswith(("MEM", "EST", "MSG", "WIN", "CMP", "TRN")) and name not in {*CLAUSES, NOBODYS}
    }

    assert set() == unknown


def test_every_must_is_cited_by_code() -> None:
    """The line that decides can be found from the clause."""

    assert {} == gaps((citation.id for citation in find_code_citations(ROOT)), NO_CODE)


def test_every_must_is_shown_by_a_vector() -> None:
    """What an implementation is held to, it is also tested for."""

    assert {} == gaps((name for vector in VECTORS for name in vector.clauses), NO_VECTOR)


def test_every_must_is_shown_by_a_test() -> None:
    """A clause is not only run but claimed: some test says which one it shows."""

    assert {} == gaps((name for test in find_tests(ROOT) for name in test.ids), NO_TEST)


def test_a_gap_is_seen() -> None:
    """The trail can break: a clause that nobody cites, and an exception that has become untrue."""
    some, other = sorted(MUST)[:2]

    assert {some: "not cited"} == gaps(MUST - {some}, {})
    assert {other: "cited, so no exception"} == gaps(MUST, {other: "a reason"})


def test_every_fact_has_a_row() -> None:
    """No fact about these areas is lost, and none is invented."""

    assert FACTS == {name for name in REGISTRIES.facts if name.startswith(("M-", "T-", "G-", "W-", "C-", "A-"))}


def test_every_fact_about_rows_has_a_row() -> None:
    """Of the facts about session files those on rows, on traps for readers and on what is shown of a window."""
    ours = {f"R-{number:02}" for low, high in ((1, 7), (10, 18), (30, 37)) for number in range(low, high + 1)}

    assert set() == ours - REGISTRIES.facts.keys()


def test_facts_and_clauses_agree() -> None:
    """The rows of the coverage and the lines of the clauses say the same, both ways."""
    rows = {(fact.id, name) for fact in REGISTRIES.facts.values() for name in fact.clauses}
    lines = {(fact, name) for name, clause in CLAUSES.items() for fact in clause.facts}

    assert rows == lines


def test_every_vector_is_sound() -> None:
    """Ids are slugs used once; clauses, capabilities, functions, kinds and choices are registered."""

    assert {} == {vector.id: vector.problems for vector in VECTORS if vector.problems}


def test_capabilities_and_clauses_agree() -> None:
    """Every capability that a clause names is registered with that clause, and no registered clause is unknown."""
    rows = {(capability.name, name) for capability in REGISTRIES.capabilities.values() for name in capability.clauses}
    lines = {(capability, name) for name, clause in CLAUSES.items() for capability in clause.capability}

    assert set() == lines - rows
    assert set() == {name for _, name in rows} - CLAUSES.keys()


def test_choices_and_clauses_agree() -> None:
    """A clause that leaves a choice and the choice that names the clause point at each other."""
    rows = {(choice.name, name) for choice in REGISTRIES.choices.values() for name in choice.clauses}
    lines = {(choice, name) for name, clause in CLAUSES.items() for choice in clause.choice}

    assert set() == lines - rows
    assert set() == {name for _, name in rows} - CLAUSES.keys()


def test_the_registered_choices_are_those_of_the_code() -> None:
    """Names, values and defaults are the same in the registry and in the model."""

    assert registered() == {choice.name: choice.values for choice in REGISTRIES.choices.values()}


def test_the_registered_gates_are_those_of_the_code() -> None:
    """Names and presets are the same in the registry, in the model and on the wire."""
    gates = REGISTRIES.gates.values()

    assert attrs.asdict(Gates()) == {gate.name: gate.documented for gate in gates}
    assert {gate.name: gate.documented for gate in gates}.items() <= PRESETS["documented"].items()
    assert {gate.name: gate.released for gate in gates}.items() <= PRESETS["released"].items()


def test_the_registered_reasons_are_those_of_the_code() -> None:
    """A candidate is left out for a reason that readers can look up, and none is listed in vain."""

    assert {reason.value for reason in Reason} == set(REGISTRIES.reasons)
    assert set() == {entry.clause for entry in REGISTRIES.reasons.values()} - CLAUSES.keys()


def test_the_registered_reports_are_those_of_the_code() -> None:
    """What is said about rows of a list can be looked up, and none is listed in vain."""

    assert {reason.value for reason in RowReason} == set(REGISTRIES.reported)
    assert set() == {entry.clause for entry in REGISTRIES.reported.values()} - CLAUSES.keys()


def test_the_registered_values_are_those_of_the_code() -> None:
    """What is decided about a value can be looked up, and none is listed in vain."""

    assert {reason.value for reason in ValueReason} == set(REGISTRIES.values)
    assert set() == {entry.clause for entry in REGISTRIES.values.values()} - CLAUSES.keys()


def test_the_registered_continuations_are_those_of_the_code() -> None:
    """Why a turn goes on or ends can be looked up, and none is listed in vain."""

    assert {verdict.value for verdict in Verdict} == set(REGISTRIES.continuations)
    assert set() == {entry.clause for entry in REGISTRIES.continuations.values()} - CLAUSES.keys()


def test_the_registered_problems_are_those_of_the_code() -> None:
    """What is said about a session file can be looked up, and none is listed in vain."""

    assert {reason.value for reason in ProblemReason} == set(REGISTRIES.transcript)
    assert set() == {entry.clause for entry in REGISTRIES.transcript.values()} - CLAUSES.keys()


def test_the_registered_decisions_are_those_of_the_code() -> None:
    """What a layer decided can be looked up, and none is listed in vain."""

    assert {why.value for why in Why} == set(REGISTRIES.decisions)
    assert set() == {entry.clause for entry in REGISTRIES.decisions.values()} - CLAUSES.keys()


def test_the_registered_kinds_of_errors_are_those_of_the_code() -> None:
    """Whatever the reference answers with is registered, and nothing else is."""
    kinds = {
        error.code for _, error in inspect.getmembers(keel_ref.errors, inspect.isclass) if issubclass(error, KeelError)
    }

    assert kinds | {WireError.code} == set(REGISTRIES.errors)


def test_functions_name_what_is_registered() -> None:
    """The capability, the errors and the clauses of a function can be looked up."""
    functions = REGISTRIES.functions.values()

    assert set() == {function.capability for function in functions} - REGISTRIES.capabilities.keys()
    assert set() == {kind for function in functions for kind in function.errors} - REGISTRIES.errors.keys()
    assert set() == {name for function in functions for name in function.clauses} - CLAUSES.keys()


def test_the_table_of_constants_is_that_of_the_code() -> None:
    """Every number of the chapters is the number the model uses, and the model uses no other."""
    chapters = [(ROOT / f"spec/{area}.md").read_text(encoding="utf-8") for area in AREAS]
    tables = "\n".join(chapter.partition("## Constants")[2] for chapter in chapters)
    rows = re.findall(r"^\| ([^|]+) \| ([\d,]+) \|", tables, flags=re.MULTILINE)

    assert {name: getattr(DEFAULT, field) for name, field in CONSTANTS.items()} == {
        name: int(value.replace(",", "")) for name, value in rows
    }
    assert {field.name for field in attrs.fields(type(DEFAULT))} == set(CONSTANTS.values())


def test_every_principle_that_is_cited_is_stated() -> None:
    """A reason that names a principle can be followed."""
    stated = set(re.findall(r"^- \*\*(P-\d+)\*\*", (ROOT / "spec/README.md").read_text("utf-8"), flags=re.MULTILINE))
    cited = {name for clause in CLAUSES.values() for name in re.findall(r"\bP-\d+\b", clause.reason)}

    assert set() == cited - stated
