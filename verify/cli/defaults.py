"""Defaults of options from `[tool.boundcheck]` in the pyproject.toml of the working folder or one above it.

What the command line says counts first, then this file; for the folder of data the environment comes between.
"""

import os
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any

READ_RECORDS = ("verify", "list", "show", "cite", "replay")
"""Verbs whose `--out` is the folder of records."""

_LARGEST_SEED = 2**63 - 1
KEYS = {
    "profile": "'quick' or 'full'",
    "seed": "an integer from 0 to 2**63 - 1",
    "folder": "the path of the folder of records",
    "jobs": "a positive number of processes, or -1 for all cores",
    "data": "the path of the folder of LIBSVM files",
}


def defaults(start: Path | None = None) -> dict[str, dict[str, Any]]:
    """Return default values by verb and option, and set `BOUNDCHECK_DATA` where it is not set and `data` is.

    Args:
        start: Where to look for pyproject.toml first, then above it; the working folder where it is None.

    Raises:
        UsageError: The file cannot be read or is not valid TOML, or the table has an unknown key or a value
            that cannot be; all problems in one message.
    """
    file = _nearest(start or Path.cwd())
    if file is None:
        return {}
    table = _table(file)
    if not table:
        return {}
    found: dict[str, dict[str, Any]] = {verb: {} for verb in READ_RECORDS}
    found["verify"] |= {name: table[name] for name in ("profile", "seed", "jobs") if name in table}
    if "folder" in table:
        for verb in READ_RECORDS:
            found[verb]["out"] = str(file.parent / table["folder"])
        for verb in ("report", "badge", "export"):
            found[verb] = {"records": str(file.parent / table["folder"])}
    if "data" in table:
        os.environ.setdefault("BOUNDCHECK_DATA", str(file.parent / table["data"]))
    return found


def _nearest(folder: Path) -> Path | None:
    for place in (folder, *folder.parents):
        if (place / "pyproject.toml").is_file():
            return place / "pyproject.toml"
    return None


def _table(file: Path) -> Mapping[str, Any]:
    import tomllib

    from verify.errors import UsageError

    try:
        tools = tomllib.loads(file.read_bytes().decode("utf-8")).get("tool", {})
    except OSError as error:
        raise UsageError(f"{file} cannot be read: {error.strerror or error}") from error
    except ValueError as error:  # bytes that are no UTF-8, or no TOML
        raise UsageError(f"{file} is not valid TOML: {error}; mend it, or work in another folder") from error
    table = tools.get("boundcheck", {}) if isinstance(tools, dict) else {}
    if not isinstance(table, dict):
        raise UsageError(f"boundcheck={table!r} in {file} must be a table, [tool.boundcheck]")
    problems = list(_problems(table))
    if problems:
        raise UsageError(f"[tool.boundcheck] in {file}: {'; '.join(problems)}")
    return dict(table)


def _problems(table: Mapping[str, Any]) -> Iterator[str]:
    for name, value in table.items():
        if name not in KEYS:
            near = get_close_matches(name, KEYS, n=1)
            hint = f"did you mean {near[0]}?" if near else f"keys are {', '.join(KEYS)}"
            yield f"unknown key {name!r}; {hint}"
        elif not _fits(name, value):
            yield f"{name}={value!r} must be {KEYS[name]}"


def _fits(name: str, value: Any) -> bool:
    if name in ("folder", "data"):
        return isinstance(value, str) and bool(value)
    if name == "profile":
        return value in ("quick", "full")
    if isinstance(value, bool) or not isinstance(value, int):
        return False
    return 0 <= value <= _LARGEST_SEED if name == "seed" else value == -1 or value > 0
