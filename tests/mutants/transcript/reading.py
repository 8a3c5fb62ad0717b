"""Faults in reading lines and rows, in the walk, in views and in counting."""

from tests.mutants.mutant import Mutant

AREAS = ("transcript",)

LINES = "keel_ref.transcript.lines"
READER = "keel_ref.transcript.reader"
SLIM = "keel_ref.transcript.slim"
WALK = "keel_ref.transcript.walk"
GRAPH = "keel_ref.transcript.graph"
BESIDE = "keel_ref.transcript.beside"
SEGMENTS = "keel_ref.transcript.segments"
VIEW = "keel_ref.transcript.view"
PAIRS = "keel_ref.transcript.pairs"
COUNTING = "keel_ref.transcript.counting"
CONTEXT = "keel_ref.transcript.context"
LOG = "keel_ref.transcript.log"
WIRE = "keel_ref.conformance.functions_transcript"


def fault(name: str, clause: str, module: str, old: str, new: str, *, is_crash: bool = False) -> Mutant:
    """One fault of the area."""
    return Mutant(name=name, clause=clause, areas=AREAS, module=module, old=old, new=new, is_crash=is_crash)


MUTANTS = (
    fault(
        "reading-stops-at-a-bad-line",
        "TRN-001",
        READER,
        "    for line in lines:\n        reader.add(line)\n",
        "    for line in lines:\n        reader.add(line)\n        if reader.problems:\n            break\n",
    ),
    fault("torn-end-is-broken", "TRN-002", LINES, "if is_ended else Reason.INCOMPLETE_LINE", "if True else None"),
    fault(
        "joined-after-any-value",
        "TRN-002",
        LINES,
        'isinstance(value, dict) and rest.startswith("{")',
        'rest.startswith("{")',
    ),
    fault("one-level-more", "TRN-002", LINES, "if level > DEFAULT.nesting_cap_levels:", "if level > 201:"),
    fault("one-level-less", "TRN-002", LINES, "if level > DEFAULT.nesting_cap_levels:", "if level > 199:"),
    fault("nan-is-deep", "TRN-002", LINES, "Reason.DEEP_LINE if _is_deep(value) else", "Reason.DEEP_LINE if True else"),
    fault(
        "lists-are-rows",
        "TRN-002",
        LINES,
        "return value if isinstance(value, dict) else Reason.NOT_AN_OBJECT",
        "return value if isinstance(value, dict) else None",
    ),
    fault(
        "unknown-kinds-break-chains", "TRN-003", SLIM, 'is not None and "parentUuid" in row', "is not None and False"
    ),
    fault("snapshots-are-messages", "TRN-003", SLIM, '"file-history-snapshot", ', ""),
    fault("any-mark-is-true", "TRN-003", SLIM, 'if get("isSidechain") is True:', 'if get("isSidechain"):'),
    fault("last-copy-stands", "TRN-004", READER, "return  # [TRN-004] the first one stands", "self.rows.pop(0)"),
    fault("summary-for-the-screen", "TRN-004", SLIM, "is True and not is_summary,", "is True,"),
    fault(
        "first-file-alone", "TRN-005", SLIM, "                yield _file(file, ", "                return _file(file, "
    ),
    fault(
        "walk-from-a-late-result",
        "TRN-010",
        WALK,
        "if place not in self.leads and not (is_result(row) and self.parent_of(place) in goes_on):",
        "if place not in self.leads:",
    ),
    fault(
        "side-chains-walked-in",
        "TRN-010",
        WALK,
        "            if self.rows[at].agent == self.agent:\n                found.append(at)",
        "            found.append(at)",
    ),
    fault("leaves-lost", "TRN-010", GRAPH, "        found.setdefault(host, []).append(place)", "        continue"),
    fault(
        "fragments-apart",
        "TRN-011",
        GRAPH,
        "fresh = [*fragments, *results.of(fragments)]",
        "fresh = [place, *results.of(fragments)]",
    ),
    fault(
        "first-result-counts", "TRN-011", BESIDE, "[one for one in held if one in self.chain] or held[:1]", "held[:1]"
    ),
    fault("results-of-any-thread", "TRN-011", BESIDE, "and rows[host].agent == row.agent", ""),
    fault("loose-results-lost", "TRN-011", BESIDE, "or self.loose.pop((rows[fragments[0]].agent, name), [])", "or []"),
    fault("bookkeeping-before-results-lost", "TRN-011", BESIDE, "            path.append(parent)", "            pass"),
    fault(
        "missing-parent-ends",
        "TRN-012",
        WALK,
        "return self._above(at, seen)  # [TRN-012]",
        "return -1",
    ),
    fault("nameless-files-are-empty", "TRN-012", WALK, "if not self.names or self.", "if self.names and self."),
    fault(
        "files-without-links-are-graphs",
        "TRN-012",
        WALK,
        "return named > 1 and not any(",
        "return named < 0 and not any(",
    ),
    fault("one-name-makes-no-graph", "TRN-012", WALK, "return named > 1", "return named > 0"),
    fault(
        "boundary-is-a-root",
        "TRN-013",
        WALK,
        "return -1 if row.boundary is None and row.agent == self.agent else",
        "return -1 if row.agent is None else",
    ),
    fault("cycle-ends-the-walk", "TRN-014", WALK, "return self._above(at, seen)  # [TRN-014]", "return -1"),
    fault("kept-tail-passes-by", "TRN-015", WALK, "        if kept is not None:", "        if False:"),
    fault("copies-keep-nothing", "TRN-015", SEGMENTS, "        self._rewritten(boundaries, found, copies)\n", ""),
    fault(
        "every-copy-is-kept",
        "TRN-015",
        SEGMENTS,
        "or not (parent >= boundary or parent in own)",
        "",
    ),
    fault("anchor-above", "TRN-015", SEGMENTS, "        if anchor < boundary:", "        if anchor < 0:"),
    fault("segment-from-below", "TRN-015", SEGMENTS, "or max(tail, head) >= boundary", ""),
    fault(
        "kept-before-the-anchor",
        "TRN-015",
        VIEW,
        "order.index(segment.anchor) + 1 if segment.anchor in order",
        "order.index(segment.anchor) if segment.anchor in order",
    ),
    fault(
        "branches-row-by-row",
        "TRN-016",
        GRAPH,
        "or parent in order or parent not in roots else roots[parent]",
        "or parent in order or parent not in roots else place",
    ),
    fault(
        "counts-with-a-point-lost", "TRN-020", SLIM, "return int(value) if value.is_integer() else None", "return None"
    ),
    fault("one-spelling", "TRN-020", SLIM, 'about = row.get("compact_metadata") if about is None else about', "pass"),
    fault(
        "view-of-the-first-boundary",
        "TRN-022",
        VIEW,
        "number = first = len(starts) - 1",
        "number = first = 0",
    ),
    fault("kept-again-lost", "TRN-022", VIEW, "and stretches.keeps_older(first)", "and False"),
    fault(
        "calls-at-work-missing",
        "TRN-023",
        PAIRS,
        "if name not in answered and not is_last:",
        "if name not in answered:",
    ),
    fault(
        "answers-pass-nothing-over",
        "TRN-023",
        PAIRS,
        "last_prompt < index and (last_answer <= index or",
        "last_prompt < index and (True or",
    ),
    fault(
        "request-ids-unread",
        "TRN-030",
        COUNTING,
        "row.message_id, row.request_id, prompts",
        "row.message_id, None, prompts",
    ),
    fault(
        "request-id-needed",
        "TRN-030",
        COUNTING,
        "if row.message_id is not None or row.request_id is not None:",
        "if row.message_id is not None and row.request_id is not None:",
    ),
    fault("ids-never-start-anew", "TRN-030", COUNTING, "row.request_id, prompts[place]", "row.request_id, -1"),
    fault("last-usage-counts", "TRN-030", COUNTING, "own.total >= usage.total", "True"),
    fault(
        "boundary-parts-nothing",
        "TRN-030",
        COUNTING,
        "if rows[at].is_prompt or rows[at].boundary is not None:",
        "if rows[at].is_prompt:",
    ),
    fault(
        "client-words-are-prompts",
        "TRN-030",
        LOG,
        "and not (self.is_meta or self.is_summary",
        "and not (self.is_summary",
    ),
    fault(
        "totals-of-the-conversation",
        "TRN-031",
        LOG,
        "for response in self.responses)",
        "for response in self.responses if response.in_conversation)",
    ),
    fault(
        "naive-without-duplicates",
        "TRN-031",
        READER,
        "        if usage is not None:\n            self.naive",
        '        if usage is not None and row.get("uuid") not in self.seen:\n            self.naive',
    ),
    fault("synthetic-rows-measure", "TRN-032", SLIM, "or model == SYNTHETIC or", "or"),
    fault("zeros-measure", "TRN-032", SLIM, "model == SYNTHETIC or not usage.total else", "model == SYNTHETIC else"),
    fault(
        "true-is-one",
        "TRN-032",
        READER,
        "if held != self.last_usage[0] or _holds_truth(held):",
        "if held != self.last_usage[0]:",
    ),
    fault("kept-usage-measures", "TRN-033", CONTEXT, "and log.view[index] not in log.kept", ""),
    fault("context-behind-the-anchor", "TRN-033", CONTEXT, "            first = index", "            pass"),
    fault("context-with-the-output", "TRN-033", WIRE, "one.usage.input_total", "one.usage.total"),
    fault(
        "bytes-beside-other-keys",
        "TRN-034",
        WIRE,
        'if entry.keys() != {"b64"}:',
        'if "b64" not in entry:',
        is_crash=True,
    ),
)
