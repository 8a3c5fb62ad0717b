"""The closed lists of reasons and warnings."""

import json

from keel_ref.conformance.marks import clause
from keel_ref.resources import spec_folder
from keel_ref.trace import Reason

REGISTRY = json.loads((spec_folder() / "errors.json").read_bytes())


@clause("MEM-023")
def test_reasons_are_those_of_the_registry() -> None:
    """In its order, none missing and none of our own."""

    assert [entry["reason"] for entry in REGISTRY["reasons"]] == [str(reason) for reason in Reason]
