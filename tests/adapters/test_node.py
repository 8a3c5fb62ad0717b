"""The foreign implementation in Node, written from the specification alone, under the suite."""

import shutil
from pathlib import Path

import pytest

from keel_ref.cli import main
from keel_ref.conformance.registry import load_registries

ADAPTER = Path(__file__).resolve().parents[2] / "examples/adapters/node/adapter.mjs"
NODE = shutil.which("node")
AREAS = ("memory", "messages", "text", "tokens")
"""What it has; the area window waits for somebody who has read nothing but the chapter."""

pytestmark = pytest.mark.skipif(NODE is None, reason="not run: there is no Node on this machine")


def test_it_passes_what_it_claims(capsys: pytest.CaptureFixture[str]) -> None:
    """Every test of its areas, and nothing of them is left unclaimed."""
    areas = [word for area in AREAS for word in ("--area", area)]
    code = main(["check", *areas, "--timeout", "20000", "--", str(NODE), str(ADAPTER)])
    output = capsys.readouterr()

    assert code == 0, output.out + output.err
    assert "0 failed, 0 not claimed" in output.out + output.err


def test_it_climbs_the_ladder() -> None:
    """All rungs of smoke, and the envelope fuzz."""

    assert main(["smoke", "--", str(NODE), str(ADAPTER)]) == 0
    assert main(["adapter", "check", "--", str(NODE), str(ADAPTER)]) == 0


@pytest.mark.parametrize(
    "choice",
    [
        f"{choice.name}={value}"
        for choice in load_registries().choices.values()
        if choice.name.startswith(("memory.", "tokens."))
        for value in choice.values[1:]
    ],
)
def test_it_is_held_to_other_choices(choice: str, capsys: pytest.CaptureFixture[str]) -> None:
    """What it declares is what it does, for every value but the default."""
    tests = f"{choice.partition('.')[0]}-*"
    code = main(["check", "--timeout", "20000", "-k", tests, "--", str(NODE), str(ADAPTER), "--choice", choice])

    assert code == 0, f"{choice}: {capsys.readouterr().out[-3000:]}"
