"""Lays the lines of the session files of the tests, and the odd lines beside them, where a search starts from."""

import sys
from hashlib import sha256
from pathlib import Path

ROOT = Path(__file__).parents[2]
SMALL_BYTES = 2_000
"""Longer lines slow the search down more than they help it."""


def lay_seeds(folder: Path) -> None:
    """One file for each short line, and one for each file of `seeds/session`."""
    folder.mkdir(parents=True, exist_ok=True)
    seeds = [path.read_bytes() for path in sorted((Path(__file__).parent / "seeds" / "session").iterdir())]
    for path in sorted((ROOT / "tests" / "fixtures" / "sessions").glob("*.jsonl")):
        seeds += [line for line in path.read_bytes().splitlines(keepends=True) if len(line) <= SMALL_BYTES]
    for seed in seeds:
        (folder / sha256(seed).hexdigest()[:16]).write_bytes(seed)


lay_seeds(Path(sys.argv[1]))
