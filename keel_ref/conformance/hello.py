"""What an implementation says of itself in its hello, and whether it can be held to it. Spec: protocol.md, hello."""

from collections.abc import Mapping
from typing import Any, Final

from attrs import field, frozen

from keel_ref.conformance.compare import cut_text, show_value
from keel_ref.conformance.misbehaviour import AdapterError, Misbehaviour, Misdeed
from keel_ref.conformance.suite import Suite
from keel_ref.conformance.wire import WIRE_VERSIONS, Ok, Outcome, outcome_to_object

IMPL_FIELDS: Final = ("name", "version", "language", "runtime", "binding", "source", "issues")
"""What `impl` may tell, each a text. Anything else is ignored, so that no process id spoils a report."""


@frozen(kw_only=True)
class HelloAnswer:
    """Who the implementation is, what it claims, and what it chose."""

    wire: int
    """The version of the wire that it picked."""
    revision: str = ""
    """The revision of the specification that it aims at; empty if it does not say."""
    impl: Mapping[str, str] = field(factory=dict)
    """Those of `IMPL_FIELDS` that it tells."""
    capabilities: Mapping[str, Mapping[str, Any]] = field(factory=dict)
    """What it claims; it is held to that and to nothing else."""
    choices: Mapping[str, str] = field(factory=dict)
    """What it chose where the specification leaves a choice."""
    max_inflight: int = 1
    """Requests it takes at a time."""

    @property
    def name(self) -> str:
        """Its name and version as people write them."""
        parts = (self.impl.get("name", "unnamed"), self.impl.get("version", ""))
        return " ".join(part for part in parts if part)


def read_hello(outcome: Outcome, nonce: str) -> HelloAnswer:
    """The hello of an answer. Raises `Misbehaviour` for one that is ill-formed or answers somebody else."""
    if not isinstance(outcome, Ok):
        said = outcome_to_object(outcome)
        raise Misbehaviour(Misdeed.BAD_HELLO, "hello was not answered with ok", detail=cut_text(str(said)))
    value = outcome.value
    if value.get("nonce") != nonce:
        detail = f"sent {show_value(nonce)}, got {show_value(value.get('nonce'))}"
        raise Misbehaviour(Misdeed.WRONG_NONCE, "hello: the nonce did not come back as it was sent", detail=detail)
    wire = value.get("wire")
    if type(wire) is not int:
        raise Misbehaviour(Misdeed.BAD_HELLO, f"hello: wire is {show_value(wire)}, not the version it picked")
    if wire not in WIRE_VERSIONS:
        problem = f"no shared wire version: the suite speaks {list(WIRE_VERSIONS)}, the adapter {[wire]}"
        raise Misbehaviour(Misdeed.NO_SHARED_WIRE, problem)
    claimed = _objects(value, "capabilities", Mapping, "object of parameters")
    choices = _objects(value, "choices", str, "text") if "choices" in value else {}
    revision, inflight = value.get("revision", ""), value.get("max_inflight", 1)
    return HelloAnswer(
        wire=wire,
        revision=cut_text(revision) if isinstance(revision, str) else "",
        impl=_read_impl(value) if "impl" in value else {},
        capabilities=claimed,
        choices=choices,
        max_inflight=inflight if isinstance(inflight, int) else 1,
    )


def _objects(value: Mapping[str, Any], field_name: str, kind: type, kind_name: str) -> Mapping[str, Any]:
    """A field that is an object whose values are all of one kind."""
    entries = value.get(field_name)
    if not isinstance(entries, Mapping):
        raise Misbehaviour(Misdeed.BAD_HELLO, f"hello: {field_name} is missing or not an object")
    for name, entry in entries.items():
        if not isinstance(entry, kind):
            raise Misbehaviour(Misdeed.BAD_HELLO, f"hello: {field_name}.{cut_text(name)} is no {kind_name}")
    return entries


def _read_impl(value: Mapping[str, Any]) -> Mapping[str, str]:
    told = _objects(value, "impl", object, "value")
    return {name: cut_text(told[name]) for name in IMPL_FIELDS if isinstance(told.get(name), str)}


def check_claims(hello: HelloAnswer, suite: Suite) -> None:
    """Refuse what nobody can be held to: a reserved capability, a value that a choice does not have."""
    for name in hello.capabilities:
        if name in suite.capabilities and suite.capabilities[name].is_reserved:
            raise AdapterError(f"hello: the capability {name} is reserved for later; nobody can claim it yet")
    for name, value in hello.choices.items():
        allowed = suite.choices.get(name)
        if allowed and value not in allowed:
            raise AdapterError(f"hello: the choice {name} is {show_value(value)}; it may be {', '.join(allowed)}")


def declared_choices(hello: HelloAnswer, suite: Suite) -> Mapping[str, str]:
    """Every registered choice with the value declared, or its default."""
    return {name: hello.choices.get(name, values[0]) for name, values in suite.choices.items()}


def unknown_claims(hello: HelloAnswer, suite: Suite) -> tuple[str, ...]:
    """What was claimed or chosen that nobody has registered or offered; it counts for nothing, so it is said."""
    capabilities = [f"capability {name}" for name in sorted(hello.capabilities) if name not in suite.capabilities]
    choices = [f"choice {name}" for name in sorted(hello.choices) if name not in suite.choices]
    revisions = [f"revision {hello.revision}"] if hello.revision not in ("", suite.revision) else []
    return (*capabilities, *choices, *revisions)
