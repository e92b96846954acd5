"""Hash of the sources on which evidence or a figure rests: a changed one makes records and figures stale.

Imports are followed, also those inside functions, but not those that only a type checker sees. A module
that asks for formulas of claims rests on every claim that it names, `"PAPER/SLUG"`. Papers of other people
are hashed like ours.
"""

import functools
import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
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
_TYPING = re.compile(rb"^if TYPE_CHECKING:\n((?:[ \t]+[^\n]*\n|\n)*)", re.MULTILINE)
# Calls that take the id of a claim.
_LOADS = re.compile(rb"\b(?:theory\.claim|formulas_of|formula|law\.of)\(")
_CLAIM = re.compile(rb"\"([a-z][a-z0-9_]*/[a-z0-9-]+)\"")


@dataclass(frozen=True)
class _Source:
    """What is read of a file.

    Args:
        digest: Of its content.
        imports: What it imports when it runs: leading dots and name.
        lazy: What it imports for a type checker: in a package, what it loads when it is asked for a name.
        claims: Ids of claims that it may load.
    """

    digest: bytes
    imports: tuple[tuple[int, str], ...]
    lazy: tuple[tuple[int, str], ...]
    claims: tuple[str, ...]


@functools.cache
def source_sha256(claim_id: str) -> str:
    """Return the SHA-256 over all modules that the checks of a claim import, directly or not.

    Imports inside functions count as well; rungs are always included.
    """
    entry = theory.entry(claim_id)
    return modules_sha256((entry.module, entry.verify_module, *_ENGINE))


def modules_sha256(names: Iterable[str], text: bytes = b"") -> str:
    """Return the SHA-256 over modules and all that they import, directly or not.

    Args:
        names: Full names of modules.
        text: Python code beside them, whose imports count; the code itself does not.
    """
    digest = hashlib.sha256()
    for name, path in sorted(source_files(names, text).items()):
        digest.update(name.encode() + b"\0" + _source(path).digest + b"\0")
    return digest.hexdigest()


def source_files(names: Iterable[str], text: bytes = b"") -> Mapping[str, Path]:
    """Return the files of `modules_sha256` by the names of their modules."""
    tops = tuple(dict(root.package for root in read_index().roots.values() if root.package).items())
    ours = {*PACKAGES, *(name for name, _ in tops)}
    found: dict[str, Path] = {}
    pending = [*names, *(_needed("", _parsed(text), ours))]
    while pending:
        name = pending.pop()
        if name in found:
            continue
        above, _, last = name.rpartition(".")
        path = _path(name, tops)
        if path is None:
            # No module of its own: a name in the package above, which may load it from elsewhere.
            home = _path(above, tops) if above else None
            pending += _homes(last, above, _source(home).lazy) if home and home.name == "__init__.py" else ()
            continue
        found[name] = path
        pending += _needed(name if path.name == "__init__.py" else above, _source(path), ours)
        if above:
            pending.append(above)
    return found


def clear_caches() -> None:
    """Forget all that was read."""
    for function in (source_sha256, _path, _read):
        function.cache_clear()


def _needed(package: str, source: _Source, ours: set[str]) -> Iterator[str]:
    """Yield the modules of ours, or names in them, that a source in a package needs."""
    for dots, imported in source.imports:
        full = _absolute(package, dots, imported)
        if full.partition(".")[0] in ours:
            yield full
    for claim_id in source.claims:
        entry = read_index().entries.get(claim_id)
        if entry is not None:
            yield entry.module


def _homes(name: str, package: str, lazy: tuple[tuple[int, str], ...]) -> Iterator[str]:
    """Yield the modules from which a package loads a name when it is asked for it."""
    for dots, imported in lazy:
        module, _, last = _absolute(package, dots, imported).rpartition(".")
        if last == name:
            yield module


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


def _source(path: Path) -> _Source:
    return _read(path, *_state(path))


@functools.cache
def _read(path: Path, _time: int, _size: int) -> _Source:
    return _parsed(path.read_bytes())


def _parsed(text: bytes) -> _Source:
    typing = b"".join(match[1] for match in _TYPING.finditer(text))
    claims = (match[1].decode() for match in _CLAIM.finditer(text)) if _LOADS.search(text) else ()
    return _Source(
        hashlib.sha256(text).digest(),
        tuple(dict.fromkeys(_imports(_TYPING.sub(b"", text)))),
        tuple(dict.fromkeys(_imports(typing))),
        tuple(dict.fromkeys(claims)),
    )


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
