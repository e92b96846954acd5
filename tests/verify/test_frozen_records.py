"""Records say what they said before the engine and the claims were rewritten."""

import json
import math
from pathlib import Path

import pytest

FROZEN = Path(__file__).parents[1] / "frozen" / "records.jsonl"
RELATIVE = 1e-7


def frozen(profile, claim):
    """Return the rows of a claim: key (rung/instance), seed, verdict, bound and value."""
    found = {}
    with FROZEN.open(encoding="utf-8") as lines:
        for line in lines:
            of, key, seed, verdict, bound, value = json.loads(line)
            if of == profile and key.startswith(f"{claim}/"):
                found[key.removeprefix(f"{claim}/")] = (seed, verdict, bound, value)
    return found


def differences(rows, records, optional=()):
    """Return where records say something else than the frozen rows of their claim.

    New checks and derivations are no difference, nor are `optional` checks that did not run.
    """
    found = []
    by_key = {f"{record['rung']}/{record['instance']}": record for record in records}
    for key, (seed, verdict, bound, value) in rows.items():
        record = by_key.get(key)
        if record is None:
            if key not in optional:
                found.append(f"{key} is gone")
            continue
        if key.startswith("symbolic/"):
            continue
        if record["seed"] != seed:
            continue  # another run
        if record["verdict"] != verdict:
            found.append(f"{key}: verdict {record['verdict']}, was {verdict}")
        if (
            record["grade"] != "instance"
            and record["rung"] != "montecarlo"
            and bound
            and record["bound"]
            and None not in (value, record["value"])
        ):
            # Machines differ in which of several equally close comparisons is shown, not in how close it is.
            if not math.isclose(
                record["value"] / record["bound"], value / bound, rel_tol=RELATIVE, abs_tol=1e-6
            ):
                found.append(f"{key}: {record['value']!r} / {record['bound']!r}, was {value!r} / {bound!r}")
            continue
        for name, old in (("bound", bound), ("value", value)):
            if not _close(record[name], old):
                found.append(f"{key}: {name} {record[name]!r}, was {old!r}")
    return found


def _close(now, old):
    if now is None or old is None:
        return now is old
    return math.isclose(now, old, rel_tol=RELATIVE, abs_tol=1e-300)


RECORD = {
    **{"rung": "exact", "instance": "a", "seed": 7, "verdict": "holds", "grade": "instance"},
    **{"bound": 1.0, "value": 0.5},
}
ROWS = {"exact/a": (7, "holds", 1.0, 0.5)}


def test_the_same_record_is_no_difference():
    assert differences(ROWS, [RECORD, RECORD | {"instance": "new"}]) == []
    assert differences(ROWS, [RECORD | {"value": 0.5 * (1 + 1e-8)}]) == []


def test_in_floats_how_close_a_comparison_comes_is_frozen():
    floats = RECORD | {"grade": "numerical"}
    assert differences(ROWS, [floats | {"bound": 3.0, "value": 1.5}]) == []
    assert len(differences(ROWS, [floats | {"bound": 3.0}])) == 1


def test_a_check_on_data_that_are_not_here_may_be_missing():
    assert differences(ROWS, []) == ["exact/a is gone"]
    assert differences(ROWS, [], {"exact/a"}) == []


@pytest.mark.parametrize(
    "change", [{"verdict": "consistent"}, {"bound": 1.1}, {"value": None}, {"value": 0.6}, {"instance": "b"}]
)
def test_each_other_record_is_one(change):
    assert len(differences(ROWS, [RECORD | change])) == 1


def test_all_papers_are_frozen():
    assert len(frozen("quick", "squant/var")) > 10
    assert len(frozen("full", "squant/var")) > 10
