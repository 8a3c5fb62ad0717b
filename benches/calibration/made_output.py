# mypy: ignore-errors
# ruff: noqa: E501 -- a made line stands in one piece, as it will look
"""Lines as programs print them: logs, traces, listings, test runs, calls of tools."""

import json
import random

from made_parts import (
    WORDS,
    camel_name,
    hex_digits,
    host_address,
    path_name,
    some_letters,
    some_uuid,
    some_words,
    time_stamp,
)


def log_line(chance: random.Random) -> str:
    """One log, made up."""
    level = chance.choice(("INFO", "DEBUG", "WARN", "ERROR", "TRACE"))
    what = " ".join(some_words(chance, 2, 8))
    pairs = " ".join(
        f"{chance.choice(WORDS)}={chance.choice((str(chance.randint(0, 99999)), path_name(chance), hex_digits(chance, 12), host_address(chance)))}"
        for _ in range(chance.randint(0, 4))
    )
    return f"{time_stamp(chance)} {level} [{'.'.join(some_words(chance, 1, 3))}] {what} {pairs}"


def access_line(chance: random.Random) -> str:
    """One access, made up."""
    return (
        f"{host_address(chance)} - - [{chance.randint(1, 28):02}/Nov/20{chance.randint(10, 26)}:{chance.randint(0, 23):02}:{chance.randint(0, 59):02}:{chance.randint(0, 59):02} +0000] "
        f'"{chance.choice(("GET", "POST", "PUT"))} {path_name(chance)}?{chance.choice(WORDS)}={hex_digits(chance, 8)} HTTP/1.1" {chance.choice((200, 304, 404, 500))} {chance.randint(0, 99999)} "-" "Mozilla/5.0 (X11; Linux x86_64)"'
    )


def listing_line(chance: random.Random) -> str:
    """One listing, made up."""
    mode = chance.choice(("-rw-r--r--", "drwxr-xr-x", "-rwxr-xr-x", "lrwxrwxrwx"))
    month = chance.choice(["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"])
    return f"{mode} {chance.randint(1, 40):2} root root {chance.randint(0, 9_999_999):8} {month} {chance.randint(1, 28):2} {chance.randint(0, 23):02}:{chance.randint(0, 59):02} {path_name(chance).rsplit('/', 1)[1]}"


def trace_python(chance: random.Random) -> str:
    """One trace python, made up."""
    frames = "\n".join(
        f'  File "{path_name(chance)}", line {chance.randint(1, 3000)}, in {"_".join(some_words(chance))}\n    {camel_name(chance)} = self.{"_".join(some_words(chance))}({camel_name(chance)}, {chance.choice(WORDS)}={chance.randint(0, 99)})'
        for _ in range(chance.randint(2, 8))
    )
    return f"Traceback (most recent call last):\n{frames}\n{camel_name(chance).title()}Error: {' '.join(some_words(chance, 2, 8))}"


def trace_java(chance: random.Random) -> str:
    """One trace java, made up."""
    frames = "\n".join(
        f"\tat com.{'.'.join(some_words(chance, 2, 4))}.{camel_name(chance).title()}.{camel_name(chance)}({camel_name(chance).title()}.java:{chance.randint(1, 3000)})"
        for _ in range(chance.randint(3, 12))
    )
    return f"java.lang.{camel_name(chance).title()}Exception: {' '.join(some_words(chance, 2, 6))}\n{frames}"


def trace_node(chance: random.Random) -> str:
    """One trace node, made up."""
    frames = "\n".join(
        f"    at {camel_name(chance).title()}.{camel_name(chance)} (file://{path_name(chance)}:{chance.randint(1, 3000)}:{chance.randint(1, 120)})"
        for _ in range(chance.randint(3, 9))
    )
    return f"TypeError: Cannot read properties of undefined (reading '{chance.choice(WORDS)}')\n{frames}"


def commit_line(chance: random.Random) -> str:
    """One commit, made up."""
    return f"{hex_digits(chance, 7)} {chance.choice(WORDS).title()} {' '.join(some_words(chance, 2, 8))}"


def test_run(chance: random.Random) -> str:
    """One test run, made up."""
    form = chance.randint(0, 3)
    name = "_".join(some_words(chance, 2, 6))
    return (
        f"tests/{'_'.join(some_words(chance))}.py::test_{name} {chance.choice(('PASSED', 'FAILED', 'SKIPPED'))} [{chance.randint(0, 100):3}%]",
        f"  ✓ {' '.join(some_words(chance, 2, 7))} ({chance.randint(1, 900)} ms)",
        f"test {'::'.join(some_words(chance, 2, 4))}::{name} ... ok",
        f"error[E0{chance.randint(100, 799)}]: {' '.join(some_words(chance, 3, 8))}\n  --> src{path_name(chance)}:{chance.randint(1, 999)}:{chance.randint(1, 99)}\n   |\n{chance.randint(1, 999):3} |     let {name} = {camel_name(chance)}({chance.choice(WORDS)});\n   |         ^^^^^^^^^^",
    )[form]


def diff_part(chance: random.Random) -> str:
    """One diff, made up."""
    lines = "\n".join(
        chance.choice(("+", "-", " ", " "))
        + "    " * chance.randint(0, 4)
        + f"{camel_name(chance)}.{'_'.join(some_words(chance))}({camel_name(chance)}, {chance.randint(0, 99)})"
        for _ in range(12)
    )
    return f"diff --git a{path_name(chance)} b{path_name(chance)}\nindex {hex_digits(chance, 7)}..{hex_digits(chance, 7)} 100644\n@@ -{chance.randint(1, 999)},9 +{chance.randint(1, 999)},9 @@ def {'_'.join(some_words(chance))}\n{lines}"


def search_hit(chance: random.Random) -> str:
    """One search, made up."""
    return (
        f"{path_name(chance)}:{chance.randint(1, 2000)}:    {camel_name(chance)}({', '.join(some_words(chance, 1, 3))})"
    )


def markdown_table(chance: random.Random) -> str:
    """One markdown table, made up."""
    return (
        "| "
        + " | ".join(
            chance.choice((" ".join(some_words(chance, 1, 3)), str(chance.randint(0, 9999)), f"`{camel_name(chance)}`"))
            for _ in range(4)
        )
        + " |"
    )


def tool_call(chance: random.Random) -> str:
    """One call, made up."""
    body = {
        "type": "tool_use",
        "id": "toolu_01" + some_letters(chance, 22),
        "name": chance.choice(("Bash", "Read", "Edit", "Grep")),
        "input": {
            "file_path": path_name(chance),
            "command": f"cd {path_name(chance)} && grep -rn '{camel_name(chance)}' . | head -{chance.randint(1, 99)}",
            "description": " ".join(some_words(chance, 3, 8)),
        },
    }
    return json.dumps(
        {
            "parentUuid": str(some_uuid(chance)),
            "sessionId": str(some_uuid(chance)),
            "type": "assistant",
            "message": {
                "role": "assistant",
                "content": [body],
                "usage": {"input_tokens": chance.randint(1, 9), "cache_read_input_tokens": chance.randint(0, 200000)},
            },
            "timestamp": time_stamp(chance),
        },
        separators=(",", ":"),
    )


def folder_row(chance: random.Random) -> str:
    """One folders, made up."""
    return "│   " * chance.randint(0, 4) + chance.choice(("├── ", "└── ")) + path_name(chance).rsplit("/", 1)[1]


def assembler(chance: random.Random) -> str:
    """One assembler, made up."""
    registers = [
        "rax",
        "rbx",
        "rcx",
        "rdx",
        "rsi",
        "rdi",
        "rbp",
        "rsp",
        "r8",
        "r9",
        "r10",
        "r11",
        "xmm0",
        "xmm1",
        "eax",
        "ecx",
        "edx",
    ]
    code = " ".join(hex_digits(chance, 2) for _ in range(chance.randint(2, 8)))
    return f"  {chance.randrange(0x400000, 0x500000):x}:\t{code:24}\t{chance.choice(['mov', 'lea', 'add', 'sub', 'xor', 'cmp', 'jne', 'je', 'call', 'push', 'pop', 'test', 'vpaddd', 'movzx']):6} {chance.choice(registers)},QWORD PTR [{chance.choice(registers)}+0x{chance.randint(0, 4095):x}]"
