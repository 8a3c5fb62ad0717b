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


def test_the_core_has_no_unsafe_code() -> None:
    """The compiler refuses it there; the bindings alone reach into Python's storage."""

    assert "#![forbid(unsafe_code)]" in (ROOT / "rust/core/src/lib.rs").read_text()


@pytest.mark.parametrize("lock", LOCKS, ids=[lock.stem for lock in LOCKS])
def test_a_lock_pins_by_hash_and_names_no_address(lock: Path) -> None:
    """Every line is a version, the hash of a file of it, or a comment of one line without an address."""
    line = r"(?:[a-z0-9.\-]+==[^ ]+(?: ;.*)? \\|    --hash=sha256:[0-9a-f]{64}(?: \\)?|#(?!.*://).*|)"
    odd = [text for text in lock.read_text().splitlines() if not re.fullmatch(line, text)]

    assert [] == odd
