"""The files of a claim and of its checks, and the hash of the text of the checks for `conditions.json`."""

import functools
import hashlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

_OURS = re.compile(
    r"^\s*(?:from|import)\s+(?:boundcheck|theory|verify)\b|[\"'](?:theory|verify)\.", re.MULTILINE
)
_COMMENT = re.compile(r"^\s*#.*$|\s+$", re.MULTILINE)


def text_sha256(claim: Any) -> str:
    """Return the hash of the text of the checks of a claim, comments on lines of their own apart.

    It is that of the file of its checks with what they share: contracts, fixtures and helpers of its paper.
    """
    texts = [path for _, path, theirs in files_of(claim) if theirs == "verify"]
    if not texts:
        return ""
    whole = hashlib.sha256()
    # Once each: helpers of a paper of one's own that import of us are among the texts already.
    for path in dict.fromkeys((*texts, *shared_files(claim))):
        whole.update(_text_digest(path, path.stat().st_mtime_ns))
    return whole.hexdigest()[:32]


@functools.cache
def _text_digest(path: Path, _time: int) -> bytes:
    lines = _COMMENT.sub("", path.read_text(encoding="utf-8")).splitlines()
    return hashlib.sha256("\n".join(line for line in lines if line).encode()).digest()


def shared_files(claim: Any) -> Iterator[Path]:
    """Yield the files that checks import of their folder, or own package, and of the contracts."""
    from theory.reading.index import read_index
    from verify.records.sources import source_files

    module = read_index().entries[claim.id].verify_module
    package = module.partition(".")[0]
    own = ".".join(module.split(".")[:2]) if package == "verify" else package
    folders = ("verify.conformance.", f"{own}.") if package == "verify" else (f"{own}.",)
    for name, path in sorted(source_files((module,)).items()):
        if name.startswith(folders) and not name.startswith(f"{package}.theory.") and name != module:
            yield path


def files_of(claim: Any) -> Iterator[tuple[str, Path, str]]:
    """Yield name, path and side (`theory`, `verify`, `above`: in packages above) of the files of a claim."""
    from importlib.util import find_spec

    from theory.reading.index import read_index

    entry = read_index().entries.get(claim.id)
    if entry is None:
        return
    yield entry.where, entry.path, "theory"
    yield from helpers_of(entry.module, "theory")
    try:
        found = find_spec(entry.verify_module)
    except ModuleNotFoundError:
        return
    if found is not None and found.origin is not None:
        yield f"{entry.verify_module.replace('.', '/')}.py", Path(found.origin), "verify"
        yield from helpers_of(entry.verify_module, "verify")


def helpers_of(module: str, side: str) -> Iterator[tuple[str, Path, str]]:
    """Yield what a file of a paper of one's own imports of its package; tests look at files of ours.

    What checks import may be an implementation, whose code is its own affair, unless it imports of us.
    """
    from verify.records.sources import source_files

    package = module.partition(".")[0]
    if package in ("theory", "verify"):
        return
    asked = _asked(module) if side == "theory" else frozenset()
    for name, path in sorted(source_files((module,)).items()):
        if name == module or not f"{name}.".startswith(f"{package}."):
            continue
        told = f"{name.replace('.', '/')}{'/__init__' if path.name == '__init__.py' else ''}.py"
        if side == "theory":
            # What only a package above imports, such as an implementation, obeys the rules of checks.
            yield told, path, "theory" if name in asked or name.startswith(f"{package}.theory") else "above"
        elif name != package and _OURS.search(path.read_text(encoding="utf-8")):
            yield told, path, side


def _asked(module: str) -> frozenset[str]:
    """Return what a module imports, directly or not, without the packages above."""
    from verify.records import sources

    tops, ours = sources._packages()
    found, pending = set[str](), [module]
    while pending:
        name = pending.pop()
        path = sources._path(name, tops) if name not in found else None
        if path is not None:
            found.add(name)
            _, needed = sources._edges(name, path, *sources._state(path), ours)
            pending += (imported for imported, _ in needed)
    return frozenset(found)
