"""Orderings and exponents of medians: each verdict, cut-off runs, and what the record shows."""

import numpy as np
import pytest

from verify.context import Context
from verify.errors import CheckError
from verify.rungs.costs import CostCase, Exponent, Ordering
from verify.rungs.run import judge

HERE = Context("fake/one", "run", "here")
ORDER = [Ordering("a", "b", 1.0)]


def samples(**centers):
    """Return 40 samples within 10 % of each center."""

    def make(stream):
        found = {}
        for index, (name, center) in enumerate(centers.items()):
            values = center * (0.9 + 0.2 * stream(index).random(40))
            found[name] = values, values
        return found

    return make


@pytest.mark.parametrize(("factor", "verdict"), [(0.7, "holds"), (0.5, "inconclusive"), (0.3, "violated")])
def test_ordering(factor, verdict):
    found = judge(CostCase(samples(a=1.0, b=2.0), [Ordering("a", "b", factor)]), HERE)
    assert found.verdict == verdict
    assert found.grade == (None if verdict == "inconclusive" else "guaranteed")
    assert (found.samples, found.tests) == (40, 1)
    assert set(found.witness["medians"]) == {"a", "b"}


@pytest.mark.parametrize("factor", [0.42, 0.48, 0.5, 0.52, 0.6])
def test_intervals_that_overlap_decide_nothing(factor):
    # Of 40 samples the intervals go from the second smallest to the second largest.
    spread = np.linspace(0.8, 1.2, 40)
    case = CostCase(
        lambda _: {"a": (spread, spread), "b": (2 * spread, 2 * spread)}, [Ordering("a", "b", factor)]
    )
    found = judge(case, HERE)
    (low, high), (first, last) = found.witness["medians"]["a"], found.witness["medians"]["b"]
    assert factor * first < high
    assert low < factor * last
    assert found.verdict == "inconclusive"


def test_one_refuted_claim_refutes_the_case_and_is_named():
    claims = [Ordering("a", "b", 1.0), Ordering("b", "a", 1.0)]
    found = judge(CostCase(samples(a=1.0, b=2.0), claims), HERE)
    assert found.verdict == "violated"
    assert found.reason.startswith("b [")


def test_a_run_that_was_cut_off_can_be_the_larger_one_only():
    values = np.full(40, 100.0)

    def make(stream):
        return {"short": (np.ones(40), np.ones(40)), "cut": (values, np.full(40, np.inf))}

    assert judge(CostCase(make, [Ordering("short", "cut", 0.5)]), HERE).verdict == "holds"
    assert judge(CostCase(make, [Ordering("cut", "short", 200.0)]), HERE).verdict == "inconclusive"
    assert judge(CostCase(make, [Ordering("cut", "short", 50.0)]), HERE).verdict == "violated"


def power(exponent, sizes):
    return {f"n={n}": float(n) ** exponent for n in sizes}


@pytest.mark.parametrize(
    ("exponent", "side", "verdict"),
    [
        (1.0, "both", "holds"),
        (0.5, "both", "violated"),
        (1.5, "at_least", "holds"),
        (0.4, "at_least", "violated"),
        (0.4, "at_most", "holds"),
    ],
)
def test_exponent(exponent, side, verdict):
    sizes = (4, 16, 64, 256)
    names = [f"n={n}" for n in sizes]
    claim = Exponent("cost", sizes, names, [""] * 4, 1.0, 0.15, side)
    found = judge(CostCase(samples(**power(exponent, sizes)), [claim]), HERE)
    assert found.verdict == verdict
    assert "exponent of cost in [" in found.reason


def test_a_ratio_of_equal_costs_has_exponent_zero():
    sizes = (4, 16, 64, 256)
    centers = {f"{side}{n}": n**2.0 for n in sizes for side in "ab"}
    claim = Exponent("a / b", sizes, [f"a{n}" for n in sizes], [f"b{n}" for n in sizes], 0.0, 0.15)
    assert judge(CostCase(samples(**centers), [claim]), HERE).verdict == "holds"


def test_streams_are_keyed_by_the_arm():
    case = CostCase(samples(a=1.0, b=2.0), [Ordering("a", "b", 0.7)])
    other = Context("fake/one", "run", "here", "mutant:x")
    medians = [judge(case, context).witness["medians"] for context in (HERE, HERE, other)]
    assert medians[0] == medians[1] != medians[2]


@pytest.mark.parametrize("cost", [0.0, np.inf])
def test_costs_that_are_nothing_or_never_reached_are_in_no_order(cost):
    same = np.full(40, cost)
    case = CostCase(lambda _: {"a": (same, same), "b": (same, same)}, [Ordering("a", "b", 1.0)])
    assert judge(case, HERE).verdict == "inconclusive"


@pytest.mark.parametrize(("cost", "verdict"), [(0.0, "holds"), (1.0, "violated")])
def test_that_there_is_none_may_be_claimed(cost, verdict):
    found = {"a": (np.full(40, cost),) * 2, "0": (np.zeros(40),) * 2}
    assert judge(CostCase(lambda _: found, [Ordering("a", "0", 1.0)]), HERE).verdict == verdict


@pytest.mark.parametrize(
    ("claims", "words"),
    [
        ([], "claims nothing"),
        ([Ordering("a", "a", 1.0)], "compared with itself"),
        ([Ordering("a", "b", np.inf)], "factor=inf"),
        ([Exponent("cost", (1, 2), ("a", "b"), ("", ""), 1.0, 0.5)], "tolerance=0.5 must be at most"),
    ],
)
def test_claims_that_nothing_could_refute_are_refused(claims, words):
    with pytest.raises(CheckError, match=words):
        judge(CostCase(samples(a=1.0, b=2.0), claims), HERE)


def test_ends_that_are_turned_are_refused():
    case = CostCase(lambda _: {"a": (np.full(40, 5.0), np.ones(40)), "b": (np.full(40, 2.0),) * 2}, ORDER)
    with pytest.raises(CheckError, match="lower end lies above"):
        judge(case, HERE)
