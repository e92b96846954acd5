"""Golden numbers of the finding on the constant 1/4."""

from fractions import Fraction as F

import theory
from verify.cq_marina.quantizer.finding_quarter_constant import judge

LAW = judge._law()


def test_constants_of_the_quantizers():
    assert theory.claim("cq_marina/finding-quarter-constant").values["two"] == (1, F(1, 2))
    assert LAW.exactly("ratio_iq", d=2) == 2
    assert 16 * LAW.exactly("equal_cq", n=4, d=8) == 8
    assert 16 * LAW.exactly("claimed_cq", n=4, d=8) == 2
    assert LAW.exactly("ternary_iq", n=2, d=9) == 1


def test_constants_of_rand_k_and_messages():
    assert LAW.exactly("rand_k_claimed", d=12, K=3) == 3
    assert LAW.exactly("rand_k", n=5, d=12, K=3) == F(3, 5)
    assert (LAW.exactly("binary_bits", d=100), LAW.exactly("ternary_bits", d=100)) == (132, 232)
