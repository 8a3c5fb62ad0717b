"""The call that asks a model for a summary, through the package `anthropic`. Spec: CMP-090, CMP-092, CMP-093."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from attrs import field, frozen

from keel_ref.adapters.api_errors import Refused, described, message_of, why_refused
from keel_ref.adapters.extras import import_extra
from keel_ref.adapters.summary_demand import DEMAND
from keel_ref.compaction.attempt import Tools
from keel_ref.compaction.effects import AskSummary
from keel_ref.compaction.events import Summarised, SummaryRefused
from keel_ref.compaction.excess import excess_of
from keel_ref.compaction.shown import READ_TOOL, blocks_of
from keel_ref.compaction.summary import judge_summary
from keel_ref.messages.prepare import prepare_messages
from keel_ref.messages.rows import COUNTED, as_list, content_of, role_of, type_of

TIMEOUT_SECONDS: Final = 600.0
"""How long one step of a call may take. A summary of a full window takes minutes."""
THINKING: Final = frozenset({"thinking", "redacted_thinking"})
"""Blocks that are signed by the model that wrote them."""
CUT_REASONS: Final = frozenset({"max_tokens", "model_context_window_exceeded"})
"""Reasons to stop that leave a summary without its end."""


@frozen(kw_only=True)
class SummaryAnswer:
    """What one call for a summary brought."""

    event: Summarised | SummaryRefused
    """As the turn machine takes it."""
    problem: str | None = None
    """What a person should know of it, in one line; None: nothing."""
    missing_parts: tuple[str, ...] = ()
    """Of a valid summary, the parts without which nobody can go on and that it lacks. Spec: CMP-095."""


def ask_summary(
    client: Any,
    ask: AskSummary,
    *,
    request: Mapping[str, Any],
    front: Sequence[Any] = (),
    demand: str = DEMAND,
    keeps_thinking: bool = True,
    timeout_seconds: float = TIMEOUT_SECONDS,
) -> SummaryAnswer:
    """Make the call, and say what it brought; what goes wrong on its way is an answer too. Spec: CMP-090.

    `request` holds the words of the main call beside its messages: model, max_tokens, system, tools. The forked call
    repeats them, so that the provider finds the prefix that it has; a mark that would write to the cache is left out.
    A use of a tool in the answer is never carried out. `front` are rows that stand before all others in every call.
    Without `keeps_thinking` the thinking of the rows is left out, since no other model than the one that thought it can
    read it.
    """
    package = import_extra("anthropic", "api")
    talk = [row if keeps_thinking else without_thinking(row) for row in ask.rows if role_of(row) in COUNTED]
    rows = [*front, *talk, {"role": "user", "content": demand}]
    words = {name: value for name, value in request.items() if name != "cache_control"}
    words["tools"] = list(tools_for(ask, words.get("tools") or ()))
    if not words["tools"]:
        words.pop("tools")
    if ask.tools is Tools.ONE:
        words.pop("tool_choice", None)  # it may name a tool that is not listed any more
    messages = list(prepare_messages(rows).messages)
    try:
        answer = client.messages.create(messages=messages, timeout=timeout_seconds, **words)
    except package.APIError as error:
        return refused(error)
    except (package.AnthropicError, TypeError, ValueError, RecursionError) as error:
        return _failed(described(error))  # no key, or a row that cannot be sent
    return judged(answer)


def without_thinking(row: Any) -> Any:
    """The row without its thinking; one that has none is the same object."""
    blocks = as_list(content_of(row)) if isinstance(row, Mapping) else None
    kept = [block for block in blocks or () if type_of(block) not in THINKING]
    return row if blocks is None or len(kept) == len(blocks) else {**row, "content": kept}


def tools_for(ask: AskSummary, tools: Sequence[Any]) -> Sequence[Any]:
    """The tools of the call: all of the main call, or one, the reading one where there is one. Spec: CMP-092."""
    if ask.tools is Tools.ALL or not tools:
        return tools
    named = [tool for tool in tools if isinstance(tool, Mapping) and tool.get("name") == READ_TOOL]
    return (named or list(tools))[:1]


def stub_tools(rows: Sequence[Any]) -> tuple[Mapping[str, Any], ...]:
    """A tool for each name that the rows call, where nobody knows the real ones: a request with calls lists some."""
    names = {
        block["name"]: None
        for row in rows
        for block in blocks_of(row)
        if block.get("type") == "tool_use" and isinstance(block.get("name"), str) and block["name"]
    }
    return tuple(
        {"name": name, "description": "Not to be used.", "input_schema": {"type": "object"}} for name in sorted(names)
    )


def refused(error: object) -> SummaryAnswer:
    """What an error of the package, which has made its retries, means for the attempt. Spec: CMP-092, CMP-106."""
    if why_refused(error) is Refused.OTHER:
        return _failed(described(error))
    problem = f"the call for a summary was refused ({described(error)})"
    return SummaryAnswer(event=SummaryRefused(excess=excess_of(message_of(error))), problem=problem)


def judged(answer: Any) -> SummaryAnswer:
    """What an answer of the provider is worth."""
    content = getattr(answer, "content", None)
    reason = getattr(answer, "stop_reason", None)
    if not isinstance(content, list):
        return _failed("the server's answer is no message")
    if reason == "refusal":
        return _failed("the model declined to write a summary")
    verdict = judge_summary(content)
    problem = None
    if verdict.why is not None:
        problem = f"the answer is no summary ({verdict.why})"
    elif reason in CUT_REASONS:
        problem = f"the summary was cut off ({reason}); raise max_tokens"
    return SummaryAnswer(event=Summarised(content=content), problem=problem, missing_parts=verdict.missing_parts)


def _failed(text: str) -> SummaryAnswer:
    problem = f"the call for a summary failed ({text})"
    return SummaryAnswer(event=Summarised(content=text, is_error=True), problem=problem)


@frozen(kw_only=True)
class Request:
    """What a caller asks of the provider beside the messages."""

    model: str
    max_tokens: int
    system: Any = None
    """A text, or a list of blocks; None: there is none."""
    tools: Sequence[Any] = ()
    more: Mapping[str, Any] = field(factory=dict)
    """Further words of `messages.create`, such as `thinking` or `temperature`."""

    def words(self) -> dict[str, Any]:
        """The arguments of `messages.create` without the messages."""
        optional = {"system": self.system, "tools": list(self.tools) or None}
        named = {"model": self.model, "max_tokens": self.max_tokens, **self.more}
        return {**named, **{name: value for name, value in optional.items() if value is not None}}
