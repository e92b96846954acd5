"""Derivation of `squant/bits`: literal codes and messages, enumerated, against the stated lengths."""

import functools
import itertools
from collections.abc import Callable, Mapping, Sequence

from sympy import Expr, Integer, Symbol, symbols

from theory.instance import instance
from theory.old_steps import Identity, StandardFact, Step
from theory.squant.symbols import B, d, u
from theory.two_point_law import INDEPENDENCE, expectation

k = Symbol("k", integer=True, positive=True)

# A norm is a number of single precision: sign, exponent, fraction.
_NORM_BITS = 1 + 8 + 23

_p, _lk, _ll, _l1, _w, _z = symbols("p l_k l_k1 l_1 w z", nonnegative=True)
_ps = symbols("p_1:4", nonnegative=True)
_q = symbols("q_1:5", nonnegative=True)
_ell = symbols("l_1:6", nonnegative=True)

# Integer parts of the levels, and numbers of norms.
_CASES = (((0,), 1), ((2,), 1), ((15,), 1), ((0, 0), 1), ((3, 0), 2), ((0, 0, 0), 1), ((0, 1, 3), 2))


def _gamma_code(number: int) -> str:
    """Return the Elias gamma code: zeros, one fewer than there are binary digits, then the digits."""
    digits = f"{number:b}"
    return "0" * (len(digits) - 1) + digits


def _omega_code(number: int) -> str:
    """Return the Elias omega code: groups of digits, each one giving the length of the next, then 0."""
    code = "0"
    while number > 1:
        code = f"{number:b}{code}"
        number = number.bit_length() - 1
    return code


def _sparse_length(levels: Sequence[int], code: Callable[[int], str]) -> int:
    """Return the length of a literal message without its norms."""
    bits, last = 0, 0
    for place, level in enumerate(levels, start=1):
        if level:
            bits += len(code(place - last)) + 1 + len(code(level))
            last = place
    return bits + len(code(len(levels) + 1 - last))


def _dense_length(levels: Sequence[int], code: Callable[[int], str]) -> int:
    return sum(len(code(level + 1)) + (level > 0) for level in levels)


_Length = Callable[[Sequence[int], Callable[[int], str]], int]


@functools.cache
def _mean_length(floors: tuple[int, ...], blocks: int, length: _Length, code: Callable[[int], str]) -> Expr:
    """Return the mean length of a message over all rounding patterns."""
    content = expectation(
        lambda *ups: Integer(length([a + b for a, b in zip(floors, ups, strict=True)], code)),
        *_ps[: len(floors)],
    )
    return _NORM_BITS * blocks + content


@functools.cache
def _stated_length(formula: Expr, floors: tuple[int, ...], blocks: int) -> Expr:
    """Return a stated mean length at levels with these integer parts and any fractions."""
    levels = tuple(whole + p for whole, p in zip(floors, _ps, strict=False))
    return instance(formula, {u: levels, d: len(floors), B: blocks}, _ps)


def _enumerated_gaps(size: int) -> Expr:
    """Return the expected total length of all gaps over every pattern of nonzeros."""

    def length(*nonzero: int) -> Expr:
        places = [0, *(place for place, bit in enumerate(nonzero, start=1) if bit), size + 1]
        return sum(_ell[b - a - 1] for a, b in itertools.pairwise(places))

    return expectation(length, *_q[:size])


def _summed_gaps(size: int) -> Expr:
    """Return the same expectation as the sum over pairs of consecutive nonzeros."""
    chances = [Integer(1), *_q[:size], Integer(1)]
    result: Expr = Integer(0)
    for first in range(size + 1):
        for last in range(first + 1, size + 2):
            between: Expr = Integer(1)
            for place in range(first + 1, last):
                between *= 1 - chances[place]
            result += chances[first] * chances[last] * _ell[last - first - 1] * between
    return result


def _first_gap_total(size: int) -> Expr:
    chances = [*_q[:size], Integer(1)]
    result: Expr = Integer(0)
    none_before: Expr = Integer(1)
    for chance in chances:
        result += none_before * chance
        none_before *= 1 - chance
    return result


def derivation(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    """Return the steps, built from the stated expressions."""
    return (*_EXPECTATION, *_GAPS, *_code_lengths(stated), *_messages(stated))


_EXPECTATION: tuple[Step, ...] = (
    StandardFact(
        "linearity",
        r"The expectation of a sum is the sum of the expectations: over norms, coordinates and pairs of "
        r"nonzeros.",
        "P. Billingsley, Probability and Measure, 3rd ed., section 5",
    ),
    INDEPENDENCE,
    Identity(
        "nonzero-probability",
        r"A coordinate at level $k_j=0$ is nonzero with probability $p_j=u_j$, one at $k_j\ge1$ always: "
        r"$q_j=\min(1,u_j)$.",
        expectation(lambda up: Integer(up), _p),
        _p,
    ),
    Identity(
        "level-cost",
        r"At $k_j\ge1$ sign and level cost $1+(1-p)\ell(k)+p\,\ell(k+1)$.",
        expectation(lambda up: 1 + (_ll if up else _lk), _p),
        1 + (1 - _p) * _lk + _p * _ll,
    ),
    Identity(
        "zero-level-cost",
        r"At $k_j=0$ they cost $p\,(1+\ell(1))$: nothing is sent for a zero.",
        expectation(lambda up: 1 + _l1 if up else Integer(0), _p),
        _p * (1 + _l1),
    ),
)

_GAPS: tuple[Step, ...] = (
    *(
        Identity(
            f"gap-cost-{size}",
            r"The mean of the total gap length over all patterns of nonzeros is the sum over pairs $i<j$ of "
            r"$q_iq_j\,\ell(j-i)\prod_{i<k<j}(1-q_k)$, the sentinel included, for any lengths "
            rf"(shown for $d={size}$; for every $d$ by `linearity` over the pairs and `independence`).",
            _enumerated_gaps(size),
            _summed_gaps(size),
        )
        for size in (1, 2, 3, 4)
    ),
    Identity(
        "first-gap",
        r"Some first gap occurs: $\sum_{j=1}^{d+1}q_j\prod_{k<j}(1-q_k)=1$, because the sentinel is certain "
        r"(shown for $d=4$).",
        _first_gap_total(4),
        Integer(1),
    ),
)


def _code_lengths(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    small = range(1, 9)
    return (
        *(
            Identity(
                f"gamma-length-{number}",
                rf"The Elias gamma code of {number} has the stated length.",
                Integer(len(_gamma_code(number))),
                instance(stated["gamma_length"], {k: number}),
            )
            for number in (*small, 2**16, 2**63)
        ),
        *(
            Identity(
                f"omega-length-{number}",
                rf"The Elias omega code of {number} has the stated length.",
                Integer(len(_omega_code(number))),
                instance(stated["omega_length"], {k: number}),
            )
            for number in (*small, 16, 100, 2**16, 2**63)
        ),
        Identity(
            "gamma-kraft",
            r"Kraft sum, by induction over the lengths: the $2^m$ numbers with exponent $m$ add "
            r"$2^m2^{-2m-1}=z^m(1-z)$ at $z=\frac12$; with $w=z^m$ the sum goes from $1-w$ to $1-wz$, so it "
            r"tends to 1 and the code is full.",
            (1 - _w) + _w * (1 - _z),
            1 - _w * _z,
        ),
        StandardFact(
            "elias",
            r"Elias gamma and omega are prefix codes of the positive integers with lengths "
            r"$2\lfloor\log_2k\rfloor+1$ and $\ell_\omega(1)=1$, "
            r"$\ell_\omega(k)=\lfloor\log_2k\rfloor+1+\ell_\omega(\lfloor\log_2k\rfloor)$.",
            "P. Elias, Universal codeword sets and representations of the integers, IEEE Trans. Inf. Theory "
            "21 (1975)",
        ),
    )


def _messages(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    forms: tuple[tuple[str, str, _Length, Callable[[int], str]], ...] = (
        ("message", "exact", _sparse_length, _gamma_code),
        ("sparse-gamma", "sparse_gamma", _sparse_length, _gamma_code),
        ("sparse-omega", "sparse_omega", _sparse_length, _omega_code),
        ("dense-gamma", "dense_gamma", _dense_length, _gamma_code),
    )
    steps = []
    for (name, key, length, code), (floors, blocks) in itertools.product(forms, _CASES):
        size, shown = len(floors), ", ".join(map(str, floors))
        steps.append(
            Identity(
                f"{name}-{'-'.join(map(str, floors))}",
                rf"The stated length at $\lfloor u\rfloor=({shown})$, any fractions and {blocks} norms is "
                rf"the mean over all ${2**size}$ literal messages (shown for $d={size}$; for every $d$ by "
                r"`linearity` and `independence`).",
                _mean_length(floors, blocks, length, code),
                _stated_length(stated[key], floors, blocks),
            )
        )
    return tuple(steps)
