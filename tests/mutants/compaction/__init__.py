"""Faults in the area compaction, by the part that they are in."""

from tests.mutants.compaction import (
    attempts,
    clearing,
    cut_results,
    files,
    new_list,
    notes,
    skills,
    summary_input,
    tail,
    turn,
)
from tests.mutants.mutant import Mutant

FAMILIES = (turn, attempts, cut_results, clearing, summary_input, files, skills, notes, tail, new_list)
PROGRAM_MUTANTS: tuple[Mutant, ...] = tuple(mutant for family in FAMILIES for mutant in family.MUTANTS)
"""All of them. Programs have neither notes nor hooks, so some cannot be seen by programs."""
