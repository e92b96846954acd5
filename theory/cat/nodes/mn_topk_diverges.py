r"""`cat/mn-topk-diverges`: the average of each node's largest entries (arXiv 2003.06377)."""

from typing import Any

from sympy import IndexedBase, Rational, oo, symbols

from theory.cat.nodes.average import (
    COORDINATES,
    HYPOTHESES,
    NODES,
    E,
    G,
    a,
    d,
    i,
    j,
    n,
    nodes,
    y,
)
from theory.cat.paper import PAPER
from theory.claim import Claim, Relation, Variable
from theory.facts.sums.cauchy_schwarz import cauchy_schwarz
from theory.formula import eq, le, lt
from theory.hypotheses import domain, model, parameter
from theory.statement import statement
from theory.worst_cases import cases

L, gamma, before, after, share, rho, u, v, w, K = symbols("L gamma before after share rho u v w K", real=True)
alpha, t, r, x = symbols("alpha t r x", cls=IndexedBase, real=True)

_BOUND = (G - nodes((1 - alpha[i]) * E[i]) / n) / (2 * L)
GROWTH = 1 + Rational(11, 6) * gamma
THRESHOLD = Rational(40, 81)
_SMOOTHNESS = Rational(103, 6)
OWN, OTHER = Rational(11, 2), Rational(9, 2)
_THREE = (x[0], x[1], x[2])
_LINES = tuple(sum(2 * item for item in _THREE) - 5 * own for own in _THREE)
_CURVATURE = Rational(2, 3) * sum(line**2 for line in _LINES) + sum(item**2 for item in _THREE) / 2
_ONE, _TWO, _ALL = (
    Rational(121, 283) / (rho + 1),
    Rational(202, 283) / (rho + 2),
    1 / (rho + 3),
)
_MOVED = nodes(t[i, j]) / n

CLAIM = Claim(
    id="cat/mn-topk-diverges",
    kind="upper",
    provenance="derived",
    title="Averaging each node's largest entries can increase the objective",
    position=24,
    paper=PAPER,
    **statement(
        r"""
        Let $\hat g=\frac1n\sum_iQ_i$, where $Q_i$ has the largest entries of $g_i=\nabla f_i(x)$, with the
        share $\alpha_i$ of its squared norm, and $F=\frac1n\sum_if_i$ be $L$-smooth. The example: three
        nodes and coordinates, $f_i(x)=\langle a_i,x\rangle^2+\frac14\|x\|^2$, where $a_i$ has $w=-3$ in
        place $i$ and $v=2$ elsewhere, from $x_0=r_0\mathbf 1$; $\rho=c_0/c_1$ are the costs of a message
        and of an entry.
        (a: decrease) $$F(x-\tfrac1L\hat g)\le F(x)-\frac1{2L}\Big(\|\nabla
          F(x)\|^2-\frac1n\sum_i(1-\alpha_i)\|g_i\|^2\Big).$$ [proof; exact/objective after a step;
          run/objective]
        (b: equal-nodes) <<For equal nodes -> proof>> with the share $\alpha$ this is the decrease of one
          node: $\frac1{2L}\Big(\|\nabla
          F(x)\|^2-\frac1n\sum_i(1-\alpha_i)\|g_i\|^2\Big)=\frac{\alpha\|\nabla F(x)\|^2}{2L}$. [proof]
        (c: smooth) In the example $F$ is <<$\frac{103}6$-smooth -> proof>>: $\frac23\big((-3x_1+2x_2\
          +2x_3)^2+(2x_1-3x_2+2x_3)^2+(2x_1+2x_2-3x_3)^2\big)+\frac12(x_1^2+x_2^2+x_3^2)\
          \le\frac{103}6(x_1^2+x_2^2+x_3^2)$. [proof]
        (d: own, others) <<At $u\mathbf 1$ -> proof>>, for $w=-3$ and $v=2$, the own entry of a node's
          gradient is $2(w+2v)wu+\frac u2=-\frac{11}2u$ and the others are $2(w+2v)vu+\frac u2=\frac92u$,
          <<so that each node sends its own entry -> run/largest message>>. [proof; run/largest message]
        (e: growth) So the run with one entry of each node diverges for every $\gamma>0$, unless it
          starts at the solution: <<$x_k=r_k\mathbf 1$ -> exact/entry after a round>> with
          $$r_K=\Big(1+\frac{11}6\gamma\Big)^Kr_0.$$ [proof; exact/entry after a round; run/entry]
        (f: few) <<CAT-S on the nodes sends one entry there -> exact/entries>> for
          $0\le\rho\le\frac{40}{81}$:
          $$\frac1{\rho+3}\le\frac{202}{283(\rho+2)}\le\frac{121}{283(\rho+1)}.$$ [proof; exact/entries]
        (g: many) For $\rho>\frac{40}{81}$ <<it sends all three -> exact/entries>>,
          $\frac{121}{283(\rho+1)}<\frac{202}{283(\rho+2)}<\frac1{\rho+3}$, <<and is gradient descent
          -> run/gradient descent at a large fixed cost>>, <<which at $\gamma=\frac6{103}$ has at most half
          the objective after ten rounds -> run/objective of gradient descent>>. [proof; exact/entries;
          run/smallest message at a large fixed cost; run/gradient descent at a large fixed cost;
          run/objective of gradient descent]
        """
    ),
    variables=(
        Variable(n, "n", r"\mathbb N", "number of nodes"),
        Variable(d, "d", r"\mathbb N", "number of coordinates"),
        Variable(K, "K", r"\mathbb N_0", "number of rounds"),
        Variable(L, "L", r"\mathbb R_{>0}", "smoothness constant of $F$"),
        Variable(gamma, r"\gamma", r"\mathbb R_{>0}", "step size"),
        Variable(share, r"\alpha", "[0,1]", "share of equal nodes"),
        Variable(rho, r"\rho", r"\mathbb R_{\ge0}", "fixed cost in units of the cost of an entry"),
        Variable(w, "w", r"\mathbb R", "own entry of a vector of the example"),
        Variable(v, "v", r"\mathbb R", "its other entries"),
        Variable(u, "u", r"\mathbb R", "a multiple of the ones vector"),
        Variable(G, r"\|\nabla F(x)\|^2", r"\mathbb R_{\ge0}", "squared norm of the gradient"),
        Variable(E, r"\|g_{#1}\|^2", r"\mathbb R^n_{\ge0}", "squared norms of the gradients", "(n,)"),
        Variable(a, "g_{#1#2}", r"\mathbb R^{n\times d}", "entries of the gradients", "(n,d)"),
        Variable(t, "Q_{#1#2}", r"\mathbb R^{n\times d}", "entries of the messages", "(n,d)"),
        Variable(y, r"\nabla_{#1}F(x)", r"\mathbb R^d", "entries of the gradient", "(d,)"),
        Variable(alpha, r"\alpha", "[0,1]^n", "shares of the sent entries", "(n,)"),
        Variable(r, "r", r"\mathbb R", "multiples of the ones vector along the run", "(oo,)", first=0),
        Variable(x, "x", r"\mathbb R^3", "point of the example", "(3,)"),
        Variable(before, "F(x)", r"\mathbb R", "objective"),
        Variable(after, r"F(x-\tfrac1L\hat g)", r"\mathbb R", "objective after a step"),
    ),
    notation={
        "F": "objective",
        "f_{#1}": "function of a node",
        "g_{#1}": "gradient of a node",
        "Q_{#1}": "message of a node",
        "a_{#1}": "vectors of the example",
        r"\hat g": "average of the messages",
        r"\mathbf 1": "ones vector",
        "x": "point",
        "x_0": "start",
        "c_0/c_1": "ratio of the costs",
    },
    ranges={"k": (0, oo)},
    hypotheses={
        **{name: HYPOTHESES[name] for name in ("sizes", "gradient", "norms")},
        "signs": domain(r"$L,\gamma>0$"),
        "sent": model(r"$\sum_j(g_{ij}-Q_{ij})^2=(1-\alpha_i)\|g_i\|^2$"),
        "smooth": model(
            r"$F(x-\tfrac1L\hat g)\le F(x)-\frac1L\sum_j(\nabla_jF(x)\cdot\frac1n\sum_iQ_{ij})"
            r"+\frac1{2L}\sum_j(\frac1n\sum_iQ_{ij})^2$, since $F$ is $L$-smooth"
        ),
        "equal": model(
            r"the nodes have the same gradient and send the same entries: $\|g_i\|^2=\|\nabla "
            r"F(x)\|^2$, $\alpha_i=\alpha$"
        ),
        "vector": parameter("$w=-3$, $v=2$"),
        "run": model(
            r"$r_{k+1}=r_k+\frac{11}6\gamma r_k$, since a coordinate receives the own entry of its node"
        ),
        "cheap": parameter(r"$0\le\rho\le\frac{40}{81}$"),
        "dear": parameter(r"$\rho>\frac{40}{81}$"),
    },
    relations={
        "decrease": Relation((after, before - _BOUND), ("<=",), under=("smooth", "sent")),
        "equal-nodes": Relation((_BOUND, share * G / (2 * L)), ("=",), under=("equal",)),
        "smooth": Relation((_CURVATURE, _SMOOTHNESS * sum(item**2 for item in _THREE)), ("<=",)),
        "own": Relation((2 * (w + 2 * v) * w * u + u / 2, -OWN * u), ("=",), under=("vector",)),
        "others": Relation((2 * (w + 2 * v) * v * u + u / 2, OTHER * u), ("=",), under=("vector",)),
        "growth": Relation((r[K], GROWTH**K * r[0]), ("=",), every=((K, 0, oo),), under=("run",)),
        "few": Relation((_ALL, _TWO, _ONE), ("<=", "<="), under=("cheap",)),
        "many": Relation((_ONE, _TWO, _ALL), ("<", "<"), under=("dear",)),
    },
    formulas={
        "bound": _BOUND,
        "exact": GROWTH**K,
        "smoothness": _SMOOTHNESS,
        "threshold": THRESHOLD,
    },
    internal={
        "exact": "the factor in part (e)",
        "smoothness": "the factor in part (c)",
        "threshold": "said as a hypothesis of parts (f) and (g)",
    },
    worst_cases=cases(r"""
        the example at the step $\frac1L=\frac6{103}$: growth in a round | gamma = 6/103, K = 1 | 114/103
        what the bound says there for $x=\mathbf 1$ | G = 49/12, E = (283/4, 283/4, 283/4),
          alpha = (121/283, 121/283, 121/283), n = 3, L = 103/6 | -437/412
    """),
)

# Two nodes that send the larger one of their two entries.
_TWO_NODES = {
    n: 2,
    d: 2,
    L: 2,
    gamma: 1,
    a: ((3, 1), (1, -2)),
    t: ((3, 0), (0, -2)),
    y: (2, Rational(-1, 2)),
    E: (10, 5),
    alpha: (Rational(9, 10), Rational(4, 5)),
    before: 5,
    after: 4,
}


def derive(kernel: Any) -> None:
    """Prove the relations."""
    kernel.index(NODES, COORDINATES)
    kernel.example(_TWO_NODES)
    doubled = {place: 2**place for place in (*range(5), 20, 21, 150, 151)}
    kernel.example({gamma: Rational(6, 11), L: 1, r: doubled})
    given = kernel.given
    gap = kernel.cert(
        le((y[j] - _MOVED) ** 2, nodes((a[i, j] - t[i, j]) ** 2) / n),
        (1 / n**2, cauchy_schwarz(kernel, a[i, j] - t[i, j], 1, NODES)),
        (nodes(a[i, j]) / n + y[j] - 2 * _MOVED, kernel.at(given("gradient"), j)),
    )
    decrease = kernel.cert(
        le(after, before - _BOUND),
        (1, given("smooth")), (1 / (2 * L), kernel.sum_over(gap, COORDINATES)),
        (1 / (2 * L), given("gradient", 1)),
        (1 / (2 * L * n), kernel.sum_over(kernel.at(given("sent"), i), NODES)),
    )  # fmt: skip
    kernel.conclude("decrease", decrease)
    node = kernel.cert(
        eq((1 - alpha[i]) * E[i], (1 - share) * G),
        (1 - share, kernel.at(given("equal"), i)), (-E[i], kernel.at(given("equal", 1), i)),
    )  # fmt: skip
    same = kernel.cert(eq(_BOUND, share * G / (2 * L)), (-1 / (2 * L * n), kernel.sum_over(node, NODES)))
    kernel.conclude("equal-nodes", same)
    example(kernel)


def example(kernel: Any) -> None:
    """Prove what the example does."""
    given, total = kernel.given, sum(_THREE)
    smooth = le(_CURVATURE, _SMOOTHNESS * sum(item**2 for item in _THREE))
    kernel.conclude("smooth", kernel.cert(smooth, (Rational(16, 3), total**2)))
    vector = [given("vector"), given("vector", 1)]
    for name, place, value in (("own", w, -OWN), ("others", v, OTHER)):
        kernel.conclude(name, kernel.cert(eq(2 * (w + 2 * v) * place * u + u / 2, value * u), using=vector))
    before_round = kernel.assume(eq(r[K], GROWTH**K * r[0]))
    step = kernel.cert(
        eq(r[K + 1], GROWTH ** (K + 1) * r[0]), (1, kernel.at(given("run"), K)), (GROWTH, before_round)
    )
    kernel.conclude("growth", kernel.induction(K, kernel.cert(eq(r[0], r[0])), step))
    factors = [Rational(81, 283) / ((rho + one) * (rho + one + 1)) for one in (2, 1)]
    kernel.know(given("cheap"))
    sizes = [(_ALL, _TWO), (_TWO, _ONE)]
    few = [
        kernel.cert(le(*pair), (factor, given("cheap", 1)))
        for pair, factor in zip(sizes, factors, strict=True)
    ]
    kernel.conclude("few", *few)
    kernel.know(given("dear"))
    sizes, factors = [(_ONE, _TWO), (_TWO, _ALL)], factors[::-1]
    many = [
        kernel.cert(lt(*pair), (factor, given("dear"))) for pair, factor in zip(sizes, factors, strict=True)
    ]
    kernel.conclude("many", *many)
