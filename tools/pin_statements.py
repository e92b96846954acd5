"""Pin the words of statements after they were read against their evidence: `theory/PAPER/pins.json`.

    tools/pin_statements.py [PATTERN ...]

Hashes of the words, the pins and the relations of each part are written; formulas are checked, not pinned.
A claim whose mathematics is not tied to its formulas is refused.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import theory
from theory.claim import Claim
from verify.statements import check, hashes, pins_file
from verify.statements.pins import write


def main(patterns: list[str]) -> int:
    """Pin the claims that match and say which changed."""
    refused = 0
    for pattern in patterns or ["*"]:
        for claim in theory.claims(pattern):
            if not isinstance(claim, Claim):
                continue
            found = hashes(claim)
            problems = check(claim, found)
            for problem in problems:
                print(problem)
            file = pins_file(claim.paper.name)
            if problems or file is None:
                refused += 1
                print(f"{claim.id}: not pinned")
            elif write(file, {claim.id: found}):
                print(f"{claim.id}: pinned")
    return 1 if refused else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
