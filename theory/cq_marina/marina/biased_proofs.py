r"""Parts of the proof of `cq_marina/marina-biased`: kinds of messages, roots and the best split."""

from typing import Any

from sympy import Sum, sqrt

from theory.cq_marina.marina.biased import (
    ANY,
    CLIENTS,
    CONTRACTIVE_X,
    HALF,
    MEAN,
    OUTCOMES,
    OWN,
    RADICAL,
    ROOT,
    SCALED_BIAS,
    SCALED_VARIANCE,
    SPREAD,
    UNBIASED,
    L,
    P,
    X_b,
    X_v,
    alpha,
    bias,
    bias_sq,
    err,
    i,
    kappa,
    n,
    o,
    omega,
    r,
    rho,
    s,
    second,
    sigma,
    size,
    w,
)
from theory.cq_marina.marina.round import (
    COORDINATES,
    R,
    V,
    X,
    j,
    p,
    v,
)
from theory.facts.sums.cauchy_schwarz import cauchy_schwarz
from theory.formula import eq, le, lt


def contractive(K: Any) -> None:
    """Cauchy-Schwarz with the weights, outcome by outcome."""
    K.index(CLIENTS, OUTCOMES)
    total = K.given("weights", 1)
    K.know(K.given("weights"), *(K.given("outcomes", k) for k in (2, 3, 4)))
    sums, shares = Sum(err[o, i, j], CLIENTS), Sum(err[o, i, j] ** 2 / w[i], CLIENTS)
    spread = cauchy_schwarz(K, err[o, i, j] / w[i], 1, CLIENTS, w[i])
    share = K.cert(le((sums / n) ** 2, shares / n**2), (1 / n**2, spread), (shares / n**2, total))
    sides = (Sum((sums / n) ** 2, COORDINATES), Sum(shares / n**2, COORDINATES))
    weighed = K.cert(le(P[o] * sides[0], P[o] * sides[1]), (P[o], K.sum_over(share, COORDINATES)))
    outcome = K.sum_over(weighed, OUTCOMES)
    client = K.cert(
        le(OWN / (n**2 * w[i]), (1 - alpha) * size[i] / (n**2 * w[i])),
        (1 / (n**2 * w[i]), K.at(K.given("contractive"), i)),
        (-1 / (n**2 * w[i]), K.at(K.given("outcomes", 1), i)),
    )
    bound = (1 - alpha) * Sum(size[i] / (n**2 * w[i]), CLIENTS)
    first = K.cert(
        le(second, bound), (1, K.given("outcomes")), (1, outcome), (1, K.sum_over(client, CLIENTS))
    )
    K.conclude("contractive", first)
    K.know(K.at(K.given("own-smoothness", 1), i))
    sum_L = Sum(L[i], CLIENTS)
    K.know(K.sum_over(K.at(K.given("own-smoothness", 1), i), CLIENTS))
    each = K.cert(
        le(size[i] / (n**2 * w[i]), L[i] * sum_L * R / n**2),
        (sum_L / (n**2 * L[i]), K.at(K.given("own-smoothness"), i)),
        (-size[i] * sum_L / (n**2 * L[i] * w[i]), K.at(K.given("proportional"), i)),
    )
    keeps = K.cert(le(0, 1 - alpha), (1, K.given("contractive", 1)))
    K.know(keeps)
    K.conclude(
        "weights",
        K.cert(le(second, CONTRACTIVE_X * R), (1, first), (1 - alpha, K.sum_over(each, CLIENTS))),
    )


def scaled(K: Any) -> None:
    """Variances of independent messages add up; the bias is that of the scale."""
    K.know(K.given("scaled", 2), K.given("scaled", 7))
    spread = K.identity(SPREAD, sigma**2 / n**2 * Sum(r[i, j], CLIENTS))
    v_is = K.cert(
        eq(v[j], sigma**2 / n**2 * Sum(r[i, j], CLIENTS)), (1, K.at(K.given("scaled"), j)), (1, spread)
    )
    message = K.cert(
        le(Sum(r[i, j], COORDINATES), omega * size[i]),
        (-1, K.at(K.given("scaled", 3), i)),
        (1, K.at(K.given("scaled", 4), i)),
    )
    factor = sigma**2 / n**2
    variance = K.cert(
        le(V, SCALED_VARIANCE * R),
        (1, K.given("coordinates")),
        (1, K.sum_over(v_is, COORDINATES)),
        (factor, K.sum_over(message, CLIENTS)),
        (factor * omega * n, K.given("scaled", 5)),
    )
    K.conclude("scaled-variance", variance)
    square = K.cert(
        eq(bias[j] ** 2, (1 - sigma) ** 2 * MEAN**2),
        (bias[j] + (sigma - 1) * MEAN, K.at(K.given("scaled", 1), j)),
    )
    K.conclude(
        "scaled-bias",
        K.cert(
            le(bias_sq, SCALED_BIAS * R),
            (1, K.given("coin", 1)),
            (1, K.sum_over(square, COORDINATES)),
            ((1 - sigma) ** 2, K.given("scaled", 6)),
        ),
    )


def roots(K: Any) -> None:
    """No bias, any bias."""
    odds, kept = (1 - p) / p, sqrt(1 - p)
    K.conclude(
        "unbiased",
        K.cert(
            eq(sqrt((1 - p) * p * X_v) / p, UNBIASED),
            (1 / p, K.axiom("root-product", odds * X_v, p**2, HALF)),
            (UNBIASED / p, K.axiom("root-root", p, 2, HALF)),
        ),
    )
    K.know(K.cert(lt(0, 1 - kept), (1, K.power(K.cert(lt(1 - p, 1), (1, K.given("signs"))), HALF))))
    share = sqrt(X / p)
    K.conclude(
        "any",
        K.cert(
            eq(((1 - p) * sqrt(X) + sqrt((1 - p) * X)) / p, ANY),
            (1 / p, K.axiom("root-product", 1 - p, X, HALF)),
        ),
        K.cert(
            le(ANY, 2 / sqrt(p) * sqrt(odds * X)),
            (kept * share / sqrt(p), 1 - kept),
            (-2 / sqrt(p), K.axiom("root-product", 1 - p, X / p, HALF)),
            (kept * (1 + kept) / p, K.axiom("root-product", X / p, p, HALF)),
        ),
    )


def best(K: Any) -> None:
    """At the best split the bound on kappa is attained."""
    both = X_b + p * X_v
    K.know(K.given("best", 1), K.given("best", 2))
    K.know(K.cert(lt(0, both), (1, K.given("best", 1)), (1, p * X_v)))
    K.know(K.cert(lt(0, (1 - p) * both), (both, K.given("best", 2))))
    K.know(K.cert(lt(0, rho), (1, K.sign(lt(0, ROOT))), (-1, K.given("rho"))))
    inside = K.cert(
        lt((1 - p) * (1 + s), 1),
        (1 / rho, K.sign(lt(0, RADICAL))),
        (1 - p, K.given("best")),
        (-p / rho, K.given("rho")),
    )
    K.conclude("range", inside)
    K.know(inside)
    K.conclude(
        "attained",
        K.cert(eq(kappa, rho**2), using=[K.given("kappa"), K.given("best"), K.given("rho")]),
    )
