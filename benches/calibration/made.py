# mypy: ignore-errors
# ruff: noqa: E501 -- a made line stands in one piece, as it will look
"""Texts that are made with a fixed seed: what tools print, encodings, numbers, names in many cases, and hostile text."""

import random
import unicodedata
from collections.abc import Callable

import made_data
import made_output
from made_parts import (
    WORDS,
    Maker,
    camel_name,
    hex_digits,
    many_of,
    path_name,
    some_letters,
    some_uuid,
    some_words,
)


def any_char(low: int, high: int) -> Callable[[random.Random], str]:
    """One any char, made up."""

    def one(chance: random.Random) -> str:
        while True:
            char = chr(chance.randint(low, high))
            if unicodedata.category(char) not in {"Cs", "Cn", "Co"}:
                return char

    return one


def stacked(chance: random.Random) -> str:
    """One stacked, made up."""
    return chance.choice("abcdefghij") + "".join(chr(chance.randint(0x300, 0x36F)) for _ in range(8))


DATA: dict[str, Maker] = {
    "rulers": many_of(made_data.ruler),
    "lock-npm": many_of(made_data.locked),
    "lock-pip": many_of(made_data.pinned),
    "sql-inserts": many_of(made_data.insert),
    "disassembly": many_of(made_output.assembler),
    "latex": many_of(made_data.formula),
    "addresses": many_of(made_data.hosts),
    "percent-encoded": many_of(made_data.percent, ""),
    "headers": many_of(made_data.header),
    "environment": many_of(made_data.variable),
    "byte-literals": many_of(made_data.bytes_literal),
    "pem": many_of(made_data.private_key),
    "regular-expressions": many_of(made_data.expression),
    "dna": many_of(lambda c: c.choice("ACGT"), ""),
    "tab-separated": many_of(
        lambda c: "\t".join((c.choice(WORDS), str(c.randint(0, 999999)), f"{c.random():.4f}", c.choice(WORDS).upper()))
    ),
    "indented": many_of(
        lambda c: " " * 4 * c.randint(0, 8) + c.choice(("{", "}", "],", "});", "end", c.choice(WORDS) + ":"))
    ),
    "log-application": many_of(made_output.log_line),
    "log-access": many_of(made_output.access_line),
    "listing": many_of(made_output.listing_line),
    "paths": many_of(path_name),
    "stack-python": many_of(made_output.trace_python, "\n\n"),
    "stack-java": many_of(made_output.trace_java, "\n\n"),
    "stack-node": many_of(made_output.trace_node, "\n\n"),
    "base64": many_of(made_data.in_base64, ""),
    "base64-wrapped": many_of(made_data.wrapped),
    "base64-url": many_of(made_data.urlsafe),
    "hex": many_of(lambda c: hex_digits(c, 64), ""),
    "hex-lines": many_of(lambda c: hex_digits(c, 40)),
    "hex-dump": many_of(made_data.dump_line),
    "digests": many_of(made_data.digest_line),
    "commits": many_of(made_output.commit_line),
    "uuid": many_of(lambda c: str(some_uuid(c))),
    "digits": many_of(lambda c: str(c.getrandbits(4000)), ""),
    "integers": many_of(lambda c: str(c.randint(0, 10 ** c.randint(1, 9)))),
    "floats": many_of(made_data.a_float, ", "),
    "numeric-csv": many_of(made_data.number_row),
    "numeric-json": many_of(made_data.number_object),
    "ansi": many_of(made_data.coloured_line),
    "test-output": many_of(made_output.test_run),
    "diff-made": many_of(made_output.diff_part),
    "search-output": many_of(made_output.search_hit),
    "markdown-table": many_of(made_output.markdown_table),
    "session-call": many_of(made_output.tool_call),
    "emoji-runs": many_of(made_data.an_emoji, ""),
    "chat-emoji": many_of(made_data.chat_line),
    "urls": many_of(made_data.link),
    "box-drawing": many_of(made_data.box_row),
    "folder-tree": many_of(made_output.folder_row),
    "camel-case": many_of(camel_name, " "),
    "snake-case": many_of(lambda c: "_".join(some_words(c, 2, 4))),
    "constant-case": many_of(lambda c: "_".join(some_words(c, 2, 4)).upper()),
    "kebab-case": many_of(lambda c: "-".join(some_words(c, 2, 4)), " "),
    "title-case": many_of(lambda c: c.choice(WORDS).title(), " "),
}
"""Kind -> what makes it. These are data as tools print them."""

ADVERSARIAL: dict[str, Maker] = {
    "random-ascii": many_of(lambda c: chr(c.randint(33, 126)), ""),
    "random-lower": many_of(lambda c: chr(c.randint(97, 122)), ""),
    "random-upper": many_of(lambda c: chr(c.randint(65, 90)), ""),
    "random-letters": many_of(lambda c: some_letters(c, 50), ""),
    "random-bytes-as-latin-1": many_of(lambda c: chr(c.randint(0xA0, 0xFF)), ""),
    "random-punctuation": many_of(lambda c: c.choice("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"), ""),
    "random-case": many_of(lambda c: "".join(c.choice((x.upper(), x)) for x in c.choice(WORDS)), " "),
    "control-characters": many_of(lambda c: chr(c.randint(1, 31)), ""),
    "same-letter": lambda c, size: c.choice("aZ0 _-=*\n\té字") * size,
    "random-2-byte": many_of(any_char(0x80, 0x7FF), ""),
    "random-3-byte": many_of(any_char(0x800, 0xFFFF), ""),
    "random-4-byte": many_of(any_char(0x10000, 0x1F9FF), ""),
    "random-cjk": many_of(any_char(0x4E00, 0x9FFF), ""),
    "random-hangul": many_of(any_char(0xAC00, 0xD7A3), ""),
    "stacked-marks": many_of(stacked, ""),
    "one-letter-words": many_of(lambda c: c.choice("abcdefghijklmnopqrstuvwxyz"), " "),
}
"""Kind -> what makes it. Nobody writes these; they are reported apart and promised nothing."""
