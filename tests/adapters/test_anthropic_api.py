"""The provider's counting call, through the real package, against a server on this machine."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest
from attrs import define, field

from keel_ref.adapters.anthropic_api import ApiCounter, connect, is_address, parse_retry_after
from keel_ref.adapters.extras import MissingPackageError
from keel_ref.adapters.hf_tokenizers import load_tokenizer
from keel_ref.adapters.in_memory_counter import ScriptedCounter
from keel_ref.conformance.marks import clause
from keel_ref.errors import InvalidArgumentError
from keel_ref.tokens import Count, count_or_estimate
from tests.adapters.counting_server import FRAME_TOKENS, Answer, CountingServer, counting_server, hang_up, say
from tests.adapters.small_tokenizer import save_small_tokenizer

ROWS = [{"role": "user", "content": "12345678"}]
EXACT = FRAME_TOKENS + len('[{"type": "text", "text": "12345678"}]') // 2


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[CountingServer]:
    """The server, and an environment in which the package finds a key and nothing else."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    for name in [name for name in os.environ if name.startswith("ANTHROPIC_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("ANTHROPIC_API_KEY", "of-the-test")
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with counting_server() as served:
        yield served


@define
class Clock:
    """Sleeps without time."""

    waits: list[float] = field(factory=list)

    def __call__(self, seconds: float) -> None:
        """Keep what was asked for."""
        self.waits.append(seconds)


Connect = Callable[..., tuple[ApiCounter, Clock]]


@pytest.fixture
def make(server: CountingServer) -> Iterator[Connect]:
    """Counters for the server, closed behind the test."""
    made: list[ApiCounter] = []

    def connected(**settings: Any) -> tuple[ApiCounter, Clock]:
        counter, clock = connect("a-model", base_url=server.url, **settings), Clock()
        counter.sleep = clock
        made.append(counter)
        return counter, clock

    yield connected
    for counter in made:
        counter.close()


def hold(server: CountingServer) -> Answer:
    """Keeps the client waiting until the test is over."""

    def answer(request: BaseHTTPRequestHandler, _: dict[str, Any]) -> None:
        server.patience.wait()
        request.close_connection = True

    return answer


@clause("EST-022")
def test_the_rows_are_sent_as_a_request_would_hold_them(server: CountingServer, make: Connect) -> None:
    """In blocks, with the model and the key, and without what is never sent; the answer is exact."""
    counter, _ = make()
    rows = [{"role": "progress", "content": "never sent"}, *ROWS]

    assert EXACT == counter.count(rows)
    assert [
        {"model": "a-model", "messages": [{"role": "user", "content": [{"type": "text", "text": "12345678"}]}]}
    ] == [{key: body[key] for key in ("model", "messages")} for body in server.bodies]
    assert any("of-the-test" in value for value in server.headers[0].values())
    assert None is counter.last_problem


@clause("EST-012", "EST-022")
def test_all_counters_count_the_same_rows(server: CountingServer, make: Connect, tmp_path: Path) -> None:
    """Asked alone they count the list as it is given, boundary or not; `count_or_estimate` gives each the view."""
    save_small_tokenizer(tmp_path / "tokenizer.json")
    before: list[dict[str, Any]] = [{"role": "user", "content": "before it"}, {"role": "assistant", "content": "yes"}]
    silent = [{"role": "system", "subtype": "compact_boundary", "content": "x"}, {"role": "progress", "content": "y"}]
    rows = [*before, *silent, *ROWS]
    scripted = ScriptedCounter([1])
    counters = (make()[0], load_tokenizer(tmp_path / "tokenizer.json"))

    for counter in counters:
        assert counter.count([*before, *ROWS]) == counter.count(rows)
        assert counter.count(rows) != counter.count(ROWS)
        assert count_or_estimate(rows, counter) == Count(tokens=counter.count(ROWS), is_exact=True)  # type: ignore[arg-type]
    assert 1 == count_or_estimate(rows, scripted).tokens
    assert [[*silent, *ROWS]] == scripted.asked
    assert count_or_estimate(ROWS) == count_or_estimate(rows)
    assert [before[0]["content"]] == [server.bodies[1]["messages"][0]["content"][0]["text"]]


@clause("EST-022")
def test_nothing_to_send_costs_nothing(server: CountingServer, make: Connect) -> None:
    """No row is left, so no call is made."""
    counter, _ = make()

    assert 0 == counter.count([{"role": "progress", "content": "x"}])
    assert [] == server.bodies


@clause("EST-022")
@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (
            say(400, {"type": "error", "error": {"type": "x", "message": "no such\n model"}}),
            "answers 400: no such model",
        ),
        (say(401, {"error": "no"}), "answers 401"),
        (say(404, b"<html>", kind="text/html"), "answers 404"),
        (say(200, b"garbage"), ""),
        (say(200, b"<html>", kind="text/html"), "no count of tokens"),
        (say(200, b"", kind="text/plain"), "no count of tokens"),
        (say(200, {"tokens": 5}), "no count of tokens"),
        (say(200, {"input_tokens": -5}), "no count of tokens"),
        (say(200, {"input_tokens": "5"}), "no count of tokens"),
        (say(200, {"input_tokens": True}), "no count of tokens"),
        (say(200, [1, 2]), ""),
        (say(200, None), ""),
    ],
)
def test_a_failure_that_stays_is_unavailable_at_once(
    server: CountingServer, make: Connect, answer: Answer, said: str
) -> None:
    """A refusal, or an answer that holds no count: None, with the reason, after one request."""
    server.answers.append(answer)
    counter, clock = make()

    assert None is counter.count(ROWS)
    assert said in str(counter.last_problem)
    assert counter.last_problem
    assert (1, []) == (counter.requests, clock.waits)


@clause("EST-022")
@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (say(429, {"error": {"message": "slow"}}, retry_after="0"), "answers 429: slow"),
        (say(500, {}), "answers 500"),
        (say(529, b"overloaded"), "answers 529"),
        (hang_up, "Connection error"),
    ],
)
def test_a_failure_that_may_pass_is_tried_again_and_no_more_than_that(
    server: CountingServer, make: Connect, answer: Answer, said: str
) -> None:
    """Three requests in all, then unavailable; the estimate is taken in its place, and nothing fails."""
    server.answers += [answer] * 3
    counter, clock = make()

    assert 2 == count_or_estimate(ROWS, counter).tokens
    assert said in str(counter.last_problem)
    assert (3, 2) == (counter.requests, len(clock.waits))
    assert EXACT == count_or_estimate(ROWS, counter).tokens
    assert None is counter.last_problem


@clause("EST-022")
@pytest.mark.parametrize(
    ("asked", "waits"), [("0", [0.0]), ("7", [7.0]), ("60", [60.0]), ("soon", [0.5]), ("nan", [0.5])]
)
def test_the_server_says_how_long_to_wait(
    server: CountingServer, make: Connect, asked: str, waits: list[float]
) -> None:
    """Retry-After is kept to; without a usable one the wait is our own."""
    server.answers.append(say(429, {}, retry_after=asked))
    counter, clock = make()

    assert EXACT == counter.count(ROWS)
    assert waits == clock.waits


@clause("EST-022")
@pytest.mark.parametrize("asked", ["61", "1e300", "inf"])
def test_nobody_waits_for_an_hour(server: CountingServer, make: Connect, asked: str) -> None:
    """A server that asks for more than a minute is unavailable now."""
    server.answers.append(say(429, {}, retry_after=asked))
    counter, clock = make()

    assert None is counter.count(ROWS)
    assert "asks to wait" in str(counter.last_problem)
    assert [] == clock.waits


def test_a_wait_may_be_a_date() -> None:
    """Of the past it is no wait."""

    assert 0 == parse_retry_after("Wed, 21 Oct 2015 07:28:00 GMT")
    assert 10**8 < float(parse_retry_after("Wed, 21 Oct 2999 07:28:00 GMT") or 0)
    assert 0 == parse_retry_after("-3")
    assert [None, None] == [parse_retry_after(None), parse_retry_after("Wed, 99 Oct")]


@clause("EST-022")
def test_one_that_takes_too_long_is_unavailable(server: CountingServer, make: Connect) -> None:
    """The limit is the caller's."""
    server.answers.append(hold(server))
    counter, _ = make(timeout_seconds=0.05, retries=0)

    assert None is counter.count(ROWS)
    assert "timed out" in str(counter.last_problem).lower()


@clause("EST-022")
def test_no_more_calls_than_were_allowed(server: CountingServer, make: Connect) -> None:
    """Retries are calls too."""
    server.answers.append(say(500, {}))
    counter, _ = make(max_requests=2)

    assert [EXACT, None] == [counter.count(ROWS), counter.count(ROWS)]
    assert "all 2 calls" in str(counter.last_problem)
    assert 2 == len(server.bodies)
    server.answers += [say(500, {}), say(500, {})]
    hurried, _ = make(max_requests=1)
    assert None is hurried.count(ROWS)
    assert "the server answers 500; all 1 calls that were allowed are made" == hurried.last_problem


@clause("EST-022")
@pytest.mark.parametrize("content", ["\ud800", b"bytes", [{"type": "x", "y": {1, object()}}]])
def test_what_cannot_be_sent_is_unavailable(server: CountingServer, make: Connect, content: Any) -> None:
    """A lone surrogate, or a value that is no JSON; no request is made for it."""
    counter, _ = make()
    block = content if isinstance(content, list) else [{"type": "text", "text": "x", "more": content}]

    assert None is counter.count([{"role": "user", "content": block}])
    assert counter.last_problem
    assert [] == server.bodies


def test_without_a_key_it_is_unavailable(make: Connect, monkeypatch: pytest.MonkeyPatch) -> None:
    """And says what is missing."""
    monkeypatch.delenv("ANTHROPIC_API_KEY")
    counter, _ = make()

    assert None is counter.count(ROWS)
    assert "authentication" in str(counter.last_problem)


def test_whether_there_is_a_key_is_known(make: Connect, monkeypatch: pytest.MonkeyPatch) -> None:
    """A key or a token, before anything is sent."""
    assert make()[0].has_key
    monkeypatch.delenv("ANTHROPIC_API_KEY")
    assert not make()[0].has_key
    monkeypatch.setenv("ANTHROPIC_AUTH_TOKEN", "of-the-test")
    assert make()[0].has_key


@pytest.mark.parametrize(
    ("address", "is_one"),
    [
        ("https://api.example.org", True),
        ("http://127.0.0.1:8080/v1", True),
        ("http://[::1]:80", True),
        ("ftp://example.org", False),
        ("example.org", False),
        ("https://", False),
        ("https://example.org:99999", False),
        ("https://example .org", False),
        ("https://[::1", False),
    ],
)
def test_what_is_an_address(address: str, is_one: bool) -> None:
    """One to which the package would send a request."""

    assert is_one == is_address(address)


def test_an_address_that_is_none_is_said_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Before anything is counted, wherever it comes from."""
    with pytest.raises(InvalidArgumentError, match="'' is no address; write one such as"):
        connect("a-model", base_url="")
    monkeypatch.setenv("ANTHROPIC_BASE_URL", "example.org")
    with pytest.raises(InvalidArgumentError, match=r"'example\.org' is no address"):
        connect("a-model")


def test_settings_that_the_package_refuses_are_said_at_once(
    server: CountingServer, make: Connect, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A profile that is named and not there is a mistake before anything is counted."""
    monkeypatch.delenv("ANTHROPIC_API_KEY")
    monkeypatch.setenv("ANTHROPIC_PROFILE", "of-nobody")

    with pytest.raises(InvalidArgumentError, match="its settings cannot be used"):
        make()
    assert [] == server.bodies


def test_a_list_is_asked_for(make: Connect) -> None:
    """What is no list of rows is the caller's mistake, as everywhere."""
    counter, _ = make()

    with pytest.raises(InvalidArgumentError, match="a list of rows"):
        counter.count("rows")


def test_it_can_be_used_in_a_with(server: CountingServer) -> None:
    """The connection is let go of at the end."""
    with connect("a-model", base_url=server.url) as counter:
        assert FRAME_TOKENS + 4 == counter.count_text("12345678")


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """With what brings it."""
    monkeypatch.setitem(sys.modules, "anthropic", None)

    with pytest.raises(MissingPackageError, match=r"anthropic is not installed; `pip install keel-ref\[api\]`"):
        connect("a-model")
