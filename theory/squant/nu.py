r"""`squant/nu`: the range of the constants of heterogeneity (arXiv 2106.03524; $\rho$, $\nu_B$ derived here).

With $\nu=\sum_iL_i/L_{\max}$ and $\rho=L_{\max}/(nL)$: $L_{\max}/n\le L\le\nu L_{\max}/n$, so
$\rho\in[1/\nu,1]\subset[1/n,1]$. At $B$ equal blocks $\nu_B$ is at most $B$, at most the sum of the largest
entries of the blocks over $L_{\max}$, and at most $\sqrt{B/d}\,\nu_{\rm tr}$.

Derivation: a unit eigenvector of the largest $L_i$ gives the lower bound on $L$, one of the mean the upper
one. The norm of a diagonal block is at most $\sqrt{d/B}$ times its largest entry, and at most its trace.
"""

from collections.abc import Mapping

from sympy import Expr, IndexedBase, Integer, Rational, Sum, Symbol, sqrt, symbols

from theory.eigenvalue_order import RAYLEIGH, ROOT_MONOTONE
from theory.instance import instance
from theory.old_form import Claim, Mutant, Variable, WorstCase, expressions
from theory.old_steps import Certificate, Identity, Step, Term
from theory.squant.heterogeneity import (
    BLOCK_NODES,
    EQUAL_BLOCKS,
    LARGEST,
    NODES,
    RATIO,
    SMOOTHNESS,
    TRACE_NODES,
    Lambda,
    largest,
    nu,
    nu_tr,
    smoothness,
)
from theory.squant.paper import PAPER
from theory.squant.symbols import DIMENSION, B, d, i, l, n
from theory.summation import SUMMATION

F = IndexedBase("F", nonnegative=True)
M = IndexedBase("M", nonnegative=True)

_SIZE = 3
_ls = symbols("lambda_1:4", positive=True)
_qs = symbols("q_1:4", nonnegative=True)
_Fs = symbols("F_1:4", nonnegative=True)
_Ms = symbols("M_1:4", nonnegative=True)
_Ts = symbols("T_1:4", nonnegative=True)
_Ds = symbols("D_1:4", nonnegative=True)
_r = Symbol("r", positive=True)
_Ml = Symbol("M_l", nonnegative=True)
_NODES: dict[object, object] = {Lambda: _ls, n: _SIZE, largest: largest}
# Dimension and number of blocks as squares, so that their roots are symbols.
_BLOCKS: dict[object, object] = {F: _Fs, M: _Ms, B: _SIZE, d: _SIZE * _r**2, largest: largest}

_BOUND = nu * largest / n
_FORMULAS = {
    "nu": Sum(Lambda[i], (i, 0, n - 1)) / largest,
    "rho": largest / (n * smoothness),
    "L_lower": largest / n,
    "L_upper": nu * largest / n,
    "rho_lower": 1 / nu,
    "nu_B_node": sqrt(B / d) * Sum(F[l], (l, 0, B - 1)) / largest,
    "nu_B_maxima": Sum(M[l], (l, 0, B - 1)) / largest,
    "nu_B_trace": sqrt(B / d) * nu_tr,
}


def derivation(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    """Return the steps, built from the stated expressions."""
    return (*_smoothness(stated), *_ratio(stated), *_blocks(stated), SUMMATION)


def _smoothness(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    count = Symbol("n", integer=True, positive=True)
    total = instance(stated["nu"], _NODES)
    return (
        RAYLEIGH,
        Certificate(
            "lower",
            r"With a unit eigenvector of the matrix of $L_{\max}$, all other nodes adding some $q\ge0$: "
            r"$L_{\max}/n\le L$.",
            stated["L_lower"],
            smoothness,
            (
                Term(Integer(1), smoothness - (largest + _qs[0]) / count, "rayleigh"),
                Term(1 / count, _qs[0], "the other matrices are positive semidefinite"),
            ),
        ),
        *(
            Certificate(
                name,
                r"With a unit eigenvector of the mean, $nL=\sum_iq_i$ and $q_i\le L_i$: $L\le\nu L_{\max}/n$ "
                rf"(shown for {_SIZE} nodes; for every number of them by `summation`).",
                smoothness,
                instance(stated[key], {**_NODES, nu: total}),
                (
                    *(Term(Rational(1, _SIZE), a - q, "rayleigh") for a, q in zip(_ls, _qs, strict=True)),
                    Term(
                        Integer(1),
                        sum(_qs) / _SIZE - smoothness,
                        "hypothesis: the eigenvector is one of the mean, of eigenvalue L",
                    ),
                ),
            )
            for name, key in (("upper", "L_upper"), ("bound", "bound"))
        ),
        Certificate(
            "nu-at-most-n",
            rf"$\nu\le n$ (shown for {_SIZE} nodes; for every number of them by `summation`).",
            total,
            Integer(_SIZE),
            tuple(Term(1 / largest, largest - item, "hypothesis: L_max is the largest L_i") for item in _ls),
        ),
        Certificate(
            "nu-at-least-one",
            rf"$\nu\ge1$: one of the $L_i$ is $L_{{\max}}$ (the first, shown for {_SIZE} nodes).",
            Integer(1),
            total.xreplace({_ls[0]: largest}),
            tuple(Term(1 / largest, item, "an eigenvalue of a semidefinite matrix") for item in _ls[1:]),
        ),
    )


def _ratio(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    return (
        Certificate(
            "rho-at-most-one",
            r"$\rho\le1$.",
            stated["rho"],
            Integer(1),
            (Term(1 / smoothness, smoothness - stated["L_lower"], "lower"),),
        ),
        Certificate(
            "rho-at-least",
            r"$1/\nu\le\rho$.",
            stated["rho_lower"],
            stated["rho"],
            (Term(1 / (nu * smoothness), stated["L_upper"] - smoothness, "upper"),),
        ),
        Certificate(
            "rho-at-least-one-nth",
            r"$1/n\le1/\nu$.",
            1 / n,
            stated["rho_lower"],
            (Term(1 / (n * nu), n - nu, "nu-at-most-n"),),
        ),
    )


def _blocks(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    node = instance(stated["nu_B_node"], _BLOCKS)
    maxima = instance(stated["nu_B_maxima"], _BLOCKS)
    trace = instance(stated["nu_B_trace"], {**_BLOCKS, nu_tr: sum(_Ts) / largest})
    return (
        Identity(
            "block-constant",
            r"The stated $\nu_B$ of a node is $\frac1{L_{\max}}\frac Bd\sum_l\sqrt{d/B}\,F_l$, "
            r"$F_l=\|D_{ll}\|_F$ "
            rf"(shown for {_SIZE} blocks of length $r^2$).",
            node,
            Rational(1, 1) / _r**2 * sum(_r * item for item in _Fs) / largest,
        ),
        Certificate(
            "block-square",
            rf"$F_l^2=\sum_jD_j^2\le d_lM_l^2$ with the largest entry $M_l$ (shown for {_SIZE} coordinates; "
            rf"in "
            r"every dimension by `summation`).",
            sum(item**2 for item in _Ds),
            _SIZE * _Ml**2,
            tuple(
                Term(_Ml + item, _Ml - item, "hypothesis: M_l is the largest entry of the block")
                for item in _Ds
            ),
        ),
        ROOT_MONOTONE,
        Certificate(
            "below-maxima",
            rf"$\nu_B\le\sum_lM_l/L_{{\max}}$ (shown for {_SIZE} blocks of length $r^2$).",
            node,
            maxima,
            tuple(
                Term(1 / (_r * largest), _r * top - item, "block-square, root-monotone")
                for top, item in zip(_Ms, _Fs, strict=True)
            ),
        ),
        Certificate(
            "maxima-below-blocks",
            rf"$\sum_lM_l/L_{{\max}}\le B$, so $\nu_B\le B$ (shown for {_SIZE} blocks).",
            maxima,
            Integer(_SIZE),
            tuple(Term(1 / largest, largest - top, "rayleigh") for top in _Ms),
        ),
        Certificate(
            "norm-below-trace",
            rf"$F_l^2=\sum_jD_j^2\le(\sum_jD_j)^2$ for $D_j\ge0$ (shown for {_SIZE} coordinates; in every "
            r"dimension by `summation` over the pairs).",
            sum(item**2 for item in _Ds),
            sum(_Ds) ** 2,
            tuple(
                Term(Integer(2), _Ds[a] * _Ds[b], "entries of a semidefinite diagonal")
                for a in range(_SIZE)
                for b in range(a)
            ),
        ),
        Certificate(
            "below-trace",
            rf"$\nu_B\le\sqrt{{B/d}}\,\nu_{{\rm tr}}$ with the traces $T_l$ of the blocks (shown for "
            rf"{_SIZE} blocks "
            r"of length $r^2$).",
            node,
            trace,
            tuple(
                Term(1 / (_r * largest), trace_l - item, "norm-below-trace, root-monotone")
                for trace_l, item in zip(_Ts, _Fs, strict=True)
            ),
        ),
    )


_MUTANTS = (
    Mutant(
        "rho-nu-over-n",
        r"Claim $\rho\ge\nu/n$: homogeneous nodes have $\rho=1/n$ and $\nu=n$.",
        ("exact",),
    ),
    Mutant(
        "largest-for-mean",
        r"Use $\max_iL_i$ for $L$: one heavy node among many has $L\approx L_{\max}/n$.",
        ("exact",),
    ),
    Mutant("no-block-length", r"Leave out $\sqrt{B/d}$ in front of the sum of block norms.", ("exact",)),
    Mutant(
        "permuted-nodes", "Take the nodes in another order: nothing may change.", ("exact",), neutral=True
    ),
)

OLD = Claim(
    id="squant/nu",
    paper=PAPER,
    kind="upper",
    provenance="derived",
    title="Range of the constants of heterogeneity",
    statement=(
        r"Let $L_i=\lambda_{\max}(\mathbf L_i)$, $L_{\max}=\max_iL_i$, "
        r"$L=\lambda_{\max}(\frac1n\sum_i\mathbf L_i)$, $\nu=\sum_iL_i/L_{\max}$ and $\rho=L_{\max}/(nL)$. "
        r"Then $$\frac{L_{\max}}n\le "
        r"L\le\nu\frac{L_{\max}}n,\qquad\rho\in\Big[\frac1\nu,1\Big]\subset\Big[\frac1n,1\Big].$$ With $B$ "
        r"equal blocks, $\nu_B=\frac1{L_{\max}}\max_i\frac Bd\sum_l\sqrt{d/B}\,\|D_{i,ll}\|_F$ and "
        r"$\nu_{\rm tr}=\max_i\mathrm{tr}\,\mathbf L_i/L_{\max}$, $$\nu_B\le\min\Big\{B,\ "
        r"\max_i\sum_l\frac{\max_{j\in\mathcal B_l}\mathbf L_{i;jj}}{L_{\max}},\ \sqrt{B/d}\,\nu_{\rm "
        r"tr}\Big\}.$$ $\nu=O(1)$ implies $\rho=\Theta(1)$ but is not needed for it: with $\mathbf L_i$ "
        r"equal to 1 on block $i$ of $n$ and $n^{-2}$ elsewhere $\nu=n$ and $\rho\to1$."
    ),
    variables=(
        Variable(Lambda, r"\mathbb R^n_{\ge0}", r"$L_i$, largest eigenvalue of each node", "(n,)"),
        LARGEST,
        SMOOTHNESS,
        Variable(n, r"\mathbb N", "number of nodes"),
        Variable(nu, r"[1,n]", r"$\nu=\sum_iL_i/L_{\max}$"),
        RATIO,
        BLOCK_NODES,
        TRACE_NODES,
        DIMENSION,
        Variable(B, r"\mathbb N", "number of blocks"),
        Variable(F, r"\mathbb R^B_{\ge0}", r"block norms $\|D_{i,ll}\|_F$ of one node", "(B,)"),
        Variable(M, r"\mathbb R^B_{\ge0}", r"largest diagonal entry of each block of one node", "(B,)"),
    ),
    assumptions=(NODES, EQUAL_BLOCKS),
    derivation=lambda: derivation(expressions(_BOUND, None, _FORMULAS)),
    worst_cases=(
        WorstCase(
            r"one heavy node: $L_1=1$, the others $1/n$; $\nu=(2n-1)/n$, $\rho=n/(2n-1)$ (here $n=4$)",
            {"Lambda": (1, *(Rational(1, 4),) * 3), "n": 4, "L_max": 1, "L": Rational(7, 16)},
            Rational(7, 16),
        ),
        WorstCase(
            r"one heavy block for each of four nodes, $1/16$ elsewhere: $\nu=4$ and $\rho=1/1.1875$",
            {"Lambda": (1, 1, 1, 1), "n": 4, "L_max": 1, "L": Rational(19, 64)},
        ),
        WorstCase(
            r"homogeneous nodes $\mathbf L_i=I$: $\nu=n$, $\rho=1/n$, $\nu_B=B$",
            {"Lambda": (1, 1, 1, 1), "n": 4, "L_max": 1, "L": 1},
            Integer(1),
        ),
    ),
    mutants=_MUTANTS,
    bound=_BOUND,
    formulas=_FORMULAS,
)
