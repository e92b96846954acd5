r"""`cat/finding-local-topk-diverges`: CAT-S on every node can diverge for every step (arXiv 2003.06377)."""

from typing import Any

from sympy import IndexedBase, Rational, oo, symbols

from theory.cat.nodes.mn_topk_diverges import GROWTH, THRESHOLD
from theory.cat.paper import PAPER
from theory.claim import Claim, Relation, Variable
from theory.formula import eq, le, lt
from theory.hypotheses import domain, model, parameter
from theory.statement import statement
from theory.worst_cases import cases

gamma, K, u, v, w = symbols("gamma K u v w", real=True)
first, here, after, drawn, j = symbols("F_0 F_K F_next F_drawn j", real=True)
r, q = IndexedBase("r", real=True), IndexedBase("q", real=True)

_EXACT = GROWTH ** (2 * K)
_DESCENT = 1 - Rational(7, 6) * gamma
_OBJECTIVE = Rational(7, 4)
_RANDOM = 1 - Rational(7, 3) * gamma + Rational(39961, 252) * gamma**2


CLAIM = Claim(
    id="cat/finding-local-topk-diverges",
    kind="finding",
    provenance="derived",
    title="CAT-S on every node can diverge for every step",
    position=25,
    paper=PAPER,
    **statement(
        r"""
        CAT-S is read as a rule for several nodes, each of which sends its most efficient number of largest
        entries, without memory of the rest, to a server that takes the average. Three nodes have
        $f_i(x)=\langle a_i,x\rangle^2+\frac14\|x\|^2$, where $a_i$ has $w=-3$ in place $i$ and $v=2$
        elsewhere; $x_0$ is a nonzero multiple of $\mathbf 1$, $F$ the average of the $f_i$. A message costs
        $c_0$, and $c_1$ for each entry.
        (a: objective) <<At $u\mathbf 1$ -> proof>>, for $w=-3$ and $v=2$, the objective is
          $(wu+2vu)^2+\frac34u^2=\frac74u^2$. [proof]
        (b: growth) <<For $\frac{c_0}{c_1}\le\frac{40}{81}$ every node sends its own entry alone ->
          exact/growth of the objective>> (`cat/mn-topk-diverges`), and for every $\gamma>0$
          $$F(x_K)=\Big(1+\frac{11}6\gamma\Big)^{2K}F(x_0).$$ [proof; exact/growth of the objective;
          run/growth of the objective]
        (c: grows) <<Shorter steps do not help -> proof>>: every round grows, $\Big(1+\frac{11}6\
          \gamma\Big)^{2K}F(x_0)+\frac{11}3\gamma\Big(1+\frac{11}6\gamma\Big)^{2K}F(x_0)\le F(x_{K+1})$.
          [proof]
        (d: descent) What holds instead: gradient descent, <<which CAT-S is for
          $\frac{c_0}{c_1}>\frac{40}{81}$ -> exact/gradient descent>>, has
          $F(x_K)=\Big(1-\frac76\gamma\Big)^{2K}F(x_0)$. [proof; exact/gradient descent]
        (e: random, falls) Unbiased entries differ: if each node keeps one in expectation, with
          probabilities in proportion to magnitudes, <<as CAT-ST does where a message costs nothing else ->
          exact/unbiased entries>>, <<the first round -> proof>> has $$\mathbb
          EF(x_1)=\Big(1-\frac73\gamma+\frac{39961}{252}\gamma^2\Big)F(x_0),$$ and for
          $\gamma\le\frac1{100}$, $\mathbb EF(x_1)<F(x_0)$ (`cat/mn-strong`). [proof; exact/unbiased entries;
          exact/unbiased entries fall; exact/the largest ones rise]
        """
    ),
    variables=(
        Variable(K, "K", r"\mathbb N_0", "number of rounds"),
        Variable(gamma, r"\gamma", r"\mathbb R_{>0}", "step size"),
        Variable(r, "r", r"\mathbb R", "multiples of the ones vector along the run", "(oo,)", first=0),
        Variable(u, "u", r"\mathbb R", "a multiple of the ones vector"),
        Variable(w, "w", r"\mathbb R", "own entry of a vector of the example"),
        Variable(v, "v", r"\mathbb R", "its other entries"),
        Variable(first, "F(x_0)", r"\mathbb R_{\ge0}", "objective at the start"),
        Variable(here, "F(x_K)", r"\mathbb R_{\ge0}", "objective after $K$ rounds"),
        Variable(drawn, r"\mathbb EF(x_1)", r"\mathbb R_{\ge0}", "expected objective with random entries"),
        Variable(after, "F(x_{K+1})", r"\mathbb R_{\ge0}", "objective after one more"),
        Variable(q, "q", r"\mathbb R^3", "what a coordinate receives in sum", "(3,)"),
    ),
    notation={
        "F": "objective",
        "f_{#1}": "function of a node",
        "a_{#1}": "vectors of the example",
        r"\mathbf 1": "ones vector",
        "x": "point",
        "x_0": "start",
        "c_0": "fixed cost of a message",
        "c_1": "cost of an entry",
    },
    ranges={"k": (0, oo)},
    hypotheses={
        "step": domain(r"$\gamma>0$"),
        "vector": parameter("$w=-3$, $v=2$"),
        "rounds": domain(r"$K\ge0$ is an integer"),
        "points": model(
            r"$F(x_0)=\frac74r_0^2$, $F(x_K)=\frac74r_K^2$, $F(x_{K+1})=\frac74r_{K+1}^2$, "
            "since the points are multiples of the ones vector"
        ),
        "largest": model(
            r"$r_{k+1}=r_k+\frac{11}6\gamma r_k$, since a coordinate receives the own entry of its node"
        ),
        "whole": model(
            r"$r_{k+1}=r_k-\frac76\gamma r_k$, since a coordinate receives the entries of the three nodes"
        ),
        "drawn": model(
            r"$\mathbb EF(x_1)=\mathbb E\bigl(\frac14(u-\frac{\gamma q_1}{3})^2+\frac14(u-"
            r"\frac{\gamma q_2}{3})^2+\frac14(u-\frac{\gamma q_3}{3})^2+\frac13(\gamma q_3+u-"
            r"\frac{2\gamma q_1}{3}-\frac{2\gamma q_2}{3})^2+\frac13(\gamma q_2+u-"
            r"\frac{2\gamma q_1}{3}-\frac{2\gamma q_3}{3})^2+\frac13(\gamma q_1+u-"
            r"\frac{2\gamma q_2}{3}-\frac{2\gamma q_3}{3})^2\bigr)$, over uncorrelated $q_j$, $1\le "
            r"j\le3$, with mean $\frac{7u}{2}$ and variance $\frac{279u^2}{2}$; "
            r"$F(x_0)=\frac{7u^2}{4}$, $0<F(x_0)$"
        ),
        "short": parameter(r"$\gamma\le\frac1{100}$"),
    },
    relations={
        "objective": Relation(
            ((w * u + 2 * v * u) ** 2 + Rational(3, 4) * u**2, _OBJECTIVE * u**2), ("=",), under=("vector",)
        ),
        "growth": Relation((here, _EXACT * first), ("=",), under=("largest",)),
        "grows": Relation(
            (_EXACT * first + Rational(11, 3) * gamma * _EXACT * first, after), ("<=",), under=("largest",)
        ),
        "descent": Relation((here, _DESCENT ** (2 * K) * first), ("=",), under=("whole",)),
        "random": Relation((drawn, _RANDOM * first), ("=",), under=("drawn",)),
        "falls": Relation((drawn, first), ("<",), under=("drawn", "short")),
    },
    formulas={
        "exact": _EXACT,
        "first_round": _RANDOM,
        "threshold": THRESHOLD,
        "gradient_descent": _DESCENT ** (2 * K),
    },
    internal={
        "exact": "the factor in part (b)",
        "first_round": "the factor in part (e)",
        "threshold": "of `cat/mn-topk-diverges`, in words here",
        "gradient_descent": "the factor in part (d)",
    },
    worst_cases=cases(r"""
        the step $\frac1L=\frac6{103}$: growth of the objective in a round | gamma = 6/103, K = 1
          | 12996/10609
    """),
)


def derive(kernel: Any) -> None:
    """Prove the relations."""
    given = kernel.given
    squares = (w * u + 2 * v * u) ** 2 + Rational(3, 4) * u**2
    vector = [given("vector"), given("vector", 1)]
    kernel.conclude("objective", kernel.cert(eq(squares, _OBJECTIVE * u**2), using=vector))
    for name, round_of, factor in (("growth", "largest", GROWTH), ("descent", "whole", _DESCENT)):
        power = factor ** (2 * K)
        moved = kernel.at(given(round_of), K)
        squared = kernel.cert(
            eq(r[K + 1] ** 2, factor ** (2 * K + 2) * r[0] ** 2),
            (r[K + 1] + factor * r[K], moved), (factor**2, kernel.assume(eq(r[K] ** 2, power * r[0] ** 2))),
        )  # fmt: skip
        points = kernel.induction(K, kernel.cert(eq(r[0] ** 2, r[0] ** 2)), squared)
        value = power * first
        found = kernel.cert(
            eq(here, value),
            (1, given("points", 1)), (-power, given("points")), (_OBJECTIVE, kernel.at(points, K)),
        )  # fmt: skip
        kernel.conclude(name, found)
        if name == "growth":
            kernel.know(kernel.cert(le(0, first), (-1, given("points")), (_OBJECTIVE, r[0] ** 2)))
            more = Rational(121, 36) * gamma**2
            grows = kernel.cert(
                le(value + Rational(11, 3) * gamma * value, after),
                (-1, given("points", 2)), (-_OBJECTIVE * (r[K + 1] + factor * r[K]), moved),
                (factor**2, given("points", 1)), (-(factor**2), found), (more * first, _EXACT),
            )  # fmt: skip
            kernel.conclude("grows", grows)
    random = kernel.cert(eq(drawn, _RANDOM * first), (1, given("drawn")), (-_RANDOM, given("drawn", 1)))
    kernel.conclude("random", random)
    kernel.know(given("drawn", 2))
    slope = Rational(7, 3) - Rational(39961, 25200)
    falls = kernel.cert(
        lt(drawn, first),
        (1, random), (Rational(39961, 252) * gamma * first, given("short")),
        (1, kernel.sign(lt(0, slope * gamma * first))),
    )  # fmt: skip
    kernel.conclude("falls", falls)
