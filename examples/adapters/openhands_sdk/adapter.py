"""openhands-sdk under the suite: load_project_skills finds the files, AgentContext renders and attaches them."""

import os
import sys
from importlib.metadata import version
from pathlib import Path, PurePosixPath
from typing import Any

os.environ |= {
    "LITELLM_LOCAL_MODEL_COST_MAP": "True",  # a list of prices that would be fetched
    "OPENHANDS_SUPPRESS_BANNER": "1",
}  # read where the SDK is imported
from openhands.sdk.context import AgentContext
from openhands.sdk.skills import Skill, load_project_skills

sys.path.append(str(Path(__file__).resolve().parents[1]))
from on_disk import Disk, Refused, serve

HELLO = {
    "impl": {
        "name": "openhands-sdk",
        "version": version("openhands-sdk"),
        "language": "python",
        "runtime": f"python {sys.version_info.major}.{sys.version_info.minor}",
        "binding": "in_process",
        "source": "https://github.com/OpenHands/software-agent-sdk",
    },
    "capabilities": {"memory": {}, "memory.text": {}, "memory.touch": {}},
    "choices": {},
}


def record(disk: Disk, skill: Skill, text: str) -> dict[str, Any]:
    """A skill that came from an instruction file."""
    return {"p": disk.name(skill.source), "layer": "project", "text": text}


def start(disk: Disk, skills: list[Skill]) -> list[dict[str, Any]]:
    """What the system message holds, skill by skill."""
    files = []
    for skill in skills:
        message = AgentContext(skills=[skill], current_datetime=None).get_system_message_suffix() or ""
        head, tail = f"[BEGIN context from [{skill.name}]]\n", "\n[END Context]\n"
        if skill.trigger is None and head in message:
            files.append(record(disk, skill, message[message.index(head) + len(head) : message.rindex(tail)]))
    return files


def load(disk: Disk, args: dict[str, Any]) -> dict[str, Any]:
    """The instruction files of a start, and those that each read brings."""
    cwd = Path(disk.place(args.get("cwd")))
    try:
        skills = load_project_skills(cwd)
    except NotADirectoryError as fault:
        raise Refused("not_a_folder", str(fault)) from fault
    result = {"files": start(disk, skills), "skipped": [], "warnings": []}
    if "reads" not in args:
        return result
    context = AgentContext(skills=skills, current_datetime=None)
    named = {skill.name: skill for skill in skills}
    injected: list[str] = []  # a conversation of the SDK keeps such a list and passes it in
    rows = []
    for read in args["reads"]:
        path = PurePosixPath(disk.place(read))
        touched = path.relative_to(cwd).as_posix() if path.is_relative_to(cwd) else ""
        _, names = context.get_tool_use_suffix(touched, injected) or (None, [])
        injected.extend(names)
        rows.append({"p": read, "files": [record(disk, named[name], named[name].content) for name in names]})
    return result | {"reads": rows}


serve(HELLO, {"memory.load": load, "memory.touch": load})
