"""All claims, judged through the pytest plugin: one item per claim."""

import importlib.util
from pathlib import Path

import pytest

from verify.binding import checks_of


def _load():
    path = Path(__file__).parent / "verify" / "test_frozen_records.py"
    specification = importlib.util.spec_from_file_location("frozen_records", path)
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


FROZEN = _load()


@pytest.mark.boundcheck("*")
def test_claim(boundcheck_claim):
    result = boundcheck_claim
    if result.is_only_busy:
        pytest.skip("; ".join(result.reasons))
    assert result.verdict in ("holds", "consistent"), result.reasons
    # What the kernel alone shows needs no sabotage of checks.
    assert result.mutants_total > 0 or all(part.evidence == ("proof",) for part in result.parts)
    assert len(result.mutants_rejected) == result.mutants_total
    assert not result.undecided, result.reasons
    profile, seed = result.records[0]["profile"], result.records[0]["seed"]
    optional = {f"{check.rung}/{check.instance}" for check in checks_of(result.claim) if check.needs}
    rows = FROZEN.frozen(profile, result.claim.id)
    assert FROZEN.differences(rows, result.records, optional) == [], seed
