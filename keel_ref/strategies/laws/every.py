"""All laws of a start-up load together, as a machine asks them after each step."""

from __future__ import annotations

from keel_ref.strategies.laws import inclusion, order, reports
from keel_ref.strategies.laws.outcome import Law, Outcome

LAWS: tuple[Law, ...] = (
    order.segments_follow_one_another,
    order.places_follow_one_another,
    order.includes_stand_together,
    order.nothing_of_the_root_is_found_by_the_walk,
    order.agents_files_are_included_or_absent,
    inclusion.records_are_files,
    inclusion.nothing_stands_twice,
    inclusion.managed_file_is_there,
    inclusion.depths_are_bounded,
    inclusion.includers_are_known,
    inclusion.allowed_includes_are_there,
    inclusion.includes_are_allowed,
    inclusion.excluded_files_are_absent,
    inclusion.switched_off_layers_are_absent,
    reports.rows_and_records_exclude_one_another,
    reports.candidates_are_accounted_for,
    reports.start_texts_are_whole,
    reports.indexes_are_bounded,
    reports.tokens_follow_the_documented_rule,
)
"""Every law."""


def breaches(outcome: Outcome) -> list[str]:
    """What an outcome does wrong, each with the name of its law."""
    return [f"{law.__name__}: {breach}" for law in LAWS for breach in law(outcome)]
