r"""`cq_marina/cq-dominates-iq`: correlated quantization is never worse than independent (arXiv 2401.05518).

For all $c_i\ge0$ and $y\in[0,1]^n$ two bits with stratified thresholds have a covariance $\le0$, hence
$$\mathrm{Var}\sum_ic_i\mathbf 1[U_i<y_i]\le\sum_ic_i^2y_i(1-y_i),$$
the variance with independent thresholds: $V_{CQ}\le V_{IQ}$ at every input.

Derivation: the covariance of `cq_marina/cq-1d-exact` is $-K/(n-1)$ in different cells; in a common cell $s$
it is nonpositive iff $(s+\alpha)(n-s-\beta)\ge n\alpha(1-\beta)$, and with $u=n-1-s$, $v=1-\beta$ the
difference is $su+sv(1-\alpha)+\alpha\beta u$.
"""

import itertools
from collections.abc import Mapping

from sympy import Expr, Integer, Rational, Sum, Symbol

from theory.cq_marina.cq_1d_exact_cells import COEFFICIENTS as BIT_SIZES
from theory.cq_marina.cq_1d_exact_cells import Cells, all_cells
from theory.cq_marina.cq_1d_exact_derivation import N, alpha, beta, delta, s, stated_covariance, two_inputs
from theory.cq_marina.cq_1d_exact_formulas import EXACT
from theory.cq_marina.paper import PAPER
from theory.cq_marina.symbols import (
    CLIENTS,
    COEFFICIENTS,
    EXACT_REALS,
    PROBABILITIES,
    STRATIFIED,
    c,
    i,
    l,
    n,
    y,
)
from theory.old_form import Claim, Mutant, WorstCase, expressions
from theory.old_steps import Certificate, Identity, ScalarLemma, Step, Term
from theory.summation import SUMMATION

_BOUND = Sum(c[i] ** 2 * y[i] * (1 - y[i]), (i, 0, n - 1))

_SHOWN = (*all_cells(2), *map(Cells, ((0, 0, 0), (0, 2, 2), (0, 1, 2))))
_u = Symbol("u", real=True)
_v = Symbol("v", nonnegative=True)
_q = beta + _v
_LARGER, _SMALLER = (s * _q + alpha) * (_u * _q + _v), (s + _u + 1) * alpha * _v


def derivation(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    """Return the steps, built from the stated expressions."""
    covariance = stated_covariance(EXACT.formulas["covariance"], True).xreplace({delta: beta - alpha})
    difference = (s + alpha) * (N + 1 - s - beta) - (N + 1) * alpha * (1 - beta)
    lower, upper = two_inputs(False)[0]
    return (
        ScalarLemma(
            "common-cell",
            r"$n\alpha v\le(sq+\alpha)(uq+v)$ with $n=s+u+1$, $q=\beta+v$, for numbers $s,u,\beta,v\ge0$ and "
            r"$0\le\alpha\le q$.",
            (_u >= 0, alpha <= _q),
            _SMALLER <= _LARGER,
            (
                Term(s * _q**2, _u, "hypothesis: there are u cells above"),
                Term(s * _v, _q - alpha, "hypothesis: alpha is at most q"),
                Term(alpha * beta, _u, "hypothesis: there are u cells above"),
            ),
        ),
        Identity(
            "cells-above",
            r"With $u=n-1-s$ cells above the common cell $s$, $v=1-\beta$ and $q=1$ it reads "
            r"$(s+\alpha)(n-s-\beta)\ge n\alpha(1-\beta)$.",
            (_LARGER - _SMALLER).xreplace({_u: N - s, _v: 1 - beta}),
            difference,
        ),
        Certificate(
            "same-cell",
            r"In a common cell $s$, $\alpha\le\beta$, the covariance of `cq_marina/cq-1d-exact` is $\le0$, "
            "for every $n$.",
            covariance,
            Integer(0),
            (Term(1 / (N * (N + 1) ** 2), difference, "common-cell, cells-above"),),
        ),
        Certificate(
            "different-cells",
            r"In different cells it is $-K(y_i,y_l)/(n-1)\le0$.",
            stated_covariance(EXACT.formulas["covariance"], False),
            Integer(0),
            (Term(lower / N, 1 - upper, "hypothesis: inputs are probabilities, at most 1"),),
        ),
        *(_dominated(stated, cells) for cells in _SHOWN),
        Identity(
            "one-coefficient",
            r"If only one $c_i\ne0$ the two variances are equal (shown for $n=3$).",
            _SHOWN[-1].write_out(EXACT.formulas["pairwise"], {c: (BIT_SIZES[0], Integer(0), Integer(0))}),
            _SHOWN[-1].write_out(stated["bound"], {c: (BIT_SIZES[0], Integer(0), Integer(0))}),
        ),
        SUMMATION,
    )


def _dominated(stated: Mapping[str, Expr], cells: Cells) -> Certificate:
    terms = []
    for first, second in itertools.combinations(range(cells.size), 2):
        covariance = cells.write_out(EXACT.formulas["covariance"], {i: first, l: second})
        same = cells.places[first] == cells.places[second]
        terms.append(
            Term(
                2 * BIT_SIZES[first] * BIT_SIZES[second],
                -covariance,
                "same-cell, cells-above" if same else "different-cells, cells-above",
            )
        )
    return Certificate(
        f"dominated-cells-{cells.name}",
        r"The variance is the stated sum and twice $\sum_{l<i}c_ic_l\,\mathrm{Cov}\le0$ (shown for two "
        "clients in all cells, three with one, two and three; in every size by `summation`).",
        cells.write_out(EXACT.formulas["pairwise"]),
        cells.write_out(stated["bound"]),
        tuple(terms),
    )


_HALF = Rational(1, 2)

CLAIM = Claim(
    id="cq_marina/cq-dominates-iq",
    paper=PAPER,
    kind="ordering",
    provenance="derived",
    title="Correlated quantization is never worse than independent quantization",
    statement=(
        r"For every $c_i\ge0$ and $y\in[0,1]^n$, with stratified thresholds, $\mathrm{Cov}(\mathbf "
        r"1[U_i<y_i],\mathbf 1[U_l<y_l])\le0$ for $i\ne l$, hence $$\mathrm{Var}\sum_ic_i\mathbf "
        r"1[U_i<y_i]\le\sum_ic_i^2y_i(1-y_i),$$ with equality if only one $c_i\ne0$. Summed over the "
        r"coordinates, with $c_i=2\|a_i\|$ (binary grid) or $c_i=\|a_i\|$ (ternary grid), $V_{CQ}\le V_{IQ}$ "
        r"at all inputs $a_1,\dots,a_n$, whatever their norms."
    ),
    variables=(PROBABILITIES, COEFFICIENTS, CLIENTS),
    assumptions=(
        STRATIFIED,
        r"Independent quantization has the same levels and independent uniform thresholds.",
        r"All $c_i\ge0$: the sign of a coordinate is inside the grid (see "
        r"`cq_marina/finding-sign-magnitude`).",
        EXACT_REALS,
    ),
    derivation=lambda: derivation(expressions(_BOUND, None, {})),
    worst_cases=(
        WorstCase(
            "only one coefficient: equality",
            {"y": (_HALF, _HALF, _HALF), "c": (1, 0, 0), "n": 3},
            Rational(1, 4),
        ),
        WorstCase(
            "a client at the end of the interval: its bit is certain",
            {"y": (Integer(0), Rational(1, 3)), "c": (2, 3), "n": 2},
            Integer(2),
        ),
    ),
    mutants=(
        Mutant(
            "sign-magnitude",
            r"One threshold for $|a_j|/r$ and the sign multiplied afterwards: $4$ against $2$ for "
            r"independent quantization at $a_1=(1,1,1,1)=-a_2$.",
            ("exact", "adversarial"),
        ),
        Mutant(
            "antithetic",
            r"Two clients with $U_2=U_1$ in place of an antithetic pair: twice the independent variance at "
            "equal inputs.",
            ("exact", "adversarial"),
        ),
        Mutant(
            "permuted-clients",
            "Take the clients in another order: nothing may change.",
            ("exact",),
            neutral=True,
        ),
    ),
    bound=_BOUND,
)
