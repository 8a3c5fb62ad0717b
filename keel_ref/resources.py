"""Where the specification lies that this installation carries. Reads the disk, so no rule may use it."""

from functools import cache
from pathlib import Path


class SpecMissing(FileNotFoundError):
    """The installation carries no specification: it was not built from a whole checkout."""


@cache
def spec_folder() -> Path:
    """The folder `spec/`: that of the checkout where the package runs from one, else the copy inside the wheel."""
    return find_spec_folder(Path(__file__).resolve().parent)


def find_spec_folder(package: Path) -> Path:
    """The specification that belongs to a package lying at this place.

    A checkout is known by what lays the copy into the wheel, and comes first, because a build leaves a copy in the
    package that grows old there.
    """
    checkout = package.parent
    if (checkout / "rust/bindings/build.rs").is_file() and (checkout / "spec").is_dir():
        return checkout / "spec"
    copy = package / "_spec"
    if copy.is_dir():
        return copy
    raise SpecMissing(
        f"no specification beside {package}; install keel-ref from a wheel, or build it from a whole checkout"
    )
