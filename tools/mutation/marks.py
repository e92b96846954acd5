"""Which statements of `impl` a piece of work runs, at next to no cost: a copy whose statements leave marks.

A mark is one byte of a file that all processes of the work have mapped: those which it starts count, too.
"""

import ast
import json
import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Any

UNMARKED = ("impl/kernels/", "impl/gpu/", "impl/__init__.py")
"""Beginnings of files that are compiled, or that cannot run without a device."""
_MODULE = "marks_of_impl"


def marked(root: Path, folder: Path) -> Path:
    """Copy a tree into a folder, let its statements leave marks; return the file of what each mark says."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(root, folder)
    places: list[tuple[str, int]] = []
    for path in sorted((folder / "impl").rglob("*.py")):
        name = path.relative_to(folder).as_posix()
        if not name.startswith(UNMARKED):
            path.write_text(_with_marks(name, path.read_text(), places))
    seen, told = folder / "marks.bin", folder / "marks.json"
    seen.write_bytes(bytes(len(places)))
    opened = f"open({str(seen)!r}, 'r+b')"
    (folder / f"{_MODULE}.py").write_text(
        f"import mmap\nFILE = {opened}\nSEEN = mmap.mmap(FILE.fileno(), 0)\n"
    )
    told.write_text(json.dumps(places))
    return told


class Marks:
    """The marks of the marked tree that this process has entered."""

    def __init__(self, folder: Path) -> None:
        import importlib

        self.places: list[tuple[str, int]] = [
            tuple(p) for p in json.loads((folder / "marks.json").read_text())
        ]
        self._seen: Any = importlib.import_module(_MODULE).SEEN

    def clear(self) -> None:
        """Forget all marks."""
        self._seen[:] = bytes(len(self.places))

    def lines(self) -> dict[str, list[int]]:
        """Return the first lines of the statements that ran, by file."""
        found: dict[str, list[int]] = {}
        for place, mark in zip(self.places, bytes(self._seen), strict=True):
            if mark:
                found.setdefault(place[0], []).append(place[1])
        return found


def _with_marks(name: str, text: str, places: list[tuple[str, int]]) -> str:
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            node.body = _block(name, node.body, places)
    at = next((i for i, item in enumerate(tree.body) if not _comes_first(item)), len(tree.body))
    tree.body[at:at] = ast.parse(f"from {_MODULE} import SEEN as __seen__").body
    return ast.unparse(ast.fix_missing_locations(tree))


def _comes_first(node: ast.stmt) -> bool:
    """Tell whether nothing may stand before a statement: a docstring, or an import from the future."""
    future = isinstance(node, ast.ImportFrom) and node.module == "__future__"
    return future or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))


def _block(name: str, body: Iterable[ast.stmt], places: list[tuple[str, int]]) -> list[ast.stmt]:
    found: list[ast.stmt] = []
    for item in body:
        if not isinstance(item, ast.Global | ast.Nonlocal) and not _comes_first(item):
            places.append((name, item.lineno))
            found += ast.parse(f"__seen__[{len(places) - 1}] = 1").body
        found.append(item)
        if isinstance(item, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            continue
        for part in (item, *getattr(item, "handlers", ()), *getattr(item, "cases", ())):
            for field in ("body", "orelse", "finalbody"):
                if inside := getattr(part, field, None):
                    setattr(part, field, _block(name, inside, places))
    return found
