"""Whatever a file holds, `keel-ref context` says something about it, and never more than it can."""

import io
import json
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from keel_ref.cli import main
from keel_ref.strategies.messages import json_rows, json_values
from keel_ref.strategies.session_lines import session_files

BODIES = st.fixed_dictionaries(
    {"messages": json_rows()},
    optional={"model": json_values(), "system": json_values(), "tools": json_values() | st.lists(json_values())},
)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the file lies."""
    return tmp_path_factory.mktemp("sources") / "file"


def asked(place: Path, content: bytes, *words: str) -> tuple[int, str, str]:
    """Exit code, stdout and stderr."""
    place.write_bytes(content)
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = main(["context", *words, str(place)])
    return code, out.getvalue(), err.getvalue()


def is_sound(place: Path, content: bytes) -> bool:
    """An answer whose figures add up, in both forms, or one line that says why there is none."""
    code, out, err = asked(place, content, "--json")
    text = asked(place, content)

    assert code == text[0]
    assert out or (code, 1) == (2, err.count("\n"))
    if out:
        report: dict[str, Any] = json.loads(out)
        together = report["total"] + report["free"] + (report["buffer"] or 0)
        assert report["window"] == together or report["free"] == 0
        assert sum(report["messages"].values()) in {one["tokens"] for one in report["categories"]}
    return True


@given(st.binary() | st.text().map(str.encode))
@example(b"\x00")
@example(b'{"type": "user", "message": {}}')
@example(b'{"type": "user", "message": {"content": [{"type": "tool_result", "content": {"a": 1}}]}}')
def test_any_bytes(place: Path, content: bytes) -> None:
    """No crash."""

    assert is_sound(place, content)


@given(BODIES)
def test_any_body(place: Path, body: dict[str, Any]) -> None:
    """A request with anything in it."""

    assert is_sound(place, json.dumps(body).encode())


@settings(max_examples=settings().max_examples // 4)  # a whole file is dear to draw
@given(session_files())
def test_any_session(place: Path, content: bytes) -> None:
    """A session with whatever rows and faults."""

    assert is_sound(place, content)
