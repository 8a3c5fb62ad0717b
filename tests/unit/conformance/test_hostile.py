"""Every row of the table of misbehaving adapters: the right code, the right test, the right words."""

from pathlib import Path

import pytest
from attrs import evolve

from keel_ref.conformance.child import start_child
from keel_ref.conformance.exits import ExitCode
from keel_ref.conformance.line import MAX_LINE_BYTES
from keel_ref.conformance.match import FailureKind
from keel_ref.conformance.misbehaviour import Misbehaviour, Misdeed
from keel_ref.conformance.runner import Policy, Run, run_suite
from keel_ref.conformance.select import Selection
from keel_ref.conformance.verdict import Fault, Verdict
from tests.unit.conformance.toy_suite import HANGS, LIMITS, QUICK, TRAP, command, echo, limits_for, make_suite


def policy_for(misdeed: str) -> Policy:
    """One repeat, and as much patience as the misdeed asks for."""
    return Policy(limits=limits_for(misdeed), repeat_failures=1)


def check(folder: Path, misdeed: str, moment: str = "trap", policy: Policy | None = None) -> Run:
    """The toy suite against the toy that misbehaves."""
    return run_suite(make_suite(folder), Selection(), command(misdeed, moment), policy or policy_for(misdeed))


@pytest.mark.parametrize(
    ("misdeed", "moment", "words"),
    [
        ("exit", "hello", "ended with status 1"),
        ("die", "hello", "ended with status 7"),
        ("die-mid-line", "hello", "in the middle of a line"),
        ("hang", "hello", "no answer within the limit"),
        ("half-line", "hello", "only half a line"),
        ("banner", "hello", "no answer: not JSON"),
        ("log", "hello", "no answer: not JSON"),
        ("log", "ping", "no answer: not JSON"),
        ("log-json", "hello", "no id"),
        ("bad-utf8", "hello", "not UTF-8"),
        ("too-long", "hello", "more than 8388608 bytes"),
        ("wrong-id", "hello", "never sent"),
        ("twice", "hello", "second answer"),
        ("ahead", "hello", "an answer with an id that was never sent"),
        ("close-stdin", "hello", "no answer within the limit"),
        ("close-stdout", "hello", "closed its stdout"),
        ("nonce", "hello", "nonce"),
        ("wire", "hello", "no shared wire version"),
        ("no-capabilities", "hello", "capabilities is missing"),
        ("no-outcome", "hello", "exactly one of"),
        ("reserved", "hello", "reserved"),
        ("choice", "hello", "it may be path, real"),
    ],
)
def test_before_the_hello_is_accepted_the_run_ends_with_three(
    tmp_path: Path, misdeed: str, moment: str, words: str
) -> None:
    """Nothing is tested, the code is 3, and the message says what the adapter did."""
    is_slow = misdeed in HANGS | {"close-stdin"}
    run = check(tmp_path, misdeed, moment, Policy(limits=QUICK if is_slow else LIMITS))

    assert ExitCode.ADAPTER == run.conclusion.code
    assert words in run.conclusion.reasons[0]
    assert "the adapter is at fault" in run.conclusion.reasons[0]
    assert {Verdict.INCONCLUSIVE} == {result.verdict for result in run.results}


def test_a_command_that_cannot_be_run_ends_with_three(tmp_path: Path) -> None:
    """A missing program is the adapter's fault, not a fault of ours."""
    run = run_suite(make_suite(tmp_path), Selection(), (str(tmp_path / "missing"),), Policy())

    assert ExitCode.ADAPTER == run.conclusion.code
    assert "cannot be run" in run.conclusion.reasons[0]


@pytest.mark.parametrize(
    ("misdeed", "kind", "words"),
    [
        ("die", FailureKind.CRASH, "the process ended with status 7"),
        ("killed", FailureKind.CRASH, "the process was killed by SIGKILL"),
        ("die-mid-line", FailureKind.CRASH, "the process ended with status 7, in the middle of a line"),
        ("die-behind", FailureKind.CRASH, "the process ended with status 7"),
        ("children-die", FailureKind.CRASH, "the process ended with status 7"),
        ("hang", FailureKind.TIMEOUT, "no answer within the limit"),
        ("half-line", FailureKind.TIMEOUT, "no answer within the limit; only half a line came"),
        ("log", FailureKind.PROTOCOL, "stdout carried a line that is no answer: not JSON"),
        ("log-json", FailureKind.PROTOCOL, "stdout carried JSON that is no answer, for it has no id"),
        ("bad-utf8", FailureKind.PROTOCOL, "stdout carried a line that is no answer: not UTF-8"),
        ("too-long", FailureKind.PROTOCOL, "a line of more than 8388608 bytes on stdout; the rest was left unread"),
        ("wrong-id", FailureKind.PROTOCOL, "an answer with an id that was never sent"),
        ("twice", FailureKind.PROTOCOL, "a second answer to one id"),
        ("close-stdin", FailureKind.CRASH, "it closed its stdin and takes no requests"),
        ("close-stdout", FailureKind.CRASH, "it closed its stdout"),
        ("no-results", FailureKind.PROTOCOL, "1 calls were answered with 0 results"),
        (
            "fraction-first",
            FailureKind.PROTOCOL,
            "stdout carried a line that is no answer: the number 0.5 is not whole",
        ),
        ("ahead", FailureKind.PROTOCOL, "an answer with an id that was never sent"),
        ("misshapen", FailureKind.PROTOCOL, "an answer holds exactly one of"),
        ("no-outcome", FailureKind.PROTOCOL, "an ill-formed answer"),
        ("internal", FailureKind.CRASH, "internal: TypeError: oops"),
    ],
)
def test_after_it_one_test_is_blamed_and_the_run_goes_on(
    tmp_path: Path, misdeed: str, kind: FailureKind, words: str
) -> None:
    """The trap fails as it should, every other test passes, and the code is 1."""
    run = check(tmp_path, misdeed)
    failed = [result for result in run.results if result.verdict is not Verdict.PASS]

    assert ["toy-m-trap"] == [result.vector.id for result in failed]
    assert failed[0].failure is not None
    assert kind is failed[0].failure.kind
    assert failed[0].failure.message.startswith(words)
    assert ExitCode.NOT_CONFORMANT == run.conclusion.code


@pytest.mark.parametrize("misdeed", ["die", "hang", "log", "twice", "too-long"])
def test_what_breaks_the_wire_is_the_adapters_fault(tmp_path: Path, misdeed: str) -> None:
    """The fault named is always the adapter's, and what fails again says so."""
    run = check(tmp_path, misdeed)
    failed = next(result for result in run.results if result.verdict is Verdict.FAIL)

    assert failed.failure is not None
    assert Fault.ADAPTER is failed.failure.fault
    assert "1/1" == str(failed.repeats)


def test_the_last_words_of_a_dying_process_are_kept(tmp_path: Path) -> None:
    """What it wrote on stderr is shown with the failure."""
    run = check(tmp_path, "die")
    failed = next(result for result in run.results if result.verdict is Verdict.FAIL)

    assert failed.failure is not None
    assert ("about to die",) == failed.failure.stderr


@pytest.mark.parametrize(("misdeed", "words"), [("flood", "stderr"), ("children", "child processes")])
def test_noise_and_orphans_are_noted_and_fail_nothing(tmp_path: Path, misdeed: str, words: str) -> None:
    """Everything passes, the code is 0, and the run says what it saw."""
    run = check(tmp_path, misdeed)

    assert ExitCode.CONFORMANT == run.conclusion.code
    assert any(words in note for note in run.notes)


@pytest.mark.parametrize("misdeed", ["die", "hang", "log", "internal", "killed"])
def test_a_crash_never_satisfies_an_expected_error(tmp_path: Path, misdeed: str) -> None:
    """A test that wants an error fails when the process dies, hangs, babbles or catches a crash of its own."""
    wanted = echo("toy-m-trap", "trap", expect={"error": "invalid_argument"})
    run = run_suite(make_suite(tmp_path, [wanted]), Selection(), command(misdeed), policy_for(misdeed))

    assert Verdict.FAIL is run.results[0].verdict


def test_an_error_satisfies_an_expected_error(tmp_path: Path) -> None:
    """The same test passes when the error is said."""
    wanted = echo("toy-m-trap", "trap", expect={"error": "invalid_argument"})
    run = run_suite(make_suite(tmp_path, [wanted]), Selection(), command("error"), policy_for("error"))

    assert Verdict.PASS is run.results[0].verdict


def test_a_hundred_megabytes_on_one_line_are_never_held() -> None:
    """At most one byte more than the limit is kept of a line without an end."""
    child = start_child(command("too-long", "hello"))
    try:
        child.send(b'{"id":0,"op":"hello","nonce":"x"}\n', deadline=float("inf"))
        with pytest.raises(Misbehaviour) as caught:
            child.receive(deadline=float("inf"))
        held = len(child._lines)
    finally:
        child.end()

    assert Misdeed.TOO_LONG is caught.value.misdeed
    assert MAX_LINE_BYTES + 1 == held


@pytest.mark.parametrize("misdeed", ["log", "log-json", "bad-utf8", "fraction", "no-outcome", "no-results"])
def test_who_only_says_too_much_is_asked_on(tmp_path: Path, misdeed: str) -> None:
    """A line too many at every call fails every test, but needs no restart, so the run comes to its end."""
    policy = Policy(limits=evolve(LIMITS, max_respawns=0), repeat_failures=1)
    run = check(tmp_path, misdeed, "call", policy)

    assert ExitCode.NOT_CONFORMANT == run.conclusion.code
    assert {Verdict.FAIL} == {result.verdict for result in run.results}


def test_who_babbles_and_dies_has_died(tmp_path: Path) -> None:
    """The crash counts, and what was said before it is shown."""
    run = check(tmp_path, "log-die")
    failed = next(result for result in run.results if result.verdict is Verdict.FAIL)

    assert failed.failure is not None
    assert FailureKind.CRASH is failed.failure.kind
    assert "INFO ready" in failed.failure.detail


def test_who_never_stops_babbling_is_out_of_step(tmp_path: Path) -> None:
    """A hundred lines that are no answer are enough."""
    run = check(tmp_path, "babble")
    failed = next(result for result in run.results if result.verdict is Verdict.FAIL)

    assert failed.failure is not None
    assert FailureKind.PROTOCOL is failed.failure.kind
    assert 25 == sum(result.verdict is Verdict.PASS for result in run.results)


def test_dying_at_every_call_ends_with_three(tmp_path: Path) -> None:
    """More restarts than are allowed end the run, and say what it did last."""
    policy = Policy(limits=evolve(LIMITS, max_respawns=3), repeat_failures=1)
    run = check(tmp_path, "die", "call", policy)

    assert ExitCode.ADAPTER == run.conclusion.code
    assert "more than 3 times" in run.conclusion.reasons[0]
    assert "ended with status 7" in run.conclusion.reasons[0]


@pytest.mark.parametrize(("misdeed", "kind"), [("die", FailureKind.CRASH), ("hang", FailureKind.TIMEOUT)])
def test_dying_or_hanging_right_behind_the_hello_fails_a_test(tmp_path: Path, misdeed: str, kind: FailureKind) -> None:
    """The hello was good, so the first test fails, and the run ends with 1."""
    run = run_suite(make_suite(tmp_path, [TRAP]), Selection(), command(misdeed, "ping"), policy_for(misdeed))

    assert ExitCode.NOT_CONFORMANT == run.conclusion.code
    assert run.results[0].failure is not None
    assert kind is run.results[0].failure.kind


def test_a_batch_answered_as_a_whole_spoils_its_neighbours_and_is_blamed(tmp_path: Path) -> None:
    """One error for sixteen calls is a broken wire, though each of them alone is answered."""
    run = check(tmp_path, "whole-error")
    failed = [result for result in run.results if result.verdict is Verdict.FAIL]

    assert 1 == len(failed)
    assert failed[0].failure is not None
    assert FailureKind.PROTOCOL is failed[0].failure.kind


def test_a_batch_that_is_slow_only_in_sum_is_nobodys_fault(tmp_path: Path) -> None:
    """Eight calls of 120 ms each pass under a limit of 600 ms a call."""
    slow = [
        echo(f"toy-{letter}-slow", letter, call={"fn": "toy.slow", "args": {"value": letter, "ms": 120}})
        for letter in "abcdefgh"
    ]
    policy = Policy(limits=evolve(LIMITS, timeout_ms=600), repeat_failures=1)
    run = run_suite(make_suite(tmp_path, slow), Selection(), command(), policy)

    assert ExitCode.CONFORMANT == run.conclusion.code
