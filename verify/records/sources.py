"""Hash of the sources on which evidence or a figure rests: a changed one makes records and figures stale.

Imports are followed, also those inside functions, but not those that only a type checker sees. A module
that asks for formulas of claims rests on every claim that it names, `"PAPER/SLUG"`. Papers of other people
are hashed like ours.

A package that does nothing but import names, such as `impl.compressors`, is a window. Records rest on all
that it shows. A figure, which takes minutes, rests on the modules of the names that it takes from it.
"""

import ast
import functools
import hashlib
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import theory
from theory.reading.index import read_index

PACKAGES = ("theory", "impl", "verify")

_ENGINE = (
    "verify.judging.judgement",
    "verify.judging.verdicts",
    *(f"verify.rungs.{rung}" for rung in ("symbolic", "exact", "adversarial", "montecarlo", "run")),
)

# Statements of imports wherever they stand; what a text says by chance only adds a file.
_FROM = re.compile(
    rb"(?:^|[:;])[ \t]*from[ \t]+(\.*[\w.]*)[ \t]+import[ \t]+(\([^)]*\)|[^\n]*)", re.MULTILINE
)
_IMPORT = re.compile(rb"(?:^|[:;])[ \t]*import[ \t]+([^\n(]+)", re.MULTILINE)
_CONTINUED = re.compile(rb"\\\r?\n")
_NAME = re.compile(r"^\s*([\w.]+|\*)")
_TYPING = re.compile(rb"^if TYPE_CHECKING:\n((?:[ \t]+[^\n]*\n|\n)*)", re.MULTILINE)
# Calls that take the id of a claim.
_LOADS = re.compile(rb"\b(?:theory\.claim|formulas_of|formula|law\.of)\(")
_CLAIM = re.compile(rb"\"([a-z][a-z0-9_]*/[a-z0-9-]+)\"")


_Import = tuple[int, str]


@dataclass(frozen=True)
class _Source:
    """What is read of a file.

    Args:
        digest: Of its content.
        imports: What it imports when it runs: leading dots and name.
        lazy: What it imports for a type checker: in a package, what it loads when it is asked for a name.
        claims: Ids of claims that it may load.
        taken: The modules of which it imports no more than names, leading dots and name.
        window: Whether it does nothing but import names.
    """

    digest: bytes
    imports: tuple[_Import, ...]
    lazy: tuple[_Import, ...]
    claims: tuple[str, ...]
    taken: frozenset[_Import] = frozenset()
    window: bool = False


@functools.cache
def source_sha256(claim_id: str) -> str:
    """Return the SHA-256 over all modules that the checks of a claim import, directly or not.

    Imports inside functions count as well; rungs are always included.
    """
    entry = theory.entry(claim_id)
    return modules_sha256((entry.module, entry.verify_module, *_ENGINE))


def modules_sha256(names: Iterable[str], text: bytes = b"", *, windows: bool = True) -> str:
    """Return the SHA-256 over modules and all that they import, directly or not.

    Args:
        names: Full names of modules.
        text: Python code beside them, whose imports count; the code itself does not.
        windows: Whether a window counts with all that it shows, or only with the names that are taken.
    """
    digest = hashlib.sha256()
    for name, (_, source) in sorted(_sources(names, text, windows).items()):
        digest.update(name.encode() + b"\0" + source.digest + b"\0")
    return digest.hexdigest()


def source_files(names: Iterable[str], text: bytes = b"", *, windows: bool = True) -> Mapping[str, Path]:
    """Return the files of `modules_sha256` by the names of their modules."""
    return {name: path for name, (path, _) in _sources(names, text, windows).items()}


def _sources(names: Iterable[str], text: bytes, windows: bool) -> Mapping[str, tuple[Path, _Source]]:
    """Return the files of `modules_sha256`, each as it was seen once, by the names of their modules."""
    tops, ours = _packages()
    found: dict[str, tuple[Path, _Source]] = {}
    # Each with whether it is needed whole, and not for single names in it or modules below it.
    pending = [*((name, True) for name in names), *_needed("", _parsed(text), ours)]
    seen: set[tuple[str, bool]] = set()  # most are names in a module, which many import
    while pending:
        item = name, whole = pending.pop()
        if name in found or item in seen:
            continue
        seen.add(item)
        above, _, last = name.rpartition(".")
        path = _path(name, tops)
        if path is None:
            pending += _homes(last, above, _path(above, tops) if above else None, windows)
            continue
        source, needed = _edges(name, path, *_state(path), ours)
        if windows or whole or not source.window:
            found[name] = path, source
            pending += needed
            pending += _loaded(source)
        if above:
            pending.append((above, False))
    return found


@functools.cache
def _edges(
    name: str, path: Path, time: int, size: int, ours: frozenset[str]
) -> tuple[_Source, tuple[tuple[str, bool], ...]]:
    """Return what is read of a module, and what `_imported` yields for it."""
    source = _read(path, time, size)
    package = name if path.name == "__init__.py" else name.rpartition(".")[0]
    return source, tuple(_imported(package, source, ours))


class Moment:
    """The hashes of many claims at one moment: each file is looked at once."""

    def __init__(self) -> None:
        self._tops, self._ours = _packages()
        self._edges: dict[str, tuple[str, ...]] = {}
        self._homes: dict[str, tuple[str, ...]] = {}
        self._digests: dict[str, bytes] = {}

    def source_sha256(self, claim_id: str) -> str:
        """Return what `source_sha256` returns, of the files as they were first seen here."""
        entry = theory.entry(claim_id)
        return self.modules_sha256((entry.module, entry.verify_module, *_ENGINE))

    def modules_sha256(self, names: Iterable[str]) -> str:
        """Return what `modules_sha256` returns, of the files as they were first seen here."""
        pending, found = list(names), set()
        while pending:
            name = pending.pop()
            if name not in found:
                found.add(name)
                pending += self._needed(name)
        digest = hashlib.sha256()
        for name in sorted(found & self._digests.keys()):
            digest.update(name.encode() + b"\0" + self._digests[name] + b"\0")
        return digest.hexdigest()

    def _needed(self, name: str) -> tuple[str, ...]:
        """Return the modules that a module needs directly, and the package that it is in."""
        if name not in self._edges:
            path, above = _path(name, self._tops), name.rpartition(".")[0]
            if path is None:
                self._edges[name] = self._at_home(name)
                return self._edges[name]
            source = _source(path)
            self._digests[name] = source.digest
            needed = _needed(name if path.name == "__init__.py" else above, source, self._ours)
            modules = (module for item, _ in needed for module in self._at_home(item))
            self._edges[name] = tuple(dict.fromkeys((*modules, *([above] if above else ()))))
        return self._edges[name]

    def _at_home(self, name: str) -> tuple[str, ...]:
        """Return the modules behind a name: itself, or those from which a package loads it."""
        if name not in self._homes:
            self._homes[name] = ()
            above, _, last = name.rpartition(".")
            if _path(name, self._tops) is not None:
                self._homes[name] = (name,)
            elif above:
                homes = _homes(last, above, _path(above, self._tops), windows=True)
                self._homes[name] = tuple(module for home, _ in homes for module in self._at_home(home))
        return self._homes[name]


def _packages() -> tuple[tuple[tuple[str, Path], ...], frozenset[str]]:
    """Return the packages of other people with their folders, and all whose modules count."""
    tops = tuple(dict(root.package for root in read_index().roots.values() if root.package).items())
    return tops, frozenset({*PACKAGES, *(name for name, _ in tops)})


def clear_caches() -> None:
    """Forget where modules are; what was read of a file is asked for by its place, time and size."""
    for function in (source_sha256, _path):
        function.cache_clear()


def _needed(package: str, source: _Source, ours: frozenset[str]) -> Iterator[tuple[str, bool]]:
    """Yield the modules of ours, or names in them, that a source in a package needs, and whether whole."""
    yield from _imported(package, source, ours)
    yield from _loaded(source)


def _imported(package: str, source: _Source, ours: frozenset[str]) -> Iterator[tuple[str, bool]]:
    for dots, imported in source.imports:
        full = _absolute(package, dots, imported)
        if full.partition(".")[0] in ours:
            yield full, (dots, imported) not in source.taken


def _loaded(source: _Source) -> Iterator[tuple[str, bool]]:
    """Yield the modules of the claims that a source names."""
    for claim_id in source.claims:
        entry = read_index().entries.get(claim_id)
        if entry is not None:
            yield entry.module, True


def _homes(name: str, package: str, path: Path | None, windows: bool) -> Iterator[tuple[str, bool]]:
    """Yield the modules from which a package has a name that is no module, or loads it when it is asked."""
    if path is None or path.name != "__init__.py":
        return
    source = _source(path)
    shown = source.imports if source.window and not windows else ()
    homes = [
        module
        for dots, imported in (*source.lazy, *shown)
        for module, _, last in [_absolute(package, dots, imported).rpartition(".")]
        if last == name
    ]
    yield from ((home, True) for home in homes)
    if shown and not homes:
        yield package, True


@functools.cache
def _path(name: str, tops: tuple[tuple[str, Path], ...]) -> Path | None:
    top, *rest = name.split(".")
    folder = dict(tops).get(top)
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
    base = os.path.join(folder or os.path.join(root, top), *rest)
    for candidate in (f"{base}.py", os.path.join(base, "__init__.py")):
        if os.path.isfile(candidate):
            return Path(candidate)
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
    text = path.read_bytes()
    return replace(_parsed(text), window=path.name == "__init__.py" and _is_window(text))


def _parsed(text: bytes) -> _Source:
    parts = [match[1] for match in _TYPING.finditer(text)] if b"TYPE_CHECKING" in text else []
    claims = (match[1].decode() for match in _CLAIM.finditer(text)) if _LOADS.search(text) else ()
    running = _CONTINUED.sub(b" ", _TYPING.sub(b"", text) if parts else text)
    given, modules = _given(running), list(_modules(running))
    typing = _CONTINUED.sub(b" ", b"".join(parts))
    return _Source(
        hashlib.sha256(text).digest(),
        tuple(dict.fromkeys([*_imports(given), *modules])),
        tuple(dict.fromkeys([*_imports(_given(typing)), *_modules(typing)])),
        tuple(dict.fromkeys(claims)),
        frozenset(_taken(given)) - frozenset(modules),
    )


def _is_window(text: bytes) -> bool:
    """Return whether the code of a package does nothing but import names from elsewhere."""
    try:
        body = ast.parse(text).body
    except SyntaxError:
        return False
    return any(isinstance(item, ast.ImportFrom) for item in body) and all(map(_shows, body))


def _shows(item: ast.stmt) -> bool:
    if isinstance(item, ast.Assign):
        return [ast.unparse(target) for target in item.targets] == ["__all__"]
    docstring = isinstance(item, ast.Expr) and isinstance(item.value, ast.Constant)
    return docstring or isinstance(item, ast.ImportFrom)


def _given(text: bytes) -> list[tuple[_Import, tuple[str, ...]]]:
    """Return the modules from which names are imported, each with the names."""
    return [(_dotted(match[1]), tuple(_names(match[2]))) for match in _FROM.finditer(text)]


def _imports(given: list[tuple[_Import, tuple[str, ...]]]) -> Iterator[_Import]:
    for (dots, module), names in given:
        yield dots, module
        for name in names:
            if name != "*":
                yield dots, f"{module}.{name}" if module else name


def _modules(text: bytes) -> Iterator[_Import]:
    """Yield what `import` alone names."""
    for match in _IMPORT.finditer(text):
        yield from ((0, name) for name in _names(match[1]))


def _taken(given: list[tuple[_Import, tuple[str, ...]]]) -> Iterator[_Import]:
    """Yield the modules from which names are taken, and never all of them."""
    starred = {module for module, names in given if "*" in names}
    yield from (module for module, _ in given if module not in starred)


def _dotted(source: bytes) -> _Import:
    """Return the leading dots and the name in a statement of import."""
    module = source.decode().lstrip(".")
    return len(source) - len(module), module


def _names(listed: bytes) -> Iterator[str]:
    for line in listed.decode(errors="replace").strip("()").splitlines():
        for item in line.partition("#")[0].split(","):
            name = _NAME.match(item)
            if name is not None:
                yield name[1]
