"""What `keel-ref calibrate` counts: the plan, the counters, and the counts as they come in."""

from __future__ import annotations

import argparse
import hashlib
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from attrs import frozen

from keel_ref import fast
from keel_ref.adapters.calibration_state import CalibrationState
from keel_ref.cli.calibrate_check import check_is_writable, check_out, check_state
from keel_ref.cli.calibrate_texts import read_bytes, read_texts
from keel_ref.cli.families import read_family
from keel_ref.cli.options import put
from keel_ref.cli.progress import watch_counts
from keel_ref.cli.terminal_text import visible
from keel_ref.conformance.exits import ExitCode, UsageError
from keel_ref.ports import TextCounter
from keel_ref.tokens.families import Family
from keel_ref.tokens.windows import Draw, Window, draw

PROBE = Window.of(".")
"""Its count shows what the provider adds to each message: all of it but one token."""


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
    counter_name: str
    """Who counts, as the state file knows it."""

    @property
    def windows(self) -> tuple[Window, ...]:
        """All that is to be counted, the probe first where there is one."""
        return (PROBE, *self.draw.windows) if self.model else self.draw.windows


def plan_job(options: argparse.Namespace, most: int) -> Job:
    """What is to be done. Raises `UsageError` for what cannot be."""
    if options.base_url is not None and options.model is None:
        raise UsageError("--base-url goes with --model; a tokenizer has no address")
    out, state = Path(options.out), options.state or (f"{options.out}.state" if options.model else None)
    check_state(state, out)
    check_out(out, options.texts)
    base = None if options.family is None else read_family(options.family)
    drawn = draw(read_texts(options.texts), most - 1 if options.model else most)
    if not drawn.fitted:
        raise UsageError("there is no text in these files to fit a table to")
    return Job(
        draw=drawn,
        out=out,
        base=base,
        model=options.model,
        tokenizer=options.tokenizer,
        base_url=options.base_url,
        most=most,
        state=state,
        counter_name=_counter_name(options.tokenizer, options.model, options.base_url),
    )


def _counter_name(tokenizer: str | None, model: str | None, base_url: str | None) -> str:
    """Who counts; an address is not written down. Raises `UsageError`."""
    if tokenizer is not None:
        return f"tokenizer {hashlib.sha256(read_bytes(tokenizer)).hexdigest()}"
    address = base_url or os.environ.get("ANTHROPIC_BASE_URL") or ""
    where = f" at {hashlib.sha256(address.encode()).hexdigest()[:12]}" if address else ""
    return f"model {model}{where}"


def dry_run(job: Job) -> int:
    """Say what would be counted; count and send nothing."""
    known = CalibrationState.load(job.counter_name, job.state).counts
    missing = [window for window in job.windows if window.digest not in known]
    tokens = sum(fast.estimate_text(window.text) for window in missing)
    whom = f"calls for the model {visible(job.model)}" if job.model else "counts by the tokenizer, on this machine"
    said = (
        f"{len(missing):,} {whom}, about {tokens:,} tokens (the bound of any) in all; {job.most:,} calls are allowed\n"
    )
    if len(missing) < len(job.windows):
        said += f"{len(job.windows) - len(missing):,} counts are in {visible(str(job.state))} already\n"
    put(f"{said}nothing was sent\n", sys.stdout)
    return ExitCode.CONFORMANT


def count_windows(job: Job) -> Mapping[str, int] | None:
    """The counts by the digest of the window; None where it ended early, which has been said."""
    windows = job.windows
    with (
        CalibrationState.load(job.counter_name, job.state) as state,
        _counter(job, is_asked=any(window.digest not in state.counts for window in windows)) as counter,
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
def _counter(job: Job, *, is_asked: bool) -> Iterator[TextCounter]:
    """Whoever counts. Raises `KeelError` where that is seen to be impossible before anything is counted."""
    if is_asked:
        check_is_writable(job.state)
    if job.tokenizer is not None:
        from keel_ref.adapters.hf_tokenizers import load_tokenizer

        yield load_tokenizer(job.tokenizer)
        return
    from keel_ref.adapters.anthropic_api import connect

    assert job.model is not None
    with connect(job.model, base_url=job.base_url, max_requests=job.most) as counter:
        if is_asked and not counter.has_key:
            raise UsageError("there is no key for the provider; set ANTHROPIC_API_KEY, or count with --tokenizer FILE")
        yield counter


def _say_stopped(job: Job, state: CalibrationState, problem: str) -> None:
    done = sum(window.digest in state.counts for window in job.windows)
    said = f"keel-ref: stopped at {done:,} of {len(job.windows):,} counts: {visible(problem)}\n"
    if job.state is not None and done:
        said += f"keel-ref: they are kept in {visible(job.state)}; the same command goes on from there\n"
    put(said, sys.stderr)
