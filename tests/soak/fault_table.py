"""Writes `RESULTS.md` beside this file from what `make machine-faults` and `make explore-faults` kept with `--lines`.

python -m tests.soak.fault_table machine.ndjson explore.ndjson
"""

import json
import statistics
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.mutants.seeded import SEEDED, subject_of

RESULTS = Path(__file__).with_name("RESULTS.md")
Row = Mapping[str, Any]

HEAD = """\
# Sown faults, and what finds them

Made by `make machine-faults ARGS="--lines machine.ndjson"`, `make explore-faults ARGS="--lines explore.ndjson"` and
`python -m tests.soak.fault_table machine.ndjson explore.ndjson`; not by hand.

Each fault of `tests/mutants/seeded.py` was put into the model alone.

- **Machine**: the machine that lets one program happen to the model and to the naive version of its chapters
  (`tests/machines/paired_machine.py`), at up to 1,000 examples; where it shows, and the steps of the sequence that
  Hypothesis had come to within five seconds.
  The machine that knows no second implementation and asks the laws alone (`--machine laws`) was not measured here: a
  law says nothing about most faults.
- **Exploration**: up to 500 programs of seed 0 over the wire, as many as `keel-ref explore` sends by default (the first
  six rows: up to 1,000), under the defaults, and where these do not show the fault under the other values of the
  choices (*other choices*); steps of the smallest program. Unless it says otherwise, no single step of it can go.
- *not run*: the run was broken off before it came to this fault; with the same `--lines` it goes on there.
- **Shrinking**: making the smallest one small, and nothing else; seconds of the processors, and of the clock on a
  machine that was busy with other work.

"""


def read(path: Path) -> dict[tuple[str, str], Row]:
    """What was kept, the last line of each fault and machine."""
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return {(row["fault"], row.get("machine", "wire")): row for row in rows}


def counted(steps: int) -> str:
    """So many steps, in words."""
    return "1 step" if steps == 1 else f"{steps} steps"


def shown_by(row: Row | None) -> str:
    """By what a machine found a fault, in a few words."""
    if row is None:
        return "not run"
    if row["by"] is None:
        return "not found"
    text = str(row["by"]).partition(": ")[2]
    look = "behind `{}`" if text.startswith("behind ") else "at `{}`"
    step = text.removeprefix("behind ")[2:].partition("'")[0]
    return f"{look.format(step)}, {counted(row['steps'])}" if step else str(row["by"])[:40]


def lines(machine: Mapping[tuple[str, str], Row], wire: Mapping[tuple[str, str], Row]) -> Iterator[str]:
    """The table, row by row."""
    yield "| fault | about | clause | machine | exploration | shrinking |"
    yield "|---|---|---|---|---|---|"
    for mutant in SEEDED:
        seen = wire.get((mutant.name, "wire"))
        paired = shown_by(machine.get((mutant.name, "paired")))
        explored, shrunk = "not found", ""
        if seen is None:
            explored = "not run"
        elif seen["steps"] is not None:
            remark = "" if seen["is_minimal"] else ", not one-minimal"
            others = ", other choices" if "other choices" in seen["way"] else ""
            explored = f"{counted(seen['steps'])}{remark}{others}"
            shrunk = f"{seen['shrink_processor_seconds']:.2f} s, {seen['shrink_seconds']:.2f} s"
        cells = (f"`{mutant.name}`", subject_of(mutant), mutant.clause, paired, explored, shrunk)
        yield f"| {' | '.join(cell.replace('|', ' ') for cell in cells)} |"


def summary(machine: Mapping[tuple[str, str], Row], wire: Mapping[tuple[str, str], Row]) -> str:
    """The figures of all faults in one paragraph."""
    names = [mutant.name for mutant in SEEDED]
    found = [row for name in names if (row := machine.get((name, "paired"))) and row["by"]]
    runs = [sum((name, way) in rows for name in names) for rows, way in ((machine, "paired"), (wire, "wire"))]
    explored = [row for name in names if (row := wire.get((name, "wire"))) and row["steps"] is not None]
    sizes = [row["steps"] for row in explored] or [0]
    processor = [row["shrink_processor_seconds"] for row in explored] or [0.0]
    minimal = sum(row["is_minimal"] for row in explored)
    parts = (
        f"**{len(names)} faults. The machine finds {len(found)} of the {runs[0]} that it was run with, exploration",
        f"{len(explored)} of {runs[1]}: median {statistics.median(sizes):g} steps, most {max(sizes)};",
        f"{minimal} one-minimal; made small in",
        f"{statistics.median(processor):.1f} s of the processors at the median, {max(processor):.1f} s at most.**",
    )
    return "\n".join(parts) + "\n\n"


def main(arguments: Sequence[str]) -> int:
    """Write the page."""
    machine, wire = (read(Path(name)) for name in arguments)
    RESULTS.write_text(HEAD + summary(machine, wire) + "\n".join(lines(machine, wire)) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
