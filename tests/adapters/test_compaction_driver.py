"""The driver of the turn machine, through the real package, against a server on this machine."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import anthropic
import pytest
from attrs import evolve

from keel_ref.adapters.clock import SetClock
from keel_ref.adapters.compaction_driver import Driver, RequestFailed
from keel_ref.adapters.hooks import HookSays
from keel_ref.adapters.summary_call import Request
from keel_ref.adapters.summary_demand import DEMAND
from keel_ref.choices import Gates
from keel_ref.compaction import DiskFile, End, HookKind, Settings, State, Why
from keel_ref.compaction.session_memory import SessionNotes
from keel_ref.compaction.summary import PARTS
from keel_ref.conformance.marks import clause
from keel_ref.errors import InvalidArgumentError
from keel_ref.messages.rows import Role, is_boundary, role_of
from keel_ref.window import window_limits
from tests.adapters.counting_server import CountingServer, counting_server, hang_up, say
from tests.adapters.messages_answers import (
    SUMMARY,
    call,
    error,
    is_summary_call,
    message,
    no_answer,
    slow_down,
    too_long,
)

TOOLS = [
    {"name": name, "description": "x", "input_schema": {"type": "object"}} for name in ("list_dir", "Read", "Bash")
]
Make = Callable[..., Driver]


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[CountingServer]:
    """The server, and an environment in which the package finds nothing else."""
    for name in [name for name in os.environ if name.startswith("ANTHROPIC_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with counting_server(otherwise=message("ok")) as served:
        yield served


@pytest.fixture
def make(server: CountingServer, tmp_path: Path) -> Iterator[Make]:
    """Drivers whose client talks to the server; closed behind the test."""
    clients: list[Any] = []

    def made(*, retries: int = 0, gates: Gates | None = None, window: int = 200_000, **more: Any) -> Driver:
        client = anthropic.Anthropic(api_key="of-the-test", base_url=server.url, max_retries=retries)
        clients.append(client)
        settings = Settings(
            limits=window_limits(window=window, max_output=32_000),
            gates=gates or Gates.released(),
            session_folder=str(tmp_path / "session"),
        )
        request = Request(model="a-model", max_tokens=32_000, system="be brief", tools=TOOLS)
        return Driver(
            client=client, request=request, state=State(settings=settings), clock=SetClock(at_ms=1_000), **more
        )

    yield made
    for client in clients:
        client.close()


def filled(driver: Driver, rounds: int = 4, *, used: int = 170_000) -> Driver:
    """The driver with a few rounds, the last of which makes a compaction due."""
    driver.append({"role": "user", "content": "mend the parser"})
    for number in range(rounds):
        block = {"type": "tool_use", "id": f"toolu_{number}", "name": "Bash", "input": {"command": "make"}}
        tokens = used if number == rounds - 1 else 1_000
        driver.append(
            {"role": "assistant", "id": f"msg_{number}", "content": [block], "usage": {"input_tokens": tokens}},
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": f"toolu_{number}", "content": "no"}]},
        )
    return driver


def reasons(driver: Driver) -> list[Why]:
    """Every reason so far."""
    return [one.why for one in driver.trace]


@clause("CMP-001")
def test_an_answer_joins_the_rows_with_its_usage(server: CountingServer, make: Make) -> None:
    """What the provider measured is what the next count stands on; the request holds the caller's words."""
    server.answers.append(message("hello", used=1_234, out=6))
    driver = make()
    driver.append({"role": "user", "content": "hi"})

    turn = driver.send()

    assert ("hello", None) == (turn.answer.content[0].text, turn.end)
    assert 1_240 == driver.state.used
    assert ["be brief", 32_000, "a-model", 3] == [
        server.bodies[0]["system"],
        server.bodies[0]["max_tokens"],
        server.bodies[0]["model"],
        len(server.bodies[0]["tools"]),
    ]


@clause("CMP-001")
def test_what_stands_in_front_is_in_every_request(server: CountingServer, make: Make) -> None:
    """Instructions are sent with the call for the summary too, and are no row of the session."""
    server.answers += [message(SUMMARY), message("on we go")]
    driver = filled(make(front=[{"role": "user", "content": "the rules of the house"}]))

    driver.send()

    firsts = [body["messages"][0]["content"][0]["text"] for body in server.bodies]
    assert ["the rules of the house"] * 2 == firsts
    assert not [row for row in driver.state.log if row.get("content") == "the rules of the house"]


@clause("CMP-090", "CMP-091")
def test_a_compaction_asks_with_the_words_of_the_main_call(server: CountingServer, make: Make) -> None:
    """The forked call lists every tool, sets no cap of its own, and ends in the one message that asks."""
    server.answers += [message(SUMMARY), message("on we go", used=500)]
    driver = filled(make())

    turn = driver.send()

    asked, main = server.bodies
    assert (asked["tools"], asked["max_tokens"], asked["system"]) == (main["tools"], main["max_tokens"], main["system"])
    assert "tool_choice" not in asked
    assert DEMAND == asked["messages"][-1]["content"][-1]["text"]
    assert not is_summary_call(main)
    assert "on we go" == turn.answer.content[0].text
    assert (1, 505) == (driver.summary_calls, driver.state.used)
    assert [] == driver.problems


def test_the_demand_names_every_part() -> None:
    """The nine parts of a summary, each by its name, and the tags around it."""
    lines = DEMAND.lower().split("\n")

    assert [] == [
        part for part in PARTS if not any(line.startswith(f"{PARTS.index(part) + 1}. {part}:") for line in lines)
    ]
    assert all(tag in DEMAND for tag in ("<analysis>", "<summary>"))


@clause("CMP-092")
def test_a_prompt_that_is_too_long_is_asked_again_on_a_shorter_head(server: CountingServer, make: Make) -> None:
    """First with all tools, then with one, then without the rounds that make up the excess."""
    server.answers += [too_long(), too_long(200_020, 200_000), message(SUMMARY), message("done")]
    driver = filled(make(), rounds=6)

    driver.send()

    asked = [body for body in server.bodies if is_summary_call(body)]
    assert [3, 1, 3] == [len(body["tools"]) for body in asked]
    assert "Read" == asked[1]["tools"][0]["name"]
    answers = [sum(one["role"] == "assistant" for one in body["messages"]) for body in asked]
    assert answers[0] == answers[1] > answers[2] > 0
    assert [Why.ROUND_DROPPED] == [one for one in reasons(driver) if one is Why.ROUND_DROPPED][:1]
    assert Why.EXCESS_UNKNOWN not in reasons(driver)
    assert Why.COMPACTED in reasons(driver)
    assert 2 == len([problem for problem in driver.problems if "prompt is too long" in problem])


@clause("CMP-106")
def test_an_excess_that_nobody_names_is_assumed(server: CountingServer, make: Make) -> None:
    """A request whose bytes are too many says no number of tokens."""
    server.answers += [too_long(), error(413, "request_too_large", "Request exceeds the maximum size")]
    server.answers += [message(SUMMARY), message("done")]
    driver = filled(make(), rounds=6)

    driver.send()

    assert Why.EXCESS_UNKNOWN in reasons(driver)
    assert Why.COMPACTED in reasons(driver)


@clause("CMP-073", "CMP-092", "CMP-093")
@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (message(""), "summary-empty"),
        (message("  \n"), "summary-empty"),
        (call("Bash", {"command": "rm -rf /"}), "summary-empty"),
        (message("no", stop="refusal"), "declined"),
        (error(401, "authentication_error", "invalid x-api-key"), "answers 401: invalid x-api-key"),
        (slow_down(), "answers 429: too many requests"),
        (error(529, "overloaded_error", "Overloaded"), "answers 529"),
        (say(200, b"<html>", kind="text/html"), "is no message"),
        (hang_up, "Connection error"),
    ],
)
def test_three_attempts_in_vain_and_no_fourth(server: CountingServer, make: Make, answer: Any, said: str) -> None:
    """Two calls each; the turns go on, and the reason is told."""
    driver = filled(make())
    for _ in range(3):
        server.answers += [answer, answer, message("still here", used=170_000)]
    server.answers.append(message("still here", used=170_000))

    turns = [driver.send() for _ in range(4)]

    assert ["still here"] * 4 == [turn.answer.content[0].text for turn in turns]
    assert (6, 3) == (driver.summary_calls, reasons(driver).count(Why.FAILED))
    assert Why.BREAKER_OPEN is reasons(driver)[-1]
    assert 6 == len([problem for problem in driver.problems if said in problem])
    assert [] == [row for row in driver.state.log if is_boundary(row)]


def test_the_package_makes_its_own_retries_first(server: CountingServer, make: Make) -> None:
    """What passes by itself is no failure of the attempt."""
    server.answers += [slow_down(), message(SUMMARY), message("done")]
    driver = filled(make(retries=1))

    driver.send()

    assert [] == driver.problems
    assert Why.COMPACTED in reasons(driver)


def test_a_server_that_does_not_answer_is_a_failure(server: CountingServer, make: Make) -> None:
    """Within the caller's patience."""
    server.answers += [no_answer(server), no_answer(server), message("done")]
    driver = filled(make(timeout_seconds=0.1))

    turn = driver.send()

    assert "done" == turn.answer.content[0].text
    assert 2 == len([problem for problem in driver.problems if "timed out" in problem.lower()])


@clause("CMP-095")
def test_a_summary_without_its_end_is_reported(server: CountingServer, make: Make) -> None:
    """The compaction stands; a person is told what is missing, and that it was cut off."""
    server.answers += [message("<summary>\n8. Current work: the parser", stop="max_tokens"), message("done")]
    driver = filled(make())

    driver.send()

    assert Why.COMPACTED in reasons(driver)
    assert [
        "the summary was cut off (max_tokens); raise max_tokens",
        "the summary has no part 'next step'; check it before going on",
    ] == driver.problems


@clause("CMP-113", "CMP-114", "CMP-116")
def test_files_come_back_as_they_are_now(server: CountingServer, make: Make, tmp_path: Path) -> None:
    """The newest first; what is gone, a folder, a pipe or no text is left out, what is too large is named."""
    for number, name in enumerate(("old", "new", "large", "binary", "gone")):
        (tmp_path / name).write_bytes({"large": b"x" * 40_000, "binary": b"\0"}.get(name, b"as it was"))
        os.utime(tmp_path / name, (number, number))
    os.mkfifo(tmp_path / "pipe")
    server.answers += [message(SUMMARY), message("done")]
    driver = filled(make())
    for name in ("old", "new", "large", "binary", "gone", "pipe", "."):
        driver.note_read(str(tmp_path / name))
    (tmp_path / "gone").unlink()
    (tmp_path / "new").write_text("as it is")
    os.utime(tmp_path / "new", (1, 1))

    driver.send()

    put_back = [
        (row["attachment"], Path(row["path"]).name) for row in driver.state.view if role_of(row) is Role.ATTACHMENT
    ]
    assert [("file_reference", "large"), ("file", "new"), ("file", "old")] == put_back
    assert "as it is" in str(server.bodies[-1]["messages"])
    assert {Why.FILE_GONE, Why.FILE_BINARY, Why.FILE_NOT_REGULAR} <= {*reasons(driver)}


def test_no_more_files_are_opened_than_can_be_put_back(server: CountingServer, make: Make, tmp_path: Path) -> None:
    """A session may have read a hundred; their ages decide, and five are opened."""
    server.answers += [message(SUMMARY), message("done")]
    driver = filled(make())
    opened: list[str] = []

    class Watched(type(driver.tree)):  # type: ignore[misc]
        def read_file(self, path: str, cap_bytes: int) -> Any:
            opened.append(Path(path).name)
            return super().read_file(path, cap_bytes)

    driver.tree = Watched()
    for number in range(20):
        (tmp_path / f"f{number}").write_text("x")
        os.utime(tmp_path / f"f{number}", (number, number))
        driver.note_read(str(tmp_path / f"f{number}"))

    driver.send()

    assert ["f19", "f18", "f17", "f16", "f15"] == opened
    assert 15 == reasons(driver).count(Why.FILES_CAP)


@clause("CMP-028")
def test_a_large_result_is_saved_and_the_next_pass_sends_the_same(
    server: CountingServer, make: Make, tmp_path: Path
) -> None:
    """The whole lies in a file of the session, and what the model reads stays byte for byte."""
    driver = make()
    block = {"type": "tool_use", "id": "toolu_1", "name": "Grep", "input": {}}
    driver.append(
        {"role": "user", "content": "go"},
        {"role": "assistant", "id": "m", "content": [block]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "toolu_1", "content": "y" * 60_000}]},
    )

    driver.send()
    driver.append({"role": "user", "content": "more"})
    driver.send()

    saved = tmp_path / "session" / "tool-results" / "toolu_1.txt"
    first, second = ([one["content"] for one in body["messages"]][2] for body in server.bodies)
    assert "y" * 60_000 == saved.read_text()
    assert first[0] == second[0]
    assert str(saved) in str(first)
    assert 0o600 == saved.stat().st_mode & 0o777


@clause("CMP-028")
def test_what_cannot_be_saved_stays_whole(server: CountingServer, make: Make, tmp_path: Path) -> None:
    """A folder in the place of the file is no file that was written before."""
    driver = make()
    (tmp_path / "session" / "tool-results" / "toolu_1.txt").mkdir(parents=True)
    block = {"type": "tool_use", "id": "toolu_1", "name": "Grep", "input": {}}
    driver.append(
        {"role": "assistant", "id": "m", "content": [block]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "toolu_1", "content": "y" * 60_000}]},
    )

    driver.send()

    assert Why.SAVE_FAILED in reasons(driver)
    assert ["something that is no file is in its place; the result stays whole"] == [
        problem.split(": ", 1)[1] for problem in driver.problems
    ]
    assert "y" * 60_000 in str(server.bodies[0])


@clause("CMP-091")
def test_hooks_are_told_and_what_they_say_joins_the_list(server: CountingServer, make: Make) -> None:
    """In their order, each once."""
    told: list[HookKind] = []

    def hook(kind: HookKind, state: State) -> HookSays:
        told.append(kind)
        assert state.log
        return HookSays(rows=[{"role": "user", "content": f"said by {kind}"}])

    server.answers += [message(SUMMARY), message("done")]
    driver = filled(make(hooks=dict.fromkeys(HookKind, hook)))

    driver.send()

    assert [HookKind.BEFORE, HookKind.START, HookKind.AFTER] == told
    assert all(f"said by {kind}" in str(server.bodies[-1]) for kind in HookKind)


@clause("CMP-091")
def test_a_hook_that_blocks_ends_the_attempt_and_no_call_is_made(server: CountingServer, make: Make) -> None:
    """Blocking is no failure."""
    driver = filled(make(hooks={HookKind.BEFORE: lambda *_: HookSays(blocks=True)}))

    driver.send()

    assert 1 == len(server.bodies)
    assert Why.HOOK_BLOCKED in reasons(driver)
    assert 0 == driver.state.breaker.in_row


@clause("CMP-091")
@pytest.mark.parametrize("kind", HookKind)
def test_a_hook_that_fails_is_reported_and_the_compaction_goes_on(
    server: CountingServer, make: Make, kind: HookKind
) -> None:
    """Whether it raises, takes too long, or gives what is no answer."""
    held = threading.Event()

    def raises(*_: Any) -> HookSays:
        raise RuntimeError("no\nluck")

    def hangs(*_: Any) -> HookSays:
        held.wait()
        return HookSays()

    hooks: list[tuple[Any, str]] = [(raises, "RuntimeError: no luck"), (hangs, "longer than"), (lambda *_: 5, "a int")]
    try:
        for hook, said in hooks:
            server.answers += [message(SUMMARY), message("done")]
            driver = filled(make(hooks={kind: hook}, hook_seconds=0.05))
            driver.send()
            assert {Why.COMPACTED, Why.HOOK_FAILED} <= {*reasons(driver)}
            assert [f"the hook {kind} failed"] == [problem.split(" (")[0] for problem in driver.problems]
            assert said in driver.problems[0]
    finally:
        held.set()


def stop_at_summary(driver: Driver) -> Any:
    """A client that is interrupted in the middle of the call for a summary."""

    class Messages:
        def create(self, **words: Any) -> Any:
            if is_summary_call(words):
                raise KeyboardInterrupt
            return driver.client.messages.create(**words)

    class Client:
        messages = Messages()

    return Client()


@clause("CMP-074", "CMP-091")
def test_whoever_stops_a_compaction_finds_everything_as_it_was(server: CountingServer, make: Make) -> None:
    """No request is sent, the interruption is passed on, and the session can be used."""
    driver = filled(make())
    before = driver.state.log
    stopped = evolve_client(driver, stop_at_summary(driver))

    with pytest.raises(KeyboardInterrupt):
        stopped.send()

    assert (before, None, 1) == (stopped.state.log, stopped.state.waiting, stopped.state.breaker.in_row)
    assert [] == server.bodies
    stopped.client = driver.client
    server.answers += [message(SUMMARY), message("done")]
    assert "done" == stopped.send().answer.content[0].text


def evolve_client(driver: Driver, client: Any) -> Driver:
    """The same session with another client."""
    other = Driver(client=client, request=driver.request, state=driver.state, clock=driver.clock)
    other.state = evolve(driver.state)
    return other


@clause("CMP-091")
def test_whoever_stops_the_hook_behind_it_keeps_the_new_list(
    server: CountingServer, make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The summary was paid for and stands; only the request is not sent."""
    server.answers += [message(SUMMARY)]
    driver = filled(make(hooks={HookKind.AFTER: lambda *_: None}))

    def interrupted(*_: Any, **__: Any) -> Any:
        raise KeyboardInterrupt

    monkeypatch.setattr("keel_ref.adapters.compaction_driver.run_hook", interrupted)
    with pytest.raises(KeyboardInterrupt):
        driver.send()

    assert is_boundary(driver.state.view[0])
    assert (None, 1) == (driver.state.waiting, len(server.bodies))


def test_a_fault_of_the_caller_leaves_the_session_usable(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    """What nobody foresaw is raised, and the session waits for nothing."""
    driver = filled(make())

    def broken(*_: Any, **__: Any) -> Any:
        raise LookupError("of the test")

    monkeypatch.setattr("keel_ref.adapters.compaction_driver.ask_summary", broken)
    with pytest.raises(LookupError, match="of the test"):
        driver.send()

    assert None is driver.state.waiting


@clause("CMP-170", "CMP-171")
@pytest.mark.parametrize(
    "refusal",
    [
        too_long(),
        error(413, "request_too_large", "Request exceeds the maximum size"),
        error(400, "invalid_request_error", "messages.3.content.0.image.source.base64: image exceeds 5 MB maximum"),
        error(
            400, "invalid_request_error", "input length and `max_tokens` exceed context limit: 190000 + 32000 > 200000"
        ),
    ],
)
def test_a_request_that_is_refused_as_too_large_is_compacted_once(
    server: CountingServer, make: Make, refusal: Any
) -> None:
    """With gate `reactive`; the second refusal of a turn is the end of it."""
    server.answers += [refusal, message(SUMMARY), refusal]
    driver = filled(make(gates=evolve(Gates.released(), reactive=True)), used=1_000)

    turn = driver.send()

    assert (None, End.OVERFLOW) == (turn.answer, turn.end)
    assert [False, True, False] == [is_summary_call(body) for body in server.bodies]
    assert {Why.REACTIVE_RETRY, Why.OVERFLOW_ERROR} <= {*reasons(driver)}
    assert 2 == len([problem for problem in driver.problems if "was refused" in problem])


@clause("CMP-170")
def test_without_the_gate_the_error_is_shown(server: CountingServer, make: Make) -> None:
    """The turn ends, and nothing was compacted."""
    server.answers.append(too_long())
    driver = filled(make(), used=1_000)

    assert End.OVERFLOW is driver.send().end
    assert 1 == len(server.bodies)


@clause("CMP-078")
def test_what_is_blocked_is_not_sent(server: CountingServer, make: Make) -> None:
    """A manual compaction is the way out."""
    driver = filled(make(), used=178_000)
    off = window_limits(window=200_000, max_output=32_000, env={"DISABLE_AUTO_COMPACT": "1"})
    driver.state = evolve(driver.state, settings=evolve(driver.state.settings, limits=off))

    assert End.BLOCKED is driver.send().end
    assert [] == server.bodies
    server.answers += [message(SUMMARY), message("done")]
    assert driver.compact().is_done
    assert "done" == driver.send().answer.content[0].text


@clause("CMP-079")
def test_a_manual_compaction_says_why_it_is_none(make: Make) -> None:
    """Nothing to summarise, or calls in vain."""
    driver = make()

    assert Why.NOTHING_TO_SUMMARISE is driver.compact().why


@clause("CMP-154")
def test_a_tail_can_be_kept(server: CountingServer, make: Make) -> None:
    """The rows from a place on stand behind the summary as they were; what they measured is void."""
    server.answers.append(message(SUMMARY))
    driver = filled(make())

    driver.compact(kept_from=len(driver.state.view) - 2)

    roles = [str(role_of(row)) for row in driver.state.view]
    assert ["system", "user", "assistant", "user"] == roles
    assert driver.state.used < 1_000


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (error(401, "authentication_error", "invalid x-api-key"), "the server answers 401: invalid x-api-key"),
        (error(400, "invalid_request_error", "max_tokens: too large"), "answers 400"),
        (slow_down(), "answers 429"),
        (hang_up, "Connection error"),
        (say(200, b"<html>", kind="text/html"), "no message"),
    ],
)
def test_a_request_that_fails_otherwise_is_an_error(server: CountingServer, make: Make, answer: Any, said: str) -> None:
    """It says what happened; the session is as it was and goes on."""
    server.answers += [answer, message("done")]
    driver = make()
    driver.append({"role": "user", "content": "hi"})

    with pytest.raises(RequestFailed, match=said):
        driver.send()

    assert 1 == len(driver.state.log)
    assert "done" == driver.send().answer.content[0].text


def test_what_cannot_be_sent_is_an_error(server: CountingServer, make: Make) -> None:
    """A value that is no JSON."""
    driver = make()
    driver.append({"role": "user", "content": [{"type": "text", "text": "x", "more": b"bytes"}]})

    with pytest.raises(RequestFailed):
        driver.send()
    assert [] == server.bodies


def test_a_mark_that_would_write_the_cache_is_left_out_of_the_fork(server: CountingServer, make: Make) -> None:
    """The prefix of the call for a summary is never used again. Spec: CMP-090."""
    server.answers += [message(SUMMARY), message("done")]
    driver = filled(make())
    more = {"extra_headers": {"x-test": "1"}, "cache_control": {"type": "ephemeral"}}
    driver.request = evolve(driver.request, more=more)

    driver.send()

    asked, main = server.bodies
    assert ("cache_control" in asked, "cache_control" in main) == (False, True)


@clause("CMP-091")
@pytest.mark.parametrize("allowed", range(3))
def test_a_session_can_be_told_to_stop(server: CountingServer, make: Make, allowed: int) -> None:
    """Before a call, before files are read, before the request: the turn ends and the session can be used."""
    asked: list[int] = []

    def is_stopped() -> bool:
        asked.append(1)
        return len(asked) > allowed

    server.answers += [message(SUMMARY)]
    driver = filled(make(is_stopped=is_stopped))
    driver.note_read("/nowhere")

    turn = driver.send()

    assert (None, End.ABORTED, None) == (turn.answer, turn.end, driver.state.waiting)
    assert min(allowed, 1) == len(server.bodies)
    driver.is_stopped = lambda: False
    server.answers[:] = [message(SUMMARY), message("done")]
    assert driver.send().answer is not None


def test_thinking_is_left_out_for_another_model(server: CountingServer, make: Make) -> None:
    """Its signature is good for the one that wrote it alone; all else is sent."""
    server.answers += [message(SUMMARY), message(SUMMARY)]
    thinking = {"type": "thinking", "thinking": "hm", "signature": "s"}
    for keeps in (True, False):
        driver = make(keeps_thinking=keeps)
        driver.append(
            {"role": "user", "content": "hi"},
            {"role": "assistant", "content": [thinking, {"type": "text", "text": "yes"}]},
            {"role": "assistant", "content": [thinking]},
            {"role": "user", "content": "go on"},
        )
        driver.compact()

    kinds = [[block["type"] for one in body["messages"] for block in one["content"]] for body in server.bodies]
    assert [2, 0] == [found.count("thinking") for found in kinds]
    assert "yes" in str(server.bodies[1]["messages"])


@pytest.mark.usefixtures("server")
@clause("CMP-137", "CMP-140")
@pytest.mark.parametrize("is_finished", [True, False])
def test_notes_are_awaited_once_and_take_the_place_of_a_summary(make: Make, is_finished: bool) -> None:
    """Whether they come in time or not, the wait is over when it is over."""
    waited: list[int] = []
    notes = SessionNotes(file=DiskFile.of("# Current State\nmending the parser\n"), running_ms=4_000)

    def await_notes(wait_ms: int) -> SessionNotes:
        waited.append(wait_ms)
        return evolve(notes, running_ms=None if is_finished else 4_000)

    driver = filled(make(gates=Gates(), await_notes=await_notes))
    driver.state = evolve(driver.state, notes=notes)

    driver.send()

    assert [11_000] == waited
    assert Why.COMPACTED_BY_NOTES in reasons(driver)
    assert 0 == driver.summary_calls


def test_without_anybody_who_takes_notes_nothing_is_awaited(server: CountingServer, make: Make) -> None:
    """And nothing goes on for ever."""
    server.answers += [message(SUMMARY), message("done")]
    driver = filled(make(gates=Gates()))
    driver.state = evolve(driver.state, notes=SessionNotes(running_ms=0))

    driver.send()

    assert Why.COMPACTED in reasons(driver)


def test_a_tail_that_is_no_place_is_said_before_a_call_is_paid_for(server: CountingServer, make: Make) -> None:
    """And the session waits for nothing."""
    driver = filled(make())

    with pytest.raises(InvalidArgumentError, match="kept_from: 99 is no place in a view of 9 rows"):
        driver.compact(kept_from=99)
    assert ([], None) == (server.bodies, driver.state.waiting)
