"""The real thing for `keel-ref compact`: the call for the summary, and the new file."""

from __future__ import annotations

import argparse
import sys
import uuid

from keel_ref.adapters.anthropic_api import is_address
from keel_ref.adapters.api_errors import one_line
from keel_ref.adapters.clock import SystemClock
from keel_ref.adapters.compaction_driver import Driver
from keel_ref.adapters.extras import import_extra
from keel_ref.adapters.fast_counts import fast_cost
from keel_ref.adapters.session_file import SessionFile, write_session
from keel_ref.adapters.summary_call import Request, stub_tools
from keel_ref.cli.compact_plan import first_kept
from keel_ref.cli.compact_show import Done, done_json, done_text, problem_lines
from keel_ref.cli.options import put
from keel_ref.compaction.state import State
from keel_ref.conformance.exits import ExitCode, UsageError
from keel_ref.messages.view import view_start
from keel_ref.transcript.new_lines import Writer, new_lines


def compact_session(session: SessionFile, state: State, options: argparse.Namespace) -> int:
    """Ask for the summary, write the new file, and say what was done. Raises `KeelError`."""
    model = options.model or session.model
    if model is None:
        raise UsageError("no answer of the session names a model; say with --model who shall write the summary")
    if options.base_url is not None and not is_address(options.base_url):
        raise UsageError(f"--base-url {options.base_url} is no address; write one such as https://HOST")
    package = import_extra("anthropic", "api")
    request = Request(
        model=model.removesuffix("[1m]"),
        max_tokens=state.settings.limits.reserve,  # no main call sets another limit; more might not fit the window
        tools=stub_tools(state.view),  # the file does not say which tools there were
    )
    if sys.stderr is not None and sys.stderr.isatty():  # it may take minutes
        put(f"keel-ref: asking {model} for a summary of about {fast_cost(state.view):,} tokens\n", sys.stderr)
    try:
        connection = package.Anthropic(base_url=options.base_url)
    except (package.AnthropicError, TypeError, ValueError) as error:
        raise UsageError(f"the settings of the package anthropic cannot be used ({one_line(str(error))})") from error
    with connection as client:
        clock = SystemClock()
        driver = Driver(
            client=client,
            request=request,
            state=state,
            clock=clock,
            timeout_seconds=options.timeout,
            keeps_thinking=False,
        )
        compacted = driver.compact(kept_from=first_kept(state, options.keep))
    put(problem_lines(driver.problems), sys.stderr)
    done = Done(
        session=session,
        why=compacted.why,
        calls=driver.summary_calls,
        trace=compacted.trace,
        tokens_before=state.used,
        tokens_after=driver.state.used if compacted.is_done else state.used,
        out=options.out if compacted.is_done else None,
        problems=tuple(driver.problems),
        cost_before=fast_cost(state.view),
    )
    if compacted.is_done:
        rows = driver.state.log[view_start(driver.state.log) :]
        writer = Writer(
            header=session.view.header,
            after=session.view.last_uuid,
            at_ms=clock.now_ms(),
            new_uuid=lambda: str(uuid.uuid4()),
        )
        write_session(options.out, session.data, new_lines(rows, writer), replaces=options.force)
    put(done_json(done) if options.json else done_text(done), sys.stdout)
    return ExitCode.CONFORMANT if compacted.is_done else ExitCode.NOT_CONFORMANT
