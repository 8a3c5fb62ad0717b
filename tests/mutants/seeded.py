"""Faults of the window and of compaction that a course of a session can show, sown for machines and exploration.

Each stands among the faults of its area too, where a vector that names its clause has to catch it. Here it has to be
found by what is drawn: by the machines, and by programs over the wire.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from tests.mutants.compaction import attempts, clearing, cut_results, files, skills, summary_input, turn
from tests.mutants.messages import rounds
from tests.mutants.mutant import Mutant
from tests.mutants.tokens import context
from tests.mutants.window import limits

_FAMILIES: Final[Mapping[str, Sequence[Mutant]]] = {
    "attempts": attempts.MUTANTS,
    "clearing": clearing.MUTANTS,
    "context": context.MUTANTS,
    "cut_results": cut_results.MUTANTS,
    "files": files.MUTANTS,
    "limits": limits.MUTANTS,
    "rounds": rounds.MUTANTS,
    "skills": skills.MUTANTS,
    "summary_input": summary_input.MUTANTS,
    "turn": turn.MUTANTS,
}

SUBJECTS: Final[Mapping[str, Mapping[str, tuple[str, ...]]]] = {
    "order of the layers": {
        "turn": (
            "layers-in-another-order",
            "micro-left-out",
            "compaction-before-the-other-layers",
            "prefix-reversed",
            "system-rows-sent",
        ),
    },
    "tokens that snip frees": {
        "turn": (
            "snip-not-kept",
            "freed-tokens-not-taken-off-the-count",
            "freed-tokens-added",
            "freed-tokens-not-taken-off-the-blocking-check",
            "freed-tokens-lost",
        ),
    },
    "guards in front of a compaction": {
        "turn": (
            "guard-of-the-own-sources-removed",
            "collapse-source-always",
            "disable-switch-ignored",
            "reactive-only-ignored",
            "breaker-after-the-source",
        ),
    },
    "thresholds": {
        "turn": (
            "threshold-one-late",
            "threshold-one-early",
            "blocking-one-late",
            "blocking-after-a-compaction",
            "blocked-request-sent",
        ),
    },
    "limits of the window": {
        "limits": (
            "effective-of-the-whole-window",
            "auto-buffer-off-by-one",
            "warning-of-effective",
            "warning-choice-ignored",
        ),
    },
    "the breaker and what counts for it": {
        "turn": (
            "breaker-never-asked",
            "breaker-survives-a-resume",
        ),
        "attempts": (
            "breaker-opens-at-two",
            "breaker-opens-at-four",
            "breaker-never-resets",
            "failure-not-counted",
            "manual-failure-counts",
        ),
    },
    "refilling": {
        "turn": ("refill-choice-ignored",),
        "attempts": (
            "refill-guard-removed",
            "refill-stretch-too-short",
            "refill-never-cleared",
        ),
    },
    "calls for a summary": {
        "attempts": (
            "no-fallback-call",
            "retries-not-counted",
            "head-not-dropped",
            "blank-is-a-summary",
            "inflated-choice-ignored",
        ),
        "summary_input": ("fourth-retry",),
    },
    "compacting twice": {"turn": ("react-again", "results-begin-a-turn")},
    "reacting to a refusal": {
        "turn": ("reactive-only-does-not-react",),
    },
    "the warning": {
        "turn": ("suppressed-for-ever", "clearing-does-not-suppress"),
        "attempts": ("never-suppressed",),
    },
    "behind the boundary": {
        "turn": ("stale-usage-behind-the-boundary",),
        "rounds": ("view-behind-the-boundary", "view-at-the-first-boundary"),
    },
    "pairs": {"summary_input": ("orphans-stay",)},
    "results, each and for a message": {
        "cut_results": (
            "limit-itself-is-too-large",
            "one-group-for-all",
            "sum-itself-is-too-much",
            "smallest-first",
            "frozen-judged-again",
            "failed-save-replaced",
            "sum-behind-a-shut-gate",
        ),
    },
    "clearing old results": {
        "clearing": (
            "gate-open-for-all",
            "gap-itself-is-too-short",
            "every-tool-cleared",
        ),
    },
    "what is put back": {
        "attempts": ("read-files-cleared-before-the-summary", "files-not-put-back"),
        "files": (
            "oldest-first",
            "six-places",
            "oversize-choice-ignored",
        ),
        "skills": ("first-use-counts",),
    },
    "taking up again": {
        "turn": (
            "cleared-survives-a-resume",
            "saved-forgotten-by-a-resume",
            "reads-survive-a-resume",
            "skills-forgotten-by-a-resume",
        ),
    },
    "the size of the context": {
        "context": ("first-usage-is-the-anchor",),
    },
}
"""Names of faults by what they are about, and by the family that they stand in."""


def _find(family: str, name: str) -> Mutant:
    (found,) = (mutant for mutant in _FAMILIES[family] if mutant.name == name)
    return found


SEEDED: Final[tuple[Mutant, ...]] = tuple(
    _find(family, name) for families in SUBJECTS.values() for family, names in families.items() for name in names
)
"""Every fault that is sown."""


def find_mutant(name: str) -> Mutant:
    """The fault of a name among those that are sown. Raises `ValueError`."""
    (found,) = (mutant for mutant in SEEDED if mutant.name == name)
    return found


def subject_of(mutant: Mutant) -> str:
    """What a fault is about."""
    return next(
        subject for subject, families in SUBJECTS.items() if any(mutant.name in names for names in families.values())
    )
