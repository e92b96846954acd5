r"""`cat/sq-descent`: one step with the signs of the largest entries (arXiv 2003.06377)."""

from typing import Any

from sympy import IndexedBase, Rational, Sum, sqrt, symbols

from theory.cat.paper import PAPER
from theory.claim import Claim, Relation, Variable
from theory.facts.sums.split_sum import split_sum
from theory.formula import eq, le, lt
from theory.hypotheses import definition, domain, model, parameter
from theory.statement import statement
from theory.worst_cases import cases

d, T, j, L, gamma, G, N, S, beta = symbols("d T j L gamma G N S beta", real=True)
F, F_next = symbols("F F_next", real=True)
s, g, q, x, sign = symbols("s g q x sign", cls=IndexedBase, real=True)
ALL, KEPT, REST = (j, 0, d - 1), (j, 0, T - 1), (j, T, d - 1)

_BETA = Sum(s[j], KEPT) ** 2 / (T * Sum(s[j] ** 2, ALL))
_BOUND = beta * G / (2 * L)
_DECREASE = gamma * N * S - L * gamma**2 * T * N**2 / 2
_STEP, _BY_SHARE = S / (T * L * N), sqrt(beta) / (sqrt(T) * L)

CLAIM = Claim(
    id="cat/sq-descent",
    kind="tight",
    provenance="rederived",
    title="One step with the signs of the largest entries",
    position=13,
    paper=PAPER,
    **statement(
        r"""
        $F$ is $L$-smooth, $g=\nabla F(x)\ne0$, $N=\|g\|$, $S_T$ is the sum of the $T$ largest magnitudes of
        $g$, $\beta(T)=\frac{S_T^2}{T\|g\|^2}$, and $Q$ has $\|g\|\,\mathrm{sign}(g_j)$ at the $T$ largest
        entries and 0 elsewhere.
        (a: descent) For every step size $\gamma$, $$F(x-\gamma Q)\le F(x)-\Big(\gamma
          NS_T-\frac{L\gamma^2}2TN^2\Big).$$ [proof; exact/at least; adversarial/quadratics]
        (b: step, guarantee) With $\gamma=\frac{S_T}{TLN}$, where
          $\frac{S_T}{TLN}=\frac{\sqrt{\beta(T)}}{\sqrt TL}$, $$F(x-\gamma Q)\le
          F(x)-\frac{\beta(T)}{2L}\|g\|^2.$$ [proof; exact/share; exact/both forms of the step;
          run/objective after the step and guarantee]
        (c: largest) No step size guarantees more: for every $\gamma$, $$\gamma
          NS_T-\frac{L\gamma^2}2TN^2\le\frac{\beta(T)}{2L}\|g\|^2.$$ [proof; exact/guarantee of another
          step]
        (d: sphere) <<On $F=\frac L2\|x\|^2$ -> exact/decrease>> (b) is attained <<if no kept entry is 0 ->
          proof>>: at $\gamma=\frac{S_T}{TLN}$, $$F(x-\gamma Q)=F(x)-\frac{\beta(T)}{2L}\|g\|^2.$$ [proof;
          exact/decrease; run/attained guarantee]
        (e: sent) At this $\gamma$ each kept nonzero coordinate moves by $\gamma N=\frac{S_T}{TL}$, so
          the message has to hold $S_T$ in place of $N$. [proof; exact/coordinate of the step]
        """
    ),
    variables=(
        Variable(d, "d", r"\mathbb N", "number of coordinates"),
        Variable(T, "T", r"\{1,\dots,d\}", "number of signs that are sent"),
        Variable(L, "L", r"\mathbb R_{>0}", "smoothness constant of $F$"),
        Variable(gamma, r"\gamma", r"\mathbb R", "step size"),
        Variable(N, "N", r"\mathbb R_{>0}", "Euclidean norm of the gradient"),
        Variable(G, r"\|g\|^2", r"\mathbb R_{>0}", "its square"),
        Variable(S, "S_T", r"\mathbb R_{\ge0}", "sum of the $T$ largest magnitudes"),
        Variable(beta, r"\beta(T)", "[0,1]", "share of the $T$ largest signs"),
        Variable(s, "s", r"\mathbb R_{\ge0}^d", "magnitudes of $g$, the largest first", "(d,)"),
        Variable(g, "g", r"\mathbb R^d", "gradient", "(d,)"),
        Variable(sign, r"\mathrm{sign}(g_{#1})", r"\{-1,0,1\}^d", "signs of its entries", "(d,)"),
        Variable(q, "Q", r"\mathbb R^d", "message", "(d,)"),
        Variable(x, "x", r"\mathbb R^d", "iterate", "(d,)"),
        Variable(F, "F(x)", r"\mathbb R", "the objective"),
        Variable(F_next, r"F(x-\gamma Q)", r"\mathbb R", "after the step"),
    ),
    notation={"F": "the objective"},
    hypotheses={
        "sizes": domain(r"$1\le T\le d$ are integers"),
        "signs": domain(r"$L,N>0$, $\beta(T)\ge0$"),
        "magnitudes": definition(
            r"$s_j\ge0$, $\mathrm{sign}(g_j)g_j=s_j$, $\mathrm{sign}(g_j)^2\le1$, $\sum_js_j^2=N^2$, "
            r"$\|g\|^2=N^2$, $S_T=\sum_{j=1}^Ts_j$"
        ),
        "share": definition(r"$\beta(T)=\frac{S_T^2}{T\|g\|^2}$"),
        "sent": definition(r"$Q_j=N\mathrm{sign}(g_j)$ for $j\le T$; $Q_j=0$ for $j>T$"),
        "smooth": model(
            r"$F(x-\gamma Q)\le F(x)-\gamma\sum_jg_jQ_j+\frac{L\gamma^2}2\sum_jQ_j^2$, "
            "since $F$ is $L$-smooth",
            reference="Y. Nesterov, Lectures on Convex Optimization, 2nd ed., lemma 1.2.3",
        ),
        "best-step": parameter(r"$\gamma=\frac{S_T}{TLN}$"),
        "sphere": model(
            r"$F(x)=\frac L2\sum_jx_j^2$, $F(x-\gamma Q)=\frac L2\sum_j(x_j-\gamma Q_j)^2$, $g_j=Lx_j$; "
            r"$\mathrm{sign}(g_j)^2=1$ for $j\le T$"
        ),
    },
    relations={
        "descent": Relation((F_next, F - _DECREASE), ("<=",), under=("smooth",)),
        "step": Relation((_STEP, _BY_SHARE), ("=",)),
        "guarantee": Relation((F_next, F - _BOUND), ("<=",), under=("smooth", "best-step")),
        "largest": Relation((_DECREASE, _BOUND), ("<=",)),
        "sphere": Relation((F_next, F - _BOUND), ("=",), under=("sphere", "best-step")),
        "sent": Relation((gamma * N, S / (T * L)), ("=",), under=("best-step",)),
    },
    formulas={
        "bound": _BOUND,
        "beta": _BETA,
        "decrease": _DECREASE,
        "step": _STEP,
        "step_by_share": _BY_SHARE,
        "sent_step": S / (T * L),
    },
    internal={"beta": "the definition of the share, in the magnitudes"},
    worst_cases=cases(r"""
        $\frac12\|x\|^2$ at `gi`, three signs: the decrease is $\frac{200}3$ | beta = 400/519, G = 173, L = 1
          | 200/3
        the share of three signs of `gi` | s = (9, 6, 5, 4, 3, 2, 1, 1), d = 8, T = 3 | 400/519
    """),
)

# F = |x|^2 at (6, -3, 2)/2, two signs.
_SPHERE = {
    **{d: 3, T: 2, L: 2, gamma: Rational(9, 28), x: (3, Rational(-3, 2), 1), g: (6, -3, 2), q: (7, -7, 0)},
    **{s: (6, 3, 2), sign: (1, -1, 1), N: 7, G: 49, S: 9, beta: Rational(81, 98)},
    **{F: Rational(49, 4), F_next: Rational(49, 4) - Rational(81, 8)},
}


def derive(K: Any) -> None:
    """Prove the relations: the inner product with Q is N S, its squared norm at most T N^2."""
    K.example(_SPHERE)
    K.index(ALL, KEPT)
    given = {name: [K.given(name, k) for k in range(n)] for name, n in (("magnitudes", 6), ("sphere", 4))}
    _, magnitude, at_most, _, square, total = given["magnitudes"]
    before, after, gradient, unit = given["sphere"]
    kept, dropped = K.at(K.given("sent"), j), K.at(K.given("sent", 1), j)
    K.know(
        K.cert(lt(0, G), (N, K.given("signs", 1)), (-1, square)),
        K.cert(le(0, S), (1, Sum(s[j], KEPT)), (-1, total)),
    )

    def summed(term: Any, goal: Any, first: Any) -> Any:
        """Return a sum over all coordinates, from a theorem for the kept ones."""
        rest = K.sum_over(K.cert(eq(term, 0), (term / q[j], dropped)), REST)
        return K.cert(goal, (1, split_sum(K, term, ALL, T)), (1, K.sum_over(first, KEPT)), (1, rest))

    product = K.cert(eq(g[j] * q[j], N * s[j]), (g[j], kept), (N, K.at(magnitude, j)))
    inner = summed(g[j] * q[j], eq(Sum(g[j] * q[j], ALL), N * Sum(s[j], KEPT)), product)
    squares = [
        summed(
            q[j] ** 2,
            relation(Sum(q[j] ** 2, ALL), T * N**2),
            K.cert(relation(q[j] ** 2, N**2), (q[j] + N * sign[j], kept), (N**2, K.at(bound, j))),
        )
        for relation, bound in ((le, at_most), (eq, unit))
    ]
    terms = ((-gamma, inner), (gamma * N, total))
    descent = K.cert(
        le(F_next, F - _DECREASE), (1, K.given("smooth")), *terms, (L * gamma**2 / 2, squares[0])
    )
    K.conclude("descent", descent)
    guarantee = K.cert(eq(_DECREASE, _BOUND), using=[K.given("best-step"), K.given("share"), square])
    K.conclude("guarantee", K.cert(le(F_next, F - _BOUND), (1, descent), (-1, guarantee)))
    K.conclude(
        "largest",
        K.cert(
            le(_DECREASE, _BOUND), (1 / (2 * L * T), (S - L * gamma * T * N) ** 2), using=[K.given("share")]
        ),
    )
    root = K.axiom("abs-of-nonnegative", S / (sqrt(T) * N))
    by_share = K.cert(eq(_STEP, _BY_SHARE), (-1 / (sqrt(T) * L), root), using=[K.given("share"), square])
    K.conclude("step", by_share)
    K.conclude("sent", K.cert(eq(gamma * N, S / (T * L)), (N, K.given("best-step"))))
    moved = K.cert(
        eq((x[j] - gamma * q[j]) ** 2, x[j] ** 2 - 2 * gamma / L * g[j] * q[j] + gamma**2 * q[j] ** 2),
        (2 * gamma / L * q[j], K.at(gradient, j)),
    )
    sphere = K.cert(
        eq(F_next, F - _BOUND),
        (1, after),
        (-1, before),
        (L / 2, K.sum_over(moved, ALL)),
        *terms,
        (L * gamma**2 / 2, squares[1]),
        (-1, guarantee),
    )
    K.conclude("sphere", sphere)
