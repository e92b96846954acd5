r"""Symbols and hypotheses of `squant/diana` (arXiv 2106.03524)."""

from typing import Any

from sympy import IndexedBase, Max, Rational, Sum, oo, symbols

from theory.expectation import E
from theory.formula import eq, every, le, lt
from theory.hypotheses import definition, domain, model, parameter
from theory.squant.convergence.dcgd import CLAIM as DCGD
from theory.squant.convergence.dcgd import COORDINATES, NODES
from theory.squant.convergence.dcgd import S1 as DCGD_S1

D, L, Lcal_max, R_next, d, distance, drift = symbols("D L Lcal_max R_next d distance drift", real=True)
gamma, i, j, k, mu, n, omega, sigma = symbols("gamma i j k mu n omega sigma", real=True)
Lcal, V, p, p_star = symbols("Lcal V p p_star", cls=IndexedBase, real=True)

alpha, omega_max, sigma_next, Psi_0 = symbols("alpha omega_max sigma_next Psi_0", real=True)
s, q, m, w, W, t, u, u_var, omegas = symbols("s q m w W t u u_var omega_i", cls=IndexedBase, real=True)
Psi, Ln = symbols("Psi L_i", cls=IndexedBase, real=True)


def nodes(term: Any) -> Sum:
    """Return the sum over the nodes."""
    return Sum(term, NODES)


def coordinates(term: Any) -> Sum:
    """Return the sum over the coordinates."""
    return Sum(term, COORDINATES)


STEP = 1 / (L + 6 * Lcal_max / n)
LEARNING_RATE = 1 / (1 + omega_max)
WEIGHT = 4 * gamma**2 / (n * alpha)
LYAPUNOV = distance + WEIGHT * sigma
CONTRACTION = Max(1 - gamma * mu, 1 - alpha / 2)
CONDITION = Max((L + 6 * Lcal_max / n) / mu, 2 * (1 + omega_max))
RATE = CONTRACTION**k * Psi_0
EXACT_STEP = drift + gamma**2 / n**2 * nodes(V[i])
EXACT_SHIFTS = nodes(Lcal[i] * (m[i] + alpha**2 * w[i])) / n
SHIFT_BOUND = (1 - alpha) * sigma + 2 * alpha * Lcal_max * D
# One coordinate of the shift's error after the round, all in the norm of L_i^+.
AWAY = p[i, j] - p_star[i, j]
BEHIND = t[i, j] - p_star[i, j]
LEARNT = (1 - alpha) * BEHIND + alpha * AWAY
MOVED = E((LEARNT + alpha * u[j]) ** 2, u, COORDINATES, mean=0, variance=u_var[i, j])

_SHARED = {
    "variances",
    "constants",
    "largest",
    "distance",
    "bregman",
    "errors",
    "drift",
    "prox",
    "without-prox",
    "cocoercive",
    "mean-cocoercive",
    "strong",
}
HYPOTHESES = {
    **{name: item for name, item in DCGD.hypotheses.items() if name in {"n", "d", *_SHARED}},
    "signs": domain(r"$L,\mu,\gamma,\alpha>0$", lt(0, L), lt(0, mu), lt(0, gamma), lt(0, alpha)),
    "rounding": domain("variances are at least 0", every(le(0, u_var[i, j]), COORDINATES, NODES)),
    "omegas": definition(
        r"$\omega_{\max}\ge0$ and $\omega_i\le\omega_{\max}$ for each node",
        le(0, omega_max),
        every(le(omegas[i], omega_max), NODES),
    ),
    "offsets": definition(
        r"$\|h_i-\nabla f_i(x^\star)\|_{\mathbf L_i^+}^2$ is the sum over the coordinates of "
        r"$\mathbf L_i^{+1/2}(h_i-\nabla f_i(x^\star))$",
        every(eq(s[i], coordinates(BEHIND**2)), NODES),
    ),
    "messages": definition(
        r"$y_i=\mathbf L_i^{+1/2}(\nabla f_i(x)-h_i)$",
        every(eq(q[i], coordinates((p[i, j] - t[i, j]) ** 2)), NODES),
    ),
    "sigma": definition(
        r"$\sigma^2=\frac1n\sum_i\mathcal L_i\|h_i-\nabla f_i(x^\star)\|_{\mathbf L_i^+}^2$",
        eq(sigma, nodes(Lcal[i] * s[i]) / n),
    ),
    "means": definition(
        r"$m_i$ is the squared norm of $(1-\alpha)(h_i-\nabla f_i(x^\star))+\alpha(\nabla f_i(x)-\nabla "
        r"f_i(x^\star))$ in $\mathbf L_i^+$",
        every(eq(m[i], coordinates(LEARNT**2)), NODES),
    ),
    "projected": definition(
        r"$w_i$ is the sum of the variances of the coordinates of $P_i(\Delta_i-y_i)$, $P_i$ the projection "
        r"on the range of $\mathbf L_i$",
        every(eq(w[i], coordinates(u_var[i, j])), NODES),
    ),
    "shifts": model(
        r"$\mathbf L_i^{+1/2}h_i^+=(1-\alpha)\mathbf L_i^{+1/2}h_i+\alpha\mathbf L_i^{+1/2}\nabla "
        r"f_i(x)+\alpha P_i(\Delta_i-y_i)$ with errors of mean 0, since $h_i$ and the gradients lie in the "
        r"range of $\mathbf L_i$ (A3)",
        eq(sigma_next, nodes(Lcal[i] * coordinates(MOVED)) / n),
    ),
    "projection": model(
        r"a projection lengthens nothing: $w_i\le\mathbb E\|\Delta_i-y_i\|^2$", every(le(w[i], W[i]), NODES)
    ),
    "compressor": model(
        r"$\mathcal L_i$ and $\omega_i$ are constants of compressor $i$",
        every(le(V[i], Lcal[i] * q[i]), NODES),
        every(le(W[i], omegas[i] * q[i]), NODES),
    ),
    "nonnegative": domain(r"$L_i\ge0$", every(le(0, Ln[i]), NODES)),
    "learning-rate": parameter(r"$\alpha\le\frac1{1+\omega_{\max}}$", le(alpha, LEARNING_RATE)),
    "step": parameter(r"$\gamma\le\frac1{L+6\mathcal L_{\max}/n}$", le(gamma, STEP)),
    "largest-steps": parameter(
        r"$\gamma=\frac1{L+6\mathcal L_{\max}/n}$, $\alpha=\frac1{1+\omega_{\max}}$",
        eq(gamma, STEP),
        eq(alpha, LEARNING_RATE),
    ),
    "tower": model(
        "one step, in expectation over iterate and shifts of each round (tower property)",
        every(le(Psi[k + 1], CONTRACTION * Psi[k]), (k, 0, oo)),
        eq(Psi[0], Psi_0),
        le(0, Psi_0),
    ),
    "tight": parameter(
        r"one node, a quadratic whose Hessian is $\mathbf L_1$, $h_1=\nabla f(x^\star)$, and $x$ the worst "
        r"input of the compressor: $w_1=\omega\|y_1\|^2$",
        eq(n, 1),
        every(eq(t[0, j], p_star[0, j]), COORDINATES),
        eq(coordinates((p[0, j] - p_star[0, j]) ** 2), 2 * D),
        eq(w[0], omega * q[0]),
        eq(Lcal[0], Lcal_max),
    ),
}


# S1 of `squant/dcgd` with zero shifts: the errors are those of the gradients themselves.
S1 = dict(DCGD_S1) | {
    gamma: Rational(16, 55),
    alpha: Rational(8, 9),
    t: ((0, 0), (0, 0)),
    u_var: ((Rational(3, 2), 1), (Rational(3, 2), 1)),
    W: (Rational(5, 2), Rational(5, 2)),
    omegas: (Rational(1, 8), Rational(1, 8)),
    omega_max: Rational(1, 8),
    Ln: (4, 1),
    R_next: Rational(36, 55) ** 2 + Rational(117, 55) ** 2 + Rational(16, 55) ** 2 * Rational(19, 8),
}

# One node with f = x^2/2 at x = 1 and a zero shift.
TIGHT = {
    n: 1,
    d: 1,
    alpha: Rational(1, 2),
    omega: 1,
    Lcal_max: 1,
    Lcal: (1,),
    D: Rational(1, 2),
    p: ((1,),),
    p_star: ((0,),),
    t: ((0,),),
    u_var: ((1,),),
}
