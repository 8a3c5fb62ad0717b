"""One real compaction. Off unless asked for: KEEL_LIVE=1 and a key in ANTHROPIC_API_KEY; it costs a few cents.

KEEL_LIVE_MODEL names the model (default: a small one).
"""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from keel_ref import estimate_transcript
from keel_ref.adapters.session_file import read_session
from keel_ref.cli import main

MODEL = os.environ.get("KEEL_LIVE_MODEL", "claude-haiku-4-5")
IS_ASKED_FOR = os.environ.get("KEEL_LIVE") == "1" and bool(os.environ.get("ANTHROPIC_API_KEY"))

pytestmark = [
    pytest.mark.live,
    pytest.mark.skipif(not IS_ASKED_FOR, reason="set KEEL_LIVE=1 and ANTHROPIC_API_KEY"),
    pytest.mark.filterwarnings("default"),  # the package says when a model is to be retired
]


def test_a_real_model_writes_a_summary_with_which_one_can_go_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It says what is being done and what is next, and the file that was read comes back."""
    source = tmp_path / "parser.py"
    source.write_text("def parse(text):\n    return text.splt()\n")
    talk = [
        ("user", "The parser fails with an AttributeError. Find the line and mend it. Do not touch anything else."),
        ("assistant", [{"type": "tool_use", "id": "toolu_1", "name": "Read", "input": {"file_path": str(source)}}]),
        ("user", [{"type": "tool_result", "tool_use_id": "toolu_1", "content": source.read_text()}]),
        ("assistant", "In line 2 it says `splt` where `split` is meant. I am about to change that and nothing else."),
        ("user", "Good, go on, and afterwards run the tests in tests/test_parser.py."),
    ]
    lines = [
        {"type": role, "uuid": f"u{place}", "sessionId": "s", "message": {"role": role, "content": content}}
        for place, (role, content) in enumerate(talk)
    ]
    session, out = tmp_path / "session.jsonl", tmp_path / "new.jsonl"
    session.write_text("\n".join(map(json.dumps, lines)))

    code = main(["compact", str(session), "--out", str(out), "--model", MODEL, "--max-output", "8000"])

    said = capsys.readouterr()
    assert 0 == code, said.err
    assert "has no part" not in said.err
    summary = str(read_session(str(out)).view.rows[1]).lower()
    assert all(word in summary for word in ("split", "parser.py", "next step", "test_parser.py"))
    assert ["system", "user", "attachment"] == [row["role"] for row in read_session(str(out)).view.rows]
    assert 1 == estimate_transcript(out).boundaries
