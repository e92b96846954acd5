r"""`cat/mn-topk-diverges`: the mean of each node's largest entries (arXiv 2003.06377).

Top-T is biased, and a mean over nodes does not take the bias away: an example goes up for every step size.
What holds is a decrease less the energy that the nodes leave out, which may be negative.

Derivation: one step of the example in rationals; $2\langle\nabla F,\hat g\rangle-\|\hat g\|^2=\|\nabla F\|^2-
\|\nabla F-\hat g\|^2$ and Jensen's inequality for the error of the mean.
"""

from collections.abc import Mapping
from itertools import combinations

from sympy import Expr, IndexedBase, Integer, Rational, Sum, Symbol, diff, symbols

from theory.cat.paper import PAPER
from theory.cat.symbols import (
    ITERATIONS,
    NODES,
    SMOOTH,
    SMOOTHNESS,
    STEP_SIZE,
    K,
    L,
    gamma,
    n,
)
from theory.instance import instance
from theory.old_form import Claim, Mutant, Variable, WorstCase, expressions
from theory.old_steps import Certificate, Identity, Step, Term
from theory.summation import SUMMATION

G = Symbol("G", nonnegative=True)
i = Symbol("i", integer=True, nonnegative=True)
E = IndexedBase("E", nonnegative=True)
alpha = IndexedBase("alpha", nonnegative=True)

NODES_OF_EXAMPLE = ((-3, 2, 2), (2, -3, 2), (2, 2, -3))
"""The vectors a_i of the example."""

_LOST = Sum((1 - alpha[i]) * E[i], (i, 0, n - 1)) / n
_BOUND = (G - _LOST) / (2 * L)
_GROWTH = (1 + Rational(11, 6) * gamma) ** K
_FORMULAS = {"smoothness": Rational(103, 6), "threshold": Rational(40, 81)}

_t = Symbol("t", positive=True)
_x = symbols("x_1:4", real=True)
_es = symbols("e_1:4", real=True)
_Es = symbols("E_1:4", nonnegative=True)
_alphas = symbols("alpha_1:4", nonnegative=True)
_F, _F_next, _m, _M, _lost = symbols("F F_+ m M R", real=True)
_share = Symbol("alpha", nonnegative=True)


def derivation(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    """Return the steps, built from the stated expressions."""
    return (*growth_steps(stated), *threshold_steps(stated), *_decrease(stated))


def _node(vector: tuple[int, ...]) -> Expr:
    return sum((a * x for a, x in zip(vector, _x, strict=True)), Integer(0)) ** 2 + _square(_x) / 4


def _square(vector: tuple[Expr, ...]) -> Expr:
    return sum((item**2 for item in vector), Integer(0))


def gradients_of_example() -> tuple[tuple[Expr, ...], ...]:
    """Return the gradients of the nodes at (t, t, t)."""
    point = dict.fromkeys(_x, _t)
    return tuple(tuple(diff(_node(vector), item).subs(point) for item in _x) for vector in NODES_OF_EXAMPLE)


def growth_steps(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    """Return the steps for the growth `exact` of the example."""
    gradients = gradients_of_example()
    mean = [gradients[place][place] / len(gradients) for place in range(len(_x))]
    return (
        *(
            Identity(
                f"largest-entry-{place + 1}",
                r"At $t\mathbf 1$ the gradient of a node is $\frac t2$ times $-11$ in its own place and 9 in "
                r"the two others: it sends its own entry.",
                gradients[place][place] / gradients[place][place - 1],
                Rational(-11, 9),
            )
            for place in range(len(_x))
        ),
        *(
            Identity(
                f"growth-{place + 1}",
                r"The mean of the sent entries is $-\frac{11}6t\mathbf 1$, so a step multiplies the point by "
                r"the stated factor, above 1 for any $\gamma>0$,",
                _t - gamma * mean[place],
                _t * stated["exact"].subs(K, 1),
            )
            for place in range(len(_x))
        ),
        Identity(
            "every-round",
            r"in every round (shown for two; the new point is again a multiple of $\mathbf 1$).",
            stated["exact"].subs(K, 2),
            stated["exact"].subs(K, 1) ** 2,
        ),
        Identity(
            "gradient-of-the-mean",
            r"The gradient of $F$ there is $\frac76t\mathbf 1$, in the other direction.",
            sum((gradient[0] for gradient in gradients), Integer(0)) / len(gradients),
            Rational(7, 6) * _t,
        ),
    )


def threshold_steps(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    """Return the steps for the cost at which local CAT-S goes over to all entries."""
    first, *rest = (item**2 for item in gradients_of_example()[0])
    whole = first + sum(rest, Integer(0))
    r = Symbol("r", nonnegative=True)
    threshold = stated["threshold"]
    return (
        Identity(
            "threshold",
            r"One entry is as efficient as three, $\frac{121}{283}\frac1{r+1}=\frac1{r+3}$, $r=c_0/c_1$, at "
            r"the stated $r$,",
            first / whole / (threshold + 1),
            1 / (threshold + 3),
        ),
        Identity(
            "threshold-of-two",
            r"and there as efficient as two, so that two are never better than both.",
            first / whole / (threshold + 1),
            (first + rest[0]) / whole / (threshold + 2),
        ),
        Identity(
            "below-or-above",
            r"One entry is the better choice than three below it: the difference is a positive multiple of "
            r"the stated $r$ less $r$.",
            first / whole * (r + 3) - (r + 1),
            Rational(162, 283) * (threshold - r),
        ),
    )


def _decrease(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    mean = sum(_es, Integer(0)) / 3
    nodes = {n: 3, E: _Es, alpha: _alphas}
    lost = sum(((1 - a) * e for a, e in zip(_alphas, _Es, strict=True)), Integer(0)) / 3
    hessian = [
        [diff(sum(map(_node, NODES_OF_EXAMPLE), Integer(0)) / 3, first, second) for second in _x]
        for first in _x
    ]
    return (
        *(
            Identity(
                f"smoothness-{place}",
                r"$(1,-1,0)$ is an eigenvector of the Hessian of $F$ with the stated eigenvalue; by symmetry "
                r"so is all that is orthogonal to $\mathbf 1$, which has the smaller $\frac76$.",
                hessian[place][0] - hessian[place][1],
                stated["smoothness"] * (1, -1, 0)[place],
            )
            for place in range(3)
        ),
        Certificate(
            "jensen",
            r"$\|\nabla F-\hat g\|^2\le\frac1n\sum_i\|g_i-Q_i\|^2$ (shown for three nodes with an entry "
            r"each; for every number of entries by `summation`, of nodes by convexity).",
            mean**2,
            _square(_es) / 3,
            tuple(
                Term(Rational(1, 9), (a - b) ** 2, "square of a real number") for a, b in combinations(_es, 2)
            ),
        ),
        SUMMATION,
        Certificate(
            "left-out",
            r"A node leaves out the part $1-\alpha_i$ of $\|g_i\|^2$, so $R=\|\nabla F-\hat g\|^2$ is at "
            r"most the stated mean.",
            _lost,
            lost,
            (Term(Integer(1), lost - _lost, "jensen"),),
        ),
        Certificate(
            "decrease",
            r"For $\gamma=\frac1L$: $F_+\le F-\frac1Lm+\frac1{2L}M$ with $m=\langle\nabla F,\hat g\rangle$, "
            r"$M=\|\hat g\|^2$ and $R=\|\nabla F\|^2-2m+M$ is at most $F$ less the stated decrease (shown "
            r"for three nodes; for every number by `summation`).",
            _F_next,
            _F - instance(stated["bound"], nodes),
            (
                Term(Integer(1), _F - _m / L + _M / (2 * L) - _F_next, "hypothesis: F is L-smooth"),
                Term(
                    1 / (2 * L),
                    _lost - (G - 2 * _m + _M),
                    "hypothesis: R is the squared norm of the error of the mean",
                ),
                Term(1 / (2 * L), lost - _lost, "left-out"),
            ),
        ),
        Identity(
            "equal-nodes",
            r"For equal nodes it is the $\frac\alpha{2L}\|g\|^2$ of one node.",
            instance(stated["bound"], {n: 3, E: (G,) * 3, alpha: (_share,) * 3}),
            _share * G / (2 * L),
        ),
    )


_MUTANTS = (
    Mutant(
        "nothing-left-out",
        r"Drop the sum from the decrease: it claims that the example falls.",
        ("exact", "run"),
    ),
    Mutant("sign-error", r"Put $-11$ for 11: it claims that the example shrinks.", ("exact", "run")),
    Mutant("permuted-nodes", "Reverse the order of the nodes: nothing may change.", ("exact",), neutral=True),
)

CLAIM = Claim(
    id="cat/mn-topk-diverges",
    paper=PAPER,
    kind="upper",
    provenance="derived",
    title="The mean of each node's largest entries can go up",
    statement=(
        r"Let $\hat g=\frac1n\sum_iQ_i$, $Q_i$ the largest entries of $g_i$ with the share $\alpha_i$ of "
        r"$\|g_i\|^2$, and $\gamma=\frac1L$. Then $$F(x-\gamma\hat g)\le F(x)-\frac1{2L}\Big(\|\nabla F\|^2-"
        r"\frac1n\sum_i(1-\alpha_i)\|g_i\|^2\Big),$$ which says something only where the bracket is "
        r"positive; for equal nodes it is the decrease of one node. The bracket is negative, and the run "
        r"diverges, for $f_i=\langle a_i,x\rangle^2+\frac14\|x\|^2$, $a_i$ the permutations of $(-3,2,2)$ "
        r"with $-3$ in place $i$, $n=d=3$, $L=\frac{103}6$: with one entry of each node, from $x_0=t\mathbf "
        r"1$ and with any $\gamma>0$, $x_K=(1+\frac{11}6\gamma)^Kx_0$. CAT-S on the nodes, $C=c_0+c_1T$, "
        r"sends one entry there iff $\frac{c_0}{c_1}\le\frac{40}{81}$, else all three, and then it is "
        r"gradient descent."
    ),
    variables=(
        ITERATIONS,
        NODES,
        SMOOTHNESS,
        STEP_SIZE,
        Variable(G, r"\mathbb R_{\ge0}", r"$\|\nabla F(x)\|^2$"),
        Variable(E, r"\mathbb R^n_{\ge0}", r"$\|g_i\|^2$, $g_i=\nabla f_i(x)$", "(n,)"),
        Variable(alpha, r"[0,1]^n", r"shares $\alpha_i$ of the sent entries", "(n,)"),
    ),
    assumptions=(
        SMOOTH,
        "Every node sends its own largest entries, and the server takes the plain mean.",
        "Among equal efficiencies the smallest number of entries is taken.",
    ),
    derivation=lambda: derivation(expressions(_BOUND, _GROWTH, _FORMULAS)),
    worst_cases=(
        WorstCase(
            r"the example at the step $\frac1L=\frac6{103}$: growth by 1.1068 in a round",
            {"gamma": Rational(6, 103), "K": 1},
            Rational(114, 103),
        ),
        WorstCase(
            r"what the bound says there for $x=\mathbf 1$: an increase by at most 1.076",
            {
                "G": Rational(49, 12),
                "E": (Rational(283, 4),) * 3,
                "alpha": (Rational(121, 283),) * 3,
                "n": 3,
                "L": Rational(103, 6),
            },
            (Rational(49, 12) - Rational(162, 4)) * Rational(3, 103),
        ),
    ),
    mutants=_MUTANTS,
    bound=_BOUND,
    exact=_GROWTH,
    formulas=_FORMULAS,
)
