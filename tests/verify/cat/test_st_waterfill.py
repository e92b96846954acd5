"""Golden numbers of the specification for the best chances of a given size."""

from fractions import Fraction as F

import numpy as np
import pytest

from impl.adaptive import SortedGradient, cat_st, keep_probabilities, omegas
from impl.communication import Affine
from verify.cat.golden_vectors import GI, gc, gh, rational
from verify.cat.sabotaged_chances import clipped_only, equal_chances, squared_magnitudes
from verify.cat.st_waterfill import (
    INSTANCES,
    SABOTAGED,
    compare,
    compare_optimal,
    compare_shape,
    dual_value,
    stated,
)

# All numbers below are printed with twelve digits.
TWELVE = 1e-11


def share(g, p):
    return sum(item * item for item in g) / sum(item * item / q for item, q in zip(g, p, strict=True) if q)


def test_knee_and_a_size_below_one():
    g = rational(GI)
    assert stated("knee", g, F(1)) == F(31, 9)
    assert float(stated("knee", g, F(1))) == pytest.approx(3.44444444444, rel=TWELVE)
    assert float(stated("exact", g, F(3, 4))) == pytest.approx(0.135015608741, rel=TWELVE)
    assert float(stated("exact", g, F(5, 2))) == pytest.approx(0.450052029136, rel=TWELVE)


@pytest.mark.parametrize(
    ("g", "T", "omega"),
    [
        (gh(), 5, 0.361759650571),
        (gh(), 20, 0.872640506634),
        (gc(), 50, 0.0616665873895),
        (gh(), 1, 0.0724046495497),
    ],
)
def test_shares(g, T, omega):
    assert omegas(SortedGradient(g, "test"))[T - 1] == pytest.approx(omega, rel=TWELVE)
    assert share(g, keep_probabilities(g, T)) == pytest.approx(omega, rel=TWELVE)


def test_rule_on_gi():
    g = rational(GI)
    tie = cat_st(g, Affine(), entry_bits=1)
    assert (tie.size, tie.efficiency) == (1, F(173, 961))
    assert [stated("exact", g, F(T)) / T for T in (2, 3)] == [F(173, 961)] * 2
    paid = cat_st(g, Affine(1, 5), entry_bits=1)
    assert (paid.size, paid.efficiency) == (6, F(346, 4015))


@pytest.mark.parametrize(
    ("g", "size", "efficiency"), [(gh(), 14, 0.000661373805727), (gc(), 663, 2.87120064703e-5)]
)
def test_rule_with_headers(g, size, efficiency):
    choice = cat_st(g, Affine(1, 624))
    assert choice.size == size
    assert choice.efficiency == pytest.approx(efficiency, rel=TWELVE)


def test_squared_magnitudes():
    g = rational(GI)
    assert share(g, squared_magnitudes(g, F(1))) == F(1, 8)
    factor = stated("exact", g, F(1)) / F(1, 8)
    assert float(factor) == pytest.approx(1.440, rel=1e-3)  # four digits are printed


def test_clipped_only():
    g = rational(GI)
    p = clipped_only(g, F(5))
    assert float(sum(p)) == pytest.approx(4.548, rel=1e-3)
    assert float(share(g, p)) == pytest.approx(0.795768, rel=1e-6)
    assert float(stated("exact", g, F(5))) == pytest.approx(0.855025, rel=1e-6)
    assert float(stated("exact", g, F(5)) / share(g, p)) == pytest.approx(1.074, rel=1e-3)


def test_best_real_size_is_at_least_the_knee():
    g = rational(GI)
    for fixed in (F(1, 100), F(1), F(20)):
        sizes = [F(n, 36) for n in range(1, 8 * 36 + 1)]
        best = max(sizes, key=lambda T: stated("exact", g, T) / (T + fixed))
        assert best >= F(31, 9)
    for fixed in (F(1, 1000), F(1, 3), F(2), F(50)):
        choice = cat_st(g, Affine(1, fixed), entry_bits=1)
        assert choice.size >= 3  # the whole part of the knee


@pytest.mark.parametrize("name", INSTANCES)
def test_holds(name):
    assert not any(item.excess for item in compare(INSTANCES[name]))


@pytest.mark.parametrize("name", SABOTAGED)
def test_mutants_are_rejected(name):
    assert any(item.excess for item in compare(INSTANCES["gi"], SABOTAGED[name]))


@pytest.mark.parametrize("name", INSTANCES)
def test_shape_and_optimum(name):
    instance = INSTANCES[name]
    assert not any(item.excess for item in (*compare_optimal(instance), *compare_shape(instance)))


def test_equal_chances_have_the_right_sum_and_are_not_optimal():
    g, instance = rational(GI), INSTANCES["gi"]
    for T in instance.sizes:
        assert sum(equal_chances(g, T)) == T
        assert share(g, equal_chances(g, T)) == T / 8
    found = [item.witness["T"] for item in compare_optimal(instance, equal_chances) if item.excess]
    assert found == instance.sizes[:-1]


def test_a_convex_share_is_rejected_by_slopes_alone():
    found = [item.label for item in compare_shape(INSTANCES["gi"], convex=True) if item.excess]
    assert found
    assert all(label.startswith("slopes") for label in found)


def test_dual_value_is_a_lower_bound():
    rng, g, T = np.random.default_rng(0), rational(GI), F(4)
    floor = dual_value(g, keep_probabilities(g, T), T)
    assert floor == sum(item * item for item in g) / stated("exact", g, T)
    for _ in range(50):
        weights = [F(int(item)) for item in rng.integers(1, 50, len(g))]
        q = [min(F(1), T * item / sum(weights)) for item in weights]
        assert sum(item * item / chance for item, chance in zip(g, q, strict=True)) >= floor
        assert dual_value(g, q, T) <= floor
