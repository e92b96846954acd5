"""Which lines a piece of work executes: a tracer that leaves code alone once it has seen all its lines."""

import sys
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

_FUNCTION = 0x1
"""Flag of code that belongs to a function, not to a module or class body."""


class Lines:
    """Lines of some files that were executed, those that every import executes apart from the others.

    Args:
        root: Folder of the tree.
        files: Files that count, as paths below the root.
    """

    def __init__(self, root: Path, files: Iterable[str]) -> None:
        self._names = {str(root / file): file for file in files}
        self._codes: dict[int, CodeType] = {}
        self._missing: dict[tuple[int, str], set[int]] = {}
        self._imports = 0

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Collect the lines that this block executes, in all its threads."""
        threading.settrace(self._called)
        sys.settrace(self._called)
        try:
            yield
        finally:
            sys.settrace(None)
            threading.settrace(None)  # type: ignore[arg-type]

    def executed(self) -> dict[str, dict[str, str]]:
        """Return by file the lines run by imports ("import") and otherwise ("run"), as hexadecimal masks."""
        masks: dict[str, dict[str, int]] = {}
        for (key, kind), missing in self._missing.items():
            code = self._codes[key]
            known = masks.setdefault(self._names[code.co_filename], {"run": 0, "import": 0})
            for line in _lines(code) - missing:
                known[kind] |= 1 << line
        return {file: {kind: f"{mask:x}" for kind, mask in found.items()} for file, found in masks.items()}

    def _called(self, frame: FrameType, event: str, argument: Any) -> Any:
        code = frame.f_code
        if code.co_filename not in self._names:
            return None
        module = not code.co_flags & _FUNCTION and code.co_name == "<module>"
        self._imports += module
        kind = "import" if self._imports or not code.co_flags & _FUNCTION else "run"
        key = id(code), kind
        if key not in self._missing:
            self._codes[id(code)] = code  # kept alive, so that no other code gets its id
            self._missing[key] = _lines(code)
        missing = self._missing[key]
        missing.discard(frame.f_lineno)

        def passed(frame: FrameType, event: str, argument: Any) -> Any:
            if event == "line":
                missing.discard(frame.f_lineno)
            elif event == "return" and module:
                self._imports -= 1
            return passed

        return passed if missing or module else None


def touches(mask: str, lines: range) -> bool:
    """Return whether a mask has one of the lines."""
    number = int(mask, 16)
    return any(number >> line & 1 for line in lines)


def _lines(code: CodeType) -> set[int]:
    return {line for _, _, line in code.co_lines() if line}
