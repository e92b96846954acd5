"""The table of section 2 of the design: verdicts of claims from their records, exit codes of runs."""

from dataclasses import replace
from pathlib import Path

import pytest

from verify.binding import Mutant
from verify.judging.parts import told_once
from verify.judging.verdicts import PartResult, judge_claim
from verify.running.runner import RunReport

WRONG = Mutant("wrong", "twice the value")
SLOW = Mutant("slow", "a long run", slow=True)
NEUTRAL = Mutant("permuted", "the same in another order", neutral=True)


@pytest.fixture
def judge(make_claim, make_record):
    """Return a function from verdicts with grades, like `holds:instance`, to the result of a claim."""

    def judge(*found, declared=(WRONG,), entries=None, profile="quick", **changes):
        records = []
        for number, item in enumerate(found):
            verdict, _, grade = item.partition(":")
            more = {} if entries is None else {"mutants": entries if number == 0 else []}
            records.append(make_record(verdict=verdict, grade=grade or None, instance=f"i{number}", **more))
        return judge_claim(make_claim(mutants=declared, **changes), records, profile)

    return judge


@pytest.mark.parametrize(
    ("found", "verdict", "grade"),
    [
        (["holds:instance"], "holds", "instance"),
        (["holds:numerical", "holds:instance", "holds:guaranteed"], "holds", "instance"),
        (["holds:guaranteed", "consistent:search"], "holds", "guaranteed"),
        (["holds:instance", "inconclusive"], "holds", "instance"),
        (["holds:instance", "not_run"], "holds", "instance"),
        (["consistent:search"], "consistent", "search"),
        (["consistent:search", "inconclusive"], "consistent", "search"),
        (["inconclusive"], "inconclusive", None),
        (["inconclusive", "not_run"], "inconclusive", None),
        (["violated:numerical", "holds:instance"], "violated", "numerical"),
        (["violated:guaranteed", "consistent:search"], "violated", "guaranteed"),
        # Grade asymptotic never decides.
        (["violated:asymptotic", "holds:instance"], "holds", "instance"),
        (["holds:asymptotic", "consistent:search"], "consistent", "search"),
        (["violated:asymptotic"], "inconclusive", None),
        ([], "untested", None),
    ],
)
def test_verdict_of_a_claim(judge, found, verdict, grade):
    judged = judge(*found)
    assert (judged.verdict, judged.grade) == (verdict, grade)


def test_a_mutant_must_be_rejected_wherever_it_is_tried(make_record, make_claim, make_mutant_entry):
    records = [
        make_record(instance="blind", mutants=[make_mutant_entry("wrong", rejected=False)]),
        make_record(instance="sharp", mutants=[make_mutant_entry("wrong")]),
    ]
    judged = judge_claim(make_claim(), records)
    assert judged.verdict == "untested"
    assert "mutant 'wrong' survives at exact/blind" in judged.reasons[0]
    assert judge_claim(make_claim(), records[1:]).verdict == "holds"


def test_a_rejected_neutral_mutant_makes_the_claim_untested(judge, make_mutant_entry):
    wronged = [make_mutant_entry("wrong"), make_mutant_entry("permuted", neutral=True, rejected=True)]
    spared = [make_mutant_entry("wrong"), make_mutant_entry("permuted", neutral=True, rejected=False)]
    assert judge("holds:instance", declared=(WRONG, NEUTRAL), entries=wronged).verdict == "untested"
    judged = judge("holds:instance", declared=(WRONG, NEUTRAL), entries=spared)
    assert (judged.verdict, judged.mutants_rejected, judged.mutants_total) == ("holds", ("wrong",), 1)


def test_a_slow_mutant_is_required_where_it_was_run(judge, make_mutant_entry):
    entries = [make_mutant_entry("wrong"), make_mutant_entry("slow")]
    judged = judge("holds:instance", declared=(WRONG, SLOW), entries=entries, profile="full")
    assert judged.mutants_total == 2
    assert judge("holds:instance", declared=(WRONG, SLOW), entries=entries[:1]).mutants_total == 1


def test_a_violation_wins_over_a_surviving_mutant(judge, make_mutant_entry):
    survives = [make_mutant_entry("wrong", rejected=False)]
    judged = judge("violated:instance", "holds:instance", entries=survives)
    assert judged.verdict == "violated"
    assert "i0" in judged.reasons[0]


def test_the_closest_approach_is_shown(make_claim, make_record):
    records = [
        make_record(instance="loose", bound=4.0, value=1.0, tightness=4.0),
        make_record(instance="tight", bound=3.0, value=2.0, tightness=1.5),
        make_record(instance="none", bound=None, value=None, tightness=None),
        # A sample mean may lie above the true one, so it must not pass for the largest value found.
        make_record(instance="noisy", rung="montecarlo", bound=1.0, value=1.001, tightness=1 / 1.001),
    ]
    judged = judge_claim(make_claim(), records)
    assert (judged.bound, judged.value, judged.tightness) == (3.0, 2.0, 1.5)
    assert judged.seconds == pytest.approx(1.0)


NEITHER = {"bound": 1.0, "value": 1.0, "tightness": 1.0, "shows": "neither"}
FORMULA = {"bound": 3.0, "value": 2.5, "tightness": 1.2, "shows": "formula"}


@pytest.mark.parametrize(
    ("kinds", "shown"),
    [
        (("neither", "formula", "claim"), 1.5),
        (("neither", "formula"), 1.2),
        (("neither",), None),
    ],
)
def test_the_claim_is_shown_before_its_formulas_and_nothing_else_is(make_claim, make_record, kinds, shown):
    claim = {"bound": 3.0, "value": 2.0, "tightness": 1.5, "shows": "claim"}
    entries = {"neither": NEITHER, "formula": FORMULA, "claim": claim}
    judged = judge_claim(make_claim(), [make_record(instance=kind, **entries[kind]) for kind in kinds])
    assert judged.tightness == shown


def test_an_argument_that_is_not_refused_is_shown_as_violated(make_claim, make_record):
    broken = {**NEITHER, "value": 2.0, "tightness": 0.5, "verdict": "violated"}
    judged = judge_claim(make_claim(), [make_record(**FORMULA), make_record(instance="domain", **broken)])
    assert (judged.bound, judged.value) == (1.0, 2.0)


def test_the_violation_is_shown_rather_than_the_closest_approach(make_claim, make_record):
    records = [
        make_record(instance="fine", bound=1.0, value=1.0, tightness=1.0),
        make_record(instance="broken", verdict="violated", bound=1.0, value=2.0, tightness=0.5),
    ]
    judged = judge_claim(make_claim(), records)
    assert (judged.bound, judged.value) == (1.0, 2.0)


@pytest.mark.parametrize(
    ("claims", "code"),
    [
        ([["holds:instance"], ["consistent:search"]], 0),
        ([["holds:instance"], ["violated:instance"]], 1),
        ([["holds:instance"], []], 1),
        ([["violated:instance"], ["inconclusive"]], 1),
        ([["holds:instance"], ["inconclusive"]], 3),
        # A claim that holds does not hide a rung of it that did not decide or run.
        ([["holds:instance", "inconclusive"]], 3),
        ([["holds:instance", "not_run"]], 3),
        ([["holds:instance", "violated:asymptotic"]], 0),
    ],
)
def test_exit_code(judge, claims, code):
    report = RunReport(tuple(judge(*found) for found in claims), "quick", 7, 0, Path("."))
    assert report.exit_code == code


def test_summary_counts_every_claim_once(judge):
    results = tuple(
        judge(*found)
        for found in ([], ["holds:instance"], ["holds:instance"], ["violated:instance"], ["inconclusive"])
    )
    summary = RunReport(results, "quick", 7, 0, Path(".")).summary()
    assert summary == {
        "holds": 2,
        "consistent": 0,
        "violated": 1,
        "untested": 1,
        "inconclusive": 1,
        "not_run": 0,
    }


def test_a_measured_claim_has_the_grade_of_its_weakest_evidence(make_claim, make_record):
    records = [
        make_record(verdict="holds", grade=grade, instance=grade, rung=rung)
        for grade, rung in (("instance", "exact"), ("guaranteed", "run"))
    ]
    claim = make_claim(evidence=("exact/half", "run/half"))
    for measured, grade in ((False, "instance"), (True, "guaranteed")):
        assert judge_claim(replace(claim, measured=measured), records, "quick").grade == grade


def test_a_reason_is_told_once_for_all_parts_that_have_it():
    def part(label, *reasons):
        return PartResult(label, "untested", None, reasons=reasons)

    told = told_once([part("a", "x"), part("b", "x", "y"), part("c", "x"), part("d", "z"), part("e", "x")])
    assert told == ["(a-c, e) x", "(b) y", "(d) z"]
    assert told_once([part("a", "x"), part("b", "x")]) == ["(a, b) x"]
