# mypy: ignore-errors
"""The second fresh test, by fresh2.toml: fetches and draws texts that nobody looked at before, and counts nothing.

count.py counts these texts with the others, measure_fresh.py compares. No text of it is ever learnt from. The first
fresh test, by fresh.toml, was looked at and has since gone into the corpus.
"""

import json
import sys

from corpus import CORPUS
from fetch import gathered
from lists import long_lines, windows_of
from settings import CACHE, HERE

LIST = HERE / "fresh2.toml"
FRESH = CACHE / "fresh2.jsonl"
PACKAGES = CACHE / "fresh2-packages.json"


def main() -> None:
    """Fetches the packages and writes the windows, without counting anything."""
    PACKAGES.write_text(json.dumps(gathered(LIST), indent=1), encoding="utf-8")
    seen = lines_of_corpus()
    kept = 0
    with FRESH.open("w", encoding="utf-8") as out:
        for window in windows_of(LIST, seen):
            out.write(json.dumps(window | {"set": "fresh", "size": "window"}, ensure_ascii=False) + "\n")
            kept += 1
    sys.stderr.write(f"{kept} fresh windows\n")


def lines_of_corpus() -> set[str]:
    """All lines by which texts are known again, of those of the fit and of those held out."""
    with CORPUS.open(encoding="utf-8") as rows:
        return {line for row in rows for line in long_lines(json.loads(row)["text"])}


if __name__ == "__main__":
    main()
