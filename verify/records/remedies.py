"""The command that makes records again, into the folder in which they were looked for."""

import shlex
from collections.abc import Sequence
from pathlib import Path

from verify.records.folder import DEFAULT_FOLDER

_NAMED = 3
"""Files that are named in one message; there may be thousands after a change of the schema."""


def verify_command(folder: str | Path = DEFAULT_FOLDER, claim_id: str = "") -> str:
    """Return the command for one claim, for all where none is given; a default folder is not named."""
    words = ["boundcheck", "verify", *([claim_id] if claim_id else [])]
    if Path(folder).absolute() != Path(DEFAULT_FOLDER).absolute():
        words += ["--out", str(folder)]
    return shlex.join(words)


def some_of(damaged: Sequence[str], most: int = _NAMED) -> list[str]:
    """Return what is wrong with the first of the files that cannot be used, and how many others there are."""
    others = len(damaged) - most
    more = f"{others} more record files cannot be used" if others > 1 else "1 more record file cannot be used"
    return [*damaged[:most], *([more] if others > 0 else [])]
