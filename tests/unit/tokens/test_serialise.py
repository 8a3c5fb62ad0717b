"""The serialised form at each of its edges."""

from math import inf, nan
from typing import Any

import pytest

from keel_ref.conformance.marks import clause
from keel_ref.tokens.serialise import Unserialisable, js_number, quoted, serialised

WHOLE = [0, -1, 2**53 + 1, -(2**63), 2**64, 10**3999, -(10**4000), 10**5000 + 7]


@clause("EST-010")
@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("", '""'),
        ('"', r'"\""'),
        ("\\", r'"\\"'),
        ("\b\t\n\f\r", r'"\b\t\n\f\r"'),
        ("\0\x01\x07", r'"\u0000\u0001\u0007"'),
        ("\x0b", r'"\u000b"'),
        ("\x0e\x1f", r'"\u000e\u001f"'),
        (" /\x7f\x80", '" /\x7f\x80"'),
        ("é\u2028\u2029\ufeff🚀", '"é\u2028\u2029\ufeff🚀"'),
        ("\ud800", '"\ud800"'),
        ("\ude00\ud83d", '"\ude00\ud83d"'),
    ],
)
def test_escapes(text: str, form: str) -> None:
    """Quote, backslash and what lies below U+0020 are escaped, the shortest way there is; nothing else is."""

    assert form == quoted(text)


@clause("EST-010")
@pytest.mark.parametrize(
    ("number", "form"),
    [
        (0.0, "0"),
        (-0.0, "0"),
        (1.0, "1"),
        (-1.5, "-1.5"),
        (0.1, "0.1"),
        (100.0, "100"),
        (123456789.125, "123456789.125"),
        (1e20, "100000000000000000000"),
        (123456789012345680000.0, "123456789012345680000"),
        (999999999999999868928.0, "999999999999999900000"),
        (1e21, "1e+21"),
        (1.5e21, "1.5e+21"),
        (-1.7976931348623157e308, "-1.7976931348623157e+308"),
        (1e-6, "0.000001"),
        (1.5e-6, "0.0000015"),
        (9.999999e-7, "9.999999e-7"),
        (1e-7, "1e-7"),
        (1.25e-7, "1.25e-7"),
        (5e-324, "5e-324"),
        (inf, "null"),
        (-inf, "null"),
        (nan, "null"),
    ],
)
def test_numbers_as_javascript_writes_them(number: float, form: str) -> None:
    """No fraction where there is none, an exponent from 10^21 on and below 10^-6, and `null` for what is no number."""

    assert form == js_number(number)


@clause("EST-010")
@pytest.mark.parametrize("number", WHOLE, ids=range(len(WHOLE)))
def test_whole_numbers_of_any_size(number: int) -> None:
    """Each digit is written, also where Python refuses to without being asked twice."""
    form = serialised(number)
    digits = form.removeprefix("-")

    assert (number < 0) == form.startswith("-")
    assert digits.isdigit()
    assert digits == "0" or not digits.startswith("0")
    assert 10 ** (len(digits) - 1) <= max(1, abs(number)) < 10 ** len(digits)
    assert abs(number) % 1_000_000 == int(digits[-6:])


@clause("EST-010")
def test_no_blank_outside_of_strings() -> None:
    """Items and keys stand side by side, in the order given."""
    value = {"b": [1, 2.0, True, False, None], "a": {}, "": [], "t": (1, ("x",))}

    assert '{"b":[1,2,true,false,null],"a":{},"":[],"t":[1,["x"]]}' == serialised(value)


@clause("EST-027")
@pytest.mark.parametrize(
    ("value", "problem"),
    [
        (b"x", "a value of the type bytes has no JSON form"),
        ([{1}], "a value of the type set has no JSON form"),
        ({"a": print}, "a value of the type builtin_function_or_method has no JSON form"),
        ({1: 2}, "an object has the key 1, which is no text"),
        ({None: 2}, "an object has the key None, which is no text"),
    ],
)
def test_what_has_no_form(value: Any, problem: str) -> None:
    """The error says which type or key it was."""
    with pytest.raises(Unserialisable) as caught:
        serialised(value)

    assert problem == str(caught.value)


def deep(levels: int) -> Any:
    """So many lists inside one another."""
    value: Any = 1
    for _ in range(levels):
        value = [value]
    return value


@clause("EST-027")
def test_two_hundred_levels_are_the_most() -> None:
    """Level 200 is written, level 201 is too deep, and so is a value that contains itself."""
    loop: dict[str, Any] = {}
    loop["again"] = loop

    assert "[" * 200 + "1" + "]" * 200 == serialised(deep(200))
    assert "[" * 199 + "1" + "]" * 199 == serialised(deep(199), level=2)
    for value, level in ((deep(201), 1), (deep(200), 2), (deep(10_000), 1), (loop, 1)):
        with pytest.raises(Unserialisable, match="more than 200 levels"):
            serialised(value, level)
