"""All claims, judged through the pytest plugin: one item per claim."""

import pytest


@pytest.mark.boundcheck("*")
def test_claim(boundcheck_claim):
    result = boundcheck_claim
    assert result.verdict in ("holds", "consistent"), result.reasons
    assert result.mutants_total > 0
    assert len(result.mutants_rejected) == result.mutants_total
    assert not result.undecided, result.reasons
