"""What the files of the build say of one another."""

import re
import tomllib
from pathlib import Path

import pytest

from keel_ref import _native

ROOT = Path(__file__).parents[2]
LOCKS = sorted((ROOT / "requirements").glob("*.txt"))


def test_one_version() -> None:
    """The package, the crates and the native module that is loaded are of one version."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    workspace = tomllib.loads((ROOT / "Cargo.toml").read_text())["workspace"]["package"]["version"]

    assert project == workspace
    assert project == _native.__version__


def test_the_native_module_is_a_release_build() -> None:
    """A debug build is many times slower; what is tested is what is shipped."""

    assert "release" == _native.build_profile


def test_sums_are_checked_in_a_release_build_too() -> None:
    """A wrong size is worse than a stopped program."""
    release = tomllib.loads((ROOT / "Cargo.toml").read_text())["profile"]["release"]

    assert {"lto": "fat", "codegen-units": 1, "overflow-checks": True} == {
        key: release[key] for key in ("lto", "codegen-units", "overflow-checks")
    }


def test_unsafe_code_of_the_core_stands_in_modules_for_one_machine() -> None:
    """Those are called `x86`; elsewhere the compiler refuses it. The bindings alone reach into Python's storage."""
    core = ROOT / "rust/core/src"
    with_unsafe = {
        path.relative_to(core)
        for path in core.rglob("*.rs")
        if re.search(r"\bunsafe\b", path.read_text(encoding="utf-8"))
    }

    assert "#![deny(unsafe_code)]" in (core / "lib.rs").read_text()
    assert [] == [path for path in with_unsafe if "x86" not in {path.stem, *path.parent.parts}]


@pytest.mark.parametrize("lock", LOCKS, ids=[lock.stem for lock in LOCKS])
def test_a_lock_pins_by_hash_and_names_no_address(lock: Path) -> None:
    """Every line is a version, the hash of a file of it, or a comment of one line without an address."""
    line = r"(?:[a-z0-9.\-]+==[^ ]+(?: ;.*)? \\|    --hash=sha256:[0-9a-f]{64}(?: \\)?|#(?!.*://).*|)"
    odd = [text for text in lock.read_text().splitlines() if not re.fullmatch(line, text)]

    assert [] == odd
