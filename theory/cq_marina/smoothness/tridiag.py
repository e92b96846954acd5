r"""`cq_marina/tridiag`: quadratics with adjustable Hessian variance (arXiv 2401.05518)."""

from typing import Any

from sympy import IndexedBase, Rational, Sum, Symbol, pi, sin, sqrt

from theory.claim import Claim, Hypothesis, Part, Relation, Variable, WorstCase
from theory.cq_marina.paper import PAPER
from theory.facts.triangular_number import triangular_number
from theory.formula import IsInteger, eq, every, le, lt

n, d, lam, mu, tau, tau_1, tau_d, s, L_minus, i, j, k = (
    Symbol(name, real=True)
    for name in ("n", "d", "lam", "mu", "tau", "tau_1", "tau_d", "s", "L_minus", "i", "j", "k")
)
nu, L = IndexedBase("nu", real=True), IndexedBase("L", real=True)
v = Symbol("v", real=True)
CLIENTS = (i, 0, n - 1)

NU = 1 + lam * ((2 * i + 1) / n - 1)
_V = lam**2 * (n**2 - 1) / (3 * n**2)
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
    title="Smoothness constants of the tridiagonal quadratics, and how weights remove their variance",
    position=19,
    paper=PAPER,
    setting=(
        r"Clients are counted from zero and have the factors $\nu_i$ of (a) and the matrices "
        r"$A_i=\frac{\nu_i}"
        r"4T+sI$, where $T$ has the diagonal 2 and -1 beside it; $\tau$ is any eigenvalue of $\frac14T$, "
        r"$\tau_1$ the smallest and $\tau_d=1-\tau_1$ the largest; $s=\mu-\tau_1$. The $A_i$ commute: their "
        r"eigenvalues are the $\tau$, scaled and shifted, and squared constants are largest values over them."
    ),
    parts=(
        Part(
            "a",
            r"The factors $\nu_i=1+\lambda(\frac{2i+1}n-1)$ have the mean 1 and the variance "
            r"$v=\lambda^2\frac"
            r"{n^2-1}{3n^2}$: $$\frac1n\sum_{i=0}^{n-1}\nu_i=1,\qquad\frac1n\sum_{i=0}^{n-1}(\nu_i-1)^2=v.$$",
            says=("mean", "variance"),
            evidence=("proof", "exact/mean factor", "exact/variance of the factors"),
            pins={r"the mean 1": "exact/mean factor"},
        ),
        Part(
            "b",
            r"The mean matrix has the eigenvalues $\mu\le\tau+s\le L_-$ with $L_-=\mu+\tau_d-\tau_1$, both "
            r"attained.",
            says=("mean-matrix",),
            evidence=("proof", "exact/L_minus", "exact/smallest eigenvalue"),
            pins={"both attained": "exact/L_minus"},
        ),
        Part(
            "c",
            r"The square of $L_\pm$ is $v\tau_d^2$: "
            r"$$\frac1n\sum_{i=0}^{n-1}(\nu_i\tau+s)^2-(\tau+s)^2=v\tau^2\le "
            r"v\tau_d^2.$$",
            says=("pm",),
            evidence=("proof", "exact/L_pm", "adversarial/variance"),
            pins={r"The square of $L_\pm$ is $v\tau_d^2$": "exact/L_pm"},
        ),
        Part(
            "d",
            r"That of $L_+$ is $L_-^2+v\tau_d^2$: $$\frac1n\sum_{i=0}^{n-1}(\nu_i\tau+s)^2\le "
            r"L_-^2+v\tau_d^2.$$",
            says=("plus",),
            evidence=("proof", "exact/L_plus"),
            pins={r"That of $L_+$ is $L_-^2+v\tau_d^2$": "exact/L_plus"},
        ),
        Part(
            "e",
            r"If all $\nu_i$ are at least twice $\tau_1-\mu$, the clients have $L_i=\nu_i\tau_d+s$.",
            evidence=("exact/L of a client",),
            pins={
                r"all $\nu_i$ are at least twice $\tau_1-\mu$, the clients have $L_i=\nu_i\tau_d+s$": (
                    "exact/L of a client"
                )
            },
        ),
        Part(
            "f",
            r"Finding: then the weights $w_i\propto L_i$ give $L_{+,w}=L_-$, and their Hessian variance is "
            r"nearly "
            r"0, $$\frac{L_-}n\sum_{i=0}^{n-1}\frac{(\nu_i\tau+s)^2}{L_i}-(\tau+s)^2"
            r"=\frac{s^2(\tau_d-\tau)^2}{nL_-}"
            r"\sum_{i=0}^{n-1}\frac{(\nu_i-1)^2}{L_i},$$ largest at $\tau_1$.",
            says=("weighted",),
            evidence=("proof", "exact/weighted L_plus", "exact/weighted L_pm"),
            pins={
                r"the weights $w_i\propto L_i$ give $L_{+,w}=L_-$": "exact/weighted L_plus",
                r"nearly 0": "exact/weighted L_pm",
                r"largest at $\tau_1$": "exact/weighted L_pm",
            },
        ),
        Part(
            "g",
            r"Weighting takes $L_\pm$ down by the factors 406 for "
            r"$(n,d,\lambda,\mu)=(10,32,\frac12,10^{-6})$ and "
            r"18.8 for $(5,6,\frac45,10^{-2})$: the clients are nearly multiples of each other.",
            evidence=("exact/gain of weights",),
            pins={
                r"the factors 406 for $(n,d,\lambda,\mu)=(10,32,\frac12,10^{-6})$ and 18.8 for "
                r"$(5,6,\frac45,10^{-2})$": "exact/gain of weights",
                r"Weighting takes $L_\pm$ down": "exact/gain of weights",
            },
        ),
        Part(
            "h",
            r"The linear terms are those of the family, of client $i$ from the place of client $n-1-i$: "
            r"values and "
            r"gradients are those of the functions written out.",
            evidence=(
                "exact/f",
                "exact/f again",
                "exact/f_i",
                "exact/gradient of f_i",
                "exact/gradients",
                "exact/gradient of a client",
            ),
            pins={"of client $i$ from the place of client $n-1-i$": "exact/gradients"},
        ),
        Part(
            "i",
            r"Identical clients have semidefinite matrices; one without $\mu$ is singular, and any positive "
            r"$\mu$ makes it regular. Their roots, computed, are roots, and a "
            r"negative eigenvalue is refused.",
            evidence=("exact/rank", "exact/root squared", "exact/refused"),
            pins={
                r"one without $\mu$ is singular, and any positive $\mu$ makes it regular": "exact/rank",
                "a negative eigenvalue is refused": "exact/refused",
            },
        ),
    ),
    variables=(
        Variable(n, "n", r"\mathbb N", "number of clients"),
        Variable(d, "d", r"\mathbb N", "number of coordinates"),
        Variable(nu, r"\nu", r"\mathbb R^n_{>0}", "factors of the clients", "(n,)", first=0),
        Variable(L, "L", r"\mathbb R^n_{>0}", "constants of the clients", "(n,)", first=0),
        Variable(v, "v", r"\mathbb R_{\ge0}", "variance of the factors"),
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
        "sizes": Hypothesis(
            "domain",
            (IsInteger(n), le(1, n), IsInteger(d), le(1, d), le(0, lam), lt(lam, 1), le(0, mu)),
            r"$n,d\ge1$ are integers; $0\le\lambda<1$, $\mu\ge0$",
        ),
        "factors": Hypothesis(
            "definition", every(eq(nu[i], NU), CLIENTS), r"$\nu_i=1+\lambda(\frac{2i+1}n-1)$"
        ),
        "v": Hypothesis("definition", eq(v, _V), r"$v=\lambda^2\frac{n^2-1}{3n^2}$"),
        "spectrum": Hypothesis(
            "model",
            (lt(0, tau_1), le(tau_1, tau), le(tau, tau_d), eq(tau_d, 1 - tau_1)),
            r"$\tau$ is an eigenvalue of $\frac14T$, the smallest is $\tau_1$ and the largest "
            r"$\tau_d=1-\tau_1$",
        ),
        "shift": Hypothesis("definition", eq(s, mu - tau_1), r"$s=\mu-\tau_1$"),
        "L-minus": Hypothesis(
            "definition", (eq(L_minus, mu + tau_d - tau_1), lt(0, L_minus)), r"$L_-=\mu+\tau_d-\tau_1$"
        ),
        "clients": Hypothesis(
            "model",
            (every(eq(L[i], nu[i] * tau_d + s), CLIENTS), every(lt(0, L[i]), CLIENTS)),
            r"$L_i=\nu_i\tau_d+s$, $L_i>0$",
        ),
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
    worst_cases=(
        WorstCase(
            r"two clients in the plane: $\nu=(\frac34,\frac54)$, $\tau=(\frac14,\frac34)$",
            {"n": 2, "d": 2, "lam": Rational(1, 2), "mu": Rational(1, 4)},
            Rational(3, 16),
        ),
    ),
)


def derive(K: Any) -> None:
    """Prove the relations."""
    K.index(CLIENTS)
    quarter, half = Rational(1, 4), Rational(1, 2)
    K.example(
        {n: 2, d: 2, lam: half, mu: quarter, tau_1: quarter, tau_d: 3 * quarter, tau: half, s: 0}
        | {nu: (3 * quarter, 5 * quarter), L_minus: 3 * quarter, L: (Rational(9, 16), Rational(15, 16))}
    )
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


def _squares(K: Any) -> Any:
    """Return the sum of the squares below n, by induction."""
    m = Symbol("squares_m", real=True)

    def statement(count: Any) -> Any:
        return eq(Sum(j**2, (j, 0, count - 1)), count * (count - 1) * (2 * count - 1) * Rational(1, 6))

    step = K.cert(statement(m + 1), (1, K.split_off(Sum(j**2, (j, 0, m)))), (1, K.assume(statement(m))))
    return K.at(K.induction(m, K.cert(statement(0)), step), n)
