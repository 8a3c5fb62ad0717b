"""The command line: one module a verb, imported when that verb is used.

A verb's module has `register(subparsers)`, which adds its parser and sets `run`, a function from the options to the
exit code. For the verbs that take the command of an adapter, what follows `--` is `options.command`.
"""

import argparse
import io
import signal
import sys
import traceback
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from typing import Any, Final, NoReturn

from attrs import frozen

from keel_ref.cli.options import Subparsers, drop_output, put
from keel_ref.conformance.exits import ExitCode, SuiteError, UsageError
from keel_ref.errors import KeelError


@frozen(kw_only=True)
class Verb:
    """One word behind `keel-ref`."""

    module: str
    """Where it lives."""
    about: str
    """What it does, in one line of the help."""
    takes_command: bool = False
    """Whether an adapter's command may follow `--`."""


VERBS: Final = {
    "memory": Verb(module="keel_ref.cli.memory", about="which instruction files load, in which order, at what cost"),
    "window": Verb(module="keel_ref.cli.window", about="when a session is warned, compacted, refused"),
    "estimate": Verb(module="keel_ref.cli.estimate", about="what texts, sessions and messages cost, in tokens"),
    "calibrate": Verb(module="keel_ref.cli.calibrate", about="fit the bound to your own texts and tokenizer"),
    "context": Verb(module="keel_ref.cli.context", about="what fills the window, by category"),
    "session": Verb(module="keel_ref.cli.session", about="a timeline: what grew, what was dropped, what comes next"),
    "audit": Verb(module="keel_ref.cli.audit", about="five principles asked of a recorded session"),
    "compact": Verb(module="keel_ref.cli.compact", about="make a session small: a summary, and the files as they are"),
    "verify": Verb(module="keel_ref.cli.verify", about="a recorded session: predicted against recorded"),
    "anonymize": Verb(module="keel_ref.cli.anonymize", about="a recorded session without its words, of the same sizes"),
    "check": Verb(module="keel_ref.cli.check", about="run the suite against an implementation", takes_command=True),
    "serve": Verb(module="keel_ref.cli.serve", about="speak the wire as the reference implementation"),
    "smoke": Verb(module="keel_ref.cli.smoke", about="eight rungs for a new adapter", takes_command=True),
    "replay": Verb(module="keel_ref.cli.replay", about="send saved failures again", takes_command=True),
    "explore": Verb(
        module="keel_ref.cli.explore", about="put programs drawn from the model, and shrink", takes_command=True
    ),
    "shrink": Verb(module="keel_ref.cli.shrink", about="make a saved failure smaller", takes_command=True),
    "compare": Verb(module="keel_ref.cli.compare", about="two adapters: where they differ", takes_command=True),
    "adapter": Verb(module="keel_ref.cli.adapter", about="write a skeleton, or fuzz the envelope", takes_command=True),
    "explain": Verb(module="keel_ref.cli.explain", about="a clause, a test or a choice, with all that belongs to it"),
    "list": Verb(module="keel_ref.cli.list_", about="tests, clauses, capabilities, choices, errors"),
    "baseline": Verb(module="keel_ref.cli.baseline", about="keep the expected-failure file", takes_command=True),
}
"""Every verb, in the order of the help."""
_BROKEN_OFF: Final = 130
"""What a shell gives for a program that was interrupted."""
_NO_READER: Final = 141
"""What a shell gives for a program whose output nobody read to its end."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one verb and give its exit code. A caller's mistake is told in one line, a fault of ours in full."""
    if arguments is None:
        _mind_signals()
    _mend_streams()
    try:
        try:
            return _run(list(sys.argv[1:] if arguments is None else arguments))
        finally:
            put("", sys.stdout)  # a help too is written now, while a failure can still be told
    except BrokenPipeError:  # whoever read our output has gone
        drop_output(sys.stdout)
        return _NO_READER
    except KeyboardInterrupt:
        return _BROKEN_OFF
    except Exception as error:  # noqa: BLE001 (the last place that can tell a fault of ours from a finding)
        return _tell(error)


def _tell(error: Exception) -> ExitCode:
    """Say whose fault an error is, and give the code for it."""
    from keel_ref.conformance.compare import plain_text  # what judges is not loaded where nothing fails
    from keel_ref.conformance.faults import SpecFault
    from keel_ref.conformance.misbehaviour import AdapterError, Misbehaviour
    from keel_ref.resources import SpecMissing

    match error:
        case AdapterError() | Misbehaviour():
            lines = [f"keel-ref: the adapter is at fault: {error}", *(f"  stderr {line}" for line in error.stderr)]
            code = ExitCode.ADAPTER
        case SuiteError() | SpecFault() | SpecMissing():
            lines, code = [f"keel-ref: the suite is at fault: {error}"], ExitCode.SUITE
        case KeelError():
            lines, code = [f"keel-ref: {error}"], ExitCode.USAGE
        case _:
            traceback.print_exception(error)
            lines, code = ["keel-ref: internal error; the fault is ours"], ExitCode.SUITE
    with suppress(OSError):  # whom nothing can be told still gets the code
        for line in lines:
            print(plain_text(line), file=sys.stderr)
    return code


def _mind_signals() -> None:
    """Be broken off as by a person where we are ended, or our terminal is closed, so that no adapter is left behind."""
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is signal.SIG_DFL:  # else somebody wants it ignored, as `nohup` does
            signal.signal(number, _break_off)


def _break_off(*_: object) -> NoReturn:
    raise KeyboardInterrupt


def _mend_streams() -> None:
    """A name that is no text, or that the terminal cannot show, is no reason to fail."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _run(words: list[str]) -> int:
    name = words[0] if words else ""
    parser, subparsers = make_parser()
    if name not in VERBS:
        if name and not name.startswith("-"):
            raise UsageError(f"{name!r} is no verb; there are {', '.join(VERBS)}")
        parser.parse_args(words or ["--help"])  # prints what was asked for, or what is wrong, and ends
        return ExitCode.USAGE
    verb = VERBS[name]
    import_module(verb.module).register(subparsers)
    own, command = split_command(words) if verb.takes_command else (words, ())
    options, rest = parser.parse_known_args(own)
    if rest and verb.takes_command and not rest[0].startswith("-"):
        raise UsageError(f"{rest[0]!r} is no option of {name}; an adapter's command goes behind --, as in -- {rest[0]}")
    if rest:
        parser.error(f"unrecognized arguments: {' '.join(rest)}; `keel-ref {name} --help` shows what there is")
    options.command = command
    code: int = options.run(options)
    return code


def split_command(words: Sequence[str]) -> tuple[list[str], tuple[str, ...]]:
    """The verb's own words, and the adapter's command behind the first `--`. Raises `UsageError` for an empty one."""
    if "--" not in words:
        return list(words), ()
    place = list(words).index("--")
    if place == len(words) - 1:  # perhaps an unset variable; the reference must not stand in for it
        raise UsageError("nothing follows --; write the adapter's command there")
    return list(words[:place]), tuple(words[place + 1 :])


def make_parser() -> tuple[argparse.ArgumentParser, Subparsers]:
    """The parser that knows the verbs' names, and where a verb's module adds its options."""
    lines = [f"  {name:<10} {verb.about}" for name, verb in VERBS.items()]
    parser = argparse.ArgumentParser(
        prog="keel-ref",
        usage="keel-ref [-h] [--version] VERB ...",
        description="A conformance suite for the context management of coding agents.\n\nverbs:\n" + "\n".join(lines),
        epilog="example: keel-ref check -- node adapter.mjs\nEach verb shows its options with --help.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action=_Version, nargs=0, help="print the version of the suite and stop")
    strict: type[argparse.ArgumentParser] = _Strict
    subparsers = parser.add_subparsers(
        prog="keel-ref", metavar="VERB", required=True, parser_class=strict, help=argparse.SUPPRESS
    )
    return parser, subparsers


class _Strict(argparse.ArgumentParser):
    """Takes no shortened options, so that a new one never changes what an old script means."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(allow_abbrev=False, **settings)


class _Version(argparse.Action):
    """Looks the version up only when it is asked for."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        from keel_ref.conformance.reference import suite_version

        print(f"keel-ref {suite_version()}")
        parser.exit()
