r"""The ratio of both costs at equal numbers with the true noise of the ternary grid, where it is largest.

Bounds of $\psi$ by the roots of the noises and the lengths of messages to nine digits.
"""

from dataclasses import dataclass
from typing import Any

from sympy import Rational, Symbol, symbols

from theory.claim import Relation
from theory.cq_marina.cost.bracket import Between, of_minimum, root_of_noise
from theory.cq_marina.cost.psi import HALF, beta, c, p
from theory.formula import le
from theory.hypotheses import parameter

psi_iq, psi_cq, best_iq, best_cq, A_iq, A_cq = symbols("psi_iq psi_cq best_iq best_cq A_iq A_cq", real=True)
_DIGIT = Rational(1, 10**9)
_METHODS = ((psi_iq, best_iq, A_iq, "iq", "iq"), (psi_cq, best_cq, A_cq, "cq", "cq-best"))


@dataclass(frozen=True)
class Peak:
    """A peak, its numbers to nine digits.

    Args:
        height: The ratio, in thousandths.
        roots: Of the noises of IQ and CQ, times 10^9, rounded down.
        length: Of a message, likewise.
        points: Next to the roots of the odds at which the costs are least.
    """

    height: int
    roots: tuple[int, int]
    length: int
    points: tuple[str, str]

    @property
    def sides(self) -> tuple[Any, Any]:
        """Return bounds of the ratio, to the digits of the height."""
        return (Rational(2 * self.height - 1, 2000), Rational(2 * self.height + 1, 2000))

    @property
    def ends(self) -> tuple[tuple[Any, Any], ...]:
        """Return the ends of the roots of both noises and of the length."""
        return tuple((item * _DIGIT, (item + 1) * _DIGIT) for item in (*self.roots, self.length))


PEAKS = {
    "two-bits": Peak(2260, (248425135, 33040930), 66866812, ("5.612345598", "9.868903650")),
    "three-levels": Peak(2355, (240755918, 30890103), 53346872, ("6.236899868", "10.96943252")),
    "one-bit": Peak(2556, (225237793, 26802813), 34123563, ("7.657010987", "13.50900154")),
}
HYPOTHESES = {
    "two-bits": parameter(
        r"$0.248425135\le\sqrt{A_{\rm IQ}}\le0.248425136$, "
        r"$0.033040930\le\sqrt{A_{\rm CQ}}\le0.033040931$, $0.066866812\le c\le0.066866813$"
    ),
    "three-levels": parameter(
        r"$0.240755918\le\sqrt{A_{\rm IQ}}\le0.240755919$, "
        r"$0.030890103\le\sqrt{A_{\rm CQ}}\le0.030890104$, $0.053346872\le c\le0.053346873$"
    ),
    "one-bit": parameter(
        r"$0.225237793\le\sqrt{A_{\rm IQ}}\le0.225237794$, "
        r"$0.026802813\le\sqrt{A_{\rm CQ}}\le0.026802814$, $0.034123563\le c\le0.034123564$"
    ),
}


def relation(name: str) -> Relation:
    """Return the height of a peak."""
    low, high = PEAKS[name].sides
    return Relation((low * psi_cq, psi_iq, high * psi_cq), ("<=", "<="), under=("iq", "cq", "cq-best", name))


def example(name: str) -> dict[Any, Any]:
    """Return an instance, with noises for which the minima are rational."""
    peak = PEAKS[name]
    length = peak.ends[2][0]
    values: dict[Any, Any] = {c: length, p: HALF, beta: 1, Symbol("r", real=True): 1}
    for (value, where, noise, _, _), (low, high), point in zip(
        _METHODS, peak.ends, peak.points, strict=False
    ):
        # The derivative of the cost in t is 0 at t = tau for this root of the noise.
        tau = Rational(point)
        for _ in range(3):
            root = root_of_noise(length, tau)
            slope = (root_of_noise(length, tau + _DIGIT) - root) / _DIGIT
            tau += Rational(round(((low + high) / 2 - root) / slope * 10**15), 10**15)
        root, share = root_of_noise(length, tau), 1 / (1 + tau**2)
        values |= {noise: root**2, where: share, value: (share + (1 - share) * length) * (1 + tau * root)}
    return values


def height(K: Any, name: str) -> tuple[Any, Any]:
    """Return both links, from rational bounds of both minima."""
    peak = PEAKS[name]
    bounds = []
    for place, (point, method) in enumerate(zip(peak.points, _METHODS, strict=True)):
        bounds.append(_bounds(K, name, place, Rational(point), *method))
    (least_iq, most_iq), (least_cq, most_cq) = bounds
    low, high = peak.sides
    first = K.cert(le(low * psi_cq, psi_iq), (low, most_cq), (1, least_iq))
    return first, K.cert(le(psi_iq, high * psi_cq), (1, most_iq), (high, least_cq))


def _bounds(K: Any, name: str, place: int, tau: Any, *method: Any) -> tuple[Any, Any]:
    ends, given = PEAKS[name].ends, [K.given(name, side) for side in range(6)]
    root, length = (Between(*ends[at], given[2 * at], given[2 * at + 1]) for at in (place, 2))
    value, best, noise, below, attained = method
    equation = K.given(attained, 1 if attained == "iq" else 0)
    return of_minimum(K, tau, (value, best, noise, c), (below, equation), root, length)
