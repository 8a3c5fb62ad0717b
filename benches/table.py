"""Measures what benches/measure/ defines and prints it as a Markdown table.

`make bench-table` runs it (`python -m benches.table`) and writes the table to benches/RESULTS.md, and the rows that a
user of the package asks for first to README.md, between `<!-- bench -->` and `<!-- /bench -->`. With `--print`, or for
a part of the measurements, both files are left alone. Peers that are not installed, or whose vocabulary is not here,
are named in the table as such.
"""

import argparse
import os
import platform
import re
import sys
from collections.abc import Iterable, Iterator
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from pkgutil import iter_modules

from benches import measure
from benches.measure import Measurement

ROOT = Path(__file__).parents[1]
MARKED = re.compile(r"(<!-- bench -->\n).*?(<!-- /?bench -->)", re.DOTALL)
HEADLINES = re.compile(
    r"documented rule, ASCII, 1 KiB \| .*"
    r"|bound, ASCII, 64 MiB, avx.* \| .*"
    r"|bound, .*, 256 KiB \| (gigatoken|splintr|tiktoken|tokenizers|skimtoken).*"
    r"|1,000 messages, .* \| (orjson|langchain).*"
    r"|rounds .*"
    r"|session file, .* \| orjson.*"
)
"""The rows for README.md, by name and peer."""
PEERS = ("gigatoken", "splintr-rs", "tiktoken", "tokenizers", "skimtoken", "langchain-core", "orjson")


def main() -> int:
    """Measure, print, write. Exit 1 where the file has no place for the table."""
    parser = argparse.ArgumentParser(description="measure the speed and write the table of the README")
    parser.add_argument("--print", action="store_true", dest="prints_only", help="leave README.md alone")
    parser.add_argument("--only", action="append", help="a module of benches/measure, e.g. text; may be given again")
    options = parser.parse_args()
    measurements = list(measured(options.only))
    table = written(measurements)
    sys.stdout.write(table)
    if options.prints_only or options.only:
        return 0
    readme = ROOT / "README.md"
    text = readme.read_text(encoding="utf-8")
    if not MARKED.search(text):
        sys.stderr.write(
            "README.md: no place for the table; put <!-- bench --> and <!-- /bench --> on lines of their own\n"
        )
        return 1
    headlines = written([one for one in measurements if HEADLINES.fullmatch(f"{one.name} | {one.peer}")])
    readme.write_text(with_table(text, headlines), encoding="utf-8")
    (ROOT / "benches/RESULTS.md").write_text(
        f"# How fast it is\n\nMade by `make bench-table`.\n\n{table}", encoding="utf-8"
    )
    return 0


def written(measurements: Iterable[Measurement]) -> str:
    """The table with what its ratios depend on."""
    return "\n".join([*machine_lines(), "", *rows(measurements)]) + "\n"


def measured(only: Iterable[str] | None) -> Iterator[Measurement]:
    """What each module measures, in the order of their names. One that measures nothing has no `measurements`."""
    for module in sorted(found.name for found in iter_modules(measure.__path__)):
        if only and module not in only:
            continue
        measurements = getattr(import_module(f"benches.measure.{module}"), "measurements", list)
        yield from measurements()


def machine_lines() -> Iterator[str]:
    """What a ratio may depend on."""
    python = f"{platform.python_implementation()} {platform.python_version()}"
    yield f"Measured on {processor()}, {os.cpu_count()} cores, with {python}; the best of many rounds that take turns."
    yield f"Beside: {', '.join(f'{name} {version_of(name)}' for name in PEERS)}."


def rows(measurements: Iterable[Measurement]) -> Iterator[str]:
    """The table, line by line."""
    yield "| what | ours | beside | times as fast | remark |"
    yield "|---|---|---|--:|---|"
    for one in measurements:
        ratio = "not measured" if one.ratio is None else figure(one.ratio)
        yield f"| {one.name} | `{one.subject}` | {one.peer} | {ratio} | {one.note} |"


def figure(ratio: float) -> str:
    """Two digits that count; more would be noise."""
    two_digits = float(f"{ratio:.2g}")
    return f"{two_digits:,.0f}" if two_digits >= 10 else f"{two_digits:g}"


def with_table(text: str, table: str) -> str:
    """The text with the table at its place."""
    return MARKED.sub(lambda found: found[1] + table + found[2], text, count=1)


def version_of(name: str) -> str:
    """The version of a package, or that it is missing."""
    try:
        return version(name)
    except PackageNotFoundError:
        return "(not installed)"


def processor() -> str:
    """The model of the processor, as the system calls it."""
    described = Path("/proc/cpuinfo")
    if described.exists():
        found = re.search(r"^model name\s*: (.+)$", described.read_text(encoding="utf-8"), re.MULTILINE)
        if found:
            return found[1].strip()
    return platform.processor() or platform.machine()


if __name__ == "__main__":
    sys.exit(main())
