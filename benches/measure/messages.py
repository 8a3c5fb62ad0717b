"""Lists of messages: the estimate against writing them as JSON, another estimator and the model; rounds against it."""

import json
from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from benches.measure import Measurement, Run, ratio_of
from keel_ref import api_rounds, estimate_messages
from keel_ref.messages import rounds
from keel_ref.tokens import estimate_messages as model

MESSAGES = 1_000
LONG_LIST = 100_000
FEW_ROUNDS = 11
"""For what takes most of a second."""

_PROSE = "The loader reads the file, strips comments and joins what was included. It doesn't follow links twice.\n"
_CODE = 'def load(path: str) -> str:\n    """Read it."""\n    return open(path, encoding="utf-8").read()\n\n'
_HAN = "提交之前先运行测试。不要直接改动生成的文件。\n"
MIXED = (_PROSE, _CODE, _PROSE, _HAN)
"""A quarter of the results is Han, which takes a writer of JSON longer than ASCII."""
ASCII = (_PROSE, _CODE)
PLAIN = ("The loader reads the file, strips comments and joins what was included. ",)
"""Nothing in it has to be escaped, which is where a writer of JSON is fastest."""


def session(messages: int = MESSAGES, units: int = 2_600, texts: Sequence[str] = MIXED) -> list[dict[str, Any]]:
    """A session as it is read from a file: a call and its result by turns, results of so many units of the texts.

    Each text is an object of its own, as a parser makes it.
    """
    rows: list[dict[str, Any]] = []
    for turn in range(messages // 2):
        text = texts[turn % len(texts)]
        call = {
            "type": "tool_use",
            "id": f"toolu_{turn:08}",
            "name": "Bash",
            "input": {
                "command": f"sed -n {turn},{turn + 40}p src/main.rs\n",
                "timeout": 1000 * turn,
                "description": "Read",
            },
        }
        said = {"type": "text", "text": "I read the next part of the file."}
        result = {
            "type": "tool_result",
            "tool_use_id": call["id"],
            "content": (text * (units // len(text) + 1))[:units],
        }
        rows.append({"role": "assistant", "id": f"msg_{turn:08}", "content": [said, call]})
        rows.append({"role": "user", "content": [result]})
    parsed: list[dict[str, Any]] = json.loads(json.dumps(rows))
    return parsed


def writers(messages: list[dict[str, Any]]) -> dict[str, Run]:
    """What other packages do with the same list, by name; what is not installed is left out."""
    found: dict[str, Run] = {"json.dumps": partial(json.dumps, messages)}
    if find_spec("orjson"):
        found["orjson.dumps"] = partial(import_module("orjson").dumps, messages)
    if find_spec("langchain_core"):
        counter: Callable[[Any], int] = import_module("langchain_core.messages.utils").count_tokens_approximately
        found["langchain-core, count_tokens_approximately"] = partial(counter, messages)
    return found


def measurements() -> list[Measurement]:
    """All of them; takes about half a minute."""
    lists = {"ASCII": ASCII, "ASCII without line ends": PLAIN, "a quarter Han": MIXED}
    estimates = [_estimates(words, session(texts=texts)) for words, texts in lists.items()]
    return [*(one for several in estimates for one in several), _rounds()]


def _estimates(words: str, messages: list[dict[str, Any]]) -> list[Measurement]:
    """A list by either method, against each peer."""
    size = len(json.dumps(messages, ensure_ascii=False).encode())
    peers = {**dict.fromkeys(("orjson.dumps", "langchain-core, count_tokens_approximately")), **writers(messages)}
    return [
        Measurement(
            name=f"{MESSAGES:,} messages, {words}, {'documented rule' if method == 'documented' else method}",
            subject=f'estimate_messages(messages, method="{method}")',
            peer=name,
            ratio=None if peer is None else ratio_of(subject, peer, FEW_ROUNDS if name.startswith("langchain") else 25),
            bytes=size,
            note="" if peer else "not installed",
        )
        for method in ("documented", "bound")
        for subject in [partial(estimate_messages, messages, method=method)]
        for name, peer in {**peers, "the model in Python": partial(model, messages, method=method)}.items()
        if not (method == "bound" and name == "the model in Python")  # seconds for one call
    ]


def _rounds() -> Measurement:
    long_list = session(LONG_LIST, 200)
    return Measurement(
        name=f"rounds of {LONG_LIST:,} messages",
        subject="api_rounds(messages)",
        peer="the model in Python",
        ratio=ratio_of(partial(api_rounds, long_list), partial(rounds.api_rounds, long_list), FEW_ROUNDS),
        bytes=len(json.dumps(long_list, ensure_ascii=False).encode()),
    )
