"""The native figures of a session file are those of the model, for every file."""

import tempfile
from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from keel_ref import fast
from keel_ref.errors import InvalidArgumentError
from keel_ref.strategies.session_lines import session_files
from keel_ref.tokens.transcript import TranscriptEstimate, count_lines

FIXTURES = sorted((Path(__file__).parents[1] / "fixtures" / "sessions").glob("*.jsonl"))
SEEDS = sorted((Path(__file__).parents[2] / "rust" / "fuzz" / "seeds" / "session").iterdir())
"""Where the search for lines that are counted wrong starts from, and what it has found."""
METHODS = ("documented", "bound")


def native(data: bytes, **options: object) -> TranscriptEstimate:
    """The native figures of a file with these bytes."""
    with tempfile.NamedTemporaryFile(suffix=".jsonl") as file:
        file.write(data)
        file.flush()
        return fast.estimate_transcript(file.name, **options)  # type: ignore[arg-type]


def model(data: bytes, method: str, family: str = "any") -> TranscriptEstimate:
    """The model's."""
    return count_lines(BytesIO(data), method=method, family=family)


@pytest.mark.clause("EST-033")
@given(session_files(), st.sampled_from(METHODS), st.integers(1, 2))
@example(b'{"type":"user","message":{"content":"' + b"\\ud83d" * 30 + b'"}}', "bound", 1)
@example(b'{"type":"user","message":{"content":[{"input":{"a":1,"\\u0061":22},"type":"tool_use"}]}}', "bound", 1)
@example(b"\xef\xbb\xbf{}\n{}\0\n\n \t\r\n[]\n{}", "documented", 2)
def test_any_file_has_the_same_figures(data: bytes, method: str, threads: int) -> None:
    """Sound, odd, torn, joined, deep and broken lines, by both methods, with one thread and with two."""

    assert model(data, method) == native(data, method=method, threads=threads)


@pytest.mark.clause("EST-033")
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("path", [*FIXTURES, *SEEDS], ids=lambda path: path.stem)
def test_files_that_are_kept_have_the_same_figures(path: Path, method: str) -> None:
    """Files that the described client wrote, and odd ones."""

    assert model(path.read_bytes(), method) == fast.estimate_transcript(path, method=method)


@pytest.mark.clause("EST-033")
@pytest.mark.parametrize("family", ["claude", "openai-o200k"])
def test_any_family_has_the_same_figures(family: str) -> None:
    """Tables and constants are those of the family."""
    data = FIXTURES[0].read_bytes()

    assert model(data, "bound", family) == native(data, family=family)


@pytest.mark.clause("EST-033")
@pytest.mark.parametrize("threads", [1, 2, 3, 16, None])
def test_the_number_of_threads_changes_nothing(threads: int | None) -> None:
    """Chunks are put together in the order of the file, whichever is ready first."""
    data = b"".join(path.read_bytes() for path in FIXTURES)

    assert model(data, "documented") == native(data, method="documented", threads=threads)


@pytest.mark.parametrize(
    "options", [{"method": "guess"}, {"method": None}, {"family": "gpt"}, {"family": None}, {"threads": 0}]
)
def test_a_wrong_argument_is_the_same_error(options: dict[str, object]) -> None:
    """It names the argument and what may stand there."""
    with pytest.raises(InvalidArgumentError) as found:
        native(b"", **options)

    (name,) = options
    assert name == found.value.argument


@pytest.mark.parametrize("place", ["missing.jsonl", "."])
def test_what_cannot_be_read_is_the_error_of_the_system(tmp_path: Path, place: str) -> None:
    """Of the same class, with the same number, text and path."""
    path = tmp_path / place
    with pytest.raises(OSError, match=r"No such file|Is a directory") as expected:
        path.open("rb")
    with pytest.raises(OSError, match=r"No such file|Is a directory") as found:
        fast.estimate_transcript(path)

    assert (type(expected.value), expected.value.args) == (type(found.value), found.value.args)
    assert expected.value.filename == found.value.filename
