r"""`ndqsg/finding-float-index`: in single precision the largest entry overflows (arXiv 1904.01197)."""

from typing import Any

from sympy import Integer, Rational, Symbol

from theory.claim import Claim, Hypothesis, Part, Relation, Variable, WorstCase
from theory.formula import IsInteger, eq, le, lt
from theory.ndqsg.paper import PAPER

a, i, u = (Symbol(name, real=True) for name in ("a", "i", "u"))
HALF = Rational(1, 2)
_EXACT = 2**a
_ULP = 2**a / Integer(2) ** 24
_AWAY = (2 * i + 1) / Integer(2) ** 25
_ALL = Integer(2) ** 24
_LARGE = (2 * (_ALL - 1 - i) + 1) / Integer(2) ** 25 - HALF

CLAIM = Claim(
    id="ndqsg/finding-float-index",
    kind="finding",
    provenance="derived",
    title="An index computed in single precision overflows at the largest coordinate",
    position=6,
    paper=PAPER,
    setting=(
        r"In exact arithmetic a coordinate has $2M+1$ indices. Computed in float32, as gradients often are, "
        r"the sum is rounded up, and the index of the largest coordinate to one above $M$, if "
        r"the dither $u$ is nearer to one half than half a unit in the last place of $M$. Let "
        r"$a=\lfloor\log_2M\rfloor$, and number the dithers by $i$ from the largest one on, from zero."
    ),
    parts=(
        Part(
            "a",
            r"Of the dithers of 24 bits $u=\frac{2(2^{24}-1-i)+1}{2^{25}}-\frac12$ is off one half by "
            r"$\frac12-u=\frac{2i+1}{2^{25}}$.",
            says=("distance",),
            evidence=("proof",),
            pins={"24 bits": "exact/overloads"},
        ),
        Part(
            "b",
            r"Half a unit in the last place of $M$ is $\frac{2^a}{2^{24}}$. If $i\le2^a-1$, then "
            r"$\frac{2i+1}{2^{25}}<\frac{2^a}{2^{24}}$: it overflows.",
            says=("inside",),
            evidence=("proof", "exact/half ulp"),
            pins={r"$\frac{2^a}{2^{24}}$": "exact/half ulp"},
        ),
        Part(
            "c",
            r"If $2^a\le i$, then $\frac{2^a}{2^{24}}<\frac{2i+1}{2^{25}}$: it does not.",
            says=("outside",),
            evidence=("proof",),
        ),
        Part(
            "d",
            r"So $2^a$ dithers overflow, a fraction $\frac{2^a}{2^{24}}$ of all.",
            evidence=("exact/overloads", "exact/fraction"),
            pins={"$2^a$": "exact/overloads", r"$\frac{2^a}{2^{24}}$": "exact/fraction"},
        ),
        Part(
            "e",
            r"They were all counted, also with rounding half to even, which changes nothing at odd $M$. Such "
            r"an index has no symbol. What holds instead: see `ndqsg/float-overload`.",
            evidence=("exact/overloads",),
        ),
    ),
    variables=(
        Variable(a, "a", r"\mathbb N_0", r"$\lfloor\log_2M\rfloor$"),
        Variable(i, "i", r"\mathbb N_0", "number of the dither, from the largest one on"),
        Variable(u, "u", r"(-\frac12,\frac12)", "dither"),
    ),
    notation={"M": "number of levels", r"\log_2": "binary logarithm"},
    hypotheses={
        "numbers": Hypothesis(
            "domain", (IsInteger(a), le(0, a), IsInteger(i), le(0, i)), r"$a$ and $i$ are integers from 0 on"
        ),
        "dither": Hypothesis("definition", eq(u, _LARGE), r"$u=\frac{2(2^{24}-1-i)+1}{2^{25}}-\frac12$"),
        "first": Hypothesis("parameter", le(i, _EXACT - 1), r"$i\le2^a-1$"),
        "later": Hypothesis("parameter", le(_EXACT, i), r"$2^a\le i$"),
    },
    relations={
        "distance": Relation((HALF - u, _AWAY), ("=",)),
        "inside": Relation((_AWAY, _ULP), ("<",), under=("first",)),
        "outside": Relation((_ULP, _AWAY), ("<",), under=("later",)),
    },
    formulas={"exact": _EXACT, "fraction": _ULP, "half_ulp": _ULP},
    internal={"exact": "the count of part (d), which is also the hypothesis of (b)"},
    worst_cases=tuple(
        WorstCase(f"{levels} levels", {"a": exponent}, Integer(2**exponent))
        for levels, exponent in ((1, 0), (3, 1), (7, 2), (127, 6))
    ),
)


def derive(K: Any) -> None:
    """Prove the relations."""
    K.example({a: 2, i: 3})
    K.example({a: 2, i: 4})
    spacing = Rational(1, 2**25)
    K.conclude("distance", K.cert(eq(HALF - u, _AWAY), (-1, K.given("dither"))))
    K.conclude("inside", K.cert(lt(_AWAY, _ULP), (2 * spacing, K.given("first"))))
    K.conclude("outside", K.cert(lt(_ULP, _AWAY), (2 * spacing, K.given("later"))))
