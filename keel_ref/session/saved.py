"""Results of which the model saw the beginning alone, since the whole was saved to a file. Rule S6."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from keel_ref.session.drops import Drop
from keel_ref.session.layers import Cause, Layer
from keel_ref.session.timeline import Step
from keel_ref.transcript.log import LogRow

NOTICES: Final = ("<persisted-output>", "[keel-ref: the beginning of a result of ")
"""How the text begins that takes the place of a saved result. Spec: CMP-024."""


def find_saved(steps: Sequence[Step], rows: Sequence[LogRow]) -> tuple[Drop, ...]:
    """Every saved result, in the order of the conversation; how large it was is not in the record."""
    return tuple(
        Drop(
            before_response=step.number,
            line=rows[place].line,
            tokens=None,
            cause=Cause(Layer.RESULT_BUDGET, "a large result was saved to a file, and its beginning sent"),
        )
        for step in steps
        for place in step.before
        for block in rows[place].blocks
        if block.kind == "tool_result" and block.head.startswith(NOTICES)
    )
