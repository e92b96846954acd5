r"""`cat/s-descent`: what a step along the T largest entries achieves (arXiv 2003.06377)."""

from typing import Any

from sympy import IndexedBase, Rational, Sum, symbols

from theory.cat.paper import PAPER
from theory.claim import Claim, Relation, Variable
from theory.facts.sums.split_sum import split_sum
from theory.formula import eq, le, lt
from theory.hypotheses import definition, domain, model, parameter
from theory.statement import statement
from theory.worst_cases import cases

d, T, j, L, gamma, G, alpha = symbols("d T j L gamma G alpha", real=True)
F, F_next = symbols("F F_next", real=True)
a, g, q, x = symbols("a g q x", cls=IndexedBase, real=True)
ALL, KEPT, REST = (j, 0, d - 1), (j, 0, T - 1), (j, T, d - 1)

_SHARE = Sum(a[j], KEPT) / Sum(a[j], ALL)
_BOUND = gamma * (1 - L * gamma / 2) * alpha * G
_DECREASE = alpha * G / (2 * L)

CLAIM = Claim(
    id="cat/s-descent",
    kind="tight",
    provenance="rederived",
    title="Descent along the T largest entries of the gradient",
    position=1,
    paper=PAPER,
    **statement(
        r"""
        $Q_T(g)$ keeps the $T$ largest entries of $g=\nabla F(x)\ne0$, and
        $\alpha(T)=\frac{\sum_{j=1}^Ta_j}{\sum_{j=1}^da_j}$ with the squares $a_1\ge\dots\ge a_d$ of the
        entries. $F$ is $L$-smooth.
        (a: descent) For every step size $\gamma$, $$F(x-\gamma Q_T(g))\le
          F(x)-\gamma\Big(1-\frac{L\gamma}2\Big)\alpha(T)\|g\|^2.$$ [proof; exact/share; exact/decrease;
          adversarial/quadratics; adversarial/logistic; run/objective]
        (b: largest, best) No step size guarantees more than $\gamma=\frac1L$, which guarantees
          $\frac{\alpha(T)}{2L}\|g\|^2$: for every $\gamma$,
          $$\gamma\Big(1-\frac{L\gamma}2\Big)\alpha(T)\|g\|^2\le\frac{\alpha(T)}{2L}\|g\|^2,$$ and at
          $\gamma=\frac1L$
          $$\gamma\Big(1-\frac{L\gamma}2\Big)\alpha(T)\|g\|^2=\frac{\alpha(T)}{2L}\|g\|^2.$$ [proof;
          exact/largest guarantee; exact/guarantee of the best step]
        (c: sphere) <<On $F=\frac L2\|x\|^2$ -> exact/attained decrease>> (a) is attained for every
          <<$x\ne0$ -> proof>>, $T$ and $\gamma$: $$F(x-\gamma
          Q_T(g))=F(x)-\gamma\Big(1-\frac{L\gamma}2\Big)\alpha(T)\|g\|^2.$$ [proof; exact/attained decrease]
        """
    ),
    variables=(
        Variable(d, "d", r"\mathbb N", "number of coordinates"),
        Variable(T, "T", r"\{1,\dots,d\}", "number of entries that are sent"),
        Variable(L, "L", r"\mathbb R_{>0}", "smoothness constant of $F$"),
        Variable(gamma, r"\gamma", r"\mathbb R", "step size"),
        Variable(G, r"\|g\|^2", r"\mathbb R_{>0}", r"$g=\nabla F(x)$"),
        Variable(alpha, r"\alpha(T)", "[0,1]", "share of the $T$ largest entries"),
        Variable(a, "a", r"\mathbb R_{\ge0}^d", "squares of the entries of $g$, the largest first", "(d,)"),
        Variable(g, "g", r"\mathbb R^d", "gradient", "(d,)"),
        Variable(q, "q", r"\mathbb R^d", "the kept entries $Q_T(g)$", "(d,)"),
        Variable(x, "x", r"\mathbb R^d", "iterate", "(d,)"),
        Variable(F, "F(x)", r"\mathbb R", "the objective"),
        Variable(F_next, r"F(x-\gamma Q_T(g))", r"\mathbb R", "after the step"),
    ),
    notation={"Q_T(g)": "the kept entries", "F": "the objective"},
    hypotheses={
        "sizes": domain(r"$1\le T\le d$ are integers"),
        "signs": domain(r"$L,\|g\|^2>0$"),
        "squares": definition(
            r"$a_j=g_j^2$, $\|g\|^2=\sum_ja_j$, $\alpha(T)=\frac{\sum_{j=1}^Ta_j}{\sum_{j=1}^da_j}$"
        ),
        "kept": definition(r"$q_j=g_j$ for $j\le T$; $q_j=0$ for $j>T$"),
        "smooth": model(
            r"$F(x-\gamma Q_T(g))\le F(x)-\gamma\sum_jg_jq_j+\frac{L\gamma^2}2\sum_jq_j^2$, "
            "since $F$ is $L$-smooth",
            reference="Y. Nesterov, Lectures on Convex Optimization, 2nd ed., lemma 1.2.3",
        ),
        "best-step": parameter(r"$\gamma=\frac1L$"),
        "sphere": model(
            r"$F(x)=\frac L2\sum_jx_j^2$, $F(x-\gamma Q_T(g))=\frac L2\sum_j(x_j-\gamma q_j)^2$, $g_j=Lx_j$"
        ),
    },
    relations={
        "descent": Relation((F_next, F - _BOUND), ("<=",), under=("smooth",)),
        "largest": Relation((_BOUND, _DECREASE), ("<=",)),
        "best": Relation((_BOUND, _DECREASE), ("=",), under=("best-step",)),
        "sphere": Relation((F_next, F - _BOUND), ("=",), under=("sphere",)),
    },
    formulas={"bound": _BOUND, "share": _SHARE, "step_size": 1 / L, "decrease": _DECREASE},
    internal={
        "share": "the definition of the share, in the setting",
        "step_size": "the hypothesis of part (b)",
    },
    worst_cases=cases(r"""
        `gi`, three entries | a = (81, 36, 25, 16, 9, 4, 1, 1), T = 3, d = 8 | 142/173
        $\frac12\|x\|^2$ at `gi`, three entries and $\gamma=1$: equality | L = 1, gamma = 1, alpha = 142/173,
          G = 173 | 71
    """),
)

# F = |x|^2 at x = (3, -2, 1), two entries, gamma = 1/4.
SPHERE = {
    **{d: 3, T: 2, L: 2, gamma: Rational(1, 4), x: (3, -2, 1), g: (6, -4, 2), q: (6, -4, 0)},
    **{a: (36, 16, 4), G: 56, alpha: Rational(13, 14), F: 14, F_next: Rational(17, 4)},
}


def derive(K: Any) -> None:
    """Prove the relations: the kept squares are inner product and square of what is sent."""
    K.example(SPHERE)
    K.example({**SPHERE, gamma: Rational(1, 2), F_next: 1})
    kept, dropped = K.at(K.given("kept"), j), K.at(K.given("kept", 1), j)
    square = K.at(K.given("squares"), j)
    total, share = K.given("squares", 1), K.given("squares", 2)
    K.know(K.every(K.cert(le(0, a[j]), (1, g[j] ** 2), (-1, square)), ALL))
    K.know(K.cert(lt(0, Sum(a[j], ALL)), (1, K.sign(lt(0, G))), (1, total)))
    K.know(K.cert(le(0, alpha), (1, _SHARE), (-1, share)))

    def only_kept(term: Any) -> Any:
        """Return that a sum of g q or q^2 is the sum of the kept squares, which is the share of |g|^2."""
        first = K.sum_over(K.cert(eq(term, a[j]), (term_slope(term), kept), (-1, square)), KEPT)
        rest = K.sum_over(K.cert(eq(term, 0), (term / q[j], dropped)), REST)
        known = Sum(a[j], ALL)
        return K.cert(
            eq(Sum(term, ALL), alpha * G),
            *((1, item) for item in (split_sum(K, term, ALL, T), first, rest)),
            (-known, share),
            (-alpha, total),
        )

    def term_slope(term: Any) -> Any:
        return g[j] if term == g[j] * q[j] else q[j] + g[j]

    inner, norm = only_kept(g[j] * q[j]), only_kept(q[j] ** 2)
    terms = ((-gamma, inner), (L * gamma**2 / 2, norm))
    K.conclude("descent", K.cert(le(F_next, F - _BOUND), (1, K.given("smooth")), *terms))
    K.conclude("largest", K.cert(le(_BOUND, _DECREASE), (_DECREASE, (1 - L * gamma) ** 2)))
    K.conclude("best", K.cert(eq(_BOUND, _DECREASE), using=[K.given("best-step")]))
    before, after, gradient = (K.given("sphere", place) for place in range(3))
    moved = K.cert(
        eq((x[j] - gamma * q[j]) ** 2, x[j] ** 2 - 2 * gamma / L * g[j] * q[j] + gamma**2 * q[j] ** 2),
        (2 * gamma / L * q[j], K.at(gradient, j)),
    )
    sphere = K.cert(eq(F_next, F - _BOUND), (1, after), (-1, before), (L / 2, K.sum_over(moved, ALL)), *terms)
    K.conclude("sphere", sphere)
