"""Predicted against recorded, for a whole session file. The rules stand in spec/guides/recordings.md.

Spec: EST-016, CMP-070, CMP-071, CMP-113, WIN-001.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from attrs import field, frozen

from keel_ref.choices import Choices, Gates
from keel_ref.constants import DEFAULT
from keel_ref.recording.course import Boundary, Event, Pass, course_of
from keel_ref.recording.findings import Finding, Report, Rule, Verdict, WindowUse
from keel_ref.recording.judge import judge
from keel_ref.recording.memory_files import MemoryNow, memory_findings
from keel_ref.recording.put_back import put_back
from keel_ref.recording.record import Record
from keel_ref.recording.truth import Truth
from keel_ref.window.limits import Limits, window_limits

OF_THE_WINDOW: Final = frozenset({Rule.THRESHOLD, Rule.PASSES, Rule.ATTEMPTS})
"""Rules that another window would decide otherwise."""
Variables = Mapping[str, str]


@frozen(kw_only=True)
class Conditions:
    """Under what the session ran, as far as somebody says it."""

    model: str | None = None
    """In the place of the models of the rows."""
    window: int | None = None
    max_output: int | None = None
    betas: Sequence[str] = ()
    env: Variables = field(factory=dict)
    settings: Mapping[str, Any] = field(factory=dict)
    gates: Gates = field(factory=Gates.released)
    choices: Choices = field(factory=Choices)


@frozen(kw_only=True)
class _Windows:
    """The limits of each model, in the window of the table or in another one."""

    conditions: Conditions
    window: int | None
    known: dict[str | None, Limits] = field(factory=dict)

    def limits_of(self, model: str | None) -> Limits:
        about = self.conditions
        name = about.model or model
        if name not in self.known:
            self.known[name] = window_limits(
                name,
                window=self.window,
                max_output=about.max_output,
                betas=about.betas,
                env=about.env,
                settings=about.settings,
                choices=about.choices,
            )
        return self.known[name]


def verify(
    record: Record,
    *,
    truth: Truth | None = None,
    conditions: Conditions | None = None,
    memory: Sequence[MemoryNow] | None = None,
) -> Report:
    """Compare a record with what the rules predict for it. Raises `InvalidArgumentError` for a window that cannot be.

    Spec: EST-016, CMP-071, CMP-113.
    """
    seen, about = truth or Truth(), conditions or Conditions()
    course = course_of(record, modified_us=seen.modified_us, choices=about.choices)
    window, findings = _judged(course, seen, about)
    files = put_back(course, seen, choices=about.choices)
    return Report(
        findings=(*findings, *files, *memory_findings(record.memory, memory)),
        window=window,
        rows=len(record.session.rows),
        passes=sum(isinstance(event, Pass) for event in course),
        boundaries=sum(isinstance(event, Boundary) for event in course),
        broken=record.session.broken,
        notes=tuple(_notes(record, course, window)),
    )


def _judged(course: Sequence[Event], truth: Truth, about: Conditions) -> tuple[WindowUse, tuple[Finding, ...]]:
    """The findings in the window that was given or is known, or in the default one if the record fits that alone."""

    def under(window: int | None) -> tuple[_Windows, tuple[Finding, ...], int]:
        windows = _Windows(conditions=about, window=window)
        found = judge(course, windows.limits_of, truth, gates=about.gates, choices=about.choices)
        wrong = sum(one.rule in OF_THE_WINDOW and one.verdict is Verdict.DIFFERS for one in found)
        return windows, found, wrong

    last = next((event.model for event in reversed(course) if isinstance(event, Pass)), None)
    model = about.model or last
    windows, findings, wrong = under(about.window)
    known = windows.limits_of(model)
    why = "given" if about.window is not None else f"as known of {model}" if model else "the default; no model is named"
    if wrong and about.window is None and known.window > DEFAULT.default_window_tokens:
        other, found, left = under(DEFAULT.default_window_tokens)
        if not left:
            assumed = other.limits_of(model)
            why = (
                f"assumed: {known.window:,}, as known of {model}, contradicts the record, and this one does not; "
                "say with --window what it was"
            )
            use = WindowUse(model=model, window=assumed.window, auto=assumed.auto, why=why, is_assumed=True)
            return use, found
    return WindowUse(model=model, window=known.window, auto=known.auto, why=why), findings


def _notes(record: Record, course: Sequence[Event], window: WindowUse) -> Iterator[str]:
    session = record.session
    boundaries = [event for event in course if isinstance(event, Boundary)]
    if not boundaries:
        yield "The file holds no boundary, so nothing says how large the context was or what was put back."
    if any(boundary.trigger == "manual" for boundary in boundaries):
        yield "A compaction that a person asked for needs no threshold (CMP-079); its size is compared all the same."
    if any(boundary.trigger is None for boundary in boundaries):
        yield "A boundary does not say who asked for it, so it is held to no threshold."
    if session.broken:
        yield f"{len(session.broken):,} lines are no JSON objects and are left out; the first is {session.broken[0]:,}."
    if session.sidechain_rows:
        yield f"{session.sidechain_rows:,} rows of sub-agents are left out."
    if len({event.model for event in course if isinstance(event, Pass)} - {None}) > 1:
        yield f"Several models answered; each request was judged by its own, and the window shown is of {window.model}."
