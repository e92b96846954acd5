r"""`cat/special-cases`: known random schemes are points of one family (arXiv 2003.06377)."""

from typing import Any

from sympy import IndexedBase, Rational, Sum, Symbol, symbols

from theory.cat.paper import PAPER
from theory.cat.random.water_filling import (
    ALL,
    ENERGY,
    HEAD,
    KNEE,
    LINEAR,
    OPEN,
    SURE,
    TAIL,
    T,
    d,
    j,
    k,
    l,
    q,
    s,
)
from theory.claim import Claim, Relation, Variable
from theory.formula import eq, le
from theory.hypotheses import definition, domain, parameter
from theory.statement import statement
from theory.worst_cases import cases

N, G, T_c, omega, eta, norm_1, t_square = symbols("N G T_c omega eta norm_1 t_square", real=True)
o_square, t_omega, o_omega = symbols("o_square t_omega o_omega", real=True)
p, kept = symbols("p kept", cls=IndexedBase, real=True)

_TOTAL = Sum(s[j], ALL)
_BOTTOM = HEAD + TAIL**2 / (T - k)
_EXACT = ENERGY / (_TOTAL * s[0])
_USED = Sum(s[j] ** 2 / p[j], ALL)


CLAIM = Claim(
    id="cat/special-cases",
    kind="identity",
    provenance="derived",
    title="TernGrad, QSGD with one level, ATOMO and variance budgets as one family",
    position=28,
    paper=PAPER,
    **statement(
        r"""
        $s_1\ge\dots\ge s_d>0$ are the magnitudes of the entries of $g$ that are not 0, $\|g\|_1$ is their
        sum. Of expected size $T$, the best probabilities $p_j$, with the share $\omega_T$ and $k$ sure
        entries, are those of `cat/st-waterfill`; the share of a scheme is $\|g\|^2$ over the expected
        squared norm of its message.
        (a: budget, least-size) Least variance of a given size (entrywise ATOMO) and least size of a given
          variance (Wangni et al.) have the same solution: with $\eta=\frac1{\omega_T}-1$,
          $$\sum_j\frac{s_j^2}{p_j}=(1+\eta)\|g\|^2,$$ and where <<$q\in(0,1]^d$ -> proof>> has
          $\sum_j\frac{s_j^2}{q_j}\le(1+\eta)\|g\|^2$, $$T\le\sum_jq_j.$$ [proof; exact/budget of variance;
          exact/least size]
        (b: tern-size, tern-share) TernGrad, which sends <<$\pm s_1$ -> exact/TernGrad>> with <<the
          probabilities $\frac{s_j}{s_1}$ -> exact/TernGrad>>, has the expected size
          $T_c=\frac{\|g\|_1}{s_1}$, $\sum_j\frac{s_j}{s_1}=T_c$, and the share $$\omega_{\rm
          Tern}=\frac{\sum_js_j^2}{\|g\|_1s_1}.$$ [proof; exact/TernGrad]
        (c: level-size, level-share) QSGD with one level, which sends <<$\pm N$ -> exact/one level>>,
          $N^2=\sum_js_j^2$, with <<the probabilities $\frac{s_j}N$ -> exact/one level>>, has an expected
          size $\frac{\|g\|_1}N\le\frac{\|g\|_1}{s_1}$ and the share $$\omega_{\rm level}=\frac
          N{\|g\|_1}.$$ [proof; exact/one level; exact/one level below TernGrad]
        (d: tern-curve, level-curve) <<Both are points of the family, on its linear part -> exact/TernGrad
          on the curve>>: $\omega_{\rm Tern}=\frac{T_c\sum_js_j^2}{(\sum_js_j)^2}$ and $\omega_{\rm
          level}=\frac{\frac{\|g\|_1}N\sum_js_j^2}{(\sum_js_j)^2}$. [proof; exact/TernGrad on the curve;
          exact/one level on the curve]
        (e: survivor) Where $p_j=\frac{Ts_j}{\|g\|_1}$, <<which is so for $T\le T_c$ -> exact/one
          magnitude>>, all survivors are received with one magnitude, $\frac{s_j}{p_j}=\frac{\|g\|_1}T$: a
          message needs one number, and an index and a sign for each. [proof; exact/one magnitude;
          exact/magnitude; exact/magnitudes above the knee; exact/bits of the short message]
        """
    ),
    variables=(
        Variable(d, "d", r"\mathbb N", "number of coordinates"),
        Variable(k, "k", r"\mathbb N_0", "number of entries that are kept surely"),
        Variable(T, "T", r"\mathbb R_{>0}", "expected number of entries that are kept"),
        Variable(s, "s", r"\mathbb R^d_{>0}", "sorted magnitudes, largest first", "(d,)"),
        Variable(p, "p", "(0,1]^d", "the best probabilities", "(d,)"),
        Variable(q, "q", "(0,1]^d", "probabilities", "(d,)"),
        Variable(G, r"\|g\|^2", r"\mathbb R_{>0}", "squared norm"),
        Variable(norm_1, r"\|g\|_1", r"\mathbb R_{>0}", "sum of the magnitudes"),
        Variable(N, "N", r"\mathbb R_{>0}", "Euclidean norm"),
        Variable(omega, r"\omega_T", "(0,1]", "the largest share of the size $T$"),
        Variable(eta, r"\eta", r"\mathbb R_{\ge0}", "relative variance"),
        Variable(t_omega, r"\omega_{\rm Tern}", "(0,1]", "share of TernGrad"),
        Variable(o_omega, r"\omega_{\rm level}", "(0,1]", "share of QSGD with one level"),
        Variable(T_c, "T_c", r"\mathbb R_{>0}", "expected size of TernGrad"),
        Variable(kept, "b", r"\{0,1\}^d", "which entries are kept", "(d,)"),
        Variable(t_square, r"\mathbb E\|Q_{\rm Tern}\|^2", r"\mathbb R_{>0}", "second moment of TernGrad"),
        Variable(
            o_square,
            r"\mathbb E\|Q_{\rm level}\|^2",
            r"\mathbb R_{>0}",
            "second moment of QSGD with one level",
        ),
    ),
    notation={"g": "the gradient"},
    hypotheses={
        "sizes": domain(r"$d\ge1$, $k\ge0$ are integers; $k\le d-1$, $k<T$"),
        "magnitudes": domain(r"$s_j>0$"),
        "sorted": domain(r"the first magnitude is the largest: $s_j\le s_1$, $N,\|g\|_1,\|g\|^2,\omega_T>0$"),
        "norms": definition(
            r"$N^2=\sum_js_j^2$, $\|g\|_1=\sum_js_j$, $\|g\|^2=\sum_js_j^2$, $T_c=\frac{\|g\|_1}{s_1}$"
        ),
        "best": definition(
            r"$p_j=1$ for $j\le k$; $p_j=\frac{T-k}{\sum_{l=k+1}^ds_l}s_j$ for $j>k$; $p_j>0$, "
            r"$\omega_T=\frac{\|g\|^2}{\sum_{j=1}^ks_j^2+\frac{(\sum_{l=k+1}^ds_l)^2}{T-k}}$; "
            r"$\sum_{l=k+1}^ds_l\le(T-k)s_j$ for $j\le k$",
            reference="cat/st-waterfill",
        ),
        "eta": parameter(r"$\eta=\frac1{\omega_T}-1$"),
        "competitor": parameter(r"$q_j\in(0,1]$, $\sum_j\frac{s_j^2}{q_j}\le(1+\eta)\|g\|^2$"),
        "schemes": definition(
            r"$\mathbb E\|Q_{\rm Tern}\|^2=\sum_j\mathbb E\bigl((s_1b_j)^2\bigr)$, over independent "
            r"$b_j\sim\mathrm{Bernoulli}(\frac{s_j}{s_1})$, $1\le j\le d$; $\mathbb E\|Q_{\rm "
            r"level}\|^2=\sum_j\mathbb E\bigl((Nb_j)^2\bigr)$, over independent "
            r"$b_j\sim\mathrm{Bernoulli}(\frac{s_j}N)$, $1\le j\le d$; $\omega_{\rm "
            r"Tern}=\frac{\|g\|^2}{\mathbb E\|Q_{\rm Tern}\|^2}$, $\omega_{\rm "
            r"level}=\frac{\|g\|^2}{\mathbb E\|Q_{\rm level}\|^2}$, $\mathbb E\|Q_{\rm Tern}\|^2>0$, "
            r"$\mathbb E\|Q_{\rm level}\|^2>0$"
        ),
        "linear": parameter(r"$p_j=\frac{Ts_j}{\|g\|_1}$, $p_j>0$"),
    },
    relations={
        "budget": Relation((_USED, (1 + eta) * G), ("=",), under=("best", "eta")),
        "least-size": Relation((T, Sum(q[j], ALL)), ("<=",), under=("best", "eta", "competitor")),
        "tern-size": Relation((Sum(s[j] / s[0], ALL), T_c), ("=",)),
        "tern-share": Relation((t_omega, ENERGY / (norm_1 * s[0])), ("=",), under=("schemes",)),
        "level-size": Relation((norm_1 / N, norm_1 / s[0]), ("<=",)),
        "level-share": Relation((o_omega, N / norm_1), ("=",), under=("schemes",)),
        "tern-curve": Relation((t_omega, LINEAR.subs(T, T_c)), ("=",), under=("schemes",)),
        "level-curve": Relation((o_omega, LINEAR.subs(T, norm_1 / N)), ("=",), under=("schemes",)),
        "survivor": Relation((s[j] / p[j], norm_1 / T), ("=",), every=(ALL,), under=("linear",)),
    },
    formulas={
        "exact": _EXACT,
        "knee": KNEE,
        "one_level_size": _TOTAL / N,
        "one_level_share": N / _TOTAL,
        "survivor": _TOTAL / T,
        "eta": 1 / omega - 1,
    },
    internal=dict.fromkeys(
        ("exact", "knee", "one_level_size", "one_level_share", "survivor", "eta"),
        r"with the sum for $\|g\|_1$, or the hypothesis of part (a)",
    ),
    worst_cases=cases("""
        TernGrad at (9, 6, 5, 4, 3, 2, 1, 1) | s = (9, 6, 5, 4, 3, 2, 1, 1), d = 8 | 173/279
        one level at (6, 3, 2) | s = (6, 3, 2), d = 3, N = 7 | 7/11
    """),
)


_HALF = Rational(1, 2)
# One sure entry of (4, 2, 2, 1), whose norm is 5; and none of an expected size of 2.
_EXAMPLE = {
    **{d: 4, k: 1, T: 3, s: (4, 2, 2, 1), N: 5, G: 25, norm_1: 9, T_c: Rational(9, 4)},
    **{p: (1, Rational(4, 5), Rational(4, 5), Rational(2, 5)), q: (1, 1, 1, _HALF)},
    **{omega: Rational(50, 57), eta: Rational(7, 50), t_square: 36, o_square: 45},
    **{t_omega: Rational(25, 36), o_omega: Rational(5, 9)},
}


def derive(K: Any) -> None:
    """Prove the relations."""
    K.index(ALL)
    K.example(_EXAMPLE)
    K.example({**_EXAMPLE, k: 0, T: 2, p: tuple(Rational(2 * item, 9) for item in (4, 2, 2, 1))})
    _budgets(K)
    _schemes(K)


def _split(K: Any, term: Any) -> Any:
    """Return a sum over all entries as those of the sure and of the open ones."""
    total, rest = Sum(term, ALL), Sum(term, OPEN)
    goal = eq(total, Sum(term, SURE) + rest)
    return K.cert(goal, (1, K.split_off(total, k)), (-1, K.split_off(rest, k)))


def _budgets(K: Any) -> None:
    """Tangents of s^2/q at 1 for sure entries, at s/h for the others."""
    m, h = Symbol("m_sure", real=True), TAIL / (T - k)
    K.index((m, 0, k - 1), (l, k, d - 1))
    K.know(K.given("best", 2), K.given("competitor"))
    value = K.cert(eq((1 + eta) * G, _BOTTOM), (G, K.given("eta")), (-_BOTTOM / omega, K.given("best", 3)))
    sure = K.cert(eq(s[m] ** 2 / p[m], s[m] ** 2), (-(s[m] ** 2) / p[m], K.at(K.given("best"), m)))
    opened = K.cert(eq(s[l] ** 2 / p[l], s[l] * h), (-s[l] * h / p[l], K.at(K.given("best", 1), l)))
    budget = K.cert(
        eq(_USED, (1 + eta) * G),
        (1, _split(K, s[j] ** 2 / p[j])),
        (1, K.sum_over(sure, (m, 0, k - 1))),
        (1, K.sum_over(opened, (l, k, d - 1))),
        (-1, value),
    )
    K.conclude("budget", budget)

    left = 1 - q[m]
    K.know(K.cert(le(0, left), (1, K.at(K.given("competitor", 1), m))))
    sure = K.cert(
        le(s[m] ** 2 + left * h**2, s[m] ** 2 / q[m]),
        (1 / q[m], (s[m] * left) ** 2),
        (left * (s[m] + h) / (T - k), K.at(K.given("best", 4), m)),
    )
    others = K.cert(le(2 * s[l] * h - q[l] * h**2, s[l] ** 2 / q[l]), (1 / q[l], (s[l] - q[l] * h) ** 2))
    least = K.cert(
        le(T, Sum(q[j], ALL)),
        (1 / h**2, K.sum_over(sure, (m, 0, k - 1))),
        (1 / h**2, K.sum_over(others, (l, k, d - 1))),
        (-1 / h**2, _split(K, s[j] ** 2 / q[j])),
        (-1, _split(K, q[j])),
        (1 / h**2, K.given("competitor", 2)),
        (1 / h**2, value),
    )
    K.conclude("least-size", least)


def _schemes(K: Any) -> None:
    """A message of one magnitude has the second moment of this magnitude times the sum of all."""
    N_square, total, G_square, knee = (K.given("norms", place) for place in range(4))
    K.conclude("tern-size", K.cert(eq(Sum(s[j] / s[0], ALL), T_c), (-1 / s[0], total), (-1, knee)))
    rest = [Sum(s[l] ** 2, ends) for ends in ((l, 0, j - 1), (l, j + 1, d - 1))]
    split, more = K.split_off(Sum(s[l] ** 2, (l, 0, d - 1)), j), 1 / (N + s[j])
    below = K.cert(le(s[j], N), (-more, N_square), (-more, split), *((more, item) for item in rest))
    for level, bound in ((s[0], K.at(K.given("sorted"), j)), (N, below)):
        chance = s[j] / level
        K.know(K.every(K.cert(le(0, chance * (1 - chance)), (chance / level, bound)), ALL))
    K.know(K.given("schemes", 4), K.given("schemes", 5))
    shares = []
    for place, level, square, omega_ in ((0, s[0], t_square, t_omega), (1, N, o_square, o_omega)):
        second = K.cert(eq(square, level * norm_1), (1, K.given("schemes", place)), (-level, total))
        share = K.cert(
            eq(omega_, ENERGY / (norm_1 * level)),
            (1, K.given("schemes", place + 2)),
            (-ENERGY / (square * norm_1 * level), second),
            (1 / square, G_square),
        )
        shares.append(share)
    tern, level = shares
    K.conclude("tern-share", tern)
    level_share = K.cert(eq(o_omega, N / norm_1), (1, level), (-1 / (norm_1 * N), N_square))
    K.conclude("level-share", level_share)
    split, more = K.split_off(ENERGY, 0), 1 / (N + s[0])
    larger = K.cert(le(s[0], N), (-more, N_square), (-more, split), (more, Sum(s[j] ** 2, (j, 1, d - 1))))
    K.conclude("level-size", K.cert(le(norm_1 / N, norm_1 / s[0]), (norm_1 / (N * s[0]), larger)))
    slope = ENERGY * (_TOTAL + norm_1) / (norm_1 * _TOTAL**2)
    curve = LINEAR.subs(T, T_c)
    K.conclude(
        "tern-curve", K.cert(eq(t_omega, curve), (1, tern), (-slope / s[0], total), (-curve / T_c, knee))
    )
    K.conclude(
        "level-curve", K.cert(eq(o_omega, LINEAR.subs(T, norm_1 / N)), (1, level), (-slope / N, total))
    )
    K.know(K.given("linear", 1))
    same = K.cert(eq(s[j] / p[j], norm_1 / T), (-norm_1 / (T * p[j]), K.at(K.given("linear"), j)))
    K.conclude("survivor", K.every(same, ALL))
