"""The example of an agent, run with the real package against a server on this machine."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import anthropic
import pytest
from attrs import evolve

from keel_ref.messages.rows import is_boundary
from tests.adapters.counting_server import CountingServer, counting_server
from tests.adapters.messages_answers import SUMMARY, call, error, is_summary_call, message, slow_down, too_long

EXAMPLE = Path(__file__).parents[2] / "examples" / "agent_loop.py"
FULL = 170_000
"""Tokens at which a compaction is due in a window of 200,000."""
Make = Callable[[], Any]


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[CountingServer]:
    """The server, and an environment in which the package finds nothing else."""
    for name in [name for name in os.environ if name.startswith("ANTHROPIC_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with counting_server(otherwise=message("done")) as served:
        yield served


@pytest.fixture
def make(server: CountingServer, tmp_path: Path) -> Iterator[Make]:
    """Agents that look after a folder with two files."""
    found = importlib.util.spec_from_file_location("agent_loop", EXAMPLE)
    assert found is not None
    assert found.loader is not None
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "small").write_text("as it was")
    (tmp_path / "folder" / "large").write_text("y" * 60_000)
    client = anthropic.Anthropic(api_key="of-the-test", base_url=server.url, max_retries=0)
    yield lambda: module.Agent(
        client, "a-model", tmp_path / "folder", tmp_path / "session", window=200_000, max_output=32_000
    )
    client.close()


def read(path: str, number: int = 0, used: int = 100) -> Any:
    """An answer that reads a file."""
    return call("read_file", {"path": path}, name=f"toolu_{number}", response=f"msg_{number}", used=used)


def results(body: dict[str, Any]) -> list[Any]:
    """The contents of all results of a request."""
    blocks = [block for one in body["messages"] for block in one["content"]]
    return [block["content"] for block in blocks if block["type"] == "tool_result"]


def test_it_is_short() -> None:
    """A pattern is read, so it fits on three screens."""

    assert 150 > len(EXAMPLE.read_text().splitlines())


def test_it_uses_its_tools(server: CountingServer, make: Make) -> None:
    """Reading, listing, and what lies outside of its folder or is not there."""
    server.answers += [
        call("list_dir", {"path": "."}, name="toolu_9", response="msg_9"),
        read("small", 1),
        read("../secret", 2),
        read("none", 3),
        call("list_dir", {}, name="toolu_4", response="msg_4"),
    ]

    assert "done" == make().run("look around")

    said = results(server.bodies[-1])
    assert ["large\nsmall", "as it was", "large\nsmall"] == [said[0], said[1], said[4]]
    assert all("cannot be had" in text for text in said[2:4])


def test_a_large_result_goes_to_a_file(server: CountingServer, make: Make, tmp_path: Path) -> None:
    """The innermost budget: the model reads the beginning and the path, and can read on there."""
    server.answers += [read("large"), read(str(tmp_path / "session" / "tool-results" / "toolu_0.txt"), 1)]

    make().run("read it")

    saved = tmp_path / "session" / "tool-results" / "toolu_0.txt"
    assert "y" * 60_000 == saved.read_text()
    assert str(saved) in results(server.bodies[-1])[0]
    assert [True, True] == [3_000 > len(text) for text in results(server.bodies[-1])]


def test_at_the_threshold_it_compacts_and_the_file_comes_back(
    server: CountingServer, make: Make, tmp_path: Path
) -> None:
    """As it is on the disk now; the turn goes on."""
    server.answers += [read("small", used=FULL), message(SUMMARY)]
    agent = make()
    before = (tmp_path / "folder" / "small").stat()

    assert "done" == agent.run("read it")

    assert [False, True, False] == [is_summary_call(body) for body in server.bodies]
    assert "as it was" in str(server.bodies[-1])
    assert "Next step" in str(server.bodies[-1])
    assert before.st_mtime_ns == (tmp_path / "folder" / "small").stat().st_mtime_ns
    assert is_boundary(agent.state.view[0])


def test_empty_summaries_thrice_open_the_breaker(server: CountingServer, make: Make) -> None:
    """Two calls for each of three attempts, then none; the turn goes on all the while."""
    for number in range(5):
        server.answers += [read("small", number, used=FULL), *([message("")] * 2 if number < 3 else [])]
    agent = make()

    assert "done" == agent.run("read it")

    assert 6 == sum(is_summary_call(body) for body in server.bodies)
    assert agent.state.breaker.is_open


def test_a_window_that_refills_at_once_ends_the_turn(server: CountingServer, make: Make) -> None:
    """After three compactions, instead of a fourth."""
    for number in range(4):
        server.answers += [read("small", number, used=FULL), *([message(SUMMARY)] if number < 3 else [])]

    assert "[stopped: refill-guard]" == make().run("read it")
    assert 3 == sum(is_summary_call(body) for body in server.bodies)


def test_a_request_that_does_not_fit_is_repaired_once_a_turn(server: CountingServer, make: Make) -> None:
    """Then the turn ends; with the next prompt it may be tried again."""
    server.answers += [too_long(), message(SUMMARY), too_long(), message("better")]
    agent = make()

    assert "[stopped: overflow-error]" == agent.run("do something large")
    assert "better" == agent.run("something smaller")


def test_a_context_that_is_blocked_is_not_sent(server: CountingServer, make: Make) -> None:
    """Where nothing else deals with an overflow, the limit leaves the room in which a compaction can be asked for."""
    agent = make()
    settings = agent.state.settings
    agent.state = evolve(agent.state, settings=evolve(settings, gates=evolve(settings.gates, reactive=False)))
    server.answers += [read("small", used=178_000), message(""), message("")]

    assert "[stopped: blocking-limit]" == agent.run("read it")
    assert 3 == len(server.bodies)


@pytest.mark.parametrize("answer", [slow_down(), error(401, "authentication_error", "invalid x-api-key")])
def test_what_no_compaction_mends_is_raised(server: CountingServer, make: Make, answer: Any) -> None:
    """The caller decides; the session stays usable."""
    server.answers.append(answer)
    agent = make()

    with pytest.raises(anthropic.APIStatusError):
        agent.run("hi")
    assert "done" == agent.run("again")


def test_a_loop_has_a_cap(server: CountingServer, make: Make) -> None:
    """A model that never stops calling is stopped."""
    server.answers += [read("small", number) for number in range(60)]

    assert "[stopped: 50 requests]" == make().run("for ever")
    assert 50 == len(server.bodies)
