r"""`squant/finding-blocks-add-nothing`: a single aware step may do (arXiv 2106.03524; derived here).

If $\nu_{\rm tr}=\max_i\mathrm{tr}\,\mathbf L_i/L_{\max}=O(1)$ and $d\ge n^2$, the aware method with one step
for all coordinates is at $K=O(L/\mu)$ at the budget $\beta=d/n$ with one norm: blocks add nothing.

Derivation: $\sum_jL_j^2\le L_{\max}\sum_jL_j$ gives $c_{\rm plus}\le\sqrt{d\nu_{\rm tr}}\,L_{\max}$, so the
noise term of $K$ is at most $2\sqrt{\nu_{\rm tr}/d}\,n\rho$ times $L/\mu$. No method is below $L/\mu$.
"""

from collections.abc import Mapping

from sympy import Expr, Integer, Symbol, sqrt, symbols

from theory.eigenvalue_order import RAYLEIGH, ROOT_MONOTONE
from theory.instance import instance
from theory.old_form import Claim, Mutant, Variable, WorstCase, expressions
from theory.old_steps import Certificate, Identity, Step, Term
from theory.squant.gain_block_derivation import condition
from theory.squant.heterogeneity import (
    CONVEXITY,
    LARGEST,
    NODES,
    RATIO,
    SMOOTHNESS,
    TRACE_NODES,
    largest,
    mu,
    nu_tr,
    rho,
    smoothness,
)
from theory.squant.nu import OLD as NU
from theory.squant.paper import PAPER
from theory.squant.steps import OLD as STEPS
from theory.squant.symbols import DIMENSION, QUANTIZER, L, d, n
from theory.summation import SUMMATION

_SIZE = 3
_Ls = symbols("L_1:4", positive=True)
_block, _other = symbols("Q P", nonnegative=True)
_delta = 1 / (n * d)
_others = Symbol("n_1", integer=True, nonnegative=True)

_BOUND = 1 + 2 * sqrt(nu_tr) * rho
_FORMULAS = {
    "c_plus_bound": sqrt(d * nu_tr) * largest,
    "K_plus_bound": (1 + 2 * sqrt(nu_tr / d) * n * rho) * smoothness / mu,
    "K_least": smoothness / mu,
    "W_nu_tr": 1 + (d - 1) / (n * d),
    "W_rho": n * d / (n * d + n - 1),
    "W_limit": 1 + 2 * sqrt(2),
}


def derivation(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    """Return the steps, built from the stated expressions."""
    return (*_constant(stated), *_condition_number(stated), *_family(stated), SUMMATION)


def _constant(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    plus = instance(STEPS.formulas["c_plus"], {L: _Ls, d: _SIZE})
    return (
        RAYLEIGH,
        Certificate(
            "trace",
            r"$c_{\rm plus}^2=d\sum_jL_j^2\le d\,L_{\max}\mathrm{tr}\,\mathbf L\le d\,\nu_{\rm "
            r"tr}L_{\max}^2$, the "
            rf"square of the stated bound (shown for {_SIZE} coordinates; in every dimension by "
            rf"`summation`).",
            plus**2,
            instance(stated["c_plus_bound"], {d: _SIZE}) ** 2,
            (
                *(Term(_SIZE * item, largest - item, "rayleigh") for item in _Ls),
                Term(
                    _SIZE * largest,
                    nu_tr * largest - sum(_Ls),
                    "hypothesis: nu_tr is the largest trace over L_max",
                ),
            ),
        ),
        ROOT_MONOTONE,
    )


def _condition_number(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    values = {rho: NU.formulas["rho"]}
    most = stated["bound"] * stated["K_least"]
    return (
        Certificate(
            "plus",
            r"At $\beta=d/n$ a constant $P=c_{\rm plus}/\beta$ of at most the stated one over $\beta$ gives "
            r"at most the stated $K$, $\rho=L_{\max}/(nL)$.",
            condition(_other),
            stated["K_plus_bound"].xreplace(values),
            (Term(2 / (n * mu), stated["c_plus_bound"] * n / d - _other, "trace, root-monotone"),),
        ),
        Certificate(
            "high-dimension",
            r"For $d\ge n^2$ it is at most $1+2\sqrt{\nu_{\rm tr}}\,\rho$ times $L/\mu$.",
            stated["K_plus_bound"],
            most,
            (
                Term(
                    2 * rho * sqrt(nu_tr) * smoothness / (mu * sqrt(d) * (sqrt(d) + n)),
                    d - n**2,
                    "hypothesis: d is at least the square of n",
                ),
            ),
        ),
        Certificate(
            "least",
            r"No method has a $K$ below the stated least one, whatever its constant.",
            stated["K_least"],
            condition(_block),
            (Term(2 / (n * mu), _block, "a variance constant"),),
        ),
        Certificate(
            "blocks",
            r"So $K_{\rm plus}$ is at most the stated multiple of $K_{\rm block}$.",
            condition(_other),
            stated["bound"] * condition(_block),
            (
                Term(Integer(1), most - condition(_other), "plus, high-dimension"),
                Term(stated["bound"], condition(_block) - stated["K_least"], "least"),
            ),
        ),
    )


def _family(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    delta = _delta.xreplace({d: Integer(_SIZE)})
    return (
        Identity(
            "family-trace",
            r"In W, $\mathbf L_1=\mathrm{Diag}(1,\delta,\dots)$ with $\delta=1/(nd)$ has the largest trace, "
            r"the "
            rf"stated $\nu_{{\rm tr}}$ (shown for $d={_SIZE}$).",
            instance(STEPS.formulas["c_vary"], {L: (Integer(1), delta, delta), d: _SIZE}),
            stated["W_nu_tr"].xreplace({d: Integer(_SIZE)}),
        ),
        Identity(
            "family-dominance",
            r"The mean of its matrices has the largest eigenvalue $L=(1+(n-1)\delta)/n$: the stated $\rho$.",
            NU.formulas["rho"].xreplace({largest: Integer(1), smoothness: (1 + (n - 1) * _delta) / n}),
            stated["W_rho"],
        ),
        Certificate(
            "family-trace-bounded",
            r"Its $\nu_{\rm tr}$ is at most 2.",
            stated["W_nu_tr"],
            Integer(2),
            (Term(1 / n, n - 1, "there is a node"), Term(_delta, Integer(1), "one")),
        ),
        Certificate(
            "family-dominance-bounded",
            r"Its $\rho$ is at most 1 (here $n=1+n_1$).",
            stated["W_rho"].xreplace({n: _others + 1}),
            Integer(1),
            (Term(1 / ((_others + 1) * d + _others), _others, "number of the other nodes"),),
        ),
        Certificate(
            "family-limit",
            r"With $\nu_{\rm tr}\le2$ and $\rho\le1$ the multiple is at most the stated limit, whatever $n$.",
            stated["bound"],
            stated["W_limit"],
            (
                Term(2 * rho / (sqrt(2) + sqrt(nu_tr)), 2 - nu_tr, "family-trace-bounded"),
                Term(2 * sqrt(2), 1 - rho, "family-dominance-bounded"),
            ),
        ),
    )


_MUTANTS = (
    Mutant(
        "blocks-still-gain",
        r"Claim that the gain of the blocks over the aware single step grows like $\sqrt n$ here too.",
        ("exact",),
    ),
    Mutant(
        "many-heavy-coordinates",
        r"Drop $\nu_{\rm tr}=O(1)$: in V a whole block is heavy and the gain grows like $\sqrt n$.",
        ("exact",),
    ),
    Mutant("low-dimension", r"Drop $d\ge n^2$: with $d=8n$ the single step falls behind.", ("exact",)),
    Mutant(
        "permuted-nodes", "Take the nodes in another order: nothing may change.", ("exact",), neutral=True
    ),
)

CLAIM = Claim(
    id="squant/finding-blocks-add-nothing",
    paper=PAPER,
    kind="finding",
    provenance="derived",
    title="With few heavy coordinates blocks gain a constant factor at most over the aware single step",
    statement=(
        r"A gain of the blocks over every single-block method does not follow from one dominant node with "
        r"few heavy coordinates. With $\nu_{\rm tr}=\max_i\mathrm{tr}\,\mathbf L_i/L_{\max}$ and $d\ge n^2$ "
        r"the smoothness-aware single step at the budget $\beta=d/n$ satisfies $$c_{\rm "
        r"plus}\le\sqrt{d\,\nu_{\rm tr}}\,L_{\max},\qquad K_{\rm plus}\le(1+2\sqrt{\nu_{\rm "
        r"tr}}\,\rho)\frac L\mu\le(1+2\sqrt{\nu_{\rm tr}}\,\rho)K_{\rm block}.$$ So for $\nu_{\rm tr}=O(1)$ "
        r"it is at $K=O(L/\mu)$ with a single norm, and blocks gain a constant factor at most. In the "
        r"family W, $\mathbf "
        r"L_1=\mathrm{Diag}(1,\delta,\dots,\delta)$, $\mathbf L_i=\delta I$, $\delta=1/(nd)$, $d=8n^2$, the "
        r"quotient $K_{\rm plus}/K_{\rm block}$ stays below $1+2\sqrt2$ while $K_{\rm std}/K_{\rm plus}$ "
        r"grows like $n$."
    ),
    variables=(
        Variable(n, r"\mathbb N", "number of nodes, and of blocks"),
        DIMENSION,
        RATIO,
        TRACE_NODES,
        LARGEST,
        SMOOTHNESS,
        CONVEXITY,
    ),
    assumptions=(
        QUANTIZER,
        NODES,
        r"$d\ge n^2$ and $\beta=d/n$; $K=(L+2\mathcal L_{\max}/n)/\mu$ of `squant/dcgd`.",
    ),
    derivation=lambda: derivation(expressions(_BOUND, None, _FORMULAS)),
    worst_cases=(
        WorstCase(
            r"counterexample to a growing gain of the blocks: W with 256 nodes, $d=8n^2$",
            {"family": "W", "n": 256, "d": 8 * 256**2},
        ),
    ),
    mutants=_MUTANTS,
    bound=_BOUND,
    formulas=_FORMULAS,
)
