"""Leave out what reading a notebook imports and never uses."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

GRAMMAR = "rfc3987_syntax"


@contextmanager
def without_grammar() -> Iterator[None]:
    """Let jsonschema be imported without the grammar of web addresses, which takes seconds to compile.

    It is an optional library that Jupyter installs; notebooks are read without it.
    """
    absent = GRAMMAR not in sys.modules
    if absent:
        sys.modules[GRAMMAR] = None  # type: ignore[assignment]  # as where it is not installed
    try:
        yield
    finally:
        if absent:
            del sys.modules[GRAMMAR]
