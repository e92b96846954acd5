"""CAT-S on every node diverges for every step; unbiased entries do not."""

from fractions import Fraction as F

import pytest

from impl.errors import ArgumentError
from verify.cat.finding_local_topk_diverges import FAULTS, STATED, compare_growth, compare_what_holds, growth


@pytest.mark.parametrize("gamma", [F(6, 103), F(6, 10300)])
def test_the_objective_grows_by_the_square(gamma):
    assert growth(gamma, 2) == (1 + F(11, 6) * gamma) ** 4


def test_growth_after_ten_rounds():
    # The square of the printed 2.75852082102.
    assert growth(6 / 103, 10) == pytest.approx(2.75852082102**2, rel=1e-11)


def test_holds():
    assert not any(item.excess for item in [*compare_growth(STATED), *compare_what_holds()])


@pytest.mark.parametrize("name", ["unbiased-entries", "large-fixed-cost"])
def test_mutants_are_rejected(name):
    assert any(item.excess for item in compare_growth(FAULTS[name]))


def test_the_method_refuses_it():
    import numpy as np

    from impl.adaptive import cat_s
    from impl.communication import Affine
    from impl.optimizers import cat_gd
    from impl.problems import Quadratic

    with pytest.raises(ArgumentError, match="biased"):
        cat_gd(
            Quadratic(np.ones((2, 3))),
            lambda g: cat_s(g, Affine(1, 0), entry_bits=1),
            step_size=0.1,
            rounds=1,
            rng=np.random.default_rng(0),
            start=np.ones(3),
        )
