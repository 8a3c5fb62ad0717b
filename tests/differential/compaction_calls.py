"""Calls of the functions of compaction that nobody wrote, aimed at thresholds."""

from random import Random
from typing import Any

from tests.differential.compaction_rows import (
    IDS,
    PATHS,
    SOURCES,
    TOOLS,
    drawn_aside,
    drawn_rows,
    drawn_text,
    large_text,
    perhaps_odd,
)


def tool_results(rng: Random) -> dict[str, Any]:
    """Arguments of `compaction.tool_results`; limits and sums never meet at the size of a replacement."""
    rows = drawn_rows(rng, large_text)
    args: dict[str, Any] = {"messages": rows}
    if rng.random() < 0.5:
        args["overrides"] = {
            tool: perhaps_odd(rng, rng.choice((2_999, 3_000, 2_999.5, 10)), 0.2) for tool in ("f", "Bash")
        }
        args["sum_units"] = rng.choice((0, 10**9))
    else:
        args["sum_units"] = rng.choice((0, 3_000, 6_000, 8_999, 9_000, 9_001, 12_001, 5_999, 200_000))
    if rng.random() < 0.2:
        args["declared"] = {rng.choice(TOOLS): perhaps_odd(rng, rng.choice(("infinite", 100_000)), 0.1)}
    if rng.random() < 0.4:
        replaced = [{"id": rng.choice(IDS[:6]), "text": "part " * rng.randint(0, 3)} for _ in range(rng.randint(0, 2))]
        kept = [rng.choice(IDS[:6]) for _ in range(rng.randint(0, 2))]
        args["state"] = perhaps_odd(rng, {"replaced": perhaps_odd(rng, replaced), "kept": perhaps_odd(rng, kept)})
    if rng.random() < 0.3:
        args["names"] = {rng.choice(IDS): rng.choice(("n", "n", "../\u00e9%", "", 7)) for _ in range(3)}
    if rng.random() < 0.3:
        args["failed"] = perhaps_odd(rng, [rng.choice(IDS)])
    if rng.random() < 0.3:
        args["session_folder"] = perhaps_odd(rng, rng.choice(("/p/s/", "/", "", "rel//")))
    return args


def microcompact(rng: Random) -> dict[str, Any]:
    """Arguments of `compaction.microcompact`."""
    minutes = rng.choice((0, 1, 60))
    now = minutes * 60_000 + rng.choice((-1, 0, 0, 1, 1_000))
    args: dict[str, Any] = {"messages": drawn_rows(rng, most=12), "now": perhaps_odd(rng, now)}
    args["source"] = rng.choice((*SOURCES, "repl_main_thread", "repl_main_thread", "repl_main_thread"))
    if rng.random() < 0.7:
        args["gap_minutes"] = perhaps_odd(rng, minutes, 0.1)
    if rng.random() < 0.7:
        args["keep"] = perhaps_odd(rng, rng.choice((0, 1, 1, 2, 3, 1.9)), 0.1)
    if rng.random() < 0.3:
        args["suppressed"] = perhaps_odd(rng, value=True)
    if rng.random() < 0.6:
        args["cached_supported"] = perhaps_odd(rng, value=True)
    if rng.random() < 0.5:
        args["cached_start"] = perhaps_odd(rng, rng.choice((1, 1, 2, 3)))
        args["cached_keep"] = perhaps_odd(rng, rng.choice((0, 0, 1, 2)))
    if rng.random() < 0.3:
        edits = [{"row": perhaps_odd(rng, 0), "ids": perhaps_odd(rng, [rng.choice(IDS[:6])])}]
        args["cached"] = perhaps_odd(rng, {"pinned": perhaps_odd(rng, edits)})
    return args


def drop_head(rng: Random) -> dict[str, Any]:
    """Arguments of `compaction.drop_head`."""
    rows = drawn_rows(rng, most=25)
    if rng.random() < 0.3:
        rows.insert(
            0, {"role": rng.choice(("user", "assistant")), "head_marker": rng.choice((True, True, 1)), "content": "m"}
        )
    args: dict[str, Any] = {"messages": rows}
    if rng.random() < 0.6:
        args["excess"] = perhaps_odd(rng, rng.randint(-1, 30))
    if rng.random() < 0.5:
        parts = (
            "211",
            "1,211",
            "9",
            ",",
            ".",
            " ",
            "\n",
            "token",
            "tokens",
            ">",
            "&gt;",
            "\\u003e",
            "x",
            "0",
            "200",
            "a",
        )
        args["error"] = "".join(rng.choice(parts) for _ in range(rng.randint(0, 12)))
        if rng.random() < 0.5:
            sent = rng.choice(("211", "1,211", "0", "12345678901234567"))
            args["error"] = (
                f"{rng.choice(('', '1', ',', 'x'))}{sent} tokens > {rng.choice(('200', '1,2', '2.5', '9.'))}"
            )
    if rng.random() < 0.3:
        args["retries"] = perhaps_odd(rng, rng.choice((0, 1, 2, 3, 4)))
    return args


def restore(rng: Random) -> dict[str, Any]:
    """Arguments of `compaction.restore`."""
    passes = []
    for _ in range(rng.randint(0, 4)):
        reads: list[Any] = [rng.choice(PATHS) for _ in range(rng.randint(0, 4))]
        if reads and rng.random() < 0.2:
            reads[0] = {"p": reads[0], "bytes": rng.choice((0, 26_214_399, 26_214_400, 26_214_401, 1))}
        passes.append(perhaps_odd(rng, [perhaps_odd(rng, read, 0.003) for read in reads], 0.003))
    args: dict[str, Any] = {"passes": passes, "tree": drawn_tree(rng)}
    for name, paths in (("plan_files", ["/plan.md"]), ("memory_files", [rng.choice(PATHS)])):
        if rng.random() < 0.2:
            args[name] = perhaps_odd(rng, paths)
    if rng.random() < 0.4:
        args["kept"] = drawn_rows(rng, most=5)
    if rng.random() < 0.5:
        args["skills"] = [drawn_skill(rng) for _ in range(rng.randint(0, 8))]
    if rng.random() < 0.2:
        args["agent"] = perhaps_odd(rng, "x")
    return args | drawn_announcements(rng)


def drawn_announcements(rng: Random) -> dict[str, Any]:
    """Arguments of `compaction.restore` that are no files and no skills."""
    args: dict[str, Any] = {}
    for name in ("background", "mcp"):
        if rng.random() < 0.2:
            args[name] = [{"name": rng.choice("ab"), "text": drawn_text(rng)} for _ in range(rng.randint(0, 3))]
    if rng.random() < 0.2:
        args["plan"] = perhaps_odd(rng, {"path": "/plan.md", "text": drawn_text(rng)})
    if rng.random() < 0.2:
        args["plan_mode"] = perhaps_odd(rng, value=True)
    for name in ("deferred_tools", "agents"):
        if rng.random() < 0.2:
            args[name] = perhaps_odd(rng, [rng.choice(("t", "u", "")) for _ in range(rng.randint(0, 3))])
    return args


def drawn_skill(rng: Random) -> dict[str, Any]:
    """The use of a skill."""
    size = rng.choice((0, 4, 9, 19_997, 20_001, 20_002, 30_000))
    skill: dict[str, Any] = {"name": rng.choice("abcdefgh"), "path": rng.choice(PATHS), "text": "s" * size}
    if rng.random() < 0.2:
        skill["agent"] = rng.choice(("x", None, "y"))
    return skill


def drawn_tree(rng: Random) -> list[dict[str, Any]]:
    """Files as they are now."""
    tree = []
    for path in PATHS:
        entry: dict[str, Any] = {"p": path}
        kind = rng.random()
        if kind < 0.2:
            continue
        if kind < 0.25:
            entry["kind"] = rng.choice(("dir", "fifo"))
        elif kind < 0.3:
            entry["link"] = rng.choice(("/a", "/b", "/gone"))
        elif kind < 0.35:
            entry["b64"] = rng.choice(("YQBi", "Y2Fm6Q==", "/w=="))
        elif kind < 0.38:
            entry |= {"t": "", "size": rng.choice((0, 5, 67_108_865))}
        elif kind < 0.5:
            entry["t"] = rng.choice(("x", "\n", "\u0001", "\u5b57")) * rng.choice((19_997, 20_001, 20_002, 6_667))
        else:
            entry["t"] = drawn_text(rng).replace("\ud800", "")
        if rng.random() < 0.05:
            entry["deny"] = "read"
        if rng.random() < 0.8:
            entry["mtime"] = rng.choice((0, 999, 1_000, 1_999, 2_000, 9_000))
        tree.append(entry)
    return tree


TITLES = ("Session Title", "Current State", "Workflow", "Errors & Corrections", "Learnings", "Worklog")
NOTE_LINES = (
    "_how_",
    "__",
    "_",
    " text ",
    "# build",
    "# Workflow",
    "##  Worklog",
    "# Worklog\r",
    "#Worklog",
    "",
    "\u00a0",
)


def drawn_notes(rng: Random) -> str:
    """Notes; now and then with sections at their limits."""
    lines: list[str] = []
    if rng.random() < 0.3:
        lines.append(rng.choice(NOTE_LINES))
    for title in rng.sample(TITLES, rng.randint(0, len(TITLES))):
        lines.append(f"# {title}" + rng.choice(("", "", " ", "\t")))
        lines += [rng.choice(NOTE_LINES) for _ in range(rng.randint(0, 3))]
        if rng.random() < 0.4:
            lines.append("x" * rng.choice((10, 7_970, 7_990, 8_001, 12_000)))
    return "\n".join(lines) + rng.choice(("", "\n"))


def drawn_since(rng: Random) -> dict[str, Any]:
    """What has happened since the last notes."""
    since: dict[str, Any] = {}
    for name, values in (("tokens", (10_000, 10_001, 5_000, 20_000)), ("calls", (0, 2, 3, 4))):
        if rng.random() < 0.7:
            since[name] = perhaps_odd(rng, rng.choice(values))
    if rng.random() < 0.5:
        since["last_turn_has_call"] = perhaps_odd(rng, rng.random() < 0.5)
    return since


def notes(rng: Random) -> dict[str, Any]:
    """Arguments of `compaction.notes`."""
    args: dict[str, Any] = {}
    if rng.random() < 0.9:
        args["text"] = perhaps_odd(rng, drawn_notes(rng))
    if rng.random() < 0.3:
        args["before"] = perhaps_odd(rng, args.get("text") if rng.random() < 0.4 else drawn_notes(rng))
    if rng.random() < 0.3:
        args["session_folder"] = perhaps_odd(rng, rng.choice(("/h/", "", "/h//")))
    if rng.random() < 0.7:
        args["tokens"] = perhaps_odd(rng, rng.choice((0, 9_999, 10_000, 14_999, 15_000, 15_001)))
    elif rng.random() < 0.3:
        args["messages"] = perhaps_odd(rng, drawn_rows(rng))
    if rng.random() < 0.6:
        args["since"] = perhaps_odd(rng, drawn_since(rng))
    if rng.random() < 0.4:
        args["source"] = rng.choice(SOURCES)
    if rng.random() < 0.2:
        args["auto_compact"] = perhaps_odd(rng, rng.random() < 0.5)
    return args


def tail_text(rng: Random) -> str:
    """A text whose padded cost meets the minima of the tail."""
    return rng.choice(("", " ", "hi", "x" * 400, "x" * 30_000, "x" * 10_000, "x" * 29_990, "x" * 119_000))


def session_memory(rng: Random) -> dict[str, Any]:
    """Arguments of `compaction.session_memory`."""
    text = tail_text if rng.random() < 0.6 else drawn_text
    args: dict[str, Any] = {"messages": drawn_rows(rng, text, most=12)}
    for row in args["messages"]:
        if isinstance(row, dict) and isinstance(row.get("content"), str):
            row["content"] = text(rng)
    if rng.random() < 0.95:
        entry: dict[str, Any] = {"t": drawn_notes(rng) if rng.random() < 0.8 else "# Worklog\nran it\n"}
        entry = rng.choice(
            (entry,) * 12 + ({"kind": "fifo"}, {"t": "", "size": 67_108_865}, entry | {"deny": "read"}, {"b64": "/w=="})
        )
        args["notes"] = perhaps_odd(rng, entry)
    if rng.random() < 0.8:
        args["last_covered"] = perhaps_odd(rng, rng.choice(("u", "v", "w", "x", "nobody")))
    if rng.random() < 0.2:
        args["notes_path"] = perhaps_odd(rng, "/n.md")
    if rng.random() < 0.2:
        is_sound = args.get("notes") == {"t": "# Worklog\nran it\n"}
        moments = (0, 14_999, 15_000, 15_001) if is_sound else (0, 14_999)  # without notes it is open (CMP-137)
        args["running_ms"] = perhaps_odd(rng, rng.choice(moments))
    if rng.random() < 0.3:
        args["attachments"] = perhaps_odd(rng, drawn_rows(rng, most=2))
    if rng.random() < 0.4:
        args["threshold"] = perhaps_odd(rng, rng.choice((0, 5, 10, 2_000, 10_000)))
    return args


SUMMARY_PARTS = (
    "<analysis>",
    "</analysis>",
    "<summary>",
    "</summary>",
    "I",
    " ",
    "\n",
    "1. Current work: x",
    "next step",
    "<Summary>",
)


def summary_text(rng: Random) -> str:
    """The text of a summary, with tags."""
    return "".join(rng.choice(SUMMARY_PARTS) for _ in range(rng.randint(0, 7)))


def rebuild(rng: Random) -> dict[str, Any]:
    """Arguments of `compaction.rebuild`."""
    rows = drawn_rows(rng)
    summaries: list[Any] = []
    for _ in range(rng.randint(0, 2) or 1):
        summary: dict[str, Any] = {"text": perhaps_odd(rng, summary_text(rng))}
        if rng.random() < 0.5:
            summary["uuid"] = perhaps_odd(rng, "s")
        summaries.append(perhaps_odd(rng, summary))
    args: dict[str, Any] = {"messages": rows, "trigger": perhaps_odd(rng, rng.choice(("auto", "manual")))}
    args |= {"tokens_before": perhaps_odd(rng, rng.randint(0, 9)), "summaries": perhaps_odd(rng, summaries)}
    if rng.random() < 0.7:
        args["from"] = perhaps_odd(rng, rng.randint(0, len(rows) + (rng.random() < 0.05)))
    if rng.random() < 0.5:
        args["attachments"] = perhaps_odd(rng, [drawn_aside(rng) for _ in range(rng.randint(0, 3))])
    if rng.random() < 0.2:
        args["hooks"] = perhaps_odd(rng, [drawn_aside(rng)])
    if rng.random() < 0.4:
        args["discovered_tools"] = perhaps_odd(rng, ["u", "\U0001f600", "\uffff", "u"])
    for name, value in (("uuid", "B"), ("at", 7), ("log", "/log.jsonl")):
        if rng.random() < 0.3:
            args[name] = perhaps_odd(rng, value)
    return args


def small(rng: Random) -> tuple[str, dict[str, Any]]:
    """A call of one of the functions with few arguments."""
    amounts = (166_999, 167_000, 167_001, 176_999, 177_000, 177_001, 0, 400_000)
    window: dict[str, Any] = {"window": rng.choice((200_000, 200_000, 32_000, 10, None)), "max_output": 32_000}
    if rng.random() < 0.3:
        window["env"] = {
            rng.choice(("DISABLE_COMPACT", "DISABLE_AUTO_COMPACT", "CLAUDE_CODE_BLOCKING_LIMIT_OVERRIDE")): "1"
        }
    if rng.random() < 0.2:
        window["settings"] = {"autoCompactEnabled": False}
    match rng.randint(0, 6):
        case 0 | 1:
            name = rng.choice(("due", "blocking"))
            args = window | {"used": perhaps_odd(rng, rng.choice(amounts)), "source": rng.choice(SOURCES)}
            if rng.random() < 0.4:
                args["freed"] = perhaps_odd(rng, rng.choice((0, 1, 9)))
            args["failures" if name == "due" else "compacted"] = (
                rng.choice((0, 2, 3, 4)) if name == "due" else rng.random() < 0.2
            )
            return f"compaction.{name}", args
        case 2:
            names = ("auto_compact", "classifier", "cut_output", "long_summary", "other")
            events = rng.choices(("fail", "succeed", "odd"), (60, 40, 0.2), k=rng.randint(0, 60))
            return "compaction.breaker", {"name": rng.choice(names[:-1] * 5 + names), "events": events}
        case 3:
            env = {
                name: rng.choice(("", "0", "50000", "1x", "200000"))
                for name in ("API_MAX_INPUT_TOKENS", "API_TARGET_INPUT_TOKENS")
            }
            return "compaction.points", window | {"internal": perhaps_odd(rng, value=True), "env": env}
        case 4:
            flags = ("capped", "drained", "reacted", "escalated", "can_drain", "can_react", "hook_blocks", "budget")
            args = {name: perhaps_odd(rng, rng.random() < 0.5) for name in flags if rng.random() < 0.6}
            args |= {"calls": perhaps_odd(rng, rng.randint(0, 1)), "nudges": perhaps_odd(rng, rng.randint(0, 4))}
            return "compaction.continue", args | {
                "outcome": rng.choice(("stop", "cut", "overflow", "media", "x", None))
            }
        case 5:
            parts = (
                "# ",
                "1. ",
                "- ",
                "Current work",
                "next STEP",
                "x",
                "\n",
                " ",
                "**",
            )  # tags and marks are open (CMP-095)
            content = "".join(rng.choice(parts) for _ in range(rng.randint(0, 8)))
            return "compaction.summary", {"content": perhaps_odd(rng, content), "error": rng.random() < 0.1}
        case _:
            args = {"source": perhaps_odd(rng, rng.choice(SOURCES))} | ({"agent": "a1"} if rng.random() < 0.3 else {})
            return "compaction.cleanup", args


def drawn_compaction_call(rng: Random) -> tuple[str, dict[str, Any]]:
    """A function of the area and its arguments."""
    makers = (tool_results, microcompact, drop_head, restore, notes, session_memory, rebuild)
    kind = rng.randint(0, len(makers) + 1)
    if kind < len(makers):
        return f"compaction.{makers[kind].__name__}", makers[kind](rng)
    if kind == len(makers):
        return "compaction.strip", {"messages": perhaps_odd(rng, drawn_rows(rng))}
    return small(rng)
