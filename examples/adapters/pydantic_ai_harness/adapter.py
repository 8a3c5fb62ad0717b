"""pydantic-ai-harness under the suite: an agent with RepoContext runs, and its prompt is read back."""

import html
import json
import re
import sys
from collections.abc import AsyncIterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

from pydantic_ai import Agent, ModelMessage
from pydantic_ai.capabilities import LocalWorkspace
from pydantic_ai.messages import ModelRequest, UserPromptPart
from pydantic_ai.models.function import AgentInfo, DeltaToolCall, DeltaToolCalls, FunctionModel
from pydantic_ai.workspaces import WorkspaceUnavailableError
from pydantic_ai_harness import FileSystem, RepoContext

sys.path.append(str(Path(__file__).resolve().parents[1]))
from on_disk import Disk, Refused, serve

BLOCK = re.compile(r'<context-file path="([^"]*)">\n(.*?)\n</context-file>', re.DOTALL)
"""One file as RepoContext writes it. A closing tag inside a file is escaped, so the first one ends the block."""
HELLO = {
    "impl": {
        "name": "pydantic-ai-harness",
        "version": version("pydantic-ai-harness"),
        "language": "python",
        "runtime": f"python {sys.version_info.major}.{sys.version_info.minor}",
        "binding": "in_process",
        "source": "https://github.com/pydantic/pydantic-ai",
    },
    "capabilities": {"memory": {}, "memory.text": {}, "memory.links": {}, "memory.touch": {}},
    "choices": {"memory.root": "read", "memory.identity": "real"},
}


def blocks(disk: Disk, cwd: Path, text: str) -> list[dict[str, Any]]:
    """The files of a prompt, in its order; their names are relative to the working folder where they can be."""
    found = ((cwd / html.unescape(label), body) for label, body in BLOCK.findall(text))
    return [{"p": disk.name(place), "layer": "project", "text": body} for place, body in found]


def run(disk: Disk, args: dict[str, Any]) -> dict[str, Any]:
    """One run whose model reads the given files, one at each of its turns."""
    cwd = Path(disk.place(args.get("cwd"))).resolve()
    reads = args.get("reads", [])
    seen: list[list[ModelMessage]] = []
    prompts: list[str] = []

    async def model(messages: list[ModelMessage], info: AgentInfo) -> AsyncIterator[str | DeltaToolCalls]:
        prompts.append(info.instructions or "")
        seen.append(list(messages))
        if len(seen) <= len(reads):
            yield {0: DeltaToolCall("read_file", json.dumps({"path": disk.place(reads[len(seen) - 1])}))}
        else:
            yield "done"

    context = RepoContext(home_dir=disk.root, nested_traversal=bool(reads), nested_inject="contents")
    tools = [FileSystem()] if reads else []
    capabilities = [LocalWorkspace(cwd), context, *tools]
    agent = Agent(FunctionModel(stream_function=model), capabilities=capabilities, retries=len(reads) + 1)
    try:
        agent.run_sync("load")
    except WorkspaceUnavailableError as fault:
        raise Refused("not_a_folder", str(fault)) from fault
    result = {"files": blocks(disk, cwd, prompts[0]), "skipped": [], "warnings": []}
    if "reads" in args:
        notes = [notes_of(seen[turn][len(seen[turn - 1]) :]) for turn in range(1, len(seen))]
        rows = [{"p": path, "files": blocks(disk, cwd, note)} for path, note in zip(reads, notes, strict=True)]
        result["reads"] = rows
    return result


def notes_of(messages: list[ModelMessage]) -> str:
    """What a turn added to the conversation, tool results aside."""
    parts = [part for message in messages if isinstance(message, ModelRequest) for part in message.parts]
    texts = [part.content for part in parts if isinstance(part, UserPromptPart)]
    return "\n\n".join(text if isinstance(text, str) else "\n\n".join(map(str, text)) for text in texts)


serve(HELLO, {"memory.load": run, "memory.touch": run})
