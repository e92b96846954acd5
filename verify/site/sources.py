"""Pages of source files, so that evidence can be followed to the line without leaving the site."""

from __future__ import annotations

import inspect
import re
from pathlib import Path
from typing import Any

from theory.reading.index import read_index
from theory.reading.roots import OWN


def relative(path: str | Path) -> str | None:
    """Return a source file as readers name it, `theory/squant/variance/var.py`; None elsewhere."""
    file = Path(path).resolve()
    bases = [OWN.parent / name for name in ("theory", "impl", "verify")]
    bases += [root.package[1] for root in read_index().roots.values() if root.package]
    for base in bases:
        if file.is_relative_to(base):
            return file.relative_to(base.parent).as_posix()
    return None


def page_of(source: str) -> str:
    """Return the page of a source file."""
    return f"source/{source}.html"


def line_of(path: str | Path, pattern: str) -> int:
    """Return the first line that a pattern is found in, 1 where it is in none."""
    text = Path(path).read_text(encoding="utf-8", errors="replace")
    match = re.search(pattern, text, re.MULTILINE)
    return text.count("\n", 0, match.start()) + 1 if match else 1


def place_of(function: Any) -> tuple[Path, int] | None:
    """Return file and line of a function, None where it has none."""
    code = getattr(inspect.unwrap(function), "__code__", None) if callable(function) else None
    return (Path(code.co_filename), code.co_firstlineno) if code is not None else None
