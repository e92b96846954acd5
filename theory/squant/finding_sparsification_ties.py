r"""`squant/finding-sparsification-ties`: quantization has no better constant than sparsification, only
cheaper nonzeros (arXiv 2106.03524; derived here).

At equal expected nonzeros $\tau=\beta$ both have the constant $d/\beta-1$ for $\mathbf L=I$. For any
$\mathbf L$ no steps of budget $\beta$ have a constant below the $c$ of the best sparsifier.

Derivation: $\varphi(u)\ge u-u^2$, so at the input $x_j\propto p_j/\sqrt{L_j}$ the variance is at least
$\sum_jL_j(h_jx_j-x_j^2)$; with the optimal $p_j=L_j/(L_j+c)$ Hölder's inequality for
$p_j=(\sqrt{L_j}p_jh_j)^{1/2}(p_j^2/L_j)^{1/4}(h_j^{-2})^{1/4}$ makes this at least $c$. A nonzero of level 1
costs two bits beside its position.
"""

from collections.abc import Mapping
from typing import Any

from sympy import Expr, Integer, Rational, Symbol, sqrt, symbols

from theory.instance import instance
from theory.old_form import Claim, Mutant, Variable, WorstCase, expressions
from theory.old_steps import Certificate, Identity, Step, Term
from theory.squant.bits.bits import gamma_length
from theory.squant.nnz import CLAIM as NNZ
from theory.squant.paper import PAPER
from theory.squant.sparse import OLD as SPARSE
from theory.squant.sparse import L_j, c, p_j
from theory.squant.steps import OLD as STEPS
from theory.squant.sup import OLD as SUP
from theory.squant.symbols import (
    BUDGET,
    DIAGONAL,
    DIMENSION,
    MATRIX,
    QUANTIZER,
    L,
    N,
    beta,
    d,
    h,
    j,
    tau,
    total,
    x,
)
from theory.summation import SUMMATION

v = Symbol("v", positive=True)

_BOUND = total(L[j]) / beta
_FORMULAS = {
    "sparse_constant": d / tau - 1,
    "quantizer_constant": d / beta - 1,
    "step": sqrt(d) / beta,
    "input": p_j / sqrt(L_j),
    "saving": (v - 2) * beta - v,
}

_SIZE = 3
_Ls = symbols("L_1:4", positive=True)
_ss, _hs = symbols("s_1:4", positive=True), symbols("h_1:4", positive=True)
_m, _p = symbols("m p", nonnegative=True)
_ps = symbols("p_1:4", positive=True)
_r, _c = symbols("r c", positive=True)
_SHOWN = f"(shown for {_SIZE} coordinates; in every dimension by `summation`)"
_SQUARE = "square of a real number"
_NORM = "hypothesis: r is the norm of the input"
_BUDGET = "hypothesis: the steps have the budget beta"


def derivation(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    """Return the steps, built from the stated expressions."""
    return (*_tie(stated), *_lower(stated), *_upper(stated), *_price(stated), SUMMATION)


def _tie(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    (step,) = (item for item in SUP.formulas["uniform"].free_symbols if item != d)
    uniform = instance(stated["step"], {d: _SIZE})
    return (
        Identity(
            "sparsifier",
            r"For $\mathbf L=I$ the best probabilities are $\tau/d$, with the stated constant "
            "(`squant/sparse`).",
            instance(
                SPARSE.formulas["coordinate"], {L_j: Integer(1), p_j: SPARSE.formulas["uniform_probability"]}
            ),
            stated["sparse_constant"],
        ),
        Identity(
            "budget",
            r"The stated uniform step has the budget $\beta$.",
            d / stated["step"] ** 2,
            beta**2,
        ),
        Identity(
            "quantizer",
            r"Its exact constant for $\mathbf L=I$ (`squant/sup`, coarse regime $h\sqrt d\ge2$) is the "
            "stated one.",
            SUP.formulas["uniform"].xreplace({step: stated["step"]}),
            stated["quantizer_constant"],
        ),
        Identity(
            "tie",
            r"At $\tau=\beta$ both constants agree.",
            stated["sparse_constant"].xreplace({tau: beta}),
            stated["quantizer_constant"],
        ),
        Identity(
            "nonzeros",
            rf"At $x=\mathbf 1$ the levels add up to $\beta$, the expected number of nonzeros while none "
            rf"exceeds 1 (`squant/nnz`) {_SHOWN}.",
            instance(
                NNZ.formulas["levels"],
                {
                    x: (Integer(1),) * _SIZE,
                    h: (uniform,) * _SIZE,
                    N: (sqrt(_SIZE),) * _SIZE,
                    d: _SIZE,
                },
            ),
            beta,
        ),
    )


def _lower(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    weights = tuple(item**2 for item in _ss)
    optimal = tuple(
        instance(SPARSE.formulas["probability"], {L: weights, c: _c, j: place}) for place in range(_SIZE)
    )

    def inputs(p: tuple[Expr, ...]) -> tuple[Expr, ...]:
        return tuple(
            instance(stated["input"], {p_j: item, L_j: weight})
            for item, weight in zip(p, weights, strict=True)
        )

    def holder(p: tuple[Expr, ...]) -> tuple[Expr, Expr]:
        """Return both sides of `no-steps-below-c-sum` at these probabilities."""
        products = (s * item * step for s, item, step in zip(_ss, p, _hs, strict=True))
        return sum(p), _r * sum(products) / 2 + beta / 2

    smaller, larger = holder(_ps)
    optimal_smaller, optimal_larger = holder(optimal)
    return (
        Certificate(
            "parabola",
            r"$u-u^2\le\varphi(u)$: for $u=k+p$ with $k=1+m\ge1$ the difference is $k(k-1)+2kp$; for $k=0$ "
            "both agree.",
            (1 + _m + _p) * (1 - (1 + _m + _p)),
            _p * (1 - _p),
            (
                Term(1 + _m, _m, "nonnegative"),
                Term(2 * (1 + _m), _p, "nonnegative"),
            ),
        ),
        Certificate(
            "no-steps-below-c-sum",
            r"$\sum_jp_j\le\frac r2\sum_j\sqrt{L_j}p_jh_j+\frac\beta2$ for all steps of budget $\beta$, "
            r"where $r$ is the norm of the stated input: Hölder's inequality, coordinate by coordinate, "
            rf"$s_j=\sqrt{{L_j}}$ {_SHOWN}.",
            smaller,
            larger,
            (
                *(
                    Term(item / (2 * _r * s * step), (_r * s * step - 1) ** 2, _SQUARE)
                    for item, s, step in zip(_ps, _ss, _hs, strict=True)
                ),
                *(
                    Term(1 / (4 * beta * _r**2), (beta * item - _r / step) ** 2, _SQUARE)
                    for item, step in zip(inputs(_ps), _hs, strict=True)
                ),
                Term(beta / (4 * _r**2), _r**2 - sum(item**2 for item in inputs(_ps)), _NORM),
                Term(1 / (4 * beta), beta**2 - sum(1 / step**2 for step in _hs), _BUDGET),
            ),
        ),
        Certificate(
            "no-steps-below-c",
            r"At the stated input for $p_j=L_j/(L_j+c)$, divided by its norm, $\sum_jL_j(h_jx_j-x_j^2)\ge c$ "
            rf"for all steps of budget $\beta$ {_SHOWN}; by `parabola` this is a lower bound of the "
            "variance.",
            _c,
            sum(
                weight * (step * item / _r - (item / _r) ** 2)
                for weight, step, item in zip(weights, _hs, inputs(optimal), strict=True)
            ),
            (
                Term(2 / _r**2, optimal_larger - optimal_smaller, "no-steps-below-c-sum"),
                Term(1 / _r**2, optimal_smaller - beta, "hypothesis: c is the root of this expression"),
                Term(_c / _r**2, sum(item**2 for item in inputs(optimal)) - _r**2, _NORM),
            ),
        ),
    )


def _upper(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    values: dict[Any, Any] = {L: _Ls, d: _SIZE}
    return (
        Identity(
            "reached",
            rf"The stated bound is that of the steps of `squant/steps` {_SHOWN}: the best steps lie between "
            r"$c$ and it.",
            instance(stated["bound"], values),
            instance(STEPS.formulas["value"], values),
        ),
    )


def _price(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    # The chance of a nonzero is beta/d in every coordinate for both, so positions cost the same.
    level = 1 + gamma_length(Integer(1))
    return (
        Identity(
            "price-of-a-nonzero",
            r"At $x=\mathbf 1$, $\mathbf L=I$: each of the $\beta$ expected nonzeros costs $v$ bits or a "
            r"sign and the code of level 1, the positions cost the same, and a quantized message has one "
            r"norm: the expected saving is the stated one.",
            beta * v - (beta * level + v),
            stated["saving"],
        ),
    )


_MUTANTS = (
    Mutant(
        "better-constant",
        r"Claim $d/\beta-2$ for quantization at $\mathbf L=I$: less than sparsification.",
        ("exact",),
    ),
    Mutant(
        "steps-beat-sparsification",
        r"Claim that the best known steps reach $\frac{99}{100}c$.",
        ("exact",),
    ),
    Mutant(
        "trace-is-needed",
        r"Claim that no steps have a constant below $\mathrm{tr}\,\mathbf L/\beta$.",
        ("adversarial",),
    ),
    Mutant("level-costs-a-float", r"Claim that a level costs as much as a float: no saving.", ("exact",)),
    Mutant("free-norm", "Forget the norm that a quantized message carries.", ("exact",)),
    Mutant(
        "permuted-coordinates",
        "Permute the weights: steps and probabilities follow, constants stay.",
        ("exact",),
        neutral=True,
    ),
)

CLAIM = Claim(
    id="squant/finding-sparsification-ties",
    paper=PAPER,
    kind="finding",
    provenance="derived",
    title="Quantization and sparsification tie at equal expected nonzeros",
    statement=(
        r"Reading the advantage of quantization over sparsification as a smaller constant, hence fewer "
        r"rounds, fails at equal expected nonzeros $\tau=\beta$. For $\mathbf L=I$ and $d\ge2\beta$ the best "
        r"sparsifier and standard quantization with $h=\sqrt d/\beta$ have the same exact constant "
        r"$\frac d\tau-1=\frac d\beta-1$, taken by both at $x=\mathbf 1$ with $\beta$ expected nonzeros. For "
        r"all $\mathbf L$ with $L_j>0$ and all steps of budget $\beta<d$, $$\mathcal L(Q_h,\mathbf L)\ge "
        r"c,\qquad\sum_j\frac{L_j}{L_j+c}=\beta,$$ the constant of the best sparsifier (`squant/sparse`); "
        r"the best steps lie between $c$ and $\mathrm{tr}\,\mathbf L/\beta$. What holds instead: a nonzero "
        r"is cheaper. At $x=\mathbf 1$ the quantized message is shorter by $(v-2)\beta-v$ expected bits, if "
        r"a float has $v$ bits: sign and level cost 2 bits beside the position, where sparsification sends "
        r"$v$; the norm costs $v$ once."
    ),
    variables=(
        DIAGONAL,
        DIMENSION,
        BUDGET,
        Variable(tau, r"(0,d)", "expected number of entries sent by the sparsifier"),
        Variable(p_j, r"(0,1]", r"$L_j/(L_j+c)$, the optimal probability of one coordinate"),
        Variable(L_j, r"\mathbb R_{>0}", "diagonal entry of that coordinate"),
        Variable(v, r"\mathbb R_{>0}", "bits of one float (entry or norm)"),
    ),
    assumptions=(
        QUANTIZER,
        MATRIX,
        r"All $L_j>0$; $\beta<d$; for the tie $d\ge2\beta$.",
        r"Messages in the sparse Elias gamma code of `squant/bits`; sparsifiers send entries as floats.",
    ),
    derivation=lambda: derivation(expressions(_BOUND, None, _FORMULAS)),
    worst_cases=(
        WorstCase(
            r"$\mathbf L=I$: both constants are 3, both have 4 expected nonzeros at $x=\mathbf 1$",
            {"L": (1,) * 16, "d": 16, "beta": 4, "tau": 4},
            Integer(4),
        ),
        WorstCase(
            r"two weights: $c=2$, the best known steps have 2.24502833757803",
            {"L": (4, 1), "d": 2, "beta": 1, "tau": 1},
            Integer(5),
        ),
        WorstCase(
            r"four weights: $c=2.40798300174644$, the best known steps have 3.06542532488892",
            {"L": (9, 4, 1, 1), "d": 4, "beta": 2, "tau": 2},
            Rational(15, 2),
        ),
    ),
    mutants=_MUTANTS,
    bound=_BOUND,
    formulas=_FORMULAS,
)
