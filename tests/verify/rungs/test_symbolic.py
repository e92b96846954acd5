import importlib
import sys

import pytest
from sympy import Rational, sqrt, symbols

from theory.old_steps import Certificate, Identity, ScalarLemma, StandardFact, Term
from verify.context import Context
from verify.rungs.symbolic import SymbolicCase, judge

HERE = Context("fake/one", "symbolic", "derivation")
a, b = symbols("a b", real=True)
p = symbols("p", positive=True)

SQUARE = Identity("square", "(a+b)^2", (a + b) ** 2, a**2 + 2 * a * b + b**2)
MEANS = Certificate(
    "means", "2ab <= a^2+b^2", 2 * a * b, a**2 + b**2, (Term(Rational(1), (a - b) ** 2, "square"),)
)
LEMMA = ScalarLemma(
    "young", "2a <= 1 + a^2", (a >= 0,), 2 * a <= 1 + a**2, (Term(Rational(1), (a - 1) ** 2, "square"),)
)
FACT = StandardFact("Jensen", "f(EX) <= E f(X)", "any textbook")


def judged(*steps):
    return judge(SymbolicCase(steps), HERE)


def solvers():
    """Return the module; the package has a function of the same name."""
    importlib.import_module("verify.evidence.smt_solver")
    return sys.modules["verify.evidence.smt_solver"]


def only_step(found):
    (step,) = found.steps
    return step


def test_all_steps_discharged_are_an_outline():
    found = judged(SQUARE, MEANS, LEMMA)
    assert (found.verdict, found.grade, found.reason) == ("consistent", "outline", "outline")
    assert [step["status"] for step in found.steps] == ["proved"] * 3
    assert [step["kind"] for step in found.steps] == ["Identity", "Certificate", "ScalarLemma"]


def test_cited_facts_are_named():
    found = judged(SQUARE, FACT)
    assert (found.verdict, found.grade) == ("consistent", "outline")
    assert found.reason == "outline modulo {Jensen}"
    assert found.steps[1]["status"] == "cited"


@pytest.mark.parametrize("steps", [(), (FACT,), (FACT, FACT)], ids=["none", "one", "two"])
def test_citing_alone_is_no_evidence(steps):
    found = judged(*steps)
    assert found.verdict == "not_run"
    assert not found.rejects


def test_a_wrong_identity_is_refuted():
    found = judged(MEANS, Identity("square", "wrong", (a + b) ** 2, a**2 + a * b + b**2))
    assert found.refuted
    assert found.rejects
    assert found.verdict != "consistent"
    assert found.witness == {"difference": "a*b"}
    assert "fails at step 'square'" in found.reason


def test_identities_are_not_decided_by_simplify():
    # True, but only after expanding twice.
    nested = Identity("roots", "nested", (sqrt(p) + 1) * (sqrt(p) - 1) + 1, p)
    assert judged(nested).verdict == "consistent"
    # Nearly true.
    off = Identity("off", "off by 1e-30", a, a + Rational(1, 10**30))
    assert judged(off).refuted


def test_a_certificate_that_leaves_a_remainder_fails():
    wrong = Certificate(
        "means", "2ab <= a^2+b^2", 2 * a * b, a**2 + b**2, (Term(Rational(1), a**2, "square"),)
    )
    found = judged(wrong)
    assert found.refuted
    assert "remainder" in found.witness


@pytest.mark.parametrize("multiplier", [Rational(-1), -p, a, a * b])
def test_a_multiplier_not_known_to_be_nonnegative_fails(multiplier):
    # The identity itself is right, the sign is not.
    step = Certificate(
        "sign", "wrong sign", multiplier * b**2, 0 * a, (Term(multiplier, -(b**2), "because"),)
    )
    found = judged(step)
    assert found.refuted
    assert "not known to be nonnegative" in found.reason


def test_a_slack_needs_a_reason():
    found = judged(Certificate("slack", "", 0 * a, a, (Term(Rational(1), a, ""),)))
    assert found.refuted
    assert "no reason to be nonnegative" in found.reason
    assert judged(Certificate("slack", "", 0 * p, p, (Term(Rational(1), p, ""),))).verdict == "consistent"


def test_a_refuted_lemma_fails():
    found = judged(ScalarLemma("false", "a <= a^2", (a >= 0,), a <= a**2))
    assert found.refuted
    assert "counter-model" in only_step(found)["detail"]


@pytest.mark.parametrize(
    ("lemma", "answer"),
    [
        (ScalarLemma("vacuous", "anything", (a > 1, a < 0), b > 5), "vacuous"),
        (ScalarLemma("undefined", "1/a", (a >= 0,), 1 / a >= 0), "undefined"),
    ],
    ids=["vacuous", "undefined"],
)
def test_a_lemma_that_says_nothing_is_not_decided(lemma, answer):
    found = judged(SQUARE, lemma)
    assert found.verdict == "inconclusive"
    assert not found.rejects
    assert answer in found.steps[1]["detail"]


def test_a_certificate_of_a_lemma_must_be_one():
    wrong = ScalarLemma("young", "", (a >= 0,), 2 * a <= 1 + a**2, (Term(Rational(1), a**2, "square"),))
    assert judged(wrong).verdict != "consistent"
    # Here the slack is neither a hypothesis nor nonnegative by its form, whatever is written beside it.
    b_used = ScalarLemma("young", "", (a >= b, b >= 0), a >= 0, (Term(Rational(1), a, "trust me"),))
    found = judged(b_used)
    assert found.verdict != "consistent"
    assert "neither a hypothesis nor nonnegative" in only_step(found)["detail"]


def test_a_certificate_of_a_strict_lemma_has_a_positive_term():
    terms = (Term(Rational(1), a - 1, "hypothesis"), Term(Rational(1), b, "hypothesis"))
    weak = ScalarLemma("sum", "", (a >= 1, b >= 0), a + b > 1, terms)
    strict = ScalarLemma("sum", "", (a > 1, b >= 0), a + b > 1, terms)
    assert judged(weak).verdict != "consistent"
    assert judged(strict).verdict == "consistent"
    # A solver alone could have proved this one; the certificate does not.
    mixed = ScalarLemma("sum", "", (a > 1, b >= 0), a + b > 0, (Term(Rational(1), a + b, "unused"),))
    assert judged(mixed).verdict != "consistent"


def test_hypotheses_serve_as_slacks():
    step = ScalarLemma(
        "chain",
        "",
        (a >= b, b >= 0),
        a >= 0,
        (Term(Rational(1), a - b, "hypothesis"), Term(Rational(1), b, "hypothesis")),
    )
    found = judged(step)
    assert (found.verdict, found.grade) == ("consistent", "outline")


@pytest.mark.parametrize(
    ("opinion", "verdict", "grade"),
    [
        ("proved", "consistent", "outline"),
        ("unknown", "consistent", "outline"),
        ("refuted", "inconclusive", None),
    ],
)
def test_one_solver_alone_is_no_proof(monkeypatch, opinion, verdict, grade):
    monkeypatch.setattr(solvers(), "second_opinion", lambda hypotheses, goal: opinion)
    found = judged(ScalarLemma("young", "", (a >= 0,), 2 * a <= 1 + a**2))
    assert (found.verdict, found.grade) == (verdict, grade)


def test_a_solver_that_does_not_know_decides_nothing(monkeypatch):
    monkeypatch.setattr(solvers(), "prove", lambda hypotheses, goal: "unknown")
    found = judged(SQUARE, LEMMA)
    assert found.verdict == "inconclusive"
    assert found.reason == "not decided: young"
    assert not found.rejects


def test_a_slack_may_rest_on_a_hypothesis_that_is_then_declared():
    step = Certificate("slack", "", 0 * a, a, (Term(Rational(1), a, "hypothesis: a is a length"),))
    found = judged(step)
    assert found.verdict == "consistent"
    assert found.reason == "outline under {a is a length}"


# With a >= 1 the difference a is (a - 1) + 1.
BOUND = ScalarLemma(
    "bound", "a >= 0", (a >= 1,), a >= 0, (Term(Rational(1), a - 1, ""), Term(Rational(1), Rational(1), ""))
)


def test_a_slack_may_rest_on_another_step_but_not_on_an_unknown_one():
    good = Certificate("slack", "", 0 * a, a, (Term(Rational(1), a, "bound"),))
    assert judged(BOUND, good).verdict == "consistent"
    unknown = Certificate("slack", "", 0 * a, a, (Term(Rational(1), a, "because I say so"),))
    found = judged(BOUND, unknown)
    assert found.refuted
    assert "no earlier step of the derivation" in found.reason


def test_a_slack_that_names_a_lemma_must_be_what_the_lemma_says():
    wrong = Certificate("slack", "", 0 * a, a - 3, (Term(Rational(1), a - 3, "bound"),))
    found = judged(BOUND, wrong)
    assert found.refuted
    assert "not what lemma 'bound' says" in found.reason


@pytest.mark.parametrize("because", ["false", "square"])
def test_nothing_rests_on_itself_or_on_an_equation(because):
    length = symbols("x", positive=True)
    false = Certificate("false", "x <= 0", length, 0 * length, (Term(Rational(1), -length, because),))
    assert judged(SQUARE, false).refuted
