"""Which lines a piece of work executes, by coverage.py."""

import ast
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import coverage


class Lines:
    """Lines of some files that were executed, those of functions apart from those that every import executes.

    Args:
        root: Folder of the tree.
        files: Files that count, as paths below the root.
    """

    def __init__(self, root: Path, files: Iterable[str]) -> None:
        self._root = root
        self._files = tuple(files)
        self._tool = coverage.Coverage(
            data_file=None,
            config_file=False,
            include=[str(root / "*")],
            check_preimported=False,
            concurrency=["thread"],
        )

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Collect the lines that this block executes, in all its threads."""
        self._tool.start()
        try:
            yield
        finally:
            self._tool.stop()

    def executed(self) -> dict[str, dict[str, str]]:
        """Return by file the lines run in functions ("run") and in bodies of modules ("import"), as masks.

        Masks are hexadecimal. A function that runs while its module is imported counts as run.
        """
        data = self._tool.get_data()
        found = {}
        for file in self._files:
            seen = data.lines(str(self._root / file))
            if seen:
                inside = _function_lines((self._root / file).read_bytes())
                masks = {"run": 0, "import": 0}
                for line in seen:
                    masks["run" if line in inside else "import"] |= 1 << line
                found[file] = {kind: f"{mask:x}" for kind, mask in masks.items()}
        return found


def touches(mask: str, lines: range) -> bool:
    """Return whether a mask has one of the lines."""
    number = int(mask, 16)
    return any(number >> line & 1 for line in lines)


def _function_lines(source: bytes) -> set[int]:
    """Return the lines of bodies of functions; heads and decorators run with the module."""
    found: set[int] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            found |= set(range(node.body[0].lineno, (node.end_lineno or node.lineno) + 1))
    return found
