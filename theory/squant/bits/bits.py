r"""`squant/bits`: exact expected length of a real prefix code (arXiv 2106.03524; the code is derived here).

A message is $B$ norms of 32 bits, for each nonzero in index order the code of the gap to the previous nonzero
(the first from 0), a sign bit and the code of the level, and last the code of the gap to the sentinel $d+1$.

Derivation: linearity over coordinates gives the levels; linearity over pairs $i<j$ gives the gaps, since $i$
and $j$ are consecutive nonzeros with probability $q_iq_j\prod_{i<k<j}(1-q_k)$, $q_j=\min(1,u_j)$,
$q_0=q_{d+1}=1$.
"""

from collections.abc import Callable

from sympy import (
    Eq,
    Expr,
    Integer,
    Max,
    Min,
    Piecewise,
    Product,
    Rational,
    Sum,
    floor,
    log,
)

from theory.old_form import Claim, Mutant, Variable, WorstCase, expressions
from theory.squant.bits_derivation import derivation, k
from theory.squant.paper import PAPER
from theory.squant.symbols import DIMENSION, QUANTIZER, B, d, i, j, total, u

_NORM_BITS = 32
_OMEGA_DEPTH = 5


def _binary_logarithm(number: Expr) -> Expr:
    return floor(log(number, 2))


def gamma_length(number: Expr) -> Expr:
    r"""Return the length of the Elias gamma code of a positive integer, $2\lfloor\log_2k\rfloor+1$."""
    return 2 * _binary_logarithm(number) + 1


def omega_length(number: Expr) -> Expr:
    r"""Return the length of the Elias omega code of a positive integer below $2^{64}$.

    $\ell_\omega(1)=1$ and, for $k\ge2$, $\ell_\omega(k)=\lambda+1+\ell_\omega(\lambda)$ with
    $\lambda=\lfloor\log_2k\rfloor$; so each exponent $\lambda\ge1$ adds $\lambda+1$, and five of them reach 1
    from any number of 64 bits.
    """
    length: Expr = Integer(1)
    exponent = number
    for _ in range(_OMEGA_DEPTH):
        exponent = _binary_logarithm(Max(1, exponent))
        length += exponent + Min(1, exponent)
    return length


def _levels(length: Callable[[Expr], Expr]) -> Expr:
    level = floor(u[j])
    fraction = u[j] - level
    return total(
        Piecewise(
            (1 + (1 - fraction) * length(level) + fraction * length(level + 1), u[j] >= 1),
            (u[j] * (1 + length(Integer(1))), True),
        )
    )


def _gaps(length: Callable[[Expr], Expr]) -> Expr:
    # Both ends, 0 and d + 1, count as nonzeros.
    first = Piecewise((Integer(1), Eq(i, 0)), (Min(1, u[i - 1]), True))
    last = Piecewise((Integer(1), Eq(j, d + 1)), (Min(1, u[j - 1]), True))
    between = Product(1 - Min(1, u[k - 1]), (k, i + 1, j - 1))
    return Sum(Sum(first * last * length(j - i) * between, (j, i + 1, d + 1)), (i, 0, d))


def _dense(length: Callable[[Expr], Expr]) -> Expr:
    level = floor(u[j])
    fraction = u[j] - level
    nonzero = 1 + (1 - fraction) * length(level + 1) + fraction * length(level + 2)
    zero = (1 - u[j]) * length(Integer(1)) + u[j] * (length(Integer(2)) + 1)
    return total(Piecewise((nonzero, u[j] >= 1), (zero, True)))


_EXPECTED = _NORM_BITS * B + _levels(gamma_length) + _gaps(gamma_length)

_FORMULAS = {
    "sparse_gamma": _EXPECTED,
    "sparse_omega": _NORM_BITS * B + _levels(omega_length) + _gaps(omega_length),
    "dense_gamma": _NORM_BITS * B + _dense(gamma_length),
    "gamma_length": gamma_length(k),
    "omega_length": omega_length(k),
}

_HALF, _THIRD, _QUARTER = Rational(1, 2), Rational(1, 3), Rational(1, 4)

_WORST_CASES = (
    WorstCase(
        "every coordinate is nonzero, one level on the boundary of a code length",
        {
            "x": (2, 3, 6),
            "h": (_HALF, _THIRD, _QUARTER),
            "N": (7, 7, 7),
            "u": (Rational(4, 7), Rational(9, 7), Rational(24, 7)),
            "d": 3,
            "B": 1,
        },
        Integer(45),
    ),
    WorstCase(
        "all levels below 1",
        {
            "x": (1, 4, 8),
            "h": (Rational(3, 2),) * 3,
            "N": (9, 9, 9),
            "u": (Rational(2, 27), Rational(8, 27), Rational(16, 27)),
            "d": 3,
            "B": 1,
        },
        Rational(760105, 19683),
    ),
    WorstCase(
        "two blocks, two norms",
        {
            "x": (3, 4, 5, 12),
            "h": (_HALF, _HALF, _THIRD, _THIRD),
            "N": (5, 5, 13, 13),
            "u": (Rational(6, 5), Rational(8, 5), Rational(15, 13), Rational(36, 13)),
            "d": 4,
            "B": 2,
        },
        Rational(5259, 65),
    ),
    WorstCase(
        "two nonzeros among eight coordinates: gaps and sentinel dominate",
        {
            "x": (0, 3, 0, 0, 4, 0, 0, 0),
            "h": (2,) * 8,
            "N": (5,) * 8,
            "u": (0, Rational(3, 10), 0, 0, Rational(2, 5), 0, 0, 0),
            "d": 8,
            "B": 1,
        },
        Rational(419, 10),
    ),
    WorstCase(
        r"all ones with $h=1$ at $d=16$",
        {"x": (1,) * 16, "h": (1,) * 16, "N": (4,) * 16, "u": (_QUARTER,) * 16, "d": 16, "B": 1},
    ),
)

_MUTANTS = (
    Mutant(
        "no-sentinel",
        "Leave out the gap to the sentinel: the message is shorter and cannot be decoded.",
        ("exact", "montecarlo"),
    ),
    Mutant(
        "single-log",
        r"Count $\lfloor\log_2k\rfloor+1$ bits for a number, without the factor 2 of a self-delimiting code.",
        ("exact",),
    ),
    Mutant("one-norm", r"Charge one norm for $B$ blocks: $32(B-1)$ bits too few.", ("exact",)),
    Mutant("negated-input", "Change the sign of the input: no length may change.", ("exact",), neutral=True),
)

CLAIM = Claim(
    id="squant/bits",
    paper=PAPER,
    kind="identity",
    provenance="derived",
    title="Exact expected message length of the sparse Elias code",
    statement=(
        r"With $k_j=\lfloor u_j\rfloor$, $p_j=\{u_j\}$, $q_j=\min(1,u_j)$, $q_0=q_{d+1}=1$ and a code of "
        r"length $\ell$ for positive integers (Elias gamma: $\ell(k)=2\lfloor\log_2k\rfloor+1$), a message "
        r"of $B$ norms of 32 bits, gap, sign and level of each nonzero, and the gap to the sentinel $d+1$ "
        r"has $$\mathbb E\,\mathrm{bits}=32B+\sum_{j:k_j\ge1}[1+(1-p_j)\ell(k_j)+p_j\ell(k_j{+}1)]"
        r"+\sum_{j:k_j=0}p_j[1+\ell(1)]+\sum_{0\le i<j\le d+1}q_iq_j\,\ell(j-i)\prod_{i<k<j}(1-q_k).$$ "
        r"The dense alternative sends $\ell(\xi_j+1)$ and a sign bit if $\xi_j>0$ for each coordinate."
    ),
    variables=(
        Variable(
            u, r"\mathbb R^d_{\ge0}", r"$u_j=|x_j|/(h_jN_{l(j)})$, zero in a block of norm zero", "(d,)"
        ),
        DIMENSION,
        Variable(B, r"\mathbb N", "number of blocks, so of norms"),
        Variable(k, r"\mathbb N", "number whose code length is asked for"),
    ),
    assumptions=(QUANTIZER, "Header and shape are not counted; a norm of 32 bits is taken as exact."),
    derivation=lambda: derivation(expressions(None, _EXPECTED, _FORMULAS)),
    worst_cases=_WORST_CASES,
    mutants=_MUTANTS,
    exact=_EXPECTED,
    formulas=_FORMULAS,
)
