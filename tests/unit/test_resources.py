"""Where the specification is found."""

from pathlib import Path

import pytest

from keel_ref.resources import SpecMissing, find_spec_folder, spec_folder


def lay(folder: Path, *files: str) -> Path:
    """Empty files below the folder; gives the place of the package."""
    for name in files:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).touch()
    return folder / "keel_ref"


def test_a_wheel_carries_its_own_copy(tmp_path: Path) -> None:
    """A folder `spec` of somebody else's beside the installed package is not ours."""
    package = lay(tmp_path, "keel_ref/_spec/terms.md", "spec/terms.md", "pyproject.toml")

    assert package / "_spec" == find_spec_folder(package)


def test_a_checkout_comes_before_the_copy_of_its_last_build(tmp_path: Path) -> None:
    """An edited clause is read at once, without a new build."""
    package = lay(tmp_path, "keel_ref/_spec/terms.md", "spec/terms.md", "rust/bindings/build.rs")

    assert tmp_path / "spec" == find_spec_folder(package)


def test_no_specification_says_what_to_do(tmp_path: Path) -> None:
    """The message names the place and the remedy."""

    with pytest.raises(SpecMissing, match="install keel-ref from a wheel, or build it from a whole checkout"):
        find_spec_folder(lay(tmp_path, "keel_ref/text.py"))


def test_this_installation_has_the_vectors() -> None:
    """The folder found is the specification and not an empty namesake."""

    assert (spec_folder() / "vectors/text/sizes.json").is_file()
