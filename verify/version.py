"""Versions of the installed distribution and of libraries."""

import functools
from importlib.metadata import PackageNotFoundError, version

try:
    VERSION = version("boundcheck")
except PackageNotFoundError:  # run from a checkout that was never installed
    VERSION = "0+unknown"


@functools.cache
def installed(library: str) -> str:
    """Return the version of a library, `none` where it is not installed; its metadata are read once."""
    try:
        return version(library)
    except PackageNotFoundError:
        return "none"
