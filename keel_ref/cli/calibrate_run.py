"""What `keel-ref calibrate` counts: the plan, the counters, and the counts as they come in."""

from __future__ import annotations

import argparse
import hashlib
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

from attrs import frozen

from keel_ref import fast
from keel_ref.adapters.calibration_state import CalibrationState
from keel_ref.cli.families import read_family
from keel_ref.cli.memory_text import visible
from keel_ref.cli.progress import watch_counts
from keel_ref.conformance.exits import ExitCode, UsageError
from keel_ref.tokens.families import Family
from keel_ref.tokens.family_file import SCHEMA
from keel_ref.tokens.windows import Draw, Window, draw

TEXT_CAP_BYTES = 64 * 1024 * 1024
"""Of a larger file only the beginning is drawn from."""
PROBE = Window.of(".")
"""Its count shows what the provider adds to each message: all of it but one token."""


class TextCounter(Protocol):
    """Whoever counts."""

    last_problem: str | None
    """Why the last answer was None."""

    def count_text(self, text: str) -> int | None:
        """Tokens of one text; None where there is no count."""


@frozen(kw_only=True)
class Job:
    """A calibration, planned."""

    draw: Draw
    out: Path
    base: Family | None
    """None: to be chosen by the counts."""
    model: str | None
    """The model that the provider counts for; None where a tokenizer counts."""
    tokenizer: str | None
    base_url: str | None
    most: int
    """Calls that may be made."""
    state: str | None
    """Where counts are kept."""

    @property
    def windows(self) -> tuple[Window, ...]:
        """All that is to be counted, the probe first where there is one."""
        return (PROBE, *self.draw.windows) if self.model else self.draw.windows

    @property
    def counter_name(self) -> str:
        """Who counts, as the state file knows it; an address is not written down."""
        if self.tokenizer is not None:
            return f"tokenizer {hashlib.sha256(_read(self.tokenizer)).hexdigest()}"
        address = self.base_url or os.environ.get("ANTHROPIC_BASE_URL") or ""
        where = f" at {hashlib.sha256(address.encode()).hexdigest()[:12]}" if address else ""
        return f"model {self.model}{where}"


def plan_job(options: argparse.Namespace, most: int) -> Job:
    """What is to be done. Raises `UsageError` for what cannot be."""
    if options.base_url is not None and options.model is None:
        raise UsageError("--base-url goes with --model; a tokenizer has no address")
    out, state = Path(options.out), options.state or (f"{options.out}.state" if options.model else None)
    if state is not None and Path(state).absolute() == out.absolute():
        raise UsageError(f"--state {state}: the table goes there")
    _check_out(out, options.texts)
    texts = [_read(name, TEXT_CAP_BYTES).decode("utf-8", "replace") for name in options.texts]
    drawn = draw(texts, most - 1 if options.model else most)
    if not drawn.fitted:
        raise UsageError("there is no text in these files to fit a table to")
    return Job(
        draw=drawn,
        out=out,
        base=None if options.family is None else read_family(options.family),
        model=options.model,
        tokenizer=options.tokenizer,
        base_url=options.base_url,
        most=most,
        state=state,
    )


def dry_run(job: Job) -> int:
    """Say what would be counted; count and send nothing."""
    known = CalibrationState.load(job.counter_name, job.state).counts
    missing = [window for window in job.windows if window.digest not in known]
    tokens = sum(fast.estimate_text(window.text) for window in missing)
    whom = f"calls for the model {visible(job.model)}" if job.model else "counts by the tokenizer, on this machine"
    print(f"{len(missing):,} {whom}, about {tokens:,} tokens (the bound of any) in all; {job.most:,} calls are allowed")
    if len(missing) < len(job.windows):
        print(f"{len(job.windows) - len(missing):,} counts are in {visible(str(job.state))} already")
    print("nothing was sent")
    return ExitCode.CONFORMANT


def count_windows(job: Job) -> Mapping[str, int] | None:
    """The counts by the digest of the window; None where it ended early, which has been said."""
    windows = job.windows
    with (
        CalibrationState.load(job.counter_name, job.state) as state,
        _counter(job) as counter,
        watch_counts(len(windows), is_slow=job.model is not None) as progress,
    ):
        try:
            for window in windows:
                if window.digest not in state.counts:
                    tokens = counter.count_text(window.text)
                    if tokens is None:
                        _say_stopped(job, state, str(counter.last_problem))
                        return None
                    state.add(window.digest, tokens)
                progress(1)
        except KeyboardInterrupt:
            _say_stopped(job, state, "broken off")
            raise
        return dict(state.counts)


@contextmanager
def _counter(job: Job) -> Iterator[TextCounter]:
    if job.tokenizer is not None:
        from keel_ref.adapters.hf_tokenizers import load_tokenizer

        yield load_tokenizer(job.tokenizer)
        return
    from keel_ref.adapters.anthropic_api import connect

    assert job.model is not None
    with connect(job.model, base_url=job.base_url, max_requests=job.most) as counter:
        yield counter


def _say_stopped(job: Job, state: CalibrationState, problem: str) -> None:
    done = sum(window.digest in state.counts for window in job.windows)
    print(f"keel-ref: stopped at {done:,} of {len(job.windows):,} counts: {visible(problem)}", file=sys.stderr)
    if job.state is not None and done:
        print(f"keel-ref: they are kept in {visible(job.state)}; the same command goes on from there", file=sys.stderr)


def _check_out(out: Path, texts: list[str]) -> None:
    """Refuse to write where no table should go, before anything is asked."""
    if out.is_dir() or not out.absolute().parent.is_dir():
        raise UsageError(f"--out {out}: it is a folder, or lies in none that exists")
    if out.exists() and (any(Path(name).exists() and out.samefile(name) for name in texts) or not _is_table(out)):
        raise UsageError(f"--out {out}: that file is there and is no table of a family; name another, or remove it")


def _is_table(path: Path) -> bool:
    """Whether the file looks like what we write."""
    return SCHEMA.encode() in _read(str(path), 1_000)


def _read(name: str, most: int = -1) -> bytes:
    """The bytes of a file. Raises `UsageError`."""
    if Path(name).is_dir():
        raise UsageError(f"{name}: is a folder; name the files in it, as a shell does for FOLDER/*")
    try:
        with Path(name).open("rb") as file:
            return file.read(most)
    except OSError as error:
        raise UsageError(f"{name}: cannot be read ({error.strerror or error})") from error
