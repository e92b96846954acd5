"""Golden numbers of the specification for dithers, messages, runs and overloads, as they are printed."""

from fractions import Fraction as F

import numpy as np
import pytest
from scipy import stats

import theory
from impl.compressors import DitheredQuantizer, OneBit, StochasticQuantizer
from verify.formulas.evaluation import evaluate, evaluate_exact
from verify.ndqsg.fixtures.nested_overload_oracle import moments

FIRST = (F(3), F(-1), F(1, 2), F(0))
SECOND = (F(1, 3), F(-2, 3), F(1), F(1, 7), F(0), F(-5, 6))
QUANTILES = {
    "gauss": stats.norm.ppf((np.arange(1000) + 0.5) / 1000),
    "laplace": stats.laplace.ppf((np.arange(1000) + 0.5) / 1000),
    "sparse": np.concatenate([stats.norm.ppf((np.arange(50) + 0.5) / 50), np.zeros(950)]),
}


def formula(name):
    id, key = name.split()
    return theory.claim(f"ndqsg/{id}").formulas[key]


def exactly(name, **values):
    return F(str(evaluate_exact(formula(name), values)))


@pytest.mark.parametrize(
    ("N", "x", "mean", "variance", "mse"),
    [
        (4, F(1, 3), F(-1, 12), F(5, 64), F(49, 576)),
        (16, F(1, 7), F(-1, 56), F(85, 1024), F(4181, 50176)),
        (256, F(3, 10), F(1, 1280), F(21845, 262144), F(546129, 6553600)),
    ],
)
def test_finite_dithers(N, x, mean, variance, mse):
    dithers = [F(2 * j + 1, 2 * N) - F(1, 2) for j in range(N)]
    errors = [(x + u + F(1, 2)).__floor__() - u - x for u in dithers]
    assert (sum(errors) / N, sum(e**2 for e in errors) / N) == (mean, mse)
    assert exactly("dither-finite mean", N=N, x=x) == mean
    assert exactly("dither-finite exact", N=N) == variance == mse - mean**2


def test_desynchronised_dithers_of_eight_points():
    found = [exactly("protocol-desync finite", p=p, N=8) for p in (F(1, 2), F(1, 4))]
    assert found == [F(85, 256), F(69, 256)]


@pytest.mark.parametrize(
    ("g", "dithered", "blocks", "rounded"),
    [
        (FIRST, (3, F(3, 4), F(1, 3)), F(37, 96), (F(13, 4), 1, F(1, 4))),
        (SECOND, (F(1, 2), F(1, 8), F(1, 18)), F(11, 108), (F(415, 588), F(32, 147), F(97, 1764))),
    ],
)
def test_variances_of_two_vectors(g, dithered, blocks, rounded):
    # A continuous dither: that of N points has the factor 1 - 1/N^2.
    d, kappa = len(g), max(map(abs, g))
    for M, wanted, other in zip((1, 2, 3), dithered, rounded, strict=True):
        assert exactly("dqsg-variance exact", kappa_b=(kappa,), d_b=(d,), B=1, M=M) == wanted
        assert exactly("sr-versus-dqsg exact", g=g, kappa=kappa, M=M, d=d) == other
        assert StochasticQuantizer(F(1, M), norm="max").variance(list(g)) == other
    scales = tuple(max(map(abs, block)) for block in (g[:2], g[2:]))
    assert exactly("dqsg-variance exact", kappa_b=scales, d_b=(2, d - 2), B=2, M=2) == blocks


@pytest.mark.parametrize(
    ("g", "qsgd", "one_bit"),
    [(FIRST, 1.433201123261228, F(31, 6)), (SECOND, 0.46387027858366261, F(2119, 3528))],
)
def test_other_methods_at_two_vectors(g, qsgd, one_bit):
    floats = np.array(g, dtype=float)
    norm = float(np.linalg.norm(floats))
    assert evaluate(formula("sr-versus-dqsg euclidean"), {"g": g, "norm": norm, "s": 2, "d": len(g)}) == (
        pytest.approx(qsgd, rel=1e-14)
    )
    assert StochasticQuantizer(F(1, 2)).variance(floats) == pytest.approx(qsgd, rel=1e-14)
    assert OneBit().variance(list(g)) == one_bit


# Those of rounding are in `tests/impl/compressors/rounding/test_max_norm.py`.
@pytest.mark.parametrize(
    ("vector", "one", "three", "one_bit"),
    [
        ("gauss", 0.9034723642119, 0.1003858182458, 0.3628332768718),
        ("laplace", 1.9998545122221, 0.2222060569136, 0.4977688592358),
        ("sparse", 9.2519517590824, 1.0279946398980, 0.6687771988628),
    ],
)
def test_relative_variances_of_quantiles(vector, one, three, one_bit):
    x = QUANTILES[vector]
    for M, wanted in ((1, one), (3, three)):
        dithered = evaluate(formula("sr-versus-dqsg dqsg"), {"kappa": abs(x).max(), "M": M, "d": 1000})
        assert dithered / (x @ x) == pytest.approx(wanted, rel=1e-12)
        assert DitheredQuantizer(M).variance(x) / (x @ x) == pytest.approx(wanted, rel=1e-12)
    assert OneBit().variance(x) / (x @ x) == pytest.approx(one_bit, rel=1e-12)


@pytest.mark.parametrize(
    ("eta", "P", "T", "exact", "bound"),
    [
        (1 / 10, 4, 100, 0.000519390581738, 0.001157407407407),
        (1 / 2, 4, 100, 0.003425925925926, 0.010416666666667),
        (1 / 10, 1, 1000, 0.002181440443213, 0.004629629629630),
    ],
)
def test_averages_at_the_minimum(eta, P, T, exact, bound):
    V = 1 / (12 * P)
    found = evaluate(formula("conv-convex at_the_minimum"), {"V": V, "eta": eta, "T": T})
    stated = evaluate(formula("conv-convex bound"), {"L": 1, "R": 0, "V": V, "eta": eta, "T": T})
    assert (found, stated) == (pytest.approx(exact, abs=6e-16), pytest.approx(bound, abs=6e-16))


def test_runs_at_a_fixed_scale():
    given = {"lambda_": (1, F(1, 2), F(1, 10)), "x0": (1, 1, 1), "eta": F(1, 2), "v": F(1, 48), "d": 3}
    for T, printed in ((1, 1.730625), (10, 0.4147384496264312), (100, 0.0723011899627709)):
        found = exactly("quad-fixed-scale exact", **given, T=T)
        assert float(found) == pytest.approx(printed, rel=1e-14)


@pytest.mark.parametrize(
    ("lam", "x0", "eta", "M", "P", "s_sq", "T", "printed"),
    [
        (1, 1, F(1, 2), 1, 1, 0, 20, 4.508606145061735e-12),
        (1, 1, F(1, 2), 1, 4, 1, 20, 0.0909090909103397),
        (2, 3, F(1, 4), 2, 3, F(1, 10), 5, 0.0119378604127051),
    ],
)
def test_runs_at_the_scale_of_each_gradient(lam, x0, eta, M, P, s_sq, T, printed):
    a = exactly("quad-adaptive a", lambda_=lam, eta=eta, M=M, P=P)
    b = exactly("quad-adaptive b", eta=eta, M=M, P=P, s_sq=s_sq)
    found = exactly("quad-adaptive exact", a=a, b=b, x0_sq=x0**2, T=T)
    assert float(found) == pytest.approx(printed, rel=1e-13)


def test_both_rates_in_ten_dimensions():
    given = {"lambda_": 1, "eta": F(1, 2), "M": 1, "P": 2}
    low, high = exactly("quad-adaptive a", **given), exactly("quad-adaptive a_upper", d=10, **given)
    printed = {4: (0.0045991238252616, 0.0157336953245563), 8: (2.11519399600891e-5, 2.47549168565966e-4)}
    for T, ends in printed.items():
        assert [float(low**T), float(high**T)] == pytest.approx(ends, rel=5e-14)


@pytest.mark.parametrize(
    ("sigma", "k", "alpha", "overload", "mse"),
    [
        (0.3, 3, 1.0, 6.72467302512864e-5, 0.0837667660935591),
        (0.5, 3, 1.0, 8.48355735839723e-3, 0.142840260692749),
        (1.0, 5, 1.0, 0.0162170965995638, 0.455685095349094),
        (0.5, 3, 0.9, 4.1271757105795e-3, 0.105535681382386),
        (0.5, 2, 1.0, 0.0829333162706386, 0.32280825082704),
    ],
)
def test_overloads_of_normal_innovations(sigma, k, alpha, overload, mse):
    found = moments(sigma, k, alpha)
    # Differences of tails lose digits of the smallest one.
    assert (found.overload, found.mse) == (
        pytest.approx(overload, rel=1e-11),
        pytest.approx(mse, rel=1e-13),
    )
