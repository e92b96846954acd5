"""Hashes of what no formula says: words, pins and what they rest on. `theory/PAPER/pins.json` keeps them."""

from __future__ import annotations

import fcntl
import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from theory.claim import Claim, Part

FILE = "pins.json"
Pins = Mapping[str, str]


def canonical(expression: Any) -> str:
    """Return a sympy expression as a text that does not depend on the run."""
    if not getattr(expression, "args", ()) or expression.is_Atom:
        return f"{type(expression).__name__}:{expression}"
    parts = [canonical(item) for item in expression.args]
    if getattr(expression, "is_commutative", False) and type(expression).__name__ in (
        "Add",
        "Mul",
        "Max",
        "Min",
    ):
        parts.sort()
    return f"{type(expression).__name__}({','.join(parts)})"


def hash_of(*parts: str) -> str:
    """Return the hash of texts."""
    return hashlib.sha256("\x1f".join(parts).encode()).hexdigest()[:32]


def part_hash(claim: Claim, part: Part, words: str) -> str:
    """Return the hash of a part: its words, its pins, its evidence, and the relations it says."""
    import sympy

    relations = []
    for name in part.says:
        relation = claim.relations[name]
        sides = ";".join(canonical(sympy.sympify(side)) for side in relation.sides)
        relations.append(f"{name}={sides}|{relation.operators}|{relation.every}|{relation.under}")
    pins = [f"{text}={evidence}" for text, evidence in sorted(part.pins.items())]
    return hash_of(words, *pins, *relations, *part.evidence)


def pins_file(paper: str) -> Path | None:
    """Return the file with the hashes of a paper, or None where there is no such paper."""
    from theory.index import read_index

    root = read_index().roots.get(paper)
    return None if root is None else root.folder / FILE


def kept(claim: Claim, file: Path | None = None) -> Pins:
    """Return the hashes that are kept of a claim."""
    path = file or pins_file(claim.paper.name)
    if path is None or not path.is_file():
        return {}
    found = json.loads(path.read_text(encoding="utf-8")).get(claim.id, {})
    return {str(key): str(value) for key, value in found.items()}


def write(file: Path, found: Mapping[str, Pins]) -> list[str]:
    """Write the hashes of claims into a file, others stay; return the ids whose hashes changed."""
    with file.open("a+", encoding="utf-8") as stream:
        fcntl.flock(stream, fcntl.LOCK_EX)
        stream.seek(0)
        text = stream.read()
        before = json.loads(text) if text.strip() else {}
        after = {**before, **{key: dict(value) for key, value in found.items()}}
        stream.truncate(0)
        stream.write(json.dumps(dict(sorted(after.items())), indent=1) + "\n")
    return [key for key in found if before.get(key) != after[key]]
