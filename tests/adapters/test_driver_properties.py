"""Whatever a provider answers, the driver ends, sends what can be sent, and loses nothing."""

from __future__ import annotations

from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import anthropic
from attrs import define, evolve, field
from hypothesis import given
from hypothesis import strategies as st

from keel_ref.adapters.clock import SetClock
from keel_ref.adapters.compaction_driver import Driver, RequestFailed
from keel_ref.adapters.summary_call import Request
from keel_ref.choices import Gates
from keel_ref.compaction import Settings, State, Why
from keel_ref.conformance.marks import clause
from keel_ref.window import window_limits
from tests.adapters.messages_answers import is_summary_call

CALLS_AT_MOST = 8
"""Calls of one attempt. Spec: CMP-092."""
SUMMARIES = ("fine", "blank", "call", "too long", "too long by 5", "too large", "auth", "limit", "down", "stop")
MAIN = ("fine", "full", "call", "too long", "too large", "auth", "down", "stop")


def refused(status: int, text: str) -> Exception:
    """An error of the package."""
    body = {"type": "error", "error": {"type": "x", "message": text}}
    response: Any = SimpleNamespace(status_code=status, request=None, headers={})
    return anthropic.APIStatusError(text, response=response, body=body)


def said(content: list[dict[str, Any]], used: int, number: int) -> Any:
    """A message of the package."""
    usage = {"input_tokens": used, "output_tokens": 5}
    named = {"id": f"msg_{number}", "type": "message", "role": "assistant", "model": "m", "content": content}
    return anthropic.types.Message.model_validate({**named, "stop_reason": "end_turn", "usage": usage})


CONTENTS: dict[str, tuple[dict[str, Any], int]] = {
    "fine": ({"type": "text", "text": "8. Current work: x"}, 1_000),
    "full": ({"type": "text", "text": "y"}, 170_000),
    "blank": ({"type": "text", "text": " "}, 1_000),
    "call": ({"type": "tool_use", "name": "Bash", "input": {}}, 100),
}
"""What an answer holds, and the tokens that it says were used."""
NOBODY: Any = None
ERRORS: dict[str, BaseException] = {
    "too long": refused(400, "prompt is too long"),
    "too long by 5": refused(400, "prompt is too long: 200005 tokens > 200000 maximum"),
    "too large": refused(413, ""),
    "auth": refused(401, "no"),
    "limit": refused(429, "slow"),
    "down": anthropic.APIConnectionError(request=NOBODY),
    "stop": KeyboardInterrupt(),
}
"""What comes in the place of an answer."""


@define
class Provider:
    """Answers as it is told, then well."""

    summaries: list[str]
    main: list[str]
    bodies: list[dict[str, Any]] = field(factory=list)

    @property
    def messages(self) -> Provider:
        """As the client of the package has it."""
        return self

    def create(self, **words: Any) -> Any:
        """One answer, or one error."""
        self.bodies.append(words)
        told = self.summaries if is_summary_call(words) else self.main
        number = len(self.bodies)
        word = told.pop(0) if told else "fine"
        if word in CONTENTS:
            content, used = CONTENTS[word]
            return said([{**content, **({"id": f"toolu_{number}"} if word == "call" else {})}], used, number)
        raise ERRORS[word]


@clause("CMP-091", "CMP-092", "CMP-170")
@given(
    st.lists(st.sampled_from(SUMMARIES), max_size=20),
    st.lists(st.sampled_from(MAIN), max_size=12),
    st.booleans(),
    st.integers(1, 6),
)
def test_whatever_a_provider_answers(summaries: list[str], main: list[str], reactive: bool, turns: int) -> None:
    """Each turn ends; the session waits for nothing, its log only grows, and every request is in good form."""
    provider = Provider(summaries, main)
    settings = Settings(
        limits=window_limits(window=200_000, max_output=32_000), gates=evolve(Gates.released(), reactive=reactive)
    )
    driver = Driver(
        client=provider,
        request=Request(model="m", max_tokens=100),
        state=State(settings=settings),
        clock=SetClock(),
    )
    for turn in range(turns):
        before, calls, traced = driver.state.log, driver.summary_calls, len(driver.trace)
        driver.append({"role": "user", "content": f"turn {turn}"})
        try:
            outcome = driver.send()
        except (RequestFailed, KeyboardInterrupt):
            outcome = None
        assert None is driver.state.waiting
        assert before == driver.state.log[: len(before)]
        assert CALLS_AT_MOST * 2 >= driver.summary_calls - calls  # one that was due, one after a refusal
        assert outcome is None or (outcome.answer is None) != (outcome.end is None)
        reasons = [one.why for one in driver.trace[traced:]]
        assert driver.summary_calls == calls or {*reasons} & {Why.COMPACTED, Why.FAILED, Why.ABORTED}
    for body in provider.bodies:
        roles = [one["role"] for one in body["messages"]]
        assert "user" == roles[0] or not is_summary_call(body)
        assert all(one != other for one, other in pairwise(roles))
