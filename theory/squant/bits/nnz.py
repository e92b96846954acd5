r"""`squant/nnz`: expected number of nonzeros of a quantized vector (arXiv 2106.03524)."""

from typing import Any

from sympy import Abs, IndexedBase, Integer, Min, Rational, Sum, floor, sqrt, symbols

from theory.claim import Claim, Relation, Variable
from theory.facts.minimum import below_minimum
from theory.facts.rounding.rounding import variance_nonnegative
from theory.facts.sums.cauchy_schwarz import cauchy_schwarz_roots
from theory.formula import eq, le, lt
from theory.hypotheses import definition, domain, parameter
from theory.squant.paper import PAPER
from theory.squant.variance.one_block import COORDINATES, total
from theory.statement import statement
from theory.worst_cases import cases

B, N, beta, count, d, j, k, l, reciprocal, s, t = symbols("B N beta count d j k l reciprocal s t", real=True)
x, h, u, r, m, b, q = symbols("x h u r m b q", cls=IndexedBase, real=True)
BLOCKS = (l, 0, B - 1)

_EXACT = total(Min(1, u[j]))
_BUDGET = sqrt(total(h[j] ** -2))
_BLOCK_BOUND = Sum(Min(m[l], b[l]), BLOCKS)
_STANDARD = s * sqrt(d)

CLAIM = Claim(
    id="squant/nnz",
    kind="upper",
    provenance="rederived",
    title="Expected number of nonzeros",
    position=8,
    paper=PAPER,
    **statement(
        r"""
        $Q$ is the quantizer of `squant/var` with one block, except in (e). Coordinate $j$ is sent as the
        level $\ell_j=\lfloor u_j\rfloor+r_j$, where $r_j\sim\mathrm{Bernoulli}(\{u_j\})$ and
        $u_j=|x_j|N^+/h_j$; $N^+$ is the reciprocal of $\|x\|$, and zero for zero.
        (a: exact) $$\mathbb E\,\mathrm{nnz}(Q(x))=\sum_j\min(1,u_j).$$ [proof; exact/expected nonzeros;
          montecarlo/sampled nonzeros]
        (b: bound) With the budget $\beta=\big(\sum_jh_j^{-2}\big)^{1/2}$, $$\mathbb
          E\,\mathrm{nnz}(Q(x))\le\min(d,\beta).$$ [proof; exact/nonzeros below the budget; exact/smaller of
          length and budget]
        (c: attained) <<It is attained -> exact/budget attained>> at $x_j=\frac t{h_j}$ for $t>0$ if
          $h_j^{-2}\le\beta$ for all $j$: $\mathbb E\,\mathrm{nnz}(Q(x))=\beta$. [proof; exact/budget
          attained]
        (d: not-attained) Else $\beta$ is not reached at this $x$: if $h_k^{-2}>\beta$ for some $k$, then
          $\mathbb E\,\mathrm{nnz}(Q(x))<\beta$. [proof; exact/budget not attained]
        (e: blocks) For several blocks with expected numbers $q_l\le\min(d_l,\beta_l)$ of nonzeros,
          $d=\sum_ld_l$ and $\beta=\sum_l\beta_l$, $$\mathbb
          E\,\mathrm{nnz}(Q(x))\le\sum_l\min(d_l,\beta_l)\le\min(d,\beta).$$ [proof; exact/nonzeros block by
          block; exact/smaller of length and budget, by blocks]
        (f: standard, customary) For $h_j=\frac1s$, the standard quantizer with $s$ levels, the budget is
          $\beta=s\sqrt d$; the customary $s^2+s\sqrt d=\beta+s^2$ is larger. [proof]
        """
    ),
    variables=(
        Variable(d, "d", r"\mathbb N", "number of coordinates"),
        Variable(x, "x", r"\mathbb R^d", "vector to be quantized", "(d,)"),
        Variable(N, r"\|x\|", r"\mathbb R_{\ge0}", "its Euclidean norm"),
        Variable(reciprocal, "N^+", r"\mathbb R_{\ge0}", r"$\frac1{\|x\|}$, 0 where $x=0$"),
        Variable(h, "h", r"\mathbb R^d_{>0}", "quantization steps", "(d,)"),
        Variable(u, "u", r"\mathbb R^d_{\ge0}", "levels before rounding", "(d,)"),
        Variable(count, r"\mathbb E\,\mathrm{nnz}(Q(x))", r"\mathbb R_{\ge0}", "expected number of nonzeros"),
        Variable(beta, r"\beta", r"\mathbb R_{>0}", "budget"),
        Variable(t, "t", r"\mathbb R_{>0}", "scale of the input"),
        Variable(k, "k", r"\{1,\dots,d\}", "a coordinate"),
        Variable(B, "B", r"\mathbb N", "number of blocks"),
        Variable(m, "d", r"\mathbb N^B", "lengths of the blocks", "(B,)"),
        Variable(b, r"\beta", r"\mathbb R^B_{>0}", "budgets of the blocks", "(B,)"),
        Variable(q, "q", r"\mathbb R^B_{\ge0}", "expected numbers of nonzeros of the blocks", "(B,)"),
        Variable(s, "s", r"\mathbb R_{>0}", "number of levels of the standard quantizer"),
        Variable(r, "r", r"\{0,1\}^d", "which levels are rounded up", "(d,)"),
    ),
    hypotheses={
        "d": domain(r"$d\ge1$ is an integer"),
        "steps": domain(r"$h_j>0$"),
        "nonnegative": domain(r"$u_j\ge0$"),
        "count": definition(
            r"$\mathbb E\,\mathrm{nnz}(Q(x))=\mathbb E\bigl(\sum_j(r_j(1-\min(1,\lfloor "
            r"u_j\rfloor))+\min(1,\lfloor u_j\rfloor))\bigr)$, over independent "
            r"$r_j\sim\mathrm{Bernoulli}(\{u_j\})$, $1\le j\le d$"
        ),
        "levels": definition(r"$u_j=|x_j|N^+/h_j$"),
        "norm": definition(r"$\|x\|=\sqrt{\sum_jx_j^2}$, $\|x\|^2N^+=\|x\|$, $\|x\|(N^+)^2=N^+$, $N^+\ge0$"),
        "budget": definition(r"$\beta=\big(\sum_jh_j^{-2}\big)^{1/2}$"),
        "proportional": parameter(r"$x_j=\frac t{h_j}$, $t>0$"),
        "coarse": parameter(r"$h_j^{-2}\le\beta$"),
        "fine": parameter(r"$h_k^{-2}>\beta$, $1\le k\le d$ is an integer"),
        "blocks": parameter(
            r"$q_l\le\min(d_l,\beta_l)$, $d=\sum_ld_l$, $\beta=\sum_l\beta_l$, $B\ge1$ is an integer"
        ),
        "sum": definition(r"$\mathbb E\,\mathrm{nnz}(Q(x))=\sum_lq_l$"),
        "standard": parameter(r"$h_j=\frac1s$, $s>0$"),
    },
    relations={
        "exact": Relation((count, _EXACT), ("=",), under=("count",)),
        "bound": Relation((count, Min(d, beta)), ("<=",), under=("count", "levels", "norm", "budget")),
        "attained": Relation(
            (count, beta), ("=",), under=("count", "levels", "norm", "budget", "proportional", "coarse")
        ),
        "not-attained": Relation(
            (count, beta), ("<",), under=("count", "levels", "norm", "budget", "proportional", "fine")
        ),
        "blocks": Relation((count, _BLOCK_BOUND, Min(d, beta)), ("<=", "<="), under=("blocks", "sum")),
        "standard": Relation((beta, _STANDARD), ("=",), under=("budget", "standard")),
        "customary": Relation((s**2 + _STANDARD, beta + s**2), ("=",), under=("budget", "standard")),
    },
    formulas={
        "exact": _EXACT,
        "bound": Min(d, beta),
        "budget": _BUDGET,
        "total_budget": Sum(b[l], BLOCKS),
        "block_bound": _BLOCK_BOUND,
    },
    internal={"budget": "the budget, defined in part (b)", "total_budget": "the budget, defined in part (e)"},
    worst_cases=cases(r"""
        $x=\mathbf 1$, $h=1$: $\sqrt d$, the budget | u = 100 * (1/10,), d = 100, beta = 10 | 10
        $x_j\propto1/h_j$ with all $h_j^{-2}\le\beta$: $x=(2,3,6)$, $h=(3,2,1)$, $\beta=7/6$
          | u = (2/21, 3/14, 6/7), d = 3, beta = 7/6 | 7/6
        levels above 1, at $x=(3,4)$, $h=1/5$: $d$ nonzeros, less than the budget | u = (3, 4), d = 2,
          beta = 5*sqrt(2) | 2
    """),
)


_INPUT = {d: 2, x: (3, 4), N: 5, reciprocal: Rational(1, 5)}
FINE = _INPUT | {
    h: (Rational(1, 3), Rational(1, 4)),
    u: (Rational(9, 5), Rational(16, 5)),
    t: 1,
    k: 2,
    beta: 5,
}
COARSE = _INPUT | {h: (Rational(5, 3), Rational(5, 4)), u: (Rational(9, 25), Rational(16, 25)), t: 5}
COARSE |= {beta: 1, B: 1, m: (2,), b: (1,), q: (1,)}
STANDARD = {d: 1, h: (Rational(1, 2),), s: 2, beta: 2}


def derive(K: Any) -> None:
    """Prove the relations."""
    for example in (FINE, COARSE, STANDARD):
        K.example(example)
    K.index(COORDINATES)
    K.know(K.every(variance_nonnegative(K, u[j]), COORDINATES))
    exact = K.show("exact", "count", K.sum_over(_probability(K, u[j]), COORDINATES))
    _bound(K, exact)
    _attained(K, exact)
    _blocks(K)
    _standard(K)


def _probability(K: Any, level: Any) -> Any:
    """Return that a level is sent as a nonzero with probability min(1, u)."""
    low = floor(level)
    small = Min(1, low)
    goal = eq(small + (1 - small) * (level - low), Min(1, level))
    above = K.assume(le(1 - level, 0))
    large = K.discharge(K.axiom("min-is-left", Integer(1), low), K.floor(K.cert(le(1, level), above)))
    first = K.cert(goal, large, K.axiom("min-is-left", Integer(1), level))
    below = K.cert(lt(level, 1), K.assume(lt(0, 1 - level)))
    zero = K.axiom("floor-unique", level, Integer(0))
    none = K.discharge(K.axiom("min-is-left", low, Integer(1)), K.cert(le(low, 1), zero))
    free = K.discharge(K.axiom("min-is-left", level, Integer(1)), K.cert(le(level, 1), below))
    return K.cases(1 - level, first, K.cert(goal, none, zero, free))


def _bound(K: Any, exact: Any) -> None:
    K.know(K.given("norm", 3), K.cert(lt(0, beta), "budget", K.sign(lt(0, _BUDGET))))
    below_one = K.cert(le(reciprocal * N, 1), (1, (1 - reciprocal * N) ** 2), K.given("norm", 1))
    levels = K.cert(
        le(total(u[j]), beta),
        K.sum_over("levels", COORDINATES),
        cauchy_schwarz_roots(K, Abs(x[j]), 1 / h[j], COORDINATES),
        "norm",
        "budget",
        below_one,
    )
    by_one, by_level = (
        K.sum_over(K.axiom(name, Integer(1), u[j]), COORDINATES)
        for name in ("min-below-left", "min-below-right")
    )
    lengths = K.cert(le(count, d), exact, by_one)
    budgets = K.cert(le(count, beta), exact, by_level, levels)
    K.conclude("bound", below_minimum(K, count, d, beta, Integer(1), (lengths, budgets)))


def _attained(K: Any, exact: Any) -> None:
    """At x = t/h the levels are 1/(beta h^2), and add up to the budget."""
    K.know(K.given("proportional", 1))
    squares = K.cert(eq(x[j] ** 2, t**2 / h[j] ** 2), "proportional")
    norm = K.cert(
        eq(N, t * beta),
        K.rewrite(K.given("norm"), K.sum_over(squares, COORDINATES), side="right"),
        K.axiom("root-product", t**2, total(h[j] ** -2), Rational(1, 2)),
        K.axiom("abs-of-nonnegative", t),
        "budget",
    )
    inverse = K.cert(eq(reciprocal * t * beta, 1), K.rewrite(K.given("norm", 1), norm))

    def level(place: Any) -> Any:
        entry = K.at("proportional", place)
        K.know(K.cert(le(0, x[place]), entry))
        return K.cert(
            eq(u[place], h[place] ** -2 / beta),
            K.at("levels", place),
            K.axiom("abs-of-nonnegative", x[place]),
            entry,
            inverse,
        )

    levels = K.cert(
        eq(total(u[j]), beta),
        K.sum_over(level(j), COORDINATES),
        (-(_BUDGET + beta) / beta, K.given("budget")),
    )
    free = K.discharge(K.axiom("min-is-left", u[j], Integer(1)), K.cert(le(u[j], 1), level(j), "coarse"))
    K.show("attained", exact, K.sum_over(free, COORDINATES), levels)

    K.know(*(K.given("fine", place) for place in (1, 2, 3)))
    place, excess = k - 1, u[j] - Min(1, u[j])
    beside = [
        K.sum_over(K.axiom("min-below-right", Integer(1), u[j]), span)
        for span in ((j, 0, k - 2), (j, k, d - 1))
    ]
    K.show(
        "not-attained",
        exact,
        levels,
        K.split_off(total(excess), place),
        *beside,
        K.axiom("min-below-left", Integer(1), u[place]),
        level(place),
        K.given("fine"),
    )


def _blocks(K: Any) -> None:
    """What holds for each block adds up."""
    size = [K.given("blocks", place) for place in range(5)]
    K.know(*size[3:])
    K.index(BLOCKS)
    block = K.sum_over(K.at(size[0], l), BLOCKS)
    bounds = [
        K.cert(le(_BLOCK_BOUND, whole), K.sum_over(K.axiom(name, m[l], b[l]), BLOCKS), size[place])
        for name, whole, place in (("min-below-left", d, 1), ("min-below-right", beta, 2))
    ]
    both = below_minimum(K, _BLOCK_BOUND, d, beta, Integer(1), (bounds[0], bounds[1]))
    K.show("blocks", ["sum", block], both)


def _standard(K: Any) -> None:
    """The budget of equal steps."""
    K.know(K.given("standard", 1))
    squares = K.cert(eq(h[j] ** -2, s**2), "standard")
    budget = K.show(
        "standard",
        K.rewrite(K.given("budget"), K.sum_over(squares, COORDINATES), side="right"),
        K.axiom("root-product", d, s**2, Rational(1, 2)),
        K.axiom("abs-of-nonnegative", s),
    )
    K.show("customary", budget)
