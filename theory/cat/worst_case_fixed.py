r"""`cat/worst-case-fixed`: what a fixed number of entries costs in the worst case (arXiv 2003.06377).

A share $\alpha(T)\ge T/d$ of the squared norm makes gradient descent with the T largest entries need at most
$d/T$ times as many iterations, and from a flat start on $\frac L2\|x\|^2$ it needs as many.

Derivation: count what is left of a flat start; then $(d/T)A\,C(T)$ for the affine cost, whose part without
$c_0$ does not depend on T and whose part with it falls.
"""

from collections.abc import Mapping

from sympy import Expr, Integer, Symbol, floor

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
from theory.old_form import Claim, Mutant, Variable, WorstCase, expressions
from theory.old_steps import Certificate, Identity, Step, Term

A = Symbol("A", positive=True)

_share = Symbol("alpha", positive=True)

_EXACT = 1 + floor((d - 1) / T)
_BOUND = d / T * A * (c_0 + c_1 * T)
_FORMULAS = {
    "payload": A * c_1 * d,
    "saved_by_one_more": A * c_0 * d / (T * (T + 1)),
}

# A start with m T + s + 1 entries, 0 <= s = T p < T: m messages are full and one is left.
_SIZES = (1, 3)
_m = Symbol("m", integer=True, nonnegative=True)
_s = Symbol("s", integer=True, nonnegative=True)
_p = Symbol("p", nonnegative=True)


def derivation(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    """Return the steps, built from the stated expressions."""
    return (*_iterations(stated), *_cost(stated))


def _iterations(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    entries = _m * T + _s + 1
    return (
        Certificate(
            "not-before",
            r"From a flat start with $d=mT+s+1$ entries, $0\le s<T$, an entry is left after $m$ messages of "
            r"$T$ entries,",
            _m * T + 1,
            entries,
            (Term(Integer(1), _s, "nonnegative by definition"),),
        ),
        Certificate(
            "then",
            r"and none after $m+1$ of them.",
            entries,
            (_m + 1) * T,
            (Term(Integer(1), T - 1 - _s, "hypothesis: s is at most T - 1"),),
        ),
        *(
            Identity(
                f"count-{size}",
                r"That is the stated number $\lceil d/T\rceil=1+\lfloor(d-1)/T\rfloor$ (shown for "
                rf"$T={size}$, $s=Tp$).",
                instance(stated["exact"], {T: Integer(size), d: size * _m + size * _p + 1}, (_p,)),
                _m + 1,
            )
            for size in _SIZES
        ),
    )


def _cost(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    next_size = stated["bound"].subs(T, T + 1)
    return (
        Certificate(
            "worst-case-cost",
            r"$A/\alpha$ iterations suffice where $\alpha(T)\ge\alpha$ all along (`cat/s-rates`); with "
            r"$\alpha(T)\ge T/d$ they cost at most the stated bound.",
            A / _share * (c_0 + c_1 * T),
            stated["bound"],
            (
                Term(
                    d * A * (c_0 + c_1 * T) / (T * _share),
                    _share - T / d,
                    "hypothesis: alpha(T) is at least T / d (`cat/alpha-shape`)",
                ),
            ),
        ),
        Identity(
            "payload",
            r"Without $c_0$ this does not depend on $T$: as much as sending all $d$ entries $A$ times.",
            stated["bound"].subs(c_0, 0),
            stated["payload"],
        ),
        Identity(
            "saved-by-one-more",
            r"With $c_0$ it falls by the stated amount from $T$ to $T+1$, so $T=d$ is best.",
            stated["bound"] - next_size,
            stated["saved_by_one_more"],
        ),
        Certificate(
            "falls",
            r"This amount is positive for $c_0>0$.",
            next_size,
            stated["bound"],
            (Term(d * A / (T * (T + 1)), c_0, "nonnegative by definition"),),
        ),
    )


_MUTANTS = (
    Mutant(
        "one-entry-more",
        r"Claim $\lceil d/(T+1)\rceil$ iterations: 32 instead of 64 for $d=64$, $T=1$.",
        ("exact", "run"),
    ),
    Mutant(
        "smaller-is-cheaper",
        r"Claim that a smaller $T$ lowers the worst-case cost: equal without $c_0$, dearer with it.",
        ("exact",),
    ),
    Mutant(
        "other-signs",
        "Give the start other signs: nothing may change.",
        ("exact", "run"),
        neutral=True,
    ),
)

CLAIM = Claim(
    id="cat/worst-case-fixed",
    paper=PAPER,
    kind="tight",
    provenance="rederived",
    title="A fixed number of entries costs d/T times as many iterations in the worst case",
    statement=(
        r"Let any $K\ge A$ iterations of gradient descent suffice, in the sense of `cat/s-rates`. Sending "
        r"the $T$ largest entries of each gradient, with $\gamma=1/L$, any $K\ge(d/T)A$ suffice, and as a "
        r"quotient of counts this factor is attained, rounded up: on $\frac L2\|x\|^2$ from a flat start "
        r"exactly "
        r"$\lceil d/T\rceil=1+\lfloor(d-1)/T\rfloor$ iterations reach 0, and with all entries one. With "
        r"cost $c_0+c_1T$ of a message the worst-case cost is $$\frac dT\,A\,(c_0+c_1T).$$ For $c_0=0$ it is "
        r"$c_1dA$ for every $T$: no number of entries saves anything. For $c_0>0$ it falls from $T$ to $T+1$ "
        r"by $\frac{A\,c_0\,d}{T(T+1)}$: sending everything is best."
    ),
    variables=(
        DIMENSION,
        SIZE,
        Variable(A, r"\mathbb R_{>0}", r"any $K\ge A$ iterations of gradient descent surely suffice"),
        FIXED_COST,
        ENTRY_COST,
    ),
    assumptions=(
        SMOOTH,
        TIES,
        r"$T$ is the same in all iterations, $\gamma=1/L$, and messages cost $c_0+c_1T$.",
    ),
    derivation=lambda: derivation(expressions(_BOUND, _EXACT, _FORMULAS)),
    worst_cases=(
        WorstCase("flat start, d = 64, one entry", {"d": 64, "T": 1}, Integer(64)),
        WorstCase("flat start, d = 64, three entries", {"d": 64, "T": 3}, Integer(22)),
        WorstCase("flat start, d = 64, twenty entries", {"d": 64, "T": 20}, Integer(4)),
    ),
    mutants=_MUTANTS,
    bound=_BOUND,
    exact=_EXACT,
    formulas=_FORMULAS,
)
