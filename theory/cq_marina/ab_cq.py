r"""`cq_marina/ab-cq`: an AB pair of the correlated quantizer (arXiv 2401.05518).

For all inputs, of unequal norms and directions, $V\le AM-Bm$ with $A-B=\frac d{n^2}$ and
$B=\max\big\{\frac{n-2}{2(n-1)},\frac dn-\frac1{n-1}\big\}$.

Derivation: the error of a coordinate is a sum over pairs of clients. In a common cell
$K(\alpha,\beta)\le\frac14(1-D)^2$, elsewhere $2D\le1+D^2$; in both cases the term that is linear in the
distance of a pair cancels. What is left are squared distances and squared differences of norms, which sum up
to multiples of $M-m$ (`theory.cq_marina.ab_cq_derivation`).
"""

from sympy import Integer, Max, Rational

from theory.cq_marina.ab_cq_derivation import derivation, norm_spread, scale, spread, width
from theory.cq_marina.paper import PAPER
from theory.cq_marina.symbols import (
    CLIENTS,
    DIMENSION,
    EXACT_REALS,
    MEAN_SQUARE,
    SQUARED_MEAN,
    STRATIFIED,
    M,
    d,
    m,
    n,
)
from theory.old_form import Claim, Mutant, Variable, WorstCase, expressions

_B_EQUAL = (n - 2) / (2 * (n - 1))
_B_UNEQUAL = d / n - 1 / (n - 1)
_B = Max(_B_EQUAL, _B_UNEQUAL)
_A = d / n**2 + _B
_BOUND = _A * M - _B * m
_FORMULAS = {
    "A": _A,
    "B": _B,
    "B_equal": _B_EQUAL,
    "B_unequal": _B_UNEQUAL,
    "A_independent": (d - 1) / n,
    "refined": d / n**2 * M
    + (n - 2) / (2 * (n - 1)) * (M - m)
    + (d * (1 - 1 / n) - n / 2) / (n - 1) * norm_spread,
    "common_scale": d / n**2 * scale**2 + (n - 2) / (2 * (n - 1)) * (M - m),
    "one_dimension": width**2 / (4 * n**2) + (n - 2) / (2 * (n - 1)) * spread,
}

_SEARCHED = ("exact", "adversarial")
_MUTANTS = (
    Mutant(
        "reciprocal-b",
        r"$B=\frac1{n-1}$ with $A=B+\frac d{n^2}$: exceeded by one nonzero client, ratio 1.14 at "
        r"$(n,d)=(2,5)$ and 1.29 at $(3,4)$.",
        _SEARCHED,
    ),
    Mutant(
        "quarter-b",
        r"$B=\frac14$: ratio 1.33 at $(2,4)$, 1.45 at $(2,5)$, 1.64 at $(3,4)$.",
        _SEARCHED,
    ),
    Mutant(
        "no-rounding-term",
        r"Drop $\frac d{n^2}$, so that $A=B$: nothing is left at equal inputs.",
        _SEARCHED,
    ),
    Mutant(
        "quarter-rounding-term",
        r"$\frac d{4n^2}$ for $\frac d{n^2}$: exceeded four times at $n=4$, $d=8$, all inputs $(3,1,\dots,1)"
        r"$.",
        _SEARCHED,
    ),
    Mutant(
        "half-for-all-norms",
        r"$B=\frac12$ without equal norms: exceeded by one nonzero client where $d>\frac{n(n+1)}{2(n-1)}$, "
        r"ratio 1.2 at $(4,4)$.",
        _SEARCHED,
    ),
    Mutant(
        "permuted-clients",
        "Number clients and coordinates in the reverse order and change all signs: nothing may change.",
        _SEARCHED,
        neutral=True,
    ),
    Mutant(
        "common-draws",
        r"All coordinates share one permutation, or all clients one jitter.",
        ("montecarlo",),
    ),
)

_WORST_CASES = (
    WorstCase(
        "equal inputs on the odd multiples: attained",
        {"n": 4, "d": 8, "a": ((3,) + (1,) * 7,) * 4, "M": 16, "m": 16},
        Integer(8),
    ),
    WorstCase(
        "one nonzero client among three: attained",
        {"n": 3, "d": 4, "a": ((1, 0, 0, 0), (0,) * 4, (0,) * 4), "M": Rational(1, 3), "m": Rational(1, 9)},
        Rational(1, 3),
    ),
    WorstCase(
        "one nonzero client of two",
        {"n": 2, "d": 5, "a": ((1, 0, 0, 0, 0), (0,) * 5), "M": Rational(1, 2), "m": Rational(1, 4)},
        Integer(1),
    ),
)

CLAIM = Claim(
    id="cq_marina/ab-cq",
    paper=PAPER,
    kind="tight",
    provenance="derived",
    title="Correlated quantization of vectors: an AB pair for any norms and directions, attained twice",
    statement=(
        r"For $n\ge2$ and all inputs the error of CQ-bin is at most $AM-Bm$ with $$A-B=\frac d{n^2},\qquad "
        r"B=\max\Big\{\frac{n-2}{2(n-1)},\ \frac dn-\frac1{n-1}\Big\},$$ and at most $\frac{d-1}nM$. More "
        r"precisely, with $Q=\frac1{2n^2}\sum_{i,l}(\|a_i\|-\|a_l\|)^2\le M-m$, $$V\le\frac d{n^2}M+"
        r"\frac{n-2}{2(n-1)}(M-m)+\frac{d(1-\frac1n)-\frac n2}{n-1}\,Q.\tag{2}$$ The pair is attained at "
        r"equal inputs (even $n$, $d\le n^2$, $d\equiv n^2$ modulo 8) and by one nonzero client where "
        r"$d\frac{n-1}n\ge\frac n2$. With equal norms, or one common scale $r\ge\max_i\|a_i\|$, in any "
        r"dimension $V\le\frac d{n^2}r^2+\frac{n-2}{2(n-1)}(M-m)$; so for bits on $[l,r]$ the mean has at "
        r"most the variance $\frac{(r-l)^2}{4n^2}+\frac{n-2}{2(n-1)}s^2$, $s^2=\frac1n\sum_i(x_i-\bar x)^2$,"
        r" which for $n=2$ is $\frac{(r-l)^2}{16}$."
    ),
    variables=(
        CLIENTS,
        DIMENSION,
        MEAN_SQUARE,
        SQUARED_MEAN,
        Variable(norm_spread, r"[0,M-m]", r"$Q=\frac1{2n^2}\sum_{i,l}(\|a_i\|-\|a_l\|)^2$"),
        Variable(scale, r"\mathbb R_{>0}", r"common scale of all clients, at least $\max_i\|a_i\|$"),
        Variable(width, r"\mathbb R_{>0}", r"length $r-l$ of the interval in one dimension"),
        Variable(spread, r"\mathbb R_{\ge0}", r"$s^2=\frac1n\sum_i(x_i-\bar x)^2$"),
    ),
    assumptions=(
        STRATIFIED,
        r"CQ-bin: $Q(a_i)_j=\pm\|a_i\|$, plus where $U_{ij}<\frac12(1+a_{ij}/\|a_i\|)$, with its own "
        r"permutation for each coordinate; a zero vector is sent as exact zero and keeps its place in every "
        r"permutation.",
        r"$n\ge2$.",
        EXACT_REALS,
    ),
    derivation=lambda: derivation(expressions(_BOUND, None, _FORMULAS)),
    worst_cases=_WORST_CASES,
    mutants=_MUTANTS,
    bound=_BOUND,
    formulas=_FORMULAS,
)
