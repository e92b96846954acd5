"""The head of a claim file, `CLAIM = Claim(id="...", kind="...", ...`, read without running the file."""

import ast
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from theory.claim import KINDS, PROVENANCES
from theory.errors import ClaimFileError

FIELDS = ("id", "kind", "provenance", "title", "position")
"""Literals at the head of a claim."""

_STATES = re.compile(r"^CLAIM\s*[:=]", re.MULTILINE)
_CLAIM = re.compile(r"^CLAIM(?::\s*\w+)?\s*=\s*Claim\($", re.MULTILINE)
_OTHER = re.compile(r"^(?!CLAIM\b)(\w+)(?::[^=\n]+)?\s*=\s*(?:\w+\.)*Claim\(", re.MULTILINE)
_PAPER = re.compile(r"^PAPER(?::\s*\w+)?\s*=\s*Paper\(", re.MULTILINE)
_KEYWORD = re.compile(r"^    (\w+)=", re.MULTILINE)


def read_text(path: Path, where: str) -> str:
    """Return the text of a file.

    Raises:
        ClaimFileError: It is not readable, or not UTF-8.
    """
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ClaimFileError(f"{where}: cannot be read ({error})") from error


def is_claim(text: str) -> bool:
    """Return whether a file states a claim, well or not: `CLAIM` is assigned to at the start of a line."""
    return "\nCLAIM" in text and _STATES.search(text) is not None


def check_no_other_name(text: str, where: str) -> None:
    """Refuse a file whose claim has another name, so that it is not passed over.

    Raises:
        ClaimFileError: So it is; the message names it.
    """
    for other in _OTHER.finditer(text) if "Claim(" in text else ():
        line = text.count("\n", 0, other.start()) + 1
        if _is_statement(text, line):
            told = f"{other[1]} = Claim( must be CLAIM = Claim(; rename it"
            raise ClaimFileError(f"{where}: line {line}: {told}")


def _is_statement(text: str, line: int) -> bool:
    """Return whether a statement of the module begins in a line, which is no line of a long string then."""
    try:
        return any(node.lineno == line for node in ast.parse(text).body)
    except (SyntaxError, ValueError):
        return True


def claim_header(text: str, where: str, paper: str) -> Mapping[str, Any]:
    """Return the literals at the head of the claim in a file, checked.

    Args:
        text: The file.
        where: Its name in messages.
        paper: Short name of the paper, with which the id must begin.

    Raises:
        ClaimFileError: A field is missing or wrong; the message names it.
    """
    start = _CLAIM.search(text)
    if start is None:
        raise ClaimFileError(f"{where}: CLAIM = Claim( must stand on a line of its own")
    line = text.count("\n", 0, start.end())
    found = _literals(text[start.end() :], where, "CLAIM", (*FIELDS, "paper"), line)
    for name in FIELDS:
        if name not in found:
            raise ClaimFileError(f"{where}: {name}= must be a literal among the first keywords of CLAIM")
    for name in FIELDS[:-1]:
        if not isinstance(found[name], str) or not found[name]:
            raise ClaimFileError(f"{where}: {name}={found[name]!r} must be a text")
    position = found["position"]
    if isinstance(position, bool) or not isinstance(position, int | float):
        raise ClaimFileError(f"{where}: position={position!r} must be a number")
    if not found["id"].startswith(f"{paper}/"):
        raise _misnamed(
            found["id"],
            f"{where}: id={found['id']!r} must start with {paper + '/'!r}, as name= in paper.py; correct one "
            "of them",
        )
    slug = Path(where).stem.replace("_", "-")
    if found["id"] != f"{paper}/{slug}":
        raise _misnamed(
            found["id"], f"{where}: id={found['id']!r} must end with the name of the file, {slug!r}"
        )
    if found["kind"] not in KINDS:
        raise ClaimFileError(f"{where}: kind={found['kind']!r} must be one of {', '.join(KINDS)}")
    if found["provenance"] not in PROVENANCES:
        allowed = ", ".join(PROVENANCES)
        raise ClaimFileError(f"{where}: provenance={found['provenance']!r} must be one of {allowed}")
    return found


def _misnamed(stated: str, message: str) -> ClaimFileError:
    error = ClaimFileError(message)
    error.stated = stated
    return error


def paper_name(text: str, where: str) -> str:
    """Return the literal `name` of `PAPER = Paper(` in a file.

    Raises:
        ClaimFileError: There is none.
    """
    start = _PAPER.search(text)
    if start is None:
        raise ClaimFileError(f"{where}: PAPER = Paper( is missing")
    rest = text[start.end() :]
    match = re.match(r"\s*(?:name=)?([\"'])([A-Za-z]\w*)\1", rest)
    if match is None:
        raise ClaimFileError(f"{where}: name= must be a literal word, the first argument of PAPER")
    return match[2]


def _literals(rest: str, where: str, target: str, names: tuple[str, ...], line: int) -> dict[str, Any]:
    """Return the literal keywords at the beginning of the arguments `rest`, before which are `line` lines."""
    head = rest
    for keyword in _KEYWORD.finditer(rest):
        if keyword[1] not in names:
            head = rest[: keyword.start()]
            break
    else:
        head = rest.partition("\n)")[0]
    try:
        call = ast.parse(f"Claim({head.rstrip()}\n)", mode="eval").body
    except SyntaxError as error:
        told = f"line {line + (error.lineno or 1)}: the head of {target} does not parse ({error.msg})"
        raise ClaimFileError(f"{where}: {told}") from error
    except ValueError as error:
        raise ClaimFileError(f"{where}: the head of {target} does not parse ({error})") from error
    assert isinstance(call, ast.Call)
    found: dict[str, Any] = {}
    for item in call.keywords:
        if item.arg is None or item.arg == "paper":
            continue
        try:
            found[item.arg] = ast.literal_eval(item.value)
        except ValueError as error:
            raise ClaimFileError(f"{where}: {item.arg}= of {target} must be a literal") from error
    return found
