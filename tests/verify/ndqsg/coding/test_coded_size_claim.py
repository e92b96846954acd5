"""Numbers of the claim on coded sizes, and the acceptance numbers of the specification for coders."""

import math

import numpy as np
import pytest

import theory
from impl.coding.adaptive_coder import AdaptiveCoder, ideal_bits
from verify.evaluation import evaluate
from verify.ndqsg.fixtures import literal_range_coder as literal

CLAIM = theory.claim("ndqsg/coded-size")


def formula(name, **values):
    return evaluate(CLAIM.formulas[name], values)


# Section 12: 40, 27 and 22 symbols in a word for alphabets of 3, 5 and 7.
@pytest.mark.parametrize(("alphabet", "in_a_word"), [(3, 40), (5, 27), (7, 22), (2, 64)])
def test_raw_words(alphabet, in_a_word):
    assert formula("raw", n=in_a_word, A=alphabet) == 64
    assert formula("raw", n=in_a_word + 1, A=alphabet) == 128


def test_elias_words():
    assert [formula("elias", j=j) for j in (0, 1, 2, 3, 7)] == [1, 4, 4, 6, 8]


def test_header():
    assert formula("message", b=0, N=64, B=1) == 736 + 64


def test_overhead_of_the_range_coder():
    # Worked by hand: log2(256/255) = 0.005646563141142062, the chances add 4/2^24/ln 2 = 3.4397e-7.
    per_symbol = math.log2(formula("growth", A=3))
    assert per_symbol == pytest.approx(0.005646563141142062 + 3.4397e-7, rel=1e-9)

    bound = evaluate(CLAIM.bound, {"L": 121.7739196996176, "n": 100, "A": 3})
    assert bound == pytest.approx(121.7739196996176 + 100 * per_symbol + 33, abs=1e-10)


def test_the_bound_is_nearly_attained():
    # Two words for the end, behind a range just below 2^33: found among short messages with fixed chances.
    rng = np.random.default_rng(0)
    closest = 0.0
    for _ in range(6000):
        chance = float(rng.uniform(0.05, 0.95))
        digits = rng.integers(0, 2, int(rng.integers(20, 60))).tolist()
        ideal = -sum(math.log2((1 - chance, chance)[digit]) for digit in digits)
        closest = max(closest, literal.fixed(digits, (1 - chance, chance)).bits - ideal)
    assert 32 < closest <= 33 + 60 * math.log2(formula("growth", A=2))


def test_both_coders_meet_the_acceptance_of_the_specification():
    # 20000 symbols of 7: within 64 bits and 0.1 per cent of the ideal length (35939 against 35938.006 there).
    rng = np.random.default_rng(0)
    digits = np.clip(np.rint(rng.normal(3, 0.85, 20_000)), 0, 6).astype(int)
    ideal = ideal_bits(np.bincount(digits, minlength=7))
    for bits in (AdaptiveCoder(7).bits(digits), literal.adaptive(digits.tolist(), 7).bits):
        assert abs(bits - ideal) <= 64 + 0.001 * ideal
