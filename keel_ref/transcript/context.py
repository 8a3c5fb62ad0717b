"""The size of the context that a session has come to. Spec: TRN-033, EST-016."""

from __future__ import annotations

from keel_ref.choices import Choices, Fragments
from keel_ref.tokens.context import ContextSize
from keel_ref.transcript.log import Kind, SessionLog
from keel_ref.units import Tokens


def context_of(log: SessionLog, choices: Choices | None = None) -> ContextSize:
    """What the view of the session holds: measured last, and estimated behind that. Spec: TRN-033."""
    rows = [log.rows[place] for place in log.view]
    anchor = next(
        (
            index
            for index in range(len(rows) - 1, -1, -1)
            if rows[index].usage is not None and log.view[index] not in log.kept  # [TRN-033] what is kept is void
        ),
        None,
    )
    usage = None if anchor is None else rows[anchor].usage
    if anchor is None or usage is None:
        return ContextSize(measured=Tokens(0), estimated=Tokens(sum(row.tokens for row in rows)))
    first = anchor
    own = rows[anchor].message_id
    for index in range(anchor - 1, -1, -1):
        if rows[index].kind is Kind.ASSISTANT and own is not None:
            if rows[index].message_id != own:
                break
            first = index
    later = rows[first + 1 :]
    if (choices or Choices()).fragments is Fragments.SKIP and own is not None:
        answers = [index for index, row in enumerate(later) if row.kind is Kind.ASSISTANT]
        end = next((index for index in answers if later[index].message_id != own), len(later))
        left_out = {index for index in answers if index < end}
        later = [row for index, row in enumerate(later) if index not in left_out]  # [TRN-033] EST-018
    return ContextSize(measured=usage.total, estimated=Tokens(sum(row.tokens for row in later)))
