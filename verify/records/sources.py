"""Hash of the sources on which the evidence for a claim rests: a changed one makes its records stale.

Papers of other people are hashed like ours: imports are followed through their packages, too.
"""

import functools
import hashlib
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import theory
from theory.index import read_index

PACKAGES = ("theory", "impl", "verify")

_ENGINE = (
    "verify.judgement",
    "verify.verdicts",
    *(f"verify.rungs.{rung}" for rung in ("symbolic", "exact", "adversarial", "montecarlo", "run")),
)

# Statements of imports wherever they stand; what a text says by chance only adds a file.
_FROM = re.compile(rb"^[ \t]*from[ \t]+(\.*[\w.]*)[ \t]+import[ \t]+(\([^)]*\)|[^\n]*)", re.MULTILINE)
_IMPORT = re.compile(rb"^[ \t]*import[ \t]+([^\n(]+)", re.MULTILINE)
_NAME = re.compile(r"^\s*([\w.]+|\*)")


@functools.cache
def source_sha256(claim_id: str) -> str:
    """Return the SHA-256 over all modules that the checks of a claim import, directly or not.

    Imports inside functions count as well; rungs are always included.
    """
    entry = theory.entry(claim_id)
    tops = tuple(dict(root.package for root in read_index().roots.values() if root.package).items())
    digest = hashlib.sha256()
    for name, path in sorted(_closure((entry.module, entry.verify_module, *_ENGINE), tops).items()):
        digest.update(name.encode() + b"\0" + _content(path) + b"\0")
    return digest.hexdigest()


def clear_caches() -> None:
    """Forget all that was read."""
    for function in (source_sha256, _path, _read):
        function.cache_clear()


def _closure(names: tuple[str, ...], tops: tuple[tuple[str, Path], ...]) -> Mapping[str, Path]:
    known = {*PACKAGES, *(name for name, _ in tops)}
    found: dict[str, Path] = {}
    pending = list(names)
    while pending:
        name = pending.pop()
        if name in found:
            continue
        path = _path(name, tops)
        if path is None:
            continue
        found[name] = path
        package = name if path.name == "__init__.py" else name.rpartition(".")[0]
        for dots, imported in _read(path, *_state(path))[1]:
            full = _absolute(package, dots, imported)
            if full.partition(".")[0] in known:
                pending.append(full)
        if "." in name:
            pending.append(name.rpartition(".")[0])
    return found


@functools.cache
def _path(name: str, tops: tuple[tuple[str, Path], ...]) -> Path | None:
    top, *rest = name.split(".")
    base = dict(tops).get(top, Path(__file__).resolve().parent.parent.parent / top).joinpath(*rest)
    for candidate in (base.with_suffix(".py"), base / "__init__.py"):
        if candidate.is_file():
            return candidate
    return None


def _absolute(package: str, dots: int, name: str) -> str:
    """Return the full name of what `package` imports with so many leading dots."""
    if not dots:
        return name
    parents = package.split(".")
    above = ".".join(parents[: len(parents) - dots + 1])
    return f"{above}.{name}" if name else above


def _state(path: Path) -> tuple[int, int]:
    """Return what changes when a file is written: its time and size."""
    found = path.stat()
    return found.st_mtime_ns, found.st_size


def _content(path: Path) -> bytes:
    return _read(path, *_state(path))[0]


@functools.cache
def _read(path: Path, _time: int, _size: int) -> tuple[bytes, tuple[tuple[int, str], ...]]:
    """Return the digest of a file and what it imports: leading dots and name."""
    text = path.read_bytes()
    return hashlib.sha256(text).digest(), tuple(dict.fromkeys(_imports(text)))


def _imports(text: bytes) -> Iterator[tuple[int, str]]:
    for match in _FROM.finditer(text):
        source = match[1].decode()
        module = source.lstrip(".")
        dots = len(source) - len(module)
        yield dots, module
        for line in match[2].decode(errors="replace").strip("()").splitlines():
            for item in line.partition("#")[0].split(","):
                name = _NAME.match(item)
                if name is not None and name[1] != "*":
                    yield dots, f"{module}.{name[1]}" if module else name[1]
    for match in _IMPORT.finditer(text):
        for item in match[1].decode(errors="replace").partition("#")[0].split(","):
            name = _NAME.match(item)
            if name is not None:
                yield 0, name[1]
