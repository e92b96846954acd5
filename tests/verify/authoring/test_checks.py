"""What the engine makes of check functions: labels, mutants on the same comparisons, refusals."""

from contextlib import nullcontext
from dataclasses import replace
from fractions import Fraction as F

import numpy as np
import pytest
from sympy import Integer, Symbol

from theory.claim import Part, Relation, Variable
from theory.hypotheses import parameter
from verify.authoring import checks_of, eq, le
from verify.authoring.perturbation import perturbations
from verify.binding import Unit
from verify.comparison import ROUND_OFF, Tolerance
from verify.errors import CheckError
from verify.judging.judgement import judge_unit
from verify.judging.verdicts import judge_claim
from verify.rungs.adversarial import AdversarialCase
from verify.rungs.montecarlo import MonteCarloCase


def test_an_exact_check_holds_at_its_instance_and_watches_itself(bench):
    bench.square_check()
    record = bench.record()
    assert (record["rung"], record["instance"]) == ("exact", "against-the-formula")
    assert (record["verdict"], record["grade"]) == ("holds", "instance")
    label = record["labels"]["square"]
    assert (label["verdict"], label["grade"], label["relation"], label["count"]) == (
        "holds",
        "instance",
        "eq",
        3,
    )
    assert "bound times 16/17" in label["rejected_by"]
    assert record["unwatched"] == []


def test_a_comparison_that_fails_says_at_which_point_of_its_grid(bench):
    @bench.judge.exact(x=[F(1), F(7, 2), F(2)], scale=F(3))
    def grown(law, x, scale):
        yield le("small", scale * x, F(10))

    record = bench.record()
    assert record["verdict"] == "violated"
    assert record["reason"] == "small: value 21/2 exceeds 10, at x = 7/2"
    assert record["witness"] == {"label": "small", "x": "7/2"}


def test_floats_are_numerical(bench):
    @bench.judge.exact(x=2.5)
    def doubled(law, x):
        yield le("double", law.double(x), law("other", x=x), ROUND_OFF)
        yield eq("triple", 3 * x, law("other", x=x), ROUND_OFF)

    record = bench.record()
    assert record["grade"] == "numerical"
    assert record["labels"]["double"]["tolerance"] == 1e-12
    # 16/17 of the bound is still above; nothing else was declared.
    assert record["unwatched"] == ["double"]
    assert bench.result(("a", (), ("exact/double",))).verdict == "untested"
    assert bench.result(("a", (), ("exact/triple",))).verdict == "holds"


def test_a_declared_mutant_is_rejected_by_the_same_comparisons(bench):
    bench.square_check()

    @bench.judge.mutant("Cube instead of square.", at=("exact/*",))
    def cube_for_square(law):
        return law.replace(square=lambda value: value**3)

    @bench.judge.mutant("Half of the bound.")
    def halved(law):
        return law.replace(bound=lambda formula: formula / 2)

    @bench.judge.data_mutant("Another y.")
    def other_y(x, y):
        return {"y": y + 1}

    @bench.judge.data_mutant("The sign of x.", neutral=True)
    def opposite(x, y):
        return {"x": -x}

    record = bench.record()
    rejected = {item["name"]: (item["rejected"], item["labels"]) for item in record["mutants"]}
    assert rejected == {
        "cube-for-square": (True, ["square"]),
        "halved": (True, ["square"]),
        "other-y": (True, ["square"]),
        "opposite": (False, []),
    }
    assert record["labels"]["square"]["rejected_by"][:3] == ["cube-for-square", "halved", "other-y"]
    result = bench.result()
    assert (result.verdict, result.grade, result.mutants_total) == ("holds", "instance", 3)


def test_a_mutant_that_fails_only_at_a_label_of_its_own_is_an_error(bench):
    @bench.judge.exact(x=2)
    def checks(law, x):
        yield eq("square", law.square(x), law.exactly("bound", x=x, y=0))
        if law.double(1) == 3:
            yield eq("made for the mutant", 1, 2)

    @bench.judge.mutant("Three for two.")
    def three_for_two(law):
        return law.replace(double=lambda value: 3 * value)

    record = bench.record()
    assert record["verdict"] == "inconclusive"
    assert "labels that the honest check does not have" in record["mutants"][0]["reason"]
    result = bench.result()
    assert result.verdict == "untested"
    assert any("three-for-two" in reason for reason in result.reasons)


def test_a_mutant_that_is_no_number_is_not_rejected_by_a_comparison(bench):
    @bench.judge.exact(x=2)
    def checks(law, x):
        yield le("square", float(law.square(x)), 100 * law("bound", x=x, y=0), ROUND_OFF)

    bench.judge.sabotage("none: Nothing.", {"square": lambda value: float("nan")})
    (mutant,) = bench.record()["mutants"]
    assert not mutant["rejected"]
    assert "NaN is no number" in mutant["reason"]


def test_a_surviving_and_a_wrongly_rejected_mutant_make_the_part_untested(bench):
    bench.square_check()

    @bench.judge.mutant("Nothing is changed.")
    def nothing(law):
        return law

    assert bench.result().verdict == "untested"
    bench.judge.law_mutants.clear()

    @bench.judge.mutant("Not neutral at all.", neutral=True)
    def not_neutral(law):
        return law.replace(square=lambda value: 0)

    assert bench.result().verdict == "untested"


def test_a_comparison_that_nothing_can_make_fail_is_unwatched(bench):
    @bench.judge.exact(x=2)
    def checks(law, x):
        yield eq("square", law.square(x), law.exactly("bound", x=x, y=0))
        yield eq("nothing", 1, 1)

    record = bench.record()
    assert record["unwatched"] == ["nothing"]
    parts = ("a", (), ("exact/square",)), ("b", (), ("exact/nothing",)), ("c", (), ("exact/*",))
    result = bench.result(*parts)
    assert [part.verdict for part in result.parts] == ["holds", "untested", "untested"]
    assert result.verdict == "untested"
    assert any("unwatched" in reason for reason in result.reasons)


def test_a_bound_that_is_computed_from_a_formula_is_watched_by_a_second_run(bench):
    runs = []

    @bench.judge.exact(x=2)
    def checks(law, x):
        runs.append(x)
        yield eq("shifted", law.square(x) + 1, law.exactly("bound", x=x, y=0) + 1)

    assert bench.record()["unwatched"] == []
    assert len(runs) == 2


def test_a_side_that_moves_with_the_other_is_no_watch(bench):
    @bench.judge.exact(x=2)
    def checks(law, x):
        bound = law.exactly("bound", x=x, y=0)
        yield eq("itself", bound + 0, bound)

    assert bench.record()["unwatched"] == ["itself"]


@pytest.mark.parametrize("method", ["exactly", "__call__"])
def test_one_comparison_of_a_formula_with_itself_makes_its_label_unwatched(bench, method):
    @bench.judge.exact(x=2)
    def checks(law, x):
        yield eq("square", law.square(x), law.exactly("bound", x=x, y=0))
        value, bound = (getattr(law, method)("bound", x=x, y=0) for _ in range(2))
        yield eq("square", value, bound, ROUND_OFF)

    assert bench.record()["unwatched"] == ["square"]


def test_a_relation_that_is_not_proved_needs_a_check_of_one_of_its_formulas(bench):
    v, w, x = (Symbol(name, real=True) for name in "vwx")
    part = ("a", ("tripled",), ("exact/square",))
    tripled = Relation((v, 3 * x), ("=",))

    @bench.judge.exact(x=2)
    def squares(law, x):
        yield eq("square", law.square(x), law.exactly("bound", x=x, y=0))

    (found,) = bench.result(part, relations={"tripled": tripled}).parts
    assert found.verdict == "untested"
    (reason,) = found.reasons
    assert "its checks evaluate bound, nothing that stands on one of its sides as it is written" in reason
    assert "(formulas that do: other)" in reason

    @bench.judge.exact(x=2)
    def triples(law, x):
        yield eq("square", law.square(x) + 2, law.exactly("other", x=x))

    assert [record["evaluated"] for record in bench.records()] == [["bound"], ["other"]]
    assert bench.result(part, relations={"tripled": tripled}).parts[0].verdict == "holds"
    # A name for which another relation states a value stands for it.
    more = {"tripled": Relation((w, v + 1), ("=",)), "value": tripled}
    other = ("b", ("value",), ("exact/square",))
    assert [item.verdict for item in bench.result(part, other, relations=more).parts] == ["holds", "holds"]
    unknown = bench.result(part, relations={"tripled": Relation((v, x), ("<=",))}).parts[0]
    assert "formulas that do: none: add one to `formulas`" in unknown.reasons[0]


@pytest.mark.parametrize(
    ("compare", "both", "verdict"), [(eq, False, "untested"), (le, False, "holds"), (eq, True, "holds")]
)
def test_that_something_equals_the_smaller_side_says_nothing_of_a_bound(bench, compare, both, verdict):
    x, y = (Symbol(name, real=True) for name in "xy")

    @bench.judge.exact(x=2)
    def checks(law, x):
        yield compare("square", law.square(x), law.exactly("bound", x=x, y=0))
        if both:
            yield eq("other", 6, law.exactly("other", x=x))

    said = {"below": Relation((x**2 + y / 4, 3 * x), ("<=",))}
    assert bench.result(("a", ("below",), ("exact/square",)), relations=said).parts[0].verdict == verdict


def test_a_name_alone_is_no_formula_of_a_relation_but_where_it_is_a_side(bench):
    v, x = Symbol("v", real=True), Symbol("x", real=True)
    part = ("a", ("said",), ("exact/square",))
    formulas = {"bound": x, "other": Integer(5), "unused": 3 * x}

    @bench.judge.exact(x=2)
    def squares(law, x):
        yield eq("square", law.square(x), law.exactly("bound", x=x, y=0))
        yield eq("square", law.square(x) + 2, law.exactly("other", x=x))

    def verdict(*sides):
        claim = {"relations": {"said": Relation(sides, ("<=",))}, "formulas": formulas}
        return bench.result(part, **claim).parts[0].verdict

    assert verdict(x**2, x + 1) == "untested"
    assert verdict(x**2, x) == "holds"
    assert verdict(v, 5) == "holds"
    assert verdict(v, v + 5) == "untested"


def test_one_formula_at_two_inputs_may_be_compared(bench):
    @bench.judge.exact(x=2)
    def checks(law, x):
        yield eq("square", law.square(x), law.exactly("bound", x=x, y=0))
        yield le("square", law.exactly("bound", x=x, y=0), law.exactly("bound", x=x + 1, y=0))

    assert bench.record()["unwatched"] == []


def test_all_constants_are_perturbed_in_the_full_profile(bench):
    @bench.judge.exact(x=[0, 2], y=[0])
    def checks(law, x, y):
        yield eq("square", law.square(x), law.exactly("bound", x=x, y=y))

    assert bench.record()["unnoticed"] == []
    record = bench.record("full")
    # The check is blind to y, and says so.
    assert any(text.startswith("bound: constant 1/4") for text in record["unnoticed"])
    assert any(text.startswith("bound: exponent 2") for text in record["noticed"])
    assert any("not noticed" in reason for reason in bench.result(profile="full").reasons)


REFUSED = {
    "float in an exact comparison": (lambda: eq("a", 0.5, F(1, 2)), "value=0.5 is not rational"),
    "nan": (lambda: le("a", float("nan"), 1.0, ROUND_OFF), "value=nan must be a finite"),
    "infinite bound": (lambda: le("a", 1.0, float("inf"), ROUND_OFF), "bound=inf must be a finite"),
    "nameless tolerance": (lambda: eq("a", 1.0, 1.0, Tolerance(1e-3, "because")), "has no name"),
    "no label": (lambda: eq(" ", 1, 1), "has no label"),
    "no comparison": (lambda: 1, "is no comparison"),
}


@pytest.mark.parametrize(("make", "message"), REFUSED.values(), ids=REFUSED)
def test_what_decides_nothing_is_refused(bench, make, message):
    @bench.judge.exact
    def checks(law):
        yield make()

    record = bench.record()
    assert record["verdict"] == "inconclusive"
    assert message in record["reason"]
    assert "fake/new exact/checks" in record["reason"]
    assert "\n" not in record["reason"]
    assert bench.result(("a", (), ("exact/a",))).verdict == "untested"


def test_one_label_has_one_relation(bench):
    @bench.judge.exact
    def checks(law):
        yield eq("a", 1, 1)
        yield le("a", 1, 1)

    assert "has the relations eq, le" in bench.record()["reason"]


def test_an_exit_in_a_check_ends_that_check_only(bench):
    @bench.judge.exact
    def checks(law):
        yield eq("a", 1, 1)
        raise SystemExit(0)

    record = bench.record()
    assert record["verdict"] == "inconclusive"
    assert "SystemExit" in record["reason"]


def test_a_check_without_comparison_is_no_evidence(bench):
    @bench.judge.exact
    def checks(law):
        yield from ()

    record = bench.record()
    assert (record["verdict"], record["labels"]) == ("inconclusive", {})
    assert "the check itself failed" in record["reason"]

    assert bench.result(("a", (), ("exact/a",))).verdict not in ("holds", "consistent")


def test_a_search_is_watched_at_its_witness(bench):
    @bench.judge.adversarial(d=2)
    def largest_square(law, d):
        return AdversarialCase(
            lambda inputs: (inputs**2).sum(axis=1),
            lambda inputs: np.array([law("bound", x=float(np.linalg.norm(row)), y=0) for row in inputs]),
            d,
            starts=(np.ones(d),),
            budget=200,
        )

    record = bench.record()
    assert (record["verdict"], record["unwatched"]) == ("consistent", [])
    assert record["labels"]["largest square"]["rejected_by"] == ["bound times 16/17"]
    result = bench.result(("a", (), ("adversarial/largest square",)))
    assert (result.verdict, result.grade) == ("consistent", "search")
    bench.judge.sabotage("larger: A larger bound. | bound = 2 * bound")
    assert bench.record()["verdict"] == "inconclusive"


def test_a_search_of_nothing_is_unwatched(bench):
    @bench.judge.adversarial
    def nothing(law):
        return AdversarialCase(
            lambda inputs: 0 * inputs[:, 0], lambda inputs: 0 * inputs[:, 0] * law("bound", x=1, y=0), 1
        )

    assert bench.record()["unwatched"] == ["nothing"]


def test_a_constant_is_changed_in_both_directions():
    (change,) = (item for item in perturbations("other", 3 * Symbol("x")) if "constant 3" in item.description)
    assert [float(formula.coeff(Symbol("x"))) for formula in change.formulas] == [51 / 16, 48 / 17]


def test_a_search_whose_objective_is_no_number_is_refused(bench):
    @bench.judge.adversarial
    def undefined(law):
        return AdversarialCase(lambda inputs: inputs[:, 0] * np.nan, lambda inputs: inputs[:, 0], 1)

    assert "objective is not a number" in bench.record()["reason"]


def test_samples_need_a_declared_mutant_in_the_quick_profile(bench):
    @bench.judge.montecarlo(instance="uniform")
    def mean_of_square(law):
        value = law("other", x=F(1, 6))
        return MonteCarloCase("eq", lambda rng, size: law.square(rng.random(size)) * 1.5, value, upper=1.5)

    assert bench.judge.checks()[0].base.tests == 1
    part = ("a", (), ("montecarlo/mean of square",))
    assert bench.result(part).verdict == "untested"

    @bench.judge.mutant("Double for square.")
    def doubled(law):
        return law.replace(square=law.double)

    result = bench.result(part)
    assert (result.verdict, result.grade) == ("holds", "guaranteed")


def test_a_sampling_verdict_needs_samples(bench):
    @bench.judge.montecarlo
    def certain(law):
        return MonteCarloCase("le", lambda rng, size: rng.random(size), 2.0, upper=1.0)

    record = bench.record()
    assert record["verdict"] == "inconclusive"
    assert "no sample was drawn" in record["reason"]


def test_drift_receives_the_stream_of_its_arm(bench):
    drawn = []

    @bench.judge.drift(instance="visited")
    def along_runs(law, rng):
        value = float(rng.random())
        drawn.append(value)
        yield eq("triple", 3 * value, law("other", x=value), ROUND_OFF)

    @bench.judge.mutant("Double.")
    def double(law):
        return law.replace(other=lambda formula: formula * 2)

    record = bench.record()
    assert (record["rung"], record["verdict"], record["grade"]) == ("run", "consistent", "search")
    assert len(drawn) == 2
    assert drawn[0] != drawn[1]
    assert record["unwatched"] == []


def test_declarations_that_fit_nothing_are_refused(bench):
    bench.square_check()

    @bench.judge.mutant("Nowhere.", at=("exact/nowhere",))
    def nowhere(law):
        return law

    with pytest.raises(CheckError, match="at='exact/nowhere' matches no check; checks: exact/against"):
        bench.judge.checks()
    bench.judge.law_mutants.clear()
    bench.square_check()
    with pytest.raises(CheckError, match="check exact/against-the-formula is there twice"):
        bench.judge.checks()
    with pytest.raises(CheckError, match="law has replace already"):
        checks_of("fake/new", replace=1)
    with pytest.raises(CheckError, match="profile='ful' must be 'quick', or 'full'"):
        bench.judge.exact(profile="ful")
    with pytest.raises(CheckError, match="needs='nosuch' is no data set: mnist, "):
        bench.judge.exact(needs="nosuch")


def test_an_implementation_does_not_hide_behind_a_formula(bench):
    bench.square_check()
    bench.judge.implementations = {**bench.judge.implementations, "bound": abs}
    (record,) = bench.records()
    assert "bound is a formula of the claim, too" in record["reason"]


@pytest.mark.parametrize(
    ("shown", "given", "is_shown"),
    [
        ({"d": 4}, {"d": 4}, True),
        ({"d": 2}, {"d": [2, 3]}, True),
        ({"d": 10**6}, {"d": 4}, False),
        ({"codecs": ["a", "b", "c"]}, {"codecs": ("a", "b")}, False),
        ({"codecs": ["a", "b"]}, {"codecs": ("a", "b")}, True),
        ({"method": "standard", "d": 9}, {"method": ("std", "block")}, True),
    ],
)
def test_a_record_shows_the_arguments_that_a_check_has(bench, shown, given, is_shown):
    declare = bench.judge.exact(parameters=shown, **given)
    with nullcontext() if is_shown else pytest.raises(CheckError, match="parameters show"):
        declare(lambda law, **given: ())


@pytest.mark.parametrize(("places", "verdict"), [([1, -3], "untested"), ([1, 5], "holds")])
def test_a_relation_is_not_checked_where_its_hypotheses_are_false(bench, places, verdict):
    x, y = (Symbol(name, real=True) for name in "xy")

    @bench.judge.exact(x=places)
    def checks(law, x):
        yield le("square", law.square(x), law.exactly("bound", x=x, y=0))

    claim = replace(
        bench.claim,
        relations={"said": Relation((x**2, x**2 + y / 4), ("<=",), under=("large",))},
        parts=(Part("a", "text", ("said",), ("exact/square",)),),
        hypotheses={"large": parameter(r"$x\ge2$")},
        variables=(Variable(x, "x", r"\mathbb R", "number"), Variable(y, "y", r"\mathbb R", "number")),
    )
    records = [judge_unit(Unit(claim, check), "quick", 7) for check in bench.judge.checks()]
    assert judge_claim(claim, records, problems=[]).verdict == verdict
