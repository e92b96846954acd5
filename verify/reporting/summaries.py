"""Verdicts for `list`: one small file per claim beside the records, read without loading the claim.

A summary counts while the record files are those from which it was made, and the pins and the judge are the
same; else it is made again.
"""

import contextlib
import functools
import hashlib
import json
import os
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from verify.judging.verdicts import ClaimResult
    from verify.records.folder import RecordFolder

SCHEMA = "boundcheck-summary-2"


@dataclass(frozen=True)
class Summary:
    """What is listed about a claim that was judged.

    Args:
        verdict: Verdict of the claim, `not_run` where it has no record.
        grade: Its grade.
        parts: Verdict by part.
        stale: Whether sources have changed since.
        made: Whether there is any record.
        undecided: How many checks did not run or did not decide.
        damaged: What is wrong with record files that cannot be used.
    """

    verdict: str
    grade: str | None
    parts: dict[str, str]
    stale: bool
    made: bool = True
    undecided: int = 0
    damaged: tuple[str, ...] = ()


NOT_RUN = Summary("not_run", None, {}, False, made=False)


def summary_path(folder: Path, claim_id: str) -> Path:
    """Return the file of a claim."""
    return folder / "summaries" / f"{claim_id}.cache"


def write_summary(folder: "RecordFolder", result: "ClaimResult", profile: str) -> None:
    """Write what `list` says about a claim, if its records are all the records that there are of it.

    A folder that cannot be written is no error: `list` then asks the records themselves.
    """
    claim_id = result.claim.id
    paths = {folder.path(item["claim"], item["rung"], item["instance"]) for item in result.records}
    if not paths or paths != set(folder.paths(claim_id)):
        return
    document = {
        "schema": SCHEMA,
        "claim": claim_id,
        "profile": profile,
        "verdict": result.verdict,
        "grade": result.grade,
        "parts": _parts(result),
        "undecided": len(result.undecided),
        "judge": judge_sha256(claim_id),
        "sources": sorted({item["source_sha256"] for item in result.records}),
        "files": _files(folder.folder, claim_id),
        "data": _data(),
    }
    with contextlib.suppress(OSError):
        write_atomically(summary_path(folder.folder, claim_id), json.dumps(document, indent=1) + "\n")


def summarised(claim_id: str, out: str | Path, hashed: Callable[[str], str] | None = None) -> Summary:
    """Return what is listed about a claim; it is loaded only where its summary is missing or too old.

    Args:
        claim_id: The claim.
        out: Folder of the records.
        hashed: Returns the hash of the sources of a claim; `source_sha256` where it is None.
    """
    folder = Path(out)
    files = _files(folder, claim_id)
    if not files:
        return NOT_RUN
    found = _read(summary_path(folder, claim_id))
    judge = judge_sha256(claim_id)
    if found is None or (found["files"], found["data"], found["judge"]) != (files, _data(), judge):
        return _made_again(claim_id, folder)
    from verify.records.sources import source_sha256

    stale = found["sources"] != [(hashed or source_sha256)(claim_id)]
    return Summary(found["verdict"], found["grade"], found["parts"], stale, undecided=found["undecided"])


def carried(claim_id: str, folder: Path) -> dict[str, Any] | None:
    """Return the summary in a folder that was copied, whose files have other times but the same sizes.

    What the records say is for the caller to check: each carries the digest of its content.
    """
    found = _read(summary_path(folder, claim_id))
    sizes = {name: size for name, (_, size) in _files(folder, claim_id).items()}
    if found is None or sizes != {name: size for name, (_, size) in found["files"].items()}:
        return None
    return found


def _made_again(claim_id: str, folder: Path) -> Summary:
    """Ask the records, and write down what they say."""
    from verify.records.folder import RecordFolder
    from verify.records.recorded import recorded_results

    (recorded,) = recorded_results(claim_id, folder)
    result = recorded.result
    write_summary(RecordFolder(folder), result, "")
    damaged = tuple(recorded.damaged.values())
    if not result.records:
        return replace(NOT_RUN, damaged=damaged)
    undecided = len(result.undecided)
    return Summary(
        result.verdict,
        result.grade,
        _parts(result),
        recorded.stale,
        undecided=undecided,
        damaged=damaged,
    )


def _parts(result: "ClaimResult") -> dict[str, str]:
    parts: Any = getattr(result, "parts", ())
    return {part.label: part.verdict for part in parts}


def judge_sha256(claim_id: str) -> str:
    """Return the hash of what makes a verdict of records: the judge's own files, and the pins of a claim."""
    from theory.reading.index import read_index

    root = read_index().roots.get(claim_id.partition("/")[0])
    digest = hashlib.sha256(_judge())
    for file in [] if root is None else sorted(root.folder.glob("*.json")):
        own = _pins(file, file.stat().st_mtime_ns).get(claim_id, {})
        digest.update(json.dumps(own, sort_keys=True).encode())
    return digest.hexdigest()


@functools.cache
def _judge() -> bytes:
    home = Path(__file__).resolve().parents[1]
    files = [home / name for name in ("outcome.py", "errors.py")]
    for folder in ("judging", "records", "running", "statements"):
        files += sorted((home / folder).glob("*.py"))
    digest = hashlib.sha256()
    for file in files:
        digest.update(hashlib.sha256(file.read_bytes()).digest())
    return digest.digest()


@functools.cache
def _pins(file: Path, _time: int) -> dict[str, Any]:
    try:
        found: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}  # what is damaged is told where it is judged


def _data() -> bool:
    """Return whether checks on data beyond the embedded set are planned."""
    return bool(os.environ.get("BOUNDCHECK_DATA"))


def _files(folder: Path, claim_id: str) -> dict[str, list[int]]:
    """Return time and size of each record file of a claim."""
    found: dict[str, list[int]] = {}
    with contextlib.suppress(OSError), os.scandir(folder / "records" / claim_id) as items:
        for item in items:
            if item.name.endswith(".json") and not item.name.startswith("."):
                state = item.stat()
                found[item.name] = [state.st_mtime_ns, state.st_size]
    return dict(sorted(found.items()))


def _read(path: Path) -> dict[str, Any] | None:
    try:
        found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    usable = isinstance(found, dict) and found.get("schema") == SCHEMA
    names = ("verdict", "grade", "parts", "undecided", "judge", "sources", "files", "data")
    return found if usable and all(name in found for name in names) else None


def write_atomically(path: Path, text: str) -> None:
    """Write a file so that a reader sees the old one or the whole new one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".", suffix=".part")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(temporary, path)
    except BaseException:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(temporary)
        raise
