r"""`ndqsg/nested-cosets`: which integer ratios are allowed, and their symbols (arXiv 1904.01197).

Every integer $k\ge2$ works, even ones too: $s=i\bmod^*k$ takes exactly $k$ values, from $-\lfloor k/2\rfloor$
to $k-1-\lfloor k/2\rfloor$. Quantizing $t$ itself with the coarse step, $s=Q(t)-kQ(t/k)$, takes $k+1$ for
even $k$.

Derivation: $i\bmod^*k$ has the period $k$ and is the identity on $-\frac k2\le i<\frac k2$. The boundaries
$(j-\frac12)k$ of coarse cells are half-integers, that is boundaries of fine cells, iff $k$ is odd.
"""

from collections.abc import Mapping

from sympy import Expr, Integer, Rational, Symbol, floor

from theory.ndqsg.nested_symbols import HALF, NESTED, with_integers_outside
from theory.ndqsg.paper import PAPER
from theory.ndqsg.symbols import RATIO, ROUNDING, j, k
from theory.old_form import Claim, Mutant, Variable, WorstCase, expressions
from theory.old_steps import Certificate, Identity, StandardFact, Step, Term

i = Symbol("i", integer=True)

_SYMBOL = i - k * floor(i / k + HALF)
_FORMULAS = {
    "symbol": _SYMBOL,
    "smallest": -floor(k / 2),
    "largest": k - 1 - floor(k / 2),
    "direct_even": k + 1,
    "boundary": (j - HALF) * k,
}

_SHOWN = (2, 3, 4, 5, 6, 7)
_h = Symbol("h", integer=True, positive=True)
_n = Symbol("n", integer=True)
_t = Symbol("t", integer=True, nonnegative=True)

DIVISION = StandardFact(
    "division",
    r"Every integer $i$ is $kn+t-\lfloor k/2\rfloor$ with exactly one pair of integers $n$ and $0\le t<k$.",
    "R. Graham, D. Knuth, O. Patashnik, Concrete Mathematics, 2nd ed., section 3.4",
)


def derivation(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    """Return the steps, built from the stated expressions."""

    def symbol(index: Expr, ratio: Expr = k) -> Expr:
        return with_integers_outside(stated["symbol"].xreplace({i: index, k: ratio}))

    steps: list[Step] = [
        Identity(
            "period",
            r"$(i+k)\bmod^*k=i\bmod^*k$: the symbol depends on the coset of $i$ only.",
            symbol(i + k),
            symbol(i),
        ),
        DIVISION,
        *_representatives(stated, "even", 0),
        *_representatives(stated, "odd", 1),
    ]
    for ratio in _SHOWN:
        found = sorted({symbol(Integer(place), Integer(ratio)) for place in range(-2 * ratio, 2 * ratio)})
        steps += [
            Identity(
                f"representatives-{ratio}",
                rf"The symbols of $k={ratio}$ over four periods are the stated range four times: the sums of "
                "their squares agree.",
                sum(symbol(Integer(n), Integer(ratio)) ** 2 for n in range(-2 * ratio, 2 * ratio)),
                Integer(4 * sum(n**2 for n in range(-(ratio // 2), ratio - ratio // 2))),
            ),
            Identity(
                f"count-{ratio}",
                rf"The number of different symbols for $k={ratio}$ (for all $k$: `count-even`, `count-odd`).",
                Integer(len(found)),
                stated["exact"].subs(k, ratio),
            ),
            Identity(
                f"smallest-{ratio}",
                rf"The smallest for $k={ratio}$.",
                found[0],
                stated["smallest"].subs(k, ratio),
            ),
            Identity(
                f"largest-{ratio}",
                rf"The largest for $k={ratio}$.",
                found[-1],
                stated["largest"].subs(k, ratio),
            ),
        ]
    return (*steps, *_direct(stated))


def _representatives(stated: Mapping[str, Expr], name: str, odd: int) -> tuple[Step, ...]:
    """Return the steps by which the symbols of k = 2h + odd are t - h, t = 0, ..., k - 1."""
    half, place = (k - odd) / 2, (_t + Rational(odd, 2)) / k
    written = with_integers_outside(stated["symbol"].xreplace({i: k * _n + _t - half}))
    ratio = 2 * _h + odd
    text = r"t+\frac12" if odd else "t"
    return (
        Certificate(
            f"inside-{name}",
            rf"$k$ {name}: $0\le{text}<k$ for a remainder $t\le k-1$, so $\lfloor({text})/k\rfloor=0$.",
            place,
            1 - (1 - Rational(odd, 2)) / k,
            (Term(1 / k, k - 1 - _t, "hypothesis: t is a remainder, at most k - 1"),),
        ),
        Identity(
            f"symbols-{name}",
            rf"$k$ {name}: the symbol of $i=kn+t-\lfloor k/2\rfloor$ is $t-\lfloor k/2\rfloor$.",
            written.xreplace({floor(place.expand()): Integer(0)}),
            _t - half,
        ),
        Identity(
            f"smallest-{name}",
            rf"$k$ {name}: at $t=0$ it is the stated smallest one.",
            (_t - half).subs({_t: 0, k: ratio}),
            stated["smallest"].subs(k, ratio),
        ),
        Identity(
            f"largest-{name}",
            rf"$k$ {name}: at $t=k-1$ the stated largest one.",
            (_t - half).subs(_t, k - 1).subs(k, ratio),
            stated["largest"].subs(k, ratio),
        ),
        Identity(
            f"count-{name}",
            rf"$k$ {name}: from the smallest to the largest there are as many integers as stated.",
            (stated["largest"] - stated["smallest"] + 1).subs(k, ratio),
            stated["exact"].subs(k, ratio),
        ),
    )


def _direct(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    boundary = stated["boundary"]
    return (
        Identity(
            "odd-boundaries",
            r"For $k=2h+1$ a coarse boundary is an integer and a half, so a boundary of fine cells: "
            r"$Q(t/k)=Q(Q(t)/k)$.",
            boundary.subs(k, 2 * _h + 1),
            (2 * _h * j + j - _h - 1) + HALF,
        ),
        Identity(
            "even-boundaries",
            r"For $k=2h$ it is an integer, in the middle of a fine cell, which it cuts in two.",
            boundary.subs(k, 2 * _h),
            2 * _h * j - _h,
        ),
        *(
            Identity(
                f"direct-{ratio}",
                rf"$Q(t)-kQ(t/k)$ takes ${ratio + 1 - ratio % 2}$ values for $k={ratio}$ (all cells of both "
                r"quantizers have points $t$ with $8t$ an odd integer).",
                Integer(len(_direct_symbols(ratio))),
                (stated["exact"] if ratio % 2 else stated["direct_even"]).subs(k, ratio),
            )
            for ratio in _SHOWN
        ),
        Identity(
            "direct-even",
            r"$k=2h$: on the coarse cell $-h\le t<h$ of $Q(t/k)=0$ the fine index $Q(t)$ goes from $-h$, at "
            r"$t=-h$, to $h$, at $t=h-\frac14$: $2h+1$ symbols, and other cells repeat them.",
            floor(_h - Rational(1, 4) + HALF) - floor(-_h + HALF) + 1,
            stated["direct_even"].subs(k, 2 * _h),
        ),
    )


def _direct_symbols(ratio: int) -> set[Expr]:
    points = [Rational(place, 8) for place in range(-16 * ratio + 1, 16 * ratio, 2)]
    return {floor(t + HALF) - ratio * floor(t / ratio + HALF) for t in points}


_MUTANTS = (
    Mutant(
        "direct-coarse-index",
        r"$s=Q(t)-kQ(t/k)$ with an even $k$: $k+1$ symbols, 5 at $k=4$; decoding stays right.",
        ("exact",),
    ),
    Mutant(
        "half-to-even",
        r"Round $i/k$ half to even: $k+1$ symbols for an even $k$, both $\frac k2$ and $-\frac k2$.",
        ("exact",),
    ),
    Mutant(
        "symmetric-even-alphabet",
        r"Claim a symmetric alphabet for an even $k$: $\frac k2$ is never sent.",
        ("exact",),
    ),
    Mutant(
        "shifted-period",
        r"Shift gradient and side information by $k$ fine steps: the same symbols.",
        ("exact",),
        neutral=True,
    ),
)

OLD = Claim(
    id="ndqsg/nested-cosets",
    paper=PAPER,
    kind="identity",
    provenance="derived",
    title="Every integer ratio works, and the coset rule needs exactly k symbols",
    statement=(
        r"For every integer $k\ge2$ the symbol $s=i\bmod^*k$ takes exactly $k$ values, $-\lfloor "
        r"k/2\rfloor,\dots,k-1-\lfloor k/2\rfloor$, and decoding is as in `ndqsg/nested-decoding`: only the "
        r"coset of $i$ matters. An odd $k$ is needed only for (a) a symmetric alphabet and (b) "
        r"$Q(t/k)=Q(Q(t)/k)$, so that one may quantize $t$ with the coarse step directly: the coarse "
        r"boundaries $(j-\frac12)k$ are then fine ones. For an even $k$ they fall inside fine cells, and "
        r"$s=Q(t)-kQ(t/k)$, or rounding $i/k$ half to even, takes $k+1$ values, while decoding stays right."
    ),
    variables=(
        RATIO,
        Variable(i, r"\mathbb Z", "index of the fine quantizer"),
        Variable(j, r"\mathbb Z", "number of a coarse cell"),
    ),
    assumptions=(ROUNDING, NESTED),
    derivation=lambda: derivation(expressions(None, k, _FORMULAS)),
    worst_cases=(
        WorstCase("ratio 3, symbols -1, 0, 1", {"k": 3}, Integer(3)),
        WorstCase("ratio 4, symbols -2, -1, 0, 1; quantized directly there is a fifth", {"k": 4}, Integer(4)),
    ),
    mutants=_MUTANTS,
    exact=k,
    formulas=_FORMULAS,
)
