r"""How much weights take the variance of the tridiagonal quadratics down, for given numbers."""

from typing import Any

from sympy import IndexedBase, Rational, Sum, Symbol, symbols

from theory.claim import Relation
from theory.formula import eq, every, le, lt
from theory.hypotheses import parameter

n, d, lam, mu, tau, tau_1, tau_d, s, L_minus, i = symbols("n d lam mu tau tau_1 tau_d s L_minus i", real=True)
j, k = symbols("j k", real=True)
nu, L, x = symbols("nu L x", cls=IndexedBase, real=True)
v = Symbol("v", real=True)
CLIENTS = (i, 0, n - 1)

NU = 1 + lam * ((2 * i + 1) / n - 1)

_OTHERS = Sum((nu[i] - 1) ** 2 / L[i], CLIENTS)
_LEFT = s**2 * (tau_d - tau_1) ** 2 / (n * L_minus) * _OTHERS

# Number of clients and coordinates, lambda, mu, the first digits of tau_1, and the factor.
GAINS = {
    "gain-ten": (10, 32, Rational(1, 2), Rational(1, 10**6), Rational(22640387, 10**10), 406),
    "gain-five": (5, 6, Rational(4, 5), Rational(1, 100), Rational(495155660, 10**10), Rational(94, 5)),
}
DIGIT = Rational(1, 10**10)
HYPOTHESES = {
    "gain-ten": parameter(
        r"$n=10$, $d=32$, $\lambda=\frac12$, $\mu=10^{-6}$, $0.0022640387\le\tau_1\le0.0022640388$"
    ),
    "gain-five": parameter(
        r"$n=5$, $d=6$, $\lambda=\frac45$, $\mu=10^{-2}$, $0.0495155660\le\tau_1\le0.0495155661$"
    ),
}


def relation(name: str) -> Relation:
    """Return that the squared factor times the variance with weights is at most that without."""
    return Relation((GAINS[name][-1] ** 2 * _LEFT, v * tau_d**2), ("<=",), under=("clients", name))


def example(count: int, size: int, factor: Any, least: Any, low: Any) -> dict[Any, Any]:
    """Return an instance with the first eigenvalue `low`."""
    factors = [NU.subs({n: count, lam: factor, i: place}) for place in range(count)]
    shift, last = least - low, 1 - low
    return {n: count, d: size, lam: factor, mu: least, tau_1: low, tau_d: last, tau: low, s: shift} | {
        nu: factors,
        L: [item * last + shift for item in factors],
        L_minus: least + last - low,
    }


def gain(K: Any, name: str) -> Any:
    """Bring the lemma to the names of the claim."""
    _, _, part, smallest, _, factor = GAINS[name]
    numbers = [K.given(name, place) for place in range(4)]
    shift, ends, same = K.given("shift"), K.given("spectrum", 3), [numbers[2], numbers[3]]
    factors = K.cert(eq(nu[i], NU.subs(lam, part)), (1, K.at(K.given("factors"), i)), using=same)
    constant = K.at(K.given("clients"), i)
    constant = K.cert(
        eq(L[i], nu[i] * (1 - tau_1) + smallest - tau_1), (1, constant), using=[ends, shift, *same]
    )
    N, T = (Symbol(f"gain{part.q}_{letter}", real=True) for letter in ("n", "tau"))
    Y, Z = (IndexedBase(f"gain{part.q}_{letter}", real=True) for letter in ("nu", "L"))
    lemma = K.instantiate(
        _lemma(K, (N, T, Y, Z), *GAINS[name]),
        {N: n, T: tau_1, Y: lambda place: nu[place], Z: lambda place: L[place]},
    )
    known = (numbers[0], K.given(name, 4), K.given(name, 5), K.given("clients", 1))
    lemma = K.discharge(lemma, *known, K.every(factors, CLIENTS), K.every(constant, CLIENTS))
    return K.cert(
        le(factor**2 * _LEFT, v * tau_d**2),
        (1, lemma),
        using=[K.given("v"), K.given("L-minus"), ends, shift, *same],
    )


def _lemma(K: Any, names: Any, count: int, _: int, part: Any, smallest: Any, low: Any, factor: Any) -> Any:
    """Bound each term by the ends of the interval; what is known concerns names of its own."""
    N, T, Y, Z = names
    high, span = low + DIGIT, (i, 0, N - 1)
    number, above, below = K.assume(eq(N, count)), K.assume(le(low, T)), K.assume(le(T, high))
    factors = K.assume(every(eq(Y[i], NU.subs({n: N, lam: part})), span))
    constants = K.assume(every(eq(Z[i], Y[i] * (1 - T) + smallest - T), span))
    K.know(number, K.assume(every(lt(0, Z[i]), span)))
    K.know(K.cert(lt(0, T - smallest), (1, above)), K.cert(lt(0, 1 - 2 * T), (2, below)))
    terms, total = [], Rational(0)
    for place in range(count):
        K.know(K.cert(le(place, N - 1), using=[number]))
        value = NU.subs({n: count, lam: part, i: place})
        own = K.cert(eq(Y[place], value), (1, K.at(factors, place)), using=[number])
        floor = value * (1 - high) + smallest - high
        constant = K.cert(le(floor, Z[place]), (-1, K.at(constants, place)), (T - 1, own), (value + 1, below))
        K.know(K.cert(lt(0, Z[place]), (1, constant)))
        slope = (Y[place] + value - 2) / Z[place]
        goal = le((Y[place] - 1) ** 2 / Z[place], (value - 1) ** 2 / floor)
        terms.append(K.cert(goal, ((value - 1) ** 2 / (floor * Z[place]), constant), (slope, own)))
        total += (value - 1) ** 2 / floor
    others = Sum((Y[i] - 1) ** 2 / Z[i], span)
    summed = K.rewrite(K.identity(others, others), number, "right")
    others = K.cert(le(others, total), (1, summed), *((1, item) for item in terms))
    shifted, apart, norm = high - smallest, 1 - 2 * low, smallest + 1 - 2 * high
    s, last, L_minus, scale = smallest - T, 1 - T, smallest + 1 - 2 * T, factor**2 / N
    return K.cert(
        le(
            scale * s**2 * (1 - 2 * T) ** 2 / L_minus * Sum((Y[i] - 1) ** 2 / Z[i], span),
            part**2 * (N**2 - 1) / (3 * N**2) * last**2,
        ),
        (scale * s**2 * (1 - 2 * T) ** 2 / L_minus, others),
        (scale * total * (1 - 2 * T) ** 2 / L_minus * (shifted + T - smallest), below),
        (scale * total * shifted**2 / L_minus * 2 * (apart + 1 - 2 * T), above),
        (scale * total * shifted**2 * apart**2 * 2 / (norm * L_minus), below),
        (part**2 * (count**2 - 1) / (3 * count**2) * (2 - high - T), below),
        using=[number],
    )
