"""Hashes of what no formula says: words, pins and what they rest on. `theory/PAPER/pins.json` keeps them."""

from __future__ import annotations

import fcntl
import hashlib
import json
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from verify.statements.slots import SLOT, slot_value

if TYPE_CHECKING:
    from theory.claim import Claim, Part, Relation

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


def relation_text(name: str, relation: Relation) -> str:
    """Return a relation as a text that does not depend on the run."""
    import sympy

    sides = ";".join(canonical(sympy.sympify(side)) for side in relation.sides)
    return f"{name}={sides}|{relation.operators}|{relation.every}|{relation.under}"


def part_hash(claim: Claim, part: Part, words: str, relations: Mapping[str, str]) -> str:
    """Return the hash of a part: its words, its pins, its evidence, its relations, and values of slots.

    Args:
        claim: The claim.
        part: The part.
        words: Its words.
        relations: Texts of the relations that it says, by name.
    """
    pins = [f"{text}={evidence}" for text, evidence in sorted(part.pins.items())]
    said = [relations[name] for name in part.says]
    return hash_of(words, *pins, *said, *part.evidence, *slot_texts(claim, part.text))


def labels_hash(claim: Claim) -> str:
    """Return the hash of what is told beside the parts: title, kind, paper, symbols, worst cases."""
    header = (claim.title, claim.kind, claim.provenance, f"measured={claim.measured}")
    variables = [
        repr((str(item.symbol), item.tex, item.domain, item.meaning, item.shape, item.first, item.aliases))
        for item in claim.variables
    ]
    names = [f"{name}={meaning}" for name, meaning in sorted(claim.notation.items())]
    ranges = [f"{name}={low}..{high}" for name, (low, high) in sorted(claim.ranges.items())]
    cases = [
        repr((item.description, [(name, str(value)) for name, value in item.values.items()], str(item.value)))
        for item in claim.worst_cases
    ]
    paper = [f"{item.name}={getattr(claim.paper, item.name)!r}" for item in fields(claim.paper)]
    public = [repr(item) for item in claim.public]
    formulas = [f"{name}={_formula_text(item)}" for name, item in sorted(claim.formulas.items())]
    internal = [f"{name}: {reason}" for name, reason in sorted(claim.internal.items())]
    told = {
        "variables": variables,
        "notation": names,
        "ranges": ranges,
        "cases": cases,
        "paper": paper,
        "public": public,
        "formulas": formulas,
        "internal": internal,
    }
    return hash_of(*header, *(line for name, lines in told.items() for line in (name, *lines)))


def _formula_text(formula: Any) -> str:
    """Return a formula, or what is made of several, as a text that does not depend on the run."""
    if isinstance(formula, tuple | list):
        return ",".join(map(_formula_text, formula))
    if is_dataclass(formula):
        return ";".join(_formula_text(getattr(formula, item.name)) for item in fields(formula))
    return canonical(formula) if hasattr(formula, "is_Atom") else repr(formula)


def texts_hash(claim: Claim) -> str:
    """Return the hash of all texts as they are written, formulas included.

    The other hashes let a formula be written in another way, which is seen by evaluating it.
    """
    words = [item.words for item in claim.hypotheses.values()]
    parts = [part.text for part in claim.parts]
    return hash_of(*(" ".join(text.split()) for text in (claim.setting, *words, *parts)))


def slot_texts(claim: Claim, text: str) -> list[str]:
    """Return the value slots of a text, each with its exact value; `check` says which cannot be read."""
    found = []
    for match in SLOT.finditer(text):
        try:
            value, _ = slot_value(claim, match.group())
        except (ValueError, LookupError, TypeError):
            continue
        found.append(f"{match.group()}={canonical(value)}")
    return found


def pins_file(paper: str) -> Path | None:
    """Return the file with the hashes of a paper, or None where there is no such paper."""
    from theory.reading.index import read_index

    root = read_index().roots.get(paper)
    return None if root is None else root.folder / FILE


def kept(claim: Claim, file: Path | None = None) -> Pins:
    """Return the hashes that are kept of a claim."""
    path = file or pins_file(claim.paper.name)
    if path is None or not path.is_file():
        return {}
    found = _read(path, path.read_bytes()).get(claim.id, {})
    return {str(key): str(value) for key, value in found.items()}


def _read(file: Path, content: bytes) -> dict[str, Any]:
    """Return the hashes of all claims in a file.

    Raises:
        UsageError: The file is damaged.
    """
    from verify.errors import UsageError

    try:
        found: Any = json.loads(content.decode("utf-8"))
        why = "it is no object of objects"
    except ValueError as error:
        found, why = None, str(error)
    if not isinstance(found, dict) or not all(isinstance(item, dict) for item in found.values()):
        raise UsageError(
            f"{file} is damaged ({why}); take it from version control, or remove it, read the statements "
            "again and `boundcheck pin` them"
        )
    return found


def write(file: Path, found: Mapping[str, Pins]) -> list[str]:
    """Write the hashes of claims into a file, others stay; return the ids whose hashes changed.

    Raises:
        UsageError: The file is damaged; it stays as it is.
    """
    with file.open("ab+") as stream:
        fcntl.flock(stream, fcntl.LOCK_EX)
        stream.seek(0)
        content = stream.read()
        before = _read(file, content) if content.strip() else {}
        after = {**before, **{key: dict(value) for key, value in found.items()}}
        stream.truncate(0)
        stream.write((json.dumps(dict(sorted(after.items())), indent=1) + "\n").encode())
    return [key for key in found if before.get(key) != after[key]]
