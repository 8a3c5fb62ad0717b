"""Faults in the choice of memories, the listing of skills, deferral and the search for tools."""

from tests.mutants.context.usage import fault

MEMORIES = "keel_ref.context.relevant_memories"
SKILLS = "keel_ref.context.skills"
DEFERRAL = "keel_ref.context.deferral"
SEARCH = "keel_ref.context.tool_search"
WIRE = "keel_ref.conformance.functions_context_choosing"

MUTANTS = (
    fault("memories-whole-list", "CTX-050", MEMORIES, "in messages[view_start(messages) :]:", "in messages:"),
    fault(
        "memories-true-is-one-byte",
        "CTX-050",
        MEMORIES,
        "isinstance(size_bytes, int) and not isinstance(size_bytes, bool) and",
        "isinstance(size_bytes, int) and",
    ),
    fault(
        "memories-first-filter-missing",
        "CTX-051",
        MEMORIES,
        "for path in folder.files if path not in surfaced.paths)",
        "for path in folder.files)",
    ),
    fault("memories-second-filter-missing", "CTX-052", MEMORIES, "elif path in surfaced.paths:", "elif False:"),
    fault("memories-read-again", "CTX-052", MEMORIES, "elif path in read:", "elif False:"),
    fault(
        "memories-six",
        "CTX-052",
        MEMORIES,
        "chosen = list(texts)[: constants.surfaced_cap_files]",
        "chosen = list(texts)[: constants.surfaced_cap_files + 1]",
    ),
    fault("memories-sorted", "CTX-053", MEMORIES, "chosen = list(texts)[", "chosen = sorted(texts)["),
    fault("memories-last-text-wins", "CTX-053", MEMORIES, "if path in texts:", "if False:"),
    fault(
        "memories-invented",
        "CTX-054",
        MEMORIES,
        "dropped.append(Dropped(path, LeftOut.UNKNOWN))",
        "dropped.append(Dropped(path, LeftOut.DUPLICATE))",
    ),
    fault("memories-repeated-take-places", "CTX-054", MEMORIES, "elif path in taken:", "elif False:"),
    fault(
        "memories-total-ignored",
        "CTX-055",
        MEMORIES,
        "if total + memory.size_bytes > constants.surfaced_cap_bytes:",
        "if False:",
    ),
    fault(
        "memories-total-at-edge",
        "CTX-055",
        MEMORIES,
        "if total + memory.size_bytes > constants",
        "if total + memory.size_bytes >= constants",
    ),
    fault(
        "memories-total-stops",
        "CTX-055",
        MEMORIES,
        "            continue\n        total +=",
        "            break\n        total +=",
    ),
    fault("memories-total-of-this-turn", "CTX-055", MEMORIES, "    total = surfaced.size_bytes\n", "    total = 0\n"),
    fault(
        "memories-total-in-units",
        "CTX-055",
        MEMORIES,
        "return size_utf8(self.injected.text)",
        "return len(self.injected.text)",
    ),
    fault(
        "memories-failure-silent", "CTX-056", MEMORIES, "dropped.append(Dropped(None, LeftOut.SELECTOR_FAILED))", "pass"
    ),
    fault(
        "skills-budget-rounded-twice",
        "CTX-060",
        SKILLS,
        "share = div_floor(dividend, FULL_PERCENT)",
        "share = window // FULL_PERCENT * 4",
    ),
    fault("skills-budget-unknown-none", "CTX-060", SKILLS, "share = constants.listing_default_units", "share = 0"),
    fault("skills-variable-ignored", "CTX-061", SKILLS, "return number or share,", "return share,"),
    fault("skills-variable-unsaid", "CTX-061", SKILLS, "(ValueReason.REPLACED, *reasons)", "(*reasons,)"),
    fault(
        "skills-cap-outside", "CTX-062", SKILLS, "cap_units - size_utf16(ELLIPSIS)) + ELLIPSIS", "cap_units) + ELLIPSIS"
    ),
    fault(
        "skills-uncapped", "CTX-062", SKILLS, "shortened(_said(skill), constants.description_cap_units)", "_said(skill)"
    ),
    fault(
        "skills-fit-below",
        "CTX-063",
        SKILLS,
        "_size(map(_line, capped)) <= budget",
        "_size(map(_line, capped)) < budget",
    ),
    fault(
        "skills-line-ends-free",
        "CTX-063",
        SKILLS,
        'return size_utf16("\\n".join(lines))',
        'return size_utf16("".join(lines))',
    ),
    fault("skills-bundled-cut", "CTX-064", SKILLS, "if share is None or skill.is_bundled:", "if share is None:"),
    fault(
        "skills-share-of-all",
        "CTX-064",
        SKILLS,
        "return not skill.is_bundled and bool(skill.description)",
        "return bool(skill.description)",
    ),
    fault(
        "skills-share-without-parting", "CTX-064", SKILLS, "_size(bare) + sharing * size_utf16(PARTING)", "_size(bare)"
    ),
    fault(
        "skills-names-at-least",
        "CTX-065",
        SKILLS,
        "if share < constants.description_least_units",
        "if share <= constants.description_least_units",
    ),
    fault(
        "skills-names-never",
        "CTX-065",
        SKILLS,
        "Cascade.NAMES if share < constants.description_least_units else Cascade.SHARED",
        "Cascade.SHARED",
    ),
    fault(
        "skills-blank-descriptions",
        "CTX-066",
        SKILLS,
        'return "" if is_blank(skill.description) else skill.description',
        "return skill.description",
    ),
    fault(
        "skills-sent-to-anybody",
        "CTX-067",
        SKILLS,
        "sent = self.by_agent.get(agent, frozenset())  # [CTX-067]",
        "sent = frozenset[str]().union(*self.by_agent.values())  # [CTX-067]",
    ),
    fault("skills-sent-again", "CTX-067", SKILLS, "if skill.name not in sent)", "if skill)"),
    fault(
        "deferral-mcp-first",
        "CTX-070",
        DEFERRAL,
        "    if tool.is_always_loaded:\n",
        "    if tool.is_always_loaded and tool.server is None:\n",
    ),
    fault("deferral-search-itself", "CTX-070", DEFERRAL, "if tool.name == SEARCH_TOOL:", "if False:"),
    fault(
        "deferral-flag-ignored",
        "CTX-070",
        DEFERRAL,
        "return tool.is_own_flag, Ground.OWN_FLAG",
        "return False, Ground.OWN_FLAG",
    ),
    fault("deferral-auto-always", "CTX-071", DEFERRAL, '"auto": Mode.THRESHOLD}', '"auto": Mode.ALWAYS}'),
    fault(
        "deferral-auto-0-threshold",
        "CTX-071",
        DEFERRAL,
        "if percent in {0, FULL_PERCENT}:",
        "if percent == FULL_PERCENT:",
    ),
    fault("deferral-auto-100-threshold", "CTX-071", DEFERRAL, "if percent in {0, FULL_PERCENT}:", "if percent == 0:"),
    fault("deferral-edge-fixed", "CTX-072", DEFERRAL, "choices.defer_edge is DeferEdge.AT", "True"),
    fault(
        "deferral-threshold-up",
        "CTX-072",
        DEFERRAL,
        "div_floor(window * asked.percent, FULL_PERCENT)",
        "-(-window * asked.percent // FULL_PERCENT)",
    ),
    fault(
        "deferral-all-measured",
        "CTX-073",
        DEFERRAL,
        "zip(tools, verdicts, strict=True) if can)",
        "zip(tools, verdicts, strict=True))",
    ),
    fault(
        "deferral-estimate-first",
        "CTX-073",
        WIRE,
        "estimate if tokens is None else _amount",
        "estimate if not tokens else _amount",
    ),
    fault("deferral-haiku", "CTX-074", DEFERRAL, '"haiku" in model.lower()', '"haiku" in model'),
    fault(
        "deferral-lookalike",
        "CTX-074",
        DEFERRAL,
        "found[1].lower() == KNOWN_HOST",
        "found[1].lower().endswith(KNOWN_HOST)",
    ),
    fault(
        "deferral-proxy-explicit",
        "CTX-074",
        DEFERRAL,
        "(not asked.is_explicit and not is_known(base_url))",
        "not is_known(base_url)",
    ),
    fault(
        "deferral-word-unsaid",
        "CTX-075",
        DEFERRAL,
        "is_explicit=False, reports=(ValueReport(reason, SEARCH_VARIABLE),))",
        "is_explicit=False)",
    ),
    fault(
        "deferral-word-explicit",
        "CTX-075",
        DEFERRAL,
        "return _Asked(Mode.ALWAYS, is_explicit=False, reports",
        "return _Asked(Mode.ALWAYS, is_explicit=True, reports",
    ),
    fault(
        "search-select-exact-only",
        "CTX-080",
        SEARCH,
        "name if name in exact else by_name.get(name.lower())",
        "name if name in exact else None",
    ),
    fault(
        "search-select-case-first",
        "CTX-080",
        SEARCH,
        "name if name in exact else by_name.get(name.lower())",
        "by_name.get(name.lower())",
    ),
    fault("search-mcp-like-others", "CTX-081", SEARCH, "EXACT_PART_MCP: Final = 12", "EXACT_PART_MCP: Final = 10"),
    fault(
        "search-parts-uncamelled", "CTX-081", SEARCH, "[A-Z]?[a-z\\x80-\\U0010ffff]+|", "[A-Za-z\\x80-\\U0010ffff]+|"
    ),
    fault("search-hint-like-description", "CTX-081", SEARCH, "HINT: Final = 4", "HINT: Final = 2"),
    fault(
        "search-required-optional", "CTX-082", SEARCH, "if all(score_of(term, tool) for term in required):", "if True:"
    ),
    fault(
        "search-required-worth-nothing",
        "CTX-082",
        SEARCH,
        "[word.removeprefix(REQUIRED) for word in words if word != REQUIRED]",
        "[word for word in words if not word.startswith(REQUIRED)]",
    ),
    fault(
        "search-worth-nothing-found", "CTX-083", SEARCH, "sorted(pair for pair in scored if pair[0])", "sorted(scored)"
    ),
    fault(
        "search-later-first",
        "CTX-083",
        SEARCH,
        "for score, place in best[:cap])",
        "for score, place in sorted(best, key=lambda pair: (pair[0], -pair[1]))[:cap])",
    ),
    fault("search-unlimited", "CTX-083", SEARCH, "in best[:cap])", "in best)"),
)
