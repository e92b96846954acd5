r"""`ndqsg/float-overload`: in double precision no index leaves its alphabet (arXiv 1904.01197).

The index $\lfloor Mx+u+\frac12\rfloor$ with $|x|\le1$ and a dither of 24 bits, odd multiples of $2^{-25}$,
is at most $M$ in absolute value: in exact arithmetic for every $M$, in float64 for $M<2^{28}$.

Derivation: exactly, $-M\le Mx+u+\frac12<M+1$; in float64 the largest sum $M+1-2^{-25}$ has 53 bits, and
rounding is monotone.
"""

from collections.abc import Mapping

from sympy import Expr, Integer, Rational, Symbol, symbols

from theory.ndqsg.dither_moments import HALF
from theory.ndqsg.paper import PAPER
from theory.ndqsg.symbols import LEVELS, ROUNDING, M
from theory.old_form import Claim, Mutant, Variable, WorstCase, expressions
from theory.old_steps import Certificate, Identity, ScalarLemma, StandardFact, Step, Term

bits = Symbol("bits", integer=True, positive=True)

_GRID = Rational(1, 2**25)
_BOUND = M
_FORMULAS = {
    "largest_dither": HALF - 2 ** (-bits - 1),
    "largest_sum": M + 1 - 2 ** (-bits - 1),
    "levels": 2 ** (52 - bits),
}

_Mi, _t, _e, _i = symbols("M t u i", real=True)
_s = Symbol("s", nonnegative=True)

INTEGERS = StandardFact(
    "integers",
    r"For integers $a<b+1$ is $a\le b$, and $a>-b-1$ is $a\ge-b$.",
    "R. Graham, D. Knuth, O. Patashnik, Concrete Mathematics, 2nd ed., section 3.1",
)
MONOTONE = StandardFact(
    "monotone-rounding",
    "Rounding to nearest in binary floating point is monotone and keeps what is representable: a multiple of "
    r"$2^{-t}$ below $2^{53-t}$ in absolute value is a float64.",
    "N. Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., section 2.1",
)


def derivation(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    """Return the steps, built from the stated expressions."""
    dither = stated["largest_dither"].xreplace({bits: Integer(24)})
    cell = "hypothesis: the index is the integer below the sum"
    input_, dither_ = "hypothesis: |x| is at most one", "hypothesis: the dither is at most half a step"
    return (
        ScalarLemma(
            "above",
            r"With $t=Mx$, $t\le M$, $u<\frac12$ the index $i=\lfloor t+u+\frac12\rfloor\le t+u+\frac12$ is "
            r"below $M+1$.",
            (_t <= _Mi, _e < HALF, _i <= _t + _e + HALF),
            _i < _Mi + 1,
            (
                Term(Integer(1), _Mi - _t, input_),
                Term(Integer(1), HALF - _e, dither_),
                Term(Integer(1), _t + _e + HALF - _i, cell),
            ),
        ),
        ScalarLemma(
            "below",
            r"With $-M\le t$, $-\frac12\le u$ it is above $-M-1$, from $t+u+\frac12<i+1$.",
            (-_Mi <= _t, _e >= -HALF, _t + _e + HALF < _i + 1),
            -_Mi - 1 < _i,
            (
                Term(Integer(1), _t + _Mi, input_),
                Term(Integer(1), _e + HALF, dither_),
                Term(Integer(1), _i + HALF - _t - _e, cell),
            ),
        ),
        INTEGERS,
        Identity(
            "attained",
            r"The index of $x=1$ without dither is the stated bound.",
            stated["bound"],
            M * 1,
        ),
        Identity(
            "dither",
            r"The largest of $2^{24}$ points $\frac{2j+1}{2^{25}}-\frac12$ is the stated one.",
            dither,
            (2 * (2**24 - Integer(1)) + 1) * _GRID - HALF,
        ),
        Identity(
            "dither-bits",
            r"The same for any number of bits.",
            stated["largest_dither"],
            (2 * (2**bits - 1) + 1) / 2 ** (bits + 1) - HALF,
        ),
        Identity(
            "sum",
            r"The largest sum of the index rule is the stated one.",
            M + stated["largest_dither"] + HALF,
            stated["largest_sum"],
        ),
        MONOTONE,
        Identity(
            "representable",
            r"With 24 bits all sums at $x=\pm1$ are multiples of $2^{-25}$, and those below $2^{53-25}$ are "
            r"float64 numbers: the stated limit of $M$.",
            stated["levels"].xreplace({bits: Integer(24)}),
            2 ** Integer(53 - 25),
        ),
        Identity(
            "representable-bits",
            r"The same for any number of bits.",
            stated["levels"] * 2 ** (bits + 1),
            Integer(2) ** 53,
        ),
        Certificate(
            "sum-below",
            r"So the computed sum is at most that of the largest dither, which is below $M+1$: rounded down "
            r"it is at most $M$.",
            stated["largest_sum"].xreplace({bits: Integer(24)}),
            M + 1,
            (Term(_GRID, Integer(1), "one"),),
        ),
    )


CLAIM = Claim(
    id="ndqsg/float-overload",
    paper=PAPER,
    kind="upper",
    provenance="derived",
    title="No index leaves its alphabet in double precision, whatever the scale",
    statement=(
        r"For $|x|\le1$ and $u\in[-\frac12,\frac12)$ the index $q=\lfloor Mx+u+\frac12\rfloor$ satisfies "
        r"$$|q|\le M.$$ With a dither of 24 bits, $|u|\le\frac12-2^{-25}$, this stays true in float64 "
        r"arithmetic for every $M<2^{28}$: the largest sum, $M+1-2^{-25}$, is a float64 number. For scales "
        r"from the smallest subnormal number to $10^{300}$ a true division $g/\kappa$ with $\kappa$ rounded "
        r"up on the wire keeps $|x|\le1$, and the reconstruction $\kappa\,((q-u)/M)$ is off by at most "
        r"4 ulp of $\kappa$."
    ),
    variables=(LEVELS, Variable(bits, r"\mathbb N", "bits of the dither, 24 on the wire")),
    assumptions=(
        ROUNDING,
        r"Index expression: `floor((M*(g/kappa)+u)+0.5)` in float64, in this order, not fused.",
        r"The dither is an odd multiple of $2^{-25}$.",
    ),
    derivation=lambda: derivation(expressions(_BOUND, None, _FORMULAS)),
    worst_cases=(
        WorstCase("one level", {"M": Integer(1)}, Integer(1)),
        WorstCase("127 levels, 64 overloads in float32", {"M": Integer(127)}, Integer(127)),
        WorstCase("the largest number of levels", {"M": Integer(2**28 - 1)}, Integer(2**28 - 1)),
    ),
    mutants=(
        Mutant(
            "float32-index",
            r"Compute the index in float32 without a clip: it exceeds $M$ at $x=\pm1$.",
            ("exact", "adversarial"),
        ),
        Mutant(
            "reciprocal",
            r"Multiply by $1/\kappa$: infinite for subnormal $\kappa$, and $0\cdot\infty$ is no number.",
            ("exact",),
        ),
        Mutant(
            "nearest-scale",
            r"Round $\kappa$ to the nearest float32 on the wire: $|x|>1$ at scales like 0.7.",
            ("exact",),
        ),
        Mutant("negated", "Negate gradient and dither: indices only change sign.", ("exact",), neutral=True),
    ),
    bound=_BOUND,
    formulas=_FORMULAS,
)
