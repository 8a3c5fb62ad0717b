"""What summing the usage of every row would give, beside what was used. Rule S14."""

from __future__ import annotations

from typing import Any, Final

from keel_ref.transcript.log import SessionLog
from keel_ref.units import div_half_up

HUNDRED: Final = 100


def naive_object(log: SessionLog) -> dict[str, Any]:
    """Both sums, and how many hundredths the wrong one is of the right one; None where nothing was used."""
    wrong, right = log.naive, log.totals
    return {
        "rows": wrong.responses,
        "responses": right.responses,
        "input": {
            "naive": wrong.input_total,
            "right": right.input_total,
            "percent": _percent(wrong.input_total, right.input_total),
        },
        "output": {
            "naive": wrong.output_tokens,
            "right": right.output_tokens,
            "percent": _percent(wrong.output_tokens, right.output_tokens),
        },
    }


def _percent(wrong: int, right: int) -> int | None:
    return div_half_up(wrong * HUNDRED, right) if right else None
