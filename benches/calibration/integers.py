# mypy: ignore-errors
"""Writes the integers of the vectors again, as the model gives them with the weights that ship.

In spec/vectors/tokens/bound-integers.json nothing but the tokens changes: calls, order and layout stay. Spec: EST-031.
"""

import json
import re
import sys
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
VECTORS = REPOSITORY / "spec/vectors/tokens/bound-integers.json"
EXPECTED = re.compile(r'(?<="expect": \{"eq": \{"tokens": )\d+')

sys.path.insert(0, str(REPOSITORY))

from keel_ref.conformance.config import CallConfig  # noqa: E402 (the repository's own model, also where none is installed)
from keel_ref.conformance.functions_tokens import FUNCTIONS  # noqa: E402


def main() -> None:
    """Calls the model with each vector, and puts its answer in the place of the old one."""
    text = VECTORS.read_text(encoding="utf-8")
    answers = [recomputed(vector) for vector in json.loads(text)["vectors"]]
    assert len(answers) == len(EXPECTED.findall(text)), "a vector of bound-integers.json expects no tokens"
    following = iter(answers)
    VECTORS.write_text(EXPECTED.sub(lambda _: str(next(following)), text), encoding="utf-8")


def recomputed(vector: dict) -> int:
    """The tokens of one vector. Everything else that it expects must be as before."""
    call = vector["call"]
    answer = dict(FUNCTIONS[call["fn"]](call["args"], CallConfig()))
    expected = vector["expect"]["eq"]
    assert json.loads(json.dumps(answer)) | {"tokens": 0} == expected | {"tokens": 0}, vector["id"]
    return answer["tokens"]


if __name__ == "__main__":
    main()
