r"""Symbols and hypotheses of `squant/floor` (derived; about arXiv 2106.03524)."""

from typing import Any

from sympy import IndexedBase, Rational, Sum, Symbol, sqrt, symbols

from theory.expectation import E, bernoulli
from theory.formula import IsInteger, eq, every, le, lt
from theory.hypotheses import definition, domain, model, parameter

n, d, i, j, step, delta, norm, gamma, curvature = symbols("n d i j step delta norm gamma lambda", real=True)
settles = Symbol("settles", real=True)
noise, plain, spread, plain_spread, R_next = symbols("noise plain spread plain_spread R_next", real=True)
constant = Symbol("constant", real=True)
L, g, a, u, t, b, e, v = symbols("L g a u t b e v", cls=IndexedBase, real=True)
NODES, COORDINATES = (i, 0, n - 1), (j, 0, d - 1)


def total(term: Any) -> Sum:
    """Return the sum over the coordinates."""
    return Sum(term, COORDINATES)


SENT = bernoulli((step * norm * b[j] - g[j] / sqrt(L[j])) ** 2, b, COORDINATES, p=u[j])
PLAINLY_SENT = bernoulli((step * b[j] - g[j]) ** 2, b, COORDINATES, p=t[j])
MOVED = E((gamma * Sum(e[i], NODES) / n) ** 2, e, NODES, mean=0, variance=v[i, j])
# Mean of 1 and 1/delta: the squared norm of the transformed gradient.
NORM = sqrt((1 + delta) / (2 * delta))
NOISE = total(step * norm * sqrt(L[j]) * g[j] - g[j] ** 2)
EXACT = step * sqrt(d) / 2 * (1 + sqrt(delta)) * NORM - 1
UNAWARE = step * sqrt(d) - 1
GROWTH = step * sqrt(d) / (2 * sqrt(2 * delta)) - 1
CEILING = step * sqrt(d) / sqrt(delta) - 1
SETTLED = step * sqrt(d) / 2 * (1 + 1 / sqrt(delta)) * NORM - (1 + 1 / delta) / 2
UNAWARE_SETTLED = (step * sqrt(d) - 1) * (1 + 1 / delta) / 2
VARIANCE = gamma * constant / (curvature * (2 - gamma * curvature))
GOLDEN = {d: 16, delta: Rational(1, 10**4), step: 2}

EXAMPLE_TEXT = (
    r"half of the diagonal of $\mathbf L$ is 1 and the other half $\delta<1$, and $g_j=\frac1{\sqrt d}$ for "
    r"all $j$"
)

HYPOTHESES = {
    "n": domain(r"$n\ge1$ is an integer", IsInteger(n), le(1, n)),
    "d": domain(r"$d\ge1$ is an integer", IsInteger(d), le(1, d)),
    "signs": domain(
        r"$h,\gamma,L_j>0$, $N\ge0$",
        lt(0, step),
        lt(0, gamma),
        le(0, norm),
        every(lt(0, L[j]), COORDINATES),
        every(le(0, v[i, j]), COORDINATES, NODES),
    ),
    "level": definition(
        r"$u_j$ is the level of $y_j=g_j/\sqrt{L_j}$",
        every(eq(step * norm * sqrt(L[j]) * u[j], g[j]), COORDINATES),
    ),
    "small": parameter(
        "no level exceeds 1", every(le(0, u[j]), COORDINATES), every(le(u[j], 1), COORDINATES)
    ),
    "noise": definition(
        r"$\Delta_j=hN\,\mathrm{Bernoulli}(u_j)$, independent over the coordinates",
        eq(noise, total(L[j] * SENT)),
    ),
    "spread": definition("the same without weights", eq(spread, total(SENT))),
    "plain-level": definition(
        r"$t_j$ is the level of $g_j$, as $\|g\|=1$",
        every(eq(step * t[j], g[j]), COORDINATES),
        every(le(0, t[j]), COORDINATES),
        every(le(t[j], 1), COORDINATES),
    ),
    "plain": definition(r"$Q(g)_j=h\,\mathrm{Bernoulli}(t_j)$", eq(plain, total(PLAINLY_SENT))),
    "plain-spread": definition("the same over the curvatures", eq(plain_spread, total(PLAINLY_SENT / L[j]))),
    "norm": definition(r"$N=\|y\|$", eq(norm**2, total(g[j] ** 2 / L[j]))),
    "example": definition(
        EXAMPLE_TEXT,
        lt(0, delta),
        lt(delta, 1),
        every(eq(a[j] ** 2, a[j]), COORDINATES),
        eq(total(a[j]), d / 2),
        every(eq(L[j], a[j] + (1 - a[j]) * delta), COORDINATES),
        every(eq(g[j], 1 / sqrt(d)), COORDINATES),
    ),
    "coarse": parameter(r"$h\sqrt d\ge\sqrt2$", le(sqrt(2), step * sqrt(d))),
    "one-step": model(
        r"$x^+-x^\star$ is $\gamma$ times the mean of the errors of the nodes, which are uncorrelated "
        r"with mean 0 and have the noise of (a) each",
        eq(R_next, total(MOVED)),
        every(eq(total(v[i, j]), noise), NODES),
    ),
    "stationary": definition(
        r"$c=(1-\gamma\lambda)^2c+\gamma^2s$, $0<\lambda$, $\gamma\lambda<2$",
        lt(0, curvature),
        lt(gamma * curvature, 2),
        eq(settles, (1 - gamma * curvature) ** 2 * settles + gamma**2 * constant),
    ),
    "interpolation": parameter(r"$g_j=0$ for all $j$", every(eq(g[j], 0), COORDINATES)),
}

# The example with two nodes, the halves exchanged, and a node without gradient.
_LARGE, _SMALL = Rational(19, 4), Rational(13, 28)
EXAMPLES: tuple[dict[Any, Any], ...] = (
    {n: 2, d: 4, step: 2, gamma: 1, delta: Rational(1, 49), norm: 5, a: (1, 1, 0, 0)}
    | {L: (1, 1, Rational(1, 49), Rational(1, 49)), g: (Rational(1, 2),) * 4, t: (Rational(1, 4),) * 4}
    | {u: (Rational(1, 20), Rational(1, 20), Rational(7, 20), Rational(7, 20))}
    | {v: ((_LARGE, _LARGE, _SMALL, _SMALL), (_SMALL, _SMALL, _LARGE, _LARGE)), noise: 2 * (_LARGE + _SMALL)}
    | {curvature: Rational(1, 2), constant: 3, settles: 4},
    {n: 2, d: 2, step: 3, gamma: 1, norm: 0, L: (1, Rational(1, 4)), g: (0, 0), u: (Rational(1, 3), 1)}
    | {v: ((1, 2), (2, 1))},
)
