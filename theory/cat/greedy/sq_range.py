r"""`cat/sq-range`: between what the share of signs lies, and what sizes guarantee (arXiv 2003.06377)."""

from typing import Any

from sympy import Integer, Max, Min, Rational, Sum, log, sqrt

from theory.cat.greedy.sign_shares import (
    ALL,
    ALL_SQUARES,
    ALPHA,
    BETA,
    HYPOTHESES,
    KEPT,
    MESSAGES,
    PART,
    REST,
    RHO,
    VARIABLES,
    A,
    C,
    C_d,
    E,
    M,
    S,
    T,
    alpha,
    b,
    beta,
    d,
    i,
    j,
    k,
    m,
    messages,
    rho,
    s,
)
from theory.cat.paper import PAPER
from theory.claim import Claim, Relation
from theory.facts.antisymmetry import antisymmetry
from theory.facts.logarithms.root_differences import root_differences
from theory.facts.sums.abel_sum import abel_sum
from theory.facts.sums.split_sum import split_sum
from theory.facts.sums.sum_of_squares import sum_of_squares
from theory.facts.sums.telescoping_sum import telescoping_sum
from theory.formula import eq, le, lt
from theory.statement import statement
from theory.worst_cases import cases

_BOUND = Min(1 / T, T / d)
_LOGARITHM = 1 + log(d) / 4

CLAIM = Claim(
    id="cat/sq-range",
    kind="lower",
    provenance="derived",
    title="The share of the signs of the largest entries: its range, at fixed and at best sizes",
    position=14,
    paper=PAPER,
    **statement(
        r"""
        $s_1\ge\dots\ge s_d\ge0$ are the magnitudes of $g\ne0$, $S_T=\sum_{j=1}^Ts_j$,
        $\alpha(T)=\frac{\sum_{j=1}^Ts_j^2}{\|g\|^2}$ and $\beta(T)=\frac{S_T^2}{T\|g\|^2}$. By
        `cat/s-rates` the shares of all iterations before the last one add up to at most $A$, the bound of
        gradient descent on their number.
        (a: below, spread) $\beta(T)\le\alpha(T)$, <<and less where kept magnitudes differ -> proof>>: for
          each kept $s_j$, $$\beta(T)+\frac{(s_j-S_T/T)^2}{\|g\|^2}\le\alpha(T),\qquad j\le T.$$ [proof;
          exact/share of signs; exact/share of entries; exact/beta and alpha; exact/spread of the kept
          magnitudes]
        (b: equal) Where $s_1=s_T$, $\beta(T)=\alpha(T)$. [proof; exact/equal magnitudes]
        (c: least) $$\min\Big(\frac1T,\frac Td\Big)\le\beta(T).$$ [proof; exact/least; adversarial/least
          share of a fixed size]
        (d: one, flat) Both terms are attained: $\beta(T)=\frac1T$ where $s_j=0$ but for the first,
          $\beta(T)=\frac Td$ where $s_1=s_d$. [proof; exact/one nonzero entry; exact/equal entries]
        (e: fixed) So a fixed $T$ needs at most $$\frac A{\beta(T)}\le A\max\Big(T,\frac dT\Big)$$
          iterations before the last one. [proof; exact/iterations before the last]
        (f: root, at-root) No fixed size guarantees more than $T=\sqrt d$, where that is an integer:
          $\min(\frac1T,\frac Td)\le\frac1{\sqrt d}$ for every $T$, and $\min(\frac1T,\frac Td)=\frac1{\sqrt
          d}$ at $T=\sqrt d$. [proof]
        (g: best, rho) $$\frac1{\rho_d}\le\max_T\beta(T),\qquad\rho_d=\sum_j(\sqrt
          j-\sqrt{j-1})^2\le1+\frac14\log d.$$ [proof; exact/least share; exact/share that is chosen;
          exact/rho; exact/rho and its bound; adversarial/largest share]
        (h: extremal, only) <<It is attained at -> proof>> $s_j=\sqrt j-\sqrt{j-1}$, where
          $\beta(T)=\frac1{\rho_d}$ for every $T$, and <<up to a factor only there -> proof>>: where
          $\max_T\beta(T)=\frac1{\rho_d}$, each $$s_j=s_1(\sqrt j-\sqrt{j-1}).$$ [proof; exact/largest
          share; exact/the same for all sizes]
        (i: iterations) So the size of the largest share needs at most $$\frac A{\max_T\beta(T)}\le
          A\Big(1+\frac14\log d\Big)$$ iterations before the last one. [proof]
        (j: cost, polyak) The messages of CAT-SQ, at the costs $C_k$, where all $d$ signs cost $C(d)$ and no
          message more, cost $\sum_kC_k\le\rho_dA\,C(d)$ if their shares add up to at most $A$, and
          $\sum_kC_k\le\rho_d(A+1)C(d)$ if those before the last one do (`cat/cost-bound`). [proof;
          exact/cost until the gap; exact/cost by the shares]
        """
    ),
    variables=VARIABLES,
    notation={"g": "the gradient"},
    ranges={"j": (1, d)},
    hypotheses=HYPOTHESES,
    relations={
        "below": Relation((beta, alpha), ("<=",)),
        "spread": Relation((beta + (s[i] - S / T) ** 2 / E, alpha), ("<=",), every=((i, 0, T - 1),)),
        "equal": Relation((beta, alpha), ("=",), under=("equal",)),
        "least": Relation((_BOUND, beta), ("<=",)),
        "one": Relation((beta, 1 / T), ("=",), under=("one",)),
        "flat": Relation((beta, T / d), ("=",), under=("flat",)),
        "fixed": Relation((A / beta, A * Max(T, d / T)), ("<=",)),
        "root": Relation((_BOUND, 1 / sqrt(d)), ("<=",)),
        "at-root": Relation((_BOUND, 1 / sqrt(d)), ("=",), under=("root",)),
        "best": Relation((1 / rho, M), ("<=",), under=("largest",)),
        "rho": Relation((RHO, _LOGARITHM), ("<=",)),
        "extremal": Relation((beta, 1 / rho), ("=",), under=("extremal",)),
        "only": Relation(
            (s[i], s[0] * PART.subs(j, i)), ("=",), every=((i, 0, d - 1),), under=("largest", "attained")
        ),
        "iterations": Relation((A / M, A * _LOGARITHM), ("<=",), under=("largest",)),
        "cost": Relation((Sum(C[k], MESSAGES), A * rho * C_d), ("<=",), under=("rule", "total")),
        "polyak": Relation(
            (Sum(C[k], MESSAGES), (A + 1) * rho * C_d), ("<=",), under=("rule", "before-last")
        ),
    },
    formulas={
        "bound": _BOUND,
        "alpha": ALPHA,
        "beta": BETA,
        "spread": (s[i] - S / T) ** 2 / E,
        "rho": RHO,
        "best": 1 / RHO,
        "rho_bound": _LOGARITHM,
        "fixed_iterations": A * Max(T, d / T),
        "best_iterations": A * _LOGARITHM,
        "cost": A * rho * C_d,
        "polyak_cost": (A + 1) * rho * C_d,
    },
    internal={
        "alpha": "definition in the setting",
        "beta": "definition in the setting",
        "best": "part (g) with the sum written out",
    },
    worst_cases=cases("""
        one nonzero entry of eight, all signs sent | s = (1,) + 7 * (0,), T = 8, d = 8 | 1/8
        two of eight equal entries | s = 8 * (1,), T = 2, d = 8 | 1/4
        the extremal vector for d = 2: both sizes have the same share | s = (1, -1 + sqrt(2)), T = 2, d = 2
          | 1/(4 - 2*sqrt(2))
    """),
)

_RUN = {
    **{d: 4, T: 2, A: 3, C_d: 7, rho: 2, messages: 2, C: (3, 4)},
    **{b: (Rational(5, 6), 1), m: (Rational(5, 6), 1)},
}
_INSTANCES: tuple[tuple[tuple[int, ...], Any], ...] = (
    ((3, 2, 1, 1), Rational(5, 6)),
    ((3, 3, 1, 1), Rational(9, 10)),
    ((3, 0, 0, 0), 1),
    ((2, 2, 2, 2), 1),
)


def derive(K: Any) -> None:
    """Prove the relations."""
    K.index(ALL, KEPT)
    for magnitudes, largest in _INSTANCES:
        K.example({**_RUN, s: magnitudes, M: largest})
    # Sums of roots are rational for one coordinate only.
    K.example({**_RUN, d: 1, T: 1, s: (1,), M: 1, rho: 1, m: (1, 1)})
    sized, share = K.given("sum"), K.given("shares", 1)

    # (a): the variance of the kept magnitudes is at least one of its terms.
    off = (s[j] - S / T) ** 2
    rest = [Sum(off, (j, 0, i - 1)), Sum(off, (j, i + 1, T - 1))]
    K.index((i, 0, T - 1))
    spread = K.cert(
        le(beta + off.subs(j, i) / E, alpha),
        (-1, K.given("shares")),
        (1, share),
        (-1 / E, K.split_off(Sum(off, KEPT), i)),
        *((1 / E, item) for item in rest),
        (2 * S / (T * E), sized),
    )
    K.conclude("spread", K.every(spread, (i, 0, T - 1)))
    below = K.cert(le(beta, alpha), (1, spread), (1 / E, off.subs(j, i)))
    K.conclude("below", K.discharge(K.instantiate(below, {i: Integer(0)})))
    same = _same(K, "equal", T - 1)
    equal = K.cert(
        eq(beta, alpha),
        (1, share),
        (-1, K.given("shares")),
        ((S + T * s[0]) / (T * E), sized),
        ((S + T * s[0]) / (T * E), K.sum_over(same, KEPT)),
        (-1 / E, K.sum_over(K.cert(eq(s[j] ** 2, s[0] ** 2), (s[j] + s[0], same)), KEPT)),
    )
    K.conclude("equal", equal)
    _least(K, sized, share)


def _same(K: Any, name: str, last: Any) -> Any:
    """Return that an entry up to the last one is the first one, where both of these are equal."""
    ordered, ends = K.given("sorted"), K.given(name)
    above = K.cert(le(s[0], s[j]), (1, K.at(ordered, j, last)), (1, ends))
    return antisymmetry(K, s[j], s[0], K.at(ordered, 0, j), above)


def _least(K: Any, sized: Any, share: Any) -> None:
    """With the T-th magnitude t and U = S - T t, |g|^2 is at most d t^2 + 2 t U + U^2."""
    t = s[T - 1]
    U = S - T * t
    after = K.at(K.given("sorted"), T - 1, j)
    before = K.at(K.given("sorted"), j, T - 1)
    K.know(K.every(before, KEPT))
    over = K.cert(le(0, U), (1, K.sum_over(before, KEPT)), (-1, sized))
    kept = K.cert(
        le(Sum(s[j] ** 2, KEPT), T * t**2 + 2 * t * U + U**2),
        (1, sum_of_squares(K, s[j] - t, KEPT)),
        (2 * t * (T - 1) - S - Sum(s[j], KEPT), sized),
    )
    others = K.sum_over(K.cert(le(s[j] ** 2, t**2), (t + s[j], after)), REST)
    energy = K.cert(
        le(E, d * t**2 + 2 * t * U + U**2),
        (1, K.given("norm")),
        (1, split_sum(K, s[j] ** 2, ALL, T)),
        (1, kept),
        (1, others),
    )
    left, right = (K.axiom(f"min-below-{side}", 1 / T, T / d) for side in ("left", "right"))
    K.know(over, K.axiom("min-greatest", 1 / T, T / d, Integer(0)))
    least = K.cert(
        le(_BOUND, beta),
        (-1, share),
        (_BOUND / E, energy),
        (d * t**2 / E, right),
        (2 * t * U / E, left),
        (2 * t * U * (T - 1) / (T * E), 1),
        (U**2 / E, left),
    )
    K.conclude("least", least)
    _attained(K, sized, share)
    _extremal(K, sized, share)
    _fixed(K, least)
    _costs(K, _best(K))


def _attained(K: Any, sized: Any, share: Any) -> None:
    """One nonzero entry has the share 1/T, equal ones T/d."""
    norm, zero, flat = K.given("norm"), K.at(K.given("one"), j), _same(K, "flat", d - 1)
    square = K.cert(eq(s[j] ** 2, 0), (s[j], zero))
    first = K.cert(
        eq(S, s[0]), (1, sized), (1, K.split_off(Sum(s[j], KEPT), 0)), (1, K.sum_over(zero, (j, 1, T - 1)))
    )
    energy = K.cert(
        eq(E, s[0] ** 2), (1, norm), (1, K.split_off(ALL_SQUARES, 0)), (1, K.sum_over(square, (j, 1, d - 1)))
    )
    one = K.cert(eq(beta, 1 / T), (1, share), ((S + s[0]) / (T * E), first), (-1 / (T * E), energy))
    K.conclude("one", one)
    same = K.cert(eq(S, T * s[0]), (1, sized), (1, K.sum_over(flat, KEPT)))
    energy = K.cert(eq(s[j] ** 2, s[0] ** 2), (s[j] + s[0], flat))
    energy = K.cert(eq(E, d * s[0] ** 2), (1, norm), (1, K.sum_over(energy, ALL)))
    goal = eq(beta, T / d)
    K.conclude("flat", K.cert(goal, (1, share), ((S + T * s[0]) / (T * E), same), (-T / (d * E), energy)))


def _fixed(K: Any, least: Any) -> None:
    """The better of T and d/T is the root of d."""
    most = Max(T, d / T)
    left, right = (K.axiom(f"max-above-{side}", T, d / T) for side in ("left", "right"))
    K.know(K.cert(lt(0, most), (1, left), (1, K.given("sizes", 2))))
    inverse = K.discharge(
        K.axiom("min-greatest", 1 / T, T / d, 1 / most),
        K.cert(le(1 / most, 1 / T), (1 / (T * most), left)),
        K.cert(le(1 / most, T / d), (T / (d * most), right)),
    )
    K.conclude("fixed", K.cert(le(A / beta, A * most), (A * most / beta, least), (A * most / beta, inverse)))
    root, goal = sqrt(d), le(_BOUND, 1 / sqrt(d))
    below = K.cert(goal, (1, K.axiom("min-below-right", 1 / T, T / d)), (1 / d, K.assume(le(T - root, 0))))
    above = K.cert(
        goal, (1, K.axiom("min-below-left", 1 / T, T / d)), (1 / (T * root), K.assume(lt(0, T - root)))
    )
    K.conclude("root", K.cases(T - root, below, above))
    at_root = K.given("root")
    equal = K.cert(le(1 / T, T / d), (-(T + root) / (T * d), at_root))
    smaller = K.discharge(K.axiom("min-is-left", 1 / T, T / d), equal)
    K.conclude("at-root", K.cert(eq(_BOUND, 1 / root), (1, smaller), (-1 / (T * root), at_root)))


def _best(K: Any) -> Any:
    """Abel's inequality with the magnitudes, then with the differences of roots, as weights."""
    scale, half = sqrt(M * E), Rational(1, 2)
    sums, rise = Sum(s[i], (i, 0, j)), telescoping_sum(K, sqrt(j), j, j + 1)
    partial = K.cert(
        le(0, Sum((scale * PART - s[j]).subs(j, i), (i, 0, j))),
        (1, K.power(K.at(K.given("largest"), j), half)),
        (1, K.axiom("abs-above", sums)),
        (1, K.axiom("root-product", M * E, j + 1, half)),
        (-scale, rise),
    )
    a, b_, c = sqrt(j), sqrt(j + 1), sqrt(j + 2)
    falls = K.cert(le(c - b_, b_ - a), (2 / ((a + b_) * (b_ + c) * (c + a)), 1))
    spare = scale * PART - s[j]
    magnitudes = abel_sum(
        K, s[j], spare, ALL, K.at(K.given("sorted"), j, j + 1), K.sign(le(0, s[d - 1])), partial
    )
    _only(K, spare, magnitudes)
    last = K.power(K.sign(le(d - 1, d)), half)
    parts = abel_sum(K, PART, spare, ALL, falls, K.cert(le(0, sqrt(d) - sqrt(d - 1)), (1, last)), partial)
    return K.cert(
        le(1 / rho, M),
        (1 / (rho * E), magnitudes),
        (scale / (rho * E), parts),
        (1 / (rho * E), K.given("norm")),
        (-M / rho, K.given("rho")),
    )


def _only(K: Any, spare: Any, magnitudes: Any) -> None:
    """Where no share is above 1/rho, the squares of what differs add up to at most 0."""
    rest = [Sum(spare**2, (j, 0, i - 1)), Sum(spare**2, (j, i + 1, d - 1))]
    K.index((i, 0, d - 1))
    own = spare.subs(j, i)
    square = K.cert(
        le(own**2, 0),
        (2, magnitudes),
        (1, K.given("norm")),
        (-M * E, K.given("rho")),
        (rho * E, K.given("attained")),
        (-1, K.split_off(Sum(spare**2, ALL), i)),
        *((1, item) for item in rest),
    )
    size = K.power(square, Rational(1, 2))
    above, below = (K.axiom(name, own) for name in ("abs-above", "abs-below"))
    zero = antisymmetry(
        K,
        own,
        Integer(0),
        K.cert(le(own, 0), (1, size), (1, above)),
        K.cert(le(0, own), (1, size), (1, below)),
    )
    first = K.discharge(K.instantiate(zero, {i: Integer(0)}))
    part = PART.subs(j, i)
    only = K.cert(eq(s[i], s[0] * part), (-1, zero), (part, first))
    K.conclude("only", K.every(only, (i, 0, d - 1)))


def _extremal(K: Any, sized: Any, share: Any) -> None:
    """The differences of roots add up to the root of T."""
    entry, norm = K.at(K.given("extremal"), j), K.given("norm")
    total = K.cert(
        eq(S, sqrt(T)), (1, sized), (1, K.sum_over(entry, KEPT)), (1, telescoping_sum(K, sqrt(j), j, T))
    )
    energy = K.sum_over(K.cert(eq(s[j] ** 2, PART**2), (s[j] + PART, entry)), ALL)
    energy = K.cert(eq(E, rho), (1, norm), (1, energy), (-1, K.given("rho")))
    extremal = K.cert(
        eq(beta, 1 / rho), (1, share), ((S + sqrt(T)) / (T * E), total), (-1 / (rho * E), energy)
    )
    K.conclude("extremal", extremal)


def _costs(K: Any, best: Any) -> None:
    """A message of the rule costs at most rho C(d) times its share."""
    K.conclude("best", best)
    logarithm = root_differences(K, d)
    K.conclude("rho", logarithm)
    bounded = K.cert(le(rho, _LOGARITHM), (1, logarithm), (1, K.given("rho")))
    iterations = K.cert(le(A / M, A * _LOGARITHM), (A * rho / M, best), (A, bounded))
    K.conclude("iterations", iterations)
    paid, largest, efficient = (K.at(K.given("rule", place), k) for place in range(2, 5))
    K.know(paid)
    message = K.cert(le(C[k], rho * C_d * b[k]), (C[k] * rho * C_d, efficient), (C[k] * rho, largest))
    spent = K.sum_over(message, MESSAGES)
    cost = K.cert(le(Sum(C[k], MESSAGES), rho * A * C_d), (1, spent), (rho * C_d, K.given("total")))
    K.conclude("cost", cost)
    split = K.split_off(Sum(b[k], MESSAGES))
    before, at_most_one = K.given("before-last"), K.given("before-last", 1)
    polyak = K.cert(
        le(Sum(C[k], MESSAGES), (A + 1) * rho * C_d),
        (1, spent),
        (rho * C_d, split),
        (rho * C_d, before),
        (rho * C_d, at_most_one),
    )
    K.conclude("polyak", polyak)
