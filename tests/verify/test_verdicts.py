"""The table of section 2 of the design: verdicts of claims from their records, exit codes of runs."""

from dataclasses import replace
from pathlib import Path

import pytest

from theory.old_form import Mutant
from verify.runner import RunReport
from verify.verdicts import judge_claim

WRONG = Mutant("wrong", "twice the value", ("exact",))
SLOW = Mutant("slow", "a long run", ("run",), slow=True)
NEUTRAL = Mutant("permuted", "the same in another order", ("exact",), neutral=True)


@pytest.fixture
def judge(make_claim, make_record):
    """Return a function from verdicts with grades, like `holds:proof`, to the result of a claim with them."""

    def judge(*found, declared=(WRONG,), entries=None, profile="quick"):
        records = []
        for number, item in enumerate(found):
            verdict, _, grade = item.partition(":")
            changes = {} if entries is None else {"mutants": entries if number == 0 else []}
            records.append(
                make_record(verdict=verdict, grade=grade or None, instance=f"i{number}", **changes)
            )
        return judge_claim(make_claim(mutants=declared), records, profile)

    return judge


@pytest.mark.parametrize(
    ("found", "verdict", "grade"),
    [
        (["holds:proof"], "holds", "proof"),
        (["holds:numerical", "holds:proof", "holds:guaranteed"], "holds", "proof"),
        (["holds:guaranteed", "consistent:search"], "holds", "guaranteed"),
        (["holds:proof", "inconclusive"], "holds", "proof"),
        (["holds:proof", "not_run"], "holds", "proof"),
        (["consistent:search"], "consistent", "search"),
        (["consistent:search", "inconclusive"], "consistent", "search"),
        (["consistent:search", "not_run"], "consistent", "search"),
        (["inconclusive"], "inconclusive", None),
        (["inconclusive", "not_run"], "inconclusive", None),
        (["violated:numerical", "holds:proof"], "violated", "numerical"),
        (["violated:guaranteed", "consistent:search"], "violated", "guaranteed"),
        # Grade asymptotic never decides, in neither direction.
        (["violated:asymptotic", "holds:proof"], "holds", "proof"),
        (["violated:asymptotic", "consistent:search"], "consistent", "search"),
        (["holds:asymptotic", "consistent:search"], "consistent", "search"),
        (["holds:asymptotic"], "inconclusive", None),
        (["violated:asymptotic"], "inconclusive", None),
        ([], "untested", None),
    ],
)
def test_verdict_of_a_claim(judge, found, verdict, grade):
    judged = judge(*found)
    assert (judged.verdict, judged.grade) == (verdict, grade)


def test_a_surviving_mutant_makes_a_proved_claim_untested(judge, make_mutant_entry):
    judged = judge("holds:proof", entries=[make_mutant_entry("wrong", rejected=False)])
    assert judged.verdict == "untested"
    assert judged.mutants_rejected == ()
    assert "mutant 'wrong' survives" in judged.reasons[0]


def test_a_mutant_must_be_rejected_on_one_of_its_rungs_only(
    judge, make_record, make_claim, make_mutant_entry
):
    records = [
        make_record(instance="blind", mutants=[make_mutant_entry("wrong", rejected=False)]),
        make_record(instance="sharp", mutants=[make_mutant_entry("wrong")]),
    ]
    assert judge_claim(make_claim(), records).verdict == "holds"


def test_a_mutant_that_no_check_runs_survives(judge):
    judged = judge("holds:proof", entries=[])
    assert judged.verdict == "untested"
    assert "no check runs it" in judged.reasons[0]


def test_a_rejected_neutral_mutant_makes_the_claim_untested(judge, make_mutant_entry):
    wronged = [make_mutant_entry("wrong"), make_mutant_entry("permuted", neutral=True, rejected=True)]
    spared = [make_mutant_entry("wrong"), make_mutant_entry("permuted", neutral=True, rejected=False)]
    assert judge("holds:proof", declared=(WRONG, NEUTRAL), entries=wronged).verdict == "untested"
    assert judge("holds:proof", declared=(WRONG, NEUTRAL), entries=spared).verdict == "holds"


def test_neutral_mutants_do_not_count_as_rejected(judge, make_mutant_entry):
    entries = [make_mutant_entry("wrong"), make_mutant_entry("permuted", neutral=True, rejected=False)]
    judged = judge("holds:proof", declared=(WRONG, NEUTRAL), entries=entries)
    assert judged.mutants_rejected == ("wrong",)
    assert judged.mutants_total == 1


@pytest.mark.parametrize("declared", [(), (NEUTRAL,)])
def test_a_claim_without_mutants_is_untested(judge, declared):
    assert judge("holds:proof", declared=declared, entries=[]).verdict == "untested"


def test_slow_mutants_are_required_in_the_full_profile_only(judge, make_mutant_entry):
    entries = [make_mutant_entry("wrong")]
    assert judge("holds:proof", declared=(WRONG, SLOW), entries=entries).verdict == "holds"
    assert judge("holds:proof", declared=(WRONG, SLOW), entries=entries, profile="full").verdict == "untested"


def test_a_violation_wins_over_a_surviving_mutant(judge, make_mutant_entry):
    judged = judge("violated:proof", "holds:proof", entries=[make_mutant_entry("wrong", rejected=False)])
    assert judged.verdict == "violated"
    assert "exact/i0" in judged.reasons[0]


def test_a_claim_whose_derivation_is_refuted_is_not_held_by_another_rung(make_claim, make_record):
    broken = make_record(
        rung="symbolic", instance="derivation", verdict="inconclusive", grade=None, refuted=True
    )
    judged = judge_claim(make_claim(), [broken, make_record(verdict="holds", grade="guaranteed")])
    assert judged.verdict == "inconclusive"
    assert "symbolic/derivation inconclusive" in judged.reasons[0]
    # A violation found elsewhere still wins.
    assert judge_claim(make_claim(), [broken, make_record(verdict="violated")]).verdict == "violated"


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
        ([["holds:proof"], ["consistent:search"]], 0),
        ([["holds:proof"], ["violated:proof"]], 1),
        ([["holds:proof"], []], 1),
        ([["violated:proof"], ["inconclusive"]], 1),
        ([["holds:proof"], ["inconclusive"]], 3),
        # A claim that holds does not hide a rung of it that did not decide or run.
        ([["holds:proof", "inconclusive"]], 3),
        ([["holds:proof", "not_run"]], 3),
        ([["holds:proof", "violated:asymptotic"]], 0),
    ],
)
def test_exit_code(judge, claims, code):
    report = RunReport(tuple(judge(*found) for found in claims), "quick", 7, 0, Path("."))
    assert report.exit_code == code


def test_summary_counts_every_claim_once(judge):
    results = tuple(
        judge(*found)
        for found in ([], ["holds:proof"], ["holds:proof"], ["violated:proof"], ["inconclusive"])
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


def test_a_measured_claim_has_the_grade_of_its_weakest_record(make_claim, make_record):
    records = [
        make_record(verdict="holds", grade=grade, instance=grade)
        for grade in ("proof", "guaranteed", "numerical")
    ]
    records.append(make_record(verdict="consistent", grade="search", instance="search"))
    entries = [{"name": "wrong", "neutral": False, "rejected": True, "evidence": "", "reason": ""}]
    records[0]["mutants"] = entries
    for measured, grade in ((False, "proof"), (True, "guaranteed")):
        claim = replace(make_claim(mutants=(WRONG,)), measured=measured)
        assert judge_claim(claim, records, "quick").grade == grade
