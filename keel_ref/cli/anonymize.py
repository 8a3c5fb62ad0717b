"""`keel-ref anonymize`: a recorded session without its words, of the same sizes."""

from __future__ import annotations

import argparse
import sys

from keel_ref.cli.options import Paragraphs, Subparsers, drop_output, filled

EXAMPLE = """\
examples:
  keel-ref anonymize SESSION.jsonl > COPY.jsonl
  keel-ref anonymize SESSION.jsonl --out COPY.jsonl --truth TRUTH.json --truth-out COPY.truth.json

Letters become x, X or letters of their script, digits 0; names, ids and paths become others, the same ones for the same
ones. Sizes in bytes, UTF-16 units and characters stay, and with them every estimate by the documented rule; so do
white space, punctuation, times, usage, and the words of the record's own form. So the copy still shows how long each
word was: look at it before you send it. The rules N1 to N6 stand in spec/guides/recordings.md.

exit codes:
  0    written
  2    wrong usage, or a file that cannot be read or written"""


def register(subparsers: Subparsers) -> None:
    """Add the verb and its options."""
    parser = subparsers.add_parser(
        "anonymize",
        description="Writes a copy of a session file in which texts are filler of the same size and kind, so that it "
        "can be shown to others and still gives the same verdicts.",
        epilog=EXAMPLE,
        formatter_class=Paragraphs,
    )
    add = parser.add_argument
    add("session", metavar="SESSION", type=filled, help="a session file, one JSON object a line")
    add("--out", metavar="FILE", type=filled, help="the copy (default: standard output)")
    add("--truth", metavar="FILE", type=filled, help="what was seen of it: its copy has the same names")
    add("--truth-out", metavar="FILE", type=filled, help="the copy of that")
    add("--force", action="store_true", help="write over a file that is there already")
    add("--salt", metavar="TEXT", default="", help="other new names for another text (default: always the same)")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Write the copy, or both; 0 when it is written. Bad input raises `KeelError`."""
    import json

    from keel_ref.adapters.session_file import SessionFileError, check_place, read_whole, write_session
    from keel_ref.conformance.exits import ExitCode, UsageError
    from keel_ref.recording.anonymize import Anonymizer
    from keel_ref.recording.names import Names

    if (options.truth is None) != (options.truth_out is None):
        raise UsageError("--truth and --truth-out belong together; name the truth file and its copy")
    if options.out is not None and options.out == options.truth_out:
        raise UsageError("--out and --truth-out are one file; name two")
    data = read_whole(options.session)
    truth = None if options.truth is None else read_whole(options.truth)
    for path in (options.out, options.truth_out):
        if path is not None:
            check_place(path, options.session, replaces=options.force)
            check_place(path, options.truth or options.session, replaces=options.force)
    one = Anonymizer(names=Names(salt=options.salt))
    lines = one.lines(_split(data))
    if options.out is None:
        _put(b"".join(lines))
    else:
        write_session(options.out, b"", lines, replaces=options.force)
    if truth is not None:
        try:
            text = truth.decode("utf-8")
            json.loads(text)
        except (ValueError, RecursionError) as error:
            raise SessionFileError(options.truth, "is no JSON; see spec/guides/recordings.md for its form") from error
        write_session(options.truth_out, b"", [one.document(text, keeps_numbers=True).encode()], replaces=options.force)
    return ExitCode.CONFORMANT


def _split(data: bytes) -> list[bytes]:
    """The lines, each with its LF; a CR ends none."""
    parts = data.split(b"\n")
    return [part + b"\n" for part in parts[:-1]] + [part for part in parts[-1:] if part]


def _put(data: bytes) -> None:
    """Write bytes whose reader may have gone."""
    if sys.stdout is None:  # closed before we were started
        return
    try:
        sys.stdout.buffer.write(data)
        sys.stdout.flush()
    except BrokenPipeError:
        drop_output(sys.stdout)
