"""Golden numbers on desynchronised dithers, and the golden stream."""

from fractions import Fraction as F

import pytest
from sympy import Rational

import theory
from impl.compressors.contract import Key
from impl.compressors.dither_stream import fingerprint, keyed_dither
from verify.evaluation import evaluate_exact
from verify.ndqsg.protocol_desync import finite
from verify.ndqsg.sabotaged_dither import Desynchronised

CLAIM = theory.claim("ndqsg/protocol-desync")
SILENT = theory.claim("ndqsg/finding-silent-desync")
KEY = Key(seed=(2024, 0), worker=5, iteration=17, tensor=3)


@pytest.mark.parametrize(
    ("p", "golden"),
    [
        (F(1, 2), Rational(1, 3)),
        (F(1, 4), Rational(13, 48)),
        (F(1, 10), Rational(13, 75)),
        (F(0), Rational(1, 12)),
    ],
)
def test_mean_square(p, golden):
    assert evaluate_exact(CLAIM.exact, {"p": p}) == golden


@pytest.mark.parametrize(("p", "golden"), [(F(1, 2), F(85, 256)), (F(1, 4), F(69, 256))])
def test_eight_points_at_each_end(p, golden):
    assert finite(p) == golden
    codec = Desynchronised(1, scale=1, points=8)
    square = sum(chance * (codec.reference([p], draws)[0] - p) ** 2 for chance, draws in codec.outcomes([p]))
    assert square == golden


def test_average_is_three_times_and_worst_four_times_the_synchronous_variance():
    assert CLAIM.formulas["average"] * 12 == 3
    assert CLAIM.bound * 12 == 4


def test_margin_of_the_nested_quantizer_is_gone_at_three():
    assert evaluate_exact(CLAIM.formulas["margin"], {"k": 3}) == 0
    assert evaluate_exact(CLAIM.formulas["margin"], {"k": 5}) == 1


def test_golden_stream():
    assert (keyed_dither(KEY, 5) * 2**25).tolist() == [5325409, 7847269, -4780635, 7897243, 15107655]
    assert fingerprint(KEY) == 12952979127594948882


@pytest.mark.parametrize("claim", [CLAIM, SILENT], ids=lambda claim: claim.id)
def test_worst_cases(claim):
    for case in claim.worst_cases:
        assert evaluate_exact(claim.exact, case.values) == case.value
