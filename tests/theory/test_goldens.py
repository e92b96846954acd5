"""Golden numbers of the specification for formulas at values where no check of the claim evaluates them."""

from decimal import Decimal
from fractions import Fraction as F
from math import cos, log

import pytest

import theory
from verify.formulas.evaluation import evaluate

GI = (9, 6, 5, 4, 3, 2, 1, 1)
GH = tuple(1 / j for j in range(1, 65))
GC = tuple(sorted((abs(cos(j)) for j in range(1, 1001)), reverse=True))
NOISE = {"sigma_n_sq": F(1, 4), "D": F(1, 12)}
SILENT = {"X_v": 0, "X_b": 1, "L_minus": 1}
CHOSEN = {"n": 10, "d": 32, "L_plus": 1}

# At a fixed p, equal clients; shifted clients; from x = 1 to T = 40 for f = x^2 / 2.
FIXED = {"p": 0.1, "d": 100}
EXCESS_IQ = ((10, "9.439279633531"), (40, "4.719639816766"))
SHIFTED = {"L": 1, "gamma": 0.05, "S_sq": 1}
FROM_ONE = {"Delta_0": 0.5, "E_0": 0, "T": 40}

# Of DIANA+; of a method at its best budget.
RIDGE = {"n": 4, "mu": 0.01}
BUDGET = {"kappa": 8, "L": 0.25, "n": 4}

MEMORY = {"gamma": 0.05, "L": 2.5, "mu": 0.2, "r": 0.5, "T": 30, "Z": 3, "Delta_0": 7}
ROUND = {"gamma": 0.05, "L": 2.5, "r": 0.6, "D": 4, "H": 9, "Z": 3}

LONGER = ((250, "8.49567833415"), (500, "16.6645998092"), (2000, "65.6781286600"))
CORNERS = {"G": 0, "L": 1, "q": 1, "B_sq": 1, "G_sq": 2, "n": 4}
RISES = ((0.2, "0.01"), (0.1, "0.0025"), (0.05, "0.000625"))
# r, T_c, the best size, its efficiency and its gain, at rho = 0.9 and d = 1000.
TUNED = (
    (1, "4.04754181459", 4, "0.06878", "68.84878"),
    (10, "11.111613485", 11, "0.0326756859005", "33.0024427595"),
    (100, "25.17480574", 25, "0.00742568160985", "8.16824977083"),
)


def _tuned(r, end, T, efficiency, gain):
    """Yield the size of the largest efficiency, and what the best integer size gives."""
    yield "cat/scaling exact", {"rho": 0.9, "r": r}, end
    yield "cat/scaling efficiency", {"rho": 0.9, "T": T, "d": 1000, "r": r}, efficiency
    yield "cat/scaling gain", {"rho": 0.9, "T": T, "d": 1000, "r": r}, gain


def _norm(magnitudes):
    return sum(item * item for item in magnitudes) ** 0.5


# Claim and formula, values, the number as it is printed.
GOLDENS = [
    ("cat/qsgd-adaptive exact", {"g": GI, "N": 173**0.5, "d": 8, "levels": 1}, "0.424288594773"),
    ("cat/qsgd-adaptive exact", {"g": GI, "N": 173**0.5, "d": 8, "levels": 2}, "0.733836961814"),
    ("cat/qsgd-adaptive exact", {"g": GI, "N": 173**0.5, "d": 8, "levels": 3}, "0.873817449674"),
    ("cat/qsgd-adaptive exact", {"g": GI, "N": 173**0.5, "d": 8, "levels": 4}, "0.914333063924"),
    ("cat/mn-joint-rule optimum", {"n": 16, "d": 1024, "c_0": 10, "c_1": 1}, "26.1278905897"),
    ("cat/mn-joint-rule gain", {"n": 16, "d": 1024, "c_0": 10, "c_1": 1, "T": 26}, "8.45010215307"),
    ("cat/scaling gain", {"rho": 0.9, "T": 11, "d": 4000, "r": 10}, "131.029500461"),
    *(("cat/scaling gain", {"rho": 0.9, "T": 11, "d": d, "r": 10}, gain) for d, gain in LONGER),
    *(row for r, *printed in TUNED for row in _tuned(r, *printed)),
    ("cat/special-cases exact", {"s": GI, "d": 8}, "0.620071684588"),
    ("cat/special-cases exact", {"s": GH, "d": 64}, "0.343479758385"),
    ("cat/special-cases exact", {"s": GC, "d": 1000}, "0.785129523886"),
    ("cat/special-cases one_level_share", {"s": GI, "d": 8, "N": 173**0.5}, "0.424288594773"),
    ("cat/special-cases one_level_share", {"s": GH, "d": 64, "N": _norm(GH)}, "0.26908112076"),
    ("cat/sq-descent beta", {"s": GH, "d": 64, "T": 20}, "0.397185723153"),
    ("cat/st-waterfill exact", {"s": GI, "d": 8, "k": 0, "T": 2.5}, "0.450052029136"),
    ("cat/st-waterfill exact", {"s": GI, "d": 8, "k": 0, "T": 0.75}, "0.135015608741"),
    ("cat/st-waterfill knee", {"s": GI, "d": 8}, "3.44444444444"),
    ("cat/sq-range rho", {"d": 4}, "1.34439015941"),
    ("cat/contractions sign", {"X": 173, "X_1": 31, "d": 8}, "0.305635838150"),
    ("cat/memory-bounded fixed", {"delta": 0.36, "beta": 0.2}, "16.5517241379"),
    ("cat/memory-bounded simple", {"delta": 0.36}, "19.7530864198"),
    ("cat/memory-bounded norm", {"r": 0.8, "T": 10}, "3.5705032704"),
    ("cat/memory-descent bound", {**ROUND, "mu": 0.2}, "3.98267578125"),
    ("cat/memory-descent round", {**ROUND, "G": 5}, "3.94892578125"),
    ("cat/memory-descent descent", {"gamma": 0.05, "L": 2.5, "D": 4, "H": 9, "A": 6, "G": 5}, "3.744140625"),
    ("cat/memory-descent nodes", {"L_max": 4, "mu": 0.2, "G": 5, "optimal": 3}, "206"),
    ("cat/memory-rates bound", MEMORY, "21.6491104549"),
    ("cat/memory-rates rate", MEMORY, "5.41227761372"),
    ("cat/memory-rates average", {k: v for k, v in MEMORY.items() if k != "mu"}, "18.7604166667"),
    ("cat/memory-rates alone", {"L": 2.5, "mu": 0.2, "r": 0.5, "T": 30, "Delta_0": 7}, "7.63678047135"),
    ("cat/memory-rates alone_average", {"L": 2.5, "r": 0.5, "T": 30, "Delta_0": 7}, "9.33333333333"),
    ("cat/atoms bound", {"s": (4, 1, 1), "p": (1, 0.5, 0.25), "d": 3}, "4"),
    ("cat/sq-range rho", {"d": 100}, "2.14894797354"),
    ("cat/sq-range rho", {"d": 10**4}, "3.30024025965"),
    # The specification prints 0.4653439784, which is not one over its own rho_100.
    ("cat/sq-range best", {"d": 100}, "0.46534397869"),
    ("cat/mn-topk-diverges exact", {"gamma": F(6, 103), "K": 1}, "1.10679611650"),
    # It prints 2.75852082102; (114/103)^10 is 2.7585208210110...
    ("cat/mn-topk-diverges exact", {"gamma": F(6, 103), "K": 10}, "2.758520821011"),
    *(("cat/mn-nonconvex one_step", {**CORNERS, "gamma": gamma}, rise) for gamma, rise in RISES),
    ("ndqsg/conv-convex bound", {"L": 1, "R": 1, "V": 3 / 16, "eta": 1 / 4, "T": 100}, "0.0579166666667"),
    ("ndqsg/conv-convex bound", {"L": 1, "R": 1, "V": 3 / 16, "eta": 1 / 4, "T": 1000}, "0.0339166666667"),
    (
        "ndqsg/conv-strong bound",
        {"mu": 0.1, "eta": 0.8, "r_0": 1, "sigma_sq": 0.5, "omega": 1, "P": 4, "T": 50},
        "2.0154664758318",
    ),
    ("ndqsg/levels-tradeoff exact", {"c": 0.1, "M": 1}, "1.7434587507933"),
    ("ndqsg/levels-tradeoff exact", {"c": 1, "M": 2}, "2.9024101186092"),
    ("ndqsg/levels-tradeoff exact", {"c": 10, "M": 7}, "4.7042152069572"),
    ("ndqsg/levels-tradeoff exact", {"c": 100, "M": 27}, "6.5744131721700"),
    ("ndqsg/dither-finite mean", {"N": 2**24, "x": 1 / 3}, "-1.99e-8"),
    ("ndqsg/nested-decoding uniform_overload", {"width": 1.05, "k": 3}, "0.00119047619"),
    ("ndqsg/nested-alpha best", {"D": 1 / 12, "sigma_z_sq": 0.1}, "0.583333333333"),
    ("ndqsg/nested-alpha-aggregate exact", {**NOISE, "m": 4, "a": 0.81}, "0.043972395833"),
    ("ndqsg/nested-alpha-aggregate relative_gain", {"sigma_n_sq": 0, "D": 1}, "0.125"),
    ("ndqsg/side-information estimate", {"sample_sq": 1 / 24, "D": 1 / 12, "m": 2}, "0.0208333333333"),
    ("cq_marina/ab-cq A", {"n": 10, "d": 32}, "3.408888888889"),
    ("cq_marina/ab-cq B", {"n": 10, "d": 32}, "3.088888888889"),
    ("cq_marina/ab-cq A", {"n": 5, "d": 2}, "0.455"),
    ("cq_marina/ab-cq B", {"n": 5, "d": 2}, "0.375"),
    ("cq_marina/ab-cq A", {"n": 4, "d": 8}, "2.166666666667"),
    ("cq_marina/ab-cq B", {"n": 4, "d": 8}, "1.666666666667"),
    ("cq_marina/ab-cq A", {"n": 10, "d": 3}, "0.4744444444444"),
    ("cq_marina/ab-cq B", {"n": 10, "d": 3}, "0.4444444444444"),
    ("cq_marina/ab-permk theta", {"n": 6, "d": 3}, "0.4"),
    ("cq_marina/ab-permk theta", {"n": 7, "d": 3}, "0.3518518518519"),
    ("cq_marina/ab-permk theta", {"n": 5, "d": 2}, "0.2708333333333"),
    ("cq_marina/ab-permk theta", {"n": 5, "d": 3}, "0.5833333333333"),
    ("cq_marina/comm-ratio threshold", {"c": 1 / 32}, "7.5078"),
    *(("cq_marina/comm-scaling excess_iq", {**FIXED, "n": n}, excess) for n, excess in EXCESS_IQ),
    ("cq_marina/comm-scaling excess_cq", {**FIXED, "n": 10}, "3"),
    ("cq_marina/comm-scaling excess_cq", {**FIXED, "n": 40}, "0.75"),
    ("cq_marina/dsgd value", {**SHIFTED, "omega": 1.75, "v": 8, "k": 20}, "1.172830242736"),
    ("cq_marina/dsgd floor", {**SHIFTED, "omega": 7}, "0.21875"),
    ("cq_marina/dsgd floor", {"L": 1, "gamma": 0.05, "omega": 1.75, "S_sq": 1}, "0.04697986577181"),
    # One of 69 entries, five clients: MARINA and DIANA in public code, 31.4 L and 2675 L, 85 times.
    ("cq_marina/finding-public-diana marina_step", {"L": 1, "n": 5, "omega": 68}, "0.031836462973"),
    ("cq_marina/finding-public-diana public_step", {"L": 1, "n": 5, "omega": 68}, "0.000373874230"),
    ("cq_marina/marina-biased step_size", {**SILENT, "p": 0.5}, "0.2928932188135"),
    ("cq_marina/marina-biased step_size", {**SILENT, "p": 0.1}, "0.05131670194949"),
    (
        "cq_marina/marina-biased step_size",
        {"p": 0.05, "X_v": 0.75, "X_b": 0.25, "L_minus": 1},
        "0.04772751981656",
    ),
    *(
        ("cq_marina/marina-biased bound", {"p": p, "gamma": gamma, "s": p, **FROM_ONE}, bound)
        for p, gamma, bound in (
            (0.5, 0.2928932188135, "0.0853553390593"),
            (0.1, 0.05131670194949, "0.48717082451"),
        )
    ),
    ("cq_marina/marina-cq-rate X", {**CHOSEN, "L_pm": 0.0}, "0.32"),
    ("cq_marina/marina-cq-rate X", {**CHOSEN, "L_pm": 0.1}, "0.3508888888889"),
    ("cq_marina/marina-cq-rate X", {**CHOSEN, "L_pm": 0.5}, "1.092222222222"),
    ("squant/bounds coarse", {"L": (4, 1), "h": (3, 3), "d": 2}, "12.3693168769"),
    ("squant/bounds quarter", {"L": (4, 1), "h": (3, 3), "d": 2}, "11.25"),
    ("squant/bounds coarse", {"L": (9, 4, 1), "h": (2, 3, 6), "d": 3}, "22.4499443206"),
    ("squant/bounds quarter", {"L": (9, 4, 1), "h": (2, 3, 6), "d": 3}, "27"),
    ("squant/steps c_plus", {"L": (4, 1, 1, 1), "d": 4}, "8.71779788708135"),
    ("squant/steps c_block", {"F": (17**0.5, 2**0.5), "m": (2, 2), "B": 2}, "7.83095189484530"),
    ("squant/steps c_plus", {"L": (9, 4, 4, 1, 1, 1), "d": 6}, "26.3818119165458"),
    ("squant/steps c_block", {"F": (97**0.5, 17**0.5, 2**0.5), "m": (2, 2, 2), "B": 3}, "21.7593401720294"),
    ("squant/steps-diana total_weight", {"L": (1, 0.1, 0.01), "d": 3, **RIDGE}, "30.75"),
    *(
        ("squant/steps-diana step", {"L_j": L, "W": 30.75, "beta": 2, **RIDGE}, step)
        for L, step in ((1, "0.543758289061"), (0.1, "1.48203528009"), (0.01, "2.47991935353"))
    ),
    ("squant/steps-diana norm", {"w": (26, 3.5, 1.25), "W": 30.75, "beta": 2, "d": 3}, "2.93974516725"),
    (
        "squant/steps-diana smoothness_value",
        {"L": (1, 0.1, 0.01), "w": (26, 3.5, 1.25), "W": 30.75, "beta": 2, "d": 3, **RIDGE},
        "14.1034650582",
    ),
    ("squant/steps-diana bound", {"W": 30.75, "beta": 2}, "15.375"),
    *(
        ("squant/bits sparse_gamma", {"u": (d**-0.5,) * d, "d": d, "B": 1}, bits)
        for d, bits in ((16, "56.6119914161973"), (64, "92.5553125373626"), (100, "112.600564113253"))
    ),
    ("squant/bits-bound bound", {"beta": 4, "d": 64, "B": 1}, "86.2502999447953"),
    ("squant/bits-bound bound", {"beta": 16, "d": 256, "B": 16}, "711.201109123618"),
    ("squant/bits-bound bound", {"beta": 300, "d": 100, "B": 1}, "700.608985274744"),
    ("squant/bits-bound bound", {"beta": 10, "d": 100, "B": 1}, "143.987913918980"),
    ("squant/floor exact", {"d": 16, "delta": 1e-4, "step": 2}, "284.685422799274"),
    ("squant/floor unaware", {"d": 16, "step": 2}, "7"),
    ("squant/gain-block V_ratio", {"n": 16}, "5.83870967741935"),
    ("squant/gain-block V_ratio", {"n": 64}, "21.8346456692913"),
    ("squant/gain-block V_ratio", {"n": 256}, "85.8336594911937"),
    ("squant/gain-optimal best_cost", {**BUDGET, "a": 32, "c": 64, "mu": 1}, "354.509667991878"),
    ("squant/gain-optimal best_budget", {**BUDGET, "a": 32, "c": 64}, "22.6274169979695"),
    ("squant/gain-optimal best_cost", {**BUDGET, "a": 128, "c": 16, "mu": 1}, "186.509667991878"),
    ("squant/gain-diana std", {"chi": 28, "rho": 4 / 7, "n": 4}, "412"),
    ("squant/gain-diana std", {"chi": 496, "rho": 16 / 31, "n": 16}, "25072"),
    ("squant/gain-diana std", {"chi": 8128, "rho": 64 / 127, "n": 64}, "1580992"),
    ("squant/gain-diana std", {"chi": 130816, "rho": 256 / 511, "n": 256}, "100794112"),
]


@pytest.mark.parametrize(("formula", "values", "printed"), GOLDENS)
def test_golden(formula, values, printed):
    id, name = formula.split()
    # Half a unit of the last digit, and the last digits of a double.
    found = evaluate(theory.claim(id).formulas[name], values)
    assert found == pytest.approx(float(printed), rel=2e-14, abs=0.501 * _unit(printed))


@pytest.mark.parametrize(("r", "printed"), [(r, end) for r, end, *_ in TUNED])
def test_golden_by_lambert_s_function(r, printed):
    formula = theory.claim("cat/scaling").formulas["maximiser"]
    values = {"decay": -log(0.9), "r": r}
    found = float(formula.evalf(30, subs={symbol: values[symbol.name] for symbol in formula.free_symbols}))
    assert found == pytest.approx(float(printed), rel=2e-14, abs=0.501 * _unit(printed))


def _unit(printed):
    """Return the unit of the last digit."""
    return 10.0 ** Decimal(printed).as_tuple().exponent
