r"""The ratio of both costs away from where it is largest, by intervals of n.

On $[a,b]$ the cost of IQ is at most that at a with a fixed odds, that of CQ at least that at b.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isqrt
from typing import Any

from sympy import Integer, Rational, Symbol, sqrt, symbols

from theory.claim import Relation
from theory.cq_marina.cost import psi as psis
from theory.cq_marina.cost.bracket import Bracket, root_of_noise
from theory.cq_marina.cost.peaks import A_cq, A_iq, best_cq, best_iq, psi_cq, psi_iq
from theory.cq_marina.cost.psi import HALF, beta, c, d, n, p
from theory.formula import le, lt
from theory.hypotheses import parameter

_DIGIT, _ROOM, _SLACK = 10**9, Rational(1, 10**6), Rational(5, 10**6)
_MILLION = 10**6
_METHODS = ("iq", "cq", "cq-best")

# Last n of an interval, points next to the roots of the best odds of IQ at its start and of CQ at its end.
_FEW = """3 0 2.030256; 5 0 2.972088; 9 2.252853 4.059643; 14 2.981002 4.892524; 20 3.495285 5.564439;
    27 3.880362 6.122763; 34 4.178024 6.54486; 42 4.38862 6.925885; 50 4.567573 7.236045;
    58 4.705278 7.497279; 66 4.815705 7.722854; 73 4.907013 7.897808; 80 4.975295 8.056074;
    87 5.035196 8.200605; 93 5.088384 8.315273; 99 5.129579 8.422617; 100 5.167357 8.439862"""
_MANY = """681 6.045018 11.878791; 808 6.099649 12.218121; 1030 6.173249 12.713925; 1500 6.277801 13.517402;
    2945 6.441013 15.082534; 15862 6.742222 19.836408; - 7.570218 0"""
_LEFT = "33000 0 16.59626801"
_RIGHT = """33915 5.658305 16.73734101; 34679 5.659914 16.85327353; 36614 5.663779 17.13974094;
    42096 5.673349 17.90180921; 63966 5.698932 20.42610031; 1723013 5.784802 59.94293693; - 7.150832 0"""


@dataclass(frozen=True)
class Apart:
    """The numbers of clients on both sides of a peak.

    Args:
        first: The smallest number of clients.
        ends: Last one before the peak, and first one behind it.
        rows: The table of intervals before it and that behind it.
        ratio: Bound of the ratio.
        numbers: Hypothesis with the noises and the length.
    """

    first: int
    ends: tuple[int, int]
    rows: tuple[str, str]
    ratio: Rational
    numbers: str


AWAY = {
    "away": Apart(2, (100, 600), (_FEW, _MANY), Rational(22595, 10**4), "two-bit"),
    "off-kink": Apart(1, (33000, 33600), (_LEFT, _RIGHT), Rational(2302, 100), "any-million"),
}
HYPOTHESES = {
    "two-bit": parameter(
        r"$A_{\rm IQ}\le\frac{\sqrt n-1}n$, $A_{\rm CQ}\ge\frac1{4n}$, $c=\frac1n+\frac1{16}$"
    ),
    "any-million": parameter(
        r"$d=10^6$, $A_{\rm IQ}\le\frac d{4n}$, $A_{\rm CQ}\ge\frac d{4n^2}$, $c=\frac{32+d}{32d}$"
    ),
    "away": parameter(r"$n\ge2$ and $(n-100)(n-600)\ge0$"),
    "off-kink": parameter(r"$(n-33000)(n-33600)\ge0$"),
}
RELATIONS = {
    name: Relation((psi_iq, side.ratio * psi_cq), ("<=",), under=(*_METHODS, side.numbers, name))
    for name, side in AWAY.items()
}


def prove(K: Any, message: Any) -> None:
    """Conclude both, from `message`, that no cost of CQ is below the length of a message."""
    K.example(_example(4, Rational(5, 16), Rational(5, 2)))
    K.example(_example(33000, Rational(31251, 10**6), Rational(10)))
    for name, side in AWAY.items():
        last, next_one = side.ends
        middle = (last + next_one) // 2
        first = K.given(name) if name == "away" else K.sign(le(1, n))
        few, many = _sides(K, side.ends, middle)
        before = _joined(K, side, _intervals(side.first, side.rows[0]), first, few, message)
        behind = _joined(K, side, _intervals(next_one, side.rows[1]), many, None, message)
        K.conclude(name, K.cases(n - middle, before, behind))


def _example(clients: int, length: Any, tau: Any) -> dict[Any, Any]:
    """Return an instance where both methods have one noise, whose best odds have the root tau."""
    root = root_of_noise(length, tau)
    share = 1 / (1 + tau**2)
    least = (share + (1 - share) * length) * (1 + tau * root)
    return {
        **{n: clients, d: _MILLION, c: length, A_iq: root**2, A_cq: root**2, beta: 1, p: HALF},
        **{psi_iq: least, psi_cq: least, best_iq: share, best_cq: share, Symbol("r", real=True): 1},
    }


def _sides(K: Any, ends: tuple[int, int], middle: int) -> tuple[Any, Any]:
    """Return that n is at most the first end up to the middle, and at least the other one beyond it."""
    last, next_one = ends
    before, behind = symbols(f"before_{last} behind_{last}", real=True)
    products = [le(0, (x - last) * (x - next_one)) for x in (before, behind)]
    below, above = K.assume(le(before - middle, 0)), K.assume(lt(0, behind - middle))
    K.know(K.cert(lt(0, next_one - before), (1, below)), K.cert(lt(0, behind - last), (1, above)))
    few = K.cert(le(before, last), (1 / (next_one - before), K.assume(products[0])))
    many = K.cert(le(next_one, behind), (1 / (behind - last), K.assume(products[1])))
    return K.instantiate(few, {before: n}), K.instantiate(many, {behind: n})


def _intervals(first: int, rows: str) -> list[tuple[int, int | None, Rational, Rational]]:
    """Return start, end, and both points of each interval of a table."""
    found, start = [], first
    for row in rows.split(";"):
        end, one, other = row.split()
        last = None if end == "-" else int(end)
        found.append((start, last, Rational(one), Rational(other)))
        start = last or start
    return found


def _joined(K: Any, side: Apart, intervals: Sequence[Any], below: Any, above: Any, message: Any) -> Any:
    """Join the theorems of the intervals by the ends between them."""
    start, end, *points = intervals[0]
    if len(intervals) == 1:
        return _interval(K, side, start, end, below, above, points, message)
    here = K.cert(le(n, end), (1, K.assume(le(n - end, 0))))
    later = K.cert(le(end, n), (1, K.assume(lt(0, n - end))))
    one = _interval(K, side, start, end, below, here, points, message)
    return K.cases(n - end, one, _joined(K, side, intervals[1:], later, above, message))


def _interval(K: Any, side: Apart, a: int, b: Any, below: Any, above: Any, points: Any, message: Any) -> Any:
    tau, point = points
    share = 1 / (1 + tau**2)
    if side.numbers == "two-bit":
        lengths = Rational(1, a) + Rational(1, 16), Rational(1, 16) + (Rational(1, b) if b else 0)
        length = K.given("two-bit", 2)
        long = K.cert(le(c, lengths[0]), (1, length), (1 / (a * n), below))
        short = K.cert(le(lengths[1], c), (-1, length), (1 / (b * n), above) if b else (1 / n, 1))
    else:
        numbers = [K.given("any-million", place) for place in (3, 0)]
        lengths = (Rational(32 + _MILLION, 32 * _MILLION),) * 2
        long = K.cert(le(c, lengths[0]), using=numbers)
        short = K.cert(le(lengths[1], c), using=numbers)
    most = Integer(1)
    if tau:
        high, root = _root_of_iq(K, side, a, below)
        most = (share + (1 - share) * lengths[0]) * (1 + tau * high)
        upper = K.cert(
            le(psi_iq, most),
            (1, psis.at(K, "iq", psi_iq, A_iq, c, share)),
            ((share + (1 - share) * c) * tau, root),
            ((1 - share) * (1 + tau * high), long),
        )
    else:
        upper = psis.at(K, "iq", psi_iq, A_iq, c, Integer(1))
    if b is None:
        least = lengths[1]
        lower = K.cert(le(least, psi_cq), (1, message), (1, short))
    else:
        least, lower = _lower(K, side, b, above, point, lengths[1], short)
    return K.cert(
        le(psi_iq, side.ratio * psi_cq), (1, upper), (side.ratio, lower), (side.ratio * least - most, 1)
    )


def _root_of_iq(K: Any, side: Apart, a: int, below: Any) -> tuple[Any, Any]:
    """Return a bound of the root of the noise of IQ from n = a on, and the theorem."""
    if side.numbers == "two-bit":
        s = Rational(isqrt(a * 10**12), 10**6)
        square = (s + _ROOM - 1) / a
        high = Rational(isqrt(int(square * _DIGIT**2)) + 1, _DIGIT)
        tangent = K.cert(
            le(A_iq, high**2),
            (1, K.given("two-bit")),
            (1 / (2 * s * n), (sqrt(n) - s) ** 2),
            ((high**2 - 1 / (2 * s)) / n, below),
            ((high**2 * a - a / (2 * s) - s / 2 + 1) / n, 1),
        )
    else:
        square = Rational(_MILLION, 4 * a)
        high = Rational(isqrt(int(square * _DIGIT**2)) + 1, _DIGIT)
        tangent = K.cert(
            le(A_iq, high**2),
            (1, K.given("any-million", 1)),
            (Rational(_MILLION, 4 * a) / n, below),
            (high**2 - square, 1),
            using=[K.given("any-million")],
        )
    return high, K.cert(le(sqrt(A_iq), high), (1 / (high + sqrt(A_iq)), tangent))


def _lower(K: Any, side: Apart, b: int, above: Any, tau: Any, short: Any, length: Any) -> tuple[Any, Any]:
    """Return a lower bound of the cost of CQ up to n = b, and the theorem."""
    if side.numbers == "two-bit":
        low = Rational(isqrt(_DIGIT**2 // (4 * b)), _DIGIT)
        square = K.cert(
            le(low**2, A_cq),
            (1, K.given("two-bit", 1)),
            (1 / (4 * b * n), above),
            (Rational(1, 4 * b) - low**2, 1),
        )
    else:
        low = Rational(500, b)
        ends = Rational(_MILLION, 4 * b**2) * (b + n) / n**2
        noise = (1, K.given("any-million", 2))
        square = K.cert(le(low**2, A_cq), noise, (ends, above), using=[K.given("any-million")])
    root = K.cert(le(low, sqrt(A_cq)), (1 / (low + sqrt(A_cq)), square))
    share = 1 / (1 + tau**2)
    least = (share + (1 - share) * short) * (1 + tau * low) * (1 - _SLACK)
    stated = (p + (1 - p) * short) * (1 + low * sqrt((1 - p) / p))
    bracket = Bracket(low, short, Rational(1), tau, least, least)
    lowest = K.instantiate(bracket.at_least(K, stated), {p: best_cq})
    t, own = sqrt((1 - best_cq) / best_cq), best_cq + (1 - best_cq) * c
    lower = K.cert(
        le(least, psi_cq),
        (1, lowest),
        (own * t, root),
        ((1 - best_cq) * (1 + t * low), length),
        (-own, K.axiom("root-product", (1 - best_cq) / best_cq, A_cq, HALF)),
        (-1, K.given("cq-best")),
    )
    return least, lower
