r"""`cq_marina/tridiag`: quadratics with adjustable Hessian variance (arXiv 2401.05518)."""

from typing import Any

from sympy import Rational, Sum, Symbol, pi, sin, sqrt

from theory.claim import Claim, Relation, Variable
from theory.cq_marina.paper import PAPER
from theory.cq_marina.smoothness import gains
from theory.cq_marina.smoothness.gains import (
    CLIENTS,
    NU,
    L,
    L_minus,
    d,
    i,
    j,
    k,
    lam,
    mu,
    n,
    nu,
    s,
    tau,
    tau_1,
    tau_d,
    v,
    x,
)
from theory.facts.sums.telescoping_sum import telescoping_sum
from theory.facts.sums.triangular_number import triangular_number
from theory.formula import eq, le, lt
from theory.hypotheses import definition, domain, model, parameter
from theory.statement import statement
from theory.worst_cases import cases

_V = lam**2 * (n**2 - 1) / (3 * n**2)
_BENT = Sum(x[k] ** 2, (k, 0, d - 1)), Sum(x[k] * x[k + 1], (k, 0, d - 2))
_STEPS = Sum((x[k + 1] - x[k]) ** 2, (k, 0, d - 2))
_SQUARES = Sum((nu[i] * tau + s) ** 2, CLIENTS) / n


def _tau(place: Any) -> Any:
    """Return the eigenvalue of T/4 at a place, counted from 0."""
    return sin((place + 1) * pi / (2 * (d + 1))) ** 2


_LAST, _FIRST = _tau(d - 1), _tau(0)
_SINES = {tau_d: _LAST}
_ROOT = lam * sqrt((n**2 - 1) / (3 * n**2)) * tau_d
_CLIENT_K = (1 + lam * ((2 * k + 1) / n - 1)) * _LAST + mu - _FIRST

CLAIM = Claim(
    id="cq_marina/tridiag",
    kind="identity",
    provenance="derived",
    title="Smoothness constants of the tridiagonal quadratics, and how far weights reduce their variance",
    position=19,
    paper=PAPER,
    **statement(
        r"""
        Clients are counted from zero and have the factors $\nu_i$ of (a) and the matrices
        $A_i=\frac{\nu_i}4T+sI$, where $T$ has the diagonal 2 and -1 beside it; $\tau$ is any eigenvalue of
        $\frac14T$, $\tau_1>0$ the smallest and $\tau_d=1-\tau_1$ the largest; $s=\mu-\tau_1$. The $A_i$
        commute: their eigenvalues are the $\tau$, scaled and shifted, and squared constants are largest
        values over them; in (b) $L_->0$.
        (a: mean, variance) The factors $\nu_i=1+\lambda(\frac{2i+1}n-1)$ have <<the mean 1 -> exact/mean
          factor>> and the variance $v=\lambda^2\frac{n^2-1}{3n^2}$:
          $$\frac1n\sum_{i=0}^{n-1}\nu_i=1,\qquad\frac1n\sum_{i=0}^{n-1}(\nu_i-1)^2=v.$$ [proof; exact/mean
          factor; exact/variance of the factors]
        (b: mean-matrix) The mean matrix has the eigenvalues $\mu\le\tau+s\le L_-$ with
          $L_-=\mu+\tau_d-\tau_1$, <<both attained -> exact/L_minus>>. [proof; exact/L_minus; exact/smallest
          eigenvalue]
        (c: pm) <<The square of $L_\pm$ is $v\tau_d^2$ -> exact/L_pm>>:
          $$\frac1n\sum_{i=0}^{n-1}(\nu_i\tau+s)^2-(\tau+s)^2=v\tau^2\le v\tau_d^2.$$ [proof; exact/L_pm;
          adversarial/variance]
        (d: plus) <<That of $L_+$ is $L_-^2+v\tau_d^2$ -> exact/L_plus>>:
          $$\frac1n\sum_{i=0}^{n-1}(\nu_i\tau+s)^2\le L_-^2+v\tau_d^2.$$ [proof; exact/L_plus]
        (e: client-above, client-below) If $2(\tau_1-\mu)\le\nu_i$, no eigenvalue of a client has a larger
          modulus than that at $\tau_d$,
          $$\nu_i\tau+s\le\nu_i\tau_d+s,\qquad-(\nu_i\tau+s)\le\nu_i\tau_d+s,$$ <<so that
          $L_i=\nu_i\tau_d+s$ -> exact/L of a client>>. [proof; exact/L of a client]
        (f: weighted) Finding: then <<the weights $w_i\propto L_i$ give $L_{+,w}=L_-$ -> exact/weighted
          L_plus>>, and leave the Hessian variance
          $$\frac{L_-}n\sum_{i=0}^{n-1}\frac{(\nu_i\tau+s)^2}{L_i}-(\tau+s)^2=\
          \frac{s^2(\tau_d-\tau)^2}{nL_-}\sum_{i=0}^{n-1}\frac{(\nu_i-1)^2}{L_i},$$ <<largest at $\tau_1$ ->
          exact/weighted L_pm>>. [proof; exact/weighted L_plus; exact/weighted L_pm]
        (g: gain-ten) <<Weighting takes $L_\pm$ down by more than the factor -> exact/gain of weights>>
          {value:ten} for $n=10$, $d=32$, $\lambda=\frac12$, $\mu=10^{-6}$ and
          $0.0022640387\le\tau_1\le0.0022640388$:
          $${value:ten}^2\frac{s^2(\tau_d-\tau_1)^2}{nL_-}\sum_{i=0}^{n-1}\frac{(\nu_i-1)^2}{L_i}\le
          v\tau_d^2.$$ [proof; exact/gain of weights]
        (h: gain-five) For $n=5$, $d=6$, $\lambda=\frac45$, $\mu=10^{-2}$ and
          $0.0495155660\le\tau_1\le0.0495155661$ <<by more than -> exact/gain of weights>> {value:five,1}:
          $${value:five,1}^2\frac{s^2(\tau_d-\tau_1)^2}{nL_-}\sum_{i=0}^{n-1}\frac{(\nu_i-1)^2}{L_i}\le
          v\tau_d^2.$$ [proof; exact/gain of weights]
        (i: bent) A function is <<$\frac{\nu_i}8$ times the square $x^\top Tx$ below and $\frac
          s2\sum_kx_k^2$ -> exact/f>>, less a multiple of $x_1$, that <<of client $i$ from the place of
          client $n-1-i$ -> exact/gradients>>:
          $$2\sum_{k=1}^dx_k^2-2\sum_{k=1}^{d-1}x_kx_{k+1}=x_1^2+\sum_{k=1}^{d-1}(x_{k+1}-x_k)^2+x_d^2.$$
          [proof; exact/f; exact/f again; exact/f_i; exact/gradient of f_i; exact/gradients; exact/gradient
          of a client]
        (j: identical, smallest) Identical clients, $\lambda=0$, have semidefinite matrices,
          $\mu\le\nu_i\tau+s$, <<that are singular without $\mu$ and regular with any positive one ->
          exact/rank>>, $\nu_i\tau_1+s=\mu$. [proof; exact/rank; exact/root squared; exact/refused]
        """
    ),
    variables=(
        Variable(n, "n", r"\mathbb N", "number of clients"),
        Variable(d, "d", r"\mathbb N", "number of coordinates"),
        Variable(nu, r"\nu", r"\mathbb R^n_{>0}", "factors of the clients", "(n,)", first=0),
        Variable(L, "L", r"\mathbb R^n_{>0}", "constants of the clients", "(n,)", first=0),
        Variable(v, "v", r"\mathbb R_{\ge0}", "variance of the factors"),
        Variable(x, "x", r"\mathbb R^d", "a point", "(d,)"),
        Variable(lam, r"\lambda", "[0,1)", "how much the clients differ"),
        Variable(mu, r"\mu", r"\mathbb R_{\ge0}", "smallest eigenvalue of the mean matrix"),
        Variable(tau, r"\tau", "(0,1)", r"an eigenvalue of $\frac14T$"),
        Variable(tau_1, r"\tau_1", "(0,1)", "the smallest one"),
        Variable(tau_d, r"\tau_d", "(0,1)", "the largest one"),
        Variable(s, "s", r"\mathbb R", "shift of the matrices"),
        Variable(L_minus, "L_-", r"\mathbb R_{>0}", "norm of the mean matrix"),
    ),
    notation={"T": "matrix", r"A_{#1}": "Hessians", r"L_\pm": "Hessian variance", "L_+": "mean smoothness"},
    hypotheses={
        "sizes": domain(r"$n,d\ge1$ are integers; $0\le\lambda<1$, $\mu\ge0$"),
        "factors": definition(r"$\nu_i=1+\lambda(\frac{2i+1}n-1)$"),
        "v": definition(r"$v=\lambda^2\frac{n^2-1}{3n^2}$"),
        "spectrum": model(
            r"$0<\tau_1\le\tau\le\tau_d$, $\tau_d=1-\tau_1$, since these are eigenvalues of $\frac14T$"
        ),
        "shift": definition(r"$s=\mu-\tau_1$"),
        "L-minus": definition(r"$L_-=\mu+\tau_d-\tau_1$, $L_->0$"),
        "clients": model(r"$L_i=\nu_i\tau_d+s$, $L_i>0$"),
        "large-factors": parameter(r"$2(\tau_1-\mu)\le\nu_i$"),
        "alike": parameter(r"$\lambda=0$"),
        **gains.HYPOTHESES,
    },
    relations={
        "mean": Relation((Sum(nu[i], CLIENTS) / n, 1), ("=",)),
        "variance": Relation((Sum((nu[i] - 1) ** 2, CLIENTS) / n, v), ("=",)),
        "mean-matrix": Relation((mu, tau + s, L_minus), ("<=", "<=")),
        "pm": Relation((_SQUARES - (tau + s) ** 2, v * tau**2, v * tau_d**2), ("=", "<=")),
        "plus": Relation((_SQUARES, L_minus**2 + v * tau_d**2), ("<=",)),
        "weighted": Relation(
            (
                L_minus / n * Sum((nu[i] * tau + s) ** 2 / L[i], CLIENTS) - (tau + s) ** 2,
                s**2 * (tau_d - tau) ** 2 / (n * L_minus) * Sum((nu[i] - 1) ** 2 / L[i], CLIENTS),
            ),
            ("=",),
            under=("clients",),
        ),
        "client-above": Relation((nu[i] * tau + s, nu[i] * tau_d + s), ("<=",), every=(CLIENTS,)),
        "client-below": Relation(
            (-(nu[i] * tau + s), nu[i] * tau_d + s), ("<=",), every=(CLIENTS,), under=("large-factors",)
        ),
        **{name: gains.relation(name) for name in gains.GAINS},
        "bent": Relation((2 * _BENT[0] - 2 * _BENT[1], x[0] ** 2 + _STEPS + x[d - 1] ** 2), ("=",)),
        "identical": Relation((mu, nu[i] * tau + s), ("<=",), every=(CLIENTS,), under=("alike",)),
        "smallest": Relation((nu[i] * tau_1 + s, mu), ("=",), every=(CLIENTS,), under=("alike",)),
    },
    formulas={
        "factor": NU,
        "tau": _tau(j),
        "variance": _V,
        "exact": _ROOT.xreplace(_SINES),
        "L_minus": mu + _LAST - _FIRST,
        "L_plus": sqrt((mu + _LAST - _FIRST) ** 2 + _V * _LAST**2),
        "L_client": NU * _LAST + mu - _FIRST,
        "weighted_square": (_LAST - _FIRST) ** 2
        * (mu - _FIRST) ** 2
        / (n * (mu + _LAST - _FIRST))
        * Sum((1 + lam * ((2 * k + 1) / n - 1) - 1) ** 2 / _CLIENT_K, (k, 0, n - 1)),
    },
    internal=dict.fromkeys(
        ("tau", "exact", "L_minus", "L_plus", "L_client", "weighted_square"), "with sines, for any dimension"
    )
    | {"factor": r"$\nu_i$ of (a)", "variance": "$v$ of (a)"},
    values={"ten": gains.GAINS["gain-ten"][-1], "five": gains.GAINS["gain-five"][-1]},
    worst_cases=cases(r"""
        two clients in the plane: $\nu=(\frac34,\frac54)$, $\tau=(\frac14,\frac34)$ | n = 2, d = 2, lam = 1/2,
          mu = 1/4 | 3/16
    """),
)


def derive(K: Any) -> None:
    """Prove the relations."""
    K.index(CLIENTS)
    quarter, half = Rational(1, 4), Rational(1, 2)
    K.example(
        {n: 2, d: 2, lam: half, mu: quarter, tau_1: quarter, tau_d: 3 * quarter, tau: half, s: 0}
        | {nu: (3 * quarter, 5 * quarter), L_minus: 3 * quarter, L: (Rational(9, 16), Rational(15, 16))}
    )
    K.example(gains.example(2, 2, 0, 1, quarter))
    for item in gains.GAINS.values():
        K.example(gains.example(*item[:-1]))
    _matrices(K)
    first, second, factor = triangular_number(K, n), _squares(K), K.at(K.given("factors"), i)
    total = K.cert(eq(Sum(nu[i], CLIENTS), n), (1, K.sum_over(factor, CLIENTS)), (2 * lam / n, first))
    K.conclude("mean", K.cert(eq(Sum(nu[i], CLIENTS) / n, 1), (1 / n, total)))
    square = K.cert(eq((nu[i] - 1) ** 2, (NU - 1) ** 2), (nu[i] + NU - 2, factor))
    spread = K.cert(
        eq(Sum((nu[i] - 1) ** 2, CLIENTS), n * v),
        (1, K.sum_over(square, CLIENTS)),
        (4 * lam**2 / n**2, second),
        (4 * lam**2 * (1 - n) / n**2, first),
        using=[K.given("v")],
    )
    K.conclude("variance", K.cert(eq(Sum((nu[i] - 1) ** 2, CLIENTS) / n, v), (1 / n, spread)))
    low, high = K.given("spectrum", 1), K.given("spectrum", 2)
    shift, least = K.given("shift"), K.given("L-minus")
    below = K.cert(le(mu, tau + s), (1, low), using=[shift])
    above = K.cert(le(tau + s, L_minus), (1, high), using=[shift, least])
    K.conclude("mean-matrix", below, above)
    variance = K.cert(
        eq(_SQUARES - (tau + s) ** 2, v * tau**2),
        (tau**2 / n, spread),
        (2 * tau * (tau + s) / n, total),
    )
    K.know(K.cert(le(0, tau), (1, low), (1, tau_1)))
    K.know(K.cert(le(0, v), (1 / n, Sum((nu[i] - 1) ** 2, CLIENTS)), (1 / n, spread)))
    K.know(K.cert(le(0, tau_d), (1, high), (1, tau)), K.cert(le(0, tau + s), (1, below), (1, mu)))
    largest = K.cert(le(v * tau**2, v * tau_d**2), (v * (tau + tau_d), high))
    K.conclude("pm", variance, largest)
    K.know(K.given("L-minus", 1))
    plus = K.cert(
        le(_SQUARES, L_minus**2 + v * tau_d**2),
        (1, variance),
        (1, largest),
        (L_minus + tau + s, above),
    )
    K.conclude("plus", plus)
    K.know(K.given("clients", 1))
    constant, equations = K.at(K.given("clients"), i), [shift, least]
    constants = K.cert(
        eq(Sum(L[i], CLIENTS), n * L_minus),
        (1, K.sum_over(constant, CLIENTS)),
        (tau_d, total),
        using=equations,
    )
    # What is left of an eigenvalue beside its multiple of L_i.
    rest = s * (tau_d - tau)
    other = (L[i] * (tau + s) + rest * (1 - nu[i])) / L_minus
    split = K.cert(eq(nu[i] * tau + s, other), (-(tau + s) / L_minus, constant), using=equations)
    square = K.cert(
        eq((nu[i] * tau + s) ** 2 / L[i], other**2 / L[i]), ((nu[i] * tau + s + other) / L[i], split)
    )
    weighted = K.cert(
        eq(
            L_minus / n * Sum((nu[i] * tau + s) ** 2 / L[i], CLIENTS) - (tau + s) ** 2,
            s**2 * (tau_d - tau) ** 2 / (n * L_minus) * Sum((nu[i] - 1) ** 2 / L[i], CLIENTS),
        ),
        (L_minus / n, K.sum_over(square, CLIENTS)),
        ((tau + s) ** 2 / (n * L_minus), constants),
        (-2 * (tau + s) * rest / (n * L_minus), total),
    )
    K.conclude("weighted", weighted)
    for name in gains.GAINS:
        K.conclude(name, gains.gain(K, name))


def _matrices(K: Any) -> None:
    """Eigenvalues of a client, the square of T, and identical clients."""
    low, high, ends = (K.given("spectrum", place) for place in (1, 2, 3))
    factor, shift = K.at(K.given("factors"), i), K.given("shift")
    K.know(
        K.cert(
            lt(0, nu[i]),
            (-1, factor),
            (1, K.cert(lt(0, 1 - lam), (1, K.given("sizes", 5)))),
            (lam / n, 2 * i + 1),
        )
    )
    above = K.cert(le(nu[i] * tau + s, nu[i] * tau_d + s), (nu[i], high))
    K.conclude("client-above", K.every(above, CLIENTS))
    below = K.cert(
        le(-(nu[i] * tau + s), nu[i] * tau_d + s),
        (nu[i], low),
        (-nu[i], ends),
        (1, K.at(K.given("large-factors"), i)),
        (-2, shift),
    )
    K.conclude("client-below", K.every(below, CLIENTS))
    K.know(K.cert(le(0, d - 1), (1, K.given("sizes", 3))))
    square = K.cert(
        eq(2 * _BENT[0] - 2 * _BENT[1], x[0] ** 2 + _STEPS + x[d - 1] ** 2),
        (2, K.split_off(_BENT[0])),
        (-1, telescoping_sum(K, x[k] ** 2, k, d - 1)),
    )
    K.conclude("bent", square)
    one = K.cert(eq(nu[i], 1), (1, factor), ((2 * i + 1) / n - 1, K.given("alike")))
    identical = K.cert(le(mu, nu[i] * tau + s), (1, low), (-tau, one), (-1, shift))
    K.conclude("identical", K.every(identical, CLIENTS))
    smallest = K.cert(eq(nu[i] * tau_1 + s, mu), (tau_1, one), (1, shift))
    K.conclude("smallest", K.every(smallest, CLIENTS))


def _squares(K: Any) -> Any:
    """Return the sum of the squares below n, by induction."""
    m = Symbol("squares_m", real=True)

    def statement(count: Any) -> Any:
        return eq(Sum(j**2, (j, 0, count - 1)), count * (count - 1) * (2 * count - 1) * Rational(1, 6))

    step = K.cert(statement(m + 1), (1, K.split_off(Sum(j**2, (j, 0, m)))), (1, K.assume(statement(m))))
    return K.at(K.induction(m, K.cert(statement(0)), step), n)
