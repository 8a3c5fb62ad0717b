"""The model of the window and the naive version of its chapter, on arguments that nobody wrote."""

from collections.abc import Mapping
from itertools import product
from random import Random
from typing import Any

import pytest

from keel_ref.choices import registered
from keel_ref.conformance.config import CallConfig, resolve_gates
from keel_ref.conformance.reference import call_reference
from keel_ref.errors import KeelError
from tests.literal.test_literal_vectors import literal
from tests.literal.window import CHOICES
from tests.literal.window.models import read_table

BATCH = 50
LARGEST = 2**53 - 1
THRESHOLDS = (0, 1, 3_000, 13_000, 20_000, 33_000, 53_000, 147_000, 160_000, 167_000, 177_000, 180_000, 200_000)
"""Amounts at which something changes."""
AMOUNTS = (*THRESHOLDS, 8_192, 32_000, 262_144, 967_000, 1_000_000, LARGEST - 1, LARGEST)
ODD: tuple[Any, ...] = (None, True, False, "5", "", -1, [], {}, 0.5, LARGEST + 1, 10**30)
"""Values of every other kind."""
VARIABLES = (
    "CLAUDE_CODE_MAX_CONTEXT_TOKENS",
    "CLAUDE_CODE_MAX_OUTPUT_TOKENS",
    "CLAUDE_CODE_AUTO_COMPACT_WINDOW",
    "CLAUDE_AUTOCOMPACT_PCT_OVERRIDE",
    "CLAUDE_CODE_BLOCKING_LIMIT_OVERRIDE",
)
SWITCHES = ("CLAUDE_CODE_DISABLE_1M_CONTEXT", "DISABLE_COMPACT", "DISABLE_AUTO_COMPACT")
BLANKS = ("", "", "", " ", "\t", "\u00a0", "\ufeff", "\u200b", "\n", "\x1c", "\x85")
SWITCH_TEXTS = ("", "0", "1", "true", "TRUE", "yes", "On", "off", "no", "False", "y", "2", "\u0131", "tr ue")
TEXT_PARTS = (
    "+",
    "-",
    "5",
    "0",
    "1",
    "99",
    "100",
    ".",
    "e",
    "E",
    "k",
    "%",
    "\u0661",
    "_",
    " ",
    "x",
    "200000",
    "9" * 30,
)
PROMPT_PARTS = (
    *("+", "+", "5", "0", "500", ".", "k", "K", "m", "M", "b", "t", "use", "Use", "spend", "token", "tokens", "TOKENS"),
    *(
        " ",
        " ",
        "\n",
        "\u00a0",
        "\u200b",
        "!",
        "?",
        ".",
        ",",
        "_",
        "x",
        "\u212a",
        "\u017f",
        "\u5b57",
        "+5k",
        "use 5k tokens",
    ),
)
NAMES = ("", " ", "claude", "m", "claude-sonnet-4", "claude-3-7-sonnet-20990101", "claude-haiku-4-5@20251001")
NAME_HEADS = ("", "", "us.anthropic.", "a/b/", "anthropic/", "Anthropic.", "vertex/anthropic.")
NAME_TAILS = (
    "",
    "",
    "[1m]",
    "[1M]",
    "[1m] ",
    "-v1",
    "-v1:0",
    "@default",
    "@20250929",
    "-v",
    "-v2:",
    "[1m][1m]",
    "[1 m]",
)
BETAS = ("context-1m-2025-08-07", "context-1m-", "context-1m", "Context-1m-x", " context-1m-x", "other", "")


def outcome(oracle: Any, name: str, args: Mapping[str, Any], config: CallConfig) -> Any:
    """A result, or the kind of an error."""
    try:
        return oracle(name, args, config)
    except KeelError as error:
        return error.code


def near(rng: Random) -> int:
    """An amount on, below or above one at which something changes."""
    return max(0, rng.choice(AMOUNTS) + rng.choice((-1, 0, 0, 1)))


def perhaps_odd(rng: Random, value: Any, share: float = 0.02) -> Any:
    """The value, now and then one of another kind."""
    return rng.choice(ODD) if rng.random() < share else value


def drawn_number(rng: Random) -> str:
    """A text that is a number, nearly one, or none."""
    if rng.random() < 0.4:
        text = str(rng.choice((near(rng), rng.randint(0, 101), rng.randint(0, 10_000) / 100)))
    else:
        text = "".join(rng.choice(TEXT_PARTS) for _ in range(rng.randint(0, 5)))
    if rng.random() < 0.05:
        text = text.rjust(rng.choice((99, 100, 101)), "0")
    return rng.choice(BLANKS) + text + rng.choice(BLANKS)


def drawn_env(rng: Random) -> dict[str, str]:
    """Variables of all kinds."""
    env = {name: drawn_number(rng) for name in VARIABLES if rng.random() < 0.3}
    env |= {name: rng.choice(BLANKS) + rng.choice(SWITCH_TEXTS) for name in SWITCHES if rng.random() < 0.3}
    if rng.random() < 0.4:
        env["USER_TYPE"] = rng.choice(("ant", "ant", "ant ", "external", ""))
    return env


def drawn_model(rng: Random) -> dict[str, Any]:
    """The arguments that `window.limits` and `window.state` share."""
    args: dict[str, Any] = {}
    if rng.random() < 0.6:
        name = rng.choice((*NAMES, *read_table()))
        name = rng.choice(NAME_HEADS) + rng.choice((name, name.upper(), name[:-9])) + rng.choice(NAME_TAILS)
        args["model"] = perhaps_odd(rng, name)
    for name in ("window", "max_output"):
        if rng.random() < 0.5:
            args[name] = perhaps_odd(rng, max(1, near(rng)))
    if rng.random() < 0.4:
        args["supports_1m"] = perhaps_odd(rng, rng.random() < 0.5)
    if rng.random() < 0.4:
        args["betas"] = perhaps_odd(rng, rng.sample(BETAS, rng.randint(0, 2)))
    if rng.random() < 0.7:
        args["env"] = perhaps_odd(rng, drawn_env(rng))
    if rng.random() < 0.4:
        args["settings"] = perhaps_odd(rng, {"autoCompactEnabled": rng.choice((True, False, None, "false", 0))})
    return args


def drawn_turn(rng: Random) -> dict[str, Any]:
    """The arguments of `window.auto_continue`."""
    totals: list[Any] = []
    total = 0
    for _ in range(rng.randint(0, 8)):
        total += rng.choice((0, 1, 499, 500, 501, -499, 20_000, rng.randint(-100, 600)))
        totals.append(perhaps_odd(rng, max(0, total)))
    if rng.random() < 0.2:
        totals.append(rng.choice((89_999, 90_000, 90_001, LARGEST)))
    args: dict[str, Any] = {"totals": perhaps_odd(rng, totals)}
    if rng.random() < 0.9:
        args["budget"] = perhaps_odd(rng, rng.choice((0, 1, 9, 200, 1_000, 100_000, LARGEST, near(rng))), 0.05)
    if rng.random() < 0.2:
        args["sub_agent"] = perhaps_odd(rng, rng.random() < 0.3, 0.2)
    return args


def drawn_call(rng: Random) -> tuple[str, dict[str, Any]]:
    """A function of the area and its arguments."""
    match rng.randint(0, 6):
        case 0 | 1 | 2:
            return "window.limits", drawn_model(rng)
        case 3 | 4:
            args = drawn_model(rng) | {"used": perhaps_odd(rng, near(rng))}
            if rng.random() < 0.5:
                args["freed"] = perhaps_odd(rng, near(rng))
            return "window.state", args
        case 5:
            parts = [rng.choice(PROMPT_PARTS) for _ in range(rng.randint(0, 9))]
            return "window.budget", {"text": perhaps_odd(rng, "".join(parts))}
        case _:
            return "window.auto_continue", drawn_turn(rng)


@pytest.mark.parametrize("values", list(product(*(registered()[name] for name in CHOICES))))
def test_both_come_to_the_same_result(values: tuple[str, ...]) -> None:
    """Under every choice of the area the two say the same of limits, states, budgets and turns."""
    choices = dict(zip(CHOICES, values, strict=True))
    rng = Random("window " + " ".join(values))  # noqa: S311 - a repeatable choice, no secret
    for _ in range(BATCH):
        name, args = drawn_call(rng)
        gates = resolve_gates({"token_budget": rng.random() < 0.8})
        config = CallConfig(choices=choices, gates=gates)

        assert outcome(call_reference, name, args, config) == outcome(literal, name, args, config), (name, args)
