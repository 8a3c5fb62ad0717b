"""How long `keel-ref session --json` takes, and how much memory, on long session files: `make time-sessions`.

Each file is twice as long as the one before, up to `--megabytes`. Exit 1 where time or memory grow by more than half as
much again as the file does, or where 100 MB take more than `LIMIT_SECONDS` or `LIMIT_MEGABYTES`.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from keel_ref.transcript.timestamps import write_timestamp

MEGABYTE: Final = 1_000_000
START_MS: Final = 1_796_000_000_000
LIMIT_SECONDS: Final = 2.0
LIMIT_MEGABYTES: Final = 300
"""Both for 100 MB, with two cores that have nothing else to do."""
SLACK: Final = 1.5


def session_lines(size_bytes: int) -> Iterator[bytes]:
    """A session of that size: rows of about two kilobytes, a compaction whenever it fills up."""
    parent: str | None = None
    context, number, written = 20_000, 0, 0
    words = "lorem ipsum dolor sit amet " * 160

    def row(kind: str, name: str, **more: object) -> bytes:
        at = write_timestamp(START_MS + number * 5_000)
        base = {"type": kind, "uuid": name, "parentUuid": parent, "sessionId": "s", "timestamp": at, "cwd": "/p"}
        return json.dumps({**base, **more}).encode() + b"\n"

    while written < size_bytes:
        usage = {"input_tokens": 10, "cache_read_input_tokens": context, "cache_creation_input_tokens": 1_500}
        message = {"id": f"m{number}", "role": "assistant", "model": "claude-sonnet-4-5", "usage": usage}
        call = {"type": "tool_use", "id": f"t{number}", "name": "Read", "input": {"file_path": f"/p/{number}"}}
        result = {"type": "tool_result", "tool_use_id": f"t{number}", "content": f"{number} {words}"}
        rows: list[tuple[str, dict[str, object]]] = [
            (
                "assistant",
                {"requestId": f"r{number}", "message": {**message, "content": [{"type": "text", "text": words[:900]}]}},
            ),
            ("assistant", {"requestId": f"r{number}", "message": {**message, "content": [call]}}),
            ("user", {"message": {"role": "user", "content": [result]}}),
        ]
        if number % 10 == 0:
            rows.insert(0, ("user", {"message": {"role": "user", "content": f"turn {number}"}}))
        for place, (kind, more) in enumerate(rows):
            name = f"{number}-{place}"
            line = row(kind, name, **more)
            parent, written = name, written + len(line)
            yield line
        context += 1_500
        if context > 167_000:
            about = {"trigger": "auto", "preTokens": context}
            logical, parent = parent, None
            yield row(
                "system", f"{number}-b", subtype="compact_boundary", logicalParentUuid=logical, compactMetadata=about
            )
            parent, context = f"{number}-b", 20_000
        number += 1


def measure(path: Path) -> tuple[float, float, int]:
    """Seconds, megabytes and responses of one run."""
    start = time.perf_counter()
    with path.with_suffix(".json").open("wb") as out:
        child = subprocess.Popen([sys.executable, "-m", "keel_ref.cli", "session", str(path), "--json"], stdout=out)
        _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    seconds = time.perf_counter() - start
    assert child.returncode == 0, f"the verb ended with {child.returncode}"
    report = json.loads(path.with_suffix(".json").read_bytes())
    return seconds, usage.ru_maxrss / 1_024, len(report["responses"])


def main() -> int:
    """Measure file after file, and say what grew too fast."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--megabytes", type=int, default=200, help="size of the largest file (default: 200)")
    parser.add_argument("--limits", action="store_true", help="hold a file of 100 MB to the limits, too")
    options = parser.parse_args()
    bad: list[str] = []
    before: tuple[int, float, float] | None = None
    size = min(25, options.megabytes)
    with tempfile.TemporaryDirectory() as folder:
        while size <= options.megabytes:
            path = Path(folder) / "s.jsonl"
            with path.open("wb") as file:
                file.writelines(session_lines(size * MEGABYTE))
            seconds, megabytes, responses = measure(path)
            sys.stdout.write(
                f"{size:>5} MB  {seconds:6.2f} s  {megabytes:6.0f} MB in memory  {responses:>8,} responses\n"
            )
            sys.stdout.flush()
            if before is not None:
                grown = size / before[0] * SLACK
                bad += [f"{size} MB: time"] * (seconds > before[1] * grown)
                bad += [f"{size} MB: memory"] * (megabytes > before[2] * grown)
            if options.limits and size == 100:
                bad += ["100 MB: the limit of time"] * (seconds > LIMIT_SECONDS)
                bad += ["100 MB: the limit of memory"] * (megabytes > LIMIT_MEGABYTES)
            before = size, seconds, megabytes
            size *= 2
    sys.stdout.write(f"{'; '.join(bad) or 'linear'}\n")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
