r"""`ndqsg/dqsg-variance`: exact variance of DQSG, and its relation to the gradient (arXiv 1904.01197)."""

from typing import Any

from sympy import Abs, IndexedBase, Rational, Sum, Symbol, symbols

from theory.claim import Claim, Relation, Variable
from theory.expectation import E
from theory.facts.absolute_value import absolute_below
from theory.formula import eq, every, le, lt
from theory.hypotheses import definition, domain, model, parameter
from theory.ndqsg.paper import PAPER
from theory.statement import statement
from theory.worst_cases import cases

B, d, M, omega, kappa, largest, V, error = symbols("B d M omega kappa largest V error", real=True)
value = Symbol("value", real=True)
b, i, j, l = symbols("b i j l", real=True)
g, h, e, mean, scales, sizes, norms = symbols("g h e mean kappa_b d_b norm_b", cls=IndexedBase, real=True)
parts, place = symbols("part_b place", cls=IndexedBase, real=True)
ALL, BLOCKS, ENTRIES = (j, 0, d - 1), (b, 0, B - 1), (i, 0, sizes[b] - 1)
HALF = Rational(1, 2)
UNIFORM = Rational(1, 12)

_SQUARES = Sum(g[j] ** 2, ALL)
_EXACT = Sum(scales[b] ** 2 * sizes[b], BLOCKS) / (12 * M**2)
_LOWER = _SQUARES / (12 * M**2)
_WHOLE = d * largest**2 / (12 * M**2)
_ERROR = scales[b] / M * e[i]


def _expected(term: Any) -> Any:
    return E(term, e, ENTRIES, mean=0, variance=UNIFORM)


CLAIM = Claim(
    id="ndqsg/dqsg-variance",
    kind="tight",
    provenance="rederived",
    title="Exact variance of DQSG and its relative bounds",
    position=9,
    paper=PAPER,
    **statement(
        r"""
        DQSG sends a gradient $g$ of $d$ coordinates in $B$ blocks $g_b$ of $d_b$ coordinates with the
        scales $\kappa_b=\|g_b\|_\infty$ and $M$ levels; $x_{bi}$ are the entries of a block. The received
        $\hat g$ is $g$ plus the step of the block times the errors of dithered rounding, which are
        independent (`ndqsg/dq-uniform-error`).
        (a: mean) It is unbiased: for each entry of each block $\mathbb E\hat x_{bi}=x_{bi}$, $i\le d_b$.
          [proof; exact/mean error; exact/covariance of two coordinates]
        (b: variance) $$\mathbb E\|\hat g-g\|^2=\frac1{12M^2}\sum_b\kappa_b^2d_b.$$ [proof; exact/variance;
          montecarlo/sampled variance; run/error along a run; exact/stated *; exact/sum of the chances of
          outcomes; exact/sure bound of the error; exact/entries *; exact/sampled entries that differ;
          exact/bits of the payload; exact/arguments *]
        (c: upper) <<With $\omega=\max_b\frac{d_b}{12M^2}$ -> exact/relative bound>> $$\mathbb E\|\hat
          g-g\|^2\le\omega\sum_jg_j^2.$$ [proof; exact/relative bound; adversarial/worst gradient]
        (d: attained) Equality holds if no block has two nonzero coordinates, $\|g_b\|^2=\kappa_b^2$, and
          only largest blocks have one, $\kappa_bd_b=12\kappa_bM^2\omega$: then $\mathbb E\|\hat
          g-g\|^2=\omega\sum_jg_j^2$. [proof; adversarial/worst gradient]
        (e: lower) $$\frac1{12M^2}\sum_jg_j^2\le\mathbb E\|\hat g-g\|^2.$$ [proof; exact/lower bound]
        (f: lower-attained) Equality holds for equal moduli in each block, $\|g_b\|^2=d_b\kappa_b^2$: then
          $\mathbb E\|\hat g-g\|^2=\frac1{12M^2}\sum_jg_j^2$. [proof]
        (g: largest-error, largest-value) At every dither $|\hat g_j-g_j|\le\frac\kappa{2M}$ and $|\hat
          g_j|\le\kappa\Big(1+\frac1{2M}\Big)$, where $\kappa$ is the scale of the block of $j$. [proof;
          exact/largest error; exact/largest value]
        (h: partition) A partition never increases the variance: that of one block is at least as large,
          $\mathbb E\|\hat g-g\|^2\le\frac{d\|g\|_\infty^2}{12M^2}$. [proof; exact/below one block]
        (i: whole) It is the same if $\kappa_b=\|g\|_\infty$ for each $b$: then $\mathbb E\|\hat
          g-g\|^2=\frac{d\|g\|_\infty^2}{12M^2}$. [proof; exact/as one block]
        (j: equal-scales) Only then: if $\mathbb E\|\hat g-g\|^2=\frac{d\|g\|_\infty^2}{12M^2}$, then
          $\kappa_b=\|g\|_\infty$ for each $b$. [proof; exact/below one block]
        """
    ),
    variables=(
        Variable(d, "d", r"\mathbb N", "number of coordinates"),
        Variable(B, "B", r"\mathbb N", "number of blocks"),
        Variable(M, "M", r"\mathbb N", r"levels: the indices are $-M,\dots,M$"),
        Variable(g, "g", r"\mathbb R^d", "gradient", "(d,)"),
        Variable(h, "x", r"\mathbb R^{B\times d_b}", "gradient by blocks", "(B,d)"),
        Variable(mean, r"\mathbb E\hat x", r"\mathbb R^{B\times d_b}", "expected message", "(B,d)"),
        Variable(scales, r"\kappa", r"\mathbb R_{\ge0}^B", "scales of the blocks", "(B,)"),
        Variable(sizes, "d", r"\mathbb N^B", "lengths of the blocks", "(B,)"),
        Variable(norms, r"\|g_{#1}\|^2", r"\mathbb R_{\ge0}^B", "squared norms of the blocks", "(B,)"),
        Variable(
            place, r"\ell", r"\mathbb N^B", "an entry of the largest absolute value in each block", "(B,)"
        ),
        Variable(omega, r"\omega", r"\mathbb R_{\ge0}", r"$\max_b\frac{d_b}{12M^2}$"),
        Variable(V, r"\mathbb E\|\hat g-g\|^2", r"\mathbb R_{\ge0}", "variance of the message"),
        Variable(kappa, r"\kappa", r"\mathbb R_{\ge0}", "scale of the block of a coordinate"),
        Variable(error, r"\hat g_j-g_j", r"\mathbb R", "error of a coordinate"),
        Variable(value, r"\hat g_j", r"\mathbb R", "received coordinate"),
        Variable(largest, r"\|g\|_\infty", r"\mathbb R_{\ge0}", "largest absolute coordinate"),
    ),
    ranges={"b": (1, B)},
    hypotheses={
        "sizes": domain(r"$B$, $M$ and $d$ are positive integers"),
        "lengths": domain(r"$d_b\ge1$ are integers"),
        "scales": domain(r"$\kappa_b,\kappa\ge0$"),
        "largest-entry": definition(
            r"$x_{bi}^2\le\kappa_b^2$ for $i\le d_b$, since $\kappa_b$ is the greatest absolute value "
            "of its block"
        ),
        "attained-entry": definition(
            r"$x_{b,\ell_b}^2=\kappa_b^2$; $1\le\ell_b\le d_b$ is an integer, "
            r"since $\kappa_b$ is the absolute value of an entry"
        ),
        "norms": definition(r"$\|g_b\|^2=\sum_{i=1}^{d_b}x_{bi}^2$"),
        "blocks": definition(
            r"the blocks are the coordinates of $g$: $\sum_jg_j^2=\sum_b\|g_b\|^2$, $d=\sum_bd_b$"
        ),
        "omega": definition(r"$\omega\ge\frac{d_b}{12M^2}$"),
        "messages": definition(
            "the expectation over the errors, which have mean 0",
            every(eq(mean[b, i], _expected(h[b, i] + _ERROR)), ENTRIES, BLOCKS),
        ),
        "variance": definition(
            "the expectation over the errors, uncorrelated with mean 0 and variance 1/12",
            every(eq(parts[b], _expected(Sum(_ERROR**2, ENTRIES))), BLOCKS),
            eq(V, Sum(parts[b], BLOCKS)),
        ),
        "one-error": model(
            r"$-\frac\kappa{2M}\le\hat g_j-g_j\le\frac\kappa{2M}$", reference="ndqsg/dq-uniform-error"
        ),
        "one-value": definition(r"$\hat g_j-g_j-\kappa\le\hat g_j\le\hat g_j-g_j+\kappa$"),
        "largest": definition(r"$\kappa_b\le\|g\|_\infty$"),
        "single": parameter(r"$\|g_b\|^2=\kappa_b^2$, $\kappa_bd_b=12\kappa_bM^2\omega$"),
        "constant": parameter(r"$\|g_b\|^2=d_b\kappa_b^2$"),
        "equal": parameter(r"$\kappa_b=\|g\|_\infty$"),
        "as-one": parameter(r"$\mathbb E\|\hat g-g\|^2=\frac{d\|g\|_\infty^2}{12M^2}$"),
    },
    relations={
        "mean": Relation((mean[b, i], h[b, i]), ("=",), every=(ENTRIES, BLOCKS)),
        "variance": Relation((V, _EXACT), ("=",)),
        "upper": Relation((V, omega * _SQUARES), ("<=",)),
        "attained": Relation((V, omega * _SQUARES), ("=",), under=("single",)),
        "lower": Relation((_LOWER, V), ("<=",)),
        "lower-attained": Relation((V, _LOWER), ("=",), under=("constant",)),
        "largest-error": Relation((Abs(error), kappa / (2 * M)), ("<=",)),
        "largest-value": Relation((Abs(value), kappa * (1 + 1 / (2 * M))), ("<=",)),
        "partition": Relation((V, _WHOLE), ("<=",)),
        "whole": Relation((V, _WHOLE), ("=",), under=("equal",)),
        "equal-scales": Relation((scales[b], largest), ("=",), every=(BLOCKS,), under=("as-one",)),
    },
    formulas={
        "exact": _EXACT,
        "bound": omega * _SQUARES,
        "block_omega": sizes[j] / (12 * M**2),
        "lower": _LOWER,
        "largest_error": kappa / (2 * M),
        "largest_value": kappa * (1 + 1 / (2 * M)),
        "whole": _WHOLE,
    },
    internal={"block_omega": "omega is the largest of them, by definition"},
    worst_cases=cases("""
        one block | kappa_b = (3,), d_b = (4,), B = 1, M = 2 | 3/4
        two blocks of the same vector | kappa_b = (3, 1/2), d_b = (2, 2), B = 2, M = 2 | 37/96
        a single nonzero coordinate of 64: the upper bound | kappa_b = (1,), d_b = (64,), B = 1, M = 1 | 16/3
    """),
)

_TWO = {B: 2, M: 2, d: 4, sizes: (2, 2), place: (1, 1), omega: Rational(1, 24), kappa: 3, error: 0, value: 1}


def derive(K: Any) -> None:
    """Prove the relations."""
    half = (3, -1, HALF, 0)
    K.example({**_TWO, g: half, h: (half[:2], half[2:]), scales: (3, HALF), largest: 3})
    K.example({**_TWO, g: (3, 0, 2, 0), h: ((3, 0), (2, 0)), scales: (3, 2), largest: 3})
    K.example({**_TWO, g: (3, -3, 2, 2), h: ((3, -3), (2, 2)), scales: (3, 2), largest: 3})
    K.example({**_TWO, g: (3, 1, 3, 0), h: ((3, 1), (3, 0)), scales: (3, 3), largest: 3})
    K.index(BLOCKS, ENTRIES)
    K.conclude(
        "mean",
        K.every(K.cert(eq(mean[b, i], h[b, i]), (1, K.at(K.given("messages"), b, i))), ENTRIES, BLOCKS),
    )
    part = K.sum_over(K.at(K.given("variance"), b), BLOCKS)
    exact = K.cert(eq(V, _EXACT), (1, K.given("variance", 1)), (1, part))
    K.conclude("variance", exact)
    unit, norm = 1 / (12 * M**2), K.at(K.given("norms"), b)
    split = K.split_off(Sum(h[b, i] ** 2, ENTRIES), place[b] - 1)
    peak = K.cert(
        le(scales[b] ** 2, norms[b]),
        (-1, norm),
        (-1, split),
        (-1, K.at(K.given("attained-entry"), b)),
        (1, Sum(h[b, i] ** 2, (i, 0, place[b] - 2))),
        (1, Sum(h[b, i] ** 2, (i, place[b], sizes[b] - 1))),
    )
    first = K.cert(
        le(0, omega), (1, K.at(K.given("omega"), 0)), (unit, K.at(K.given("lengths", 1), 0)), (unit, 1)
    )
    K.know(first)
    wide = K.cert(
        le(scales[b] ** 2 * sizes[b] * unit, omega * norms[b]),
        (scales[b] ** 2, K.at(K.given("omega"), b)),
        (omega, peak),
    )
    total = K.given("blocks", 0)
    K.conclude(
        "upper", K.cert(le(V, omega * _SQUARES), (1, exact), (-omega, total), (1, K.sum_over(wide, BLOCKS)))
    )
    squares = K.sum_over(K.at(K.given("largest-entry"), b, i), ENTRIES)
    flat = K.cert(le(norms[b], scales[b] ** 2 * sizes[b]), (1, norm), (1, squares))
    K.conclude("lower", K.cert(le(_LOWER, V), (-1, exact), (unit, total), (unit, K.sum_over(flat, BLOCKS))))
    one = K.cert(
        eq(scales[b] ** 2 * sizes[b] * unit, omega * norms[b]),
        (scales[b] * unit, K.at(K.given("single", 1), b)),
        (-omega, K.at(K.given("single"), b)),
    )
    K.conclude(
        "attained", K.cert(eq(V, omega * _SQUARES), (1, exact), (-omega, total), (1, K.sum_over(one, BLOCKS)))
    )
    constant = K.sum_over(K.at(K.given("constant"), b), BLOCKS)
    K.conclude("lower-attained", K.cert(eq(V, _LOWER), (1, exact), (-unit, total), (-unit, constant)))
    error_bound = kappa / (2 * M)
    K.conclude(
        "largest-error", absolute_below(K, error, error_bound, K.given("one-error"), K.given("one-error", 1))
    )
    value_bound = kappa * (1 + 1 / (2 * M))
    below = K.cert(le(-value_bound, value), (1, K.given("one-value")), (1, K.given("one-error")))
    above = K.cert(le(value, value_bound), (1, K.given("one-value", 1)), (1, K.given("one-error", 1)))
    K.conclude("largest-value", absolute_below(K, value, value_bound, below, above))
    whole = K.cert(
        le(scales[b] ** 2 * sizes[b], largest**2 * sizes[b]),
        (sizes[b] * (scales[b] + largest), K.at(K.given("largest"), b)),
    )
    K.conclude(
        "partition",
        K.cert(
            le(V, _WHOLE),
            (1, exact),
            (unit, K.sum_over(whole, BLOCKS)),
            (-(largest**2) * unit, K.given("blocks", 1)),
        ),
    )
    _whole(K, exact, whole)


def _whole(K: Any, exact: Any, below: Any) -> None:
    """One block has the same variance where no block has a smaller scale."""
    unit, lengths = 1 / (12 * M**2), K.given("blocks", 1)
    alike = K.cert(
        eq(scales[b] ** 2 * sizes[b], largest**2 * sizes[b]),
        (sizes[b] * (scales[b] + largest), K.at(K.given("equal"), b)),
    )
    terms = ((1, exact), (unit, K.sum_over(alike, BLOCKS)), (-(largest**2) * unit, lengths))
    K.conclude("whole", K.cert(eq(V, _WHOLE), *terms))
    gap = sizes[l] * (largest**2 - scales[l] ** 2)
    other = K.at(K.every(below, BLOCKS), l)
    none = K.cert(
        eq(Sum(gap, (l, 0, B - 1)), 0),
        (-12 * M**2, K.given("as-one")),
        (12 * M**2, exact),
        (-(largest**2), lengths),
    )
    K.know(K.at(K.given("lengths", 1), b))
    none_here = K.cert(
        le(largest**2, scales[b] ** 2),
        (1 / sizes[b], none),
        (-1 / sizes[b], K.split_off(Sum(gap, (l, 0, B - 1)), b)),
        (1 / sizes[b], K.sum_over(other, (l, 0, b - 1))),
        (1 / sizes[b], K.sum_over(other, (l, b + 1, B - 1))),
    )
    goal, length = le(largest, scales[b]), K.at(K.given("scales"), b)
    zero = K.cert(goal, (1, K.assume(le(largest, 0))), (1, length))
    K.know(length, K.assume(lt(0, largest)))
    above = K.cases(largest, zero, K.cert(goal, (1, none_here), squared=True))
    # That no scale exceeds the largest entry is known here: one side needs no proof.
    is_right = K.axiom("max-is-right", scales[b], largest)
    is_left = K.discharge(K.axiom("max-is-right", largest, scales[b]), above)
    equal = K.cert(eq(scales[b], largest), (-1, is_left), (1, is_right))
    K.conclude("equal-scales", K.every(equal, BLOCKS))
