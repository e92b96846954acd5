r"""`ndqsg/finding-float-index`: in single precision indices overflow at the largest entry (arXiv 1904.01197).

At $x=1$ the float32 index exceeds $M$ for $2^{\lfloor\log_2M\rfloor}$ of the $2^{24}$ dithers.

Derivation: $M+u$ is rounded to $M+\frac12$ if $\frac12-u$ is less than half a unit in the last place of $M$.
"""

from collections.abc import Mapping

from sympy import Expr, Integer, Rational, Symbol

from theory.ndqsg.dither_moments import HALF
from theory.ndqsg.float_overload import MONOTONE
from theory.ndqsg.paper import PAPER
from theory.ndqsg.symbols import ROUNDING
from theory.old_form import Claim, Mutant, Variable, WorstCase, expressions
from theory.old_steps import Certificate, Identity, Step, Term

a = Symbol("a", integer=True, nonnegative=True)

_EXACT = 2**a
_FORMULAS = {"fraction": 2 ** (a - 24), "half_ulp": 2 ** (a - 24)}

_i = Symbol("i", integer=True, nonnegative=True)
_GRID = Rational(1, 2**25)


def derivation(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    """Return the steps, built from the stated expressions."""
    count = stated["exact"]
    distance = (2 * _i + 1) * _GRID
    return (
        MONOTONE,
        Identity(
            "half-ulp",
            r"A float32 in $[2^a,2^{a+1})$ has 24 bits: half a unit in its last place is the stated value.",
            stated["half_ulp"],
            2 ** (a - 23) / Integer(2),
        ),
        Identity(
            "dither",
            r"The distance of the $i$-th largest dither from $\frac12$ is $\frac{2i+1}{2^{25}}$.",
            HALF - ((2 * (2**24 - 1 - _i) + 1) * _GRID - HALF),
            distance,
        ),
        Identity(
            "counted",
            r"Of these odd numbers $2i+1$ those below $2^{25}$ half units, that is below twice the stated "
            r"count, are the first ones: $M+u$ is rounded to $M+\frac12$ for exactly that many dithers.",
            stated["half_ulp"] / _GRID,
            2 * count,
        ),
        Certificate(
            "last-inside",
            r"The last of them is nearer than half a unit.",
            distance.subs(_i, count - 1),
            stated["half_ulp"],
            (Term(_GRID, Integer(1), "one"),),
        ),
        Certificate(
            "first-outside",
            r"The next one is farther away.",
            stated["half_ulp"],
            distance.subs(_i, count),
            (Term(_GRID, Integer(1), "one"),),
        ),
        Identity(
            "fraction",
            r"Their fraction of all $2^{24}$ dithers is as stated.",
            count / 2**24,
            stated["fraction"],
        ),
    )


CLAIM = Claim(
    id="ndqsg/finding-float-index",
    paper=PAPER,
    kind="finding",
    provenance="derived",
    title="An index computed in single precision overflows at the largest coordinate",
    statement=(
        r"In exact arithmetic $|x|\le1$ and $-\frac12\le u<\frac12$ give $2M+1$ indices. Computed in "
        r"float32, as gradients often are, $Mx+u+\frac12$ is rounded up to $M+1$ although $u<\frac12$: at "
        r"$x=1$ this happens for $$2^a,\qquad a=\lfloor\log_2M\rfloor,$$ of the $2^{24}$ dithers of 24 "
        r"bits: for 1, 2, 4 and 64 of them at $M=1,3,7,127$. Such an index has no symbol, and one coordinate "
        r"of every block has $|x|=1$. With an odd $M$, rounding half to even changes nothing at $x=1$ and "
        r"overloads at $x=-1$ as often. What holds instead: in float64 no index "
        r"overflows, see `ndqsg/float-overload`."
    ),
    variables=(Variable(a, r"\mathbb N_0", r"$\lfloor\log_2M\rfloor$"),),
    assumptions=(
        ROUNDING,
        r"The dither is an odd multiple of $2^{-25}$; the sum is computed as $(Mx+u)+\frac12$ in float32.",
        r"$M<2^{24}$, so that $M$ is a float32.",
    ),
    derivation=lambda: derivation(expressions(None, _EXACT, _FORMULAS)),
    worst_cases=tuple(
        WorstCase(f"{levels} levels", {"a": exponent}, Integer(2**exponent))
        for levels, exponent in ((1, 0), (3, 1), (7, 2), (127, 6))
    ),
    mutants=(
        Mutant("float64", "Compute the index in double precision: no overload.", ("exact",)),
        Mutant("clipped", "Clip the index before counting: the overload is hidden.", ("exact",)),
        Mutant(
            "half-to-even",
            r"Round the float32 sum half to even: the same count at $x=1$ for odd $M$.",
            ("exact",),
            neutral=True,
        ),
    ),
    exact=_EXACT,
    formulas=_FORMULAS,
)
