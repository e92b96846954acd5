"""Verdicts of parts from the evidence that they name."""

from dataclasses import replace
from types import SimpleNamespace

import pytest
from sympy import Integer, Symbol

from theory.claim import Hypothesis, Variable
from theory.formula import Compare, le
from verify.authoring import eq
from verify.binding import Check, Unit
from verify.comparison import ROUND_OFF
from verify.judging.judgement import judge_unit
from verify.judging.verdicts import judge_claim
from verify.records.recorded import RecordedResult
from verify.reporting.citation import _sentence
from verify.reporting.claim_screen import claim_screen
from verify.reporting.grades import claim_grades
from verify.rungs import symbolic
from verify.rungs.symbolic import DerivationCase


def conclusion(grade="proof", cited=(), hypotheses=()):
    return SimpleNamespace(grade=grade, cited=cited, hypotheses=hypotheses, theorem="x <= x + 1")


@pytest.fixture
def derived(monkeypatch, make_claim):
    """Return the record of a derivation that concludes these relations."""

    def make(claim, failed=None, **conclusions):
        report = SimpleNamespace(conclusions=conclusions, failed=failed or {}, seconds=0.1)
        monkeypatch.setattr(symbolic, "_report", lambda claim: report)
        # The report is made up: the kernel has concluded nothing that it could refuse to change.
        monkeypatch.setattr(symbolic, "_refuses", lambda: None)
        monkeypatch.setattr(symbolic, "_claim", lambda id: claim)
        return judge_unit(
            Unit(claim, Check("symbolic", "derivation", DerivationCase(claim.id), {})), "quick", 7
        )

    return make


@pytest.fixture
def checked(bench):
    @bench.judge.exact(x=[1, 2])
    def checks(law, x):
        yield eq("square", law.square(x), law.exactly("bound", x=x, y=0))

    @bench.judge.mutant("Half of it.")
    def halved(law):
        return law.replace(bound=lambda formula: formula / 2)

    return bench


A = ("a", ("first",), ("proof",))
B = ("b", ("second",), ("proof", "exact/square"))
C = ("c", (), ("exact/square",))


def test_a_check_that_raises_is_no_evidence_though_another_instance_has_its_labels(
    bench, derived, make_claim
):
    @bench.judge.exact(x=2)
    def good(law, x):
        yield eq("square", law.square(x), law.exactly("bound", x=x, y=0))

    @bench.judge.exact(x=3)
    def broken(law, x):
        raise ValueError("no such file")
        yield eq("square", law.square(x), law.exactly("bound", x=x, y=0))

    @bench.judge.mutant("Half of it.", at=("exact/good",))
    def halved(law):
        return law.replace(bound=lambda formula: formula / 2)

    record = derived(make_claim(A, B, C), first=conclusion(), second=conclusion())
    result = bench.result(A, B, C, found=[record, *bench.records()])
    assert [part.verdict for part in result.parts] == ["holds", "inconclusive", "inconclusive"]
    assert result.verdict == "inconclusive"
    assert any("ValueError: no such file" in reason for reason in result.reasons)


def test_a_part_is_proved_only_where_its_relations_are_concluded(checked, derived, make_claim):
    claim = make_claim(A, B, C)
    record = derived(claim, first=conclusion(), second=conclusion(cited=(("a <= b", "Jensen"),)))
    result = checked.result(A, B, C, found=[record, *checked.records()])
    assert [(part.verdict, part.grade) for part in result.parts] == [
        ("holds", "proof"),
        ("holds", "proof modulo"),
        ("holds", "instance"),
    ]
    assert (result.verdict, result.grade) == ("holds", "instance")
    assert claim_grades(result) == "instance (c), proof modulo (b), proof (a)"
    sentence = _sentence(result, "fake/new@0", "1", with_formulas=True)
    assert "(a) proved for all sizes; (b) proved for all sizes, modulo" in sentence
    assert "Jensen: a <= b" in sentence
    assert "(c) exactly, in rationals, at 1 instance (checks)" in sentence


def test_a_part_of_two_proofs_has_the_grade_of_the_weaker(checked, derived, make_claim):
    both = ("a", ("first", "second"), ("proof",))
    record = derived(make_claim(both), first=conclusion(), second=conclusion(cited=(("a <= b", "Jensen"),)))
    assert record["grade"] == "proof modulo"
    (part,) = checked.result(both, found=[record]).parts
    assert (part.verdict, part.grade) == ("holds", "proof modulo")


def test_words_that_are_pinned_to_a_check_are_not_proved_with_the_relation(checked, derived, make_claim):
    claim = make_claim(A)
    (part,) = claim.parts
    claim = replace(claim, parts=(replace(part, pins={"text": "exact/square"}),))
    record = derived(claim, first=conclusion())
    result = judge_claim(claim, [record, *checked.records()], problems=[])
    assert (result.parts[0].verdict, result.parts[0].grade, result.parts[0].words) == (
        "holds",
        "proof",
        "instance",
    )
    assert (result.grade, claim_grades(result)) == ("instance", "instance (a*)")
    sentence = _sentence(result, "fake/new@0", "1", with_formulas=True)
    assert (
        "proved for all sizes, the words around its formulas exactly, in rationals, at 1 instance" in sentence
    )


def test_a_relation_that_is_not_concluded_makes_its_part_untested(checked, derived, make_claim):
    claim = make_claim(A, B)
    record = derived(claim, failed={"second": "the remainder is x"}, first=conclusion())
    assert record["verdict"] == "inconclusive"
    result = checked.result(A, B, found=[record, *checked.records()])
    assert [part.verdict for part in result.parts] == ["holds", "untested"]
    assert any("'second' is not concluded: the remainder is x" in reason for reason in result.reasons)


def test_a_derivation_that_is_not_there_proves_nothing(checked):
    result = checked.result(A, C)
    assert [part.verdict for part in result.parts] == ["untested", "holds"]


def test_evidence_that_no_check_has_is_missing(checked):
    result = checked.result(("a", (), ("exact/cube",)))
    assert result.verdict == "untested"
    assert "no check has the label 'cube'; labels of exact: square" in result.reasons[0]


def test_evidence_of_a_rung_that_is_none_names_those_that_are(checked):
    result = checked.result(("a", (), ("exat/square",)))
    assert result.verdict == "untested"
    assert "no rung 'exat' in 'exat/square'; evidence is proof, or RUNG/LABEL" in result.reasons[0]


def test_a_violated_label_violates_its_part_and_the_claim(bench):
    @bench.judge.exact(x=2)
    def checks(law, x):
        yield eq("square", law.square(x), law.exactly("bound", x=x, y=0))
        yield eq("wrong", law.square(x), 5)

    result = bench.result(C, ("d", (), ("exact/wrong",)))
    assert [part.verdict for part in result.parts] == ["holds", "violated"]
    assert result.verdict == "violated"


def test_a_violation_that_no_part_names_violates_the_claim(bench):
    @bench.judge.exact(x=2)
    def checks(law, x):
        yield eq("square", law.square(x), law.exactly("bound", x=x, y=0))
        yield eq("wrong", law.square(x), 5)

    assert bench.result(C).verdict == "violated"


def test_a_text_that_says_something_else_is_untested(checked, make_claim):
    from verify.judging.verdicts import judge_claim

    problem = SimpleNamespace(part="a", message="no relation says it")
    claim = make_claim(("a", (), ("exact/square",)), ("b", (), ("exact/square",)))
    result = judge_claim(claim, checked.records(), problems=[problem])
    assert [part.verdict for part in result.parts] == ["untested", "holds"]
    whole = judge_claim(claim, checked.records(), problems=[SimpleNamespace(part="setting", message="")])
    assert [part.verdict for part in whole.parts] == ["untested", "untested"]


def test_a_claim_without_records_is_untested(bench):
    result = bench.result(A, C, found=[])
    assert (result.verdict, result.reasons) == ("untested", ("no check has run",))


def test_a_relation_that_the_kernel_concludes_changed_is_no_proof(checked, derived, make_claim, monkeypatch):
    claim = make_claim(A)
    record = derived(claim, first=conclusion())
    record["labels"]["first"]["rejected_by"] = []
    result = checked.result(A, found=[record])
    assert result.verdict == "untested"
    assert "relation 'first' is unwatched" in result.reasons[0]


@pytest.mark.parametrize("refuses", [True, False])
def test_changed_relations_are_given_to_the_kernel(make_claim, refuses):
    asked = []

    def kernel(claim, name, relation):
        asked.append(relation)
        return refuses

    claim = make_claim(A)
    found = symbolic._rejected(claim, "first", kernel)
    assert bool(found) == refuses
    assert found != ("kernel",)
    assert all(relation != claim.relations["first"] for relation in asked)
    assert len(asked) >= (2 if refuses else 1)


@pytest.mark.parametrize(
    ("pins", "grade"),
    [
        ({}, "instance"),
        ({"words": "exact/roots"}, "numerical"),
        ({"words": "exact/square", "more": "exact/roots"}, "numerical"),
    ],
)
def test_of_pins_the_weakest_grade_is_said(bench, pins, grade):
    @bench.judge.exact(x=2)
    def checks(law, x):
        yield eq("square", law.square(x), law.exactly("bound", x=x, y=0))
        yield eq("roots", 2**0.5 * law.square(x), 2**0.5 * law("bound", x=x, y=0), ROUND_OFF)

    claim = bench.result(("a", (), ("exact/square", "exact/roots"))).claim
    (part,) = claim.parts
    pinned = replace(claim, parts=(replace(part, pins=pins),))
    (found,) = judge_claim(pinned, bench.records(), problems=[]).parts
    assert (found.verdict, found.grade, found.words) == ("holds", grade, None)


def test_what_a_proof_assumes_is_told_wherever_it_is_told(checked, derived, make_claim):
    """Citation and screen: what restricts, cited facts, and words that are not proved."""
    given = {
        name: Hypothesis(kind, le(Integer(0), Symbol(name)), f"$ {name} $ in words")
        for name, kind in (
            ("step", "parameter"),
            ("noise", "model"),
            ("size", "domain"),
            ("range", "domain"),
        )
    }
    given["mean"] = Hypothesis(
        "definition", Compare(Symbol("mean"), "=", Symbol("noise")), "$ mean $ in words"
    )
    declared = Variable(Symbol("size"), "n", r"\mathbb R_{\ge0}", "a size")
    claim = make_claim(A, hypotheses=given, variables=(declared,))
    (part,) = claim.parts
    claim = replace(claim, parts=(replace(part, pins={"text": "exact/square"}),))
    record = derived(claim, first=conclusion(cited=(("a <= b", "Jensen"),), hypotheses=tuple(given)))
    result = judge_claim(claim, [record, *checked.records()], problems=[])
    sentence = _sentence(result, "fake/new@0", "1", with_formulas=True)
    told = "$ step $ in words (*); $ noise $ in words (*); $ range $ in words (*)"
    under = f"proved for all sizes under the hypotheses {{{told}}}"
    assert f"{under}, modulo {{Jensen: a <= b}}, the words around its formulas exactly" in sentence
    words = "words with (*) and 2 definitions in words stand for formulas"
    assert sentence.endswith(f"; {words}, which \\texttt{{boundcheck show --full fake/new}} prints).")
    assert "$ size $" not in sentence
    assert "$ mean $" not in sentence
    lines = [line for _, line in claim_screen(RecordedResult(result, stale=False), 200)]
    assert any(line.endswith("[holds: instance, formulas by proof modulo]") for line in lines)
    (assumed,) = [line for line in lines if line.startswith("assumes")]
    assert assumed.split(maxsplit=1)[1] == (
        "step (parameter), noise (model), range (domain: range in words), 2 domains and definitions"
    )
    assert any("cited: " in line and "Jensen" in line for line in lines)
