"""`keel-ref memory`: which instruction files load here, in which order, at what cost, and why the others do not."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from keel_ref.adapters.disk import DiskTree
from keel_ref.choices import Choices
from keel_ref.cli.memory_json import plan_as_json
from keel_ref.cli.memory_text import Palette, print_plan
from keel_ref.cli.terminal_text import visible
from keel_ref.conformance.functions_memory import printable
from keel_ref.errors import InvalidArgumentError, NotAFolderError
from keel_ref.memory.lint import lint
from keel_ref.memory.render import render
from keel_ref.memory.touch import MemorySession
from keel_ref.memory.values import MemoryRequest, Source

MANAGED_FOLDERS = {
    "linux": "/etc/claude-code",
    "darwin": "/Library/Application Support/ClaudeCode",
}
EXAMPLE = """\
example:
  keel-ref memory                               what loads in this folder
  keel-ref memory --reads src/app.ts            and what reading that file adds
  keel-ref memory --json | jq '.skipped[]'      every file that stays out, with its reason
"""


def register(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the verb and its flags."""
    parser = subparsers.add_parser(
        "memory",
        help="which instruction files load in a folder, and why the others do not",
        description="Which instruction files (CLAUDE.md, rules, includes, MEMORY.md) a session started in a folder "
        "loads, in which order, at what cost, and why every other candidate does not.",
        epilog=EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("cwd", nargs="?", default=".", metavar="CWD", help="folder the session starts in (default: this one)")
    add("--home", metavar="DIR", help="the user's home folder (default: the variable HOME)")
    add("--managed-dir", metavar="DIR", help="folder of the organisation's instructions (default: the system's own)")
    add("--config-dir", metavar="DIR", help="replaces ~/.claude (also: the variable CLAUDE_CONFIG_DIR)")
    add("--add-dir", metavar="DIR", action="append", default=[], help="a folder added to the session; may be repeated")
    add("--sources", metavar="LIST", help="sources that are on: user,project,local; may be empty (default: all)")
    add("--settings", metavar="FILE", action="append", default=[], help="one more settings file; may be repeated")
    add("--approve-external", action="store_true", help="the project may include files outside the folder")
    add("--bare", action="store_true", help="bare mode")
    add("--reads", metavar="FILE", action="append", default=[], help="also: what reading FILE attaches; in order")
    add("--env", metavar="K=V", action="append", default=[], help="set a variable over the process's own")
    add("--choice", metavar="NAME=VALUE", action="append", default=[], help="another value for a choice of the spec")
    add("--all", action="store_true", help="list every mention that names no file, too")
    output = parser.add_mutually_exclusive_group()
    output.add_argument("--json", action="store_true", help="print one JSON object (schema keel-memory/1)")
    output.add_argument("--text", action="store_true", help="print the text that the model is given")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Load, and print the plan; 0 when there is an answer. Bad input raises `KeelError`."""
    env = {**os.environ, **_pairs("--env", args.env)}
    session = MemorySession(DiskTree(), _request(args, env), choices=Choices.of(_pairs("--choice", args.choice)))
    touches = [session.touch(_whole(path)) for path in args.reads]
    if args.text:
        text = render(session.start.files) or ""
        sys.stdout.write(visible(text, kept="\n\t") if sys.stdout.isatty() else printable(text))
        return 0
    found = lint(session)
    if args.json:
        reads = tuple(zip(args.reads, touches, strict=True))
        is_ascii = sys.stdout.encoding.lower().replace("-", "") != "utf8"
        sys.stdout.writelines(plan_as_json(session, found, reads, is_ascii=is_ascii))
        return 0
    print_plan(session, found, touches, Palette.of(sys.stdout), shows_all=args.all)
    return 0


def _request(args: argparse.Namespace, env: dict[str, str]) -> MemoryRequest:
    home = args.home if args.home is not None else env.get("HOME", "")
    managed = args.managed_dir if args.managed_dir is not None else MANAGED_FOLDERS.get(sys.platform)
    return MemoryRequest(
        cwd=_whole(args.cwd),
        home=_whole(home) if home else "",
        config_dir=_whole(args.config_dir) if args.config_dir else None,
        managed_dir=_whole(managed) if managed else None,
        add_dirs=tuple(map(_whole, args.add_dir)),
        sources=_sources(args.sources),
        settings_files=tuple(map(_whole, args.settings)),
        approve_external=args.approve_external,
        bare=args.bare,
        env=env,
    )


def _whole(path: str) -> str:
    """A path of the command line counts from where the command was typed."""
    try:
        return str(Path(path).absolute())
    except OSError as error:
        raise NotAFolderError(".", f"the folder in which the command was typed is gone ({error.strerror})") from error


def _sources(text: str | None) -> frozenset[Source]:
    if text is None:
        return frozenset(Source)
    return Source.parse(name for part in text.split(",") if (name := part.strip()))


def _pairs(flag: str, texts: Sequence[str]) -> dict[str, str]:
    pairs: dict[str, str] = {}
    for text in texts:
        name, sign, value = text.partition("=")
        if not sign or not name:
            raise InvalidArgumentError(flag, f"{text!r} has not the form NAME=VALUE; write {flag} NAME=VALUE")
        pairs[name] = value
    return pairs
