"""The wire functions of what surrounds a conversation: contexts, caches and reminders. Spec: CTX-001 to CTX-045."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final

from keel_ref.choices import Choices, Gates
from keel_ref.compaction.cleanup import is_main_thread
from keel_ref.conformance.arguments import Args, argument, list_argument
from keel_ref.conformance.config import CallConfig
from keel_ref.context.caches import FRESH, Answer, Caches, Happening, Surroundings, ask, happen, load
from keel_ref.context.git_snapshot import GitSnapshot, NoSnapshot, absence_of, snapshot_of
from keel_ref.context.reminders import Mode, cadence_of, injected_memory
from keel_ref.context.system_context import ContextEntry, system_blocks, system_context
from keel_ref.context.user_context import META, TAG, user_context, with_user_context
from keel_ref.errors import InvalidArgumentError
from keel_ref.ports import GitAnswer, GitProblem, GitRefusal
from keel_ref.text import size_utf8

ANSWERS: Final = ("branch", "main_branch", "user", "status", "commits")
"""What the commands print, by the name of the argument."""


def context_git_snapshot(args: Args, config: CallConfig) -> Mapping[str, Any]:
    """`context.git_snapshot`: what is told of a repository."""
    settings = argument(args, "settings", dict, {})
    snapshot = absence_of(variables(args), settings, Choices.of(config.choices)) or snapshot_of(_answer(args))
    match snapshot:
        case NoSnapshot(why=why):
            return {**dict.fromkeys((*ANSWERS, "cut")), "absent": str(why), "parts": []}
        case GitSnapshot():
            told = {name: getattr(snapshot, name) for name in ANSWERS}
            parts = [str(part) for part in snapshot.parts]
            return {
                **told,
                "user": snapshot.user or None,
                "commits": list(snapshot.commits),
                "cut": snapshot.is_cut,
                "absent": None,
                "parts": parts,
            }


def context_system(args: Args, config: CallConfig) -> Mapping[str, Any]:
    """`context.system_context`: the system prompt with what stands behind it."""
    prompt = list_argument(args, "system_prompt")
    if not all(isinstance(text, str) for text in prompt):
        raise InvalidArgumentError("system_prompt", "is no list of texts")
    entries = system_context(maybe_text(args, "git"), maybe_text(args, "injection"), Gates.of(config.gates))
    return {"entries": _entries(entries), "blocks": list(system_blocks(prompt, entries))}


def context_user(args: Args, config: CallConfig) -> Mapping[str, Any]:  # noqa: ARG001 (one signature for all)
    """`context.user_context`: the messages with what stands in front of them."""
    messages = list_argument(args, "messages")
    entries = user_context(maybe_text(args, "memory"), argument(args, "date", str, None))
    first, *rest = with_user_context(messages, entries)
    lines = first["content"].split("\n")
    return {
        "entries": _entries(entries),
        "first": {
            "role": first["role"],
            "meta": first[META],
            "tagged": lines[0] == f"<{TAG}>" and lines[-2:] == [f"</{TAG}>", ""],
            "headings": [f"# {entry.key}" for entry in entries if f"# {entry.key}" in lines],
        },
        "rest": rest,
    }


def context_caches(args: Args, config: CallConfig) -> Mapping[str, Any]:
    """`context.caches`: what is new after each event, and what whoever asks gets."""
    caches = Caches(gates=Gates.of(config.gates))
    world = _world(Surroundings(), argument(args, "world", dict, {}), "world")
    outcomes: list[Mapping[str, Any]] = []
    for number, event in enumerate(list_argument(args, "events")):
        place = f"events[{number}]"
        if not isinstance(event, dict):
            raise InvalidArgumentError(place, "is no object")
        match event.get("do"):
            case "change":
                world = _world(world, event, place)
                outcomes.append({"fresh": []})
            case "ask" | "load" as do:
                answer = _ASKING[do](caches, world)
                caches = answer.caches
                outcomes.append(_answered(answer, do))
            case do:
                happening = _happening(do, event, place)
                caches = happen(caches, happening, maybe_text(event, "text"))
                outcomes.append({"fresh": [str(kept) for kept in FRESH[happening]]})
    return {"outcomes": outcomes}


def context_reminders(args: Args, config: CallConfig) -> Mapping[str, Any]:  # noqa: ARG001 (one signature for all)
    """`context.reminders`: what of a mode is due, and a memory as a reminder carries it."""
    messages = list_argument(args, "messages")
    modes = list_argument(args, "modes")
    if not set(map(str, modes)) <= {str(mode) for mode in Mode}:
        raise InvalidArgumentError("modes", f"each is one of {', '.join(Mode)}")
    cadences = [(mode, cadence_of(messages, Mode(mode))) for mode in modes]
    memory = args.get("memory")
    return {
        "reminders": [
            {
                "mode": mode,
                "due": None if cadence.due is None else str(cadence.due),
                "turns": cadence.turns,
                "reminders": cadence.reminders,
            }
            for mode, cadence in cadences
        ],
        "memory": None if memory is None else _injected(argument(args, "memory", dict, None)),
    }


FUNCTIONS: Final = MappingProxyType(
    {
        "context.git_snapshot": context_git_snapshot,
        "context.system_context": context_system,
        "context.user_context": context_user,
        "context.caches": context_caches,
        "context.reminders": context_reminders,
    }
)
"""Every function of this module by its wire name."""


def variables(args: Args) -> Mapping[str, str]:
    """The environment of a call."""
    env = argument(args, "env", dict, {})
    if not all(isinstance(value, str) for value in env.values()):
        raise InvalidArgumentError("env", "the value of a variable is a text")
    return env


def maybe_text(args: Args, name: str) -> str | None:
    """A text that may be missing."""
    return None if args.get(name) is None else argument(args, name, str, None)


_ASKING: Final[Mapping[str, Callable[[Caches, Surroundings], Answer]]] = MappingProxyType({"ask": ask, "load": load})


def _answer(args: Args) -> GitAnswer | GitRefusal:
    failed = args.get("failed")
    if failed is None:
        return GitAnswer(**{name: argument(args, name, str, "") for name in ANSWERS})
    if failed not in {str(problem) for problem in GitProblem}:
        raise InvalidArgumentError("failed", f"is none of {', '.join(GitProblem)}")
    return GitRefusal(GitProblem(failed))


def _entries(entries: tuple[ContextEntry, ...]) -> list[dict[str, str]]:
    return [{"key": entry.key, "value": entry.value} for entry in entries]


def _world(before: Surroundings, said: Args, place: str) -> Surroundings:
    """The world after a change; what is not named stays."""
    try:
        git = maybe_text(said, "git") if "git" in said else before.git
        memory = maybe_text(said, "memory") if "memory" in said else before.memory
        return Surroundings(git=git, memory=memory, date=argument(said, "date", str, before.date))
    except InvalidArgumentError as error:
        raise InvalidArgumentError(f"{place}.{error.argument}", error.problem) from error


def _happening(do: object, event: Args, place: str) -> Happening:
    """The event that is meant; whose compaction it is, says its source. Spec: CTX-033."""
    if do not in {str(one) for one in Happening} - {str(Happening.AGENT_COMPACTED)}:
        raise InvalidArgumentError(f"{place}.do", "is no event that is known")
    if do == Happening.COMPACTED and not is_main_thread(maybe_text(event, "source")):
        return Happening.AGENT_COMPACTED  # [CTX-033]
    return Happening(str(do))


def _answered(answer: Answer, do: str) -> Mapping[str, Any]:
    """What somebody got. Spec: CTX-030, CTX-035."""
    told = {
        "fresh": [],
        "made": [str(kept) for kept in answer.made],
        "reason": None if answer.loaded_for is None else str(answer.loaded_for),
    }
    if do == "load":
        memo = answer.caches.memory_files
        return {**told, "memory": None if memo is None else memo.value}
    return {
        **told,
        "system": _entries(answer.caches.system_context or ()),
        "user": _entries(answer.caches.user_context or ()),
    }


def _injected(memory: Args) -> Mapping[str, Any]:
    injected = injected_memory(argument(memory, "path", str, None), argument(memory, "text", str, None))
    return {"text": injected.text, "bytes": size_utf8(injected.text), "cut": injected.is_cut}
