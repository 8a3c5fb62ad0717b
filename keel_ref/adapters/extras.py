"""Packages that are needed for one purpose only, imported when it comes up."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from keel_ref.errors import KeelError


class MissingPackageError(KeelError):
    """A package of an extra is not installed; `extra` names it."""

    code = "missing_package"

    def __init__(self, package: str, extra: str) -> None:
        """Say which package, and how to get it."""
        super().__init__(f"the package {package} is not installed; `pip install keel-ref[{extra}]` brings it")
        self.package = package
        self.extra = extra


def import_extra(package: str, extra: str) -> Any:
    """The package. Raises `MissingPackageError`."""
    try:
        return import_module(package)
    except ModuleNotFoundError as error:
        if error.name != package:
            raise
        raise MissingPackageError(package, extra) from error
