"""`keel-ref window`: when a session with a model is warned, compacted and refused, and what decided that."""

from __future__ import annotations

import argparse
import os
import sys

from keel_ref.cli.options import Paragraphs, Subparsers, at_least, parse_pairs

EXAMPLE = """\
examples:
  keel-ref window --model claude-sonnet-4-5                       when it compacts, and what can be filled
  keel-ref window --model claude-sonnet-4-5 --used 150000         how far it is to the next stage
  keel-ref window --model 'claude-sonnet-4-5[1m]'                 with the large window
  keel-ref window --model my-model --window 131072 --max-output 16384 --env CLAUDE_AUTOCOMPACT_PCT_OVERRIDE=50
  keel-ref window --model claude-opus-4-6 --json | jq .auto

The variables of the process are read, then those of --env. Of settings files autoCompactEnabled alone is looked at; no
file is read that --settings does not name, and where several say it, the first counts.

exit codes:
  0    an answer, also for a model that nobody knows; then the answer says what it assumed
  2    wrong usage, or a settings file that cannot be read"""


def register(subparsers: Subparsers) -> None:
    """Add the verb and its options."""
    parser = subparsers.add_parser(
        "window",
        description="How large the window of a model is, how much of it can be filled, and from which use on a session "
        "is warned, compacted and refused; where a use stands, and which variable, setting or header changed what.",
        epilog=EXAMPLE,
        formatter_class=Paragraphs,
    )
    add = parser.add_argument
    add("--model", metavar="M", help="name of the model; [1m] at its end asks for the large window")
    add("--used", type=at_least(0), metavar="N", help="tokens that the context holds")
    add("--window", type=at_least(1), metavar="N", help="window in tokens, in the place of what the table says")
    add("--max-output", type=at_least(1), metavar="N", help="maximum output in tokens, in the place of the table's")
    add("--beta", metavar="NAME", action="append", default=[], help="a beta header that is sent; may be repeated")
    add("--env", metavar="K=V", action="append", default=[], help="set a variable over the process's own")
    add("--settings", metavar="FILE", action="append", default=[], help="a settings file; may be repeated")
    add("--choice", metavar="NAME=VALUE", action="append", default=[], help="another value for a choice of the spec")
    add("--json", action="store_true", help="print one JSON object (schema keel-window/1)")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Find the limits, and print them; 0 when there is an answer. Bad input raises `KeelError`."""
    from keel_ref.choices import Choices
    from keel_ref.cli.options import put
    from keel_ref.cli.window_show import Answer, write_json, write_text
    from keel_ref.conformance.exits import UsageError
    from keel_ref.window.limits import window_limits
    from keel_ref.window.state import state_of

    model = (options.model or "").strip()
    if not model and options.window is None:
        known = "an empty --model names none" if options.model is not None else "nothing says which model it is"
        raise UsageError(f"{known}; name it with --model, such as --model claude-sonnet-4-5, or give its --window")
    env = {**os.environ, **parse_pairs("--env", options.env)}
    limits = window_limits(
        model or None,
        window=options.window,
        max_output=options.max_output,
        betas=options.beta,
        env=env,
        settings=_settings(options.settings),
        choices=Choices.of(parse_pairs("--choice", options.choice)),
    )
    state = None if options.used is None else state_of(limits, options.used)
    answer = Answer(model=model, limits=limits, state=state, env=env)
    put((write_json if options.json else write_text)(answer), sys.stdout)
    return 0


def _settings(paths: list[str]) -> dict[str, object]:
    """The settings of all files, of the first one that says it. Raises `UsageError` for a file that cannot be used."""
    found: dict[str, object] = {}
    for path in paths:
        found = {**_read_settings(path), **found}
    return found


def _read_settings(path: str) -> dict[str, object]:
    import json

    from keel_ref.conformance.exits import UsageError

    try:
        with open(path, "rb") as file:  # noqa: PTH123 (pathlib takes a third of the time that the verb has)
            values = json.loads(file.read(MAX_SETTINGS_BYTES).decode("utf-8-sig"))
    except OSError as error:
        problem = error.strerror or str(error)
        raise UsageError(f"--settings {path}: cannot be read ({problem}); name a file that can be") from error
    except (ValueError, RecursionError) as error:
        problem = "it is nested too deeply" if isinstance(error, RecursionError) else " ".join(str(error).split())
        raise UsageError(f"--settings {path}: is no JSON ({problem}); mend the file, or leave it out") from error
    if not isinstance(values, dict):
        raise UsageError(f"--settings {path}: holds no JSON object; a settings file begins with {{")
    return values


MAX_SETTINGS_BYTES = 64 * 1024 * 1024
"""So much of a settings file is read; a device has no end."""
