# mypy: ignore-errors
"""Counts every window with every tokenizer, once: counts are kept below the cache by the digest of the text.

`python count.py NAME...` counts with those; `count.py` alone with all that this interpreter can load.
"""

import hashlib
import json
import sys
import time

from counters import COUNTERS, is_claude, load
from settings import CACHE

COUNTS = CACHE / "counts"


def main() -> None:
    """Counts what has not been counted."""
    names = sys.argv[1:] or [name for name in COUNTERS if not is_claude(name)]
    COUNTS.mkdir(exist_ok=True)
    texts: dict[str, str] = {}
    for path in (CACHE / "corpus.jsonl", CACHE / "fresh2.jsonl"):
        with path.open(encoding="utf-8") as lines:
            texts |= {digest(text): text for line in lines for text in (json.loads(line)["text"],)}
    for name in names:
        started = time.monotonic()
        known = read_counts(name)
        missing = [key for key in texts if key not in known]
        if missing:
            count = load(name)
            for done, key in enumerate(missing, 1):
                known[key] = count(texts[key])
                if done % 2000 == 0:
                    write_counts(name, known)
            write_counts(name, known)
        sys.stderr.write(f"{name}: {len(missing)} counted in {time.monotonic() - started:.0f} s\n")


def digest(text: str) -> str:
    """The key of a text."""
    return hashlib.sha256(text.encode()).hexdigest()[:24]


def read_counts(name: str) -> dict[str, int]:
    """What has been counted with this tokenizer, by any earlier run."""
    path = COUNTS / f"{name}.json"
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def write_counts(name: str, counts: dict[str, int]) -> None:
    """Keeps the counts, whole or not at all."""
    path = COUNTS / f"{name}.json"
    path.with_suffix(".new").write_text(json.dumps(counts), encoding="utf-8")
    path.with_suffix(".new").replace(path)


if __name__ == "__main__":
    main()
