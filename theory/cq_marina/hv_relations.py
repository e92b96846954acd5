r"""`cq_marina/hv-relations`: relations of the weighted smoothness constants (arXiv 2401.05518).

$$L_-\le L_{+,w},\qquad L_{\pm,w}\le L_{+,w},\qquad L_{+,w}^2\le L_{\pm,w}^2+L_-^2,\qquad
L_{+,w}^2\le\sum_i\frac{L_i^2}{n^2w_i},$$
the last smallest for $w_i\propto L_i$, with the value $(\frac1n\sum_iL_i)^2$.

Derivation: the variance identity, coordinate by coordinate:
$\sum_iw_i(\frac{\delta_i}{nw_i}-\bar\delta)^2=\sum_i\frac{\delta_i^2}{n^2w_i}-\bar\delta^2$.
"""

from collections.abc import Mapping
from typing import Any

from sympy import Expr, IndexedBase, Integer, Rational, Sum, Symbol, symbols

from theory.cq_marina.paper import PAPER
from theory.cq_marina.symbols import (
    CLIENTS,
    HESSIAN_VARIANCE,
    SMOOTHNESS,
    WEIGHTS,
    L_minus,
    L_pm,
    i,
    k,
    n,
    w,
)
from theory.eigenvalue_order import RAYLEIGH, ROOT_MONOTONE
from theory.instance import instance
from theory.old_form import Claim, Mutant, Variable, WorstCase, expressions
from theory.old_steps import Certificate, Identity, Step, Term
from theory.summation import SUMMATION
from theory.two_point_law import quadratic_form

delta = IndexedBase("delta", real=True)
L = IndexedBase("L", nonnegative=True)

_SIZE = 3
_deltas = symbols("delta_1:4", real=True)
_Ls = symbols("L_1:4", nonnegative=True)
_positive_Ls = symbols("ell_1:4", positive=True)
_qs = symbols("q_1:4", positive=True)
_ws = tuple(q / sum(_qs) for q in _qs)  # any positive weights with sum 1
_b, _r = Symbol("b", real=True), Symbol("r", nonnegative=True)
_L_plus = Symbol("L_plus", nonnegative=True)
_h = symbols("h_1:3", real=True)
_entries = symbols("A_1:7", real=True)
_MATRICES = tuple(((p, q), (q, s)) for p, q, s in (_entries[:3], _entries[3:]))

_MEAN = Sum(delta[k], (k, 0, n - 1)) / n
_BOUND = Sum(L[i] ** 2 / (n * w[i]), (i, 0, n - 1)) / n
_FORMULAS = {
    "mean": _MEAN,
    "mean_square": Sum(delta[i] ** 2 / (n * w[i]), (i, 0, n - 1)) / n,
    "variance": Sum(w[i] * (delta[i] / (n * w[i]) - _MEAN) ** 2, (i, 0, n - 1)),
    "sum_rule": L_pm**2 + L_minus**2,
    "best_weight": L[i] / Sum(L[k], (k, 0, n - 1)),
    "best_value": (Sum(L[i], (i, 0, n - 1)) / n) ** 2,
}


def derivation(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    """Return the steps, built from the stated expressions."""
    return (*_moments(stated), *_order(stated), *_weights(stated), *_equality(stated), *_quadratics(stated))


def _at(formula: Expr, **changed: Any) -> Expr:
    """Write a formula out for three clients."""
    values = {"delta": _deltas, "w": _ws, "L": _Ls, **changed}
    return instance(formula, {n: _SIZE, **{item: values[item.name] for item in (delta, w, L)}})


def _squares(values: Any) -> tuple[Term, ...]:
    """Return the terms $w_i(v_i/(nw_i)-bar v)^2$, whose sum is the weighted variance."""
    mean = sum(values) / Integer(_SIZE)
    return tuple(
        Term(weight, (item / (_SIZE * weight) - mean) ** 2, "square of a real number")
        for item, weight in zip(values, _ws, strict=True)
    )


def _moments(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    mean, mean_square = _at(stated["mean"]), _at(stated["mean_square"])
    return (
        Identity(
            "mean",
            r"One coordinate $\bar\delta$ of $\nabla f(x)-\nabla f(y)$ is the mean of those of the "
            r"$\nabla f_i(x)-\nabla f_i(y)$ (shown for three clients).",
            sum(_deltas) / Integer(_SIZE),
            mean,
        ),
        Identity(
            "variance",
            r"The weighted mean square without the squared mean is a variance, as $\sum_iw_i=1$.",
            mean_square - mean**2,
            _at(stated["variance"]),
        ),
        Certificate(
            "mean-below-mean-square",
            r"$\bar\delta^2\le\sum_i\frac{\delta_i^2}{n^2w_i}$ (Cauchy-Schwarz with weights).",
            mean**2,
            mean_square,
            _squares(_deltas),
        ),
        SUMMATION,
    )


def _order(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    mean, mean_square = _at(stated["mean"]), _at(stated["mean_square"])
    within = Term(
        Integer(1), _L_plus**2 * _r**2 - mean_square, "hypothesis: L_plus bounds the weighted mean square"
    )
    return (
        Certificate(
            "minus-below-plus",
            r"$\|\frac1n\sum\Delta_i\|^2\le L_{+,w}^2\|x-y\|^2$, $r=\|x-y\|$; so $L_-\le L_{+,w}$.",
            mean**2,
            _L_plus**2 * _r**2,
            (*_squares(_deltas), within),
        ),
        Certificate(
            "pm-below-plus",
            r"What is taken off is a square, so $L_{\pm,w}\le L_{+,w}$.",
            _at(stated["variance"]),
            _L_plus**2 * _r**2,
            (Term(Integer(1), (sum(_deltas) / Integer(_SIZE)) ** 2, "square of a real number"), within),
        ),
        Certificate(
            "sum-rule",
            r"The mean square is variance plus squared mean, each with its constant: $L_{+,w}^2\le "
            r"L_{\pm,w}^2+L_-^2$.",
            mean_square,
            stated["sum_rule"] * _r**2,
            (
                Term(
                    Integer(1),
                    L_pm**2 * _r**2 - (mean_square - mean**2),
                    "hypothesis: L_pm bounds the weighted variance",
                ),
                Term(
                    Integer(1), L_minus**2 * _r**2 - mean**2, "hypothesis: L_minus bounds the gradient of f"
                ),
            ),
        ),
        ROOT_MONOTONE,
    )


def _weights(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    best = [instance(stated["best_weight"], {n: _SIZE, i: place, L: _positive_Ls}) for place in range(_SIZE)]
    return (
        Certificate(
            "client-constants",
            r"$\|\Delta_i\|\le L_i\|x-y\|$ in each term gives the stated bound on $L_{+,w}^2$.",
            _at(stated["mean_square"]),
            _at(stated["bound"]) * _r**2,
            tuple(
                Term(
                    1 / (_SIZE**2 * weight),
                    item**2 * _r**2 - change**2,
                    "hypothesis: L_i bounds the gradient of f_i",
                )
                for item, change, weight in zip(_Ls, _deltas, _ws, strict=True)
            ),
        ),
        Identity(
            "client-constants-attained",
            r"It is attained where all $\Delta_i$ have the length $L_i\|x-y\|$ and one direction.",
            _at(stated["mean_square"], delta=_Ls),
            _at(stated["bound"]),
        ),
        Certificate(
            "best-value",
            r"No weights make the bound smaller than the squared mean of the $L_i$.",
            _at(stated["best_value"]),
            _at(stated["bound"]),
            _squares(_Ls),
        ),
        Identity(
            "best-weights",
            r"The stated weights, proportional to $L_i$, reach it.",
            _at(stated["bound"], w=best, L=_positive_Ls),
            _at(stated["best_value"], L=_positive_Ls),
        ),
    )


def _equality(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    equal = (Rational(1, _SIZE),) * _SIZE
    mean = sum(_deltas) / Integer(_SIZE)
    return (
        Identity(
            "no-variance-of-shifts",
            r"Equal weights: if the $f_i$ differ by affine functions, all $\Delta_i$ are equal and the "
            r"variance is 0.",
            _at(stated["variance"], delta=(_b,) * _SIZE, w=equal),
            Integer(0),
        ),
        Certificate(
            "shifts-from-no-variance",
            r"Conversely, $(\delta_i-\bar\delta)^2$ is at most $n$ times the variance; where that is 0 for "
            r"all $x,y$, the gradients of $f_i$ and $f$ differ by a constant.",
            (_deltas[0] - mean) ** 2,
            _SIZE * _at(stated["variance"], w=equal),
            tuple(Term(Integer(1), (item - mean) ** 2, "square of a real number") for item in _deltas[1:]),
        ),
        Identity(
            "no-variance-of-scaled-copies",
            r"Weights $w_i$: the variance is 0 where $\Delta_i=nw_i\,\Delta$, as for clients $f_i=nw_if$.",
            _at(stated["variance"], delta=tuple(_SIZE * weight * _b for weight in _ws)),
            Integer(0),
        ),
    )


def _quadratics(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    """Two quadratics in the plane: the mean square is a quadratic form in $x-y$."""
    weights = (_qs[0] / (_qs[0] + _qs[1]), _qs[1] / (_qs[0] + _qs[1]))
    images = [[sum(a * b for a, b in zip(row, _h, strict=True)) for row in A] for A in _MATRICES]
    form = [
        [
            sum(
                sum(A[row][inner] * A[inner][column] for inner in range(2)) / (4 * weight)
                for A, weight in zip(_MATRICES, weights, strict=True)
            )
            for column in range(2)
        ]
        for row in range(2)
    ]
    return (
        Identity(
            "quadratics",
            r"For $\nabla f_i=A_ix-b_i$ and $h=x-y$ the mean square is $h^\top\big(\sum_i"
            r"\frac{A_i^2}{n^2w_i}\big)h$ (shown for two clients in the plane), so by `rayleigh` "
            r"$L_{+,w}^2$ is the largest eigenvalue; likewise $\bar A^2$ and $L_-$, and the difference of "
            r"both and $L_{\pm,w}$.",
            quadratic_form(form, _h),
            sum(
                instance(stated["mean_square"], {n: 2, delta: (images[0][row], images[1][row]), w: weights})
                for row in range(2)
            ),
        ),
        RAYLEIGH,
    )


_MUTANTS = (
    Mutant(
        "weights-not-inverted",
        r"Weigh the squares with $w_i$ instead of $\frac1{nw_i}$.",
        ("exact", "adversarial"),
    ),
    Mutant(
        "no-hessian-variance",
        r"Drop $L_{\pm,w}^2$: claim $L_{+,w}\le L_-$.",
        ("exact", "adversarial"),
    ),
    Mutant(
        "best-value-for-equal-weights",
        r"Claim $L_+\le\frac1n\sum_iL_i$ for equal weights.",
        ("exact", "adversarial"),
    ),
    Mutant("inverse-weights", r"Take $w_i\propto1/L_i$ for the best weights.", ("exact",)),
    Mutant(
        "permuted-clients",
        "Number the clients with their weights in reverse order.",
        ("exact",),
        neutral=True,
    ),
    Mutant("half-regulariser", "Half of the regulariser in the functions of the clients.", ("exact",)),
    Mutant("padding-counts", "Rows of zeros that fill up a client count in its mean.", ("exact",)),
    Mutant("swapped-functions", "The clients in the reverse order, their gradients not.", ("exact",)),
)

CLAIM = Claim(
    id="cq_marina/hv-relations",
    paper=PAPER,
    kind="upper",
    provenance="rederived",
    title="Relations of the smoothness constants, and the weighted Hessian variance",
    statement=(
        r"With $\Delta_i=\nabla f_i(x)-\nabla f_i(y)$ let $L_-$, $L_{+,w}$, $L_{\pm,w}$ be the smallest "
        r"constants with $\|\frac1n\sum_i\Delta_i\|\le L_-\|x-y\|$, "
        r"$\frac1n\sum_i\frac{\|\Delta_i\|^2}{nw_i}\le L_{+,w}^2\|x-y\|^2$ and "
        r"$\frac1n\sum_i\frac{\|\Delta_i\|^2}{nw_i}-\|\frac1n\sum_i\Delta_i\|^2\le L_{\pm,w}^2\|x-y\|^2$ for "
        r"all $x,y$. Then $$L_-\le L_{+,w},\quad L_{\pm,w}\le L_{+,w},\quad L_{+,w}^2\le L_{\pm,w}^2+L_-^2,"
        r"\quad L_{+,w}^2\le\frac1n\sum_i\frac{L_i^2}{nw_i},$$ the last bound being smallest for "
        r"$w_i\propto L_i$, with the value $(\frac1n\sum_iL_i)^2$. For equal weights $L_\pm=0$ iff the $f_i$ "
        r"differ by affine functions. For quadratics with Hessians $A_i$: $L_-=\|\bar A\|$, "
        r"$L_{+,w}^2=\lambda_{\max}\big(\sum_i\frac{A_i^2}{n^2w_i}\big)$, "
        r"$L_{\pm,w}^2=\lambda_{\max}\big(\sum_i\frac{A_i^2}{n^2w_i}-\bar A^2\big)$."
    ),
    variables=(
        CLIENTS,
        WEIGHTS,
        Variable(delta, r"\mathbb R^n", r"one coordinate $\delta_i$ of each $\Delta_i$", "(n,)"),
        Variable(L, r"\mathbb R^n_{\ge0}", r"$L_i$: Lipschitz constant of $\nabla f_i$", "(n,)"),
        SMOOTHNESS,
        HESSIAN_VARIANCE,
    ),
    assumptions=(
        r"Weights $w_i>0$ with $\sum_iw_i=1$; equal ones, $w_i=\frac1n$, where none are named.",
        r"The $f_i$ are differentiable and $L_i$-smooth, convex or not.",
    ),
    derivation=lambda: derivation(expressions(_BOUND, None, _FORMULAS)),
    worst_cases=(
        WorstCase(
            r"two multiples of one quadratic, $w_i\propto L_i$: attained, and without variance",
            {"L": (1, 3), "w": (Rational(1, 4), Rational(3, 4)), "n": 2},
            Integer(4),
        ),
        WorstCase(
            "the same with equal weights",
            {"L": (1, 3), "w": (Rational(1, 2), Rational(1, 2)), "n": 2},
            Integer(5),
        ),
    ),
    mutants=_MUTANTS,
    bound=_BOUND,
    formulas=_FORMULAS,
)
