r"""One round of MARINA, as the claims on its rates share it: the error of the estimate, the descent of $f$.

Given $x$ and $g$ the next point is $x^+=x-\gamma g$; $u=\nabla f(x)$, $e=g-u$, $\xi_j$ is the error of the
average message in coordinate $j$, of mean 0 and variance $v_j$. The coin is 1 with probability $p$.
"""

from typing import Any

from sympy import IndexedBase, Rational, Sum, Symbol, oo, symbols

from theory.claim import Relation, Variable
from theory.expectation import E, bernoulli
from theory.formula import le
from theory.hypotheses import definition, domain, model

d, p, gamma, A, B, X, L_minus, L_plus, L_pm, j = symbols("d p gamma A B X L_minus L_plus L_pm j", real=True)
b = Symbol("b", real=True)
R, V, M, m, G, now, after, error_now = symbols("R V M m G now after error_now", real=True)
error_after = Symbol("error_after", real=True)
u, g, v, xi, coin = symbols("u g v xi coin", cls=IndexedBase, real=True)
COORDINATES, ONE, FOREVER = (j, 0, d - 1), (b, 0, 0), oo

CHI = (A - B) * L_plus**2 + B * L_pm**2
SPENT = (1 - p) / p * X * gamma**2 + L_minus * gamma
"""At most 1 for the steps of the rates."""
_NOISY = E((g[j] - u[j] + xi[0]) ** 2, xi, ONE, mean=0, variance=v[j])
_TOSSED = bernoulli((1 - coin[0]) * Sum(_NOISY, COORDINATES), coin, ONE, p=p)
ERROR = Relation((error_after, (1 - p) * (error_now + X * R)), ("<=",))

NOTATION = {
    "x": "a point",
    "x^+": "the next one",
    "x^{#1}": "iterates",
    "g^+": "the next one",
    "g^{#1}": "estimates",
    "f": "the objective",
    r"\nabla f(x^+)": "its gradient at the next point",
    r"f^\star": "a lower bound of it",
}


VARIABLES = (
    Variable(d, "d", r"\mathbb N", "number of coordinates"),
    Variable(p, "p", "(0,1]", "probability of a round with full gradients"),
    Variable(L_minus, "L_-", r"\mathbb R_{>0}", r"Lipschitz constant of $\nabla f$"),
    Variable(
        L_plus,
        r"L_{+,w}",
        r"\mathbb R_{\ge0}",
        r"of the gradients of the clients: $M_w\le L_{+,w}^2\|x^+-x\|^2$ for their differences",
    ),
    Variable(L_pm, r"L_{\pm,w}", r"\mathbb R_{\ge0}", r"the same with $m$ taken off the left side"),
    Variable(A, "A", r"\mathbb R_{\ge0}", r"constant of the AB inequality, $A\ge B$"),
    Variable(B, "B", r"\mathbb R_{\ge0}", "constant of the AB inequality"),
    Variable(X, r"\mathcal X", r"\mathbb R_{\ge0}", "constant of the noise"),
    Variable(u, "u", r"\mathbb R^d", r"$\nabla f(x)$", "(d,)"),
    Variable(g, "g", r"\mathbb R^d", "the estimate", "(d,)"),
    Variable(v, "v", r"\mathbb R^d_{\ge0}", "variances of the average message in the coordinates", "(d,)"),
    Variable(V, "V", r"\mathbb R_{\ge0}", "variance of the average message"),
    Variable(
        M,
        "M_w",
        r"\mathbb R_{\ge0}",
        r"average of the $\|a_i\|^2/(nw_i)$ for the differences $a_i$ of the gradients of the clients",
    ),
    Variable(m, "m", r"\mathbb R_{\ge0}", "squared norm of the average difference"),
    Variable(R, r"\|x^+-x\|^2", r"\mathbb R_{\ge0}", "squared length of the step"),
    Variable(G, r"\|\nabla f(x)\|^2", r"\mathbb R_{\ge0}", "squared gradient"),
    Variable(now, r"f(x)-f^\star", r"\mathbb R_{\ge0}", "gap"),
    Variable(after, r"\mathbb Ef(x^+)-f^\star", r"\mathbb R_{\ge0}", "gap of the next point"),
    Variable(error_now, r"\|g-\nabla f(x)\|^2", r"\mathbb R_{\ge0}", "squared error of the estimate"),
    Variable(
        error_after,
        r"\mathbb E\|g^+-\nabla f(x^+)\|^2",
        r"\mathbb R_{\ge0}",
        "expected squared error of the next one",
    ),
    Variable(coin, r"\chi", r"\{0,1\}", "coin of the round", "(1,)"),
    Variable(xi, r"\xi", r"\mathbb R", "error of the average message in a coordinate", "(1,)"),
)
HYPOTHESES = {
    "dimension": domain(r"$d\ge1$ is an integer"),
    "signs": domain(r"$0<p\le1$, $\gamma,L_->0$, $L_{+,w},L_{\pm,w}\ge0$, $0\le B\le A$, $\mathcal X\ge0$"),
    "X": definition(r"$\mathcal X=(A-B)L_{+,w}^2+BL_{\pm,w}^2$"),
    "round": definition(
        r"$\|\nabla f(x)\|^2=\sum_ju_j^2$, $\|g-\nabla f(x)\|^2=\sum_j(g_j-u_j)^2$, "
        r"$\|x^+-x\|^2=\sum_j\gamma^2g_j^2$"
    ),
    "coordinates": definition(r"$V=\sum_jv_j$"),
    "variances": domain(r"$v_j\ge0$"),
    "coin": model(
        r"$\mathbb E\|g^+-\nabla "
        r"f(x^+)\|^2=\mathbb E\bigl((1-\chi)\sum_j\mathbb E\bigl((g_j+\xi-u_j)^2\bigr)\bigr)$, over "
        r"$\xi$ with mean $0$ and variance $v_j$ and over $\chi\sim\mathrm{Bernoulli}(p)$, since a "
        "coin makes the estimate exact"
    ),
    "noise": model(r"$V\le AM_w-Bm$"),
    "smooth-clients": model(r"$M_w\le L_{+,w}^2\|x^+-x\|^2$ and $M_w-m\le L_{\pm,w}^2\|x^+-x\|^2$"),
    "smooth": model(
        r"$\mathbb Ef(x^+)-f^\star\le f(x)-f^\star-\gamma\sum_ju_jg_j+\frac{L_-}2\|x^+-x\|^2$, "
        r"since $f$ is $L_-$-smooth",
        reference="Y. Nesterov, Lectures on Convex Optimization, 2nd ed., lemma 1.2.3",
    ),
}

# Two coordinates, p = 1/2, X = 2: every step up to 1/2 will do.
_HALF = Rational(1, 2)
EXAMPLE = {
    d: 2,
    p: _HALF,
    gamma: Rational(1, 4),
    A: 2,
    B: 1,
    L_minus: 1,
    L_plus: 1,
    L_pm: 1,
    X: 2,
    u: (1, 2),
    g: (2, 4),
    v: (_HALF, _HALF),
    V: 1,
    M: 1,
    m: Rational(1, 2),
    R: Rational(5, 4),
    G: 5,
    error_now: 5,
    error_after: 3,
    now: 9,
    after: 2,
}


def noise(K: Any) -> Any:
    """Return the bound on the variance of the average message by the length of the step."""
    return K.cert(
        le(V, X * R),
        (1, K.given("noise")),
        (A - B, K.given("smooth-clients")),
        (B, K.given("smooth-clients", 1)),
        (-R, K.given("X")),
    )


def next_error(K: Any, bound: Any = None) -> Any:
    """Return the bound on the error of the next estimate, from that on the variance of the message."""
    coordinate = K.identity(_NOISY, (g[j] - u[j]) ** 2 + v[j])
    tossed = K.identity(_TOSSED, (1 - p) * Sum(_NOISY, COORDINATES))
    return K.cert(
        le(error_after, (1 - p) * (error_now + X * R)),
        (1, K.given("coin")),
        (1, tossed),
        (1 - p, K.sum_over(coordinate, COORDINATES)),
        (p - 1, K.given("round", 1)),
        (p - 1, K.given("coordinates")),
        (1 - p, noise(K) if bound is None else bound),
    )


def descent(K: Any) -> Any:
    """Return the descent of f: the gradient and the length of the step pay for the error of the estimate."""
    goal = le(after, now - gamma / 2 * G - (1 / (2 * gamma) - L_minus / 2) * R + gamma / 2 * error_now)
    return K.cert(
        goal,
        (1, K.given("smooth")),
        using=[K.given("round"), K.given("round", 1), K.given("round", 2)],
    )
