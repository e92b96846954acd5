r"""`cat/qsgd-adaptive`: the share of QSGD with s levels, and its worst case (arXiv 2003.06377)."""

from typing import Any

from sympy import Abs, IndexedBase, Min, Rational, Sum, floor, sqrt, symbols

from theory.cat.paper import PAPER
from theory.claim import Claim, Relation, Variable
from theory.expectation import bernoulli
from theory.facts.rounding.rounding import (
    rounding_variance,
    variance_below_level,
    variance_below_quarter,
)
from theory.formula import eq, le, lt
from theory.hypotheses import definition, domain, model, parameter
from theory.statement import statement
from theory.worst_cases import cases

d, j, m, levels, norm, G, L, omega, gamma = symbols("d j m levels N G L omega gamma", real=True)
second, decrease = symbols("second decrease", real=True)
g, sign, b, mean = symbols("g sign b mean", cls=IndexedBase, real=True)
COORDINATES = (j, 0, d - 1)

LEVEL = levels * Abs(g[j]) / norm
_RECEIVED = norm * sign[j] * (floor(LEVEL) + b[j]) / levels
_VARIANCE = rounding_variance(LEVEL)
_EXACT = 1 / (1 + Sum(_VARIANCE, COORDINATES) / levels**2)
_FLAT, _LINEAR = d / (4 * levels**2), sqrt(d) / levels
_BOUND = 1 / (1 + Min(_FLAT, _LINEAR))


def _expected(term: Any) -> Any:
    return bernoulli(term, b, COORDINATES, p=LEVEL - floor(LEVEL))


CLAIM = Claim(
    id="cat/qsgd-adaptive",
    kind="tight",
    provenance="derived",
    title="Share of QSGD with s levels: exact, and a lower bound",
    position=29,
    paper=PAPER,
    **statement(
        r"""
        $g\ne0$ is the gradient of an $L$-smooth $F$ on one node. $Q_j=\|g\|\,\mathrm{sign}(g_j)\xi_j/s$,
        where $\xi$ holds $s$ times the magnitudes over the norm, rounded at random to neighbouring
        integers, without bias and independently; the norm is sent exactly. The share is
        $\omega_s=\|g\|^2/\mathbb E\|Q\|^2$.
        (a: mean) $\mathbb EQ_j=g_j$ for each $j$. [proof; exact/mean]
        (b: share) $$\omega_s=\frac1{1+\frac1{s^2}\sum_j\{s|g_j|/\|g\|\}(1-\{s|g_j|/\|g\|\})}.$$ [proof;
          exact/share; exact/closed form]
        (c: lower) $$\frac1{1+\min(\frac d{4s^2},\frac{\sqrt d}s)}\le\omega_s.$$ [proof; exact/lower bound;
          adversarial/share from below]
        (d: attained) This is attained <<where all levels are halfway -> exact/attained>>,
          $|g_j|=\frac{\|g\|}{\sqrt d}$ and $s=(m-\frac12)\sqrt d$ with $m\in\mathbb N$:
          $\omega_s=\frac1{1+\min(\frac d{4s^2},\frac{\sqrt d}s)}$. [proof; exact/attained]
        (e: decrease) The step $\gamma=\frac{\omega_s}L$ guarantees $\frac{\omega_s}{2L}\|g\|^2\le\mathbb
          E[F(x)-F(x-\gamma Q)]$; so <<the $s$ of the largest $\omega_s/C$ guarantees most for its cost $C$
          -> exact/rule>>. [proof; exact/decrease; exact/rule; exact/first of equal ones; exact/share of the
          rule]
        """
    ),
    variables=(
        Variable(d, "d", r"\mathbb N", "number of coordinates"),
        Variable(g, "g", r"\mathbb R^d", "gradient", "(d,)"),
        Variable(sign, r"\mathrm{sign}(g_{#1})", r"\{-1,1\}^d", "signs of its entries", "(d,)"),
        Variable(norm, r"\|g\|", r"\mathbb R_{>0}", "its Euclidean norm"),
        Variable(G, r"\|g\|^2", r"\mathbb R_{>0}", "the squared norm"),
        Variable(levels, "s", r"\mathbb N", "number of levels"),
        Variable(omega, r"\omega_s", "(0,1]", "the share"),
        Variable(mean, r"\mathbb EQ", r"\mathbb R^d", "expectation of the received vector", "(d,)"),
        Variable(second, r"\mathbb E\|Q\|^2", r"\mathbb R_{>0}", "its expected squared norm"),
        Variable(L, "L", r"\mathbb R_{>0}", r"smoothness constant of $F$"),
        Variable(
            decrease,
            r"\mathbb E[F(x)-F(x-\gamma Q)]",
            r"\mathbb R",
            "expected decrease",
        ),
        Variable(gamma, r"\gamma", r"\mathbb R_{>0}", "step size"),
        Variable(m, "m", r"\mathbb N", "a level halfway to it from below"),
        Variable(b, "b", r"\{0,1\}^d", "which levels are rounded up", "(d,)"),
    ),
    notation={
        "F": "objective",
        "Q": "message",
        r"\xi": "rounded levels",
        r"\xi_{#1}": "one of them",
        "C": "cost of the message",
    },
    hypotheses={
        "sizes": domain(r"$d\ge1$ and $s\ge1$ are integers"),
        "signs": domain(r"$\|g\|>0$ and $L>0$"),
        "fractions": domain(
            r"$\{s|g_j|/\|g\|\}(1-\{s|g_j|/\|g\|\})\ge0$, "
            r"$1+\frac1{s^2}\sum_j\{s|g_j|/\|g\|\}(1-\{s|g_j|/\|g\|\})>0$"
        ),
        "norm": definition(r"$\sum_jg_j^2=(\|g\|)^2$, $\|g\|^2=\sum_jg_j^2$"),
        "sign": definition(r"$\mathrm{sign}(g_j)|g_j|=g_j$, $\mathrm{sign}(g_j)^2=1$"),
        "message": definition(
            r"$\mathbb EQ_j=\mathbb E\bigl(\frac{\|g\|\,\mathrm{sign}(g_j)}s(\lfloor"
            r"\frac{s|g_j|}{\|g\|}\rfloor+b_j)\bigr)$, $\mathbb E\|Q\|^2=\sum_j\mathbb E\Bigl(\Bigl("
            r"\frac{\|g\|\,\mathrm{sign}(g_j)}s(\lfloor\frac{s|g_j|}{\|g\|}\rfloor"
            r"+b_j)\Bigr)^2\Bigr)$, over independent "
            r"$b_j\sim\mathrm{Bernoulli}(\{\frac{s|g_j|}{\|g\|}\})$, $1\le j\le d$"
        ),
        "omega": definition(r"$\omega_s=\|g\|^2/\mathbb E\|Q\|^2$"),
        "smooth": model(
            r"$\mathbb E[F(x)-F(x-\gamma Q)]\ge\gamma\sum_jg_j\mathbb EQ_j"
            r"-\frac{L\gamma^2}2\mathbb E\|Q\|^2$, since $F$ is $L$-smooth"
        ),
        "step": parameter(r"$\gamma=\frac{\omega_s}L$"),
        "halfway": parameter(r"$m\ge1$ is an integer; $|g_j|=\frac{\|g\|}{\sqrt d}$, $s=(m-\frac12)\sqrt d$"),
    },
    relations={
        "mean": Relation((mean[j], g[j]), ("=",), every=(COORDINATES,)),
        "share": Relation((omega, _EXACT), ("=",)),
        "lower": Relation((_BOUND, omega), ("<=",)),
        "attained": Relation((omega, _BOUND), ("=",), under=("halfway",)),
        "decrease": Relation((omega * G / (2 * L), decrease), ("<=",), under=("smooth", "step")),
    },
    formulas={
        "bound": _BOUND,
        "exact": _EXACT,
        "quarter": _FLAT,
        "root": _LINEAR,
        "decrease": omega * G / (2 * L),
    },
    worst_cases=cases("""
        four equal entries, one level: the bound is attained | g = 4 * (1,), N = 2, d = 4, levels = 1 | 1/2
        three levels there | g = 4 * (1,), N = 2, d = 4, levels = 3 | 9/10
    """),
)

# g = (3, -4) with two levels; and four equal entries with three.
_TWO = {
    d: 2,
    levels: 2,
    norm: 5,
    G: 25,
    g: (3, -4),
    sign: (1, -1),
    L: 3,
    gamma: Rational(10, 33),
    omega: Rational(10, 11),
    second: Rational(55, 2),
    mean: (3, -4),
    decrease: 7,
}
_FOUR = {
    d: 4,
    levels: 3,
    norm: 2,
    G: 4,
    m: 2,
    g: (1, -1, 1, 1),
    sign: (1, -1, 1, 1),
    L: 3,
    omega: Rational(9, 10),
    second: Rational(40, 9),
    mean: (1, -1, 1, 1),
}


def derive(K: Any) -> None:
    """Prove the relations."""
    K.index(COORDINATES)
    K.example(_TWO)
    K.example(_FOUR)
    scale, total = norm / levels, Sum(_VARIANCE, COORDINATES)
    K.know(K.sum_over(K.at(K.given("fractions"), j), COORDINATES))
    magnitude, unit = (K.at(K.given("sign", place), j) for place in (0, 1))
    received = K.cert(eq(mean[j], g[j]), (1, K.at(K.given("message"), j)), (1, magnitude))
    K.conclude("mean", K.every(received, COORDINATES))

    body = scale**2 * (LEVEL**2 + _VARIANCE)
    coordinate = K.cert(eq(_expected(_RECEIVED**2), g[j] ** 2 + scale**2 * _VARIANCE), (body, unit))
    moment = K.cert(
        eq(second, norm**2 * (1 + total / levels**2)),
        (1, K.given("message", 1)),
        (1, K.sum_over(coordinate, COORDINATES)),
        (1, K.given("norm")),
    )
    K.know(K.cert(lt(0, second), (-1, moment), (norm, K.given("signs")), (norm**2 / levels**2, total)))
    share = K.cert(
        eq(omega, _EXACT),
        (1, K.given("omega")),
        (1 / second, K.given("norm", 1)),
        (1 / second, K.given("norm")),
        (-_EXACT / second, moment),
    )
    K.conclude("share", share)

    # The sum of the variances is at most d/4 and at most the sum of the levels.
    flat = K.cert(
        le(total / levels**2, _FLAT),
        (1 / levels**2, K.sum_over(variance_below_quarter(K, LEVEL), COORDINATES)),
    )
    level = K.cert(
        le(LEVEL, levels * (norm / (2 * sqrt(d)) + sqrt(d) * g[j] ** 2 / (2 * norm)) / norm),
        (levels / (2 * sqrt(d) * norm**2), (sqrt(d) * Abs(g[j]) - norm) ** 2),
    )
    linear = K.cert(
        le(total / levels**2, _LINEAR),
        (1 / levels**2, K.sum_over(variance_below_level(K, LEVEL, K.sign(le(0, LEVEL))), COORDINATES)),
        (1 / levels**2, K.sum_over(level, COORDINATES)),
        (sqrt(d) / (2 * levels * norm**2), K.given("norm")),
    )
    smaller = K.discharge(K.axiom("min-greatest", _FLAT, _LINEAR, total / levels**2), flat, linear)
    K.conclude("lower", K.cert(le(_BOUND, omega), (_BOUND * _EXACT, smaller), (-1, share)))

    halfway, steps = K.at(K.given("halfway", 2), j), K.given("halfway", 3)
    K.know(K.given("halfway", 0), K.given("halfway", 1))
    middle = K.cert(eq(LEVEL, m - Rational(1, 2)), (levels / norm, halfway), (1 / sqrt(d), steps))
    floored = K.discharge(
        K.axiom("floor-unique", LEVEL, m - 1),
        K.cert(le(m - 1, LEVEL), (-1, middle)),
        K.cert(lt(LEVEL, m), (1, middle)),
    )
    off = LEVEL - floor(LEVEL) - Rational(1, 2)
    quarter = K.cert(eq(_VARIANCE, Rational(1, 4)), (-off, middle), (off, floored))
    longer = K.cert(
        le(_FLAT, _LINEAR),
        (-sqrt(d) / levels**2, steps),
        (d / levels**2, K.given("halfway", 1)),
        (d / (4 * levels**2), 1),
    )
    smaller = K.discharge(K.axiom("min-is-left", _FLAT, _LINEAR), longer)
    attained = K.cert(
        eq(omega, _BOUND),
        (1, share),
        (-_BOUND * _EXACT / levels**2, K.sum_over(quarter, COORDINATES)),
        (_BOUND * _EXACT, smaller),
    )
    K.conclude("attained", attained)

    inner = K.cert(eq(g[j] * mean[j], g[j] ** 2), (g[j], received))
    guarantee = K.cert(
        le(omega * G / (2 * L), decrease),
        (1, K.given("smooth")),
        (-gamma, K.sum_over(inner, COORDINATES)),
        (gamma, K.given("norm", 1)),
        (omega * second / (2 * L), K.given("omega")),
        using=[K.given("step")],
    )
    K.conclude("decrease", guarantee)
