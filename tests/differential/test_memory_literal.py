"""The model and the naive version that was written from the specification alone, on trees that nobody wrote."""

import base64
from collections.abc import Mapping
from typing import Any

from hypothesis import given, note
from hypothesis import strategies as st

from keel_ref.conformance.config import CallConfig
from keel_ref.conformance.functions_memory import path_as_wire
from keel_ref.conformance.reference import call_reference
from keel_ref.strategies.items import Item, ItemKind
from keel_ref.strategies.scenarios import Scenario, scenarios
from tests.literal.test_literal_vectors import literal

TARGETS = ("/r/s/a.ts", "/r/s/d/b.py", "/r/a.ts", "/home/u/x.md", "/r/s/d/..c")
KINDS = {ItemKind.FOLDER: "dir", ItemKind.FIFO: "fifo", ItemKind.SOCKET: "socket", ItemKind.DEVICE: "device"}


def entry(item: Item) -> dict[str, Any]:
    """A tree entry in the form of the wire."""
    found: dict[str, Any] = {"p": path_as_wire(item.path)}
    if item.kind is ItemKind.FILE:
        found["b64"] = base64.b64encode(item.data).decode("ascii")
        found |= {"size": item.size_bytes} if item.size_bytes else {}
    elif item.kind is ItemKind.LINK:
        found["link"] = path_as_wire(item.target)
    else:
        found["kind"] = KINDS[item.kind]
    denied = [name for name, allowed in (("read", item.may_read), ("list", item.may_list)) if not allowed]
    return found | ({"deny": denied[0]} if denied else {})


def arguments(scenario: Scenario, reads: list[str]) -> dict[str, Any]:
    """The arguments of a call that say what the scenario says."""
    request = scenario.request
    optional = {"config_dir": request.config_dir, "managed_dir": request.managed_dir}
    return {
        "cwd": request.cwd,
        "home": request.home,
        "add_dirs": list(request.add_dirs),
        "sources": sorted(request.sources),
        "settings": list(request.settings_files),
        "approve_external": request.approve_external,
        "bare": request.bare,
        "env": dict(request.env),
        "tree": [entry(item) for item in scenario.tree.items],
        "reads": reads,
        **{name: path for name, path in optional.items() if path is not None},
    }


def seen(result: Mapping[str, Any]) -> dict[str, Any]:
    """What of a result no implementation is free in: the files at start, and those that each read attaches."""
    return {
        "files": result["files"],
        "reads": [read["files"] for read in result["reads"]],
    }


@given(scenarios(), st.lists(st.sampled_from(TARGETS), max_size=3))
def test_two_readings_of_the_chapter_agree_on_every_tree(scenario: Scenario, reads: list[str]) -> None:
    """Whatever lies where, whatever is asked and chosen: the same files in the same order with the same texts."""
    args = arguments(scenario, reads)
    gates = {"memory_prefetch": scenario.gates.memory_prefetch, "team_memory": scenario.gates.team_memory}
    config = CallConfig(choices=scenario.choices.names(), gates={**CallConfig().gates, **gates})
    note(f"{args} {dict(config.choices)} {gates}")

    assert seen(literal("memory.touch", args, config)) == seen(call_reference("memory.touch", args, config))
