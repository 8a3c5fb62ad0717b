"""One process of the implementation: started, asked, started again, and ended with all its children."""

import json
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from keel_ref.conformance.child import STDERR_LINES, start_child
from keel_ref.conformance.misbehaviour import AdapterError, Misbehaviour, Misdeed
from keel_ref.conformance.subject import MAX_FAILED_STARTS, Direction, Misshapen, Subject
from keel_ref.conformance.wire import CallItem, ErrorAnswer, Ok
from tests.unit.conformance.toy_suite import LIMITS, command, subject

ECHO = CallItem(fn="toy.echo", args={"value": 1})
TRAP = CallItem(fn="toy.echo", args={"value": "trap"})


@pytest.fixture
def toy() -> Iterator[Subject]:
    """An honest toy, started."""
    process = subject()
    process.start()
    yield process
    process.close()


def script(text: str) -> tuple[str, ...]:
    """A program of a few lines."""
    return (sys.executable, "-I", "-S", "-c", text)


def is_alive(number: int) -> bool:
    """Whether a process is there, and not merely waiting to be buried."""
    try:
        state = Path(f"/proc/{number}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def test_calls_are_answered_in_order(toy: Subject) -> None:
    """One outcome for each call of a batch."""
    outcomes = toy.call((ECHO, CallItem(fn="toy.fail", args={"kind": "not_a_folder"}), ECHO))

    assert [Ok, ErrorAnswer, Ok] == [type(outcome) for outcome in outcomes]


def test_hello_says_who_it_is(toy: Subject) -> None:
    """Name and version as people write them."""

    assert "toy 1" == toy.hello.name


def test_a_broken_outcome_leaves_its_neighbours_alone() -> None:
    """Only its own place is misshapen, and the process lives on."""
    process = subject("misshapen")
    try:
        process.start()
        outcomes = process.call((ECHO, TRAP, ECHO))
        again = process.call((ECHO,))
    finally:
        process.close()

    assert (Ok, Misshapen, Ok) == tuple(type(outcome) for outcome in outcomes)
    assert [Ok] == [type(outcome) for outcome in again]


def test_after_a_misdeed_the_process_is_gone_until_it_is_started_again() -> None:
    """And a restart is counted."""
    process = subject("die")
    try:
        process.start()
        with pytest.raises(Misbehaviour):
            process.call((TRAP,))
        was_running = process.is_running
        process.restart()
        outcomes = process.call((ECHO,))
    finally:
        process.close()

    assert (False, 1) == (was_running, process.restarts)
    assert Ok(value={"value": 1}) == outcomes[0]


def test_what_does_not_start_again_is_given_up(tmp_path: Path) -> None:
    """After three starts that failed in a row, each of them counted."""
    mark = tmp_path / "started"
    once = f"import os, sys; p = {str(mark)!r}; os.path.exists(p) and sys.exit(3); open(p, 'w').close(); "
    toy = command()
    process = Subject(
        (*script(f"{once}sys.argv[1:] = []; exec(open({toy[-3]!r}).read())"),),
        limits=LIMITS,
        suite="toy",
        revisions=("1",),
    )
    try:
        process.start()
        with pytest.raises(AdapterError, match="did not start again, 3 times in a row"):
            process.restart()
    finally:
        process.close()

    assert MAX_FAILED_STARTS == process.restarts


def test_an_adapter_may_not_change_its_mind(tmp_path: Path) -> None:
    """What it claims at a restart is what it claimed at first."""
    mark = tmp_path / "started"
    text = (
        "import json, os, sys\n"
        f"first = not os.path.exists({str(mark)!r}); open({str(mark)!r}, 'w').close()\n"
        "for line in sys.stdin:\n"
        "    m = json.loads(line)\n"
        "    caps = {'memory': {}} if first else {}\n"
        "    ok = {'wire': 1, 'nonce': m['nonce'], 'capabilities': caps} if m['op'] == 'hello' else {}\n"
        "    print(json.dumps({'id': m['id'], 'ok': ok}), flush=True)\n"
    )
    process = Subject(script(text), limits=LIMITS, suite="toy", revisions=("1",))
    try:
        process.start()
        with pytest.raises(AdapterError, match="it claims or chose something else"):
            process.restart()
    finally:
        process.close()


def test_every_line_is_shown_to_the_observer() -> None:
    """In both directions, in order."""
    lines: list[tuple[Direction, bytes]] = []
    process = subject()
    process.observer = lambda direction, line: lines.append((direction, line))
    try:
        process.start()
        process.call((ECHO,))
    finally:
        process.close()

    assert [Direction.SENT, Direction.RECEIVED] * 5 == [direction for direction, _ in lines]
    assert all(b"\n" not in line for _, line in lines)


def test_an_answer_to_nobody_is_taken_only_where_one_is_due() -> None:
    """After a line that was no request, and not before."""
    text = (
        "import json, sys\n"
        "for line in sys.stdin:\n"
        "    m = json.loads(line) if line.startswith('{') else None\n"
        "    if m is None or m['op'] == 'call':\n"
        "        print(json.dumps({'id': None, 'error': {'kind': 'malformed_request'}}), flush=True)\n"
        "    if m is not None:\n"
        "        ok = {'wire': 1, 'nonce': m.get('nonce'), 'capabilities': {}, 'results': [{'ok': {}}]}\n"
        "        print(json.dumps({'id': m['id'], 'ok': ok}), flush=True)\n"
    )
    process = Subject(script(text), limits=LIMITS, suite="toy", revisions=("1",))
    try:
        process.start()
        process.send_raw(b"nonsense\n")
        process.ping()
        taken = process.call((ECHO,))
    finally:
        process.close()
    strict = Subject(script(text), limits=LIMITS, suite="toy", revisions=("1",))
    try:
        strict.start()
        with pytest.raises(Misbehaviour) as caught:
            strict.call((ECHO,))
    finally:
        strict.close()

    assert (Ok(),) == taken
    assert Misdeed.POLLUTED is caught.value.misdeed


def test_closing_leaves_nothing_behind() -> None:
    """The whole process group is killed, children and all, though they ignore the end of stdin."""
    text = (
        "import os, subprocess, sys, time\n"
        "child = subprocess.Popen([sys.executable, '-S', '-c', 'import time; time.sleep(3600)'])\n"
        "print(child.pid, flush=True)\n"
        "time.sleep(3600)\n"
    )
    child = start_child(script(text))
    number = int(child.receive(time.monotonic() + 10))
    before = is_alive(number)
    child.end()
    deadline = time.monotonic() + 5
    while is_alive(number) and time.monotonic() < deadline:
        os.sched_yield()

    assert (True, False) == (before, is_alive(number))


def test_a_dead_process_is_noticed_though_its_child_holds_the_pipe() -> None:
    """Its end is not taken for a hang."""
    text = (
        "import os, subprocess, sys\n"
        "subprocess.Popen([sys.executable, '-S', '-c', 'import time; time.sleep(3600)'])\n"
        "os._exit(4)\n"
    )
    child = start_child(script(text))
    try:
        with pytest.raises(Misbehaviour) as caught:
            child.receive(time.monotonic() + 10)
    finally:
        child.end()

    assert "the process ended with status 4" == caught.value.problem
    assert any("child processes" in note for note in child.notes)


def test_only_the_last_lines_of_stderr_are_kept() -> None:
    """And only the beginning of a line that does not end."""
    text = (
        "import sys\n"
        "for number in range(200): print(f'line {number}', file=sys.stderr)\n"
        "print('x' * 100_000, file=sys.stderr)\n"
        "sys.exit(1)\n"
    )
    child = start_child(script(text))
    try:
        with pytest.raises(Misbehaviour) as caught:
            child.receive(time.monotonic() + 10)
    finally:
        child.end()
    lines = caught.value.stderr

    assert STDERR_LINES == len(lines)
    assert "line 199" == lines[-2]
    assert 1024 == len(lines[-1])


def test_what_lies_ready_on_stderr_is_told_too(tmp_path: Path) -> None:
    """Though nobody has waited since it was written."""
    mark = tmp_path / "written"
    text = (
        "import os, sys\n"
        "sys.stdin.readline()\n"
        "os.write(2, b'last words\\n')\n"
        f"os.mkdir({str(mark)!r})\n"
        "sys.stdin.readline()\n"
    )
    child = start_child(script(text))
    try:
        child.send(b"\n", time.monotonic() + 10)
        while not mark.exists():
            time.sleep(0.01)
        words = child.stderr()
    finally:
        child.end()

    assert ("last words",) == words


def test_a_request_that_is_not_read_does_not_block_us() -> None:
    """A large one, to a process that reads nothing, runs into the limit."""
    child = start_child(script("import time; time.sleep(3600)"))
    try:
        with pytest.raises(Misbehaviour) as caught:
            child.send(b"x" * 4_000_000 + b"\n", time.monotonic() + 0.2)
    finally:
        child.end()

    assert Misdeed.HUNG is caught.value.misdeed


def test_a_line_of_exactly_the_limit_passes() -> None:
    """The bound is the last that is allowed."""
    child = start_child(script("import sys; sys.stdout.write('x' * 1000 + '\\n')"), max_line_bytes=1000)
    try:
        line = child.receive(time.monotonic() + 10)
    finally:
        child.end()

    assert b"x" * 1000 == line


@pytest.mark.parametrize("answer", ["{'wire': 1, 'nonce': 'x', 'capabilities': {}}", "{'wire': 1}", "[]"])
def test_the_last_words_before_a_bad_hello_are_kept(answer: str) -> None:
    """A wrong nonce, a hello without one, and no hello at all: stderr mostly says why."""
    text = (
        "import json, sys, time\n"
        "print('the cache is stale', file=sys.stderr)\n"
        f"print(json.dumps({{'id': 0, 'ok': {answer}}}), flush=True)\n"
        "time.sleep(600)\n"
    )
    process = Subject(script(text), limits=LIMITS, suite="toy", revisions=("1",))
    with pytest.raises(AdapterError) as caught:
        process.start()

    assert ("the cache is stale",) == caught.value.stderr


def test_the_last_words_of_a_call_are_kept_to_the_ping_behind_it() -> None:
    """Who answers and then dies said why before it answered."""
    text = (
        "import json, os, sys\n"
        "for line in sys.stdin:\n"
        "    m = json.loads(line)\n"
        "    if m['op'] == 'ping' and m['id'] > 2000: os._exit(1)\n"
        "    print(m['op'], file=sys.stderr, flush=True)\n"
        "    ok = {'wire': 1, 'nonce': m.get('nonce'), 'capabilities': {}, 'results': [{'ok': {}}]}\n"
        "    print(json.dumps({'id': m['id'], 'ok': ok}), flush=True)\n"
    )
    process = Subject(script(text), limits=LIMITS, suite="toy", revisions=("1",))
    process.start()
    process._last_id = 2_000
    try:
        with pytest.raises(Misbehaviour) as caught:
            process.call((ECHO,))
    finally:
        process.close()

    assert ("call",) == caught.value.stderr


def test_no_id_can_be_foreseen() -> None:
    """Two processes are asked under other ids, which only grow."""
    asked: list[list[int]] = []
    for _ in range(2):
        ids: list[int] = []
        process = subject()
        process.observer = lambda direction, line, ids=ids: (
            ids.append(json.loads(line)["id"]) if direction is Direction.SENT else None
        )
        process.start()
        for _ in range(5):
            process.call((ECHO,))
        process.close()
        asked.append(ids)

    assert 0 == asked[0][0] == asked[1][0]
    assert asked[0] != asked[1]
    assert all(sorted(set(ids)) == ids for ids in asked)


def drain(piece: str) -> tuple[float, tuple[str, ...]]:
    """What it costs us to drain stderr of forty megabytes, and what is kept of them."""
    text = f"import os\nfor _ in range(40): os.write(2, {piece})\nprint('done', flush=True)"
    child = start_child(script(text))
    start = time.process_time()
    try:
        assert b"done" == child.receive(time.monotonic() + 60)
        return time.process_time() - start, child.stderr()
    finally:
        child.end()


def test_short_lines_on_stderr_cost_no_more_than_long_ones() -> None:
    """Only the last lines are looked at, however many there are; else a flood of them would be taken for a hang."""
    short, kept = drain("b'x\\n' * 500_000")
    long, _ = drain("b'x' * 999_999 + b'\\n'")

    assert short < 5 * long + 0.1
    assert ("x",) * STDERR_LINES == kept


def test_what_came_first_is_told() -> None:
    """Of several lines that are no answers."""
    text = (
        "import json, sys\n"
        "for line in sys.stdin:\n"
        "    m = json.loads(line)\n"
        "    if m['op'] == 'call': print('INFO one', '{\"two\":2}', sep='\\n')\n"
        "    ok = {'wire': 1, 'nonce': m.get('nonce'), 'capabilities': {}, 'results': [{'ok': {}}]}\n"
        "    print(json.dumps({'id': m['id'], 'ok': ok}), flush=True)\n"
    )
    process = Subject(script(text), limits=LIMITS, suite="toy", revisions=("1",))
    process.start()
    try:
        with pytest.raises(Misbehaviour) as caught:
            process.call((ECHO,))
    finally:
        process.close()

    assert "INFO one" in caught.value.detail
