"""Golden numbers of the specification for strongly convex functions."""

from fractions import Fraction as F

import pytest

from verify.ndqsg.convergence.conv_strong import judge

LAW = judge._law()


def test_bound_after_fifty_steps():
    step = LAW.exactly("step_size", L=1, omega=1, P=4)
    assert step == F(4, 5)
    values = {"mu": F(1, 10), "eta": step, "r_0": 1, "sigma_sq": F(1, 2), "omega": 1, "P": 4, "T": 50}
    # Printed with 14 digits.
    assert LAW("bound", **values) == pytest.approx(2.0154664758318, rel=5e-14)


@pytest.mark.parametrize(("P", "factor"), [(4, F(1, 49)), (1, F(1, 13))])
def test_one_dimension(P, factor):
    h = LAW.exactly("largest_h", omega=F(1, 12), P=P)
    assert LAW.exactly("factor", h=h, omega=F(1, 12), P=P) == factor == 1 - h


def test_step_of_different_workers_is_shorter():
    assert LAW.exactly("step_size_different", L=1, omega=1, P=4) == F(2, 3)
