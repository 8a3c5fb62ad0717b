"""Which backend stands behind the fast names."""

import os
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

from keel_ref import fast, text
from keel_ref.errors import InvalidArgumentError
from keel_ref.tokens import count_or_estimate, estimate_messages, estimate_text

SAMPLE = "é\ud800🚀\0"

REPORT = """
import sys
if "hide" in sys.argv:
    sys.modules["keel_ref._native"] = None  # an import of it now fails as if it were not there
from keel_ref import fast
print(fast.BACKEND, fast.size_utf8("\\xe9"), fast.size_text("\\xe9").utf16_units)
"""


def run_with(wanted: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """A fresh interpreter that imports the module with the variable set."""
    environment = os.environ | {"KEEL_REF_NATIVE": wanted}
    return subprocess.run(
        [sys.executable, "-c", REPORT, *arguments], env=environment, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize(
    ("wanted", "arguments", "backend"),
    [
        ("auto", [], "native"),
        ("", [], "native"),
        ("require", [], "native"),
        ("never", [], "python"),
        ("auto", ["hide"], "python"),
        ("never", ["hide"], "python"),
    ],
)
def test_backend(wanted: str, arguments: list[str], backend: str) -> None:
    """The variable and the installation decide; the sizes are the same either way."""

    assert f"{backend} 2 1\n" == run_with(wanted, *arguments).stdout


def test_a_required_module_that_is_missing_is_an_error() -> None:
    """Asked for nothing else, the import fails rather than being slow."""
    ended = run_with("require", "hide")

    assert 0 != ended.returncode
    assert "ModuleNotFoundError" in ended.stderr


def test_another_word_is_an_error() -> None:
    """A misspelt wish is not taken for `auto`."""

    assert "KEEL_REF_NATIVE: 'sometimes' is none of auto, require and never; set one" in run_with("sometimes").stderr


@pytest.mark.parametrize("function", ["size_utf8", "size_utf16", "size_code_points", "size_text"])
@pytest.mark.parametrize("value", [SAMPLE, b"\xff\xc3\xa9"])
def test_fast_names_have_the_signatures_of_the_reference(function: str, value: str | bytes) -> None:
    """The same arguments by the same names give the same values."""

    assert getattr(text, function)(text=value) == getattr(fast, function)(text=value)


@pytest.mark.parametrize("argument", ["method", "family", "kind"])
@pytest.mark.parametrize("value", [None, 1, [], {}, "x"])
def test_an_argument_of_the_wrong_kind_is_named(argument: str, value: Any) -> None:
    """Whatever it is, also what cannot be looked up, by the fast functions as by the model."""
    given = {argument: value}
    on_rows: tuple[Callable[..., object], ...] = (fast.estimate_messages, estimate_messages, count_or_estimate)
    on_texts: tuple[Callable[..., object], ...] = (fast.estimate_text, estimate_text)

    for estimate in on_texts:
        with pytest.raises(InvalidArgumentError, match=argument):
            estimate("text", **given)
    with pytest.raises(InvalidArgumentError, match=argument):
        fast.estimate_texts(["text"], **given)
    for estimate in () if argument == "kind" else on_rows:
        with pytest.raises(InvalidArgumentError, match=argument):
            estimate([{"role": "user", "content": "text"}], **given)
    if argument != "kind":
        with pytest.raises(InvalidArgumentError, match=argument):
            fast.estimate_transcript(os.devnull, **given)
