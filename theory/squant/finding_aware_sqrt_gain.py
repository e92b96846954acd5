r"""`squant/finding-aware-sqrt-gain`: blocks gain $\sqrt n$ over one aware step (arXiv 2106.03524).

`squant/gain-block` compares with the unaware method. At the same budget $\beta=d/n$ the aware method with one
step for all coordinates has $K_{\rm plus}\le\sqrt n\,K_{\rm block}$ for all matrices: against it blocks gain
at most $\sqrt n$, and in the families V and H that is what they gain.

Derivation: $\sum_lF_l^2\le(\sum_lF_l)^2$ over the norms of the blocks gives $c_{\rm plus}\le\sqrt B\,c_{\rm
block}$ at equal blocks. In V and H the closed forms are held against multiples of $\sqrt n$.
"""

from collections.abc import Mapping

from sympy import Expr, Integer, Rational, Symbol, expand, sqrt, symbols

from theory.eigenvalue_order import ROOT_MONOTONE
from theory.instance import instance
from theory.old_form import Claim, Mutant, Variable, WorstCase, expressions
from theory.old_steps import Certificate, Identity, Step, Term
from theory.squant.gain_block import OLD as GAIN_BLOCK
from theory.squant.gain_block_derivation import condition
from theory.squant.growing_families import GrowingFamily, H, V
from theory.squant.heterogeneity import EQUAL_BLOCKS, NODES, mu, smoothness
from theory.squant.paper import PAPER
from theory.squant.steps import OLD as STEPS
from theory.squant.steps_derivation import F, m
from theory.squant.symbols import QUANTIZER, B, L, d, n
from theory.summation import SUMMATION

_SIZE = 3
_Fs = symbols("F_1:4", nonnegative=True)
_r, _w = symbols("r w", positive=True)
_plus, _block = symbols("P Q", nonnegative=True)
# One node less, so that signs are evident.
_others = Symbol("n_1", integer=True, nonnegative=True)
_SHIFTED = {n: _others + 1}


def _condition_number(family: GrowingFamily) -> Expr:
    return condition(family.plus).xreplace({smoothness: family.L, mu: family.mu})


_HEAVY = 1 + (n - 1) / n**2
_H_ROOT = sqrt(n + 1 / n**2 - 1 / n**3)
_V_PLUS = (2 * n - 1) / n + 2 * sqrt(n + 1 - 1 / n)
_H_PLUS = 1 + 2 * _H_ROOT / _HEAVY
_BOUND = sqrt(n)
_FORMULAS = {
    "V_K_plus": _V_PLUS,
    "V_std_plus": ((2 * n - 1) / n + 2 * n) / _V_PLUS,
    "V_plus_block": _V_PLUS * n / (3 * (2 * n - 1)),
    "V_least": sqrt(n) / 3,
    "H_K_plus": _H_PLUS,
    "H_std_plus": (1 + 2 * n / _HEAVY) / _H_PLUS,
    "H_plus_block": _H_PLUS / 3,
    "H_least": 8 * sqrt(n) / 15,
}


def derivation(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    """Return the steps, built from the stated expressions."""
    return (*_every_matrix(stated), *_families(stated), *_least(stated), SUMMATION)


def _every_matrix(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    blocks = {F: _Fs, m: (_r**2,) * _SIZE, B: _SIZE}
    at_most = stated["bound"]
    return (
        Certificate(
            "norms",
            r"$c_{\rm plus}^2=d\sum_lF_l^2\le B\,c_{\rm block}^2=B\frac dB(\sum_lF_l)^2$ with the norms "
            r"$F_l$ of "
            rf"$B=n$ equal blocks (shown for {_SIZE} blocks of length $r^2$; for every number of them by "
            r"`summation` over the pairs).",
            _SIZE * _r**2 * sum(item**2 for item in _Fs),
            (at_most.xreplace({n: Integer(_SIZE)}) * instance(STEPS.formulas["c_block"], blocks)) ** 2,
            tuple(
                Term(2 * _SIZE * _r**2, _Fs[a] * _Fs[b], "norms of blocks")
                for a in range(_SIZE)
                for b in range(a)
            ),
        ),
        ROOT_MONOTONE,
        Certificate(
            "condition-numbers",
            r"So $K_{\rm plus}\le\sqrt n\,K_{\rm block}$: the node of largest $c_{\rm plus}$ has $P=c_{\rm "
            r"plus}/\beta\le\sqrt n\,Q$, $Q=\max_ic_{\rm block}/\beta$.",
            condition(_plus),
            at_most * condition(_block),
            (
                Term(2 / (n * mu), at_most * _block - _plus, "norms, root-monotone"),
                Term(smoothness / (mu * (sqrt(n) + 1)), n - 1, "there is a node"),
            ),
        ),
    )


def _families(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    steps: list[Step] = [
        Identity(
            "family-plus",
            r"A node with 1 on one of $n$ equal blocks and $w$ on the others has $c_{\rm "
            r"plus}/\beta=\sqrt{n(1+"
            rf"(n-1)w^2)}}$ (shown for $n={_SIZE}$ blocks of one coordinate).",
            instance(STEPS.formulas["c_plus"], {L: (Integer(1), _w, _w), d: _SIZE}),
            GrowingFamily(_w, Integer(1)).plus.xreplace({n: Integer(_SIZE)}),
        )
    ]
    for name, family in (("V", V), ("H", H)):
        unaware, blocks = (GAIN_BLOCK.formulas[f"{name}_K_{method}"] for method in ("std", "block"))
        plus = stated[f"{name}_K_plus"]
        steps += [
            Identity(
                f"{name}-plus",
                rf"The stated $K_{{\rm plus}}$ of family {name}, in the coarse branch.",
                plus,
                _condition_number(family),
            ),
            Identity(
                f"{name}-std-plus",
                rf"The stated gain of awareness alone in family {name}: $K_{{\rm std}}$ of "
                rf"`squant/gain-block` "
                r"over $K_{\rm plus}$.",
                stated[f"{name}_std_plus"] * plus,
                unaware,
            ),
            Identity(
                f"{name}-plus-block",
                rf"The stated gain of the blocks beyond it in family {name}.",
                stated[f"{name}_plus_block"] * blocks,
                plus,
            ),
        ]
    return tuple(steps)


def _least(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    count = _SHIFTED[n]
    least = {name: stated[f"{name}_least"].xreplace(_SHIFTED) for name in ("V", "H")}
    gain = {name: stated[f"{name}_plus_block"].xreplace(_SHIFTED) for name in ("V", "H")}
    V_root, H_root = (item.xreplace(_SHIFTED) for item in (sqrt(n + 1 - 1 / n), _H_ROOT))
    heavy = _HEAVY.xreplace(_SHIFTED)
    beyond_V = _others / count
    beyond_H = _others / count**3
    return (
        *(
            Certificate(
                f"{name}-root",
                r"The radicand in $K_{\rm plus}$ is at least $n$ (here $n=1+n_1$).",
                count,
                expand(root**2),
                (Term(Integer(1), beyond, "quotient of nonnegative numbers"),),
            )
            for name, root, beyond in (("V", V_root, beyond_V), ("H", H_root, beyond_H))
        ),
        Certificate(
            "V-least",
            r"In V the blocks gain at least $\sqrt n/3$ (here $n=1+n_1$).",
            least["V"],
            gain["V"],
            (
                Term(Rational(1, 3), Integer(1), "one"),
                Term(2 * count / (3 * (2 * _others + 1)), V_root - sqrt(count), "V-root, root-monotone"),
                Term(1 / (3 * (2 * _others + 1)), sqrt(count), "a root"),
            ),
        ),
        Certificate(
            "H-least",
            r"In H the blocks gain at least $8\sqrt n/15$ (here $n=1+n_1$).",
            least["H"],
            gain["H"],
            (
                Term(Rational(1, 3), Integer(1), "one"),
                Term(Integer(2) / (3 * heavy), H_root - sqrt(count), "H-root, root-monotone"),
                Term(2 * sqrt(count) / (15 * heavy), ((count - 2) / count) ** 2, "square of a real number"),
            ),
        ),
    )


_MUTANTS = (
    Mutant(
        "linear-gain",
        r"Claim that the gain over the aware single step grows like $n$ as well.",
        ("exact",),
    ),
    Mutant(
        "unaware-step",
        r"Compare with the unaware single step: its $K$ exceeds $\sqrt n\,K_{\rm block}$.",
        ("exact",),
    ),
    Mutant(
        "homogeneous-matrices",
        r"$\mathbf L_i=I$ on every node: the aware single step is as good as the blocks, nothing grows.",
        ("exact",),
    ),
    Mutant(
        "permuted-nodes", "Take the nodes in another order: nothing may change.", ("exact",), neutral=True
    ),
)

CLAIM = Claim(
    id="squant/finding-aware-sqrt-gain",
    paper=PAPER,
    kind="finding",
    provenance="derived",
    title="Against the smoothness-aware single step, blocks gain only the square root of n",
    statement=(
        r"The gain of order $n$ of `squant/gain-block` needs the unaware method as the one compared with. "
        r"The smoothness-aware method with the standard quantizer on one block ($c_{\rm plus}=\sqrt "
        r"d\,\|D\|_F$) at the same budget $\beta=d/n$ satisfies, for all matrices and $n$ equal blocks, "
        r"$$c_{\rm plus}\le\sqrt n\,c_{\rm block},\qquad K_{\rm plus}\le\sqrt n\,K_{\rm block}$$ (coarse "
        r"bounds), and its messages are shorter by $n-1$ norms. In the families V and H, where blocks gain "
        r"$\Theta(n)$ over the unaware method, they gain $\Theta(\sqrt n)$ over the aware single step, at "
        r"least $\sqrt n/3$ and $8\sqrt n/15$ in $K$; the other factor $\Theta(\sqrt n)$ is due to "
        r"awareness alone."
    ),
    variables=(Variable(n, r"\mathbb N", "number of nodes, and of blocks"),),
    assumptions=(
        QUANTIZER,
        NODES,
        EQUAL_BLOCKS,
        r"$B=n$, $\beta=d/n$ for all methods, optimal block steps; constants by the coarse bound of "
        r"`squant/bounds` (in V it is the smaller branch for $n\ge8$).",
    ),
    derivation=lambda: derivation(expressions(_BOUND, None, _FORMULAS)),
    worst_cases=(
        WorstCase(
            r"counterexample to a gain of order $n$ over aware methods: V with 256 nodes, gain 5.7 for 85.8",
            {"family": "V", "n": 256, "d": 8 * 256**2},
        ),
        WorstCase(
            r"one heavy block and nothing else: $c_{\rm plus}=\sqrt n\,c_{\rm block}$ (here $n=4$)",
            {"F": (1, 0, 0, 0), "n": 4},
            Integer(2),
        ),
    ),
    mutants=_MUTANTS,
    bound=_BOUND,
    formulas=_FORMULAS,
)
