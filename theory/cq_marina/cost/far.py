r"""How far the ratio of both costs is from its limit, at as many coordinates as clients.

Noises within $10^{-9}$ and $10^{-12}$ of the stated ones, so that some have rational minima.
"""

from dataclasses import dataclass
from math import isqrt
from typing import Any

from sympy import Integer, Rational, sqrt, symbols

from theory.claim import Relation
from theory.cq_marina.cost.bracket import Between, of_minimum, root_of_noise
from theory.cq_marina.cost.psi import A_CQ, A_IQ, beta, c, d, n
from theory.formula import le
from theory.hypotheses import parameter

psi_iq, psi_cq, best_iq, best_cq = symbols("psi_iq psi_cq best_iq best_cq", real=True)
noise_iq, noise_cq = symbols("noise_iq noise_cq", real=True)

_DIGIT = 10**12
_ROOM = (Rational(1, 10**9), Rational(1, 10**12))
_METHODS = (("iq", psi_iq, best_iq, noise_iq), ("cq", psi_cq, best_cq, noise_cq))


@dataclass(frozen=True)
class Far:
    """A number of clients and coordinates.

    Args:
        clients: n.
        ratio: In thousandths.
        points: Next to the roots of the odds at which the costs of IQ and CQ are least.
    """

    clients: int
    ratio: int
    points: tuple[str, str]

    @property
    def sides(self) -> tuple[Rational, Rational]:
        """Return bounds of the ratio, to its digits."""
        return Rational(2 * self.ratio - 1, 2000), Rational(2 * self.ratio + 1, 2000)

    @property
    def noises(self) -> tuple[Rational, Rational]:
        """Return the stated noises."""
        return Rational(1, 4), Rational(1, 4 * self.clients)

    @property
    def length(self) -> Rational:
        """Return the length of a message with one bit for each coordinate."""
        return Rational(32 + self.clients, 32 * self.clients)


FAR = {
    "hundred": Far(100, 3533, ("6.00445469648", "10.4766932601")),
    "thousand": Far(1000, 5142, ("6.72153919021", "16.1947258669")),
    "myriad": Far(10**4, 6168, ("6.80891675421", "23.5362128485")),
    "million": Far(10**6, 7022, ("6.81874728050", "50.0595210853")),
}
HYPOTHESES = {name: parameter(f"$d={far.clients}$, $n={far.clients}$") for name, far in FAR.items()}
RELATIONS = {
    name: Relation(
        (far.sides[0] * psi_cq, psi_iq, far.sides[1] * psi_cq),
        ("<=", "<="),
        under=("iq", "cq", "length", "near", name),
    )
    for name, far in FAR.items()
}


def example(name: str) -> dict[Any, Any]:
    """Return an instance, with noises for which the minima are rational."""
    far, length = FAR[name], FAR[name].length
    values: dict[Any, Any] = {n: far.clients, d: far.clients, beta: 1, c: length}
    for (_, value, where, noise), point in zip(_METHODS, far.points, strict=True):
        tau = Rational(point)
        root, share = root_of_noise(length, tau), 1 / (1 + tau**2)
        values |= {noise: root**2, where: share, value: (share + (1 - share) * length) * (1 + tau * root)}
    return values


def conclude(K: Any) -> None:
    """Conclude both links of all of them."""
    for name, far in FAR.items():
        sizes = [K.given(name), K.given(name, 1), K.given("near", 2)]
        equations = [K.given("length"), *sizes]
        exact = Between(
            far.length,
            far.length,
            K.cert(le(far.length, c), using=equations),
            K.cert(le(c, far.length), using=equations),
        )
        bounds = []
        for place, (method, value, best, noise) in enumerate(_METHODS):
            known = K.given("near", place), noise - (A_IQ, A_CQ)[place], sizes
            root = _root(K, noise, far.noises[place], _ROOM[place], known)
            attained = K.given(method, 1)
            point = Rational(far.points[place])
            bounds.append(of_minimum(K, point, (value, best, noise, c), (method, attained), root, exact))
        (least_iq, most_iq), (least_cq, most_cq) = bounds
        low, high = far.sides
        first = K.cert(le(low * psi_cq, psi_iq), (low, most_cq), (1, least_iq))
        K.conclude(name, first, K.cert(le(psi_iq, high * psi_cq), (1, most_iq), (high, least_cq)))


def _root(K: Any, noise: Any, stated: Any, room: Any, known: Any) -> Between:
    """Return bounds of the root of a noise that is within some room of the stated one."""
    near, difference, sizes = known
    low = Rational(isqrt(int((stated - room) * _DIGIT**2)), _DIGIT)
    high = Rational(isqrt(int((stated + room) * _DIGIT**2)) + 1, _DIGIT)
    one = Integer(1)
    above = K.cert(
        le(low**2, noise),
        (1, near),
        (1, K.axiom("abs-below", difference)),
        (stated - room - low**2, one),
        using=sizes,
    )
    below = K.cert(
        le(noise, high**2),
        (1, near),
        (1, K.axiom("abs-above", difference)),
        (high**2 - stated - room, one),
        using=sizes,
    )
    return Between(
        low,
        high,
        K.cert(le(low, sqrt(noise)), (1 / (low + sqrt(noise)), above)),
        K.cert(le(sqrt(noise), high), (1 / (high + sqrt(noise)), below)),
    )
