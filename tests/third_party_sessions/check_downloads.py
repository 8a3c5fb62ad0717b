"""Download session files that others publish, and read each of them; for `make other-sessions`, never in a normal run.

python tests/third_party_sessions/check_downloads.py
"""

from __future__ import annotations

import subprocess
import sys
import tarfile
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from keel_ref.adapters.session_stream import read_session_log
from keel_ref.audit.gather import gather
from keel_ref.audit.report import audit
from keel_ref.window.limits import window_limits

PACKAGES = ("claude-context-cost==1.7.0", "claude-code-log==1.7.0", "claude-code-transcripts==0.6")
TOTALS = {"claude_context_cost/example.jsonl": 159_160}
"""Input tokens that a project publishes for one of its files, by the end of its path."""
LEAST_FILES = 60


def download(package: str, folder: Path) -> None:
    """The source distribution of a package, unpacked."""
    words = ["download", "--quiet", "--no-deps", "--no-binary", ":all:", "--dest", str(folder), package]
    subprocess.run([sys.executable, "-m", "pip", *words], check=True)
    for archive in folder.glob("*.tar.gz"):
        with tarfile.open(archive) as held:
            held.extractall(folder, filter="data")
        archive.unlink()


def findings(folder: Path) -> Iterator[str]:
    """What is wrong with what was read, one line each."""
    files = sorted(folder.rglob("*.jsonl"))
    if len(files) < LEAST_FILES:
        yield f"only {len(files)} files were found; {LEAST_FILES} were there before"
    for path in files:
        name = path.relative_to(folder).as_posix()
        log = read_session_log(str(path))
        lines = path.read_bytes().splitlines(keepends=True)
        recording = gather(lines, name)
        audit(recording, window_limits(recording.model), is_window_known=False)
        sent = sum(response.sent for response in recording.responses)
        reasons = Counter(str(problem.reason) for problem in log.problems)
        counts = f"{log.lines:,} lines, {len(recording.responses):,} responses, {sent:,} tokens, {dict(reasons)}"
        sys.stdout.write(f"{name}: {counts}\n")
        rows = len(log.rows) + sum(number for _, number in log.other_kinds)
        lost = log.lines - rows - sum(reasons[reason] for reason in ("broken-line", "duplicate-uuid", "no-kind"))
        if lost:
            yield f"{name}: {lost} lines are neither rows nor reported"
        for end, total in TOTALS.items():
            if name.endswith(end) and sent != total:
                yield f"{name}: {sent:,} tokens, and {total:,} are published"


def main() -> int:
    """0 when every file was read and every published total is ours."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for package in PACKAGES:
            download(package, folder)
        wrong = list(findings(folder))
    sys.stdout.write("\n".join(wrong or ["every published total is ours"]) + "\n")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
