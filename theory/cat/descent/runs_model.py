r"""Runs whose steps guarantee a share of a decrease: what is assumed, and what follows for every iteration.

The lemmas rest on the hypotheses of `HYPOTHESES`, which a claim takes over under the same names.
"""

from typing import Any

from sympy import IndexedBase, Rational, Sum, exp, oo, symbols

from theory.formula import le
from theory.hypotheses import definition, domain, model

L, mu, Delta_0, R, k, i = symbols("L mu Delta_0 R k i", real=True)
alpha, G, delta, P = symbols("alpha G delta P", cls=IndexedBase, real=True)
EACH = (k, 0, oo)

HYPOTHESES = {
    "signs": domain(r"$L,\mu,R>0$"),
    "shares": domain(r"$0\le\alpha_k\le1$"),
    "gaps": definition(r"$\delta_k\ge0$, $\delta_0=\Delta_0$: the gaps $F(x_k)-F^\star$"),
    "product": definition(
        r"$P_0=1$, $P_{k+1}=(1-\frac{\alpha_k\mu}L)P_k$, since $P_k$ is the product of the factors before $k$"
    ),
    "descent": model(
        r"$\delta_{k+1}\le\delta_k-\frac{\alpha_k}{2L}\|g_k\|^2$, since $F$ is $L$-smooth",
        reference="cat/s-descent, cat/sq-descent",
    ),
    "polyak": model(r"the Polyak-Łojasiewicz inequality: $\|g_k\|^2\ge2\mu\delta_k$, $\mu\le L$"),
    "radius": model(
        r"$\delta_k^2\le R^2\|g_k\|^2$, $\delta_0\le\frac L2R^2$, since $R$ bounds the distances of the "
        "level set of the convex smooth $F$ to its minimisers"
    ),
}

# F = x^2/2 from 1, all entries sent: one iteration is enough, and what is said of all of them holds after it.
_HALF = Rational(1, 2)
EXAMPLE: dict[Any, Any] = {L: 1, mu: 1, R: 1, Delta_0: _HALF, alpha: (1,) * 151}
EXAMPLE |= {delta: (_HALF, *(0,) * 151), G: (1, *(0,) * 150), P: (1, *(0,) * 151)}


def shares_until(end: Any) -> Sum:
    """Return the sum of the shares before an iteration."""
    return Sum(alpha[i], (i, 0, end - 1))


def contraction(K: Any) -> tuple[Any, Any]:
    r"""Return $\delta_k\le\Delta_0P_k$ and $P_k\le e^{-\frac\mu L\sum_{i<k}\alpha_i}$ for every k.

    $\Delta_0\ge0$ must be known.
    """
    factor = 1 - alpha[k] * mu / L
    at_most_one = K.at(K.given("shares", 1), k)
    K.know(K.cert(le(0, factor), (mu / L, at_most_one), (1 / L, K.given("polyak", 1))))
    contracted = K.cert(
        le(delta[k + 1], factor * delta[k]),
        (1, K.at(K.given("descent"), k)),
        (alpha[k] / (2 * L), K.at(K.given("polyak"), k)),
    )
    one, grown = K.given("product"), K.at(K.given("product", 1), k)
    step = K.cert(
        le(delta[k + 1], Delta_0 * P[k + 1]),
        (1, contracted),
        (factor, K.assume(le(delta[k], Delta_0 * P[k]))),
        (-Delta_0, grown),
    )
    base = K.cert(le(delta[0], Delta_0 * P[0]), (1, K.given("gaps", 1)), (-Delta_0, one))
    product = K.induction(k, base, step)

    def power(end: Any) -> Any:
        return exp(-mu / L * shares_until(end))

    exponent, before = -alpha[k] * mu / L, -mu / L * shares_until(k)
    split = K.split_off(shares_until(k + 1))
    whole = K.cert(le(exponent + before, -mu / L * shares_until(k + 1)), (mu / L, split))
    step = K.cert(
        le(P[k + 1], power(k + 1)),
        (1, grown),
        (factor, K.assume(le(P[k], power(k)))),
        (power(k), K.axiom("exp-above", exponent)),
        (-1, K.axiom("exp-sum", exponent, before)),
        (1, K.exp(whole)),
    )
    return product, K.induction(k, K.cert(le(P[0], power(0)), (1, one)), step)


def convex_gaps(K: Any) -> Any:
    r"""Return $\delta_k(\sum_{i<k}\alpha_i+4)\le2LR^2$ for every k."""
    c, u, before = 2 * L * R**2, delta[k], shares_until(k) + 4
    fall = K.cert(
        le(delta[k + 1], u - alpha[k] * u**2 / c),
        (1, K.at(K.given("descent"), k)),
        (alpha[k] / c, K.at(K.given("radius"), k)),
    )
    held, at_most_one = K.assume(le(u * before, c)), K.at(K.given("shares", 1), k)
    K.know(K.cert(le(0, c - alpha[k] * u), (1, held), (u, shares_until(k)), (u, at_most_one), (u, 3)))
    step = K.cert(
        le(delta[k + 1] * (shares_until(k + 1) + 4), c),
        (delta[k + 1], K.split_off(shares_until(k + 1))),
        (before + alpha[k], fall),
        ((c - alpha[k] * u) / c, held),
        (alpha[k] ** 2 * u**2 / c, 1),
    )
    return K.induction(k, K.cert(le(delta[0] * (shares_until(0) + 4), c), (4, K.given("radius", 1))), step)
