"""Make every edit of the comparisons of claims, and print those that `verify` does not notice.

tools/mutate_comparisons.py [PATTERN ...]
"""

import sys
from collections import Counter

from verify.authoring.mutator import Mutator
from verify.running.selection import select


def main(patterns: list[str]) -> int:
    """Print survivors and the number of edits and survivors by kind; return whether any survived."""
    made, lost = Counter[str](), Counter[str]()
    for claim in select(patterns).claims:
        mutator = Mutator(claim)
        for function in mutator.functions():
            for edit in mutator.edits(function):
                made[edit.kind] += 1
                if not mutator.notices(edit):
                    lost[edit.kind] += 1
                    print(f"{claim.id} {edit}", flush=True)
    for kind in made:
        print(f"{kind}: {made[kind]} edits, {lost[kind]} not noticed")
    print(f"all: {made.total()} edits, {lost.total()} not noticed")
    return lost.total() > 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:] or ["squant/*"]))
