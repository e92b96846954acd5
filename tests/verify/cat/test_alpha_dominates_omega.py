"""Golden numbers of the specification for the largest entries against random ones."""

from fractions import Fraction as F

import pytest

from impl.adaptive import SortedGradient, omegas
from verify.cat.alpha_dominates_omega import (
    LAWS,
    VECTORS,
    alpha,
    compare,
    compare_laws,
    interpolated,
    laws_of,
    one_fewer,
    sign_share,
)
from verify.cat.golden_vectors import GI, flat, gh, rational

SORTED = sorted((abs(item) for item in rational(GI)), reverse=True)
OMEGAS = omegas(SortedGradient(rational(GI), "test"))


def test_three_of_gi():
    assert OMEGAS[2] == F(519, 961)
    assert alpha(SORTED, 3) == F(142, 173)
    assert OMEGAS[2] <= alpha(SORTED, 3)


def test_harmonic_entries():
    g = SortedGradient(gh(), "test")
    assert omegas(g)[0] == pytest.approx(0.0724046495497, rel=1e-11)  # twelve digits are printed
    assert g.energies[0] / g.energies[-1] == pytest.approx(0.613711354449, rel=1e-11)


def test_flat_entries_have_equal_shares():
    found = omegas(SortedGradient(flat(6), "test"))
    assert found == pytest.approx([T / 6 for T in range(1, 7)], rel=1e-14)
    equal = [F(1)] * 6
    assert [alpha(equal, T) / one_fewer(equal, T) for T in range(2, 7)] == [F(T, T - 1) for T in range(2, 7)]


def test_sign_share_of_gi_is_exceeded():
    assert (OMEGAS[5], sign_share(SORTED, 6)) == (F(346, 365), F(841, 1038))
    assert float(OMEGAS[5] / sign_share(SORTED, 6)) == pytest.approx(1.170, rel=1e-3)


@pytest.mark.parametrize("name", VECTORS)
def test_holds_for_all_sizes(name):
    assert not any(item.excess for item in compare(rational(VECTORS[name])))


@pytest.mark.parametrize("name", LAWS)
def test_any_unbiased_law(name):
    g = rational(LAWS[name])
    assert all(sum(chance for chance, _ in law) == 1 for law in laws_of(g).values())
    assert not any(item.excess for item in compare_laws(g))


def test_rounding_the_mean_size_is_seen_by_jensen_alone():
    g = rational(LAWS["equal"])
    found = [item for item in compare_laws(g, rounded=True) if item.excess]
    assert {item.label for item in found} == {"mean of alpha(N)"}
    # 1/2 + 1/3 + 1/4 + 1/5 of four equal entries.
    assert (F(77, 240), F(1, 4)) in [(item.value, item.bound) for item in found]


def test_interpolation():
    shares = [F(0), F(1, 2), F(3, 4), F(1)]
    assert [interpolated(shares, F(size)) for size in range(4)] == shares
    assert interpolated(shares, F(5, 2)) == F(7, 8)
