import pytest

import theory
from verify.binding import (
    MUTANT_SEEDS,
    Check,
    Lazy,
    Mutant,
    Unit,
    checks_of,
    module_name,
    mutants_of,
    plan,
)
from verify.comparison import Comparison
from verify.context import Context
from verify.errors import BudgetError
from verify.outcome import ALPHA, ALPHA_TOTAL
from verify.records.pinned import kept
from verify.rungs.dispatch import judge
from verify.rungs.exact import ExactCase
from verify.rungs.montecarlo import MonteCarloCase

SAMPLED = MonteCarloCase("le", lambda rng, size: rng.random(size), 1.0)
WRONG = Mutant("wrong", "twice the value")
NEUTRAL = Mutant("permuted", "the same in another order", neutral=True)
SLOW = Mutant("slow", "a long run", slow=True)


def sampled(instance="s", **mutants):
    return Check("montecarlo", instance, SAMPLED, {}, mutants)


def test_module_name():
    assert module_name("squant/var") == "verify.squant.variance.var"
    assert module_name("cq_marina/cq-1d-exact") == "verify.cq_marina.quantizer.cq_1d_exact"


def test_a_claim_that_no_module_binds_has_no_checks(make_claim):
    assert checks_of(make_claim("bound-nowhere")) == ()


def test_sampling_rungs_judge_each_mutant_at_three_seeds(make_claim):
    claim = make_claim(mutants=(WRONG, NEUTRAL))
    assert MUTANT_SEEDS == 3
    assert Unit(claim, sampled()).tests("quick") == 1
    # All three must err for a rejection by luck; a neutral mutant is refused by luck where one errs.
    assert Unit(claim, sampled(wrong=SAMPLED)).tests("quick") == 1 + 1
    assert Unit(claim, sampled(wrong=SAMPLED, permuted=SAMPLED)).tests("quick") == 1 + 1 + 3
    assert Unit(claim, sampled(wrong=SAMPLED)).repetitions(SAMPLED, mutant=True) == 3


def test_exact_mutants_cost_no_test(make_claim, make_check):
    unit = Unit(make_claim(), make_check())
    assert unit.tests("quick") == 0
    assert unit.repetitions(unit.check.mutants["wrong"], mutant=True) == 1


def test_slow_mutants_run_and_count_in_the_full_profile_only(make_claim):
    unit = Unit(make_claim(mutants=(WRONG, SLOW)), sampled(wrong=SAMPLED, slow=SAMPLED))
    assert list(unit.selected_mutants("quick")) == ["wrong"]
    assert list(unit.selected_mutants("full")) == ["wrong", "slow"]
    assert (unit.tests("quick"), unit.tests("full")) == (2, 3)


def test_full_checks_and_absent_data_stay_out_of_the_plan(registry, make_claim, make_check, monkeypatch):
    claim = make_claim()
    registry((claim, [make_check("a"), make_check("b", profile="full"), make_check("c", needs="phishing")]))
    monkeypatch.delenv("BOUNDCHECK_DATA", raising=False)
    assert [unit.check.instance for unit in plan((claim,), "quick")] == ["a"]
    assert [unit.check.instance for unit in plan((claim,), "full")] == ["a", "b"]
    monkeypatch.setenv("BOUNDCHECK_DATA", "somewhere")
    assert [unit.check.instance for unit in plan((claim,), "quick")] == ["a", "c"]


def test_a_thousand_tests_are_allowed_and_one_more_is_not(registry, make_claim):
    claim = make_claim(mutants=(WRONG,))
    checks = [sampled(f"s{number}", wrong=SAMPLED) for number in range(500)]
    registry((claim, checks))
    assert sum(unit.tests("quick") for unit in plan((claim,), "quick")) == 1000
    registry((claim, [*checks, sampled("one-more")]))
    with pytest.raises(BudgetError, match="tests=1001 must be at most 1000"):
        plan((claim,), "quick")


def test_the_real_full_plan_is_within_the_error_budget():
    units = plan(theory.claims(), "full")
    assert 0 < sum(unit.tests("full") for unit in units) * ALPHA <= ALPHA_TOTAL


# Claims are loaded when they are tested: while tests are collected, each worker would load them all.
@pytest.mark.parametrize("id", [entry.id for entry in theory.entries()])
def test_every_mutant_of_a_claim_is_run_by_a_check(id):
    claim = theory.claim(id)
    checks = checks_of(claim)
    assert checks
    run = {(name, check.rung) for check in checks for name in check.mutants}
    for mutant in mutants_of(claim):
        assert {rung for name, rung in run if name == mutant.name}, mutant.name
        if not mutant.slow and not mutant.neutral:
            quick = [check for check in checks if check.profile == "quick" and not check.needs]
            assert any(mutant.name in check.mutants for check in quick), mutant.name


@pytest.mark.parametrize("id", [entry.id for entry in theory.entries()])
def test_what_every_check_compares_is_pinned_in_both_profiles(id):
    claim = theory.claim(id)
    keys = {f"{check.rung}/{check.instance}" for check in checks_of(claim) if check.rung != "symbolic"}
    assert keys == {key for key, rows in kept(claim).items() if rows}


def test_a_lazy_case_is_built_when_it_is_judged_and_not_before():
    built = []

    def make():
        built.append(1)
        return ExactCase(lambda: [Comparison("two", "eq", 2, 2)])

    case = Lazy(make)
    assert not built
    assert judge("exact", case, Context("fake/one", "exact", "two")).verdict == "holds"
    assert built == [1]
