"""Literal shares against small cases by hand, and all sets of survivors against the mean."""

from fractions import Fraction as F

import numpy as np
import pytest

from verify.cat.fixtures import literal_shares as literal

G = [F(3), F(0), F(-4), F(1)]


def test_shares_by_hand():
    assert literal.alphas(G) == [F(16, 26), F(25, 26), 1, 1]
    assert literal.betas(G) == [F(16, 26), F(49, 52), F(64, 78), F(64, 104)]
    # T = 2: 4 * 2 <= 8, so nothing is certain; T = 3: everything is.
    assert literal.omegas(G) == [F(26, 64), F(52, 64), 1]
    assert [literal.certain([F(4), F(3), F(1), F(0)], T) for T in (1, 2, 3)] == [0, 0, 2]
    assert literal.chances(G, 2) == [F(3, 4), 0, 1, F(1, 4)]


def test_floats_are_the_same():
    g = np.array([float(item) for item in G])
    assert literal.float_alphas(g) == pytest.approx([float(item) for item in literal.alphas(G)], rel=1e-15)
    assert literal.float_betas(g) == pytest.approx([float(item) for item in literal.betas(G)], rel=1e-15)


def test_expected_cost_of_an_affine_price_and_of_a_packet():
    assert literal.expected_cost(G, 2, lambda survivors: 5 + survivors) == 7
    # Of two open coins none, one or both survive beside the certain entry.
    assert literal.expected_cost(G, 2, lambda survivors: int(survivors > 1)) == 1 - F(1, 4) * F(3, 4)
