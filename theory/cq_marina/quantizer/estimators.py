r"""Errors of estimators of a mean as expectations over what they draw, for `cq_marina/est-exact`.

Inputs are $a_{ij}=r_iu_{ij}$ with norms $r_i$. Owners of a coordinate are a simple random sample of clients.
"""

import itertools
from collections.abc import Iterable
from typing import Any

from sympy import Abs, Expr, IndexedBase, Integer, Sum, Symbol, floor, symbols

from theory.claim import Variable
from theory.expectation import E, bernoulli
from theory.facts.rounding.rounding import rounding_variance, variance_nonnegative
from theory.facts.rounding.stratified_shares import share, total_share
from theory.formula import eq, le

n, d, M, m, K, q, g, B, s, t, tau, omega, M_w = symbols("n d M m K q groups b s t tau omega M_w", real=True)
V_block, V_slots, i, j, k, l, h, N, o, p = symbols("V_block V_slots i j k l h N o p", real=True)
a, r, u, w, y, phi, one, bit, one_bit, draw, e = symbols(
    "a r u w y phi W bit one_bit draw e", cls=IndexedBase, real=True
)
chance, cov = symbols("chance cov", cls=IndexedBase, real=True)
CLIENTS, OTHERS, COORDINATES, STRATA = (i, 0, n - 1), (l, 0, n - 1), (j, 0, d - 1), (k, 0, n - 1)
SLOTS, OUTCOMES, BEFORE = (h, 0, tau - 1), (o, 0, N - 1), (l, 0, j - 1)

NAMES = (
    "rand_k",
    "iq_bin",
    "iq_tern",
    "cq",
    "cq_tern",
    "perm_k",
    "perm_few",
    "perm_iq",
    "perm_cq",
    "is_q",
    "is_cq",
    "part",
)
V = {name: Symbol(f"V_{name}", real=True) for name in NAMES}
MEAN = Sum(a[i, j], CLIENTS) / n
SQUARES = Sum(a[i, j] ** 2, CLIENTS)
SECOND = w[i] * (a[i, j] / (n * w[i])) ** 2
MOMENT = Sum(SECOND, CLIENTS)


def _bits(error: Expr, p: Any) -> Any:
    return Sum(bernoulli((Sum(error, CLIENTS) / n) ** 2, bit, CLIENTS, p=p), COORDINATES)


RAND_K = _bits(d / K * bit[i] * a[i, j] - a[i, j], K / d)
IQ_BIN = _bits(r[i] * (2 * bit[i] - 1) - r[i] * u[i, j], (1 + u[i, j]) / 2)
IQ_TERN = _bits(r[i] * (floor(u[i, j]) + bit[i]) - r[i] * u[i, j], u[i, j] - floor(u[i, j]))


def _stratified(levels: Any, shares: Any) -> tuple[Expr, Expr]:
    """Return both sums of the variance of the bits of coordinate j, as in `cq_marina/cq-1d-exact`."""
    column = Sum(r[l] * shares(l), OTHERS) / n - Sum(r[l] * levels(l), OTHERS) / n
    between = Sum((r[i] * shares(i) - r[i] * levels(i) - column) ** 2, STRATA, CLIENTS)
    return between, Sum(r[i] ** 2 * rounding_variance(n * levels(i)), CLIENTS)


BETWEEN, JITTER = _stratified(lambda place: y[place, j], lambda place: phi[place, j, k])
ONE = BETWEEN / (n - 1) + JITTER / n
CQ = 4 * Sum(BETWEEN, COORDINATES) / (n**2 * (n - 1)) + 4 * Sum(JITTER, COORDINATES) / n**3


# Expected estimates, by the last letter of their names in text.
ghat = {name: IndexedBase(f"mean_{name}", real=True) for name in "RITCEQSW"}
# The draws of two coordinates are independent: their outcomes have the product of the probabilities.
MEAN_ERROR = Sum(chance[j, o] * e[j, o], OUTCOMES)
JOINT = Sum(
    chance[j, o] * Sum(chance[l, p] * e[j, o] * e[l, p], (p, 0, N - 1)),
    OUTCOMES,
)


def written_out(level: Any) -> Expr:
    """Return the same over all coordinates, for the level as a function of the direction."""

    def levels(place: Any) -> Any:
        return level(u[place, j])

    between, jitter = _stratified(levels, lambda place: share(n * levels(place), k))
    return Sum(between / (n - 1) + jitter / n, COORDINATES)


def owned(owners: Any) -> Expr:
    """Return the error of the plain average over that many owners, by their probabilities of inclusion."""
    each, squared = Sum(SQUARES, COORDINATES), Sum(Sum(a[i, j], CLIENTS) ** 2, COORDINATES)
    pairs = (owners - 1) / (owners * n * (n - 1)) * (squared - each)
    return each / (owners * n) + pairs - Sum(MEAN**2, COORDINATES)


def theta(owners: Any) -> Expr:
    """Return the factor of a simple random sample."""
    return (n - owners) / (owners * (n - 1))


THETA = (n * ((d - t) / (d * s) + t / (d * (s + 1))) - 1) / (n - 1)
MIXED = (d - t) / d * owned(s) + t / d * owned(s + 1)


def drawn(second: Any) -> Expr:
    """Return the error of the mean of tau draws whose coordinates have these second moments in all."""
    return (second - Sum(MEAN**2, COORDINATES)) / tau


def slots(second: Any) -> Expr:
    """Return it as an expectation over uncorrelated draws of coordinate j."""
    error = (Sum(draw[h], SLOTS) / tau - MEAN) ** 2
    return Sum(E(error, draw, SLOTS, mean=MEAN, variance=second - MEAN**2), COORDINATES)


def ternary(K_: Any) -> Any:
    r"""Return $\{u_{ij}\}(1-\{u_{ij}\})=|u_{ij}|-u_{ij}^2$ from the known $-1\le u_{ij}\le1$."""
    x = u[i, j]
    value, goal = rounding_variance(x), eq(rounding_variance(x), Abs(x) - x**2)

    def in_cell(cell: int) -> Any:
        return K_.rewrite(K_.identity(value, value), K_.axiom("floor-unique", x, Integer(cell)), "right")

    size = K_.axiom("abs-of-nonnegative", x)
    top, bottom = K_.axiom("max-is-right", x, Integer(1)), K_.axiom("max-is-right", Integer(1), x)
    edge = K_.cert(eq(x, 1), (-1, bottom), (1, top))
    last = K_.cert(goal, (1, in_cell(1)), (-1, size), (2, edge))
    first = K_.cert(goal, (1, in_cell(0)), (-1, size))
    below = K_.cert(goal, (1, in_cell(-1)), (-1, K_.axiom("abs-of-nonpositive", x)))
    return K_.cases(-x, K_.cases(1 - x, last, first), below)


def conclude_quantized(K_: Any, M_is: Any, binary_error: Expr, ternary_error: Expr) -> None:
    """Independent bits: each coordinate has the variance of its own bit."""
    x, high = u[i, j], K_.at(K_.given("directions", 3), i, j)
    spread = K_.cert(le(0, (1 - x**2) / 4), ((1 + x) / 4, high))
    for law in (spread, variance_nonnegative(K_, x)):
        K_.know(K_.every(law, COORDINATES, CLIENTS))
    entry = K_.at(K_.given("directions"), i, j)
    square = K_.cert(eq(a[i, j] ** 2, r[i] ** 2 * x**2), (a[i, j] + r[i] * x, entry))
    norms = K_.sum_over(K_.at(K_.given("directions", 1), i), CLIENTS)
    binary = K_.identity(IQ_BIN, Sum(Sum(r[i] ** 2 * (1 - x**2), CLIENTS), COORDINATES) / n**2)
    K_.conclude(
        "iq-bin",
        K_.cert(
            eq(V["iq_bin"], binary_error),
            (1, K_.given("independent", 1)),
            (1, binary),
            (-(d - 1) / n, M_is),
            (-(d - 1) / n**2, K_.sum_over(square, CLIENTS, COORDINATES)),
            (-d / n**2, norms),
        ),
    )
    fraction = x - floor(x)
    level = r[i] ** 2 * fraction * (1 - fraction)
    grid = K_.identity(IQ_TERN, Sum(Sum(level, CLIENTS), COORDINATES) / n**2)
    closed = K_.cert(eq(level, r[i] ** 2 * (Abs(x) - x**2)), (r[i] ** 2, ternary(K_)))
    K_.conclude(
        "iq-tern",
        K_.cert(
            eq(V["iq_tern"], ternary_error),
            (1, K_.given("independent", 2)),
            (1, grid),
            (1 / n**2, K_.sum_over(closed, CLIENTS, COORDINATES)),
        ),
    )


def conclude_unbiased(K_: Any, expected: Iterable[Any]) -> None:
    """A bit is 1 with the probability that makes its expectation the entry, whatever the strata."""
    x, entry = u[i, j], K_.at(K_.given("directions"), i, j)
    low, high = (K_.at(K_.given("directions", place), i, j) for place in (2, 3))
    whole = K_.sum_over(entry, CLIENTS)
    levels = {"C": ((1 + x) / 2, 2 / n), "E": (x - floor(x), 1 / n)}
    K_.know(
        K_.cert(le(0, n * (1 + x) / 2), (n / 2, low)),
        K_.cert(le(n * (1 + x) / 2, n), (n / 2, high)),
        K_.cert(le(0, n * (x - floor(x))), (n, K_.axiom("floor-below", x))),
        K_.cert(le(n * (x - floor(x)), n), (n, K_.axiom("floor-above", x))),
    )
    found = []
    for place, (name, formula) in enumerate(zip(ghat, expected, strict=True)):
        own = K_.at(K_.given("expected", place), j)
        value = formula.formula.right
        if name in levels:
            level, factor = levels[name]
            client = K_.cert(
                eq(r[i] * factor * Sum(share(n * level, k), STRATA), r[i] * factor * n * level),
                (r[i] * factor, total_share(K_, n * level, k, n)),
            )
            terms = [(1 / n, K_.sum_over(client, CLIENTS)), (-1 / n, whole)]
        elif name in "IT":
            terms = [(1, K_.identity(value, Sum(r[i] * x, CLIENTS) / n)), (-1 / n, whole)]
        else:
            terms = [(1, K_.identity(value, MEAN))]
        found.append((ghat[name][j], K_.cert(eq(ghat[name][j], MEAN), (1, own), *terms)))
    links = [
        K_.every(K_.cert(eq(one, two), (1, first), (-1, second)), COORDINATES)
        for (one, first), (two, second) in itertools.pairwise(found)
    ]
    K_.conclude("unbiased", *links, K_.every(found[-1][1], COORDINATES))
    centred = K_.cert(eq(MEAN_ERROR, 0), (1, K_.at(K_.given("own-permutation"), j)), (1, found[3][1]))
    none = K_.cert(
        eq(cov[j, l], 0),
        (1, K_.at(K_.given("own-permutation", 1), j, l)),
        (Sum(chance[l, o] * e[l, o], OUTCOMES), centred),
    )
    K_.conclude("uncorrelated", K_.every(none, BEFORE, COORDINATES))


def conclude_drawn(K_: Any, m_is: Any, unbiased: Expr, correlated: Expr) -> None:
    """The draws of a coordinate are uncorrelated, with the mean input as their mean."""
    apart = Sum(w[i] * (a[i, j] / (n * w[i]) - MEAN) ** 2, CLIENTS)
    spread = K_.cert(le(0, MOMENT - MEAN**2), (1, apart), (MEAN**2, K_.given("weights", 1)))
    noisy = K_.cert(le(0, (1 + omega) * MOMENT - MEAN**2), (1, spread), (omega, MOMENT))
    K_.know(K_.every(spread, COORDINATES), K_.every(noisy, COORDINATES))
    weighted = K_.given("weights", 2)
    for relation, name, value, place, factor in (
        ("is-unbiased", "is_q", unbiased, 0, 1 + omega),
        ("is-correlated", "is_cq", correlated, 1, Integer(1)),
    ):
        mean = K_.identity(slots(factor * MOMENT), drawn(Sum(factor * MOMENT, COORDINATES)))
        terms = ((1, K_.given("draws", place)), (1, mean), (-factor / tau, weighted), (1 / tau, m_is))
        K_.conclude(relation, K_.cert(eq(V[name], value), *terms))
    K_.conclude(
        "partition",
        K_.cert(eq(V["part"], M_w - m), (1, K_.given("draws", 2)), (-1, weighted), (1, m_is)),
    )


VARIABLES = (
    Variable(n, "n", r"\mathbb N_{\ge2}", "number of clients"),
    Variable(d, "d", r"\mathbb N", "number of coordinates"),
    Variable(a, "a", r"\mathbb R^{n\times d}", "inputs", "(n,d)", first=0),
    Variable(r, "r", r"\mathbb R^n_{\ge0}", "norms of the inputs", "(n,)", first=0),
    Variable(u, "u", r"[-1,1]^{n\times d}", "directions, 0 where the norm is", "(n,d)", first=0),
    Variable(y, "y", r"[0,1]^{n\times d}", "probabilities of bits", "(n,d)", first=0),
    Variable(phi, r"\varphi", r"[0,1]^{n\times d\times n}", "shares of strata", "(n,d,n)", first=0),
    Variable(one_bit, r"\beta", r"\{0,1\}", "a bit", "(1,)"),
    Variable(w, "w", r"\mathbb R^n_{>0}", "weights of the clients, in sum 1", "(n,)", first=0),
    Variable(chance, "P", r"[0,1]^{d\times N}", "chances of outcomes of CQ", "(d,N)", first=0),
    Variable(e, r"\varepsilon", r"\mathbb R^{d\times N}", "errors of CQ by outcome", "(d,N)", first=0),
    Variable(
        cov, r"\mathrm{Cov}", r"\mathbb R^{d\times d}", "covariances of the errors of CQ", "(d,d)", first=0
    ),
    Variable(M, "M", r"\mathbb R_{\ge0}", "mean of the squared norms"),
    Variable(m, "m", r"\mathbb R_{\ge0}", "squared norm of the mean"),
    Variable(M_w, "M_w", r"\mathbb R_{\ge0}", "weighted mean of the squared norms"),
    Variable(K, "K", r"\mathbb N", "number of coordinates that RandK sends"),
    Variable(q, "q", r"\mathbb N", "clients in a group"),
    Variable(g, "g", r"\mathbb N", "number of groups and blocks"),
    Variable(B, "b", r"\mathbb N", "coordinates in a block"),
    Variable(s, "s", r"\mathbb N", "the smaller number of owners of a coordinate"),
    Variable(t, "t", r"\mathbb N_0", "coordinates with one owner more"),
    Variable(tau, r"\tau", r"\mathbb N", "number of draws"),
    Variable(omega, r"\omega", r"\mathbb R_{\ge0}", "relative variance of the compressor of a draw"),
    Variable(N, "N", r"\mathbb N", "outcomes of the draws of CQ in a coordinate"),
    Variable(one, "W", r"\mathbb R^d_{\ge0}", "variances of weighted sums of bits", "(d,)", first=0),
    Variable(V_block, "V_b", r"\mathbb R_{\ge0}", "average error of CQ over groups and blocks"),
    Variable(V_slots, "V_s", r"\mathbb R_{\ge0}", "expected error of CQ over the draws"),
    *(
        Variable(V[name], tex, r"\mathbb R_{\ge0}", f"mean squared error of {words}")
        for name, tex, words in (
            ("rand_k", "V_R", "RandK"),
            ("iq_bin", "V_I", "IQ"),
            ("iq_tern", "V_T", "ternary IQ"),
            ("cq", "V_C", "CQ"),
            ("cq_tern", "V_E", "ternary CQ"),
            ("perm_k", "V_P", "PermK with one owner"),
            ("perm_few", "V_Q", "PermK with several owners"),
            ("perm_iq", "V_G", "groups with IQ"),
            ("perm_cq", "V_H", "groups with CQ"),
            ("is_q", "V_S", "drawn clients"),
            ("is_cq", "V_D", "drawn clients with CQ"),
            ("part", "V_W", "a weighted partition"),
        )
    ),
    *(
        Variable(
            ghat[name],
            rf"\mathbb E\hat g^{name}",
            r"\mathbb R^d",
            f"expected estimate of {words}",
            "(d,)",
            first=0,
        )
        for name, words in (
            ("R", "RandK"),
            ("I", "IQ"),
            ("T", "ternary IQ"),
            ("C", "CQ"),
            ("E", "ternary CQ"),
            ("Q", "the owners of a coordinate"),
            ("S", "drawn clients"),
            ("W", "a weighted partition"),
        )
    ),
    Variable(bit, "c", r"\{0,1\}^n", "bits of the clients", "(n,)", first=0),
    Variable(draw, "e", r"\mathbb R^{\tau}", "what drawn clients send in a coordinate", "(tau,)", first=0),
)
