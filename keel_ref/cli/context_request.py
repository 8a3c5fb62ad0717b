"""What a request of the Messages API holds, by category. Spec: CTX-101 to CTX-106."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NoReturn

from keel_ref.cli.context_found import Asked, Found, Gap, List, SourceKind
from keel_ref.cli.terminal_text import clipped, visible
from keel_ref.conformance.exits import UsageError
from keel_ref.context.holdings import Holdings, Tool
from keel_ref.context.message_parts import break_down
from keel_ref.context.sections import sections_of
from keel_ref.messages.rows import as_list, as_object, content_of, type_of
from keel_ref.tokens.json_text import NotJson, parse_json
from keel_ref.tokens.measures import RoughMeasure
from keel_ref.tokens.serialise import serialised

MCP_MARK = "mcp__"
"""What the name of an MCP tool begins with; the name of its server follows, and then two more lines."""
INSIDE = "inside messages or definitions of tools, where nothing marks them; counted there"
GAPS = (
    Gap(what="Memory files", why=INSIDE, list=List.MEMORY_FILES),
    Gap(what="Skills", why=INSIDE, list=List.SKILLS),
    Gap(what="Custom agents", why=INSIDE, list=List.AGENTS),
)


def look_at_request(asked: Asked, data: bytes) -> Found:
    """The request that the bytes say. Raises `UsageError` for what is none."""
    body = _body(asked, data)
    measure = RoughMeasure(asked.choices)
    rows = body["messages"]
    broken_down, reported = break_down(rows, choices=asked.choices)
    loaded = frozenset(_loaded(rows))
    tools = [_tool(asked, number, tool, loaded, measure) for number, tool in enumerate(_list(asked, body, "tools"))]
    model = body.get("model")
    return Found(
        kind=SourceKind.REQUEST,
        name=asked.source,
        model=model if isinstance(model, str) and model.strip() else None,
        holdings=Holdings(
            system_prompt=sections_of(_system(asked, body), measure.text),
            tools=tuple(tools),
            messages=broken_down.parts(),
        ),
        tools=broken_down.tools(),
        attachments=broken_down.attachments(),
        gaps=GAPS,
        reported=[one.as_object() for one in reported],
    )


def _body(asked: Asked, data: bytes) -> Mapping[str, Any]:
    try:
        value = parse_json(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        _refuse(asked, f"is not UTF-8 at byte {error.start}; name a session, a request or a folder")
    except NotJson as error:
        _refuse(asked, f"is neither a session nor JSON ({error}); name a session, a request or a folder")
    if not isinstance(value, dict) or not isinstance(value.get("messages"), list):
        _refuse(asked, 'is no request; that is {"model": ..., "system": ..., "tools": [...], "messages": [...]}')
    return value


def _list(asked: Asked, body: Mapping[str, Any], name: str) -> Sequence[Any]:
    value = body.get(name)
    if value is not None and not isinstance(value, list):
        _refuse(asked, f"{name} is no list; the Messages API says what it takes")
    return value or []


def _system(asked: Asked, body: Mapping[str, Any]) -> Sequence[str]:
    """The texts of the system prompt; a block that holds none is refused, since it would be lost."""
    value = body.get("system")
    if value is None or isinstance(value, str):
        return [value] if value else []
    texts: list[str] = []
    for number, block in enumerate(_list(asked, body, "system")):
        text = block.get("text") if isinstance(block, dict) else None
        if not isinstance(text, str):
            _refuse(asked, f'system[{number}] is no block of text; write {{"type": "text", "text": ...}}')
        texts.append(text)
    return texts


def _tool(asked: Asked, number: int, tool: object, loaded: frozenset[str], measure: RoughMeasure) -> Tool:
    """One definition. Spec: CTX-101, CTX-103."""
    found = as_object(tool)
    name = None if found is None else found.get("name")
    if found is None or not isinstance(name, str):
        _refuse(asked, f"tools[{number}] has no name; a definition is an object with one")
    return Tool(
        name=name,
        server=_server_of(name),
        tokens=measure.text(serialised(found)),
        is_deferred=found.get("defer_loading") is True,
        is_loaded=name in loaded,
    )


def _server_of(name: str) -> str | None:
    """The MCP server that a tool's name names; None for a built-in tool."""
    if not name.startswith(MCP_MARK):
        return None
    return name.removeprefix(MCP_MARK).partition("__")[0]


def _loaded(rows: Sequence[Any]) -> Iterator[str]:
    """The names of tools that a search has loaded, as the references in the messages say."""
    waiting: list[Any] = [content_of(found) for row in rows if (found := as_object(row)) is not None]
    while waiting:
        for block in as_list(waiting.pop()) or ():
            found = as_object(block)
            if found is None:
                continue
            if type_of(found) == "tool_reference" and isinstance(found.get("tool_name"), str):
                yield found["tool_name"]
            content = found.get("content")
            waiting.append(content.get("tool_references") if isinstance(content, dict) else content)


def _refuse(asked: Asked, problem: str) -> NoReturn:
    raise UsageError(f"{clipped(visible(asked.source))}: {clipped(visible(problem))}")
