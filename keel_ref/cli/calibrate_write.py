"""What `keel-ref calibrate` makes of its counts: the table, where it comes from, and what is told of it."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import attrs

from keel_ref.cli.calibrate_run import PROBE, Job
from keel_ref.cli.memory_text import visible
from keel_ref.conformance.exits import ExitCode, UsageError
from keel_ref.tokens.families import FAMILIES
from keel_ref.tokens.family_file import family_as_object
from keel_ref.tokens.fit import PERMILLE, SAFETY, WINDOWS_TO_CHOOSE, Figures, Fit, Sample, fit_family
from keel_ref.tokens.windows import SEED, WINDOW_CHARACTERS, Window
from keel_ref.units import div_floor

SAFETY_PERMILLE = int(SAFETY * PERMILLE)


def write_table(job: Job, counts: Mapping[str, int]) -> int:
    """Fit the table to the counts, write it, and tell what it is worth. Raises `UsageError`."""
    frame = max(0, counts[PROBE.digest] - 1) if job.model else 0
    fitted = _samples(job.draw.fitted, counts, frame)
    if not any(sample.tokens for sample in fitted):
        raise UsageError("every count is 0, so there is nothing to fit a table to")
    fit = fit_family(fitted, job.out.stem, job.base)
    held_out = Figures.of(fit.family, _samples(job.draw.held_out, counts, frame))
    document = family_as_object(fit.family, _provenance(job, fit, held_out, frame))
    _replace(job.out, f"{json.dumps(document)}\n")
    for line in _report(job, fit, held_out):
        print(line)
    return ExitCode.CONFORMANT


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
        "factor_permille": _permille(fit),
        "safety_permille": SAFETY_PERMILLE,
        "capped_weights": fit.capped,
        "seed": SEED,
        "window_characters": WINDOW_CHARACTERS,
        "fitted": {"files": job.draw.fitted_files, **attrs.asdict(fit.figures)},
        "held_out": {"files": job.draw.held_out_files, **attrs.asdict(held_out)},
        "made": datetime.now(UTC).date().isoformat(),
    }


def _report(job: Job, fit: Fit, held_out: Figures) -> Iterator[str]:
    times = f"{_ratio(_permille(fit))}, of which {_ratio(SAFETY_PERMILLE)} is safety"
    yield f"{fit.base} ({_why(job)}), its weights times {times}"
    yield f"{'':<10}{'files':>7}{'windows':>9}{'below':>7}{'worst':>8}{'median':>8}   (bound by count)"
    for name, files, figures in (
        ("fitted", job.draw.fitted_files, fit.figures),
        ("held out", job.draw.held_out_files, held_out),
    ):
        ratios = f"{_ratio(figures.worst_permille):>8}{_ratio(figures.median_permille):>8}"
        yield f"{name:<10}{files:>7,}{figures.windows:>9,}{figures.below:>7,}{ratios}"
    if fit.capped:
        yield f"{fit.capped} weights came out above 255 and are 255: windows rich in them can lie below their count"
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


def _permille(fit: Fit) -> int:
    return div_floor(fit.factor.numerator * PERMILLE, fit.factor.denominator)


def _ratio(permille: int | None) -> str:
    return "–" if permille is None else f"{permille // PERMILLE}.{permille % PERMILLE:03}"


def _replace(path: Path, text: str) -> None:
    """Write the file whole or not at all. Raises `UsageError`."""
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        try:
            beside.write_text(text, encoding="utf-8")
            beside.replace(path)
        finally:
            beside.unlink(missing_ok=True)
    except OSError as error:
        raise UsageError(f"--out {path}: cannot be written ({error.strerror or error})") from error
