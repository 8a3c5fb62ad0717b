"""Puts one fault into the source of one module while it is imported, and runs the vectors of one clause in process.

Started with `python -m tests.mutants.run_mutant`. Reads one fault a line from stdin, each a JSON object: `module`,
`old`, `new`, `areas`, and `clause` (empty for every vector of the areas). Writes one JSON object a line to stdout, in
the same order: how many vectors `ran`, which came out `wrong` and which `crashed`, each with a message, and why the
fault is `broken` where it could not be put in place or did not come to an end.

Each fault gets a process of its own, forked from one that holds the vectors and what judges them, and no module of the
model. So the judge is sound whatever the fault, and no fault sees another.
"""

import gc
import json
import os
import signal
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from types import CodeType, ModuleType
from typing import Any

from attrs import frozen

from keel_ref.conformance.match import FailureKind
from keel_ref.conformance.vectors import Vector, load_vectors
from keel_ref.resources import spec_folder
from tests.vectors.in_process import findings

ENTRANCES = (
    "keel_ref.conformance.functions_memory",
    "keel_ref.conformance.functions_tokens",
    "keel_ref.conformance.functions_window",
    "keel_ref.conformance.functions_compaction",
    "keel_ref.conformance.functions_context",
    "keel_ref.conformance.functions_transcript",
    "keel_ref.compaction.program",
)
"""Importing these imports the whole model."""
CPU_LIMIT_SECONDS = 30
"""Time on the processor for one fault; a busy machine is no fault."""


class MisplacedFaultError(Exception):
    """The text that a fault replaces does not stand exactly once in its module."""


@frozen(kw_only=True)
class Fault:
    """One change of one place of one module."""

    module: str
    """The module."""
    old: str
    """What stands there once."""
    new: str
    """What is put in its place."""

    def apply(self, source: str) -> str:
        """The source with the fault in it. Raises `MisplacedFaultError`."""
        count = source.count(self.old)
        if count != 1:
            raise MisplacedFaultError(f"{self.module}: {self.old!r} stands there {count} times, not once")
        return source.replace(self.old, self.new)


class _FaultyLoader(SourceFileLoader):
    """Compiles one module with a fault in it, and gives the code of any other as it was before."""

    def __init__(self, name: str, path: str, fault: Fault, sound: Mapping[str, CodeType]) -> None:
        super().__init__(name, path)
        self.fault = fault
        self.sound = sound

    def get_code(self, fullname: str) -> CodeType:
        """The code of the module. Raises `MisplacedFaultError`."""
        if fullname != self.fault.module:
            return self.sound[fullname]
        source = self.fault.apply(self.get_source(fullname) or "")
        code: CodeType = compile(source, self.path, "exec", dont_inherit=True)
        return code


class _FaultyFinder(MetaPathFinder):
    """Finds the modules of the model and leaves all others to the usual finders."""

    def __init__(self, fault: Fault, sound: Mapping[str, CodeType]) -> None:
        self.fault = fault
        self.sound = sound

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None,
        target: ModuleType | None = None,  # noqa: ARG002 (the signature of the import system)
    ) -> ModuleSpec | None:
        """The module's place, with a loader of our own."""
        spec = PathFinder.find_spec(fullname, path) if fullname in self.sound else None
        if spec is not None and spec.origin is not None:
            spec.loader = _FaultyLoader(fullname, spec.origin, self.fault, self.sound)
        return spec


def take_out_the_model() -> Mapping[str, CodeType]:
    """The code of every module that the model consists of; none of them is imported afterwards.

    Whatever they stand on has been imported then, once for all faults.
    """
    judge = {name for name in sys.modules if name.startswith("keel_ref.")}
    enter()
    shared = {"keel_ref.choices"}  # the judge asks it for the names of the choices
    model = [name for name in sys.modules if name.startswith("keel_ref.") and name not in judge - shared]
    return {name: _code_of(sys.modules.pop(name)) for name in model}


def _code_of(module: ModuleType) -> CodeType:
    assert module.__spec__ is not None
    assert isinstance(module.__spec__.loader, SourceFileLoader)
    code = module.__spec__.loader.get_code(module.__name__)
    assert code is not None
    return code


def put_in_place(fault: Fault, sound: Mapping[str, CodeType]) -> None:
    """Import the model with the fault in it. Raises `MisplacedFaultError`, or what the import itself raises."""
    if fault.module not in sound:
        raise MisplacedFaultError(f"{fault.module} judges the model and is no part of it")
    sys.meta_path.insert(0, _FaultyFinder(fault, sound))
    import_module(fault.module)
    enter()


def enter() -> None:
    """Import the whole model."""
    for name in ENTRANCES:
        import_module(name)


def run_vectors(vectors: Sequence[Vector]) -> dict[str, Any]:
    """What comes of the vectors, under every value of every choice they speak about."""
    wrong: dict[str, str] = {}
    crashed: dict[str, str] = {}
    for vector in vectors:
        try:
            for finding in findings(vector):
                into = wrong if finding.mismatch.kind is FailureKind.MISMATCH else crashed
                into.setdefault(vector.id, str(finding))
        except Exception as error:  # noqa: BLE001 (a fault may raise anything)
            crashed[vector.id] = f"{type(error).__name__}: {error}"
    return {"ran": len(vectors), "wrong": wrong, "crashed": crashed}


def answer(fault: Fault, vectors: Sequence[Vector], sound: Mapping[str, CodeType]) -> dict[str, Any]:
    """What comes of one fault, in this process, which is of no use afterwards."""
    try:
        put_in_place(fault, sound)
    except Exception as error:  # noqa: BLE001 (importing a faulty module may raise anything)
        return {"broken": f"{type(error).__name__}: {error}"}
    return run_vectors(vectors)


def answer_apart(fault: Fault, vectors: Sequence[Vector], sound: Mapping[str, CodeType]) -> dict[str, Any]:
    """What comes of one fault, in a process of its own that is ended if it takes too long."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        signal.setitimer(signal.ITIMER_PROF, CPU_LIMIT_SECONDS)
        with os.fdopen(writing, "w", encoding="utf-8") as pipe:
            json.dump(answer(fault, vectors, sound), pipe)
        os._exit(0)  # nothing of the parent's may be cleaned up twice
    os.close(writing)
    with os.fdopen(reading, encoding="utf-8") as pipe:
        text = pipe.read()
    _, status = os.waitpid(child, 0)
    if status != 0:
        return {"broken": f"ended with {os.waitstatus_to_exitcode(status)}, within {CPU_LIMIT_SECONDS} seconds"}
    found: dict[str, Any] = json.loads(text)
    return found


def main() -> None:
    """Answer until stdin ends."""
    vectors = load_vectors(spec_folder())
    sound = take_out_the_model()
    gc.freeze()  # what all share is not looked at again in each process
    for line in sys.stdin:
        order = json.loads(line)
        fault = Fault(module=order["module"], old=order["old"], new=order["new"])
        known = [vector for vector in vectors if vector.area in order["areas"]]
        asked = [vector for vector in known if order["clause"] in ("", *vector.clauses)]
        sys.stdout.write(json.dumps(answer_apart(fault, asked, sound)) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
