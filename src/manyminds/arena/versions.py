"""What played: the versions of all that could change a result."""

from __future__ import annotations

import functools
import platform
from importlib import metadata

from manyminds import __version__

_PACKAGES = ("numba", "llvmlite", "numpy", "msgspec")


@functools.cache
def versions() -> dict[str, str]:
    """Names and versions, without importing any of them."""
    found = {"manyminds": __version__, "python": platform.python_version()}
    for package in _PACKAGES:
        try:
            found[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            found[package] = "not installed"
    return found | {"platform": platform.platform(), "machine": platform.machine()}
