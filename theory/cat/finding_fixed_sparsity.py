r"""`cat/finding-fixed-sparsity`: a fixed sparsity saves nothing in the worst case (arXiv 2003.06377).

That fewer entries are sent in each message is no saving by itself: the entries of the additional iterations
make up for it. What saves is a share $\alpha(T)$ of the squared norm above $T/d$.

Derivation: from a flat start $\lceil d/T\rceil$ messages of T entries hold at least d of them; and
$C(T)/\alpha\le C(d)$ iff $\alpha\ge C(T)/C(d)$.
"""

from collections.abc import Mapping

from sympy import Expr, Integer, Rational, Symbol, floor

from theory.cat.paper import PAPER
from theory.cat.symbols import (
    DIMENSION,
    ENTRY_COST,
    FIXED_COST,
    SIZE,
    SMOOTH,
    TIES,
    T,
    c_0,
    c_1,
    d,
)
from theory.instance import instance
from theory.old_form import Claim, Mutant, WorstCase, expressions
from theory.old_steps import Certificate, Identity, Step, Term

_MESSAGES = 1 + floor((d - 1) / T)
_EXACT = _MESSAGES * (c_0 + c_1 * T)
_WHOLE = c_0 + c_1 * d
_BREAK_EVEN = (c_0 + c_1 * T) / (c_0 + c_1 * d)

# A start with m T + s + 1 entries, 0 <= s = T p < T; d - T more entries than T.
_SIZE = 3
_m = Symbol("m", integer=True, nonnegative=True)
_p = Symbol("p", nonnegative=True)
_more = Symbol("u", nonnegative=True)
_share = Symbol("alpha", positive=True)
_A = Symbol("A", positive=True)


def derivation(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    """Return the steps, built from the stated expressions."""
    flat = {T: Integer(_SIZE), d: _SIZE * _m + _SIZE * _p + 1}
    share = stated["break_even"].subs(d, T + _more)
    return (
        Certificate(
            "no-saving",
            r"From a flat start the messages cost at least one message with all entries (shown for "
            rf"$T={_SIZE}$, $d=mT+s+1$, $0\le s=Tp<T$).",
            instance(stated["bound"], flat),
            instance(stated["exact"], flat, (_p,)),
            (
                Term(_m, c_0, "nonnegative by definition"),
                Term(c_1, _SIZE - 1 - _SIZE * _p, "hypothesis: s is at most T - 1"),
            ),
        ),
        Certificate(
            "what-saves",
            r"With a share of at least $\alpha$ in every iteration the guarantee $\frac A\alpha C(T)$ is at "
            r"most the $A\,C(d)$ of dense gradient descent where $\alpha$ is at least the stated share,",
            _A / _share * (c_0 + c_1 * T),
            _A * stated["bound"],
            (
                Term(
                    _A * stated["bound"] / _share,
                    _share - stated["break_even"],
                    "hypothesis: alpha is at least C(T) / C(d)",
                ),
            ),
        ),
        Certificate(
            "more-than-flat",
            r"which is no less than the $T/d$ of a flat gradient ($d=T+u$).",
            T / (T + _more),
            share,
            (Term(_more / ((T + _more) * (c_0 + c_1 * (T + _more))), c_0, "nonnegative by definition"),),
        ),
        Identity(
            "no-fixed-cost",
            r"Without $c_0$ it is $T/d$ itself.",
            stated["break_even"].subs(c_0, 0),
            T / d,
        ),
    )


_MUTANTS = (
    Mutant(
        "claims-saving",
        r"Claim that $T<d$ entries in a message lower the cost of a flat start below one message with all.",
        ("exact", "run"),
    ),
    Mutant(
        "flat-share-pays",
        r"Claim that a share above $T/d$ pays whatever the fixed cost of a message.",
        ("exact",),
    ),
    Mutant(
        "steep-start",
        r"Start from $x_j=2^{-j}$ and stop at $10^{-3}$ of the squared gradient: now few entries do save, "
        r"and the finding on flat starts does not hold.",
        ("run",),
    ),
    Mutant(
        "scaled-start",
        "Multiply the start by 3: nothing may change.",
        ("exact", "run"),
        neutral=True,
    ),
)

CLAIM = Claim(
    id="cat/finding-fixed-sparsity",
    paper=PAPER,
    kind="finding",
    provenance="derived",
    title="A fixed sparsity saves nothing in the worst case",
    statement=(
        r"Read as a claim on guarantees, that sparse messages make gradient descent cheaper fails for every "
        r"fixed number $T$ of entries: on $\frac L2\|x\|^2$ from a flat start the messages cost "
        r"$$\lceil d/T\rceil(c_0+c_1T)\ge c_0+c_1d,\qquad\lceil d/T\rceil=1+\lfloor(d-1)/T\rfloor,$$ no less "
        r"than one message with all entries, with equality iff $T=d$, or $T$ divides $d$ and $c_0=0$. What "
        r"holds instead: the guarantee $\frac A\alpha C(T)$ is below the $A\,C(d)$ of dense gradient descent "
        r"where the share $\alpha$ of the squared norm in the $T$ largest entries is above "
        r"$\frac{c_0+c_1T}{c_0+c_1d}\ge\frac Td$, which depends on the gradients and has to be looked at in "
        r"each iteration."
    ),
    variables=(DIMENSION, SIZE, FIXED_COST, ENTRY_COST),
    assumptions=(
        SMOOTH,
        TIES,
        r"$T$ is the same in all iterations, $\gamma=1/L$; a message of $T$ entries costs $c_0+c_1T$, of all "
        r"entries $c_0+c_1d$ (no saving of indices).",
    ),
    derivation=lambda: derivation(expressions(_WHOLE, _EXACT, {"break_even": _BREAK_EVEN})),
    worst_cases=(
        WorstCase(
            "flat start, d = 64, one entry, payload only: 64 messages of 1 for one of 64",
            {"d": 64, "T": 1, "c_0": 0, "c_1": 1},
            Integer(64),
        ),
        WorstCase(
            "flat start, d = 64, twenty entries: 4 messages of 20",
            {"d": 64, "T": 20, "c_0": 0, "c_1": 1},
            Integer(80),
        ),
        WorstCase(
            "the share that pays for one entry of 64 at a fixed cost of 5 entries",
            {"d": 64, "T": 1, "c_0": 5, "c_1": 1},
            Rational(2, 23),
        ),
    ),
    mutants=_MUTANTS,
    bound=_WHOLE,
    exact=_EXACT,
    formulas={"break_even": _BREAK_EVEN},
)
