"""Compares the native kernels with the model on a million random inputs: `make soak-tokens`.

Each example has a seed of its own, so a difference can be seen again: `--seed N --examples 1`. Exit 1 after the first
difference, which is printed with its input.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable
from multiprocessing import Pool
from pathlib import Path
from random import Random

from keel_ref import fast, tokens
from keel_ref.errors import KeelError
from keel_ref.messages import rounds
from keel_ref.tokens.families import FAMILIES
from tests.soak.generate import random_bytes, random_line, random_rows, random_text

NAMES = tuple(FAMILIES)
METHODS = ("documented", "bound")
BATCH = 2_000
LINES = 20
"""Lines of one session file."""


def differs(seed: int) -> str:
    """What the example of this seed shows; empty when both agree."""
    rng = Random(seed)  # noqa: S311 (the same examples every time)
    check = rng.choices((_text, _rows, _session), weights=(60, 35, 5))[0]
    return check(rng)


def _text(rng: Random) -> str:
    text = random_text(rng) if rng.random() < 0.6 else random_bytes(rng)
    method, family, kind = rng.choice(METHODS), rng.choice(NAMES), rng.choice(("text", "json"))
    given = fast.estimate_text(text, method=method, family=family, kind=kind)
    wanted = tokens.estimate_text(text, method=method, family=family, kind=kind)
    return "" if given == wanted else f"{text!r} {method} {family} {kind}: native {given}, model {wanted}"


def _rows(rng: Random) -> str:
    rows, method, family = random_rows(rng), rng.choice(METHODS), rng.choice(NAMES)
    given = _outcome(lambda: fast.estimate_messages(rows, method=method, family=family))
    wanted = _outcome(lambda: tokens.estimate_messages(rows, method=method, family=family).tokens)
    if given != wanted:
        return f"{rows!r} {method} {family}: native {given}, model {wanted}"
    if fast.api_rounds(rows) != rounds.api_rounds(rows):
        return f"{rows!r}: native {fast.api_rounds(rows)}, model {rounds.api_rounds(rows)}"
    return ""


def _session(rng: Random) -> str:
    data = b"".join(random_line(rng) for _ in range(rng.randrange(LINES)))
    method, family = rng.choice(METHODS), rng.choice(NAMES)
    with tempfile.NamedTemporaryFile(suffix=".jsonl") as file:
        Path(file.name).write_bytes(data)
        given = fast.estimate_transcript(file.name, method=method, family=family)
    wanted = tokens.count_lines(_lines(data), method=method, family=family)
    return "" if given == wanted else f"{data!r} {method} {family}: native {given}, model {wanted}"


def _lines(data: bytes) -> list[bytes]:
    """Lines end with LF and nothing else."""
    parts = data.split(b"\n")
    return [part + b"\n" for part in parts[:-1]] + ([parts[-1]] if parts[-1] else [])


def _outcome(call: Callable[[], int]) -> object:
    try:
        return call()
    except KeelError as error:
        return type(error).__name__, getattr(error, "place", "")


def _batch(first: int) -> tuple[int, int, str]:
    """One batch: its first seed, how many examples it looked at, and the first difference."""
    for seed in range(first, first + BATCH):
        found = differs(seed)
        if found:
            return first, seed - first + 1, f"seed {seed}: {found}"
    return first, BATCH, ""


def main() -> int:
    """Run the examples on two processes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--examples", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=0, help="of the first example")
    options = parser.parse_args()
    if options.examples < BATCH:
        found = next(filter(None, map(differs, range(options.seed, options.seed + options.examples))), "")
        sys.stdout.write(f"{found or 'no difference'}\n")
        return 1 if found else 0
    if fast.BACKEND != "native":
        sys.exit("there is no native module to compare with")
    done = 0
    with Pool(2) as pool:
        for _, looked_at, found in pool.imap_unordered(
            _batch, range(options.seed, options.seed + options.examples, BATCH)
        ):
            done += looked_at
            if found:
                sys.stdout.write(f"{found}\n")
                return 1
    sys.stdout.write(f"{done} examples, no difference\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
