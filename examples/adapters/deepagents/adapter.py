"""deepagents under the suite: its MemoryMiddleware reads the files and writes them into the system prompt."""

import sys
from importlib.metadata import version
from pathlib import Path
from typing import Any

from deepagents import MemoryMiddleware
from deepagents.backends import FilesystemBackend
from langchain.agents.middleware.types import ModelRequest
from langchain_core.language_models.fake_chat_models import FakeListChatModel

sys.path.append(str(Path(__file__).resolve().parents[1]))
from on_disk import Disk, serve

SLOT = "{agent_memory}"
MODEL = FakeListChatModel(responses=[""])
HELLO = {
    "impl": {
        "name": "deepagents",
        "version": version("deepagents"),
        "language": "python",
        "runtime": f"python {sys.version_info.major}.{sys.version_info.minor}",
        "binding": "in_process",
        "source": "https://github.com/langchain-ai/deepagents",
    },
    "capabilities": {"memory": {}, "memory.text": {}, "memory.comments": {}},
    "choices": {},
}


def sources(args: dict[str, Any]) -> list[tuple[str, str]]:
    """The list that deepagents asks of its caller: paths, in order, whether they exist or not."""
    home, cwd = args.get("home", ""), args["cwd"]
    config = args.get("config_dir") or args.get("env", {}).get("CLAUDE_CONFIG_DIR") or (home and home + "/.claude")
    listed = [(config + "/CLAUDE.md", "user")] if config else []
    for folder in reversed([cwd, *map(str, Path(cwd).parents)]):
        if folder != "/":
            listed.append((folder + "/CLAUDE.md", "project"))
            listed.append((folder + "/.claude/CLAUDE.md", "project"))
            listed.append((folder + "/CLAUDE.local.md", "local"))
    return listed


def load(disk: Disk, args: dict[str, Any]) -> dict[str, Any]:
    """Each source that gives the prompt a text, with that text."""
    disk.place(args.get("cwd"))  # refuses what is no absolute path
    backend = FilesystemBackend(root_dir=disk.root, virtual_mode=True)
    listed = sources(args)
    middleware = MemoryMiddleware(backend=backend, sources=[path for path, _ in listed], system_prompt=SLOT)
    contents = middleware.before_agent({"messages": []}, None, {})["memory_contents"]
    files = []
    for path, layer in listed:
        alone = MemoryMiddleware(backend=backend, sources=[path], system_prompt=SLOT)
        request = ModelRequest(model=MODEL, messages=[], state={"messages": [], "memory_contents": contents})
        section = alone.modify_request(request).system_message.text
        if section.startswith(path + "\n\n"):
            files.append({"p": path, "layer": layer, "text": section.removeprefix(path + "\n\n")})
    return {"files": files, "skipped": [], "warnings": []}


serve(HELLO, {"memory.load": load})
