"""DCGD+ as a claim of one step and of its rate, with derivations whose constants can be changed."""

from __future__ import annotations

from typing import Any

from claims import claim, families, said, symbols
from sympy import Sum, oo

from theory.claim import Claim, Relation
from theory.expectation import E
from theory.formula import Formula, IsInteger, eq, every, le, lt
from verify.kernel.kernel import Kernel

n, d, mu, L, gamma, k, Lmax, D, R, R_next, sigma, i, j = symbols(
    "n d mu L gamma k Lcal_max D R R_next sigma i j"
)
Lcal, v, e, y, z, p, ps, D_i, r = families("Lcal v e y z p p_star D_i r")
NODES, COORDINATES = (i, 0, n - 1), (j, 0, d - 1)


def nodes(body: Any) -> Any:
    return Sum(body, NODES)


def coordinates(body: Any) -> Any:
    return Sum(body, COORDINATES)


DIFFERENCE = coordinates((p[i, j] - ps[i, j]) ** 2)
NOISE = nodes(Lcal[i] * coordinates(ps[i, j] ** 2)) / n
VARIANCE = coordinates(v[i, j])
MOVED = E((z[j] - gamma * (y[j] + nodes(e[i]) / n)) ** 2, e, NODES, mean=0, variance=v[i, j])
STEP = le(gamma * (L + 2 * Lmax / n), 1)
ONE_STEP = said(R_next, "<=", (1 - gamma * mu) * R + 2 * gamma**2 * NOISE / n)


def rate(m: Any) -> Any:
    return (1 - gamma * mu) ** m * r[0] + 2 * gamma * sigma / (mu * n)


RATE = said(r[k], "<=", rate(k), (k, 0, oo))

HYPOTHESES: dict[str, Any] = {
    "n": (IsInteger(n), le(1, n)),
    "d": (IsInteger(d), le(1, d)),
    "constants": every(le(0, Lcal[i]), NODES),
    "positive": (lt(0, L), lt(0, mu), lt(0, gamma)),
    "variances": every(le(0, v[i, j]), COORDINATES, NODES),
    "largest": every(le(Lcal[i], Lmax), NODES),
    "prox": le(R_next, coordinates(MOVED)),
    "compressor": every(le(VARIANCE, Lcal[i] * coordinates(p[i, j] ** 2)), NODES),
    "cocoercive": every(le(DIFFERENCE, 2 * D_i[i]), NODES),
    "mean-cocoercive": le(coordinates(y[j] ** 2), 2 * L * D),
    "bregman": eq(D, nodes(D_i[i]) / n),
    "strong": le(D + mu / 2 * R, coordinates(y[j] * z[j])),
    "distance": eq(R, coordinates(z[j] ** 2)),
    "order": le(mu, L),
    "sigma": le(0, sigma),
    "tower": every(le(r[k + 1], (1 - gamma * mu) * r[k] + 2 * gamma**2 * sigma / n), (k, 0, oo)),
}


def dcgd(
    step: Formula = STEP, one_step: Relation = ONE_STEP, rate_: Relation = RATE, without: tuple[str, ...] = ()
) -> Claim:
    hypotheses = {name: item for name, item in (HYPOTHESES | {"step": step}).items() if name not in without}
    return claim({"one-step": one_step, "rate": rate_}, **hypotheses)


def one_step(K: Kernel, goal: Any, *, slack: Any = None, young: int = 2, step: Any = 2 * gamma * D) -> Any:
    """Return the one-step bound; `slack` is a further term of the certificate."""
    K.index(NODES, COORDINATES)
    exact = K.sum_over(
        K.identity(MOVED, (z[j] - gamma * y[j]) ** 2 + gamma**2 / n**2 * nodes(v[i, j])), COORDINATES
    )
    square = le(p[i, j] ** 2, young * (p[i, j] - ps[i, j]) ** 2 + young * ps[i, j] ** 2)
    entries = K.sum_over(K.cert(square, (1, (p[i, j] - 2 * ps[i, j]) ** 2)), COORDINATES)
    node = K.cert(
        le(VARIANCE, 2 * Lmax * DIFFERENCE + 2 * Lcal[i] * coordinates(ps[i, j] ** 2)),
        (1, K.at(K.given("compressor"), i)),
        (Lcal[i], entries),
        (2 * DIFFERENCE, K.at(K.given("largest"), i)),
    )
    K.know(
        K.cert(le(0, D), (1 / (2 * L), K.given("mean-cocoercive")), (1 / (2 * L), coordinates(y[j] ** 2))),
        K.cert(le(0, Lmax), (1, K.at(K.given("largest"), 0)), (1, K.at(K.given("constants"), 0))),
    )
    more = [] if slack is None else [slack]
    return K.cert(
        goal,
        (1, K.given("prox")),
        (1, exact),
        (2 * gamma, K.given("strong")),
        (gamma**2, K.given("mean-cocoercive")),
        (gamma**2 / n**2, K.sum_over(node, NODES)),
        (2 * gamma**2 * Lmax / n**2, K.sum_over(K.at(K.given("cocoercive"), i), NODES)),
        (step, K.given("step")),
        *more,
        using=(K.given("distance"), K.given("bregman")),
    )


def iterated(K: Kernel) -> Any:
    """Return the rate, by induction from one step."""
    factor = K.cert(
        le(0, 1 - gamma * mu), (1, K.given("step")), (gamma, K.given("order")), (2 * gamma * Lmax / n, 1)
    )
    K.know(factor)
    base = K.cert(le(r[0], rate(0)), (1, 2 * gamma * sigma / (mu * n)))
    before = K.assume(le(r[k], rate(k)))
    step = K.cert(le(r[k + 1], rate(k + 1)), (1, K.at(K.given("tower"), k)), (1 - gamma * mu, before))
    return K.induction(k, base, step)


def goal_of(relation: Relation) -> Any:
    return relation.formulas[0]


def derive(K: Kernel) -> None:
    K.conclude("one-step", one_step(K, goal_of(ONE_STEP)))
    K.conclude("rate", iterated(K))
