r"""The bits of MARINA at its best probability of a full round, as the claims on its cost share it.

$\psi$ is the minimum over $0<p\le1$ of $(p+(1-p)c)(1+E)$, $E=\sqrt{\frac{1-p}pA}$, for the noise $A$ of the
compressor and the length $c$ of its messages in units of an uncompressed one.
"""

from typing import Any

from sympy import IndexedBase, Integer, Min, Rational, Symbol, sqrt, symbols

from theory.claim import Variable
from theory.facts.minimum import below_minimum
from theory.formula import eq, le, lt
from theory.hypotheses import definition, domain

A, c, p, psi, best, price, d, n, beta = symbols("A c p psi best price d n beta", real=True)
v = IndexedBase("v", real=True)
HALF, THIRD = Rational(1, 2), Rational(1, 3)

A_IQ, A_CQ = d / (4 * n), d / (4 * n**2)
ORDER = 2 * (c + sqrt(c * A))
MESSAGE = (32 + beta * d) / (32 * d)


def excess(noise: Any, probability: Any) -> Any:
    """Return $E$, by how much the inverse step exceeds $L$, in units of it."""
    return sqrt((1 - probability) / probability * noise)


def cost(noise: Any, length: Any, probability: Any) -> Any:
    """Return the cost at a probability of full rounds."""
    return (probability + (1 - probability) * length) * (1 + excess(noise, probability))


def threshold(length: Any) -> Any:
    """Return the noise from which on full rounds are the best."""
    return (1 - length) ** 2 / (4 * length)


def at_most(value: str, noise: str) -> str:
    """Return the words that a name is at most the cost at every p = 1/(1 + v^2)."""
    return (
        rf"${value}(1+v_1^2)\le(1+cv_1^2)(1+|v_1|\sqrt{{{noise}}})$ for all real $v_1$, since squares of "
        "$v_1$ are the odds of compressed rounds"
    )


def attained(value: str, noise: str, where: str) -> str:
    """Return the words that a name is the cost at a probability."""
    root = rf"\sqrt{{\frac{{1-{where}}}{{{where}}}{noise}}}"
    return (
        rf"${value}=({where}+(1-{where})c)\Big(1+{root}\Big)$, $0<{where}\le1$, since ${where}$ attains the "
        "minimum"
    )


def minimum(value: str, noise: str, where: str) -> str:
    """Return the words that a name is the smallest cost."""
    return f"{at_most(value, noise)}; {attained(value, noise, where)}"


NOISE = Variable(A, "A", r"\mathbb R_{>0}", r"noise, $A-B$ of the AB inequality")
LENGTH = Variable(c, "c", "(0,1]", "length of a compressed message in units of an uncompressed one")
PROBABILITY = Variable(p, "p", "(0,1]", "probability of a full round")
CLIENTS = Variable(n, "n", r"\mathbb N", "number of clients")
DIMENSION = Variable(d, "d", r"\mathbb N", "number of coordinates")
ODDS = Variable(v, "v", r"\mathbb R^1", "root of the odds of a compressed round", "(1,)")
MINIMUM = definition(minimum(r"\psi", "A", r"p^\star"))
PSI = Variable(psi, r"\psi", "(0,1]", "the smallest cost")
BEST = Variable(best, r"p^\star", "(0,1]", "best probability")
PRICE = Variable(price, r"\Psi", r"\mathbb R_{>0}", "cost at $p$")
COST = definition(r"$\Psi=(p+(1-p)c)\Big(1+\sqrt{\frac{1-p}pA}\Big)$")
PROBABILITIES = domain(r"$0<p\le1$")
SIGNS = domain(r"$A>0$, $0<c\le1$")


def at(K: Any, name: str, value: Any, noise: Any, length: Any, probability: Any) -> Any:
    """Return that the minimum of a hypothesis is at most the cost at a probability in (0, 1]."""
    odds = (1 - probability) / probability
    share, root = probability + (1 - probability) * length, sqrt(odds)
    terms = [
        (probability, K.at(K.given(name), lambda _: root)),
        (share * sqrt(noise), K.axiom("abs-of-nonnegative", root)),
    ]
    if excess(noise, probability) != root * sqrt(noise):  # sympy takes roots of numbers out
        terms.append((-share, K.axiom("root-product", odds, noise, HALF)))
    return K.cert(le(value, cost(noise, length, probability)), *terms)


def know(K: Any, *numbers: Any) -> None:
    """Let the kernel know that 1 - x is at least 0 for numbers known to be at most 1."""
    for number in numbers:
        K.know(K.cert(le(0, 1 - number), (1, K.sign(le(number, 1)))))


def at_least_length(K: Any, noise: Any, length: Any, probability: Any) -> Any:
    """Return that no cost is below the length of a message."""
    E = excess(noise, probability)
    return K.cert(
        le(length, cost(noise, length, probability)),
        (probability, K.cert(le(0, 1 - length), (1, K.sign(le(length, 1))))),
        (probability + (1 - probability) * length, K.sign(le(0, E))),
    )


def below_small_noise(K: Any, name: str, value: Any, noise: Any, length: Any) -> Any:
    """Return that the minimum is at most c + A^(1/3), from the odds A^(-1/3); s is A^(1/6)."""
    s, sixth = Symbol("s", real=True), Rational(1, 6)
    K.know(K.assume(lt(0, s)))
    share = (s**2 + length) / (1 + s**2)
    below = K.cert(
        le(value, length + s**2),
        (s**2 / (1 + s**2), K.at(K.given(name), lambda _: 1 / s)),
        (share * sqrt(noise), K.axiom("abs-of-nonnegative", 1 / s)),
        (-share / s, K.assume(eq(s**3, sqrt(noise)))),
    )
    cube, square = (K.axiom("root-root", noise, sixth, power) for power in (3, 2))
    below = K.discharge(K.instantiate(below, {s: noise**sixth}), cube)
    return K.cert(le(value, length + noise**THIRD), (1, below), (1, square))


def full_rounds(K: Any, noise: Any, length: Any, probability: Any, large: Any) -> Any:
    """Return that the cost is at least 1 where the noise is at least the threshold, by `large`."""
    root, odds = sqrt(noise), (1 - probability) / probability
    t = sqrt(odds)
    square = (root * t - (1 - length) / (2 * length)) ** 2
    product = K.axiom("root-product", odds, noise, HALF)
    return K.cert(
        le(1, cost(noise, length, probability)),
        (probability * length * t / root, square),
        (probability * t / root, large),
        (-(probability + (1 - probability) * length), product),
    )


def below_one(K: Any, name: str, value: Any, noise: Any, length: Any, small: Any) -> Any:
    """Return that the minimum is below 1 where the noise is below the threshold, by `small`."""
    rest = 1 - length
    K.know(K.cert(lt(0, rest), (4 * length, small), (4 * length, noise), (length, K.sign(le(0, rest)))))
    odds = rest**2 / (4 * length**2 * noise)
    K.know(K.cert(lt(0, 1 + odds), (1, odds)))
    share = 1 / (1 + odds)
    root = K.axiom("root-root", rest / (2 * length), 2, HALF)
    return K.cert(
        lt(value, 1),
        (1, at(K, name, value, noise, length, share)),
        (share * rest / (2 * length * noise), small),
        (share + (1 - share) * length, root),
    )


def equal(K: Any, value: Any, number: Any, above: Any, below: Any) -> Any:
    """Return an equation from both inequalities."""
    larger = K.axiom("max-is-right", value, number), K.axiom("max-is-right", number, value)
    return K.discharge(K.cert(eq(value, number), (1, larger[0]), (-1, larger[1])), above, below)


def order(K: Any) -> tuple[Any, Any]:
    """Return that psi is between half of min(1, ORDER) and this: p = c above,
    below p <= 1/2 and p >= 1/2 apart.
    """
    one = K.cert(le(psi, 1), (1, at(K, "psi", psi, A, c, Integer(1))))
    rest, root = excess(A, c), sqrt(c * A)
    below = K.power(K.cert(le((1 - c) / c * A, A / c), (1, A)), HALF)
    other = K.cert(
        le(psi, ORDER),
        (1, at(K, "psi", psi, A, c, c)),
        (c**2, 1 + rest),
        (2 * c, below),
        (2 * c, K.axiom("root-root", root / c, 2, HALF)),
    )
    above = below_minimum(K, psi, Integer(1), ORDER, Integer(1), (one, other))
    odds, E = (1 - best) / best, excess(A, best)
    share, t, g = best + (1 - best) * c, sqrt(odds), sqrt(c)
    many = K.assume(le(1 - 2 * best, 0))
    few = K.assume(lt(0, 1 - 2 * best))
    attained = K.given("psi", 1)
    goal = le(Min(1, ORDER) / 2, psi)
    half = K.cert(
        goal,
        (HALF, K.axiom("min-below-left", 1, ORDER)),
        (HALF, many),
        ((1 - best) * c + share * E, K.sign(le(0, 1))),
        (-1, attained),
    )
    small = K.cert(
        goal,
        (HALF, K.axiom("min-below-right", 1, ORDER)),
        (best, K.cert(le(0, 1 - c), (1, K.sign(le(c, 1))))),
        (best * sqrt(A) * t, (1 - g * t) ** 2),
        (sqrt(A) * g, few),
        (-share, K.axiom("root-product", odds, A, HALF)),
        (1, K.axiom("root-product", c, A, HALF)),
        (-1, attained),
    )
    return K.cases(1 - 2 * best, half, small), above


def examples(K: Any) -> None:
    """Offer rational minima: full rounds, and an inner one at odds of 49."""
    s, length, odds = Rational(217, 506), Rational(1, 32), 49
    share = Rational(1, 1 + odds)
    least = (share + (1 - share) * length) * (1 + 7 * s)
    K.example({A: Rational(9, 16), c: Rational(1, 4), psi: 1, best: 1, p: HALF})
    K.example({A: s**2, c: length, psi: least, best: share, p: HALF})
