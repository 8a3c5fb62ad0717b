"""The foreign implementation in Node, written from the specification alone, under the suite."""

import json
import shutil
from pathlib import Path

import pytest

from keel_ref.cli import main
from keel_ref.conformance.registry import load_registries
from keel_ref.conformance.suite import load_suite

ADAPTER = Path(__file__).resolve().parents[2] / "examples/adapters/node/adapter.mjs"
NODE = shutil.which("node")

AREAS_OF_CHOICES = {
    "memory": ("memory",),
    "tokens": ("tokens", "compaction", "context", "transcript"),
    "env": ("window", "compaction", "context"),
    "window": ("window", "compaction"),
    "tools": ("context",),
    "results": ("compaction",),
    "compaction": ("compaction",),
}
"""Where a choice can be seen, by the first word of its name."""

pytestmark = pytest.mark.skipif(NODE is None, reason="not run: there is no Node on this machine")


def test_it_passes_what_it_claims(capsys: pytest.CaptureFixture[str]) -> None:
    """Every test there is."""
    code = main(["check", "--timeout", "20000", "--", str(NODE), str(ADAPTER)])
    output = capsys.readouterr()

    assert code == 0, output.out + output.err
    tests = len(load_suite().vectors)
    assert f"{tests} passed, 0 failed, 0 not claimed" in output.out + output.err


def test_it_climbs_the_ladder() -> None:
    """All rungs of smoke, and the envelope fuzz."""

    assert main(["smoke", "--", str(NODE), str(ADAPTER)]) == 0
    assert main(["adapter", "check", "--", str(NODE), str(ADAPTER)]) == 0


def test_exploration_raises_no_false_alarm() -> None:
    """Programs drawn from the model come out the same here."""

    assert main(["explore", "--examples", "300", "--timeout", "20000", "--", str(NODE), str(ADAPTER)]) == 0


@pytest.mark.parametrize(
    "choice",
    [
        f"{choice.name}={value}"
        for choice in load_registries().choices.values()
        if choice.name.partition(".")[0] in AREAS_OF_CHOICES
        for value in choice.values[1:]
    ],
)
def test_it_is_held_to_other_choices(choice: str, capsys: pytest.CaptureFixture[str]) -> None:
    """What it declares is what it does, for every value but the default."""
    areas = [word for area in AREAS_OF_CHOICES[choice.partition(".")[0]] for word in ("--area", area)]
    main(["check", "--json", "--timeout", "20000", *areas, "--", str(NODE), str(ADAPTER), "--choice", choice])
    report = json.loads(capsys.readouterr().out)

    assert report["choices"].items() >= {choice.partition("=")[0]: choice.partition("=")[2]}.items()
    assert _ids(report, "pass")
    assert set() == _ids(report, "fail")


def _ids(report: dict[str, list[dict[str, str]]], verdict: str) -> set[str]:
    return {test["id"] for test in report["tests"] if test["verdict"] == verdict}
