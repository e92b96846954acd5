"""Write what records say to a file that `tests/verify/test_frozen_records.py` compares.

    python tools/freeze.py QUICK_FOLDER FULL_FOLDER > tests/frozen/records.jsonl

One line for each record: profile, key, seed, verdict, bound and value. A change of a line is a decision that
the commit explains.
"""

import json
import sys

from verify.records.folder import RecordFolder


def lines(folder: str, profile: str) -> list[str]:
    """Return the sorted lines of one folder."""
    found = []
    for record in RecordFolder(folder).records():
        key = "/".join((record["claim"], record["rung"], record["instance"]))
        row = [profile, key, record["seed"], record["verdict"], record["bound"], record["value"]]
        found.append(json.dumps(row, separators=(",", ":")))
    return sorted(found)


if __name__ == "__main__":
    for folder, profile in zip(sys.argv[1:3], ("quick", "full"), strict=True):
        print("\n".join(lines(folder, profile)))
