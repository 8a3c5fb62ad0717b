"""What is put back behind a compaction."""

from typing import Any

import attrs

from tests.literal.compaction.arguments import (
    INVALID,
    Decisions,
    estimate_text,
    read_flag,
    read_list,
    read_object,
    read_text,
    read_texts,
    take_tokens,
)
from tests.literal.compaction.read_state import Entry, find_shown, follow_reads, need_path, read_reads
from tests.literal.memory.errors import LiteralError
from tests.literal.memory.paths import Flavour, Path, join
from tests.literal.memory.tree import Kind, State, read_bytes
from tests.literal.memory.tree_entries import build_tree
from tests.literal.memory.wire import read_path, show_path
from tests.literal.tokens.serialise import serialise

PLACES = 5
FILE_TOKENS = 5_000
ALL_FILES_TOKENS = 50_000
SKILL_TOKENS = 5_000
ALL_SKILLS_TOKENS = 25_000
MOST_FILE_BYTES = 67_108_864


@attrs.frozen
class Found:
    """A file as it is now."""

    why: str | None
    """Why it cannot be had."""
    milliseconds: int | None
    """Time of modification; none where it is gone."""
    size: int = 0
    data: bytes = b""


class Disk:
    """The files as they are now."""

    def __init__(self, entries: Any) -> None:
        """Read the argument `tree`. Raises LiteralError."""
        entries = [] if entries is None else entries
        self.tree = build_tree(entries, Flavour.POSIX, folds_case=False)
        self.times: dict[Any, int] = {}
        for entry in entries:
            time = entry.get("mtime")
            key = join(Path("/"), read_path(entry["p"], "malformed_tree"), Flavour.POSIX).key
            is_folder = entry.get("kind") == "dir"
            self.times[key] = 0 if time is None or is_folder else int(time // 1_000)  # [CMP-113] a fraction is dropped

    def find(self, path: str) -> Found:
        """What lies at a path, links followed. Spec: CMP-113, CMP-114."""
        look = self.tree.look(join(Path("/"), path, Flavour.POSIX))
        if look.state is State.LOOP:
            return Found("file-unreadable", None)
        if look.node is None:
            return Found("file-gone", None)
        milliseconds = self.times.get(look.node.path.key, 0)
        if look.node.kind is not Kind.FILE:
            return Found("file-not-regular", milliseconds)
        if look.node.is_denied:
            return Found("file-unreadable", milliseconds)
        if look.node.size > MOST_FILE_BYTES:
            return Found("file-too-large", milliseconds, look.node.size)
        data = read_bytes(look.node)
        return Found("file-binary" if b"\0" in data else None, milliseconds, look.node.size, data)


def attach(kind: str, about: str, texts: list[str], **keys: Any) -> dict[str, Any]:
    """A row of what is put back. Spec: CMP-118."""
    blocks = [{"type": "text", "text": text} for text in (about, *texts) if text != ""]
    return {"role": "attachment", "attachment": kind, **keys, "content": blocks}


class Restoration:
    """One call of `compaction.restore`. Spec: CMP-110 to CMP-124."""

    def __init__(self, args: dict[str, Any], choices: dict[str, str]) -> None:
        """Read the arguments. Raises LiteralError."""
        self.args, self.choices = args, choices
        self.decisions = Decisions("restore")
        self.state = follow_reads(read_reads(args), self.decisions)
        self.plans = {need_path(path) for path in read_list(args, "plan_files")}
        self.memories = {need_path(path) for path in read_list(args, "memory_files")}
        self.shown = find_shown(read_list(args, "kept"))
        self.disk = Disk(args.get("tree"))
        self.agent = read_text(args, "agent")
        self.skills = self.read_pairs("skills", "name", "path", "text")
        self.background = self.read_spoken("background")
        self.servers = self.read_spoken("mcp")
        plan = read_object(args, "plan")
        self.plan = None if plan is None else self.read_pair(plan, ("path", "text"))
        self.has_plan_mode = read_flag(args, "plan_mode")
        self.tools, self.agents = read_texts(args, "deferred_tools"), read_texts(args, "agents")
        self.attachments: list[dict[str, Any]] = []
        self.read: list[Any] = []
        self.file_tokens = self.skill_tokens = 0

    def read_pairs(self, name: str, *keys: str) -> list[dict[str, Any]]:
        """A list of objects with some keys. Raises LiteralError."""
        return [self.read_pair(item, keys) for item in read_list(self.args, name)]

    def read_pair(self, item: Any, keys: tuple[str, ...]) -> dict[str, Any]:
        """An object with some keys; `path` is a path, the others are texts. Raises LiteralError."""
        if not isinstance(item, dict):
            raise LiteralError(INVALID, "an object is needed")
        for key in keys:
            if key == "path":
                need_path(item.get(key))
            elif not isinstance(item.get(key), str):
                raise LiteralError(INVALID, key)
        read_text(item, "agent")
        return item

    def read_spoken(self, name: str) -> dict[str, str]:
        """Names and texts; a missing text is empty, of two the last counts. Raises LiteralError. Spec: CMP-122."""
        items = [self.read_pair(item, ("name",)) for item in read_list(self.args, name)]
        return {item["name"]: read_text(item, "text") or "" for item in items}

    def find_candidates(self) -> list[str]:
        """The files that come into question, in their order. Spec: CMP-111, CMP-113."""
        found: list[Entry] = []
        for entry in self.state:
            for paths, why in ((self.plans, "plan-file"), (self.memories, "memory-file"), (self.shown, "still-shown")):
                if entry.path in paths:
                    self.decisions.add(why, path=show_path(entry.path))
                    break
            else:
                found.append(entry)
        if self.choices["compaction.restore_recency"] == "read":
            return [entry.path for entry in sorted(found, key=lambda entry: -entry.moment)]
        times = {entry.path: self.disk.find(entry.path).milliseconds for entry in found}
        there = [entry.path for entry in found if times[entry.path] is not None]
        gone = [entry.path for entry in found if times[entry.path] is None]
        return sorted(there, key=lambda path: -(times[path] or 0)) + gone  # equal ones keep their order

    def place_files(self, candidates: list[str]) -> None:
        """Files get places until five are taken. Spec: CMP-114 to CMP-117."""
        is_reference = self.choices["compaction.oversize_restore"] == "reference"
        places = 0
        for path in candidates:
            if places == PLACES:
                self.decisions.add("files-cap", path=show_path(path))
                continue
            found = self.disk.find(path)
            is_named = found.why == "file-too-large" and is_reference
            if found.why is not None and not is_named:
                self.decisions.add(found.why, path=show_path(path))
                continue
            places += 1
            text = found.data.decode("utf-8", "replace")
            if is_named or (estimate_text(text, self.choices) > FILE_TOKENS and is_reference):
                self.put_file(path, None, is_cut=False)
            else:
                part = take_tokens(text, FILE_TOKENS, self.choices)
                self.put_file(path, part, is_cut=part != text)

    def put_file(self, path: str, text: str | None, *, is_cut: bool) -> None:
        """Put back a file, or its name, where the sum allows it. Spec: CMP-116, CMP-117."""
        shown = show_path(path)
        form = {"type": "file_reference", "path": shown}
        if text is not None:
            form = {"type": "file", "path": shown, "text": text}
        cost = estimate_text(serialise(form, 1), self.choices)
        if self.file_tokens + cost > ALL_FILES_TOKENS:
            self.decisions.add("files-sum", path=shown, tokens=cost)
            return
        self.file_tokens += cost
        if text is None:
            self.decisions.add("file-named", path=shown, tokens=cost)
            self.attachments.append(attach("file_reference", f"Read before, too large: {shown}", [], path=shown))
            return
        self.decisions.add("file-cut" if is_cut else "file-restored", path=shown, tokens=cost)
        texts = [text, f"Only a part; the rest is in {shown}"] if is_cut else [text]
        self.attachments.append(attach("file", f"Read before: {shown}", texts, path=shown))
        if not is_cut:
            self.read.append(shown)

    def put_skills(self) -> None:
        """Put back skills, the newest use first. Spec: CMP-119, CMP-120."""
        seen: set[str] = set()
        for use in reversed(self.skills):
            if use.get("agent") != self.agent:
                self.decisions.add("skill-of-other-agent", id=use["name"], path=use["path"])
                continue
            if use["name"] in seen:
                continue
            seen.add(use["name"])
            part = take_tokens(use["text"], SKILL_TOKENS, self.choices)
            cost = estimate_text(part, self.choices)
            where = {"id": use["name"], "path": use["path"], "tokens": cost}
            if self.skill_tokens + cost > ALL_SKILLS_TOKENS:
                self.decisions.add("skills-sum", **where)
                continue
            self.skill_tokens += cost
            is_cut = part != use["text"]
            self.decisions.add("skill-cut" if is_cut else "skill-restored", **where)
            texts = [part, f"Only a part; the rest is in {use['path']}"] if is_cut else [part]
            self.attachments.append(attach("skill", "A skill in use", texts, path=use["path"], names=[use["name"]]))

    def put_names(self, kind: str, names: list[str]) -> None:
        """Announce names in full, each once. Spec: CMP-122."""
        each = list(dict.fromkeys(names))
        if each:
            self.attachments.append(attach(kind, "Names", ["\n".join(each)], names=each))

    def run(self) -> dict[str, Any]:
        """The result. Spec: CMP-122."""
        candidates = self.find_candidates()
        self.place_files(candidates)
        for name, text in self.background.items():
            self.attachments.append(attach("agent_state", "A background agent", [text], names=[name]))
        if self.plan is not None:
            self.attachments.append(attach("plan_file", "The plan", [self.plan["text"]], path=self.plan["path"]))
        if self.has_plan_mode:
            self.attachments.append(attach("plan_mode", "Plan mode is on", []))
        self.put_skills()
        self.put_names("deferred_tools", self.tools)
        self.put_names("agent_listing", self.agents)
        if self.servers:
            texts = list(self.servers.values())
            self.attachments.append(attach("mcp_instructions", "Servers", texts, names=list(self.servers)))
        return {
            "attachments": self.attachments,
            "candidates": [show_path(path) for path in candidates],
            "read": self.read,
            "file_tokens": self.file_tokens,
            "skill_tokens": self.skill_tokens,
            "decisions": self.decisions.rows,
        }


def show_restore(args: dict[str, Any], choices: dict[str, str]) -> dict[str, Any]:
    """`compaction.restore`. Raises LiteralError. Spec: CMP-110 to CMP-124."""
    return Restoration(args, choices).run()
