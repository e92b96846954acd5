r"""`ndqsg/finding-nesting-is-alphabet`: what nested lattices buy is a small alphabet (arXiv 1904.01197)."""

from typing import Any

from sympy import Integer, Rational, floor, symbols

from theory.claim import Claim, Relation, Variable
from theory.formula import eq, le, lt
from theory.hypotheses import definition, domain, parameter
from theory.ndqsg.paper import PAPER
from theory.statement import statement
from theory.worst_cases import cases

a, b, i, j, s, other, p, q = symbols("a b i j s other p q", real=True)
g, y, u, z, e, delta, received, decoded, k = symbols("g y u z e delta received decoded k", real=True)
HALF = Rational(1, 2)
_RATIO = a / b


_MARGIN = (_RATIO - 1) / 2

CLAIM = Claim(
    id="ndqsg/finding-nesting-is-alphabet",
    kind="finding",
    provenance="derived",
    title="Even and non-integer ratios decode correctly: nesting is about the alphabet",
    position=29,
    paper=PAPER,
    **statement(
        r"""
        The ratio of the steps is $\frac ab>1$ in lowest terms, not necessarily an integer. The symbol of
        the fine index $i$ is $s=i\bmod^*\frac ab=i-\frac ab\lfloor\frac{bi}a+\frac12\rfloor$, that of $j$
        is $s'$. With dither $u$, side information $y$, $z=\frac{g-y}\delta$ and the fine error $e=i-\frac
        g\delta-u$ the receiver decodes $\hat g=y+\delta\,((s-u-\frac y\delta)\bmod^*\frac ab)$, the rule of
        `ndqsg/nested-decoding` at $\alpha=1$.
        (a: decoding) <<Decoding needs neither an odd nor an integer ratio -> exact/largest error>>: if
          $|z|<\frac{\frac ab-1}2$ and $-\frac12\le e\le\frac12$, then $$\hat g-g=\delta e.$$ [proof;
          exact/largest error; exact/error outside the margin]
        (b: period) <<The alphabet has $a$ symbols, not about $\frac ab$ -> exact/number of symbols>>. At
          most $a$: where $j=i+a$, $s'=s$. [proof; exact/number of symbols; exact/symbol]
        (c: distinct) And <<$a$ successive indices have different symbols -> exact/number of symbols>>:
          where $s'=s$ and $i\le j<i+a$, $j=i$. [proof; exact/number of symbols]
        (d: fewest) <<An integer ratio $k$, odd or even, takes $k$ symbols -> exact/number of symbols>> by
          `ndqsg/nested-cosets`, the fewest among these ratios for its margin: if
          $\frac{k-1}2\le\frac{\frac ab-1}2$, then $k\le a$. [proof]
        """
    ),
    variables=(
        Variable(a, "a", r"\mathbb N", "numerator of the ratio of the steps, in lowest terms"),
        Variable(b, "b", r"\mathbb N", "its denominator"),
        Variable(i, "i", r"\mathbb Z", "index of the fine quantizer"),
        Variable(j, "j", r"\mathbb Z", "another index"),
        Variable(s, "s", r"\mathbb R", "symbol of $i$"),
        Variable(other, "s'", r"\mathbb R", "symbol of $j$"),
        Variable(g, "g", r"\mathbb R", "gradient"),
        Variable(y, "y", r"\mathbb R", "side information"),
        Variable(u, "u", r"\mathbb R", "dither"),
        Variable(delta, r"\delta", r"\mathbb R_{>0}", "fine step"),
        Variable(z, "z", r"\mathbb R", r"innovation $(g-y)/\delta$"),
        Variable(e, "e", r"[-\frac12,\frac12]", "error of the fine quantizer in steps"),
        Variable(decoded, r"\hat g", r"\mathbb R", "decoded gradient"),
        Variable(k, "k", r"\{2,3,\dots\}", "an integer ratio"),
        Variable(received, "r", r"\mathbb R", "what is left of the symbol"),
        Variable(p, "p", r"\mathbb Z", "a multiple of $a$"),
        Variable(q, "q", r"\mathbb Z", "a multiple of $b$"),
    ),
    notation={r"(s-u-\frac y\delta)\bmod^*\frac ab": "what the receiver adds"},
    hypotheses={
        "ratio": domain(r"$a\ge1$ and $b\ge1$ are integers, $\frac ab>1$, $\delta>0$"),
        "indices": domain("$i$ and $j$ are integers"),
        "coprime": definition(r"$p$ and $q$ are integers, $pa+qb=1$"),
        "symbols": definition(
            r"$s=i-\frac ab\lfloor\frac{bi}a+\frac12\rfloor$, "
            r"$s'=j-\frac ab\lfloor\frac{bj}a+\frac12\rfloor$"
        ),
        "receiver": definition(
            r"$r=s-u-\frac y\delta$, $\hat g=y+\delta(r-\frac ab\lfloor\frac{br}a+\frac12\rfloor)$, "
            r"$z=\frac{g-y}\delta$, $e=i-\frac g\delta-u$"
        ),
        "inside": parameter(r"$|z|<\frac{\frac ab-1}2$ and $-\frac12\le e\le\frac12$"),
        "period": parameter("$j=i+a$"),
        "same": parameter(r"$s'=s$ and $i\le j<i+a$"),
        "margins": parameter(r"$\frac{k-1}2\le\frac{\frac ab-1}2$"),
    },
    relations={
        "decoding": Relation((decoded - g, delta * e), ("=",), under=("inside",)),
        "period": Relation((other, s), ("=",), under=("period",)),
        "distinct": Relation((j, i), ("=",), under=("same",)),
        "fewest": Relation((k, a), ("<=",), under=("margins",)),
    },
    formulas={"exact": a, "symbol": i - _RATIO * floor(i / _RATIO + HALF), "margin": _MARGIN},
    internal={
        "exact": "the number of symbols, by parts (b) and (c)",
        "symbol": "the definition of the symbol",
        "margin": "the hypothesis of part (a)",
    },
    worst_cases=cases("""
        ratio 5/2 | a = 5, b = 2 | 5
        ratio 7/3 | a = 7, b = 3 | 7
    """),
)


def derive(K: Any) -> None:
    """Prove the relations: floors between integers, and Bezout's identity."""
    ratio = {a: 5, b: 2, p: 1, q: -2}
    K.example({**ratio, i: 3, j: 8, delta: 2, g: 5, y: 4, u: Rational(1, 3), k: 2})
    K.example({**ratio, i: 3, j: 3, delta: 2, g: 5, y: 4, u: Rational(1, 3), k: 2})
    first, second = K.given("symbols"), K.given("symbols", 1)
    reduced, message, innovation, fine = (K.given("receiver", place) for place in range(4))
    margin, low, high = (K.given("inside", place) for place in range(3))
    inside, cell = (z + e) / _RATIO + HALF, floor(b * i / a + HALF)
    above = K.cert(lt(inside, 1), (b / a, K.axiom("abs-above", z)), (b / a, margin), (b / a, high))
    below = K.cert(le(0, inside), (b / a, K.axiom("abs-below", z)), (b / a, margin), (b / a, low))
    moved = K.cert(
        eq(received, z + e - _RATIO * cell), (1, reduced), (1, first), (-1, innovation), (-1, fine)
    )
    value = received / _RATIO + HALF
    forgotten = _floor(
        K,
        value,
        -cell,
        K.cert(le(-cell, value), (1, below), (-b / a, moved)),
        K.cert(lt(value, -cell + 1), (1, above), (b / a, moved)),
    )
    terms = ((1, message), (delta, moved), (-delta * _RATIO, forgotten), (delta, innovation))
    K.conclude("decoding", K.cert(eq(decoded - g, delta * e), *terms))

    shift, at, start = K.given("period"), b * j / a + HALF, b * i / a + HALF
    start_low, start_high = K.axiom("floor-below", start), K.axiom("floor-above", start)
    later = _floor(
        K,
        at,
        cell + b,
        K.cert(le(cell + b, at), (1, start_low), (-b / a, shift)),
        K.cert(lt(at, cell + b + 1), (1, start_high), (b / a, shift)),
    )
    K.conclude("period", K.cert(eq(other, s), (1, second), (-1, first), (1, shift), (-_RATIO, later)))

    # j - i = a m with an integer m, which lies between 0 and 1.
    m = p * (j - i) + q * (floor(at) - cell)
    unit, same, _, most = K.given("coprime", 2), *(K.given("same", place) for place in range(3))
    divided = K.cert(eq(j - i, a * m), (-(j - i), unit), (q * b, same), (q * b, first), (-q * b, second))
    small = K.cert(lt(m, 1), (1 / a, most), (-1 / a, divided))
    zero = K.discharge(K.axiom("integer-gap", m, Integer(1)), small)
    nothing = K.cert(le(j, i), (a, zero), (1, divided))
    # Both are the larger one of them.
    largest = K.discharge(K.axiom("max-is-right", j, i), nothing)
    K.conclude("distinct", K.cert(eq(j, i), (-1, K.axiom("max-is-right", i, j)), (1, largest)))
    K.conclude("fewest", K.cert(le(k, a), (2, K.given("margins")), (a / b, b - 1)))


def _floor(K: Any, value: Any, number: Any, low: Any, high: Any) -> Any:
    """Return that the floor of a value is a number."""
    return K.discharge(K.axiom("floor-unique", value, number), low, high)
