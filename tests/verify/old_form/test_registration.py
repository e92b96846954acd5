"""Everything that is found by its place is there: claims have checks, mutants have cases."""

import pytest

import theory
from theory.old_form import Claim
from verify.binding import checks_of, module_name

CLAIMS = [theory.claim(entry.id) for entry in theory.entries("*") if entry.form == "old"]


@pytest.mark.parametrize("claim", CLAIMS, ids=[claim.id for claim in CLAIMS])
def test_every_claim_has_checks_on_a_rung_that_proves_and_every_mutant_a_case(claim: Claim) -> None:
    checks = checks_of(claim)
    assert {check.rung for check in checks} >= {"symbolic"}, module_name(claim.id)
    bound = {(name, check.rung) for check in checks for name in check.mutants}
    for mutant in claim.mutants:
        rungs = {rung for name, rung in bound if name == mutant.name}
        assert rungs == set(mutant.rungs), f"{claim.id}: mutant {mutant.name} runs on {rungs}"
    assert any(not mutant.neutral for mutant in claim.mutants)
    assert any(mutant.neutral for mutant in claim.mutants)
