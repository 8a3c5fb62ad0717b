"""Faults in the snapshot, the contexts, what is kept, and reminders."""

from attrs import evolve

from tests.mutants.context.usage import fault
from tests.mutants.mutant import Mutant

GIT = "keel_ref.context.git_snapshot"
SYSTEM = "keel_ref.context.system_context"
USER = "keel_ref.context.user_context"
CACHES = "keel_ref.context.caches"
REMINDERS = "keel_ref.context.reminders"
WIRE = "keel_ref.conformance.functions_context_core"


def crash(name: str, clause: str, module: str, old: str, new: str) -> Mutant:
    """A fault of which a crash, or an answer in place of a refusal, is the sign."""
    return evolve(fault(name, clause, module, old, new), is_crash=True)


MUTANTS = (
    fault(
        "git-user-before-branch",
        "CTX-001",
        GIT,
        '    BRANCH = "branch"\n    MAIN_BRANCH = "main_branch"\n    USER = "user"',
        '    USER = "user"\n    BRANCH = "branch"\n    MAIN_BRANCH = "main_branch"',
    ),
    fault("git-user-always", "CTX-005", GIT, "if part is not Part.USER or self.user)", "if part)"),
    fault("git-user-of-blanks", "CTX-005", GIT, "user=trim_white_space(answer.user)", "user=answer.user"),
    fault("git-remote-ignored", "CTX-002", GIT, "if is_truthy(env.get(REMOTE_VARIABLE), choices.truthy):", "if False:"),
    fault(
        "git-remote-any-text",
        "CTX-002",
        GIT,
        "if is_truthy(env.get(REMOTE_VARIABLE), choices.truthy):",
        "if env.get(REMOTE_VARIABLE):",
    ),
    fault(
        "git-setting-falsy", "CTX-002", GIT, "settings.get(GIT_SETTING) is False", "not settings.get(GIT_SETTING, True)"
    ),
    fault(
        "git-failure-told-clean",
        "CTX-003",
        GIT,
        "return NoSnapshot(why=answer.problem, detail=answer.detail)",
        "answer = GitAnswer()",
    ),
    fault(
        "git-detached-empty",
        "CTX-004",
        GIT,
        "trim_white_space(answer.branch) or DETACHED",
        "trim_white_space(answer.branch)",
    ),
    fault("git-main-is-master", "CTX-004", GIT, 'MAIN: Final = "main"', 'MAIN: Final = "master"'),
    fault("git-status-untrimmed", "CTX-006", GIT, "trim_white_space(answer.status) or CLEAN", "answer.status or CLEAN"),
    fault(
        "git-status-clean-empty",
        "CTX-006",
        GIT,
        "trim_white_space(answer.status) or CLEAN",
        "trim_white_space(answer.status)",
    ),
    fault("git-status-in-bytes", "CTX-007", GIT, "cut_exactly(status, Unit.UTF16,", "cut_exactly(status, Unit.UTF8,"),
    fault(
        "git-status-one-less",
        "CTX-007",
        GIT,
        "Unit.UTF16, constants.status_cap_units)",
        "Unit.UTF16, constants.status_cap_units - 1)",
    ),
    fault(
        "git-status-notice-at-cap",
        "CTX-007",
        GIT,
        "is_cut=shown != status",
        "is_cut=len(status) >= constants.status_cap_units",
    ),
    fault("git-commits-all", "CTX-008", GIT, "lines[: constants.commits_cap_lines]", "lines"),
    fault(
        "git-commits-oldest",
        "CTX-008",
        GIT,
        "lines[: constants.commits_cap_lines]",
        "lines[-constants.commits_cap_lines :]",
    ),
    fault(
        "git-commits-blank",
        "CTX-008",
        GIT,
        'answer.commits.split("\\n") if trim_white_space(line)]',
        'answer.commits.split("\\n")]',
    ),
    fault("system-empty-entry", "CTX-010", SYSTEM, "if git_text:", "if git_text is not None:"),
    fault("system-breaker-ungated", "CTX-011", SYSTEM, "if gates.break_cache and injection:", "if injection:"),
    fault(
        "system-breaker-empty",
        "CTX-011",
        SYSTEM,
        "if gates.break_cache and injection:",
        "if gates.break_cache and injection is not None:",
    ),
    fault("system-in-front", "CTX-012", SYSTEM, "in (*prompt, block) if text", "in (block, *prompt) if text"),
    fault("system-empty-block", "CTX-012", SYSTEM, "(*prompt, block) if text)", "(*prompt, block))"),
    crash(
        "user-behind",
        "CTX-020",
        USER,
        "return (context_message(entries), *messages)",
        "return (*messages, context_message(entries))",
    ),
    fault("user-not-meta", "CTX-020", USER, '{"role": "user", META: True,', '{"role": "user", META: False,'),
    fault(
        "user-rows-dropped",
        "CTX-023",
        USER,
        "return (context_message(entries), *messages)",
        "return (context_message(entries), *messages[:0])",
    ),
    fault(
        "user-date-first",
        "CTX-021",
        USER,
        "return (*memory, ContextEntry(DATE_KEY, ",
        "return (*memory[:0], ContextEntry(DATE_KEY, ",
    ),
    fault("user-memory-empty", "CTX-086", USER, "if memory_text else ()", "if memory_text is not None else ()"),
    crash("user-date-unchecked", "CTX-022", USER, "if not _DATE.fullmatch(date):", "if not _DATE.match(date):"),
    fault("caches-never-kept", "CTX-030", CACHES, "    if now.user_context is None:", "    if True:"),
    fault(
        "caches-snapshot-anew",
        "CTX-032",
        CACHES,
        "Happening.INJECTED: (Kept.SYSTEM_CONTEXT, Kept.USER_CONTEXT),",
        "Happening.INJECTED: (Kept.SYSTEM_CONTEXT, Kept.GIT_SNAPSHOT, Kept.USER_CONTEXT),",
    ),
    fault(
        "caches-injection-late",
        "CTX-032",
        CACHES,
        "Happening.INJECTED: (Kept.SYSTEM_CONTEXT, Kept.USER_CONTEXT),",
        "Happening.INJECTED: (Kept.USER_CONTEXT,),",
    ),
    fault("caches-injection-unstored", "CTX-032", CACHES, "return evolve(left, injection=injection)", "return left"),
    fault(
        "caches-agent-clears",
        "CTX-033",
        CACHES,
        "Happening.AGENT_COMPACTED: (),",
        "Happening.AGENT_COMPACTED: (Kept.USER_CONTEXT, Kept.MEMORY_FILES),",
    ),
    fault(
        "caches-compaction-keeps-files",
        "CTX-033",
        CACHES,
        "*(Kept.USER_CONTEXT, Kept.MEMORY_FILES, Kept.MESSAGES),\n",
        "*(Kept.USER_CONTEXT, Kept.MESSAGES),\n",
    ),
    fault(
        "caches-silent-clears-context",
        "CTX-034",
        CACHES,
        "_SILENT: Final = (Kept.MEMORY_FILES,)",
        "_SILENT: Final = (Kept.USER_CONTEXT, Kept.MEMORY_FILES)",
    ),
    fault(
        "caches-compaction-arms-nothing",
        "CTX-034",
        CACHES,
        "return evolve(left, armed=LoadedFor.COMPACT)",
        "return left",
    ),
    fault(
        "caches-reason-stays",
        "CTX-035",
        CACHES,
        "memory_files=Memo(world.memory), armed=None)",
        "memory_files=Memo(world.memory))",
    ),
    fault(
        "caches-clear-keeps-git",
        "CTX-036",
        CACHES,
        "*(Kept.SYSTEM_CONTEXT, Kept.GIT_SNAPSHOT, Kept.USER_CONTEXT, Kept.MEMORY_FILES, Kept.MESSAGES),",
        "*(Kept.SYSTEM_CONTEXT, Kept.USER_CONTEXT, Kept.MEMORY_FILES, Kept.MESSAGES),",
    ),
    fault(
        "caches-clear-arms-nothing",
        "CTX-036",
        CACHES,
        "return evolve(left, armed=LoadedFor.SESSION_START)",
        "return left",
    ),
    fault(
        "caches-clear-drops-injection",
        "CTX-036",
        CACHES,
        "return evolve(left, armed=LoadedFor.SESSION_START)",
        "return evolve(left, armed=LoadedFor.SESSION_START, injection=None)",
    ),
    fault("caches-model-forgets-tools", "CTX-037", CACHES, "(Kept.WINDOW, Kept.TOOL_DEFINITIONS)", "(Kept.WINDOW,)"),
    fault(
        "caches-user-before-system",
        "CTX-031",
        CACHES,
        "evolve(now, git_snapshot=Memo(world.git))",
        "evolve(now, git_snapshot=Memo(None))",
    ),
    fault("caches-silent-main-names", "CTX-033", WIRE, "and not is_main_thread(", "and is_main_thread("),
    fault(
        "reminders-one-turn-late",
        "CTX-040",
        REMINDERS,
        "turns >= constants.reminder_gap_turns",
        "turns > constants.reminder_gap_turns",
    ),
    fault(
        "reminders-never-full",
        "CTX-041",
        REMINDERS,
        "is_full = reminders % constants.reminder_full_every == 0",
        "is_full = reminders == 0",
    ),
    fault(
        "reminders-counted-from-the-start",
        "CTX-041",
        REMINDERS,
        "                break  # [CTX-041]",
        "                pass  # [CTX-041]",
    ),
    fault(
        "reminders-results-are-turns",
        "CTX-042",
        REMINDERS,
        "any(not _is_result(block) for block in blocks)",
        "bool(blocks)",
    ),
    fault(
        "reminders-meta-rows-are-turns",
        "CTX-042",
        REMINDERS,
        'NOT_A_PROMPT: Final = ("is_meta", "summary")',
        'NOT_A_PROMPT: Final = ("summary",)',
    ),
    fault(
        "reminders-whole-list", "CTX-043", REMINDERS, "reversed(messages[view_start(messages) :])", "reversed(messages)"
    ),
    fault(
        "reminders-stay-goes-on",
        "CTX-043",
        REMINDERS,
        "            break  # [CTX-043]",
        "            continue  # [CTX-043]",
    ),
    fault(
        "reminders-any-mode",
        "CTX-044",
        REMINDERS,
        'if kind == f"{mode}_mode":',
        'if kind in {"plan_mode", "auto_mode"}:',
    ),
    fault(
        "injected-bytes-first",
        "CTX-045",
        REMINDERS,
        "kept = text if len(lines) <= cap else",
        "kept = text if len(lines) <= cap + 1 else",
    ),
    fault("injected-in-units", "CTX-045", REMINDERS, "cut_exactly(kept, Unit.UTF8,", "cut_exactly(kept, Unit.UTF16,"),
    fault(
        "injected-last-line-end-counts",
        "CTX-045",
        REMINDERS,
        'text.removesuffix("\\n").split("\\n")',
        'text.split("\\n")',
    ),
)
