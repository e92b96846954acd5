"""A judged unit leaves no formulas and evaluations behind: a process that judges many would hold them all."""

import pytest

from verify.binding import plan
from verify.judging.judgement import judge_unit
from verify.kernel.normal import forms, keys
from verify.rungs import symbolic


@pytest.fixture
def units():
    import theory

    return {unit.check.rung: unit for unit in plan((theory.claim("squant/nnz"),), "quick")}


def test_forms_of_a_derivation_are_dropped(units):
    record = judge_unit(units["symbolic"], "quick", 1)
    assert record["verdict"] == "holds"
    assert [item.cache_info().currsize for item in (forms.form_of, forms.multiplied, keys.formula_key)] == [
        0
    ] * 3


def test_forms_are_dropped_after_a_failed_derivation(units, monkeypatch):
    report = symbolic._report

    def fails(claim):
        report(claim)
        assert forms.form_of.cache_info().currsize > 0
        raise RuntimeError("broken")

    monkeypatch.setattr(symbolic, "_report", fails)
    with pytest.raises(RuntimeError, match="broken"):
        symbolic.judge(units["symbolic"].check.base, None)
    assert forms.form_of.cache_info().currsize == 0


def test_evaluations_of_a_check_are_dropped(units):
    unit = units["exact"]
    assert judge_unit(unit, "quick", 1)["labels"]
    assert unit.check.authored.trace.evaluations == []
