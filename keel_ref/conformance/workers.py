"""Batches of tests, and the processes that share them out among themselves.

Batches are cut from the sorted list of tests, and what counts of them is decided in their order. So it makes no
difference how many processes there are, or which of them is quicker.
"""

import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from keel_ref.conformance.examine import BatchRun, Examiner, too_many_restarts
from keel_ref.conformance.hello import HelloAnswer
from keel_ref.conformance.misbehaviour import AdapterError
from keel_ref.conformance.subject import Subject
from keel_ref.conformance.vectors import Vector
from keel_ref.conformance.wire import ProgramItem, size_question

BATCH_CALLS: Final = 16
"""Calls that go out in one message."""
BATCH_CHARACTERS: Final = 256 * 1024
"""Size of a message's arguments, as JSON, beyond which no further call is added."""


def start_all(subjects: Sequence[Subject], pool: ThreadPoolExecutor) -> HelloAnswer:
    """Start every process at once, and wait for each. All must say the same of themselves. Raises `AdapterError`."""
    found = list(pool.map(_start, subjects))
    hellos = [one for one in found if isinstance(one, HelloAnswer)]
    for one in found:
        if isinstance(one, AdapterError):
            if hellos:
                subjects[0].notes.add("one process started, but not another beside it; -j 1 starts no more than one")
            raise one
    for hello in hellos[1:]:
        if (hello.capabilities, hello.choices) != (hellos[0].capabilities, hellos[0].choices):
            raise AdapterError("hello: two processes of the same command claim or chose different things")
    return hellos[0]


def _start(subject: Subject) -> HelloAnswer | AdapterError:
    try:
        return subject.start()
    except AdapterError as error:
        return error


def cut_batches(vectors: Sequence[Vector]) -> list[tuple[Vector, ...]]:
    """The tests in messages of bounded number and size, each program in its own; the same whatever runs them."""
    batches: list[list[Vector]] = []
    room = -1
    for vector in vectors:
        is_program = isinstance(vector.question, ProgramItem)
        size = size_question(vector.question)
        if is_program or size > room or len(batches[-1]) == BATCH_CALLS:
            batches.append([])
            room = BATCH_CHARACTERS
        batches[-1].append(vector)
        room = -1 if is_program else room - size
    return [tuple(batch) for batch in batches]


def share_out(
    batches: Sequence[Sequence[Vector]], examiners: Sequence[Examiner], pool: ThreadPoolExecutor, max_respawns: int
) -> list[BatchRun]:
    """Examine the batches in order, each by whoever is free; stop handing out once the adapter is to be given up."""
    done: dict[int, BatchRun] = {}
    lock = threading.Lock()
    places = iter(range(len(batches)))

    def work(examiner: Examiner) -> None:
        while True:
            with lock:
                is_given_up = any(run.error for run in done.values())
                is_spent = sum(run.restarts for run in done.values()) > max_respawns
                place = None if is_given_up or is_spent else next(places, None)
            if place is None:
                return
            try:
                run = examiner.examine(batches[place])
            except BaseException:
                for other in examiners:  # nobody shall wait for an answer that nobody wants any more
                    other.subject.abort()
                raise
            with lock:
                done[place] = run

    list(pool.map(work, examiners))
    return [done[place] for place in sorted(done)]


def cut_off(runs: Sequence[BatchRun], max_respawns: int) -> tuple[list[BatchRun], AdapterError | None]:
    """What counts of the batches that were run: those before the one in which the adapter gave out."""
    restarts = 0
    for place, run in enumerate(runs):
        restarts += run.restarts
        if restarts > max_respawns:
            return list(runs[:place]), too_many_restarts(max_respawns, run.last)
        if run.error is not None:
            return list(runs[:place]), run.error
    return list(runs), None
