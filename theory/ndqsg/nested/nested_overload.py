r"""`ndqsg/nested-overload`: overload and error for a Gaussian innovation, exactly (arXiv 1904.01197)."""

from typing import Any

from sympy import IndexedBase, Integer, KroneckerDelta, Rational, Sum, exp, floor, symbols

from theory.claim import Claim, Relation, Variable
from theory.facts.rounding.sign_of_integer import integer_below_square, nonzero_below
from theory.facts.sums.telescoping_sum import telescoping_sum
from theory.formula import IsInteger, eq, le, lt
from theory.hypotheses import definition, domain, model, parameter
from theory.indicator import INDICATOR
from theory.ndqsg.nested import gaussian_tail
from theory.ndqsg.paper import PAPER
from theory.statement import statement
from theory.worst_cases import cases

alpha, sigma, k, spread, cells, n, i, j = symbols("alpha sigma k spread cells n i j", real=True)
overload, squares, cross, pull, square = symbols("overload squares cross pull square", real=True)
tails, error_parts = symbols("tails error_parts", cls=IndexedBase, real=True)
innovation_parts, p, e, z, jump = symbols("innovation_parts p e z jump", cls=IndexedBase, real=True)
OUTCOMES, CELLS = (i, 0, n - 1), (j, 0, cells - 1)
HALF = Rational(1, 2)


def _expected(term: Any) -> Any:
    return Sum(p[i] * term, OUTCOMES)


_SUMS = {
    "overload": (overload, tails, 0, 2 * tails[0]),
    "squares": (squares, tails, 2, Sum(2 * (2 * j + 1) * tails[j], CELLS)),
    "cross": (cross, error_parts, 1, Sum(2 * error_parts[j], CELLS)),
    "pull": (pull, innovation_parts, 1, Sum(2 * innovation_parts[j], CELLS)),
}
_EXACT = (
    alpha**2 / 12
    + (1 - alpha**2) ** 2 * sigma**2
    - 2 * alpha * k * (alpha * cross - (1 - alpha**2) / alpha * pull)
    + alpha**2 * k**2 * squares
)
_EXCESS, _MOST = square - Rational(1, 12), k**2 * squares
_SUB_GAUSSIAN = 2 * exp(-((k - 1) ** 2) / (8 * spread**2))
_CHEBYSHEV = 4 * (spread**2 + Rational(1, 12)) / k**2
_RATE = (k - 1) / (2 * spread**2)

CLAIM = Claim(
    id="ndqsg/nested-overload",
    kind="identity",
    provenance="derived",
    title="Overload probability and mean square error for a Gaussian innovation",
    position=33,
    paper=PAPER,
    **statement(
        r"""
        Lengths are in fine steps. The innovation $z$ is independent of the fine error $e$, uniform on
        $\pm\frac12$; $j=Q((\alpha z+e)/k)$ is the cell of the decoder, $s=\alpha\sigma$, and the error is
        $\hat g-g=\alpha e-(1-\alpha^2)z-\alpha kj$ (`ndqsg/nested-decoding`). In part (a) $z\sim
        N(0,\sigma^2)$, $c_l=(l-\frac12)k$, $t_\pm=(c_m\pm\frac12)/s$, $A(t)=t\bar\Phi(t)-\phi(t)$ and
        $B(t)=\frac12[(t^2-1)\bar\Phi(t)-t\phi(t)]$ with tail $\bar\Phi$ and density $\phi$; from (c) on
        $(e,z)$ takes finitely many values instead, with $|e|\le\frac12$, $\mathbb Ee^2=\frac1{12}$,
        $\mathbb Ez^2=\sigma^2$ and $\mathbb E[ez]=0$.
        (a: tail, error-part, innovation-part) Beyond the boundary $m$, <<$\alpha z+e\ge c_m$ ->
          exact/T_l>>, the probability and the expectations of $e$ and $\alpha z$ are
          $$T_m=s[A(t_+)-A(t_-)],\quad U_m=s\Big(c_m[A(t_+)-A(t_-)]-s[B(t_+)-B(t_-)]\Big),$$
          $$W_m=s^2[\bar\Phi(t_-)-\bar\Phi(t_+)].$$ [proof; exact/T_l; exact/U_l; exact/W_l]
        (b: overload, squares, cross, pull) <<For each symmetric law of $z$ with nothing beyond $L$
          boundaries -> exact/squared cells of a symmetric law>>, <<and for the normal law to round-off,
          with all boundaries up to 40 deviations -> exact/mean square>>: $\Pr(j\ne0)=2T_1$, $$\mathbb
          Ej^2=\sum_{l=1}^L2(2l-1)T_l,\quad\mathbb E[ej]=\sum_{l=1}^L2U_l,\quad\mathbb E[\alpha
          zj]=\sum_{l=1}^L2W_l.$$ [proof; exact/overloads of a symmetric law; exact/squared cells of a
          symmetric law; exact/error by cell of a symmetric law; exact/innovation by cell of a symmetric
          law; exact/mean square; exact/overload probability; montecarlo/overload probability;
          montecarlo/mean square]
        (c: exact) <<For every law of finitely many values -> proof>> $$\mathbb E(\hat
          g-g)^2=\frac{\alpha^2}{12}+(1-\alpha^2)^2\sigma^2-2\alpha k\Big[\alpha\mathbb
          E[ej]-\frac{1-\alpha^2}\alpha\mathbb E[\alpha zj]\Big]+\alpha^2k^2\mathbb Ej^2.$$ [proof;
          exact/mean square]
        (d: excess, most) At $\alpha=1$ the excess satisfies $$k(k-1)\mathbb Ej^2\le\mathbb E(\hat
          g-g)^2-\frac1{12}\le k(k+1)\mathbb Ej^2,$$ and, if $0\le\mathbb E[ej]$, as for uniform
          $e$ by `ndqsg/nested-conditional-mse`, $\mathbb E(\hat g-g)^2-\frac1{12}\le k^2\mathbb Ej^2$.
          [proof; exact/least excess; exact/largest excess; exact/largest excess for any law;
          adversarial/largest part of a bound]
        (e: chebyshev) $$\Pr(j\ne0)\le\frac{4(s^2+\frac1{12})}{k^2}.$$ [proof; exact/overload, second
          moment; adversarial/largest part of a bound]
        (f: sub-gaussian) <<If $\alpha z$ is sub-Gaussian with parameter $s$ -> proof>>,
          $$\Pr(j\ne0)\le2\exp\Big(-\frac{(k-1)^2}{8s^2}\Big).$$ [proof; exact/overload, sub-Gaussian;
          adversarial/largest part of a bound]
        """
    ),
    variables=(
        Variable(sigma, r"\sigma", r"\mathbb R_{>0}", "standard deviation of the innovation"),
        Variable(alpha, r"\alpha", "(0,1]", "gain of the nested quantizer"),
        Variable(k, "k", r"\{2,3,\dots\}", "ratio of the coarse step to the fine one"),
        Variable(spread, "s", r"\mathbb R_{>0}", r"$\alpha\sigma$"),
        Variable(cells, "L", r"\mathbb N", "number of boundaries that are summed"),
        Variable(tails, "T", r"\mathbb R^{L+1}", r"$\Pr(\alpha z+e\ge c_l)$", "(cells + 1,)"),
        Variable(error_parts, "U", r"\mathbb R^{L+1}", r"$\mathbb E[e\mathbf 1]$ beyond it", "(cells + 1,)"),
        Variable(
            innovation_parts,
            "W",
            r"\mathbb R^{L+1}",
            r"$\mathbb E[\alpha z\mathbf 1]$ beyond it",
            "(cells + 1,)",
        ),
        *gaussian_tail.VARIABLES,
        Variable(n, "n", r"\mathbb N", "number of values of $(e,z)$"),
        Variable(squares, r"\mathbb Ej^2", r"\mathbb R_{\ge0}", "mean square of the cell"),
        Variable(cross, r"\mathbb E[ej]", r"\mathbb R", "expectation of error times cell"),
        Variable(pull, r"\mathbb E[\alpha zj]", r"\mathbb R", "expectation of innovation times cell"),
        Variable(overload, r"\Pr(j\ne0)", "[0,1]", "overload probability"),
        Variable(square, r"\mathbb E(\hat g-g)^2", r"\mathbb R_{\ge0}", "mean square error"),
        INDICATOR,
        Variable(p, "p", r"\mathbb R_{\ge0}^n", "probabilities of the values", "(n,)"),
        Variable(e, "e", r"[-\frac12,\frac12]^n", "values of the error", "(n,)"),
        Variable(z, "z", r"\mathbb R^n", "values of the innovation", "(n,)"),
        Variable(jump, "j", r"\mathbb Z^n", "cells of the decoder", "(n,)"),
    ),
    notation={
        "z": "innovation",
        "e": "fine error",
        "j": "cell of the decoder",
        "m": "number of a boundary",
        r"\hat g-g": "error",
        r"\alpha z": "innovation as it is sent",
        r"(e,z)": "error and innovation",
    },
    hypotheses={
        "domain": domain(r"$k\ge2$, $L\ge1$ and $n\ge1$ are integers"),
        "signs": domain(r"$\alpha,\sigma>0$, $s=\alpha\sigma$, $s>0$"),
        "cells": definition(
            r"$T_{L+1}=0$, $U_{L+1}=0$, $W_{L+1}=0$, $\Pr(j\ne0)=2\sum_{l=1}^L(T_l-T_{l+1})$, "
            r"$\mathbb Ej^2=2\sum_{l=1}^Ll^2(T_l-T_{l+1})$, "
            r"$\mathbb E[ej]=2\sum_{l=1}^Ll(U_l-U_{l+1})$, "
            r"$\mathbb E[\alpha zj]=2\sum_{l=1}^Ll(W_l-W_{l+1})$"
        ),
        **gaussian_tail.HYPOTHESES,
        "law": model(
            r"$p_i\ge0$, $\sum_ip_i=1$, $-\frac12\le e_i\le\frac12$, "
            r"$j_i=\lfloor\frac{z_i\alpha+e_i}k+\frac12\rfloor$, $\sum_ip_ie_i^2=\frac1{12}$, "
            r"$\sum_ip_iz_i^2=\sigma^2$, $\sum_ip_ie_iz_i=0$, since $(e,z)$ has this law"
        ),
        "expectations": definition(
            r"$\mathbb E(\hat g-g)^2=\sum_ip_i(\alpha e_i-(1-\alpha^2)z_i-\alpha kj_i)^2$, $\mathbb "
            r"Ej^2=\sum_ip_ij_i^2$, $\mathbb E[ej]=\sum_ip_ie_ij_i$, $\mathbb E[\alpha "
            r"zj]=\sum_ip_iz_i\alpha j_i$"
        ),
        "probability": definition(r"$\Pr(j\ne0)=\sum_ip_i(1-\mathbb I(j_i,0))$"),
        "gain-one": parameter(r"$\alpha=1$"),
        "independent": model(r"$0\le\mathbb E[ej]$", reference="claim `ndqsg/nested-conditional-mse`"),
        "sub-gaussian": model(
            r"$\sum_ip_i\exp\Big(\frac{(k-1)z_i\alpha}{2s^2}\Big)\le\exp\Big(\frac{(k-1)^2}{8s^2}\Big)$, "
            r"$\sum_ip_i\exp\Big(-\frac{(k-1)z_i\alpha}{2s^2}\Big)\le\exp\Big(\frac{(k-1)^2}{8s^2}\Big)$, "
            r"since $\alpha z$ is sub-Gaussian of parameter $s$",
            reference="S. Boucheron, G. Lugosi, P. Massart, Concentration Inequalities, section 2.3",
        ),
    },
    relations={
        **gaussian_tail.RELATIONS,
        **{
            name: Relation((symbol, total), ("=",), under=("cells",))
            for name, (symbol, _, _, total) in _SUMS.items()
        },
        "exact": Relation((square, _EXACT), ("=",), under=("law", "expectations")),
        "excess": Relation(
            (k * (k - 1) * squares, _EXCESS, k * (k + 1) * squares),
            ("<=", "<="),
            under=("law", "expectations", "gain-one"),
        ),
        "most": Relation((_EXCESS, _MOST), ("<=",), under=("law", "expectations", "gain-one", "independent")),
        "chebyshev": Relation((overload, _CHEBYSHEV), ("<=",), under=("law", "probability")),
        "sub-gaussian": Relation(
            (overload, _SUB_GAUSSIAN), ("<=",), under=("law", "probability", "sub-gaussian")
        ),
    },
    formulas={
        "exact": _EXACT,
        **gaussian_tail.FORMULAS,
        **{name: total for name, (_, _, _, total) in _SUMS.items()},
        "excess_low": k * (k - 1) * squares,
        "excess_high": k * (k + 1) * squares,
        "excess_gaussian": _MOST,
        "sub_gaussian": _SUB_GAUSSIAN,
        "chebyshev": _CHEBYSHEV,
    },
    internal=dict.fromkeys(
        ("tail", "error_part", "innovation_part"), "with the tail written out in part (a)"
    ),
    worst_cases=cases("""
        no overload at all: the error of `ndqsg/nested-decoding` | alpha = 1, sigma = 1, k = 3, squares = 0,
          cross = 0, pull = 0 | 1/12
        one overload in a hundred, never more than one cell, at $k=3$ and independent of $e$: the error is a
          little more than doubled | alpha = 1, sigma = 1, k = 3, squares = 1/100, cross = 0, pull = 0 | 13/75
    """),
)


_SIXTH, _TWELFTH = Rational(1, 6), Rational(1, 12)
# Errors of half a step and 0, innovations of 1 and -1.
_OUTCOMES = {
    **{k: 2, alpha: 1, sigma: 1, spread: 1, cells: 1, n: 6, p: (_TWELFTH,) * 4 + (2 * _SIXTH,) * 2},
    **{e: (HALF, HALF, -HALF, -HALF, 0, 0), z: (1, -1, 1, -1, 1, -1), jump: (1, 0, 0, -1, 1, 0)},
}
_CELLS = {tails: (HALF, _SIXTH, 0), error_parts: (_SIXTH, _TWELFTH, 0), innovation_parts: (1, HALF, 0)}


def derive(K: Any) -> None:
    """Prove the relations: Abel sums over the boundaries, and sums of pointwise inequalities."""
    K.index(OUTCOMES, CELLS)
    K.example({k: 2, n: 1, cells: 2, **_CELLS})
    K.example(
        {**_OUTCOMES, squares: HALF, cross: _TWELFTH, pull: HALF, overload: HALF, square: Rational(7, 4)}
    )
    for place, (name, (symbol, parts, power, total)) in enumerate(_SUMS.items()):
        # (j + 1)^power (f_j - f_(j+1)) is what is stated less the difference of j^power f_j.
        whole = telescoping_sum(K, j**power * parts[j], j, cells)
        beyond = K.given("cells", (tails, error_parts, innovation_parts).index(parts))
        terms = ((1, K.given("cells", 3 + place)), (-2, whole), (-2 * cells**power, beyond))
        K.conclude(name, K.cert(eq(symbol, total), *terms))
    for place in (0, 2, 3):
        K.know(K.at(K.given("law", place), i))
    gaussian_tail.conclude_boundary(K, {k: 2, alpha: 1, sigma: 1, cells: 2})
    _square(K)
    _bounds(K)


def _square(K: Any) -> None:
    """Conclude the mean square error, and its excess at gain 1."""
    errors, innovations, mixed = (K.given("law", place) for place in (5, 6, 7))
    total, jumps, crosses, pulls = (K.given("expectations", place) for place in range(4))
    b = 1 - alpha**2
    terms = ((1, total), (alpha**2, errors), (b**2, innovations), (-2 * alpha * b, mixed))
    more = ((-(alpha**2) * k**2, jumps), (2 * alpha**2 * k, crosses), (-2 * k * b, pulls))
    exact = K.cert(eq(square, _EXACT), *terms, *more)
    K.conclude("exact", exact)
    excess = K.cert(eq(_EXCESS, k**2 * squares - 2 * k * cross), (1, exact), using=[K.given("gain-one")])
    defined = K.cert(eq(_CELL, jump[i]), (-1, K.at(K.given("law", 4), i)))
    K.know(K.rewrite(K.sign(IsInteger(_CELL)), defined))
    up, down = integer_below_square(K, jump[i]), integer_below_square(K, -jump[i])
    most = K.cert(le(2 * e[i] * jump[i], jump[i] ** 2), (HALF + e[i], up), (HALF - e[i], down))
    least = K.cert(le(-2 * e[i] * jump[i], jump[i] ** 2), (HALF - e[i], up), (HALF + e[i], down))
    low, high = (
        K.sum_over(K.cert(le(sign * 2 * p[i] * e[i] * jump[i], p[i] * jump[i] ** 2), (p[i], item)), OUTCOMES)
        for sign, item in ((1, most), (-1, least))
    )
    K.conclude(
        "excess",
        K.cert(le(k * (k - 1) * squares, _EXCESS), (-1, excess), (k, low), (-k, jumps), (2 * k, crosses)),
        K.cert(le(_EXCESS, k * (k + 1) * squares), (1, excess), (k, high), (-k, jumps), (-2 * k, crosses)),
    )
    K.conclude("most", K.cert(le(_EXCESS, _MOST), (1, excess), (2 * k, K.given("independent"))))


_VALUE = (alpha * z[i] + e[i]) / k
_CELL = floor(_VALUE + HALF)


def _bounds(K: Any) -> None:
    """Conclude the bounds on the overload probability: each outcome, then their sum."""
    number, top, bottom = jump[i], K.at(K.given("law", 3), i), K.at(K.given("law", 2), i)
    at = K.at(K.given("law", 4), i)
    low = K.cert(le(number, _VALUE + HALF), (1, K.axiom("floor-below", _VALUE + HALF)), (1, at))
    high = K.cert(lt(_VALUE + HALF, number + 1), (1, K.axiom("floor-above", _VALUE + HALF)), (-1, at))
    errors, innovations, mixed = (K.given("law", place) for place in (5, 6, 7))
    scale, rate = K.given("signs", 2), K.given("probability")

    far = 4 * _VALUE**2
    each = nonzero_below(
        K,
        number,
        far,
        far,
        lambda gap: ((1, (2 * _VALUE - 1) ** 2), (4, low), (4, gap)),
        lambda gap: ((1, (2 * _VALUE + 1) ** 2), (4, high), (4, gap)),
    )
    factor = 4 / k**2
    K.conclude(
        "chebyshev",
        K.cert(
            le(overload, _CHEBYSHEV),
            *((1, rate), (1, _summed(K, each, far)), (factor, errors), (factor * alpha**2, innovations)),
            *((2 * factor * alpha, mixed), (-factor * (alpha * sigma + spread), scale)),
        ),
    )

    margin, right, left = (k - 1) / 2, _RATE * alpha * z[i], -_RATE * alpha * z[i]
    shrunk = exp(-_RATE * margin)
    bound = exp(right) * shrunk + exp(left) * shrunk

    def beyond(side: Any, other: Any, inside: Any, edge: Any) -> Any:
        """Return a function from the gap to terms, where the innovation is beyond the margin on a side."""
        above = K.axiom("exp-above", side - _RATE * margin)
        product = K.axiom("exp-sum", side, -_RATE * margin)
        terms = ((1, above), (1, product), (1, exp(other) * shrunk), (_RATE * k, inside), (_RATE, edge))
        return lambda gap: (*terms, (_RATE * k, gap))

    for factor in (1, k):
        part = factor / (2 * spread**2)
        K.know(K.cert(le(0, factor * _RATE), (part, K.given("domain", 1)), (part, Integer(1))))
    each = nonzero_below(
        K, number, bound, bound, beyond(right, left, low, top), beyond(left, right, high, bottom)
    )
    halves = [(shrunk, K.given("sub-gaussian", place)) for place in range(2)]
    whole = K.axiom("exp-sum", -_RATE * margin, _RATE**2 * spread**2 / 2)
    terms = ((1, rate), (1, _summed(K, each, bound)), *halves, (-2, whole))
    K.conclude("sub-gaussian", K.cert(le(overload, _SUB_GAUSSIAN), *terms))


def _summed(K: Any, each: Any, bound: Any) -> Any:
    """Return the expectation of a bound on the indicator of an overload."""
    weighted = K.cert(le(p[i] * (1 - KroneckerDelta(jump[i], 0)), p[i] * bound), (p[i], each))
    return K.sum_over(weighted, OUTCOMES)
