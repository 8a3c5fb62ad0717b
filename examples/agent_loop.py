"""A small agent that never outgrows its window: `python agent_loop.py "Which modules are untested?" --model MODEL`.

The pattern: the rules are a pure function. `step(state, event)` says what the session is now and what has to be done;
the loop below does it, and what comes of it is the next event. Budgets stand in layers: one large result goes to a
file, the results of one message have a sum, and the whole has a threshold, at which a summary takes the place of the
talk and the files that were read come back. What can fail again and again has a breaker. Needs "keel-ref[api]".
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import anthropic

from keel_ref import Gates, KeelError, compaction, prepare_messages, window_limits
from keel_ref.adapters.api_errors import Refused, why_refused
from keel_ref.adapters.disk import DiskTree
from keel_ref.adapters.restore_disk import read_files
from keel_ref.adapters.result_store import save_results
from keel_ref.adapters.summary_call import ask_summary
from keel_ref.ports import FileContent

PATH = {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]}
TOOLS = [
    {"name": "read_file", "description": "The text of a file.", "input_schema": PATH},
    {"name": "list_dir", "description": "The names in a folder.", "input_schema": PATH},
]
PASSES = 50
"""Requests of one turn; a loop without a cap is a bill without one."""
READ_BYTES = 1 << 20
"""The innermost budget: what one call may read at all."""


class Agent:
    """One session. Its whole memory is `state`, which only `step` changes."""

    def __init__(self, client: Any, model: str, folder: Path, session: Path, **window: int) -> None:
        """Look after `folder`; keep large results below `session`; the window as `window_limits` takes it."""
        limits = window_limits(model, **window)
        gates = Gates(session_memory=False, sm_compact=False, reactive=True)  # no notes; repair an overflow once a turn
        self.client, self.folder = client, folder.resolve()
        self.readable = (self.folder, session.resolve())  # what was saved can be read on
        self.request = {"model": model, "max_tokens": limits.max_output, "tools": TOOLS}
        self.state = compaction.State(
            settings=compaction.Settings(limits=limits, gates=gates, session_folder=str(session))
        )
        self.outcome: Any = None

    def run(self, prompt: str) -> str:
        """One turn: a prompt, as many requests as it takes, and the last words."""
        self.happen(compaction.Appended(rows=[{"role": "user", "content": prompt}]))
        for _ in range(PASSES):
            self.happen(compaction.PassBegun(now_ms=time.time_ns() // 1_000_000))
            if isinstance(self.outcome, compaction.EndTurn):
                return f"[stopped: {self.outcome.end}]"  # full, refilled at once, or refused again
            calls = [block for block in self.outcome.content if block.type == "tool_use"]
            if not calls:
                return "".join(block.text for block in self.outcome.content if block.type == "text")
            self.happen(compaction.Appended(rows=[{"role": "user", "content": [self.use(call) for call in calls]}]))
        return f"[stopped: {PASSES} requests]"

    def happen(self, event: compaction.Event) -> None:
        """Let it happen, do what follows, and go on with what comes of that."""
        waiting = [event]
        while waiting:
            done = compaction.step(self.state, waiting.pop(0))
            self.state = done.state
            for decision in done.trace:  # nothing is cut, dropped or given up in silence
                print("  ", *decision.as_object().values(), file=sys.stderr)
            waiting += [found for effect in done.effects if (found := self.perform(effect)) is not None]

    def perform(self, effect: compaction.Effect) -> compaction.Event | None:
        """The only place that touches the world."""
        match effect:
            case compaction.SendRequest(rows=rows):
                return self.send(rows)
            case compaction.SaveResults(saves=saves):
                return save_results(saves).event
            case compaction.AskSummary():
                answer = ask_summary(self.client, effect, request=self.request)
                print("  ", answer.problem or "a summary came", *answer.missing_parts, file=sys.stderr)
                return answer.event
            case compaction.ReadFiles(paths=paths):
                return read_files(paths, DiskTree())
            case compaction.EndTurn():
                self.outcome = effect
        return None

    def send(self, rows: Any) -> compaction.Event:
        """The request; one that is too large for the provider goes back to the rules, all else to the caller."""
        messages = list(prepare_messages(rows).messages)
        try:
            self.outcome = self.client.messages.create(messages=messages, timeout=600, **self.request)
        except anthropic.APIStatusError as error:
            why = why_refused(error)
            if why is Refused.OTHER:
                raise
            return compaction.RequestRefused(is_media=why is Refused.TOO_LARGE)
        row = self.outcome.to_dict(mode="json")  # its usage is what the next count stands on
        return compaction.Appended(rows=[{key: row[key] for key in ("role", "id", "content", "usage")}])

    def use(self, call: Any) -> dict[str, Any]:
        """The result of one call; a mistake of the model is an answer too."""
        path, found, text = str((self.folder / str(call.input.get("path", "."))).resolve()), None, None
        if any(Path(path).is_relative_to(root) for root in self.readable):
            disk = DiskTree()  # never waits for a pipe, never reads without a bound
            found = disk.read_file(path, READ_BYTES) if call.name == "read_file" else disk.list_folder(path)
        if isinstance(found, FileContent):
            text = found.data.decode("utf-8", "replace")
            self.happen(
                compaction.FileRead(path=path, size_bytes=len(found.data))
            )  # so it can come back behind a summary
        elif isinstance(found, tuple):
            text = "\n".join(sorted(entry.name for entry in found))
        said = f"{path} cannot be had" if text is None else text
        return {"type": "tool_result", "tool_use_id": call.id, "content": said, "is_error": text is None}


def main() -> None:
    """Run one turn in the current folder."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("prompt")
    parser.add_argument("--model", required=True)
    parser.add_argument("--base-url", default=os.environ.get("ANTHROPIC_BASE_URL"))
    options = parser.parse_args()
    client = anthropic.Anthropic(base_url=options.base_url)
    try:
        print(Agent(client, options.model, Path.cwd(), Path(tempfile.mkdtemp(prefix="agent-"))).run(options.prompt))
    except (anthropic.AnthropicError, KeelError) as error:
        sys.exit(f"agent_loop: {error}")


if __name__ == "__main__":
    main()
