"""Check CITATION.cff: well formed, complete, and of the same version and licence as pyproject.toml."""

from __future__ import annotations

import datetime
import sys
import tomllib
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parent.parent
REQUIRED = {
    "cff-version",
    "title",
    "message",
    "type",
    "authors",
    "version",
    "date-released",
    "license",
    "references",
}


def find_problems(citation: Any, project: dict[str, Any], today: datetime.date) -> list[str]:
    """Return one sentence for each thing that is wrong with the citation."""
    if not isinstance(citation, dict):
        return ["it is not a mapping of fields to values"]
    problems = [f"the field {name!r} is missing" for name in sorted(REQUIRED - citation.keys())]
    # Only what is there can be compared: a missing field has been reported already.
    expected = {"cff-version": "1.2.0", "type": "software"} | {
        name: project[name] for name in ("version", "license")
    }
    for name, value in expected.items():
        if name in citation and citation[name] != value:
            problems.append(f"{name} is {citation[name]!r} and must be {value!r}")
    if "date-released" in citation:
        date = citation["date-released"]
        if not isinstance(date, datetime.date) or isinstance(date, datetime.datetime):
            problems.append(f"date-released is {date!r} and must be a date YYYY-MM-DD")
        elif date > today + datetime.timedelta(days=1):  # a day of grace for time zones
            problems.append(f"date-released is {date}, in the future")
    if "authors" in citation:
        problems += _find_author_problems(citation["authors"], "the software")
    references = citation.get("references", [])
    if not isinstance(references, list):
        return [*problems, "references must be a list"]
    for number, reference in enumerate(references, start=1):
        where = f"reference {number}"
        if not isinstance(reference, dict):
            problems.append(f"{where} is not a mapping of fields to values")
            continue
        missing = [name for name in ("type", "title", "authors", "year") if name not in reference]
        problems += [f"{where} lacks the field {name!r}" for name in missing]
        if "authors" in reference:
            problems += _find_author_problems(reference["authors"], where)
    return problems


def _find_author_problems(authors: Any, where: str) -> list[str]:
    if not isinstance(authors, list) or not authors:
        return [f"{where} has no list of authors"]
    return [
        f"author {number} of {where} has neither name nor family-names"
        for number, author in enumerate(authors, start=1)
        if not isinstance(author, dict) or not (author.get("name") or author.get("family-names"))
    ]


def main() -> int:
    """Print what is wrong; return 1 if anything is."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    try:
        citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    except (OSError, ValueError, yaml.YAMLError) as error:
        problems = [f"it cannot be read: {error}"]
    else:
        problems = find_problems(citation, project, datetime.datetime.now(datetime.UTC).date())
    for problem in problems:
        print(f"CITATION.cff: {problem}", file=sys.stderr)
    if not problems:
        print(f"CITATION.cff: version {project['version']}, in step with pyproject.toml")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
