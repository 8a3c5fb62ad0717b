"""Calls and their results in one request."""

from tests.literal.tokens.request import Block, Message, Report
from tests.literal.tokens.rows import read_id


def is_call(block: Block) -> bool:
    """Whether it is a call."""
    return bool(block.value["type"] == "tool_use")


def is_result(block: Block) -> bool:
    """Whether it is a result."""
    return bool(block.value["type"] == "tool_result")


def keep_calls(messages: list[Message], report: Report) -> None:
    """Leave out each further call with an id. Spec: MSG-007 (step 6)."""
    seen: set[str] = set()
    for message in messages:
        kept: list[Block] = []
        for block in message.blocks:
            if is_call(block):
                name = block.value["id"]
                if name in seen:
                    report.add("duplicate-call", block.row, name)
                    continue
                seen.add(name)
            kept.append(block)
        message.blocks = kept


def keep_results(messages: list[Message], report: Report) -> None:
    """Leave out results without a call before them, and further ones. Spec: MSG-006, MSG-007 (step 7)."""
    called: set[str] = set()
    answered: set[str] = set()
    for message in messages:
        kept: list[Block] = []
        for block in message.blocks:
            if is_result(block):
                name = read_id(block.value.get("tool_use_id"))
                if name is None or name not in called:
                    report.add("orphan-result", block.row, name)  # [MSG-006]
                    continue
                if name in answered:
                    report.add("duplicate-result", block.row, name)
                    continue
                answered.add(name)
            kept.append(block)
        message.blocks = kept
        called |= {block.value["id"] for block in message.blocks if is_call(block)}


def gather(messages: list[Message], pending: list[str], report: Report) -> list[Message]:
    """Results directly behind their calls, stand-ins for those that never came. Spec: MSG-006, MSG-007 (step 8)."""
    results = [block for message in messages for block in message.blocks if is_result(block)]
    for message in messages:
        message.blocks = [block for block in message.blocks if not is_result(block)]
    gathered: list[Message] = []
    for index, message in enumerate(messages):
        gathered.append(message)
        calls = [block for block in message.blocks if is_call(block)]
        names = {block.value["id"] for block in calls}
        answers = [block for block in results if block.value["tool_use_id"] in names]
        answered = {block.value["tool_use_id"] for block in answers}
        for call in calls:
            name = call.value["id"]
            if name in answered:
                continue
            if name in pending:
                report.add("pending-call", call.row, name)  # [MSG-007] stays without a result
                continue
            report.add("missing-result", call.row, name)
            answers.append(Block(call.row, stand_in(name)))  # [MSG-006]
        if not answers:
            continue
        if index + 1 < len(messages) and messages[index + 1].role == "user":
            messages[index + 1].blocks[:0] = answers
        else:
            gathered.append(Message("user", answers))
    return gathered


def stand_in(name: str) -> dict[str, object]:
    """A result for a call that was never answered. Spec: MSG-006."""
    text = "The result of this call is missing."
    return {"type": "tool_result", "tool_use_id": name, "is_error": True, "content": text}
