r"""`cat/alpha-shape`: the share of the T largest entries as a function of T (arXiv 2003.06377)."""

from typing import Any

from sympy import IndexedBase, Rational, Sum, symbols

from theory.cat.paper import PAPER
from theory.claim import Claim, Relation, Variable
from theory.facts.antisymmetry import antisymmetry
from theory.facts.sums.split_sum import split_sum
from theory.formula import eq, le
from theory.hypotheses import definition, domain, model, parameter
from theory.statement import statement
from theory.worst_cases import cases

d, T, m, j = symbols("d T m j", real=True)
a, alpha = IndexedBase("a", real=True), IndexedBase("alpha", real=True)
ALL, KEPT, REST = (j, 0, d - 1), (j, 0, T - 1), (j, T, d - 1)

_TOTAL, _SUM, _LEFT = Sum(a[j], ALL), Sum(a[j], KEPT), Sum(a[j], REST)
_EXACT = _SUM / _TOTAL
_AVERAGE, _EXCESS = T / d, (a[0] - a[d - 1]) / (d * _TOTAL)
_INCREMENT = a[T] / _TOTAL

CLAIM = Claim(
    id="cat/alpha-shape",
    kind="lower",
    provenance="rederived",
    title="The share of the T largest entries: nondecreasing, concave, at least T/d",
    position=2,
    paper=PAPER,
    **statement(
        r"""
        $a_1\ge\dots\ge a_d$ are the squares of the entries of $g\ne0$, and
        $\alpha_t=\frac{\sum_{j=1}^ta_j}{\sum_{j=1}^da_j}$ is the share of the $t$ largest.
        (a: empty, increment) $\alpha_0=0$, and for $0\le T<d$, $\alpha$ grows by
          $$0\le\alpha_{T+1}-\alpha_T=\frac{a_{T+1}}{\sum_{j=1}^da_j}.$$ [proof; exact/share; exact/none
          sent; exact/nondecreasing; exact/increment]
        (b: concave) It is concave: for $0\le T\le d-2$
          $$\alpha_{T+2}-\alpha_{T+1}\le\alpha_{T+1}-\alpha_T.$$ [proof; exact/concave]
        (c: nonzeros) If no square after $a_m$ is positive, then $\alpha_m=1$. [proof; exact/all nonzeros
          sent]
        (d: average) For $1\le T<d$, $$\frac Td\le\frac Td+\frac{a_1-a_d}{d\sum_{j=1}^da_j}\le\alpha_T.$$
          [proof; exact/T/d; exact/excess; adversarial/d6]
        (e: equal) If $\alpha_T=\frac Td$ for one $1\le T<d$, then $a_j=a_1$ for every $j$. [proof;
          exact/flat if attained]
        (f: flat) If all $a_j$ are equal, then $\alpha_T=\frac Td$ for each $T$. [proof; exact/attained if
          flat]
        """
    ),
    variables=(
        Variable(d, "d", r"\mathbb N", "number of coordinates"),
        Variable(T, "T", r"\{0,\dots,d\}", "number of entries that are sent"),
        Variable(m, "m", r"\{1,\dots,d\}", "number of nonzeros"),
        Variable(a, "a", r"\mathbb R_{\ge0}^d", "squares of the entries, the largest first", "(d,)"),
        Variable(alpha, r"\alpha", "[0,1]", "share of the largest entries", "(d+1,)", first=0),
    ),
    notation={"g": "the gradient"},
    hypotheses={
        "sizes": domain(r"$d\ge1$, $T\ge0$ are integers; $T\le d$"),
        "sorted": definition(r"$a_j\ge a_k$ for $k\ge j$"),
        "squares": domain(r"$a_j\ge0$, $\sum_ja_j>0$"),
        "share": definition(r"$\alpha_t=\frac{\sum_{j=1}^ta_j}{\sum_{j=1}^da_j}$"),
        "below": domain(r"$T<d$"),
        "two-below": domain(r"$T\le d-2$"),
        "inner": domain(r"$1\le T<d$"),
        "zeros": definition(r"$1\le m\le d$ is an integer; $a_j=0$ for $j>m$"),
        "attained": parameter(r"$\alpha_T=\frac Td$"),
        "flat": model("all squares are equal: $a_j=a_1$"),
    },
    relations={
        "empty": Relation((alpha[0], 0), ("=",)),
        "increment": Relation((0, alpha[T + 1] - alpha[T], _INCREMENT), ("<=", "="), under=("below",)),
        "concave": Relation(
            (alpha[T + 2] - alpha[T + 1], alpha[T + 1] - alpha[T]), ("<=",), under=("two-below",)
        ),
        "nonzeros": Relation((alpha[m], 1), ("=",), under=("zeros",)),
        "average": Relation((_AVERAGE, _AVERAGE + _EXCESS, alpha[T]), ("<=", "<="), under=("inner",)),
        "equal": Relation((a[j], a[0]), ("=",), every=(ALL,), under=("inner", "attained")),
        "flat": Relation((alpha[T], _AVERAGE), ("=",), under=("flat",)),
    },
    formulas={"bound": _AVERAGE, "exact": _EXACT, "increment": _INCREMENT, "excess": _EXCESS},
    internal={"exact": "the definition of the share, in the setting"},
    worst_cases=cases("""
        flat: equality for all T | a = 4 * (1,), T = 3, d = 4 | 3/4
        `gi`, two entries | a = (81, 36, 25, 16, 9, 4, 1, 1), T = 2, d = 8 | 117/173
    """),
)

_STEEP = {d: 4, T: 2, m: 3, a: (4, 3, 1, 0), alpha: (0, Rational(1, 2), Rational(7, 8), 1, 1)}
_EVEN = {d: 3, T: 2, m: 3, a: (2, 2, 2), alpha: (0, Rational(1, 3), Rational(2, 3), 1)}


def derive(K: Any) -> None:
    """Prove the relations."""
    K.example(_STEEP)
    K.example(_EVEN)
    share, one = K.given("share"), Sum(a[j], ALL)

    def at(place: Any) -> Any:
        """Return alpha(place) times the total is the sum of the first squares."""
        kept = Sum(a[j], (j, 0, place - 1))
        return K.cert(eq(alpha[place] * _TOTAL, kept), (_TOTAL, K.at(share, place)))

    def step(place: Any) -> Any:
        first = K.split_off(Sum(a[j], (j, 0, place)))
        increment = a[place] / _TOTAL
        terms = ((1 / one, at(place + 1)), (-1 / one, at(place)), (1 / one, first))
        return K.cert(eq(alpha[place + 1] - alpha[place], increment), *terms)

    K.conclude("empty", K.cert(eq(alpha[0], 0), (1, K.at(share, 0))))
    some, every_one = (K.sum_over(K.at(K.given("flat"), j), span) for span in (KEPT, ALL))
    goal = eq(alpha[T], _AVERAGE)
    K.conclude("flat", K.cert(goal, (1 / _TOTAL, at(T)), (1 / _TOTAL, some), (-T / d / _TOTAL, every_one)))
    K.know(K.given("below"), K.axiom("integer-gap", T, d))
    now = step(T)
    K.conclude("increment", K.cert(le(0, alpha[T + 1] - alpha[T]), (1, _INCREMENT), (-1, now)), now)
    _average(K, at)
    K.know(K.given("two-below"))
    falls = (1 / one, K.at(K.given("sorted"), T, T + 1))
    goal = le(alpha[T + 2] - alpha[T + 1], alpha[T + 1] - alpha[T])
    K.conclude("concave", K.cert(goal, (1, step(T + 1)), (-1, now), falls))
    _nonzeros(K, at)


def _nonzeros(K: Any, at: Any) -> None:
    K.know(*(K.given("zeros", place) for place in range(3)))
    rest = K.sum_over(K.at(K.given("zeros", 3), j), (j, m, d - 1))
    split = split_sum(K, a[j], ALL, m)
    K.conclude(
        "nonzeros", K.cert(eq(alpha[m], 1), (1 / _TOTAL, at(m)), (-1 / _TOTAL, split), (-1 / _TOTAL, rest))
    )


def _average(K: Any, at: Any) -> None:
    """Kept squares are at least a_{T+1} and dropped ones at most that; the first and last one more so."""
    K.know(K.given("inner"), K.axiom("integer-gap", T, d))
    first, last = K.at(K.given("sorted"), 0, T), K.at(K.given("sorted"), T, d - 1)
    kept = K.sum_over(K.at(K.given("sorted"), j, T), (j, 1, T - 1))
    dropped = K.sum_over(K.at(K.given("sorted"), T, j), (j, T, d - 2))
    total = 1 / (d * _TOTAL)
    excess = K.cert(
        le(_AVERAGE + _EXCESS, alpha[T]),
        (-d * total, at(T)),
        (T * total, split_sum(K, a[j], ALL, T)),
        ((d - T) * total, kept),
        (-(d - T) * total, K.split_off(_SUM, 0)),
        (T * total, dropped),
        (T * total, K.split_off(_LEFT)),
        ((d - T - 1) * total, first),
        ((T - 1) * total, last),
    )
    spread = K.at(K.given("sorted"), 0, d - 1)
    K.conclude("average", K.cert(le(_AVERAGE, _AVERAGE + _EXCESS), (total, spread)), excess)
    # Where the bound is attained the excess is 0.
    least = K.cert(le(a[0], a[d - 1]), (d * _TOTAL, excess), (d * _TOTAL, K.given("attained")))
    above = K.cert(le(a[0], a[j]), (1, least), (1, K.at(K.given("sorted"), j, d - 1)))
    equal = antisymmetry(K, a[j], a[0], K.at(K.given("sorted"), 0, j), above)
    K.conclude("equal", K.every(equal, ALL))
