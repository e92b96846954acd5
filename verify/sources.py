"""Hash of the sources on which the evidence for a claim rests: a changed one makes its records stale."""

import ast
import functools
import hashlib
from pathlib import Path

from verify.binding import module_name

PACKAGES = ("theory", "impl", "verify")


@functools.cache
def source_sha256(claim_id: str) -> str:
    """Return the SHA-256 over all modules that the checks of a claim import, directly or not.

    Imports inside functions count as well; rungs are always included.
    """
    paper, slug = claim_id.split("/", 1)
    names = {module_name(claim_id), f"theory.{paper}.{slug.replace('-', '_')}", "verify.judgement"}
    names |= {f"verify.rungs.{rung}" for rung in ("symbolic", "exact", "adversarial", "montecarlo", "run")}
    digest = hashlib.sha256()
    for path in sorted(_closure(frozenset(names)), key=lambda item: item[0]):
        digest.update(path[0].encode() + b"\0" + path[1].read_bytes() + b"\0")
    return digest.hexdigest()


def _closure(names: frozenset[str]) -> set[tuple[str, Path]]:
    found: dict[str, Path] = {}
    pending = list(names)
    while pending:
        name = pending.pop()
        if name in found:
            continue
        path = _path(name)
        if path is None:
            continue
        found[name] = path
        pending.extend(_imports(path))
        if "." in name:
            pending.append(name.rpartition(".")[0])
    return set(found.items())


@functools.cache
def _path(name: str) -> Path | None:
    root = Path(__file__).resolve().parent.parent
    base = root.joinpath(*name.split("."))
    for candidate in (base.with_suffix(".py"), base / "__init__.py"):
        if candidate.is_file():
            return candidate
    return None


@functools.cache
def _imports(path: Path) -> tuple[str, ...]:
    names: list[str] = []
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names.append(node.module)
            names += [f"{node.module}.{alias.name}" for alias in node.names]
    return tuple(name for name in names if name.split(".")[0] in PACKAGES)
