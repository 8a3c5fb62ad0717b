"""What was decided about results so far, so that each of them always looks the same. Spec: CMP-031 to CMP-033."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attrs import frozen

from keel_ref.errors import InvalidArgumentError
from keel_ref.messages.rows import as_list, as_object


@frozen(kw_only=True)
class Replacement:
    """A result that was replaced, and what stands in its place."""

    id: str
    """Id of the call."""
    text: str
    """What the model reads, each time the same."""

    def as_object(self) -> dict[str, str]:
        """The record in the form of JSON. Spec: CMP-033."""
        return {"id": self.id, "text": self.text}


@frozen(kw_only=True)
class BudgetState:
    """Every id that was seen: replaced, or kept as it is for good. Spec: CMP-031."""

    replaced: tuple[Replacement, ...] = ()
    """Results that were replaced, in the order in which that happened."""
    kept: tuple[str, ...] = ()
    """Ids of results that stay whole, in the order in which they were seen."""

    def texts(self) -> dict[str, str]:
        """The replacement of each id that has one; the first record of an id decides."""
        return {record.id: record.text for record in reversed(self.replaced)}

    def as_object(self) -> dict[str, Any]:
        """The state in the form of JSON, as it goes into the log. Spec: CMP-033."""
        return {"replaced": [record.as_object() for record in self.replaced], "kept": list(self.kept)}

    @classmethod
    def of(cls, value: object) -> BudgetState:
        """The state that `as_object` wrote; None is a state that has seen nothing. Raises `InvalidArgumentError`."""
        if value is None:
            return cls()
        found = as_object(value)
        if found is None:
            raise InvalidArgumentError("state", f"an object is expected, not {type(value).__name__}")
        return cls(
            replaced=tuple(map(_replacement, _list(found, "replaced"))), kept=tuple(map(_id, _list(found, "kept")))
        )


def _list(found: Mapping[str, Any], key: str) -> list[Any]:
    items = as_list([] if found.get(key) is None else found[key])
    if items is None:
        raise InvalidArgumentError(f"state.{key}", "a list is expected")
    return list(items)


def _replacement(value: object) -> Replacement:
    found = as_object(value) or {}
    name, text = found.get("id"), found.get("text")
    if not (isinstance(name, str) and name and isinstance(text, str)):
        raise InvalidArgumentError("state.replaced", "each record has an id and a text")
    return Replacement(id=name, text=text)


def _id(value: object) -> str:
    if not (isinstance(value, str) and value):
        raise InvalidArgumentError("state.kept", "every id is a text that is not empty")
    return value
