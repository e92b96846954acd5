"""What is wrong with the texts of claims, kept beside the records, since reading texts takes longer.

`verify` reads every text again, but for `--resume`. What is kept counts for a claim as it stands in its file,
while its sources, those of the reader, the hashes of its words and sympy are the same; an edited file is read
for nothing, as an edited record is.
"""

import contextlib
import hashlib
import json
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import theory
from theory.reading.index import read_index
from verify.judging import parts
from verify.records.remedies import with_package
from verify.records.sources import Moment
from verify.reporting.summaries import write_atomically
from verify.statements.pins import pins_file
from verify.statements.said import Problem
from verify.version import installed

READER = "verify.statements.ties"


def texts_path(folder: Path, claim_id: str) -> Path:
    """Return the file of a claim."""
    return folder / "texts" / f"{claim_id}.cache"


def text_problems(
    claim: Any,
    folder: Path,
    *,
    anew: bool = False,
    found: list[Problem] | None = None,
    before: str | None = None,
    moment: Moment | None = None,
) -> list[Any]:
    """Return what is wrong with the texts of a claim, and keep it.

    A folder that cannot be written is no error: the texts are then read again.

    Args:
        claim: The claim.
        folder: Folder of the records.
        anew: Read the texts whatever is kept.
        found: What is wrong with them, where it was found just now; then they are not read.
        before: What `basis_of` said when the claim was loaded; what was edited since is not kept.
        moment: As of `basis_of`.
    """
    basis, path = basis_of(claim, moment), texts_path(folder, claim.id)
    if before is not None and before != basis:
        basis = None
    kept = None if anew or basis is None or found is not None else _read(path, basis)
    if kept is not None:
        return _told(kept)
    if found is None:
        found = parts.tie_problems(claim)
    if basis is not None and (folder / "records").is_dir():
        document = sealed(basis, [asdict(problem) for problem in found])
        with contextlib.suppress(OSError):
            write_atomically(path, json.dumps(document, indent=1) + "\n")
    return _told(found)


def sealed(basis: str, problems: list[dict[str, Any]]) -> dict[str, Any]:
    """Return what is kept of the problems of a claim, with a digest, so that an edit is noticed."""
    text = json.dumps([basis, problems])
    return {"basis": basis, "problems": problems, "digest": hashlib.sha256(text.encode()).hexdigest()}


def _told(found: list[Problem]) -> list[Problem]:
    """Return problems with remedies that work as they are copied; what is kept does not depend on options."""
    return [replace(item, message=with_package(item.message, item.claim)) for item in found]


def _read(path: Path, basis: str) -> list[Problem] | None:
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
        problems = document["problems"]
        return [Problem(**item) for item in problems] if document == sealed(basis, problems) else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


def basis_of(claim: Any, moment: Moment | None = None) -> str | None:
    """Return the hash of what the problems of a claim rest on, None where it is not as its file has it.

    Args:
        claim: The claim.
        moment: When the files are looked at, for many claims at once; by default now.
    """
    entry = read_index().entries.get(claim.id)
    if entry is None or theory.claim(claim.id) is not claim:
        return None
    pins = pins_file(claim.paper.name)
    digest = hashlib.sha256((moment or Moment()).modules_sha256((entry.module, READER)).encode())
    digest.update(pins.read_bytes() if pins is not None and pins.is_file() else b"")
    digest.update(installed("sympy").encode())
    return digest.hexdigest()
