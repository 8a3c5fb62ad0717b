"""What `keel-ref calibrate` makes of its counts: the table, where it comes from, and what is told of it."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from fractions import Fraction
from pathlib import Path
from typing import Any

import attrs

from keel_ref.cli.calibrate_check import written_whole
from keel_ref.cli.calibrate_run import PROBE, Job
from keel_ref.cli.options import put
from keel_ref.cli.terminal_text import visible
from keel_ref.conformance.exits import ExitCode, UsageError
from keel_ref.tokens.families import FAMILIES
from keel_ref.tokens.family_file import family_as_object
from keel_ref.tokens.fit import PERMILLE, SAFETY, WINDOWS_TO_CHOOSE, Figures, Fit, Sample, fit_family
from keel_ref.tokens.windows import SEED, WINDOW_CHARACTERS, Window
from keel_ref.units import div_floor

SAFETY_PERMILLE = int(SAFETY * PERMILLE)


def write_table(job: Job, counts: Mapping[str, int]) -> int:
    """Fit the table to the counts, write it, and tell what it is worth. Raises `UsageError`.

    The table is written too where a window lies below its count, with that in its figures; then the code is 1.
    """
    frame = max(0, counts[PROBE.digest] - 1) if job.model else 0
    fitted = _samples(job.draw.fitted, counts, frame)
    if not any(sample.tokens for sample in fitted):
        raise UsageError("every count is 0, so there is nothing to fit a table to")
    fit = fit_family(fitted, job.out.stem, job.base)
    held_out = Figures.of(fit.family, _samples(job.draw.held_out, counts, frame))
    document = family_as_object(fit.family, _provenance(job, fit, held_out, frame))
    _replace(job.out, f"{json.dumps(document)}\n")
    put("".join(f"{line}\n" for line in _report(job, fit, held_out)), sys.stdout)
    if not fit.figures.below:
        return ExitCode.CONFORMANT
    put(_below_line(fit), sys.stderr)
    return ExitCode.NOT_CONFORMANT


def _samples(windows: Sequence[Window], counts: Mapping[str, int], frame: int) -> list[Sample]:
    """The windows with their counts, without what the provider adds to each message."""
    return [Sample.of(window.text, max(0, counts[window.digest] - frame)) for window in windows]


def _provenance(job: Job, fit: Fit, held_out: Figures, frame: int) -> Mapping[str, Any]:
    """Where the table comes from, and what it is worth."""
    return {
        "counter": job.counter_name if job.model is None else "the provider's counting call",
        "model": job.model,
        "calls": len(job.windows),
        "frame_tokens": frame,
        "base": fit.base,
        "factor_permille": _permille(fit.factor),
        "safety_permille": SAFETY_PERMILLE,
        "capped_weights": fit.capped,
        "raised_permille": _permille(fit.raised),
        "unreachable_windows": fit.unreachable,
        "seed": SEED,
        "window_characters": WINDOW_CHARACTERS,
        "fitted": {"files": job.draw.fitted_files, **attrs.asdict(fit.figures)},
        "held_out": {"files": job.draw.held_out_files, **attrs.asdict(held_out)},
        "made": datetime.now(UTC).date().isoformat(),
    }


def _report(job: Job, fit: Fit, held_out: Figures) -> Iterator[str]:
    times = f"{_ratio(_permille(fit.factor / SAFETY))}, then {_ratio(SAFETY_PERMILLE)} for safety"
    yield f"{fit.base} ({_why(job)}), its weights times {times}"
    yield f"{'':<10}{'files':>7}{'windows':>9}{'below':>7}{'worst':>8}{'median':>8}   (bound by count)"
    for name, files, figures in (
        ("fitted", job.draw.fitted_files, fit.figures),
        ("held out", job.draw.held_out_files, held_out),
    ):
        ratios = f"{_ratio(figures.worst_permille):>8}{_ratio(figures.median_permille):>8}"
        yield f"{name:<10}{files:>7,}{figures.windows:>9,}{figures.below:>7,}{ratios}"
    if fit.capped:
        others = "" if fit.raised == 1 else f"; for it the others are raised, times {_ratio(_permille(fit.raised))}"
        yield f"{fit.capped} of the weights came out above 255, the largest that a table holds, and are 255{others}"
    if not held_out.windows:
        yield "nothing was held out, so how the table does on other texts is not known; give it more files"
    shown = visible(str(job.out))
    yield f"wrote {shown}; use it as --family {shown}, or by keel_ref.load_family"


def _why(job: Job) -> str:
    """Why this table was scaled and no other."""
    if job.base is not None:
        return "as asked"
    if len(job.draw.fitted) < WINDOWS_TO_CHOOSE:
        return f"with fewer than {WINDOWS_TO_CHOOSE} fitted windows none nearer can be chosen"
    return f"the nearest of {len(FAMILIES)} on these texts"


def _below_line(fit: Fit) -> str:
    """One line for stderr."""
    windows = f"{fit.figures.below:,} of {fit.figures.windows:,} fitted windows"
    return (
        f"keel-ref: {windows} lie below their count: it is above what any table gives them (about 4 tokens a byte); "
        "leave out the texts that they are from, or do not rely on the bound for such\n"
    )


def _permille(factor: Fraction) -> int:
    return div_floor(factor.numerator * PERMILLE, factor.denominator)


def _ratio(permille: int | None) -> str:
    return "–" if permille is None else f"{permille // PERMILLE}.{permille % PERMILLE:03}"


def _replace(path: Path, text: str) -> None:
    """Write the file whole or not at all. Raises `UsageError`."""
    with written_whole(path) as beside:
        beside.write_text(text, encoding="utf-8")
        beside.replace(path)
