r"""`ndqsg/finding-float-index`: in single precision the largest entry overflows (arXiv 1904.01197)."""

from typing import Any

from sympy import IndexedBase, Integer, Rational, symbols

from theory.claim import Claim, Relation, Variable
from theory.facts.sums.split_sum import split_sum
from theory.formula import eq, le, lt
from theory.hypotheses import definition, domain, parameter
from theory.ndqsg.dither.float_sums import (
    AWAY,
    HALF,
    HALF_TO_EVEN,
    SUMS,
    ULP,
    M,
    a,
    even,
    half,
    i,
    prove_sums,
    q,
    q_left,
    r,
    r_other,
    s_left,
    u,
    w_left,
)
from theory.ndqsg.paper import PAPER
from theory.statement import statement
from theory.worst_cases import cases

k, N, count = symbols("k N count", real=True)
over = IndexedBase("over", real=True)
_EXACT = 2**a
DITHERS = (k, 0, N - 1)

CLAIM = Claim(
    id="ndqsg/finding-float-index",
    kind="finding",
    provenance="derived",
    title="An index computed in single precision can overflow at the largest coordinate",
    position=6,
    paper=PAPER,
    **statement(
        r"""
        In exact arithmetic a coordinate has $M$ indices of each sign, and zero. Let
        $a=\lfloor\log_2M\rfloor$ and $a\le22$: then float32 has a number midway between $M$ and $M+1$.
        Computed in float32, as gradients often are, the sum is rounded up, and the index of the largest
        coordinate to one above $M$, if the dither $u$ is nearer to one half than half a unit in the last
        place of $M$. Number the dithers by $i$ from the largest one on, from zero.
        (a: distance) Of the dithers of <<24 bits -> exact/overloads>>
          $u=\frac{2(2^{24}-1-i)+1}{2^{25}}-\frac12$ is off one half by $\frac12-u=\frac{2i+1}{2^{25}}$.
          [proof]
        (b: inside) Half a unit in the last place of $M$ is <<$\frac{2^a}{2^{24}}$ -> exact/half ulp>>. If
          $i\le2^a-1$, then $\frac{2i+1}{2^{25}}<\frac{2^a}{2^{24}}$: it overflows. [proof; exact/half ulp]
        (c: outside) If $2^a\le i$, then $\frac{2^a}{2^{24}}<\frac{2i+1}{2^{25}}$: it does not. [proof]
        (d: count) So of the first $N$ dithers $C=2^a$ overflow, if $2^a\le N$: <<of all a fraction
          $\frac{2^a}{2^{24}}$ -> exact/fraction>>. [proof; exact/overloads; exact/fraction]
        (e: even) <<All were counted for $M=3$ and $M=2^{23}-1$, in the full profile for 1, 7 and 127, too ->
          exact/overloads>>; such an index has no symbol. A sum that is rounded up lies midway between $M$
          and $M+1$; rounding it half to even changes nothing there at odd $M$: if $M=2m+1$ and $M\le2h\le
          M+1$, the even number $2h$ is $2h=M+1$. What holds instead: see `ndqsg/float-overload`. [proof;
          exact/overloads]
        (f: last, each) Beyond that float32 has no number between $M$ and $M+1$, and the count is another one:
          for each dither, $i\le2^{24}-1$, the index is $q\le M$ if $M=2^{23}$, and $q=M+1$ if $M=2^{23}+1$.
          [proof; exact/overloads without halves]
        (g: left) At the other end, the negative of that coordinate, the same rule has an index inside,
          $-M\le q'\le M$, for each dither. [proof; exact/overloads at -1]
        (h: up, stay, down, back) Rounded half to even, as many indices overflow there, at the opposite
          dithers, as at the largest coordinate, for $M=2m+1$ and $2^a\le M\le2^{a+1}-1$: if
          $i\le2^a-1$, they are $r=M+1$ and $r'=-M-1$; if $2^a\le i$, $-M\le r\le M$ and $-M\le r'\le
          M$. [proof;
          exact/overloads at -1, half to even; exact/overloads at 1, half to even]
        """
    ),
    variables=(
        Variable(a, "a", r"\mathbb N_0", r"$\lfloor\log_2M\rfloor$"),
        Variable(i, "i", r"\mathbb N_0", "number of the dither, from the largest one on"),
        Variable(N, "N", r"\mathbb N", "number of dithers that are looked at"),
        Variable(count, "C", r"\mathbb N", "how many of them overflow"),
        Variable(M, "M", r"\mathbb N", "number of levels"),
        Variable(half, "m", r"\mathbb N_0", "half of $M-1$, for odd $M$"),
        Variable(even, "h", r"\mathbb Z", "half of an even number"),
        Variable(q, "q", r"\mathbb Z", "index at the largest coordinate"),
        Variable(q_left, "q'", r"\mathbb Z", "index at the negative of the largest coordinate"),
        Variable(r, "r", r"\mathbb Z", "index at the largest coordinate, rounded half to even"),
        Variable(
            r_other,
            "r'",
            r"\mathbb Z",
            "index at the negative of coordinate and dither, rounded half to even",
        ),
        Variable(u, "u", r"(-\frac12,\frac12)", "dither"),
        Variable(w_left, "w'", r"\mathbb R", "computed sum at the negative of the largest coordinate"),
        Variable(s_left, "s'", r"\mathbb R", "the computed sum of it and one half"),
        Variable(over, "o", r"\{0,1\}^N", "whether a dither overflows", "(N,)", first=0),
    ),
    notation={r"\log_2": "binary logarithm"},
    hypotheses={
        "numbers": domain(r"$a$ and $i$ are integers from 0 on, $a\le22$"),
        "dither": definition(r"$u=\frac{2(2^{24}-1-i)+1}{2^{25}}-\frac12$"),
        "first": parameter(r"$i\le2^a-1$"),
        "later": parameter(r"$2^a\le i$"),
        "indicators": definition(
            r"$o_k^2=o_k$, $(2o_k-1)\Big(\frac{2^a}{2^{24}}-\frac{2k+1}{2^{25}}\Big)\ge0$, $C=\sum_ko_k$"
        ),
        "size": domain("$N$ is an integer"),
        "few": parameter(r"$2^a\le N$"),
        "halves": domain(r"$m$ and $h$ are integers"),
        "odd": parameter(r"$M=2m+1$"),
        "near": parameter(r"$M\le2h\le M+1$"),
        "levels": domain(r"$M\ge1$ is an integer"),
        "all": parameter(r"$i\le2^{24}-1$"),
        "last": parameter("$M=2^{23}$"),
        "beyond": parameter("$M=2^{23}+1$"),
        **SUMS,
        "exponent": definition(r"$2^a\le M\le2^{a+1}-1$"),
        **HALF_TO_EVEN,
    },
    relations={
        "distance": Relation((HALF - u, AWAY), ("=",)),
        "inside": Relation((AWAY, ULP), ("<",), under=("first",)),
        "outside": Relation((ULP, AWAY), ("<",), under=("later",)),
        "count": Relation((count, _EXACT), ("=",), under=("indicators", "few")),
        "last": Relation((q, M), ("<=",), under=("sums", "all", "last")),
        "each": Relation((q, M + 1), ("=",), under=("sums", "all", "beyond")),
        "left": Relation((-M, q_left, M), ("<=", "<="), under=("left", "all")),
        "up": Relation((r, M + 1), ("=",), under=("even", "odd", "exponent", "first")),
        "stay": Relation((-M, r, M), ("<=", "<="), under=("even", "odd", "exponent", "later")),
        "down": Relation((r_other, -M - 1), ("=",), under=("opposite", "odd", "exponent", "first")),
        "back": Relation((-M, r_other, M), ("<=", "<="), under=("opposite", "odd", "exponent", "later")),
        "even": Relation((2 * even, M + 1), ("=",), under=("odd", "near")),
    },
    formulas={"exact": _EXACT, "fraction": ULP, "half_ulp": ULP},
    internal={"exact": "the count of part (d), which is also the hypothesis of (b)"},
    worst_cases=cases("""
        1 levels | a = 0 | 1
        3 levels | a = 1 | 2
        7 levels | a = 2 | 4
        127 levels | a = 6 | 64
        the largest number of levels | a = 22 | 4194304
    """),
)


def derive(K: Any) -> None:
    """Prove the relations."""
    K.example({a: 2, i: 3})
    K.example({a: 2, i: 4})
    K.example({a: 0, i: 1, N: 2, over: (1, 0)})
    K.example({M: 7, half: 3, even: 4})
    spacing = Rational(1, 2**25)
    K.conclude("distance", K.cert(eq(HALF - u, AWAY), (-1, K.given("dither"))))
    K.conclude("inside", K.cert(lt(AWAY, ULP), (2 * spacing, K.given("first"))))
    K.conclude("outside", K.cert(lt(ULP, AWAY), (2 * spacing, K.given("later"))))
    step = K.cert(le(1, 2 ** (a + 1)), (2, K.assume(le(1, 2**a))), (1, 1))
    K.know(K.given("few"), K.at(K.induction(a, K.cert(le(1, 1)), step), a))
    split = split_sum(K, over[k], DITHERS, _EXACT)
    low, high = symbols("low high", real=True)
    near = K.cert(lt(0, ULP - AWAY.subs(i, low)), (2 * spacing, K.assume(le(low, _EXACT - 1))))
    far = K.cert(lt(0, AWAY.subs(i, high) - ULP), (2 * spacing, K.assume(le(_EXACT, high))))
    ones = K.sum_over(_indicator(K, low, near, 1), (low, 0, _EXACT - 1))
    zeros = K.sum_over(_indicator(K, high, far, 0), (high, _EXACT, N - 1))
    terms = ((1, K.given("indicators", 2)), (1, split), (1, ones), (1, zeros))
    K.conclude("count", K.cert(eq(count, _EXACT), *terms))
    _half_to_even(K)
    prove_sums(K)


def _half_to_even(K: Any) -> None:
    """Conclude part (e): h is above m + 1/2, so at least m + 1, and at most that."""
    odd, low, high = K.given("odd"), K.given("near"), K.given("near", 1)
    above = K.cert(lt(half, even), (HALF, low), (-HALF, odd), (HALF, K.sign(lt(Integer(0), Integer(1)))))
    least = K.discharge(K.axiom("integer-gap", half, even), above)
    top = K.cert(le(even, half + 1), (HALF, high), (HALF, odd))
    smaller, larger = K.axiom("max-is-right", even, half + 1), K.axiom("max-is-right", half + 1, even)
    same = (2, K.discharge(smaller, top)), (-2, K.discharge(larger, least))
    K.conclude("even", K.cert(eq(2 * even, M + 1), *same, (-1, odd)))


def _indicator(K: Any, place: Any, distance: Any, value: int) -> Any:
    """Return that an indicator is 1 or 0: it is no other number, and on one side of one half."""
    own, side = (K.at(K.given("indicators", number), place) for number in range(2))
    item, sign = over[place], 2 * value - 1
    gap = sign * (ULP - AWAY.subs(i, place))
    K.know(distance)
    K.know(K.cert(le(0, sign * (2 * item - 1)), (1 / gap, side)))
    other = item if value else 1 - item
    K.know(K.cert(lt(0, other), (HALF, sign * (2 * item - 1))))
    return K.cert(eq(item, value), (sign / other, own))
