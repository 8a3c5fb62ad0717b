"""Faults in the categories, the sums, the parts of messages and the grid."""

from tests.mutants.mutant import Mutant

AREAS = ("context",)

USAGE = "keel_ref.context.usage"
GRID = "keel_ref.context.grid"
PARTS = "keel_ref.context.message_parts"
SECTIONS = "keel_ref.context.sections"
HOLDINGS = "keel_ref.context.holdings"
CATEGORIES = "keel_ref.context.categories"
WIRE = "keel_ref.conformance.functions_context_usage"


def fault(name: str, clause: str, module: str, old: str, new: str) -> Mutant:
    """One fault of the area."""
    return Mutant(name=name, clause=clause, areas=AREAS, module=module, old=old, new=new)


MUTANTS = (
    fault(
        "buffer-before-free-space",
        "CTX-123",
        CATEGORIES,
        '    FREE = "Free space"\n    BUFFER = "Autocompact buffer"',
        '    BUFFER = "Autocompact buffer"\n    FREE = "Free space"',
    ),
    fault(
        "free-space-hidden-at-nothing",
        "CTX-110",
        CATEGORIES,
        "ALWAYS: Final = frozenset({Category.MESSAGES, Category.FREE})",
        "ALWAYS: Final = frozenset({Category.MESSAGES})",
    ),
    fault(
        "messages-hidden-at-nothing",
        "CTX-100",
        CATEGORIES,
        "ALWAYS: Final = frozenset({Category.MESSAGES, Category.FREE})",
        "ALWAYS: Final = frozenset({Category.FREE})",
    ),
    fault("empty-categories-shown", "CTX-100", USAGE, "if category in ALWAYS or amounts[category]", "if True"),
    fault(
        "deferred-built-in-counts",
        "CTX-103",
        CATEGORIES,
        "DEFERRED: Final = frozenset({Category.MCP_TOOLS_DEFERRED, Category.SYSTEM_TOOLS_DEFERRED})",
        "DEFERRED: Final = frozenset({Category.MCP_TOOLS_DEFERRED})",
    ),
    fault(
        "loaded-never-counts",
        "CTX-103",
        HOLDINGS,
        "return not self.is_deferred or self.is_loaded",
        "return not self.is_deferred",
    ),
    fault(
        "loaded-needed-by-all",
        "CTX-103",
        HOLDINGS,
        "return not self.is_deferred or self.is_loaded",
        "return self.is_loaded",
    ),
    fault("empty-server-is-none", "CTX-103", USAGE, "if tool.server is None:", "if not tool.server:"),
    fault("servers-forgotten", "CTX-103", USAGE, "if tool.server is None:", "if True:"),
    fault("unattributed-forgotten", "CTX-107", USAGE, "total = seen + amounts[Category.UNATTRIBUTED]", "total = seen"),
    fault(
        "record-lowers-the-total",
        "CTX-107",
        USAGE,
        "amounts[Category.UNATTRIBUTED] = max(0, recorded - seen)",
        "amounts[Category.UNATTRIBUTED] = abs(recorded - seen)",
    ),
    fault("excess-untold", "CTX-107", USAGE, "excess=max(0, seen - recorded)", "excess=0"),
    fault(
        "record-of-nothing-ignored",
        "CTX-107",
        USAGE,
        "seen if holdings.recorded is None else holdings.recorded",
        "holdings.recorded or seen",
    ),
    fault("deferred-in-the-record", "CTX-107", USAGE, "if category not in DEFERRED)", ")"),
    fault(
        "percentage-of-what-can-be-filled",
        "CTX-108",
        USAGE,
        "return self.limits.window  # [CTX-108]",
        "return self.limits.effective  # [CTX-108]",
    ),
    fault(
        "percentage-rounded-down",
        "CTX-108",
        USAGE,
        "min(FULL_PERCENT, div_half_up(FULL_PERCENT * self.total, self.maximum))",
        "min(FULL_PERCENT, FULL_PERCENT * self.total // self.maximum)",
    ),
    fault(
        "percentage-unbounded",
        "CTX-108",
        USAGE,
        "min(FULL_PERCENT, div_half_up(FULL_PERCENT * self.total, self.maximum))",
        "div_half_up(FULL_PERCENT * self.total, self.maximum)",
    ),
    fault(
        "buffer-always",
        "CTX-109",
        USAGE,
        "limits.window - limits.auto if limits.is_enabled else None",
        "limits.window - limits.auto",
    ),
    fault(
        "buffer-of-blocking-when-off",
        "CTX-109",
        USAGE,
        "limits.window - limits.auto if limits.is_enabled else None",
        "limits.window - (limits.auto if limits.is_enabled else limits.blocking)",
    ),
    fault(
        "buffer-fixed",
        "CTX-109",
        USAGE,
        "limits.window - limits.auto if limits.is_enabled else None",
        "33_000 if limits.is_enabled else None",
    ),
    fault(
        "buffer-of-the-used-part",
        "CTX-109",
        USAGE,
        "limits.window - limits.auto if",
        "limits.compact_window - limits.auto if",
    ),
    fault(
        "free-space-with-the-buffer",
        "CTX-110",
        USAGE,
        "limits.window - total - (buffer or 0))",
        "limits.window - total)",
    ),
    fault(
        "grid-wide-one-later",
        "CTX-120",
        GRID,
        "if window >= DEFAULT.large_window_tokens",
        "if window > DEFAULT.large_window_tokens",
    ),
    fault("grid-always-narrow", "CTX-120", GRID, "WIDE if window >=", "NARROW if window >="),
    fault("grid-squares-for-deferred", "CTX-121", GRID, "0 if share.is_deferred else share.tokens", "share.tokens"),
    fault(
        "grid-little-unseen",
        "CTX-121",
        GRID,
        "max(div_floor(total * amount, everything), min(amount, 1))",
        "div_floor(total * amount, everything)",
    ),
    fault("grid-nothing-seen", "CTX-121", GRID, "min(amount, 1)) for", "1) for"),
    fault("grid-missing-to-the-first", "CTX-122", GRID, "(-(total * tokens[place] % everything), place)", "place"),
    fault(
        "grid-smallest-remainder",
        "CTX-122",
        GRID,
        "(-(total * tokens[place] % everything), place)",
        "(total * tokens[place] % everything, place)",
    ),
    fault("grid-missing-tie-later", "CTX-122", GRID, "% everything), place)", "% everything), -place)"),
    fault("grid-too-many-tie-later", "CTX-122", GRID, "by_most = [(-count, place)", "by_most = [(-count, -place)"),
    fault(
        "grid-too-many-at-once",
        "CTX-122",
        GRID,
        "heapreplace(by_most, (count + 1, place))",
        "heapreplace(by_most, (count, place))",
    ),
    fault(
        "grid-by-column",
        "CTX-123",
        GRID,
        "tuple(laid[start : start + columns]) for start in range(0, len(laid), columns)",
        "tuple(laid[start :: ROWS]) for start in range(ROWS if laid else 0)",
    ),
    fault(
        "grid-of-nothing-filled",
        "CTX-124",
        GRID,
        "return tuple(0 for _ in tokens)",
        "return tuple(total if not place else 0 for place, _ in enumerate(tokens))",
    ),
    fault("messages-before-the-boundary", "CTX-105", PARTS, "range(view_start(rows), len(rows))", "range(len(rows))"),
    fault("server-calls-said", "CTX-106", PARTS, 'if kind.endswith("_tool_use"):', 'if kind == "_tool_use":'),
    fault(
        "server-results-said",
        "CTX-106",
        PARTS,
        'if kind.endswith("_tool_result") else',
        'if kind == "_tool_result" else',
    ),
    fault(
        "results-in-attachments",
        "CTX-106",
        PARTS,
        "None if found is None or own is Part.ATTACHMENT else",
        "None if found is None else",
    ),
    fault("unknown-roles-silent", "CTX-106", PARTS, "if role in SILENT:", "if role in SILENT or role is None:"),
    fault(
        "section-names-with-marks",
        "CTX-102",
        SECTIONS,
        """return bare.rstrip(" \\t") if not bare or bare[-1] in " \\t" else name""",
        "return name",
    ),
    fault(
        "section-names-lose-marks",
        "CTX-102",
        SECTIONS,
        """if not bare or bare[-1] in " \\t" else name""",
        "if True else name",
    ),
    fault("sections-in-fences", "CTX-102", SECTIONS, "None if fence else _HEADING", "_HEADING"),
    fault("sections-any-fence-closes", "CTX-102", SECTIONS, 'found["run"].startswith(fence) and', 'found["run"] and'),
    fault("sections-words-close", "CTX-102", SECTIONS, 'and not found["rest"].strip(" \\t")', ""),
    fault("sections-seven-marks", "CTX-102", SECTIONS, "#{1,6}(?:", "#{1,7}(?:"),
    fault("sections-no-blank", "CTX-102", SECTIONS, "(?:[ \\t]+(?P<name>.*))?", "(?:[ \\t]*(?P<name>.*))?"),
    fault("sections-carriage-return", "CTX-102", SECTIONS, 'bare = line.removesuffix("\\r")', "bare = line"),
    fault(
        "amount-of-nothing-estimated",
        "CTX-101",
        WIRE,
        """            return _amount(f"{place}.tokens", entry["tokens"])""",
        """            return _amount(f"{place}.tokens", entry["tokens"]) or 1""",
    ),
    fault(
        "definition-spaced",
        "CTX-101",
        WIRE,
        "self.measure.text(serialised(entry[key]))",
        "self.measure.text(str(entry[key]))",
    ),
    fault(
        "large-sum-rounded",
        "CTX-125",
        WIRE,
        '"total": number_to_wire(report.total),',
        '"total": min(report.total, MAX_INTEGER),',
    ),
    fault(
        "rows-reported-first",
        "CTX-111",
        WIRE,
        "*(one.as_object() for one in limits.reports), *(one.as_object() for one in reported)",
        "*(one.as_object() for one in reported), *(one.as_object() for one in limits.reports)",
    ),
    fault(
        "agents-and-skills-exchanged",
        "CTX-104",
        WIRE,
        'skills=tuple(reader.named(args, "skills"))',
        'skills=tuple(reader.named(args, "agents"))',
    ),
)
