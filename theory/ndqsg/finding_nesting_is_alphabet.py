r"""`ndqsg/finding-nesting-is-alphabet`: what nested lattices buy is a small alphabet (arXiv 1904.01197).

Two quantizers whose steps have any rational ratio $a/b>1$ decode correctly for $|\alpha z|<\frac{a/b-1}2$,
nested or not; but the symbol $s=i\bmod^*\frac ab$ takes $a$ values instead of about $a/b$.

Derivation: the reduction forgets every multiple of the ratio, whatever that is. $bs$ runs through $bi$ modulo
$a$, which takes $a$ values for coprime $a$ and $b$.
"""

from collections.abc import Mapping

from sympy import Expr, Integer, Rational, Symbol, floor

from theory.ndqsg.nested_cosets import i
from theory.ndqsg.nested_symbols import (
    FINE_ERROR,
    HALF,
    INNOVATION,
    UNIFORM_ERROR,
    e,
    with_integers_outside,
    z,
)
from theory.ndqsg.paper import PAPER
from theory.ndqsg.symbols import DITHER, ROUNDING
from theory.old_form import Claim, Mutant, Variable, WorstCase, expressions
from theory.old_steps import Certificate, Identity, StandardFact, Step, Term

a = Symbol("a", integer=True, positive=True)
b = Symbol("b", integer=True, positive=True)

_RATIO = a / b
_FORMULAS = {
    "symbol": i - _RATIO * floor(i / _RATIO + HALF),
    "reduced": z - _RATIO * floor(z / _RATIO + HALF),
    "margin": (_RATIO - 1) / 2,
}
SHOWN = ((3, 1), (4, 1), (5, 2), (7, 3), (7, 2), (9, 4))

_n = Symbol("n", integer=True)
_other = Symbol("other", integer=True)
_t = Symbol("t", real=True)


def derivation(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    """Return the steps, built from the stated expressions."""

    def written(name: str, values: Mapping[Symbol, Expr]) -> Expr:
        return with_integers_outside(stated[name].xreplace(values))

    reason, error = "hypothesis: the innovation is inside the margin", "hypothesis: |e| is at most 1/2"
    margin = stated["margin"]
    return (
        Identity(
            "multiples-are-forgotten",
            r"$(v-\frac abn)\bmod^*\frac ab=v\bmod^*\frac ab$ for all real $v$ and integers $n$, so the "
            r"receiver reduces $z+e$, as with an integer ratio ($\alpha=1$).",
            written("reduced", {z: _t - _RATIO * _n}),
            written("reduced", {z: _t}),
        ),
        Identity(
            "reduction-inside",
            r"A value $\frac ab(t-\frac12)$ with $0\le t<1$ is left alone.",
            written("reduced", {z: _RATIO * (_t - HALF)}).xreplace({floor(_t): Integer(0)}),
            _RATIO * (_t - HALF),
        ),
        *(
            Certificate(
                name,
                rf"${sign}(z+e)\le\frac a{{2b}}$ inside the stated margin, so there is nothing to reduce.",
                factor * (z + e),
                _RATIO / 2,
                (Term(Integer(1), margin - factor * z, reason), Term(Integer(1), HALF - factor * e, error)),
            )
            for name, sign, factor in (("margin-above", "", 1), ("margin-below", "-", -1))
        ),
        Identity(
            "period",
            r"$s$ has the period $a$ in $i$: there are at most $a$ symbols.",
            written("symbol", {i: i + a}),
            written("symbol", {i: i}),
        ),
        Identity(
            "equal-symbols",
            r"$b(s-s')=b(i-i')-a(n-n')$ with integers $n,n'$: for equal symbols $a$ divides $b(i-i')$.",
            b * (stated["symbol"] - stated["symbol"].xreplace({i: _other})),
            b * (i - _other) - a * (floor(b * i / a + HALF) - floor(b * _other / a + HALF)),
        ),
        StandardFact(
            "euclid",
            r"If $a$ and $b$ are coprime and $a$ divides $b(i-i')$, it divides $i-i'$; so equal symbols have "
            r"indices that differ by a multiple of $a$, and $a$ successive indices have different symbols.",
            "G. H. Hardy and E. M. Wright, An Introduction to the Theory of Numbers, 6th ed., theorem 3",
        ),
        *(
            Identity(
                f"count-{p}-{q}",
                rf"The number of symbols at the ratio {p}/{q}; for all $a,b$ it is $a$ by `period`, "
                "`equal-symbols` and `euclid`.",
                Integer(len({written("symbol", _values(p, q, n)) for n in range(-2 * p, 2 * p)})),
                stated["exact"].subs(a, p),
            )
            for p, q in SHOWN
        ),
        *(
            Identity(
                f"squares-{p}-{q}",
                rf"The symbols of one period at the ratio {p}/{q} are the multiples of $\frac1{q}$ that lie "
                rf"in "
                rf"$[-\frac {p}{{2\cdot{q}}},\frac {p}{{2\cdot{q}}})$: the sums of their squares agree.",
                sum(written("symbol", _values(p, q, n)) ** 2 for n in range(p)),
                sum(Rational(n, q) ** 2 for n in range(-(p // 2), p - p // 2)),
            )
            for p, q in SHOWN
        ),
    )


def _values(p: int, q: int, n: int) -> dict[Symbol, Expr]:
    return {i: Integer(n), a: Integer(p), b: Integer(q)}


_MUTANTS = (
    Mutant(
        "alphabet-rounded-up",
        r"Claim $\lceil a/b\rceil$ symbols, 3 at $\frac52$: there are 5.",
        ("exact",),
    ),
    Mutant(
        "wrong-ratio-at-receiver",
        r"The receiver reduces by the integer part of the ratio: decoding fails.",
        ("exact",),
    ),
    Mutant(
        "nested-ratio-only",
        r"Claim that ratios which are no integers fail: their errors stay within half a step.",
        ("exact",),
    ),
    Mutant(
        "shifted-period",
        r"Shift gradient and side information by $a$ fine steps: nothing may change.",
        ("exact",),
        neutral=True,
    ),
)

CLAIM = Claim(
    id="ndqsg/finding-nesting-is-alphabet",
    paper=PAPER,
    kind="finding",
    provenance="derived",
    title="Even and non-integer ratios decode correctly: nesting is about the alphabet",
    statement=(
        r"Nested quantization is usually introduced with a coarse lattice inside the fine one, and with an "
        r"odd "
        r"ratio. Decoding needs neither: for steps of any ratio $a/b>1$ in lowest terms the receiver is "
        r"exact "
        r"for $|z|<\frac{a/b-1}2$ at $\alpha=1$, the same margin as for integers. What fails without nesting "
        r"is "
        r"the saving: the symbol $i\bmod^*\frac ab$ takes exactly $a$ values (5 at $\frac52$, 7 at "
        r"$\frac73$), "
        r"not about $\frac ab$. What holds instead: an integer ratio $k$, odd or even, takes $k$ values, the "
        r"fewest for its margin."
    ),
    variables=(
        Variable(a, r"\mathbb N", "numerator of the ratio of the steps, in lowest terms"),
        Variable(b, r"\mathbb N", "its denominator"),
        Variable(i, r"\mathbb Z", "index of the fine quantizer"),
        INNOVATION,
        FINE_ERROR,
    ),
    assumptions=(
        DITHER,
        ROUNDING,
        r"The sender sends $s=i\bmod^*\frac ab$; the receiver decodes as with an integer ratio, $\alpha=1$.",
        UNIFORM_ERROR,
        r"$a>b$ are coprime.",
    ),
    derivation=lambda: derivation(expressions(None, a, _FORMULAS)),
    worst_cases=(
        WorstCase("ratio 5/2", {"a": 5, "b": 2}, Integer(5)),
        WorstCase("ratio 7/3", {"a": 7, "b": 3}, Integer(7)),
    ),
    mutants=_MUTANTS,
    exact=a,
    formulas=_FORMULAS,
)
