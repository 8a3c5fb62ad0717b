"""What `keel-ref session` is asked, and what it reads."""

from __future__ import annotations

import argparse
from pathlib import Path

from keel_ref.adapters.session_file import SessionFileError
from keel_ref.adapters.session_stream import read_session_log
from keel_ref.choices import Choices, Gates
from keel_ref.cli.options import parse_pairs
from keel_ref.cli.progress import watch_bytes
from keel_ref.session.thresholds import Conditions
from keel_ref.transcript.log import SessionLog


def conditions_of(options: argparse.Namespace) -> Conditions:
    """What the options say of the session. Raises `UsageError` and what `Choices.of` raises."""
    gates = Gates.released()
    if options.gate:
        from keel_ref.cli.verify_input import parse_gates  # brings more along than most questions need

        gates = parse_gates(options.gate)
    return Conditions(
        model=options.model,
        window=options.window,
        max_output=options.max_output,
        betas=tuple(options.beta),
        env=parse_pairs("--env", options.env),
        gates=gates,
        choices=Choices.of(parse_pairs("--choice", options.choice)),
    )


def open_log(path: str) -> SessionLog:
    """The session file, with a bar while it is long. Raises `SessionFileError`."""
    try:
        size = Path(path).stat().st_size
    except OSError:  # the reader tells it better
        size = 0
    with watch_bytes(size) as progress:
        log = read_session_log(path, on_bytes=progress)
    if not log.rows and not log.complaints:
        raise SessionFileError(path, "holds no row of a session; name a .jsonl file that such a session wrote")
    return log
