"""Under what conditions checks are made, as somebody last read them: `theory/PAPER/conditions.json`.

A check that is kept for another profile, or for data that are not here, is not missed, and a case can be
judged more mildly without another bound: by fewer replicates, a wider tolerance, a smaller budget. So this is
held against the file, also of checks that do not run. `boundcheck pin --comparisons` writes it.
"""

import hashlib
import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from verify.records import pinned
from verify.records.claim_files import text_sha256
from verify.records.folder import Record
from verify.records.pinned import kept_in, pins_in, text_of
from verify.records.remedies import package_option

FILE = "conditions.json"
TEXT = "text"
"""Place of the hash of the checks of a claim, beside the checks themselves."""
CLOSE = 1e-6
"""How far numbers of settings may be off, relative to the pinned ones: round-off on another machine."""

Conditions = Mapping[str, Mapping[str, Any]]
"""Check (RUNG/INSTANCE) to its conditions by name; a setting of its case has its own name."""


def conditions_of(claim: Any, records: Sequence[Record]) -> Conditions:
    """Return the conditions of all checks of a claim; settings of cases stand in their records."""
    from verify.binding import checks_of

    settings = {f"{item['rung']}/{item['instance']}": item.get("settings", {}) for item in records}
    text = text_sha256(claim)
    found: dict[str, dict[str, Any]] = {TEXT: {"hash": text}} if text else {}
    for check in checks_of(claim):
        if check.rung == "symbolic":
            continue
        key = f"{check.rung}/{check.instance}"
        kind = "" if check.authored is None else check.authored.kind
        declared: Mapping[str, Any] = {"kind": kind, "profile": check.profile, "needs": check.needs}
        own = {name: value for name, value in declared.items() if value not in ("", "quick", check.rung)}
        own["parameters"] = _digest(check.parameters)
        found[key] = own | _rounded(settings.get(key, {}))
    return found


def _digest(parameters: Mapping[str, Any]) -> str:
    from verify.outcome import json_ready

    text = json.dumps(_rounded(json_ready(parameters)), sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _rounded(value: Any) -> Any:
    """Return a JSON value with nine digits of each number."""
    if isinstance(value, Mapping):
        return {name: _rounded(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_rounded(item) for item in value]
    return float(f"{value:.9g}") if isinstance(value, float) and math.isfinite(value) else value


def differences(claim: Any, records: Sequence[Record], under: Conditions) -> Iterator[tuple[str, str]]:
    """Yield each check whose conditions are not the pinned ones, as its key, and what is wrong."""
    from verify.binding import checks_of

    run = _keys(item for item in records if item["labels"] and "settings" in item)
    found = conditions_of(claim, records)
    optional = {
        f"{check.rung}/{check.instance}"
        for check in checks_of(claim)
        if check.profile == "full" or check.needs
    }
    again = f"read it, then `boundcheck pin --comparisons quick {claim.id}{package_option(claim.id)}`"
    for key in {**under, **found}:
        old = under.get(key)
        # Pinned without having run: in the quick profile, or without the data.
        unknown = key in optional and old is not None and set(old) <= set(DECLARED)
        told = _told(found.get(key), old, key in run and not unknown)
        if told and key == TEXT:
            told = f"the text of the checks is not {'the pinned one' if old else 'pinned'}"
        elif told:
            told = f"check {key} {told}"
        if told:
            yield key, f"{told}; {again}"


def _keys(records: Iterable[Record]) -> set[str]:
    return {f"{item['rung']}/{item['instance']}" for item in records}


DECLARED = ("kind", "profile", "needs", "parameters", "hash")


def _told(new: Mapping[str, Any] | None, old: Mapping[str, Any] | None, ran: bool) -> str:
    if new is None or old is None:
        return "is gone" if new is None else "is not pinned"
    for name in dict.fromkeys((*old, *new) if ran else DECLARED):
        if not _same(new.get(name), old.get(name)):
            return f"has {name} {_shown(new.get(name), name)}, pinned is {_shown(old.get(name), name)}"
    return ""


def _shown(value: Any, name: str) -> str:
    return {"profile": "quick", "needs": "no data"}.get(name, "none") if value is None else str(value)


def _same(new: Any, old: Any) -> bool:
    if isinstance(new, float) and isinstance(old, float):
        return abs(new - old) <= CLOSE * max(abs(new), abs(old))
    if isinstance(new, list) and isinstance(old, list):
        return len(new) == len(old) and all(map(_same, new, old))
    if isinstance(new, Mapping) and isinstance(old, Mapping):
        return new.keys() == old.keys() and all(_same(new[name], old[name]) for name in new)
    return bool(new == old)


def file_of(paper: str) -> Path | None:
    """Return the file of a paper, None where there is no such paper."""
    from theory.reading.index import read_index

    root = read_index().roots.get(paper)
    return None if root is None else root.folder / FILE


def kept(claim: Any) -> Conditions | None:
    """Return what is pinned of a claim, None where its paper pins neither comparisons nor conditions."""
    found: Conditions | None = kept_in(file_of(claim.paper.name), claim.id)
    return {} if found is None and pinned.kept(claim) is not None else found


def write(file: Path, claim: Any, found: Conditions, records: Sequence[Record] = ()) -> bool:
    """Write the conditions of a claim, one line for each check; return whether they changed.

    Args:
        file: The file of its paper.
        claim: The claim.
        found: Its conditions.
        records: What ran: settings of other cases stay as they are in the file.
    """
    ran = _keys(records)
    before = pins_in(file) if file.is_file() else {}
    old = before.get(claim.id, {})
    settings = {
        key: {name: item for name, item in conditions.items() if name not in DECLARED}
        for key, conditions in old.items()
    }
    whole = {key: {**({} if key in ran else settings.get(key, {})), **new} for key, new in found.items()}
    after = dict(sorted({**before, claim.id: dict(sorted(whole.items()))}.items()))
    file.write_text(text_of(after, 2) + "\n", encoding="utf-8")
    return bool(before != after)
