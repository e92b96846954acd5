r"""Binary floating-point numbers: $m2^p$ with integers $m$ and $p$, $2^{23}\le m<2^{24}$, as in float32.

From where a number lies follows its exponent, and that it is a multiple of the spacing there.
"""

from typing import Any

from sympy import Integer, KroneckerDelta, Rational, Symbol, symbols

from theory.facts.antisymmetry import antisymmetry
from theory.formula import Compare, IsInteger, eq, le, lt

LEAST, MOST = Integer(2) ** 23, Integer(2) ** 24


def float32(value: Any, m: Any, p: Any) -> tuple[Any, ...]:
    """Return that a value is a positive number of the format, with this integer significand and exponent."""
    return IsInteger(m), IsInteger(p), le(LEAST, m), lt(m, MOST), eq(value, m * 2**p)


def as_near(value: Any, exact: Any, other: Any) -> Compare:
    """Return that a value is at most as far from the exact one as another number of the format."""
    return le((value - exact) ** 2, (other - exact) ** 2)


def half_to_even(value: Any, exact: Any, spacing: Any, number: Any) -> IsInteger:
    """Return that a value which is off by half a spacing is an even number of spacings."""
    return IsInteger(KroneckerDelta((value - exact) ** 2, spacing**2 / 4) * number / 2)


def power_of_sum(K: Any, first: Any, second: Any) -> Any:
    r"""Return $2^{a+e}=2^a2^e$ for integers, $e\ge0$."""
    a, e = symbols("binary_a binary_e", real=True)
    K.know(K.assume(IsInteger(a)))
    step = K.cert(eq(2 ** (a + e + 1), 2**a * 2 ** (e + 1)), (2, K.assume(eq(2 ** (a + e), 2**a * 2**e))))
    always = K.induction(e, K.cert(eq(2**a, 2**a)), step)
    return K.at(K.instantiate(always, {a: first}), second)


def power_rises(K: Any, small: Any, large: Any) -> Any:
    r"""Return $2^a\le2^b$ for integers $a\le b$."""
    a, e = symbols("binary_a binary_e", real=True)
    K.know(K.assume(IsInteger(a)))
    step = K.cert(le(2**a, 2 ** (a + e + 1)), (2, K.assume(le(2**a, 2 ** (a + e)))), (1, 2**a))
    always = K.induction(e, K.cert(le(2**a, 2**a)), step)
    return K.at(K.instantiate(always, {a: small}), large - small)


def multiple(K: Any, number: Any, exponent: Any) -> Any:
    r"""Return that $n2^e$ is an integer, for integers, $e\ge0$."""
    n, e = symbols("binary_number binary_exponent", real=True)
    K.know(K.assume(IsInteger(n)), K.assume(IsInteger(e)), K.assume(le(0, e)))
    return K.instantiate(K.sign(IsInteger(n * 2**e)), {n: number, e: exponent})


class Floats:
    """Lemmas on such numbers with integers from any least one to below twice that, proved once.

    Args:
        K: Kernel.
    """

    def __init__(self, K: Any) -> None:
        self.kernel = K
        self.names = v, m, p, least, exact, b = symbols(
            "float_v float_m float_p float_least float_exact float_b", real=True
        )
        K.know(*(K.assume(item) for item in (IsInteger(m), IsInteger(p), IsInteger(b), lt(0, least))))
        small, place = K.assume(lt(m, 2 * least)), K.assume(eq(v, m * 2**p))
        order, ends = _order(K)
        above = K.cert(
            lt(2**b, 2 * 2**p), (1 / least, K.assume(le(least * 2**b, m * 2**p))), (2**p / least, small)
        )
        self.from_below = K.discharge(K.instantiate(order, dict(zip(ends, (b, p), strict=True))), above)
        below = K.cert(
            lt(2**p, 2 * 2**b),
            (1 / least, K.assume(lt(m * 2**p, 2 * least * 2**b))),
            (2**p / least, K.assume(le(least, m))),
        )
        self.from_above = K.discharge(K.instantiate(order, dict(zip(ends, (p, b), strict=True))), below)
        # From the least integer on all are integers, and below twice that all have the exponent 0.
        first, second = K.assume(le(least, v)), K.assume(lt(v, 2 * least))
        low = K.discharge(
            K.instantiate(self.from_below, {b: Integer(0)}),
            K.cert(le(least, m * 2**p), (1, first), (1, place)),
        )
        natural = K.discharge(multiple(K, m, p), K.cert(le(0, p), (1, low)))
        written = K.cert(eq(m * 2**p, v), (-1, place))
        self.whole = K.rewrite(natural, written)
        high = K.discharge(
            K.instantiate(self.from_above, {b: Integer(0)}),
            K.cert(lt(m * 2**p, 2 * least), (1, second), (-1, place)),
        )
        flat = antisymmetry(K, p, Integer(0), K.cert(le(p, 0), (1, high)), K.cert(le(0, p), (1, low)))
        number = K.cert(eq(m, v), (1, K.rewrite(written, flat)))
        quarter = Rational(1, 4)
        tie = K.rewrite(K.assume(half_to_even(v, exact, 2**p, m)), K.assume(eq((v - exact) ** 2, quarter)))
        tie = K.rewrite(K.rewrite(tie, flat), K.axiom("delta-same", quarter))
        self.tie = K.rewrite(tie, number)

    def at(self, theorem: Any, *values: Any) -> Any:
        """Return a lemma for other names: a value, its integer and exponent, the least integer, and so on."""
        return self.kernel.instantiate(theorem, dict(zip(self.names, values, strict=False)))


def _order(K: Any) -> tuple[Any, tuple[Any, Any]]:
    r"""Return $a\le b$ for integers, under $2^a<2\cdot2^b$, and these names."""
    low, high, gap, first, second = symbols(
        "binary_low binary_high binary_gap binary_first binary_second", real=True
    )
    K.know(K.assume(lt(0, gap)), K.assume(lt(first, 2 * second)))
    none = K.cert(le(gap, 0), (gap / (2 * second - first), K.assume(le(2 * second, first))))
    K.know(K.assume(IsInteger(low)), K.assume(IsInteger(high)))
    none = K.instantiate(none, {gap: low - high, first: 2**low, second: 2**high})
    rise = K.cert(le(2 * 2**high, 2**low), (1, power_rises(K, high + 1, low)))
    none = K.discharge(none, K.discharge(rise, K.axiom("integer-gap", Integer(0), low - high)))
    found = K.cases(low - high, K.assume(le(low - high, 0)), none)
    return K.cert(le(low, high), (1, found)), (low, high)


def between(K: Any) -> tuple[Any, Any, tuple[Any, Any, Any]]:
    r"""Return $e\le v$ and $v\le2x-e$ for a value as near to $x$ as $e$, under $e\le x$, and these names."""
    v, x, e = symbols("near_v near_x near_e", real=True)
    below, found = K.assume(le(e, x)), []
    for away, name in ((x - v, "near_down"), (v - x, "near_up")):
        t, room = Symbol(name, real=True), Symbol(f"{name}_room", real=True)
        K.know(K.assume(lt(0, t)), K.assume(le(0, room)))
        far = K.cert(le(t, room), (1 / (t + room), K.assume(le(t**2, room**2))))
        far = K.instantiate(far, {t: away, room: x - e})
        close = K.cert(le(away, x - e), (1, K.assume(le(away, 0))), (1, below))
        found.append(K.cases(away, close, far))
    low, high = found
    return K.cert(le(e, v), (1, low)), K.cert(le(v, 2 * x - e), (1, high)), (v, x, e)
