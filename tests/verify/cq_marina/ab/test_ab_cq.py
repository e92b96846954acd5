"""Golden numbers of the specification on `cq_marina/ab-cq`."""

from fractions import Fraction as F

import numpy as np
import pytest

from impl.compressors import CorrelatedQuantizer
from verify.authoring.law import Law
from verify.cq_marina.ab.ab_cq import batch_bound, half_for_all_norms, one_client
from verify.evidence.supremum_search import search_supremum

LAW = Law("", {}, {}).of("cq_marina/ab-cq")
QUANTIZER = CorrelatedQuantizer("binary")

# The pairs are given with 13 digits.
DIGITS = 1e-12


@pytest.mark.parametrize(
    ("n", "d", "A", "B"),
    [
        (10, 32, 3.408888888889, 3.088888888889),
        (5, 2, 0.455, 0.375),
        (4, 8, 2.166666666667, 1.666666666667),
        (10, 3, 0.4744444444444, 0.4444444444444),
    ],
)
def test_pairs(n, d, A, B):
    found = [LAW.exactly(name, n=n, d=d) for name in ("A", "B")]
    assert [float(item) for item in found] == pytest.approx([A, B], rel=DIGITS)
    assert found[0] - found[1] == F(d, n * n)
    larger = max(F(n - 2, 2 * (n - 1)), F(d, n) - F(1, n - 1))
    assert found[1] == larger


def ratio(a, law=LAW):
    inputs = np.array([[[float(item) for item in row] for row in a]])
    return float(QUANTIZER.variance(inputs)[0] / batch_bound(law, inputs)[0])


@pytest.mark.parametrize(("n", "first"), [(4, 4), (8, 6)])
def test_half_fails_for_one_client_from_this_dimension_on(n, first):
    for d in range(1, 12):
        found = ratio(one_client(n, d), half_for_all_norms(LAW))
        assert (found > 1 + 1e-9) == (d >= first) == (d > F(n * (n + 1), 2 * (n - 1)))


@pytest.mark.parametrize(("n", "d", "expected"), [(3, 2, 0.985), (4, 2, 0.971), (6, 2, 0.996)])
def test_largest_ratios_found_by_search(n, d, expected):
    def f(inputs):
        a = inputs.reshape(-1, n, d)
        return QUANTIZER.variance(a) / batch_bound(LAW, a)

    found = search_supremum(f, n * d, budget=6000, batch=True)
    assert found.value == pytest.approx(expected, abs=5e-4)


def test_five_clients_with_three_coordinates():
    # The specification's search found .997; these five inputs of equal norms do a little better.
    a = ((1, 1, 2), (1, 1, 2), (1, 1, 2), (1, 2, 1), (2, 1, 1))
    assert 0.997 < ratio(a) < 1
