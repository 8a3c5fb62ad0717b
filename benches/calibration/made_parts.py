# mypy: ignore-errors
"""What made texts are put together from: words, names, paths, stamps, addresses."""

import random
import uuid
from collections.abc import Callable

WORDS = [
    "account",
    "action",
    "agent",
    "array",
    "assert",
    "async",
    "batch",
    "block",
    "body",
    "buffer",
    "build",
    "byte",
    "cache",
    "call",
    "cancel",
    "catalog",
    "channel",
    "check",
    "child",
    "class",
    "client",
    "close",
    "code",
    "column",
    "command",
    "commit",
    "config",
    "connect",
    "content",
    "context",
    "convert",
    "count",
    "create",
    "cursor",
    "data",
    "date",
    "debug",
    "decode",
    "default",
    "delete",
    "depth",
    "device",
    "dir",
    "display",
    "doc",
    "driver",
    "element",
    "encode",
    "engine",
    "entry",
    "error",
    "event",
    "exit",
    "export",
    "factory",
    "fetch",
    "field",
    "file",
    "filter",
    "flag",
    "flush",
    "folder",
    "format",
    "frame",
    "group",
    "handle",
    "handler",
    "hash",
    "header",
    "height",
    "host",
    "http",
    "image",
    "import",
    "index",
    "info",
    "init",
    "input",
    "insert",
    "instance",
    "item",
    "iterator",
    "job",
    "json",
    "key",
    "kind",
    "label",
    "layout",
    "length",
    "level",
    "library",
    "limit",
    "line",
    "link",
    "list",
    "listener",
    "load",
    "local",
    "lock",
    "log",
    "loop",
    "manager",
    "map",
    "mask",
    "match",
    "max",
    "memory",
    "merge",
    "message",
    "meta",
    "method",
    "min",
    "mode",
    "model",
    "module",
    "mount",
    "name",
    "network",
    "node",
    "null",
    "number",
    "object",
    "offset",
    "open",
    "option",
    "order",
    "output",
    "owner",
    "page",
    "parent",
    "parse",
    "patch",
    "path",
    "pattern",
    "payload",
    "pending",
    "point",
    "policy",
    "pool",
    "port",
    "prefix",
    "process",
    "profile",
    "project",
    "prop",
    "proxy",
    "query",
    "queue",
    "range",
    "read",
    "record",
    "ref",
    "region",
    "register",
    "release",
    "remote",
    "render",
    "reply",
    "request",
    "reset",
    "resolve",
    "resource",
    "response",
    "result",
    "retry",
    "root",
    "route",
    "row",
    "rule",
    "run",
    "sample",
    "scale",
    "schema",
    "scope",
    "score",
    "search",
    "section",
    "segment",
    "select",
    "send",
    "server",
    "service",
    "session",
    "set",
    "shard",
    "share",
    "signal",
    "size",
    "slot",
    "snapshot",
    "socket",
    "sort",
    "source",
    "spec",
    "stack",
    "start",
    "state",
    "status",
    "step",
    "stop",
    "storage",
    "store",
    "stream",
    "string",
    "style",
    "switch",
    "sync",
    "table",
    "tag",
    "target",
    "task",
    "template",
    "test",
    "text",
    "thread",
    "timeout",
    "timer",
    "title",
    "token",
    "topic",
    "total",
    "trace",
    "transform",
    "tree",
    "trigger",
    "type",
    "unit",
    "update",
    "upload",
    "url",
    "user",
    "util",
    "valid",
    "value",
    "vector",
    "version",
    "view",
    "wait",
    "watch",
    "width",
    "window",
    "worker",
    "wrap",
    "write",
    "zone",
]


Maker = Callable[[random.Random, int], str]


def many_of(one: Callable[[random.Random], str], between: str = "\n") -> Maker:
    """A maker that joins parts until there is enough."""

    def maker(chance: random.Random, size: int) -> str:
        parts: list[str] = []
        held = 0
        while held < size:
            parts.append(one(chance))
            held += len(parts[-1]) + len(between)
        return between.join(parts)

    return maker


def some_words(chance: random.Random, low: int = 1, high: int = 4) -> list[str]:
    """A few words out of the list."""
    return chance.choices(WORDS, k=chance.randint(low, high))


def camel_name(chance: random.Random) -> str:
    """A name of some words, as JavaScript writes it."""
    first, *rest = some_words(chance)
    return first + "".join(word.title() for word in rest)


def path_name(chance: random.Random) -> str:
    """A path of a file."""
    ending = chance.choice(
        ["py", "ts", "tsx", "rs", "go", "js", "json", "md", "c", "h", "java", "yml", "log", "lock", "png"]
    )
    return (
        "/"
        + "/".join("_-"[chance.randint(0, 1)].join(some_words(chance, 1, 2)) for _ in range(chance.randint(2, 7)))
        + "."
        + ending
    )


def time_stamp(chance: random.Random) -> str:
    """A point in time, in one of four forms."""
    c = chance.randint
    form = c(0, 3)
    day, clock = f"20{c(10, 26)}-{c(1, 12):02}-{c(1, 28):02}", f"{c(0, 23):02}:{c(0, 59):02}:{c(0, 59):02}"
    return (
        f"{day}T{clock}.{c(0, 999):03}Z",
        f"{day} {clock},{c(0, 999):03}",
        f"[{clock}]",
        f"{c(1_400_000_000, 1_790_000_000)}",
    )[form]


def host_address(chance: random.Random) -> str:
    """An IPv4 address."""
    return ".".join(str(chance.randint(0, 255)) for _ in range(4))


def hex_digits(chance: random.Random, digits: int) -> str:
    """Hexadecimal digits."""
    return "".join(chance.choices("0123456789abcdef", k=digits))


def some_letters(chance: random.Random, count: int) -> str:
    """Letters and digits at random."""
    return "".join(chance.choices("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789", k=count))


def some_uuid(chance: random.Random) -> uuid.UUID:
    """A random UUID."""
    return uuid.UUID(int=chance.getrandbits(128), version=4)
