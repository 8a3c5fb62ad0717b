"""The two methods as one thing: what a text, a call and a block cost. Spec: EST-001 to EST-011, EST-032."""

from __future__ import annotations

from enum import StrEnum
from typing import Protocol

from attrs import frozen

from keel_ref.choices import Choices, JsonResults
from keel_ref.constants import DEFAULT, Constants
from keel_ref.tokens.bound import bound_tokens
from keel_ref.tokens.families import ANY, Family, family_of
from keel_ref.tokens.json_text import is_json_container
from keel_ref.tokens.rough import rough_tokens
from keel_ref.units import Tokens


class Method(StrEnum):
    """Which of the two. Spec: EST-001, EST-030."""

    DOCUMENTED = "documented"
    BOUND = "bound"


class Measure(Protocol):
    """What the walk over blocks asks a method."""

    @property
    def media(self) -> int:
        """Tokens of an image or document."""

    @property
    def counts_ids(self) -> bool:
        """Whether the ids of calls and results are looked at at all."""

    @property
    def frames(self) -> tuple[int, int, int]:
        """Tokens that a list, a row and a block which is no text add by themselves."""

    def text(self, text: str) -> int:
        """Tokens of one text."""

    def result_text(self, text: str) -> int:
        """Tokens of one text of a result."""

    def call(self, name: str, input_form: str, call_id: str) -> int:
        """Tokens of a call: its name, its serialised input and its id, which is empty where ids do not count."""


@frozen
class RoughMeasure:
    """The documented rule."""

    choices: Choices = Choices()
    constants: Constants = DEFAULT

    @property
    def counts_ids(self) -> bool:
        """They cost nothing. Spec: EST-006, EST-007."""
        return False

    @property
    def frames(self) -> tuple[int, int, int]:
        """Nothing but the rows is counted. Spec: EST-024."""
        return 0, 0, 0  # [EST-024]

    @property
    def media(self) -> int:
        """Flat, whatever the payload. Spec: EST-011."""
        return self.constants.image_tokens

    def text(self, text: str) -> Tokens:
        """Size over four. Spec: EST-005."""
        return rough_tokens(text, unit=self.choices.unit, constants=self.constants)

    def result_text(self, text: str) -> Tokens:
        """Size over four, or over two for JSON by choice. Spec: EST-004, EST-006."""
        is_json = self.choices.json_results is JsonResults.TWO and is_json_container(text)  # [EST-004]
        return rough_tokens(text, is_json=is_json, unit=self.choices.unit, constants=self.constants)

    def call(self, name: str, input_form: str, call_id: str) -> Tokens:  # noqa: ARG002 (the other method counts ids)
        """Name and input as one text; the id does not count. Spec: EST-007."""
        return self.text(name + input_form)  # [EST-007] one rounding


@frozen
class BoundMeasure:
    """The bound of one family."""

    family: Family

    @property
    def counts_ids(self) -> bool:
        """They do. Spec: EST-032."""
        return True

    @property
    def media(self) -> int:
        """Flat, by the family. Spec: EST-032."""
        return self.family.image_tokens

    @property
    def frames(self) -> tuple[int, int, int]:
        """The constants of the table. Spec: EST-032."""
        return self.family.list_tokens, self.family.row_tokens, self.family.block_tokens

    def text(self, text: str) -> Tokens:
        """The bound of the text."""
        return bound_tokens(text, self.family)

    def result_text(self, text: str) -> Tokens:
        """The same, JSON or not. Spec: EST-032."""
        return self.text(text)

    def call(self, name: str, input_form: str, call_id: str) -> int:
        """Three texts, each by itself. Spec: EST-032."""
        return self.text(name) + self.text(input_form) + self.text(call_id)  # [EST-032]


def measure_of(
    method: Method, *, family: str | Family = ANY, choices: Choices | None = None, constants: Constants = DEFAULT
) -> Measure:
    """The method as the walk wants it. Raises `InvalidArgumentError` for a family that is not published."""
    known = family_of(family)
    if method is Method.BOUND:
        return BoundMeasure(known)
    return RoughMeasure(choices or Choices(), constants)
