# mypy: ignore-errors
# ruff: noqa: E501, S608 -- a made line stands in one piece, as it will look, and no base is asked with it
"""Lines as files hold them: encodings, numbers, lock files, settings, formulas."""

import base64
import hashlib
import json
import random

from made_parts import (
    WORDS,
    hex_digits,
    host_address,
    path_name,
    some_letters,
    some_words,
    time_stamp,
)


def in_base64(chance: random.Random) -> str:
    """One base64, made up."""
    return base64.b64encode(chance.randbytes(3000)).decode()


def wrapped(chance: random.Random) -> str:
    """One wrapped, made up."""
    return "\n".join(base64.b64encode(chance.randbytes(48)).decode() for _ in range(20))


def urlsafe(chance: random.Random) -> str:
    """One urlsafe, made up."""
    return ".".join(
        base64.urlsafe_b64encode(chance.randbytes(chance.randint(20, 200))).decode().rstrip("=") for _ in range(3)
    )


def dump_line(chance: random.Random) -> str:
    """One dump, made up."""
    data = chance.randbytes(16)
    halves = " ".join(f"{byte:02x}" for byte in data[:8]) + "  " + " ".join(f"{byte:02x}" for byte in data[8:])
    return f"{chance.randrange(0, 1 << 24, 16):08x}  {halves}  |{''.join(chr(byte) if 32 <= byte < 127 else '.' for byte in data)}|"


def digest_line(chance: random.Random) -> str:
    """One digest, made up."""
    return f"{hashlib.sha256(chance.randbytes(8)).hexdigest()}  .{path_name(chance)}"


def a_float(chance: random.Random) -> str:
    """One floats, made up."""
    return repr(
        chance.choice((chance.random(), chance.uniform(-1000, 1000), chance.gauss(0, 1e-4), chance.random() * 1e12))
    )


def number_row(chance: random.Random) -> str:
    """One numbers, made up."""
    return ",".join(
        str(
            chance.choice(
                (chance.randint(0, 9), chance.randint(0, 999), round(chance.uniform(-90, 90), chance.randint(1, 6)))
            )
        )
        for _ in range(8)
    )


def number_object(chance: random.Random) -> str:
    """One numeric json, made up."""
    return json.dumps(
        {chance.choice(WORDS): [round(chance.uniform(-180, 180), 6) for _ in range(6)], "id": chance.randint(0, 10**9)},
        separators=(",", ":"),
    )


def an_emoji(chance: random.Random) -> str:
    """One emoji, made up."""
    return chr(
        chance.choice(
            (
                chance.randint(0x1F300, 0x1F64F),
                chance.randint(0x1F680, 0x1F6FF),
                chance.randint(0x1F900, 0x1F9FF),
                chance.randint(0x2600, 0x26FF),
            )
        )
    )


def percent(chance: random.Random) -> str:
    """One percent, made up."""
    return "".join(f"%{byte:02X}" if chance.random() < 0.6 else chr(97 + byte % 26) for byte in chance.randbytes(60))


def bytes_literal(chance: random.Random) -> str:
    """One bytes literal, made up."""
    form = chance.choice(("\\x{:02x}", "0x{:02x}, ", "{}, ", "\\{:03o}"))
    return "".join(form.format(byte) for byte in chance.randbytes(24))


def private_key(chance: random.Random) -> str:
    """One key, made up."""
    body = base64.b64encode(chance.randbytes(600)).decode()
    return (
        "-----BEGIN PRIVATE KEY-----\n"
        + "\n".join(body[at : at + 64] for at in range(0, len(body), 64))
        + "\n-----END PRIVATE KEY-----"
    )


def locked(chance: random.Random) -> str:
    """One locked, made up."""
    name = "-".join(some_words(chance, 1, 3))
    version = f"{chance.randint(0, 30)}.{chance.randint(0, 40)}.{chance.randint(0, 20)}"
    digest = base64.b64encode(chance.randbytes(64)).decode()
    return f'    "node_modules/{name}": {{\n      "version": "{version}",\n      "resolved": "https://registry.example.org/{name}/-/{name}-{version}.tgz",\n      "integrity": "sha512-{digest}",\n      "license": "MIT"\n    }},'


def pinned(chance: random.Random) -> str:
    """One pinned, made up."""
    return f"{'-'.join(some_words(chance, 1, 2))}=={chance.randint(0, 30)}.{chance.randint(0, 40)} \\\n    --hash=sha256:{hex_digits(chance, 64)} \\\n    --hash=sha256:{hex_digits(chance, 64)}"


def insert(chance: random.Random) -> str:
    """One insert, made up."""
    return f"INSERT INTO {chance.choice(WORDS)}_{chance.choice(WORDS)} VALUES ({chance.randint(1, 99999)}, '{' '.join(some_words(chance, 1, 5))}', '{time_stamp(chance)}', {chance.uniform(0, 999):.2f}, NULL, '{hex_digits(chance, 8)}');"


def formula(chance: random.Random) -> str:
    """One formula, made up."""
    return f"\\begin{{equation}}\n\\{chance.choice(['alpha', 'beta', 'gamma', 'lambda', 'sigma', 'partial', 'nabla'])}_{{{chance.choice('ijkn')}}} = \\frac{{{chance.choice('xyzuv')}^{chance.randint(2, 9)} + \\sqrt{{{chance.randint(2, 99)}}}}}{{\\sum_{{i=0}}^{{n}} {chance.choice('abc')}_i}} \\leq \\mathbb{{E}}[{chance.choice('XYZ')}]\n\\end{{equation}}"


def hosts(chance: random.Random) -> str:
    """One hosts, made up."""
    return (
        chance.choice(
            (
                ":".join(hex_digits(chance, 4) for _ in range(8)),
                ":".join(hex_digits(chance, 2) for _ in range(6)),
                f"{host_address(chance)}/{chance.randint(8, 32)}",
            )
        )
        + "\t"
        + ".".join(some_words(chance, 2, 3))
    )


def header(chance: random.Random) -> str:
    """One headers, made up."""
    return f"{'-'.join(word.title() for word in some_words(chance, 1, 3))}: {chance.choice((' '.join(some_words(chance, 1, 5)), some_letters(chance, 32), str(chance.randint(0, 99999)), 'application/json; charset=utf-8', time_stamp(chance)))}"


def variable(chance: random.Random) -> str:
    """One environment, made up."""
    return f"{'_'.join(some_words(chance, 2, 4)).upper()}={chance.choice((path_name(chance), some_letters(chance, 24), str(chance.randint(0, 65535)), 'true', link(chance)))}"


def link(chance: random.Random) -> str:
    """One url, made up."""
    return f"https://www.{'-'.join(some_words(chance, 1, 2))}.com{path_name(chance)}?{chance.choice(WORDS)}={some_letters(chance, 11)}&utm_source={chance.choice(WORDS)}%20{chance.choice(WORDS)}#L{chance.randint(1, 900)}"


def expression(chance: random.Random) -> str:
    """One regex, made up."""
    return "".join(
        chance.choice(
            (
                "[a-z]+",
                "\\d{2,4}",
                "(?:",
                ")",
                ".*?",
                "\\s*",
                "^",
                "$",
                '[^"]*',
                "|",
                "\\w+",
                "(?P<" + chance.choice(WORDS) + ">",
                chance.choice(WORDS),
            )
        )
        for _ in range(14)
    )


def ruler(chance: random.Random) -> str:
    """One ruler, made up."""
    unit = chance.choice(("-=", "=", "-", "*", "~", "#", "+-", "_", ". ", "/\\", "<>", "^v", "|", ":-", "=*"))
    return (chance.choice(("", "# ", "// ", "/* ", "| ")) + unit * chance.randint(8, 40))[:80] + (
        "\n" + " ".join(some_words(chance, 1, 5)) if chance.random() < 0.5 else ""
    )


def box_row(chance: random.Random) -> str:
    """One boxes, made up."""
    return (
        "│ "
        + " │ ".join(word.ljust(12) for word in some_words(chance, 3, 3))
        + " │\n├"
        + "┼".join("─" * 14 for _ in range(3))
        + "┤"
    )


def chat_line(chance: random.Random) -> str:
    """One chat, made up."""
    return " ".join(some_words(chance, 3, 10)) + " " + "".join(an_emoji(chance) for _ in range(chance.randint(1, 3)))


def coloured_line(chance: random.Random) -> str:
    """One colours, made up."""
    return f"\x1b[{chance.choice((1, 2, 31, 32, 33, 36))}m{' '.join(some_words(chance, 1, 4))}\x1b[0m \x1b[38;5;{chance.randint(0, 255)}m{path_name(chance)}\x1b[39m:{chance.randint(1, 900)}"
