from fractions import Fraction as F

import numpy as np
import pytest

from impl.compressors import DitheredQuantizer, Draws
from verify.ndqsg.fixtures import sabotaged_dither as sabotage
from verify.ndqsg.fixtures.dithered_run import dithered_run, usual_key

RULED = (
    sabotage.RuledQuantizer,
    sabotage.StochasticRounding,
    sabotage.HalfWidth,
    sabotage.NineTenthsWidth,
    sabotage.WidthTwo,
    sabotage.WrongSign,
    sabotage.FloorIndex,
    sabotage.NarrowStep,
    sabotage.ClippedValue,
    sabotage.EuclideanScale,
)
DRAWN = (sabotage.LeftAligned, sabotage.OnePoint, sabotage.FourBits, sabotage.SharedCoordinates)


@pytest.mark.parametrize("kind", RULED, ids=lambda kind: kind.__name__)
def test_literal_and_vectorized_forms_agree(kind):
    codec = kind(3)
    rng = np.random.default_rng(7)
    for g in ([2.0, 3.0, 6.0], [-1.0, 0.25, 0.0], [0.0, 0.0, 0.0]):
        x = np.array(g)
        draws = codec.draw(rng, (5, 3))
        exact = codec.reference([F(item) for item in g], draws) if any(g) and g[0] == 2.0 else None
        floats = codec.reference(g, draws)
        found = codec.compress(x, draws)
        # Differences of the order of one rounding of numbers below 10.
        assert np.allclose(found, floats, rtol=0, atol=1e-14)
        if exact is not None:
            assert np.allclose(found, np.array(exact, dtype=float), rtol=0, atol=1e-14)
            assert (codec.indices(x, draws) == np.array(codec.reference_symbols(g, draws))).all()


def test_the_rules_of_the_honest_quantizer_are_the_honest_quantizer():
    rng = np.random.default_rng(8)
    x = rng.standard_normal((20, 6))
    for options in ({}, {"blocks": 4}, {"scale": 1.5}):
        honest, ruled = DitheredQuantizer(2, **options), sabotage.RuledQuantizer(2, **options)
        draws = honest.draw(rng, x.shape)
        assert (honest.compress(x, draws) == ruled.compress(x, draws)).all()
        assert (honest.indices(x, draws) == ruled.indices(x, draws)).all()


@pytest.mark.parametrize("kind", DRAWN, ids=lambda kind: kind.__name__)
def test_outcomes_are_the_draws(kind):
    codec = kind(1, points=2)
    x = [F(1), F(1, 3)]
    outcomes = list(codec.outcomes(x))
    assert sum(chance for chance, _ in outcomes) == 1
    allowed = {tuple(map(float, draws.shared)) for _, draws in outcomes}
    drawn = codec.draw(np.random.default_rng(9), (200, 2)).shared
    # All of them where there are few; 16 times 16 pairs are not all met in 200 draws.
    met = {tuple(row) for row in drawn.tolist()}
    assert met <= allowed
    assert len(allowed) > 200 or met == allowed


def test_desynchronised_ends_have_their_own_dithers():
    codec = sabotage.Desynchronised(2, points=2)
    x = np.array([1.0, 0.5])
    draws = codec.draw(np.random.default_rng(3), (2,))
    expected = DitheredQuantizer(2).message(x, Draws(shared=draws.shared)).symbols - draws.private
    assert np.allclose(codec.compress(x, draws), expected / 2)
    assert np.allclose(codec.reference([1.0, 0.5], draws), expected / 2)
    assert sum(chance for chance, _ in codec.outcomes([F(1), F(1, 2)])) == 1


def test_a_run_is_reproducible_and_its_errors_are_half_a_step():
    codec = DitheredQuantizer(2)
    first, second = (dithered_run(codec, np.random.default_rng(4), iterations=5) for _ in range(2))
    assert (first.decoded == second.decoded).all()
    assert first.gradients.shape == (5, 4, 16)
    assert np.abs(first.errors(2)).max() <= 0.5 + 1e-9
    assert usual_key((1, 2), 3, 4).worker == 3
