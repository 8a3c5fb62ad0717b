"""Reads generated session files, legal and broken, and holds each reading to what was written: `make soak-sessions`.

Each example has a seed of its own, so a difference can be seen again: `--seed N --examples 1`. Exit 1 after the
first difference. Beside the files with a known truth each seed also gives one that is damaged anywhere: of that nothing
is known but that every line and every row must be accounted for.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Sequence
from multiprocessing import Pool

from keel_ref.strategies.draws import SeededDraw
from keel_ref.strategies.session_defects import DEFECTS
from keel_ref.strategies.session_drawing import draw_session
from keel_ref.strategies.session_truth import KnownSession, find_differences
from keel_ref.strategies.sessions import plant_defects
from keel_ref.transcript.log import Reason, SessionLog
from keel_ref.transcript.reader import read_log

BATCH = 100
LONGEST = (2, 6, 12, 40)
"""Moves of a session, in turn."""
PATIENCE_SECONDS = 10
"""Of processor time for one file; each takes a few thousandths."""
BYTES = (b"", b"\n", b'"', b"{", b"}", b"\0", b"\xff", b"null", b"us0002")
UNREAD = {
    *(Reason.BROKEN_LINE, Reason.JOINED_LINES, Reason.NOT_AN_OBJECT, Reason.LONG_LINE, Reason.DEEP_LINE),
    *(Reason.INCOMPLETE_LINE, Reason.NO_KIND, Reason.DUPLICATE_UUID, Reason.CHANGED_DUPLICATE),
}
"""Reasons for which a line is no row."""


def differs(seed: int) -> tuple[str, Counter[str]]:
    """What the example of this seed shows, empty when all is well; and how often each thing was reported."""
    draw = SeededDraw(seed, 0)
    known = draw_session(draw, longest=LONGEST[seed % len(LONGEST)])
    name = draw.pick(tuple(DEFECTS))
    files = {"legal": known, "broken": plant_defects(draw, known), name: DEFECTS[name](draw, known) or known}
    seen: Counter[str] = Counter()
    for kind, file in files.items():
        started = time.process_time()
        log = read_log(file.data, cost=lambda _: 1)
        seen.update(problem.reason.value for problem in log.problems)
        found = [*find_differences(file, log), *lost(log, file.data)]
        if kind == "legal" and log.complaints:
            found.append(f"complaints: {log.complaints}")
        if time.process_time() - started > PATIENCE_SECONDS:
            found.append("it takes too long")
        if found:
            return f"{kind}: {found[0]}", seen
    lines = damaged(draw, files["broken"])
    return "".join(lost(read_log(lines, cost=lambda _: 1), lines)), seen


def damaged(draw: SeededDraw, known: KnownSession) -> list[bytes]:
    """Its bytes, changed in some places."""
    file = b"".join(line or b"" for line in known.data)
    for _ in range(draw.integer(1, 6)):
        at = draw.integer(0, len(file))
        file = file[:at] + draw.pick(BYTES) + file[at + draw.integer(0, 60) :]
    return [part + b"\n" for part in file.split(b"\n")]


def lost(log: SessionLog, lines: Sequence[bytes | None]) -> list[str]:
    """What was lost without a word."""
    blank = sum(line is not None and not line.strip(b" \t\r\n") for line in lines)
    named = sum(problem.reason in UNREAD for problem in log.problems)
    told = blank + named + len(log.rows) + sum(count for _, count in log.other_kinds)
    placed = {*log.conversation, *(place for side in log.side_chains for place in side.conversation)}
    left = sum(place not in placed and row.uuid is not None for place, row in enumerate(log.rows))
    branches = [one for one in log.problems if one.reason in {Reason.ABANDONED_BRANCH, Reason.UNREACHABLE}]
    in_branches = sum(int(branch.detail.split()[0]) for branch in branches)
    found = [] if told == len(lines) else [f"{len(lines)} lines, {told} accounted for"]
    return found if left == in_branches else [*found, f"{left} rows left out, {in_branches} named"]


def _batch(first: int) -> tuple[int, str, Counter[str]]:
    seen: Counter[str] = Counter()
    for seed in range(first, first + BATCH):
        found, told = differs(seed)
        seen += told
        if found:
            return seed - first + 1, f"seed {seed}: {found}", seen
    return BATCH, "", seen


def main() -> int:
    """Run the examples on two processes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--examples", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0, help="of the first example")
    options = parser.parse_args()
    if options.examples < BATCH:
        found = next(
            filter(None, (differs(seed)[0] for seed in range(options.seed, options.seed + options.examples))), ""
        )
        sys.stdout.write(f"{found or 'no difference'}\n")
        return 1 if found else 0
    done, seen = 0, Counter[str]()
    with Pool(2) as pool:
        starts = range(options.seed, options.seed + options.examples, BATCH)
        for looked_at, found, told in pool.imap_unordered(_batch, starts):
            done += looked_at
            seen += told
            if found:
                sys.stdout.write(f"{found}\n")
                return 1
    sys.stdout.write(f"{done} examples, no difference\n")
    sys.stdout.writelines(f"{count:9} {reason}\n" for reason, count in sorted(seen.items()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
