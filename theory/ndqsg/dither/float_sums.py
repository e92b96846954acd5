"""The sums of `ndqsg/finding-float-index` as float32 rounds them: what is assumed of them, and the proofs."""

from typing import Any

from sympy import Integer, Rational, floor, symbols

from theory.facts.antisymmetry import antisymmetry
from theory.facts.rounding.binary_floats import (
    LEAST,
    MOST,
    Floats,
    as_near,
    between,
    float32,
    half_to_even,
    multiple,
    power_of_sum,
    power_rises,
)
from theory.formula import IsInteger, eq, le, lt
from theory.hypotheses import model

a, i, u, M, half, even = symbols("a i u M half even", real=True)
HALF = Rational(1, 2)
w, s, q, m_w, p_w, m_s, p_s = symbols("w s q_up m_w p_w m_s p_s", real=True)
w_left, s_left, q_left, w_other, r, r_other, m_other, p_other = symbols(
    "w_left s_left q_left w_other r r_other m_other p_other", real=True
)
ULP = 2**a / Integer(2) ** 24
AWAY = (2 * i + 1) / Integer(2) ** 25
_SUM, _TIE, _BELOW = M + u, M + HALF, M + HALF - 2 * ULP
IEEE = "IEEE 754-2019, section 4.3.1, roundTiesToEven"


def _integer_near(value: Any, exact: Any) -> tuple[Any, ...]:
    """Return that a value is an integer nearest to another number, the even one of two."""
    return (
        IsInteger(value),
        le((value - exact) ** 2, Rational(1, 4)),
        half_to_even(value, exact, Integer(1), value),
    )


SUMS = {
    "sums": model(
        "both sums are numbers of float32 (integers of 24 bits times powers of two), the second one is "
        "that of the first one and one half; no such number is nearer to the exact sum, $M$ and $M+1$ "
        "neither; of two as near it is the one with an even integer; the index is its integer part",
        *float32(w, m_w, p_w),
        as_near(w, _SUM, M),
        *float32(s, m_s, p_s),
        as_near(s, w + HALF, M),
        as_near(s, w + HALF, M + 1),
        half_to_even(s, w + HALF, 2**p_s, m_s),
        eq(q, floor(s)),
        reference=IEEE,
    ),
    "left": model(
        r"$(w'-(u-M))^2\le(-M-\frac12-(u-M))^2$, $(w'-(u-M))^2\le(-M+\frac12-(u-M))^2$, "
        r"$(s'-(w'+\frac12))^2\le(-M-(w'+\frac12))^2$, "
        r"$(s'-(w'+\frac12))^2\le(1-M-(w'+\frac12))^2$, $q'=\lfloor s'\rfloor$, since these ends "
        "are numbers of float32",
        reference=IEEE,
    ),
}
HALF_TO_EVEN = {
    "even": model(
        "the sum is a number of float32, and neither of the two such numbers that are the largest up to "
        "one half above $M$ is nearer to the exact one; the index is an integer nearest to it, the even "
        "one of two",
        *float32(w, m_w, p_w),
        as_near(w, _SUM, _TIE),
        as_near(w, _SUM, _BELOW),
        *_integer_near(r, w),
        reference=IEEE,
    ),
    "opposite": model(
        "the same at the negative of coordinate and dither: the sum is the negative of such a number",
        *float32(-w_other, m_other, p_other),
        as_near(-w_other, _SUM, _TIE),
        as_near(-w_other, _SUM, _BELOW),
        IsInteger(r_other),
        *_integer_near(-r_other, -w_other)[1:],
        reference=IEEE,
    ),
}


def prove_sums(K: Any) -> None:
    """Conclude parts (f) to (h)."""
    floats, near = Floats(K), _near(K)
    _beyond(K, floats, near)
    _left(K, near)
    _both_ends(K, floats, near)


def _near(K: Any) -> Any:
    """Return a function of a value, an exact one and an end: the value is no farther, and on which sides."""
    low, high, names = between(K)

    def found(*values: Any) -> tuple[Any, Any]:
        low_at, high_at = (K.instantiate(item, dict(zip(names, values, strict=True))) for item in (low, high))
        return low_at, high_at

    return found


def _beyond(K: Any, floats: Any, near: Any) -> None:
    """Conclude part (f): from 2^23 on the numbers are integers, and halves are ties."""
    one = LEAST + 1
    K.example(
        {a: 1, M: LEAST, i: 2**22, w: LEAST, m_w: LEAST, p_w: 0, s: LEAST, m_s: LEAST, p_s: 0, q: LEAST}
    )
    K.example(
        {a: 1, M: one, i: 2**22, w: one, m_w: one, p_w: 0, s: one + 1, m_s: one + 1, p_s: 0, q: one + 1}
    )
    # That M is not nearer is (w - M) (w - M - 2 u) <= 0.
    product = _product(K)
    low, high = _range_of_dither(K)
    over = K.cert(lt(w, M + 1), (1, product(w - M, w - M - 2 * u)), (2, high))
    under = K.cert(lt(M - 1, w), (1, product(M - w, M - w + 2 * u)), (2, low))
    below = K.cases(w - M, K.cert(lt(w, M + 1), (1, K.assume(le(w - M, 0)))), over)
    above = K.cases(M - w, K.cert(lt(M - 1, w), (1, K.assume(le(M - w, 0)))), under)
    whole = [floats.at(floats.whole, *sum_, LEAST) for sum_ in ((w, m_w, p_w), (s, m_s, p_s))]
    tie = floats.at(floats.tie, s, m_s, p_s, LEAST, w + HALF)
    _last(K, near, product, whole, tie, below)
    _each(K, near, whole, tie, (above, below))


def _last(K: Any, near: Any, product: Any, whole: Any, tie: Any, below: Any) -> None:
    """Conclude q <= M at 2^23: w <= M, and s > M would be a tie at an odd integer."""
    at_last, reaches = K.given("last"), K.assume(le(M - w, 0))
    natural = K.discharge(whole[0], K.cert(le(LEAST, w), (1, reaches), (-1, at_last)))
    gap = K.discharge(K.axiom("integer-gap", w, M + 1), natural, below)
    most = K.cases(M - w, K.cert(le(w, M), (1, gap)), K.cert(le(w, M), (1, K.assume(lt(0, M - w)))))
    # The second sum, with this as a hypothesis until it is used.
    inside = K.assume(le(w, M))
    top = K.discharge(near(-s, -w - HALF, -M - 1)[0], K.cert(le(-M - 1, -w - HALF), (1, inside)))
    least = K.axiom("integer-gap", M, s)
    next_one = antisymmetry(K, s, M + 1, K.cert(le(s, M + 1), (1, top)), least)
    back = product(s - M, s + M - 2 * w - 1)
    first = K.discharge(K.axiom("max-is-right", M, w), K.cert(le(M, w), (HALF, back), (HALF, least)))
    same = K.cert(eq(w, M), (1, K.axiom("max-is-right", w, M)), (-1, first))
    square = K.cert(eq((s - w - HALF) ** 2, Rational(1, 4)), (s - w, next_one), (w - s, same))
    beyond = K.assume(lt(0, s - M))
    start = K.cert(le(LEAST, s), (1, beyond), (-1, at_last))
    square = K.discharge(square, K.discharge(whole[1], start))
    end = K.cert(lt(s, MOST), (1, top), (1, at_last))
    half_of_it = K.discharge(tie, square, start, end)
    gap = K.discharge(
        K.axiom("integer-gap", s / 2, LEAST / 2 + 1),
        half_of_it,
        K.cert(lt(s / 2, LEAST / 2 + 1), (HALF, top), (HALF, at_last)),
    )
    none = K.cert(le(s, M), (2, gap), (-1, at_last))
    found = K.cases(s - M, K.cert(le(s, M), (1, K.assume(le(s - M, 0)))), none)
    index, start = K.given("sums", 14), K.axiom("floor-below", s)
    K.conclude("last", K.discharge(K.cert(le(q, M), (1, index), (1, start), (1, found)), most))


def _each(K: Any, near: Any, whole: Any, tie: Any, sides: tuple[Any, Any]) -> None:
    """Conclude q = M + 1 at 2^23 + 1: the first sum is M, the second a tie, and M is odd."""
    beyond, (above, below) = K.given("beyond"), sides
    least, most = (
        K.discharge(K.axiom("integer-gap", *ends), side)
        for ends, side in (((M - 1, w), above), ((w, M + 1), below))
    )
    same = antisymmetry(K, w, M, K.cert(le(w, M), (1, most)), K.cert(le(M, w), (1, least)))
    same = K.discharge(same, K.discharge(whole[0], K.cert(le(LEAST, w), (1, above), (-1, beyond))))
    # The second sum, with this as a hypothesis until it is used.
    here = K.assume(eq(w, M))
    start, end = (K.discharge(item, K.cert(le(M, w + HALF), (-1, here))) for item in near(s, w + HALF, M))
    end = K.cert(le(s, M + 1), (1, end), (2, here))
    quarter = Rational(1, 4)
    first = K.cert(
        eq(s, M),
        (-1, K.discharge(K.axiom("max-is-right", M, s), start)),
        (1, K.axiom("max-is-right", s, M)),
    )
    next_one = antisymmetry(K, s, M + 1, end, K.axiom("integer-gap", M, s))
    square = K.cases(
        s - M,
        K.cert(eq((s - w - HALF) ** 2, quarter), (s - w - 1, first), (w + 1 - s, here)),
        K.cert(eq((s - w - HALF) ** 2, quarter), (s - w, next_one), (w - s, here)),
    )
    from_least = K.cert(le(LEAST, s), (1, start), (-1, beyond))
    square = K.discharge(square, K.discharge(whole[1], from_least))
    half_of_it = K.discharge(tie, square, from_least, K.cert(lt(s, MOST), (1, end), (1, beyond)))
    gap = K.discharge(
        K.axiom("integer-gap", LEAST / 2, s / 2),
        half_of_it,
        K.cert(lt(LEAST / 2, s / 2), (HALF, start), (-HALF, beyond)),
    )
    up = K.cert(le(M + 1, s), (2, gap), (1, beyond))
    index = K.discharge(K.axiom("floor-unique", s, M + 1), up, K.cert(lt(s, M + 2), (1, end)))
    K.conclude("each", K.discharge(K.cert(eq(q, M + 1), (1, K.given("sums", 14)), (1, index)), same))


def _range_of_dither(K: Any) -> tuple[Any, Any]:
    """Return that a dither is above minus one half, and below one half."""
    dither, spacing = K.given("dither"), Rational(1, 2**25)
    return (
        K.cert(lt(-HALF, u), (-1, dither), (2 * spacing, K.given("all"))),
        K.cert(lt(u, HALF), (1, dither), (2 * spacing, i)),
    )


def _product(K: Any) -> Any:
    """Return a function of two factors: the second is at most 0, if the product is and the first is above."""
    first, second = symbols("positive_factor other_factor", real=True)
    K.know(K.assume(lt(0, first)))
    lemma = K.cert(le(second, 0), (1 / first, K.assume(le(first * second, 0))))
    return lambda factor, other: K.instantiate(lemma, {first: factor, second: other})


def _left(K: Any, near: Any) -> None:
    """Conclude part (g): the ends of both sums are not passed."""
    K.example({a: 1, M: 3, i: 2**23, w_left: -3, s_left: Rational(-5, 2), q_left: -3})
    low, _ = _range_of_dither(K)
    first, second = -M + u, w_left + HALF
    least = K.discharge(near(w_left, first, -M - HALF)[0], K.cert(le(-M - HALF, first), (1, low)))
    most = near(-w_left, -first, M - HALF)[0]  # that u is below one half follows by its form
    least = K.discharge(near(s_left, second, -M)[0], K.cert(le(-M, second), (1, least)))
    most = K.discharge(near(-s_left, -second, M - 1)[0], K.cert(le(M - 1, -second), (1, most)))
    index, start, end = K.given("left", 4), K.axiom("floor-below", s_left), K.axiom("floor-above", s_left)
    K.know(K.rewrite(K.sign(IsInteger(floor(s_left))), K.cert(eq(floor(s_left), q_left), (-1, index))))
    above = K.cert(lt(-M - 1, q_left), (1, least), (1, end), (-1, index))
    gap = K.discharge(K.axiom("integer-gap", -M - 1, q_left), above)
    K.conclude(
        "left",
        K.cert(le(-M, q_left), (1, gap)),
        K.cert(le(q_left, M), (1, most), (1, start), (1, index), (2, M - 1), (1, 1)),
    )


def _both_ends(K: Any, floats: Any, near: Any) -> None:
    """Conclude part (h): the rounding half to even is odd, so what holds at one end holds at the other."""
    K.example({a: 1, half: 1, even: 2, M: 3, i: 1, w: 7 * HALF, m_w: 7 * 2**21, p_w: -22, r: 4})
    K.example({a: 1, half: 1, even: 2, M: 3, i: 2**23, w: 3, m_w: 3 * 2**22, p_w: -22, r: 3})
    other = {a: 1, half: 1, even: 2, M: 3, p_other: -22}
    K.example({**other, i: 1, w_other: -7 * HALF, m_other: 7 * 2**21, r_other: -4})
    K.example({**other, i: 2**23, w_other: -3, m_other: 3 * 2**22, r_other: -3})
    over, inside = _upper_index(K, _nearest_half(K, floats, near), near)
    size, place = K.given("even", 2), K.given("even", 4)
    positive = K.cert(lt(0, w), (-1, place), (2**p_w, size), (LEAST, K.sign(lt(0, 2**p_w))))
    least = K.cert(le(-M, r), (1, near(r, w, w - HALF)[0]), (1, positive), (1, M - 1))
    K.conclude("up", over)
    K.conclude("stay", least, inside)
    opposite = {w: -w_other, r: -r_other, m_w: m_other, p_w: p_other}
    over, inside, least = (K.instantiate(item, opposite) for item in (over, inside, least))
    K.conclude("down", K.cert(eq(r_other, -M - 1), (-1, over)))
    K.conclude("back", K.cert(le(-M, r_other), (1, inside)), K.cert(le(r_other, M), (1, least)))


def _upper_index(K: Any, tie: Any, near: Any) -> tuple[Any, Any]:
    """Return that the index is M + 1 near to one half, and that it is at most M farther off."""
    start, end = near(r, w, w - HALF)
    # M + 1/2 is rounded to M + 1, as M is odd; with this as a hypothesis until it is used.
    odd, at_tie, quarter = K.given("odd"), K.assume(eq(w, _TIE)), Rational(1, 4)
    least, most = K.cert(le(M, r), (1, start), (-1, at_tie)), K.cert(le(r, M + 1), (1, end), (1, at_tie))
    here = K.cert(
        eq(r, M),
        (-1, K.discharge(K.axiom("max-is-right", M, r), least)),
        (1, K.axiom("max-is-right", r, M)),
    )
    next_one = antisymmetry(K, r, M + 1, most, K.axiom("integer-gap", M, r))
    square = K.cases(
        r - M,
        K.cert(eq((r - w) ** 2, quarter), (r - w - HALF, here), (w + HALF - r, at_tie)),
        K.cert(eq((r - w) ** 2, quarter), (r - w + HALF, next_one), (w - HALF - r, at_tie)),
    )
    even_one = K.rewrite(K.given("even", 9), K.assume(eq((r - w) ** 2, quarter)))
    even_one = K.rewrite(even_one, K.axiom("delta-same", quarter))
    above = K.cert(lt(half, r / 2), (HALF, least), (-HALF, odd))
    gap = K.discharge(K.discharge(K.axiom("integer-gap", half, r / 2), even_one), square, above)
    over = antisymmetry(K, r, M + 1, most, K.cert(le(M + 1, r), (2, gap), (1, odd)))
    # Farther off M + 1/2 is not the nearest one.
    off = K.cert(eq(u, HALF - AWAY), (1, K.given("dither")))
    later = K.cert(lt(ULP, AWAY), (Rational(1, 2**24), K.given("later")))
    side = _BELOW - _SUM
    close = near(w, _SUM, _BELOW)[1]
    far = K.discharge(near(-w, -_SUM, -_BELOW)[0], K.cert(le(-_BELOW, -_SUM), (1, K.assume(lt(0, side)))))
    below = K.cases(
        side,
        K.cert(lt(w, _TIE), (1, close), (2, off), (2, later)),
        K.cert(lt(w, _TIE), (1, far), (2, K.sign(lt(0, ULP)))),
    )
    inside = K.axiom("integer-gap", r, M + 1)
    inside = K.discharge(inside, K.cert(lt(r, M + 1), (1, end), (1, K.assume(lt(w, _TIE)))))
    return K.discharge(over, tie), K.discharge(K.cert(le(r, M), (1, inside)), below)


def _nearest_half(K: Any, floats: Any, near: Any) -> Any:
    """Return that the sum is M + 1/2 if the dither is that near to one half."""
    off = K.cert(eq(u, HALF - AWAY), (1, K.given("dither")))
    first = K.cert(lt(AWAY, ULP), (Rational(1, 2**24), K.given("first")))
    below, above = near(-w, -_SUM, -_TIE)
    most_found = K.cert(le(w, _TIE), (1, below))
    more_found = K.cert(lt(_BELOW, w), (1, above), (-2, off), (2, first))
    # What follows from these two, as hypotheses until they are used: the sum is a multiple of the spacing.
    most, more = K.assume(le(w, _TIE)), K.assume(lt(_BELOW, w))
    low, high, place = K.given("exponent"), K.given("exponent", 1), K.given("even", 4)
    small = power_rises(K, a, Integer(22))
    shift = power_of_sum(K, a - 23, Integer(23))
    least = K.cert(le(2**a, w), (1, more), (2 * Rational(1, 2**24), small), (1, low))
    lower = K.cert(
        le(LEAST * 2 ** (a - 23), m_w * 2**p_w), (1, K.assume(le(2**a, w))), (1, place), (-1, shift)
    )
    up = K.discharge(floats.at(floats.from_below, w, m_w, p_w, LEAST, w, a - 23), lower)
    upper = K.cert(
        lt(m_w * 2**p_w, MOST * 2 ** (a - 23)),
        *((1, K.assume(lt(w, 2 * 2**a))), (-1, place), (2, shift)),
    )
    down = K.discharge(floats.at(floats.from_above, w, m_w, p_w, LEAST, w, a - 23), upper)
    flat = antisymmetry(K, p_w, a - 23, down, up)
    count = (2 * M + 1) * 2 ** (22 - a)
    parts = power_of_sum(K, a, 22 - a)
    placed = K.assume(eq(w, m_w * 2 ** (a - 23)))
    scale, room = symbols("positive_scale scaled_room", real=True)
    K.know(K.assume(lt(0, scale)))
    lemma = K.cert(lt(0, room), (1 / scale, K.assume(lt(0, scale * room))))
    scaled = K.cert(
        lt(0, 2**a * (m_w - count + 1)),
        *((LEAST, more), (LEAST, placed), (-m_w, shift), (-(2 * M + 1), parts)),
    )
    room = K.discharge(K.instantiate(lemma, {scale: 2**a, room: m_w - count + 1}), scaled)
    gap = K.axiom("integer-gap", count, m_w + 1)
    gap = K.discharge(gap, multiple(K, 2 * M + 1, 22 - a), K.cert(lt(count, m_w + 1), (1, room)))
    reached = K.cert(
        le(_TIE, w),
        *((2**a / LEAST, gap), (-1, placed), (m_w / LEAST, shift), ((2 * M + 1) / LEAST, parts)),
    )
    reached = K.discharge(reached, K.rewrite(place, flat))
    reached = K.discharge(reached, least, K.cert(lt(w, 2 * 2**a), (1, most), (1, high)))
    found = K.cert(
        eq(w, _TIE),
        (-1, K.discharge(K.axiom("max-is-right", _TIE, w), reached)),
        (1, K.axiom("max-is-right", w, _TIE)),
    )
    return K.discharge(found, most_found, more_found)
