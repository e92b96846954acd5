r"""`cat/affine-unimodal`: the efficiency $\alpha(T)/C(T)$ for costs affine in T (arXiv 2003.06377)."""

from typing import Any

from sympy import Sum, Symbol

from theory.cat.descent.affine_model import (
    EFFICIENCIES,
    ENOUGH,
    EXACT,
    GROWTH,
    HYPOTHESES,
    KEPT,
    TOTAL,
    A,
    C,
    E,
    S,
    T,
    a,
    b_0,
    b_1,
    c_0,
    c_1,
    d,
    h,
    increment,
    j,
    m,
)
from theory.cat.paper import PAPER
from theory.claim import Claim, Relation, Variable
from theory.facts.antisymmetry import antisymmetry
from theory.facts.sums.split_sum import split_sum
from theory.facts.sums.telescoping_sum import telescoping_sum
from theory.formula import eq, le, lt
from theory.statement import statement
from theory.worst_cases import cases

CLAIM = Claim(
    id="cat/affine-unimodal",
    kind="ordering",
    provenance="derived",
    title="Affine costs: the efficiency has one peak, which a larger fixed cost does not move down",
    position=3,
    paper=PAPER,
    **statement(
        r"""
        $a_1\ge\dots\ge a_d$ are the squares of the entries of $g\ne0$, $A_t=\sum_{j=1}^ta_j$, and a message
        of $t$ entries costs $C_t>0$. Its efficiency is $E_t=\frac{A_t}{A_dC_t}$; let
        $h_t=a_{t+1}C_t-(C_{t+1}-C_t)A_t$.
        (a: growth) $E$ grows where $h_T$ is positive: for $T\le d-1$
          $$E_{T+1}-E_T=\frac{h_T}{A_dC_TC_{T+1}}.$$ [proof; exact/growth; exact/sign of the growth]
        (b: falls, once) <<If $C$ is nondecreasing and convex, then $E$ has one peak -> exact/after a
          fall>>: for $S\le T\le d-1$ $$h_T\le h_S,$$ and if $E_{S+1}\le E_S$, then $E_{T+1}\le E_T$.
          [proof; exact/after a fall; exact/efficiency of the rule; exact/smallest maximiser;
          adversarial/d5]
        (c: increment, exact, affine-growth) Let now $C_t=c_0+c_1t$ with $c_0\ge0$ and $c_1>0$. It is
          convex: for $T\le d-1$, $C_{T+1}-C_T=c_1$, and
          $$E_T=\frac{\sum_{j=1}^Ta_j}{(\sum_{j=1}^da_j)(c_0+c_1T)},\qquad
          h_T=a_{T+1}(c_0+c_1T)-c_1\sum_{j=1}^Ta_j.$$ [proof; exact/efficiency; exact/affine growth]
        (d: one-entry) If $c_0=0$, one entry is best: $$E_T\le E_1.$$ [proof; exact/one entry]
        (e: tied) If $c_0=0$ and $a_T=a_1$, then $T$ entries are as good: $E_T=E_1$. [proof; exact/ties
          without fixed cost]
        (f: only-tied) No others are: if $c_0=0$ and $E_T=E_1$, then $a_T=a_1$. [proof; exact/last of them]
        (g: dearer) The smallest maximiser does not move down <<as $\frac{c_0}{c_1}$ grows -> exact/grows>>.
          For $S\le T$: if $\frac{A_S}{c_0+c_1S}<\frac{A_T}{c_0+c_1T}$, $\frac{b_0}{b_1}\ge\frac{c_0}{c_1}$
          and $b_0\ge0$, $b_1>0$, then $$\frac{A_S}{b_0+b_1S}<\frac{A_T}{b_0+b_1T}.$$ [proof; exact/grows]
        (h: fewer, more) It is the number $m$ of nonzeros once
          $\frac{c_0}{c_1}\ge\frac{\sum_{j=1}^ma_j}{a_m}$: $E_S<E_m$ for $S<m$, and $E_T\le E_m$ for $m\le
          T$. [proof; exact/all nonzeros]
        (i: capped-1, capped-2, capped-3, capped-4, capped-5, capped-6) <<For concave costs there may be two
          peaks -> exact/capped efficiency>>. A price capped by that of the dense gradient,
          <<$C_t=\min(5t,18)$, and squares $(9,1,1,1,1,1)$ -> exact/capped efficiency>> have
          $E_1={value:capped[0]}$, $E_2={value:capped[1]}$, $E_3={value:capped[2]}$,
          $E_4={value:capped[3]}$, $E_5={value:capped[4]}$ and $E_6={value:capped[5]}$. [proof; exact/capped
          efficiency]
        """
    ),
    variables=(
        Variable(d, "d", r"\mathbb N", "number of coordinates"),
        Variable(T, "T", r"\{1,\dots,d\}", "number of entries that are sent"),
        Variable(S, "S", r"\{1,\dots,d\}", "another number of entries"),
        Variable(m, "m", r"\{1,\dots,d\}", "number of nonzeros of $g$"),
        Variable(c_0, "c_0", r"\mathbb R_{\ge0}", "cost of a message besides its entries"),
        Variable(c_1, "c_1", r"\mathbb R_{>0}", "cost of an entry"),
        Variable(b_0, "b_0", r"\mathbb R_{\ge0}", "another fixed cost"),
        Variable(b_1, "b_1", r"\mathbb R_{>0}", "another cost of an entry"),
        Variable(a, "a", r"\mathbb R_{\ge0}^d", "squares of the entries, the largest first", "(d,)"),
        Variable(A, "A", r"\mathbb R_{\ge0}^{d+1}", "sums of the largest ones", "(d+1,)", first=0),
        Variable(C, "C", r"\mathbb R_{\ge0}^{d+1}", "costs", "(d+1,)", first=0),
        Variable(E, "E", r"\mathbb R_{\ge0}^{d+1}", "efficiencies", "(d+1,)", first=0),
        Variable(h, "h", r"\mathbb R^{d+1}", "growth of the efficiency", "(d+1,)", first=0),
    ),
    notation={"g": "the gradient", "C": "the cost", "E": "the efficiency"},
    hypotheses=HYPOTHESES,
    relations={
        "growth": Relation((E[T + 1] - E[T], h[T] / (A[d] * C[T] * C[T + 1])), ("=",), under=("below",)),
        "falls": Relation((h[T], h[S]), ("<=",), under=("convex", "below", "before")),
        "once": Relation((E[T + 1], E[T]), ("<=",), under=("convex", "below", "before", "fell")),
        "increment": Relation((C[T + 1] - C[T], c_1), ("=",), under=("affine", "below")),
        "exact": Relation((E[T], EXACT), ("=",), under=("affine",)),
        "affine-growth": Relation((h[T], GROWTH), ("=",), under=("affine", "below")),
        "one-entry": Relation((E[T], E[1]), ("<=",), under=("affine", "free")),
        "tied": Relation((E[T], E[1]), ("=",), under=("affine", "free", "tied")),
        "only-tied": Relation((a[T - 1], a[0]), ("=",), under=("affine", "free", "as-good")),
        "dearer": Relation(
            (A[S] / (b_0 + b_1 * S), A[T] / (b_0 + b_1 * T)), ("<",), under=("affine", "before", "dearer")
        ),
        "fewer": Relation((E[S], E[m]), ("<",), under=("affine", "nonzeros", "enough", "fewer")),
        "more": Relation((E[T], E[m]), ("<=",), under=("affine", "nonzeros", "enough", "more")),
        **{
            f"capped-{size}": Relation((E[size], value), ("=",), under=("capped",))
            for size, value in enumerate(EFFICIENCIES, start=1)
        },
    },
    formulas={
        "exact": EXACT,
        "efficiency": KEPT / (TOTAL * C[T]),
        "growth": GROWTH,
        "growth_any_cost": a[T] * C[T] - (C[T + 1] - C[T]) * KEPT,
        "all_entries": ENOUGH,
    },
    internal={
        "efficiency": "the definition of the efficiency, in the setting",
        "growth_any_cost": "the definition of $h$, in the setting",
        "all_entries": "the hypothesis of part (h)",
    },
    values={"capped": EFFICIENCIES},
    worst_cases=cases(r"""
        `gi`, $C=T+5$: three entries are the best | a = (81, 36, 25, 16, 9, 4, 1, 1), T = 3, d = 8, c_0 = 5,
          c_1 = 1 | 71/692
        one peak fails for the concave cost $\min(5T,18)$: a second rise at the fifth entry
          | a = (9,) + 5 * (1,), T = 5, d = 6, C = (0, 5, 10, 15, 18, 18, 18) | 13/252
    """),
)


def derive(K: Any) -> None:
    """Prove the relations: sums of sorted squares against the next one."""
    total = K.cert(eq(A[d], TOTAL), (1, K.at(K.given("kept"), d)))
    K.know(K.cert(lt(0, A[d]), (1, K.sign(lt(0, TOTAL))), (-1, total)))
    _affine(K)
    _one_peak(K)
    _capped(K)


def _kept(K: Any, place: Any) -> Any:
    return K.at(K.given("kept"), place)


def _between(K: Any, low: Any, high: Any, at_least: Any) -> Any:
    """Return that the squares after `low` up to `high` add up to at least as often the square `at_least`."""
    span = (j, low, high - 1)
    each = K.sum_over(K.at(K.given("sorted"), j, at_least), span)
    terms = ((1, each), (-1, split_sum(K, a[j], (j, 0, high - 1), low)))
    return K.cert(
        le((high - low) * a[at_least], A[high] - A[low]), *terms, (1, _kept(K, low)), (-1, _kept(K, high))
    )


def _efficiency(K: Any, place: Any) -> Any:
    """Return the efficiency at an affine cost, written out with A."""
    cost = K.at(K.given("affine", 2), place)
    return K.rewrite(K.at(K.given("efficiency"), place), cost, side="right")


def _growth(K: Any, place: Any) -> Any:
    """Return by what the efficiency grows from a place to the next."""
    grown = K.cert(
        eq(A[place + 1], A[place] + a[place]),
        (1, _kept(K, place + 1)),
        (-1, _kept(K, place)),
        (1, K.split_off(Sum(a[j], (j, 0, place)))),
    )
    following = A[d] * C[place + 1]
    return K.cert(
        eq(E[place + 1] - E[place], h[place] / (C[place] * following)),
        (1, K.at(K.given("efficiency"), place + 1)),
        (-1, K.at(K.given("efficiency"), place)),
        (-1 / (C[place] * following), K.at(K.given("growth"), place)),
        (1 / following, grown),
    )


def _one_peak(K: Any) -> None:
    """Compare h at two places: the squares between are larger, the increments of the cost smaller."""
    K.know(K.given("below"))
    growth = _growth(K, T)
    K.conclude("growth", growth)
    K.conclude("increment", _affine_increment(K))
    written = K.at(K.given("growth"), T)
    for equation in (K.at(K.given("affine", 2), T + 1), K.at(K.given("affine", 2), T), _kept(K, T)):
        written = K.rewrite(written, equation, side="right")
    K.conclude("affine-growth", K.cert(eq(h[T], GROWTH), (1, written)))
    K.know(K.given("convex"), K.given("convex", 1), K.given("before"))
    K.know(K.cert(le(S + 1, d), (1, K.given("before")), (1, K.given("below"))))
    K.know(K.cert(le(0, A[S]), (1, Sum(a[j], (j, 0, S - 1))), (-1, _kept(K, S))))
    i = Symbol("i", real=True)
    later = K.cert(le(1, S + i), (1, K.sign(le(1, S))), (1, K.assume(le(0, i))))
    K.know(K.every(later, (i, 0, T - S - 1)))
    costs = K.cert(
        le(C[T] - C[S], (T - S) * increment(T)),
        (-1, telescoping_sum(K, C[S + i], i, T - S)),
        (1, K.sum_over(K.at(K.given("convex", 1), T, S + i), (i, 0, T - S - 1))),
    )
    falls = K.cert(
        le(h[T], h[S]),
        (-1, K.at(K.given("growth"), S)),
        (1, K.at(K.given("growth"), T)),
        (C[S], K.at(K.given("sorted"), S, T)),
        (A[S], K.at(K.given("convex", 1), T, S)),
        (increment(T), _between(K, S, T, T)),
        (a[T], costs),
    )
    K.conclude("falls", falls)
    before = A[d] * C[S] * C[S + 1]
    stopped = K.cert(le(h[S], 0), (before, K.given("fell")), (-before, _growth(K, S)))
    scale = 1 / (A[d] * C[T] * C[T + 1])
    once = K.cert(le(E[T + 1], E[T]), (1, growth), (scale, falls), (scale, stopped))
    K.conclude("once", once)


def _affine_increment(K: Any) -> Any:
    after, now = (K.at(K.given("affine", 2), place) for place in (T + 1, T))
    return K.cert(eq(C[T + 1] - C[T], c_1), (1, after), (-1, now))


def _affine(K: Any) -> None:
    """Compare efficiencies with affine costs."""
    K.know(K.given("affine"), K.given("affine", 1))
    for place in (T, S, m, 1):
        cost = K.at(K.given("affine", 2), place)
        K.know(K.cert(lt(0, c_0 + c_1 * place), (1, K.at(K.given("positive"), place)), (1, cost)))
    written = _efficiency(K, T)
    for equation in (_kept(K, T), _kept(K, d)):
        written = K.rewrite(written, equation, side="right")
    K.conclude("exact", K.cert(eq(E[T], EXACT), (1, written)))
    _free(K)
    _nonzeros(K)
    K.know(K.given("before"))
    _dearer(K)


def _free(K: Any) -> None:
    """Without fixed cost the efficiency is the mean of the kept squares."""
    free, now, one = K.given("free"), _efficiency(K, T), _efficiency(K, 1)
    scale = 1 / (A[d] * c_1 * T)
    first = K.cert(eq(A[1], a[0]), (1, _kept(K, 1)), (1, K.split_off(Sum(a[j], (j, 0, 0)))))
    below = K.sum_over(K.at(K.given("sorted"), 0, j), (j, 0, T - 1))
    terms: tuple[Any, ...] = ((1, now), (-1, one), (scale, below), (scale, _kept(K, T)), (-T * scale, first))
    at_most = K.cert(le(E[T], E[1]), *terms, using=[free])
    K.conclude("one-entry", at_most)
    above = K.sum_over(K.at(K.given("sorted"), j, T - 1), (j, 0, T - 1))
    terms = (
        *((-1, now), (1, one), (scale, above), (-scale, _kept(K, T)), (T * scale, first)),
        (-T * scale, K.given("tied")),
    )
    at_least = K.cert(le(E[1], E[T]), *terms, using=[free])
    K.conclude("tied", antisymmetry(K, E[T], E[1], at_most, at_least))
    others = K.sum_over(K.at(K.given("sorted"), 0, j), (j, 0, T - 2))
    equal = K.cert(
        le(a[0], a[T - 1]),
        *((1, others), (1, _kept(K, T)), (1, K.split_off(KEPT)), (-T, first)),
        *((-1 / scale, K.given("as-good")), (1 / scale, now), (-1 / scale, one)),
        using=[free],
    )
    K.conclude("only-tied", antisymmetry(K, a[T - 1], a[0], K.at(K.given("sorted"), 0, T - 1), equal))


def _dearer(K: Any) -> None:
    fixed, slope, ratio, better = (K.given("dearer", place) for place in range(4))
    K.know(fixed, slope)
    K.know(_difference(K, S, T))
    scale = b_1 / ((b_0 + b_1 * S) * (b_0 + b_1 * T))
    goal = lt(A[S] / (b_0 + b_1 * S), A[T] / (b_0 + b_1 * T))
    terms = ((scale * (A[T] - A[S]), ratio), (scale / c_1 * (c_0 + c_1 * S) * (c_0 + c_1 * T), better))
    K.conclude("dearer", K.cert(goal, *terms))


def _difference(K: Any, low: Any, high: Any) -> Any:
    """Return that the sum does not fall from one place to a later one."""
    rest = Sum(a[j], (j, low, high - 1))
    terms = ((-1, split_sum(K, a[j], (j, 0, high - 1), low)), (1, _kept(K, low)), (-1, _kept(K, high)))
    return K.cert(le(0, A[high] - A[low]), (1, rest), *terms)


def _nonzeros(K: Any) -> None:
    """All nonzeros against fewer and more entries."""
    K.know(K.given("nonzeros"))
    zero = K.at(K.given("nonzeros", 1), j)
    last, q = a[m - 1], 1 / (A[d] * (c_0 + c_1 * S) * (c_0 + c_1 * m))
    K.know(K.cert(le(0, A[m]), (1, Sum(a[j], (j, 0, m - 1))), (-1, _kept(K, m))))
    all_sent = K.cert(le(A[m] / last, c_0 / c_1), (1, K.given("enough")), (1 / last, _kept(K, m)))
    K.know(K.given("more"))
    none = K.cert(
        eq(A[T], A[m]),
        *((1, _kept(K, T)), (-1, _kept(K, m)), (1, split_sum(K, a[j], (j, 0, T - 1), m))),
        (1, K.sum_over(zero, (j, m, T - 1))),
    )
    at_m = _efficiency(K, m)
    dearer = A[m] * c_1 * (T - m) / (A[d] * (c_0 + c_1 * T) * (c_0 + c_1 * m))
    terms: tuple[Any, ...] = (
        (1, _efficiency(K, T)),
        (-1, at_m),
        (1 / (A[d] * (c_0 + c_1 * T)), none),
        (1, dearer),
    )
    K.conclude("more", K.cert(le(E[T], E[m]), *terms))
    K.know(K.given("fewer"))
    rest = _between(K, S, m, m - 1)
    positive = K.cert(lt(0, A[m] - A[S]), (1, rest), (1, K.sign(lt(0, (m - S) * last))))
    K.know(positive)
    terms = (
        *((-1, at_m), (1, _efficiency(K, S)), (q * c_1 * (A[m] - A[S]), all_sent)),
        *((q * c_1 * A[m] / last, rest), (q * c_1 * m, positive)),
    )
    K.conclude("fewer", K.cert(lt(E[S], E[m]), *terms))


def _capped(K: Any) -> None:
    """Evaluate six efficiencies."""
    size_of = K.given("capped")
    K.know(size_of, *(K.cert(le(size, d), (-1, size_of)) for size in range(2, 7)))
    ones = K.at(K.given("capped", 2), j)

    def kept(size: int) -> Any:
        total = Sum(a[j], (j, 0, size - 1))
        rest = K.sum_over(ones, (j, 1, size - 1))
        terms = ((1, K.split_off(total, 0)), (1, K.given("capped", 1)), (1, rest))
        return K.cert(eq(A[size], 8 + size), (1, _kept(K, size)), *terms)

    K.know(K.cert(lt(0, A[6]), (-1, kept(6))))
    for size, value in enumerate(EFFICIENCIES, start=1):
        found = K.rewrite(K.at(K.given("efficiency"), size), size_of, side="right")
        for equation in (kept(size), *((kept(6),) if size < 6 else ()), K.given("capped", 2 + size)):
            found = K.rewrite(found, equation, side="right")
        K.conclude(f"capped-{size}", K.cert(eq(E[size], value), (1, found)))
