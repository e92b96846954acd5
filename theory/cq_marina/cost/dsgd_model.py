"""Symbols, hypotheses and relations of `cq_marina/dsgd`."""

from typing import Any

from sympy import IndexedBase, Integer, Max, Min, Rational, oo, sqrt, symbols

from theory.claim import Relation, Variable
from theory.cq_marina.marina.run import AVERAGE, GAPS, SQUARES
from theory.expectation import E
from theory.hypotheses import definition, domain, model, parameter

L, A, gamma, sigma_sq, epsilon, omega, S_sq, V = symbols("L A gamma sigma_sq epsilon omega S_sq V", real=True)
V_mean, v, X, q = symbols("V_mean v X q", real=True)
n, d, p, k, T, t, i, j, b, Delta_0 = symbols("n d p k T t i j b Delta_0", real=True)
G, now, after, smallest, mean_square = symbols("G now after smallest mean_square", real=True)
distance, distance_after, settled = symbols("distance distance_after settled", real=True)
u, x, s, xi, variance, gap, square = symbols("u x s xi variance gap square", cls=IndexedBase, real=True)
moment = IndexedBase("moment", real=True)
COORDINATES, NODES, ONE = (j, 0, d - 1), (i, 0, n - 1), (b, 0, 0)
ALWAYS, RUN = (t, 0, oo), (t, 0, T - 1)

STEP = 1 / (L * (1 + A))
FINE_STEP = epsilon**2 / (2 * L * sigma_sq)
ACCURACY_STEP = Min(STEP, FINE_STEP)
BOUND = 2 * Delta_0 / (gamma * T) + L * gamma * sigma_sq
COARSE, FINE = 4 * Delta_0 * L * (1 + A) / epsilon**2, 8 * Delta_0 * L * sigma_sq / epsilon**4
ROUNDS = Max(COARSE, FINE)
CONTRACTION = (1 - gamma * L) ** 2 + gamma**2 * omega * L**2
FLOOR = gamma * L * omega * S_sq / (2 - gamma * L * (1 + omega))
FLOOR_ANY = gamma * L * V_mean / (2 - gamma * L)
VALUE = CONTRACTION**k * (v - FLOOR / L**2) + FLOOR / L**2
ROOT = sqrt((1 - p) / p * omega)
MARINA_ROUNDS = 2 * Delta_0 * L * (1 + ROOT) / epsilon**2


def recursion(square: Any) -> Any:
    """Return the second moment after a round of DCGD on shifted clients."""
    return (1 - gamma * L) ** 2 * square + gamma**2 * omega * (L**2 * square + S_sq)


MOVED = E(
    -gamma * u[j] * (u[j] + xi[0]) + L / 2 * gamma**2 * (u[j] + xi[0]) ** 2,
    xi,
    ONE,
    mean=0,
    variance=variance[j],
)
SHIFTED = E((x[j] - gamma * (L * x[j] + xi[0])) ** 2, xi, ONE, mean=0, variance=variance[j])

VARIABLES = (
    Variable(n, "n", r"\mathbb N", "number of clients"),
    Variable(d, "d", r"\mathbb N", "number of coordinates"),
    Variable(p, "p", "(0,1]", "probability of a round of MARINA with full gradients"),
    Variable(L, "L", r"\mathbb R_{>0}", r"Lipschitz constant of $\nabla f$"),
    Variable(A, "A", r"\mathbb R_{\ge0}", r"constant of the error, relative to $\|\nabla f\|^2$"),
    Variable(sigma_sq, r"\sigma^2", r"\mathbb R_{\ge0}", "the rest of the error"),
    Variable(gamma, r"\gamma", r"\mathbb R_{>0}", "step size"),
    Variable(epsilon, r"\varepsilon", r"\mathbb R_{>0}", r"accuracy of $\|\nabla f\|$"),
    Variable(T, "T", r"\mathbb N", "number of rounds"),
    Variable(k, "k", r"\mathbb N_0", "number of rounds"),
    Variable(Delta_0, r"\Delta_0", r"\mathbb R_{\ge0}", r"$f(x^0)-f^\star$"),
    Variable(
        omega,
        r"\tilde\omega",
        r"\mathbb R_{\ge0}",
        r"error of the mean relative to $\frac1n\sum_i\|a_i\|^2$",
    ),
    Variable(S_sq, "S^2", r"\mathbb R_{\ge0}", r"$\frac1n\sum_i\|s_i\|^2$"),
    Variable(v, "v", r"\mathbb R_{\ge0}", r"$\|x^0-x^\star\|^2$"),
    Variable(q, "q", r"\mathbb R_{\ge0}", "contraction factor"),
    Variable(V, r"\mathbb E\|\hat g-\nabla f(x)\|^2", r"\mathbb R_{\ge0}", "error of the estimate"),
    Variable(x, "x", r"\mathbb R^d", r"the point less $x^\star$", "(d,)"),
    Variable(s, "s", r"\mathbb R^{n\times d}", "shifts of the clients", "(n,d)"),
    Variable(u, "u", r"\mathbb R^d", r"$\nabla f(x)$", "(d,)"),
    Variable(variance, r"\nu", r"\mathbb R^d_{\ge0}", "variances of the estimate in the coordinates", "(d,)"),
    Variable(X, r"\mathcal X", r"\mathbb R_{\ge0}", "constant of the noise of MARINA"),
    Variable(V_mean, r"\bar V", r"\mathbb R_{\ge0}", "its mean once the second moment no longer changes"),
    Variable(settled, r"v_\infty", r"\mathbb R_{\ge0}", "second moment that no longer changes"),
    Variable(G, r"\|\nabla f(x)\|^2", r"\mathbb R_{\ge0}", "squared gradient"),
    Variable(now, r"f(x)-f^\star", r"\mathbb R_{\ge0}", "gap"),
    Variable(after, r"\mathbb Ef(x^+)-f^\star", r"\mathbb R_{\ge0}", "gap of the next point"),
    Variable(
        smallest, r"\min_{k<T}\mathbb E\|\nabla f(x^k)\|^2", r"\mathbb R_{\ge0}", "the smallest of them"
    ),
    AVERAGE,
    GAPS,
    SQUARES,
    Variable(distance, r"\|x-x^\star\|^2", r"\mathbb R_{\ge0}", "squared distance"),
    Variable(distance_after, r"\mathbb E\|x^+-x^\star\|^2", r"\mathbb R_{\ge0}", "after a round"),
    Variable(
        moment, r"\mathbb E\|x^{#1}-x^\star\|^2", r"\mathbb R_{\ge0}", "after so many", "(oo,)", first=0
    ),
    Variable(xi, r"\xi", r"\mathbb R", "error of the estimate in a coordinate", "(1,)"),
)
NOTATION = {
    r"\hat g": "the estimate",
    r"\nabla f(x)": "the gradient",
    "x^+": "the next point",
    r"L_\pm": "the Hessian variance",
    r"f_{#1}": "objectives of the clients",
    r"s_{#1}": "shifts",
}
HYPOTHESES = {
    "sizes": domain(r"$n,d,T\ge1$ and $k\ge0$ are integers"),
    "signs": domain(r"$L,\gamma>0$, $A,\sigma^2,\tilde\omega,S^2\ge0$, $0<p\le1$"),
    "accuracy": domain(r"$\varepsilon>0$, $\Delta_0\ge0$"),
    "round": definition(r"$\|\nabla f(x)\|^2=\sum_ju_j^2$, $\mathbb E\|\hat g-\nabla f(x)\|^2=\sum_j\nu_j$"),
    "variances": domain(r"$\nu_j\ge0$"),
    "smooth": model(
        r"$\mathbb Ef(x^+)-f^\star\le "
        r"f(x)-f^\star+\sum_j\mathbb E\bigl(\frac{L\gamma^2}{2}(u_j+\xi)^2-\gamma u_j(u_j"
        r"+\xi)\bigr)$, over $\xi$ with mean $0$ and variance $\nu_j$, since $f$ is $L$-smooth",
        reference="Y. Nesterov, Lectures on Convex Optimization, 2nd ed., lemma 1.2.3",
    ),
    "error": model(r"$\mathbb E\|\hat g-\nabla f(x)\|^2\le A\|\nabla f(x)\|^2+\sigma^2$"),
    "step": parameter(r"$\gamma\le\frac1{L(1+A)}$"),
    "average": definition(
        r"$\frac1T\sum_{k<T}\mathbb E\|\nabla f(x^k)\|^2=\frac1T\sum_{t=0}^{T-1}\mathbb E\|\nabla f(x^t)\|^2$"
        r"; $\min_{k<T}\mathbb E\|\nabla f(x^k)\|^2\le\mathbb E\|\nabla f(x^t)\|^2$ for $0\le t<T$"
    ),
    "tower": model(
        r"$\mathbb Ef(x^0)-f^\star=\Delta_0$, $\mathbb Ef(x^t)-f^\star\ge0$; "
        r"$\mathbb Ef(x^{t+1})-f^\star\le\mathbb Ef(x^t)-f^\star-\frac\gamma2\mathbb E\|\nabla f(x^t)\|^2"
        r"+\frac L2\gamma^2\sigma^2$, since the tower property carries part a to the rounds of a run"
    ),
    "noisy": domain(r"$\sigma^2>0$"),
    "accuracy-step": parameter(r"$\gamma=\min\big\{\frac1{L(1+A)},\frac{\varepsilon^2}{2L\sigma^2}\big\}$"),
    "rounds": parameter(
        r"$T\ge\max\big\{\frac{4\Delta_0L(1+A)}{\varepsilon^2},"
        r"\frac{8\Delta_0L\sigma^2}{\varepsilon^4}\big\}$"
    ),
    "shifts": definition(
        r"$\sum_is_{ij}=0$, $S^2=\frac1n\sum_i\sum_js_{ij}^2$, $\|x-x^\star\|^2=\sum_jx_j^2$"
    ),
    "moved": definition(
        r"$\mathbb E\|x^+-x^\star\|^2=\sum_j\mathbb E\bigl((x_j-\gamma(Lx_j+\xi))^2\bigr)$, over "
        r"$\xi$ with mean $0$ and variance $\nu_j$"
    ),
    "quantizers": model(
        r"$\mathbb E\|\hat g-\nabla f(x)\|^2=\tilde\omega\frac1n\sum_i\sum_j(Lx_j+s_{ij})^2$",
        reference="cq_marina/est-exact",
    ),
    "stable": parameter(r"$\gamma L(1+\tilde\omega)<2$"),
    "factor": definition(r"$q=(1-\gamma L)^2+\gamma^2\tilde\omega L^2$"),
    "limit": definition(r"$v_\infty=(1-\gamma L)^2v_\infty+\gamma^2\tilde\omega(L^2v_\infty+S^2)$"),
    "relative": definition(r"$\tilde\omega=\frac{d-1}n$"),
    "moments": model(
        r"$\mathbb E\|x^0-x^\star\|^2=v$; $\mathbb E\|x^{t+1}-x^\star\|^2=(1-\gamma L)^2"
        r"\mathbb E\|x^t-x^\star\|^2+\gamma^2\tilde\omega(L^2\mathbb E\|x^t-x^\star\|^2+S^2)$, since the "
        "tower property carries part e to the rounds of a run"
    ),
    "floor": domain(r"$\tilde\omega,S^2>0$"),
    "largest": parameter(r"$\gamma=\frac1{L(1+\tilde\omega)}$"),
    "any": model(r"$v_\infty=(1-\gamma L)^2v_\infty+\gamma^2\bar V$"),
    "below-two": parameter(r"$\gamma L<2$"),
    "differences": model(r"$\mathcal X=\tilde\omega L^2$, $\mathcal X\ge0$, since shifts cancel"),
    "marina-step": parameter(r"$\gamma=\frac1{L+\sqrt{\frac{1-p}p\mathcal X}}$"),
    "marina-rounds": parameter(r"$T\ge\frac{2\Delta_0L(1+\sqrt{\frac{1-p}p\tilde\omega})}{\varepsilon^2}$"),
}

RELATIONS = {
    "descent": Relation((after, now - gamma / 2 * G + L / 2 * gamma**2 * sigma_sq), ("<=",), under=("step",)),
    "rate": Relation((smallest, mean_square, BOUND), ("<=", "<="), under=("tower",)),
    "accuracy": Relation((BOUND, epsilon**2), ("<=",), under=("noisy", "accuracy-step", "rounds")),
    "noise": Relation((V, omega * (L**2 * distance + S_sq)), ("=",), under=("quantizers",)),
    "recursion": Relation((distance_after, recursion(distance)), ("=",), under=("quantizers",)),
    "value": Relation(
        (moment[k], q**k * (v - settled) + settled),
        ("=",),
        under=("stable", "factor", "limit", "moments"),
    ),
    "contracts": Relation((0, q, 1), ("<=", "<"), under=("stable", "factor")),
    "floor": Relation((L**2 * settled, FLOOR), ("=",), under=("stable", "limit")),
    "positive": Relation((0, FLOOR), ("<",), under=("stable", "floor")),
    "largest": Relation((FLOOR, L * gamma * omega * S_sq), ("=",), under=("stable", "largest")),
    "any": Relation((L**2 * settled, FLOOR_ANY), ("=",), under=("any", "below-two")),
    "marina": Relation(
        (2 * Delta_0 / (gamma * T), epsilon**2),
        ("<=",),
        under=("differences", "marina-step", "marina-rounds"),
    ),
}
FORMULAS = {
    "bound": BOUND,
    "step_size": STEP,
    "accuracy_step": ACCURACY_STEP,
    "rounds": ROUNDS,
    "relative_variance": (d - 1) / n,
    "recursion": recursion(distance),
    "contraction": CONTRACTION,
    "value": VALUE,
    "floor": FLOOR,
    "floor_any": FLOOR_ANY,
    "marina_bound": 2 * Delta_0 / (gamma * T),
    "marina_rounds": MARINA_ROUNDS,
    "many": Integer(1000),
    "part": Rational(1, 10**6),
}
