"""Uniform errors of triangular dithers, wider ones, and the mean of the laws of the codec."""

import math
from fractions import Fraction as F

import numpy as np
import pytest

import theory
from impl.compressors import DitheredQuantizer
from impl.compressors.dithered.dither_law import dithered_law, exact_dithered_law
from verify.formulas.evaluation import evaluate_exact
from verify.ndqsg.dither.dq_uniform_error import distance_from_uniform
from verify.ndqsg.fixtures.sabotaged_dither import WidthTwo

FINITE = theory.claim("ndqsg/dither-finite")


def test_a_triangular_dither_passes_too():
    # The sum of two dithers: the index is rounded from x + u + v, and both are subtracted.
    N, codec = 4, DitheredQuantizer(1, scale=1, points=4)
    dithers = [draws.shared[0] for _, draws in codec.outcomes([F(0)])]
    for x in (F(0), F(1, 3), F(1, 2), F(-1, 4)):
        found = sorted(math.floor(x + u + v + F(1, 2)) - u - v - x for u in dithers for v in dithers)
        assert distance_from_uniform(found) <= F(1, N)
        assert found[::N] == found[N - 1 :: N]  # N equally likely values
        assert len(set(found)) == N


@pytest.mark.parametrize("levels", [1, 3])
def test_wider_dithers_grow_the_alphabet_by_one(levels):
    # From |q| <= M to M + 1 in both cases, as the statement says.
    for x in ([F(1)], [F(-1)]):
        codec = WidthTwo(levels, points=8)
        wide = [codec.reference_symbols(x, draws)[0] for _, draws in codec.outcomes(x)]
        assert max(map(abs, wide)) == levels + 1
        dithers = [draws.shared[0] for _, draws in DitheredQuantizer(levels, points=8).outcomes(x)]
        triangular = [math.floor(levels * x[0] + u + v + F(1, 2)) for u in dithers for v in dithers]
        assert max(map(abs, triangular)) == levels + 1


@pytest.mark.parametrize("N", [3, 4, 2**24])
def test_laws_of_the_codec_have_the_stated_mean(N):
    # The sign as well, which no mean square shows.
    inputs = [F(1, 3), F(1, 7), F(-2, 5), F(9, 10)]
    stated = [evaluate_exact(FINITE.formulas["mean"], {"N": N, "x": x}) for x in inputs]
    exact, _ = exact_dithered_law(inputs, [F(1)] * 4, N)
    assert exact == [F(int(mean.p), int(mean.q)) for mean in stated]
    law = dithered_law(np.array([float(x) for x in inputs]), np.ones(4), N)
    # Rounding of the inputs: 1e-16 each, at means of the order of 1/N.
    assert law.mean == pytest.approx([float(mean) for mean in stated], abs=5e-16)
