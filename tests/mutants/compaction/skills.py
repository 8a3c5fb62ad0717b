"""Faults in skills, and in the order of what is put back."""

from tests.mutants.mutant import Mutant

AREAS = ("compaction",)

ATTACHMENTS = "keel_ref.compaction.attachments"
CONSTANTS = "keel_ref.constants"
SKILLS = "keel_ref.compaction.skills"

MUTANTS = (
    Mutant(
        name="oldest-skill-first",
        clause="CMP-119",
        areas=AREAS,
        module=SKILLS,
        old="in reversed(newest.values())",
        new="in newest.values()",
    ),
    Mutant(
        name="first-use-counts",
        clause="CMP-119",
        areas=AREAS,
        module=SKILLS,
        old=(
            "        newest.pop(used.name, None)  # [CMP-119] the last use of a skill counts\n"
            "        newest[used.name] = used"
        ),
        new="        newest.setdefault(used.name, used)",
    ),
    Mutant(
        name="last-use-keeps-its-place",
        clause="CMP-119",
        areas=AREAS,
        module=SKILLS,
        old="        newest.pop(used.name, None)  # [CMP-119] the last use of a skill counts\n",
        new="",
    ),
    Mutant(
        name="skills-of-all-agents",
        clause="CMP-119",
        areas=AREAS,
        module=SKILLS,
        old="if used.agent != agent:",
        new="if False:",
    ),
    Mutant(
        name="skill-without-notice",
        clause="CMP-119",
        areas=AREAS,
        module=SKILLS,
        old='if is_cut else ""',
        new='if False else ""',
    ),
    Mutant(
        name="skill-whole",
        clause="CMP-119",
        areas=AREAS,
        module=SKILLS,
        old="kept = beginning(used.text, constants.skill_cap_tokens, choices=choices, constants=constants)",
        new="kept = used.text",
    ),
    Mutant(
        name="skill-cut-in-silence",
        clause="CMP-119",
        areas=AREAS,
        module=SKILLS,
        old="Why.SKILL_CUT if is_cut else Why.SKILL_RESTORED",
        new="Why.SKILL_RESTORED",
    ),
    Mutant(
        name="skills-at-limit-refused",
        clause="CMP-120",
        areas=AREAS,
        module=SKILLS,
        old="total + tokens > constants",
        new="total + tokens >= constants",
    ),
    Mutant(
        name="skills-end-at-the-first-too-many",
        clause="CMP-120",
        areas=AREAS,
        module=SKILLS,
        old="            continue\n        total",
        new="            break\n        total",
    ),
    Mutant(
        name="skills-left-out-in-silence",
        clause="CMP-120",
        areas=AREAS,
        module=SKILLS,
        old=(
            "            decisions.append(_decision(Why.SKILLS_SUM, used, tokens))  # [CMP-120] a "
            "smaller one may still fit\n"
        ),
        new="",
    ),
    Mutant(
        name="skills-cap-thirty-thousand",
        clause="CMP-120",
        areas=AREAS,
        module=CONSTANTS,
        old="default=25_000, validator=ge(0))",
        new="default=30_000, validator=ge(0))",
    ),
    Mutant(
        name="listing-sent-again",
        clause="CMP-121",
        areas=AREAS,
        module=ATTACHMENTS,
        old="        *files,\n",
        new='        attachment_row("skill_listing", "skills"),\n        *files,\n',
    ),
    Mutant(
        name="skills-before-plan",
        clause="CMP-122",
        areas=AREAS,
        module=ATTACHMENTS,
        old="        *_plan(standing),\n        *skills,",
        new="        *skills,\n        *_plan(standing),",
    ),
    Mutant(
        name="mode-before-plan",
        clause="CMP-122",
        areas=AREAS,
        module=ATTACHMENTS,
        old="    if standing.plan is not None:",
        new=(
            '    if standing.is_planning:\n        yield attachment_row("plan_mode", PLAN_MODE)\n'
            "    if standing.plan is not None:"
        ),
    ),
    Mutant(
        name="agents-before-tools",
        clause="CMP-122",
        areas=AREAS,
        module=ATTACHMENTS,
        old=(
            '        *_delta("deferred_tools", DEFERRED_TOOLS, standing.deferred_tools),\n'
            '        *_delta("agent_listing", AGENTS, standing.agents),'
        ),
        new=(
            '        *_delta("agent_listing", AGENTS, standing.agents),\n'
            '        *_delta("deferred_tools", DEFERRED_TOOLS, standing.deferred_tools),'
        ),
    ),
    Mutant(
        name="names-twice",
        clause="CMP-122",
        areas=AREAS,
        module=ATTACHMENTS,
        old="tuple(dict.fromkeys(names))",
        new="tuple(names)",
    ),
    Mutant(
        name="names-sorted",
        clause="CMP-122",
        areas=AREAS,
        module=ATTACHMENTS,
        old="tuple(dict.fromkeys(names))",
        new="tuple(sorted(dict.fromkeys(names)))",
    ),
    Mutant(
        name="empty-announcement",
        clause="CMP-122",
        areas=AREAS,
        module=ATTACHMENTS,
        old="    if each:\n        yield attachment_row(kind",
        new="    if True:\n        yield attachment_row(kind",
    ),
    Mutant(
        name="first-text-of-a-server",
        clause="CMP-122",
        areas=AREAS,
        module=ATTACHMENTS,
        old="{one.name: one for one in found}",
        new="{one.name: one for one in reversed(tuple(found))}",
    ),
    Mutant(
        name="nothing-restored-for-skills",
        clause="CMP-123",
        areas=AREAS,
        module=ATTACHMENTS,
        old="        *skills,\n",
        new="",
    ),
)
