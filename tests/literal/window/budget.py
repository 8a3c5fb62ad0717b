"""Budgets that a prompt states, and turns that go on by themselves."""

import re
from fractions import Fraction
from typing import Any

from tests.literal.memory.errors import LiteralError
from tests.literal.window.limits import halve_up, show_large
from tests.literal.window.numbers import INVALID, LARGEST, WHITE, Values, is_whole, trim

BLANK = f"[{WHITE}]"
AMOUNT = rf"([0-9]+(?:\.[0-9]+)?){BLANK}*([kKmMbB])"
"""An amount. [WIN-040]"""

WORD = "[A-Za-z0-9_]"
"""A word character. [WIN-040]"""

START = re.compile(rf"\A\+{AMOUNT}(?!{WORD})")
END = re.compile(rf"(?:\A|{BLANK})\+{AMOUNT}(?:{BLANK}*[.!?])?\Z")
PHRASE = re.compile(
    rf"(?<!{WORD})(?:[uU][sS][eE]|[sS][pP][eE][nN][dD]){BLANK}+{AMOUNT}{BLANK}*[tT][oO][kK][eE][nN][sS]?(?!{WORD})"
)
FORMS = (START, END, PHRASE)
"""The three forms, in their order. [WIN-040]"""

UNITS = {"k": 1_000, "m": 1_000_000, "b": 1_000_000_000}
"""Units of an amount. [WIN-041]"""

BUDGET_SHARE = 90
DIMINISHING_COUNT = 3
DIMINISHING_TOKENS = 500


def show_budget(args: dict[str, Any]) -> dict[str, Any]:
    """`window.budget`. Raises LiteralError. Spec: WIN-040, WIN-041."""
    text = args.get("text")
    if not isinstance(text, str):
        raise LiteralError(INVALID, "text")  # [WIN-008]
    for form in FORMS:
        match = form.search(trim(text))
        if match is not None:
            budget = Fraction(match[1]) * UNITS[match[2].lower()]
            tokens = budget.numerator // budget.denominator  # [WIN-041]
            return {"budget": tokens if 0 < tokens <= LARGEST else None}  # the first form decides
    return {"budget": None}


def read_tokens(value: Any, name: str, report: Values) -> int:
    """A budget or a total; what cannot be used is 0. Spec: WIN-042."""
    if not is_whole(value) or value < 0:
        report.add("bad-usage", name)
        return 0
    return int(value)


def show_auto_continue(args: dict[str, Any], gates: dict[str, bool]) -> dict[str, Any]:
    """`window.auto_continue`. Raises LiteralError. Spec: WIN-042 to WIN-045."""
    totals = args.get("totals")
    if not isinstance(totals, list):
        raise LiteralError(INVALID, "totals")
    sub_agent = args.get("sub_agent")
    if sub_agent is not None and not isinstance(sub_agent, bool):
        raise LiteralError(INVALID, "sub_agent")
    report = Values()
    budget = 0 if args.get("budget") is None else read_tokens(args["budget"], "budget", report)
    decisions: list[dict[str, Any]] = []
    continuations = total_before = increment_before = 0
    for value in totals:
        total = read_tokens(value, "totals", report)
        plain = None
        if not gates.get("token_budget", False):
            plain = "gate-off"  # [WIN-042]
        elif sub_agent:
            plain = "sub-agent"
        elif budget == 0:
            plain = "no-budget"
        if plain is not None:
            decisions.append({"action": "stop", "verdict": plain, "completion": False})
            break
        increment = total - total_before  # [WIN-044]
        is_diminishing = (
            continuations >= DIMINISHING_COUNT
            and increment < DIMINISHING_TOKENS
            and increment_before < DIMINISHING_TOKENS
        )
        percent = show_large(halve_up(total * 100, budget))  # [WIN-045]
        if total * 100 < budget * BUDGET_SHARE and not is_diminishing:  # [WIN-043]
            decisions.append({"action": "continue", "verdict": "below-budget", "percent": percent})
            continuations += 1
            total_before, increment_before = total, increment
            continue
        verdict = "diminishing" if is_diminishing else "budget-reached"
        decisions.append({"action": "stop", "verdict": verdict, "percent": percent, "completion": continuations > 0})
        break
    return {"decisions": decisions} | report.show()
