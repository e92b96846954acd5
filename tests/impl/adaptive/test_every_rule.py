"""What every rule owes: nothing for a zero gradient, and choices that do not depend on the scale."""

from fractions import Fraction as F
from functools import partial

import numpy as np
import pytest

from impl.adaptive import (
    Choice,
    cat_qsgd,
    cat_qsgd_reference,
    cat_s,
    cat_s_reference,
    cat_sq,
    cat_sq_reference,
    cat_st,
    cat_st_reference,
)
from impl.communication import PRESETS, Affine, LoRaAirtime, Payload
from verify.cat.fixtures.golden_vectors import GI

FAST = [cat_s, cat_sq, cat_st, cat_qsgd]
RULES = [*FAST, cat_s_reference, cat_sq_reference, cat_st_reference, cat_qsgd_reference]
COSTS = [Payload(), Affine(1, 5), PRESETS["eth"], LoRaAirtime()]


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("cost", COSTS, ids=repr)
@pytest.mark.parametrize("zero", [[0.0, 0.0], [F(0), F(0)], np.zeros(5), [0.0]], ids=repr)
def test_a_zero_gradient_sends_nothing(rule, cost, zero):
    for dense in (False, True):
        assert rule(zero, cost, dense=dense) == Choice(0, 0, 0, 0, 0, None)


@pytest.mark.parametrize("rule", FAST)
@pytest.mark.parametrize("scale", [5e-324, 1e-310, 2.0**-600, 1e-160, 2.0**500, 1e155, 1e300])
def test_scale_does_not_matter(rule, scale):
    chosen = partial(rule, cost=Affine(1, 20))
    plain, scaled = (chosen(factor * np.array(GI, dtype=float)) for factor in (1.0, scale))
    assert scaled.size == plain.size
    # A subnormal gradient has few digits itself; of one with whole numbers none is lost.
    digits = 1e-13 if scale == 5e-324 or scale > 1e-307 else 1e-6
    for name in ("share", "efficiency", "step_factor"):
        assert getattr(scaled, name) == pytest.approx(getattr(plain, name), rel=digits)
    sent = scaled.compressor.sample(scale * np.array(GI, dtype=float), np.random.default_rng(0), 50)
    assert np.isfinite(sent).all()
