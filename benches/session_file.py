"""A session file of any size for the benches, made of the fixtures and of the texts of this repository.

Its rows have the keys, and its tools the inputs and results, that the described client writes: files read with line
numbers, edits with their patches, commands with their output, talk in English and Chinese, thinking, a picture.
"""

import base64
import json
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

ROOT = Path(__file__).parents[1]
FIXTURES = sorted((ROOT / "tests" / "fixtures" / "sessions").glob("*.jsonl"))
CODE = sorted((ROOT / "keel_ref").rglob("*.py")) + sorted((ROOT / "rust").glob("*/src/**/*.rs"))
PROSE = (ROOT / "spec" / "tokens.md", ROOT / "STYLE.md")
CHINESE = "提交之前先运行测试。不要直接改动生成的文件，改动之后请重新构建。这一条规则对所有子目录都有效。\n"
LINES_OF_A_READ = 300
BUFFER_BYTES = 128 << 10
PICTURE = base64.b64encode(bytes(value * 37 % 251 for value in range(30_000))).decode()


def make_session_file(path: Path, at_least_bytes: int) -> Path:
    """Write such a file; rows made here and fixtures take turns."""
    fixtures = b"".join(fixture.read_bytes() for fixture in FIXTURES)
    made = b"".join(_as_line(row) for row in _rows())
    whole = made + fixtures + made
    with path.open("wb") as file:
        for _ in range(-(-at_least_bytes // len(whole))):
            file.write(whole)
    return path


def read_plainly(path: Path) -> None:
    """Look at every byte of the file once, by one small buffer."""
    buffer = bytearray(BUFFER_BYTES)
    with path.open("rb", buffering=0) as file:
        while file.readinto(buffer):
            pass


def load_lines(loads: Callable[[bytes], object], path: Path) -> None:
    """Make objects of Python of every line."""
    with path.open("rb") as file:
        for line in file:
            loads(line)


def _as_line(row: object) -> bytes:
    return json.dumps(row, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def _rows() -> Iterator[dict[str, object]]:
    serial = count()
    prose = "".join(path.read_text(encoding="utf-8") for path in PROSE).split("\n\n")
    for place, path in enumerate(CODE):
        talk = "\n\n".join(prose[place * 3 % len(prose) :][:3])
        code = path.read_text(encoding="utf-8")
        yield _row(next(serial), "user", [_text(CHINESE * (place % 9) if place % 3 == 0 else talk)])
        yield _row(next(serial), "assistant", [{"type": "thinking", "thinking": talk, "signature": PICTURE[:800]}])
        yield _row(next(serial), "assistant", [_call(place, "Read", {"file_path": f"/home/u/proj/{path.name}"})])
        yield _row(next(serial), "user", [_result(place, _numbered(code))], {"type": "text", "file": {"content": code}})
        edit: dict[str, object] = {
            "file_path": f"/home/u/proj/{path.name}",
            "old_string": code[:700],
            "new_string": code[200:1_100],
        }
        yield _row(next(serial), "assistant", [_text(talk[:300]), _call(place, "Edit", edit)])
        patch = {"oldStart": 1, "newStart": 1, "lines": [f" {line}" for line in code.splitlines()[:24]]}
        yield _row(
            next(serial), "user", [_result(place, talk)], {**edit, "structuredPatch": [patch], "userModified": False}
        )
        if place % 40 == 0:
            source = {"type": "base64", "media_type": "image/png", "data": PICTURE}
            yield _row(next(serial), "user", [{"type": "image", "source": source}])


def _numbered(code: str) -> str:
    lines = code.splitlines()[:LINES_OF_A_READ]
    return "\n".join(f"{number:>6}→{line}" for number, line in enumerate(lines, 1))


def _text(text: str) -> dict[str, object]:
    return {"type": "text", "text": text}


def _call(place: int, name: str, given: dict[str, object]) -> dict[str, object]:
    return {"type": "tool_use", "id": f"toolu_01A{place:021}", "name": name, "input": given}


def _result(place: int, content: str) -> dict[str, object]:
    return {"tool_use_id": f"toolu_01A{place:021}", "type": "tool_result", "content": content}


def _row(serial: int, role: str, content: list[object], result: object = None) -> dict[str, object]:
    usage = {"input_tokens": serial % 9_000, "cache_read_input_tokens": serial * 311 % 150_000, "output_tokens": 312}
    message: dict[str, object] = {"role": role}
    if role != "user":
        message |= {"model": "claude-opus-4-5", "id": f"msg_01{serial:022}", "type": "message", "stop_reason": None}
        message["usage"] = usage
    message["content"] = content
    row: dict[str, object] = {
        "parentUuid": f"{serial:08x}-7c1d-4d6f-9f57-{serial * 7919 % 2**48:012x}",
        "isSidechain": False,
        "userType": "external",
        "cwd": "/home/u/proj",
        "sessionId": "ee21de58-ce93-4070-b703-a36b203a2d3a",
        "version": "2.1.89",
        "gitBranch": "main",
        "type": role,
        "message": message,
        "uuid": f"{serial + 1:08x}-7c1d-4d6f-9f57-{serial * 104729 % 2**48:012x}",
        "timestamp": f"2026-11-30T{serial // 3600 % 24:02}:{serial // 60 % 60:02}:{serial % 60:02}.218Z",
    }
    return row if result is None else {**row, "toolUseResult": result}
