"""What decides a session's limits: models, amounts, variables with texts of every form, settings, choices."""

from __future__ import annotations

from typing import Any, Final

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from keel_ref.choices import Choices, NumberForm, Truthy, WarningBase
from keel_ref.constants import DEFAULT, TINY, Constants
from keel_ref.strategies.text import any_text
from keel_ref.window.models import ROWS
from keel_ref.window.variables import Variable

NUMBERS: Final = (Variable.AUTO_COMPACT_WINDOW, Variable.MAX_OUTPUT_TOKENS, Variable.MAX_CONTEXT_TOKENS)
SWITCHES: Final = (Variable.DISABLE_1M_CONTEXT, Variable.DISABLE_COMPACT, Variable.DISABLE_AUTO_COMPACT)


def constants() -> SearchStrategy[Constants]:
    """The described client, or the same in small."""
    return st.sampled_from([DEFAULT, TINY])


def amounts() -> SearchStrategy[int]:
    """Tokens: of a tiny window, of a usual one, of any."""
    return st.integers(1, 2_000) | st.integers(1, 1_100_000) | st.integers(1, DEFAULT.number_cap)


def number_texts() -> SearchStrategy[str]:
    """What people write where a number belongs, and what nobody does."""
    written = st.integers(-5, 1_100_000).map(str)
    tails = st.sampled_from(["", "k", "%", " ", ".5", "e3", " tokens", "\N{NO-BREAK SPACE}", "_000"])
    return (
        st.builds("{}{}".format, written, tails) | st.sampled_from(["", " ", "abc", "0x10", "NaN", "+7"]) | any_text()
    )


def percentage_texts() -> SearchStrategy[str]:
    """Percentages in every notation."""
    return st.decimals(-10, 110, places=3).map(str) | st.integers(0, 101).map(str) | number_texts()


def switch_texts() -> SearchStrategy[str]:
    """What switches on, what off, and what neither."""
    return st.sampled_from(["1", "0", "true", "FALSE", " yes ", "on", "off", "no", "", "y", "2"]) | any_text()


def environments() -> SearchStrategy[dict[str, str]]:
    """Variables of the area, any of them or none, without the override of the blocking limit."""
    return st.fixed_dictionaries(
        {},
        optional={
            **{str(name): number_texts() for name in NUMBERS},
            **{str(name): switch_texts() for name in SWITCHES},
            str(Variable.PERCENTAGE): percentage_texts(),
            str(Variable.USER_TYPE): st.sampled_from(["ant", "external"]),
        },
    )


def settings_values() -> SearchStrategy[dict[str, Any]]:
    """The one setting that counts, with right values and wrong ones."""
    return st.fixed_dictionaries({}, optional={"autoCompactEnabled": st.sampled_from([True, False, None, "false", 0])})


def choices() -> SearchStrategy[Choices]:
    """Every value of the choices of this area."""
    return st.builds(
        Choices,
        warning_base=st.sampled_from(WarningBase),
        number=st.sampled_from(NumberForm),
        truthy=st.sampled_from(Truthy),
    )


def model_names() -> SearchStrategy[str]:
    """Known names, unknown ones, with the suffix and without."""
    names = st.sampled_from(sorted(ROWS)) | st.sampled_from(["", "m", "us.anthropic.claude-opus-4-6-v1"])
    return st.builds("{}{}".format, names, st.sampled_from(["", "[1m]", "[1M]"]))


def sessions() -> SearchStrategy[dict[str, Any]]:
    """Arguments of `window_limits`."""
    return st.fixed_dictionaries(
        {
            "env": environments(),
            "settings": settings_values(),
            "choices": choices(),
            "constants": constants(),
        },
        optional={
            "model": model_names(),
            "window": amounts(),
            "max_output": amounts(),
            "supports_1m": st.booleans(),
            "betas": st.lists(st.sampled_from(["context-1m-2025-08-07", "other"]), max_size=2),
        },
    )
