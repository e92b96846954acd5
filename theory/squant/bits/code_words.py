r"""The words of Elias gamma and omega for one number: how long they are, and that gamma is decoded."""

from typing import Any

from sympy import Expr, IndexedBase, Integer, Max, Min, Sum, floor, log, symbols, sympify

from theory.claim import Relation, Variable
from theory.facts.antisymmetry import antisymmetry
from theory.formula import IsInteger, eq, every, le, lt
from theory.hypotheses import definition, parameter

number, other, m, m2, t, gamma = symbols("k k2 m m2 t gamma", real=True)
omega, x = symbols("omega x", cls=IndexedBase, real=True)
_OMEGA_DEPTH = 5
_LOG = log(number) / log(2)


def _binary_logarithm(number: Expr) -> Expr:
    return floor(log(number, 2))


def gamma_length(number: Expr) -> Expr:
    r"""Return the length of the Elias gamma code of a positive integer, $2\lfloor\log_2k\rfloor+1$."""
    return 2 * _binary_logarithm(number) + 1


def omega_length(number: Expr) -> Expr:
    r"""Return the length of the Elias omega code of a positive integer below $2^{64}$.

    $\omega_1=1$ and, for $k\ge2$, $\omega_k=\lambda+1+\omega_\lambda$, $\lambda=\lfloor\log_2k\rfloor$: each
    exponent $\lambda\ge1$ adds $\lambda+1$, and five of them reach 1 from any number of 64 bits.
    """
    length: Expr = Integer(1)
    exponent = sympify(number)
    plain = bool(exponent.is_number)
    for _ in range(_OMEGA_DEPTH):
        # sympy would look long for an order that symbols do not have.
        exponent = _binary_logarithm(Max(1, exponent, evaluate=plain))
        length += exponent + Min(1, exponent, evaluate=plain)
    return length


def _word(value: Any, count: Any) -> tuple[Any, ...]:
    """Return that the bits begin with the word of gamma for a number: zeros, a one, and as many digits."""
    digits = Sum(x[count + t] * 2 ** (count - t), (t, 0, count))
    zeros = every(eq(x[t], 0), (t, 0, count - 1))
    return IsInteger(count), le(0, count), zeros, eq(x[count], 1), eq(value, digits)


VARIABLES = (
    Variable(number, "k", r"\mathbb N", "number that is coded"),
    Variable(other, "k'", r"\mathbb N", "another one"),
    Variable(m, "m", r"\mathbb N_0", "number of the binary digits of $k$ after the first"),
    Variable(m2, "m'", r"\mathbb N_0", "the same of $k'$"),
    Variable(x, "y", r"\{0,1\}", "bits from a place of a message on", "(oo,)", first=0),
    Variable(gamma, r"\ell_\gamma", r"\mathbb N", "length of the word of gamma"),
    Variable(omega, r"\omega", r"\mathbb N", "lengths of the words of omega", "(oo,)", first=0),
)
HYPOTHESES = {
    "digits": definition(
        r"$m\ge0$ is an integer; $2^m\le k<2^{m+1}$, since $m$ binary digits of $k$ come after its leading "
        "digit"
    ),
    "gamma": definition(
        r"$\ell_\gamma=m+(m+1)$, since the word of gamma is $m$ zeros before the binary digits of "
        "$k$"
    ),
    "omega": definition(
        r"$\omega_1=1$, since the word of 1 is a bit; $\omega_k=(m+1)+\omega_m$, since the binary "
        "digits of $k$ go before the final bit of the word of $m$"
    ),
    "two": parameter(r"$k\ge2$"),
    "words": definition(
        r"$m$ is an integer from 0 on; $y_t=0$ for $t<m$; $y_m=1$, $k=\sum_{t=0}^m2^{m-t}y_{m+t}$, "
        "since the word of $k$ is $m$ zeros before its binary digits; $m'$ is an integer from 0 "
        r"on; $y_t=0$ for $t<m'$; $y_{m'}=1$, $k'=\sum_{t=0}^{m'}2^{m'-t}y_{m'+t}$, since the word "
        "of $k'$ is $m'$ zeros before its binary digits"
    ),
}
RELATIONS = {
    "gamma": Relation((gamma, 2 * floor(_LOG) + 1), ("=",), under=("digits", "gamma")),
    "omega": Relation(
        (omega[number], floor(_LOG) + 1 + omega[floor(_LOG)]), ("=",), under=("digits", "omega", "two")
    ),
    "decoded": Relation((number, other), ("=",), under=("words",)),
}
# The number 5: 00101 in gamma, 3 + 2 + 1 bits in omega.
FIVE = {number: 5, other: 5, m: 2, m2: 2, x: (0, 0, 1, 0, 1), omega: (0, 1, 3, 3, 6, 6)}


def lengths(K: Any) -> None:
    """Conclude the lengths: 2^m <= k < 2^(m+1) says that m is the logarithm rounded down."""
    K.know(*(K.given("digits", place) for place in range(4)))
    first, second = (K.axiom("log-power", 2, count) for count in (m, m + 1))
    low = K.cert(le(m, _LOG), K.log(K.given("digits", 2)), first)
    high = K.cert(lt(_LOG, m + 1), K.log(K.given("digits", 3)), second)
    rounded = K.discharge(K.axiom("floor-unique", _LOG, m), low, high)
    K.conclude("gamma", K.cert(eq(*RELATIONS["gamma"].sides), K.given("gamma"), rounded))
    K.conclude("omega", K.rewrite(K.given("omega", 1), K.cert(eq(m, floor(_LOG)), rounded)))


def decoded(K: Any) -> None:
    """Conclude that a word tells its number: the first one tells how many zeros there are."""
    first, second = ([K.given("words", start + place) for place in range(5)] for start in (0, 5))
    K.know(*first[:2], *second[:2])

    def no_longer(one: Any, two: Any, zeros: Any, start: Any) -> Any:
        """Return m <= m' for these two: else there would be a zero where the digits of the other begin."""
        zero = K.discharge(K.at(zeros, two), K.cert(le(two, one - 1), K.axiom("integer-gap", two, one)))
        clash = K.cert(le(one, two), (two - one, start), zero)
        return K.cases(one - two, K.cert(le(one, two), K.assume(le(one - two, 0))), clash)

    orders = no_longer(m, m2, first[2], second[3]), no_longer(m2, m, second[2], first[3])
    same = K.rewrite(second[4], antisymmetry(K, m2, m, orders[1], orders[0]), side="right")
    K.conclude("decoded", K.cert(eq(number, other), first[4], same))
