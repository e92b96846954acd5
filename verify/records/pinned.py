"""What the comparisons of a claim were when somebody last read them: `theory/PAPER/comparisons.json`.

A verdict does not show that comparisons became fewer or looser, or that they notice less; so they are held
against this file. `boundcheck pin --comparisons` writes it.
"""

import functools
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from verify.context import MASTER_SEED
from verify.errors import BUSY, UsageError
from verify.records.folder import Record
from verify.records.remedies import package_option

FILE = "comparisons.json"
CLOSE = {"exact": (1e-6, 1e-6), "montecarlo": (1e-2, 1e-6)}
"""How far means of value and bound may be off on another machine, relative to the larger; elsewhere 1%."""
TRAINED = 0.2
"""How far either side may be off, relative to itself, after trainings so long that round-off decides when an
accuracy is reached: pins of two days and a run without AVX2 differed by up to 12%. Constants are sides, too;
pins of the text hold them, as they hold formulas."""
SMALL = 1e-9
"""Means up to this size are pinned as 0."""

Row = Mapping[str, Any]
Rows = Mapping[str, Mapping[str, Row]]
"""Check (RUNG/INSTANCE) to label to row."""


def rows_of(claim: Any, records: Sequence[Record]) -> Rows:
    """Return what is pinned of records: relations, numbers, tolerances, means, and what they reject."""
    from verify.binding import mutants_of

    declared = {mutant.name for mutant in mutants_of(claim) if not mutant.slow}
    return {
        _key(record): {label: _row(item, declared) for label, item in record["labels"].items()}
        for record in records
        if record["rung"] != "symbolic"
    }


GENERATED = ("times 16/17", "times 17/16", "changed")
"""What generated mutants do to a formula."""


def generated_kind(name: str) -> str:
    """Return what a generated mutant does to a formula; its factor tells on which side the formula is."""
    factor = f"times {name.rpartition(' ')[2]}"
    return factor if factor in GENERATED and ":" not in name else "changed"


def _key(record: Record) -> str:
    return f"{record['rung']}/{record['instance']}"


def _row(item: Mapping[str, Any], declared: set[str]) -> Row:
    rejected = {name if name in declared else generated_kind(name) for name in item["rejected_by"]}
    row = {"relation": item["relation"], "tolerance": item["tolerance"], "rejects": sorted(rejected)}
    if "means" in item:
        row["count"] = item["count"]
    sides = item.get("means", (item["value"], item["bound"]))
    if None not in sides:
        row["means"] = [_rounded(side) for side in sides]
    return row


def _rounded(side: float) -> float:
    """Return nine digits of a mean; what is below `SMALL` may be all round-off."""
    return float(f"{side:.9g}") if abs(side) > SMALL else 0.0


def differences(claim: Any, records: Sequence[Record], kept: Rows) -> Iterator[tuple[str, str]]:
    """Yield RUNG/LABEL of each comparison that is not the pinned one, and what is wrong."""
    from verify.binding import checks_of

    found = rows_of(claim, records)
    by_key = {_key(record): record for record in records}
    # That they are left out as pinned is seen by `verify.records.conditions`.
    optional = {
        f"{check.rung}/{check.instance}": check.profile == "full" or bool(check.needs)
        for check in checks_of(claim)
    }
    trained = {
        f"{check.rung}/{check.instance}"
        for check in checks_of(claim)
        if check.authored is not None and check.authored.trained
    }
    for key in {**kept, **found}:
        rung = key.partition("/")[0]
        new, old = found.get(key, {}), kept.get(key, {})
        if (key not in found and key in optional) or (optional.get(key) and not new):
            continue  # left out by the profile, or for want of data
        if claim.measured and by_key.get(key, {}).get("reason", "").startswith(BUSY):
            continue  # nothing was measured, and the part that names it says so
        for label in {**old, **new}:
            told = _told(new.get(label), old.get(label), by_key.get(key, {}), key in trained)
            if told:
                profile = "full" if optional.get(key) else "quick"
                again = f"`boundcheck pin --comparisons {profile} {claim.id}{package_option(claim.id)}`"
                yield f"{rung}/{label}", f"at {key} {told}; read it, then {again}"


def _told(new: Row | None, old: Row | None, record: Record, trained: bool) -> str:
    if new is None or old is None:
        return "is gone" if new is None else "is not pinned"
    rung = record["rung"]
    own = record["seed"] == MASTER_SEED and record.get("tier", "numpy") == "numpy"
    same_streams = rung == "exact" or own
    for name in ("relation", "tolerance", "count") if same_streams else ("relation", "tolerance"):
        if new.get(name) != old.get(name):
            return f"has {name} {new.get(name)}, pinned is {old.get(name)}"
    # The full profile has more mutants of both kinds, and then does without some of those that are generated.
    tried = () if record["profile"] == "quick" else GENERATED
    lost = [name for name in old["rejects"] if name not in (*new["rejects"], *tried)]
    if same_streams and lost:
        return f"rejects no longer: {', '.join(lost)}"
    # Pins that somebody emptied would let the comparison notice less from then on. Changes in detail do not
    # tell: they are tried where nothing else fails, so far as there is room.
    told = [name for name in new["rejects"] if name != "changed"]
    if same_streams and record["profile"] == "quick" and told and not old["rejects"]:
        return f"is pinned as rejecting nothing, and rejects {', '.join(told)}"
    if same_streams and rung != "adversarial":  # the witness of a search depends on its budget
        pinned = old.get("means", ())
        largest = max(map(abs, pinned), default=0.0)
        sides = CLOSE.get(rung, (1e-2, 1e-2))
        for now, then, close in zip(new.get("means", ()), pinned, sides, strict=False):
            off = TRAINED * abs(then) if trained else close * largest
            if not abs(now - then) <= off + 10 * SMALL * (largest == 0):
                return f"compares {new['means']} on average, pinned is {pinned}"
    return ""


def file_of(paper: str) -> Path | None:
    """Return the file of a paper, None where there is no such paper."""
    from theory.reading.index import read_index

    root = read_index().roots.get(paper)
    return None if root is None else root.folder / FILE


def expected(claim: Any, key: str) -> Mapping[str, Sequence[str]] | None:
    """Return what is pinned as failing at the labels of a check, None where nothing is pinned.

    Args:
        claim: The claim.
        key: RUNG/INSTANCE.
    """
    rows = (kept(claim) or {}).get(key)
    return None if rows is None else {label: row["rejects"] for label, row in rows.items()}


def kept(claim: Any) -> Rows | None:
    """Return what is pinned of a claim, None where its paper pins no comparisons."""
    found: Rows | None = kept_in(file_of(claim.paper.name), claim.id)
    return found


def kept_in(file: Path | None, claim_id: str) -> Any:
    """Return what a file of pins has of a claim, `{}` where it has nothing; None where there is no file."""
    if file is None or not file.is_file():
        return None
    return _read(file, file.stat().st_mtime_ns).get(claim_id, {})


@functools.cache
def _read(file: Path, _time: int) -> Mapping[str, Any]:
    return pins_in(file)


def pins_in(file: Path) -> dict[str, Any]:
    """Return what a file has of all claims: check, for comparisons also label, to an object.

    Raises:
        UsageError: The file is damaged.
    """
    try:
        found: Any = json.loads(file.read_bytes().decode("utf-8"))
        why = "" if _is_nested(found, 4 if file.name == FILE else 3) else "what it holds is nested otherwise"
        if (
            not why
            and file.name == FILE
            and not all(
                row.keys() >= {"relation", "tolerance", "rejects"}
                for checks in found.values()
                for labels in checks.values()
                for row in labels.values()
            )
        ):
            why = "a label lacks its relation, tolerance or what it rejects"
    except ValueError as error:
        found, why = {}, str(error)
    if why:
        raise UsageError(
            f"{file} is damaged ({why}); take it from version control, or remove it, read the comparisons "
            "again and `boundcheck pin --comparisons` them"
        )
    return dict(found)


def _is_nested(item: Any, levels: int) -> bool:
    if not isinstance(item, dict):
        return False
    return levels == 1 or all(_is_nested(one, levels - 1) for one in item.values())


def write(file: Path, claim: Any, rows: Rows) -> bool:
    """Write the rows of a claim, one line for each label; return whether they changed.

    Those of checks that did not run stay.
    """
    from verify.binding import checks_of

    before = pins_in(file) if file.is_file() else {}
    names = {f"{check.rung}/{check.instance}" for check in checks_of(claim)}
    stay = {key: row for key, row in before.get(claim.id, {}).items() if key in names and not rows.get(key)}
    after = dict(sorted({**before, claim.id: dict(sorted({**rows, **stay}.items()))}.items()))
    file.write_text(text_of(after, 3) + "\n", encoding="utf-8")
    return bool(before != after)


def text_of(item: Any, levels: int, margin: str = "") -> str:
    """Return JSON with one line for each entry of so many levels."""
    if not levels or not item:
        return json.dumps(item)
    inside = margin + " "
    lines = [
        f"{inside}{json.dumps(key)}: {text_of(value, levels - 1, inside)}" for key, value in item.items()
    ]
    return "{\n" + ",\n".join(lines) + f"\n{margin}}}"
