"""Commands that messages name: they work as they are copied, for papers of other people, too."""

import re
import shlex
from collections.abc import Sequence
from pathlib import Path

from verify.records.folder import DEFAULT_FOLDER

_NAMED = 3
"""Files that are named in one message; there may be thousands after a change of the schema."""


def package_option(claim_id: str) -> str:
    """Return ` --claims PACKAGE` where the claim is of a package that was named by hand, else nothing."""
    from theory.reading.index import read_index
    from theory.reading.roots import used

    root = read_index().roots.get(claim_id.partition("/")[0])
    package = "" if root is None or root.package is None else root.claims.removesuffix(".theory")
    return f" --claims {package}" if package in used() else ""


def with_package(text: str, claim_id: str) -> str:
    """Return a message with that option behind every command of ours that ends with the claim."""
    option = package_option(claim_id)
    command = (
        rf"(boundcheck (?:pin|prove|verify|show|cite)(?: --?[a-z]\S*| quick| full)* {re.escape(claim_id)})"
    )
    return (
        re.sub(rf"{command}(?![\w/-]| --claims)", lambda found: found[1] + option, text) if option else text
    )


def verify_command(folder: str | Path = DEFAULT_FOLDER, claim_id: str = "") -> str:
    """Return the command for one claim, for all where none is given; a default folder is not named."""
    words = ["boundcheck", "verify", *([claim_id] if claim_id else [])]
    if Path(folder).absolute() != Path(DEFAULT_FOLDER).absolute():
        words += ["--out", str(folder)]
    return shlex.join(words) + package_option(claim_id)


def some_of(damaged: Sequence[str], most: int = _NAMED) -> list[str]:
    """Return what is wrong with the first of the files that cannot be used, and how many others there are."""
    others = len(damaged) - most
    more = f"{others} more record files cannot be used" if others > 1 else "1 more record file cannot be used"
    return [*damaged[:most], *([more] if others > 0 else [])]
