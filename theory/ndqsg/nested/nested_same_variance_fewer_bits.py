r"""`ndqsg/nested-same-variance-fewer-bits`: the headline, with its condition (arXiv 1904.01197, abstract)."""

from typing import Any

from sympy import Abs, IndexedBase, Integer, KroneckerDelta, Rational, Sum, floor, log, symbols

from theory.claim import Claim, Relation, Variable
from theory.facts.rounding.sign_of_integer import nonzero_below
from theory.formula import IsInteger, eq, le, lt
from theory.hypotheses import definition, domain, model, parameter
from theory.indicator import INDICATOR
from theory.ndqsg.paper import PAPER
from theory.statement import statement
from theory.worst_cases import cases

k, M, D, n, i = symbols("k M D n i", real=True)
square, squares, cross, overload = symbols("square squares cross overload", real=True)
# The innovation takes the value z_i with weight p_i; its cell, part of errors that leaves it, and side.
p, z, cell, moved, side = symbols("p z cell moved side", cls=IndexedBase, real=True)
VALUES = (i, 0, n - 1)
HALF = Rational(1, 2)

_NEXT = cell[i] + side[i]
_JUMPS = (1 - moved[i]) * cell[i] ** 2 + moved[i] * _NEXT**2
# The errors that stay have the mean -side * moved / 2, those that move side * (1 - moved) / 2.
_CROSS = side[i] * moved[i] * (1 - moved[i]) / 2 * (_NEXT - cell[i])
_GIVEN = Rational(1, 12) - k * moved[i] * (1 - moved[i]) + k**2 * _JUMPS
_ANY = (1 - moved[i]) * (1 - KroneckerDelta(cell[i], 0)) + moved[i] * (1 - KroneckerDelta(_NEXT, 0))


def _expected(term: Any) -> Any:
    return Sum(p[i] * term, VALUES)


_EXACT = D * (1 + 12 * (k**2 * squares - 2 * k * cross))
_EXCESS = square / D - 1
_LOW, _MOST, _HIGH = (12 * factor * squares for factor in (k * (k - 1), k**2, k * (k + 1)))
_RATE = 12 * k * (k - 1) * overload
_BITS, _DITHERED = log(k) / log(2), log(2 * M + 1) / log(2)
_MIXED = (log(2 * M + 1) + log(k)) / (2 * log(2))

CLAIM = Claim(
    id="ndqsg/nested-same-variance-fewer-bits",
    kind="identity",
    provenance="abstract",
    title="The same variance with fewer bits, exactly where no innovation leaves the margin",
    position=36,
    paper=PAPER,
    **statement(
        r"""
        $\alpha=1$; the innovation $z$ is independent of the dither and takes values $z_1,\dots,z_n$ with
        any probabilities; $j=Q((z+e)/k)$ is the cell of the decoder, $e$ the fine error and $D$ the
        variance of a dithered message of the same step, with $2M+1$ indices. Bits are raw ones of a
        coordinate, the binary logarithm of the alphabet, without scales, headers and what is left of whole
        words.
        (a: fewer, not-fewer) $k$ symbols take fewer bits than $2M+1$ indices, $\frac{\log k}{\log
          2}<\frac{\log(2M+1)}{\log 2}$, if $k<2M+1$, and no fewer, $\frac{\log(2M+1)}{\log 2}\le\frac{\log
          k}{\log 2}$, if $2M+1\le k$. [proof; exact/bits of a dithered index; exact/bits of a symbol;
          exact/bits of half and half; exact/saved iff k is below 2M + 1]
        (b: exact) $$\mathbb E(\hat g-g)^2=D[1+12(k^2\mathbb Ej^2-2k\mathbb E[ej])].$$ [proof; exact/mean
          square; montecarlo/mean square over D]
        (c: same) This is $\mathbb E(\hat g-g)^2=D$ if $-\frac{k-1}2\le z_i\le\frac{k-1}2$ for each $i$.
          [proof; exact/mean square; montecarlo/mean square over D]
        (d: rate, more) Without this condition <<the headline of the abstract fails -> exact/D at least>>:
          $$12k(k-1)\Pr(j\ne0)\le\frac{\mathbb E(\hat g-g)^2}D-1,$$ so that $D<\mathbb E(\hat g-g)^2$ if
          $0<\Pr(j\ne0)$. [proof; exact/excess of the overloads; exact/least excess of single jumps; exact/D
          at least]
        (e: excess) $$12k(k-1)\mathbb Ej^2\le\frac{\mathbb E(\hat g-g)^2}D-1\le12k^2\mathbb
          Ej^2\le12k(k+1)\mathbb Ej^2.$$ [proof; exact/least excess; exact/largest excess]
        """
    ),
    variables=(
        Variable(k, "k", r"\{2,3,\dots\}", "ratio of the coarse step to the fine one"),
        Variable(M, "M", r"\mathbb N", "levels of the dithered quantizer"),
        Variable(D, "D", r"\mathbb R_{>0}", r"$\delta^2/12$, the error variance of the fine step"),
        Variable(square, r"\mathbb E(\hat g-g)^2", r"\mathbb R_{\ge0}", "mean square error"),
        Variable(squares, r"\mathbb Ej^2", r"\mathbb R_{\ge0}", "mean square of the cell"),
        Variable(cross, r"\mathbb E[ej]", r"\mathbb R", "expectation of error times cell"),
        Variable(overload, r"\Pr(j\ne0)", "[0,1]", "overload probability"),
        INDICATOR,
        Variable(z, "z", r"\mathbb R^n", "values of the innovation", "(n,)"),
        Variable(n, "n", r"\mathbb N", "number of values"),
        Variable(p, "p", r"\mathbb R_{\ge0}^n", "their probabilities", "(n,)"),
        Variable(cell, "c", r"\mathbb Z^n", "their cells", "(n,)"),
        Variable(moved, r"\pi", r"[0,\frac12]^n", "parts of the errors that leave these cells", "(n,)"),
        Variable(side, "r", r"\{-1,1\}^n", "sides to which they leave them", "(n,)"),
    ),
    notation={
        "j": "cell of the decoder",
        "e": "fine error",
        "Q": "rounding",
        r"\alpha": "gain",
        "z": "innovation",
    },
    hypotheses={
        "sizes": domain(r"$k\ge2$, $M\ge1$, $n\ge1$ are integers, $D>0$"),
        "weights": domain(r"$p_i\ge0$, $\sum_ip_i=1$"),
        "cells": definition(
            r"$c_i=\lfloor\frac{z_i}k+\frac12\rfloor$, $\pi_i=\max\{0,|z_i-kc_i|-\frac{k-1}2\}$, "
            r"$r_i^2=1$, $\pi_i\le\frac12$; $r_i$ is an integer"
        ),
        "laws": model(
            r"$\mathbb E(\hat "
            r"g-g)^2=12D\sum_ip_i\Big(k^2((1-\pi_i)c_i^2+\pi_i(c_i+r_i)^2)-k\pi_i(1-\pi_i)+\frac1{12}\Big)$, "
            r"$\mathbb Ej^2=\sum_ip_i((1-\pi_i)c_i^2+\pi_i(c_i+r_i)^2)$, $\mathbb "
            r"E[ej]=\sum_ip_i\frac{\pi_i(1-\pi_i)r_i^2}2$, since the innovation has the values $z_i$",
            reference="claim `ndqsg/nested-conditional-mse`",
        ),
        "probability": model(
            r"$\Pr(j\ne0)=\sum_ip_i((1-\pi_i)(1-\mathbb I(c_i,0))+\pi_i(1-\mathbb I(c_i+r_i,0)))$",
            reference="claim `ndqsg/nested-conditional-mse`",
        ),
        "few": parameter("$k<2M+1$"),
        "many": parameter(r"$2M+1\le k$"),
        "inside": parameter(r"$-\frac{k-1}2\le z_i\le\frac{k-1}2$"),
        "overloads": parameter(r"$0<\Pr(j\ne0)$"),
    },
    relations={
        "fewer": Relation((_BITS, _DITHERED), ("<",), under=("few",)),
        "not-fewer": Relation((_DITHERED, _BITS), ("<=",), under=("many",)),
        "exact": Relation((square, _EXACT), ("=",)),
        "same": Relation((square, D), ("=",), under=("inside",)),
        "rate": Relation((_RATE, _EXCESS), ("<=",)),
        "more": Relation((D, square), ("<",), under=("overloads",)),
        "excess": Relation((_LOW, _EXCESS, _MOST, _HIGH), ("<=", "<=", "<=")),
    },
    formulas={
        "exact": _EXACT,
        "excess_low": _LOW,
        "excess_most": _MOST,
        "excess_high": _HIGH,
        "excess_overload": _RATE,
        "bits": _BITS,
        "bits_dithered": _DITHERED,
        "bits_half": _MIXED,
    },
    internal={"bits_half": "the mean of both, where half of the workers send each"},
    worst_cases=cases(r"""
        innovation inside the margin | k = 3, D = 1/12, squares = 0, cross = 0 | 1/12
        $z$ uniform on $[-\frac65,\frac65]$, $k=3$: one overload in sixty | k = 3, D = 1/12, squares = 1/60,
          cross = 13/1800 | 19/100
    """),
)

# Innovations 4/3 and 1/2 for k = 3, and one inside the margin.
_BASE = {k: 3, M: 2, D: Rational(1, 3), n: 2, p: (Rational(1, 4), Rational(3, 4)), side: (1, 1)}


def derive(K: Any) -> None:
    """Prove the relations: sums over the innovations of what holds for each."""
    K.index(VALUES)
    for values in ((Rational(4, 3), HALF), (Rational(2, 3), HALF)):
        cells = {cell: (0, 0), moved: (max(Integer(0), values[0] - 1), 0)}
        K.example({**_BASE, z: values, **cells})
        K.example({**_BASE, k: 7, z: values, cell: (0, 0), moved: (0, 0)})
    logs = K.log(K.sign(lt(1, 2)))
    K.know(K.cert(lt(0, log(2)), (1, logs)))
    K.conclude("fewer", K.cert(lt(_BITS, _DITHERED), (1 / log(2), K.log(K.given("few")))))
    K.conclude("not-fewer", K.cert(le(_DITHERED, _BITS), (1 / log(2), K.log(K.given("many")))))

    total, jumps, crosses = (K.given("laws", place) for place in range(3))
    any_jump = K.given("probability")
    unit, sign = K.given("weights", 1), K.at(K.given("cells", 2), i)
    part = moved[i] * (1 - moved[i])
    given = K.cert(
        eq(p[i] * _GIVEN, p[i] / 12 + k**2 * p[i] * _JUMPS - 2 * k * p[i] * _CROSS), (k * p[i] * part, sign)
    )
    exact = K.cert(
        eq(square, _EXACT),
        (1, total),
        (12 * D, K.sum_over(given, VALUES)),
        (D, unit),
        (-12 * D * k**2, jumps),
        (24 * D * k, crosses),
    )
    K.conclude("exact", exact)
    _same(K, total, unit)

    beyond = Abs(z[i] - k * cell[i]) - (k - 1) / 2
    least = K.cert(
        le(0, moved[i]),
        (1, K.axiom("max-above-left", Integer(0), beyond)),
        (-1, K.at(K.given("cells", 1), i)),
    )
    K.know(least)
    # E[ej] is at least 0 and at most half of E j^2, for each innovation.
    positive = K.cert(le(0, p[i] * _CROSS), (p[i] * part / 2, side[i] ** 2))
    square_of = (cell[i] + side[i] * moved[i]) ** 2
    half = K.cert(le(2 * p[i] * _CROSS, p[i] * _JUMPS), (p[i], square_of))
    low = K.sum_over(half, VALUES)
    above = K.sum_over(positive, VALUES)
    found = K.cert(le(_LOW, _EXCESS), (12 * k, low), (-1 / D, exact), (-12 * k, jumps), (24 * k, crosses))
    most = K.cert(le(_EXCESS, _MOST), (24 * k, above), (1 / D, exact), (-24 * k, crosses))
    K.know(K.cert(le(0, squares), (1, _expected(_JUMPS)), (-1, jumps)))
    K.conclude("excess", found, most, K.cert(le(_MOST, _HIGH), (12 * k, squares)))
    K.know(
        K.rewrite(
            K.sign(IsInteger(floor(z[i] / k + HALF))),
            K.cert(eq(floor(z[i] / k + HALF), cell[i]), (-1, K.at(K.given("cells"), i))),
        )
    )
    each = K.cert(
        le(p[i] * _ANY, p[i] * _JUMPS),
        (p[i] * (1 - moved[i]), _indicator(K, cell[i])),
        (p[i] * moved[i], _indicator(K, _NEXT)),
    )
    K.know(K.cert(lt(0, k * (k - 1)), (k, K.sign(lt(0, k - 1)))))
    rate = K.cert(
        le(_RATE, _EXCESS),
        (1, found),
        (12 * k * (k - 1), K.sum_over(each, VALUES)),
        (12 * k * (k - 1), any_jump),
        (-12 * k * (k - 1), jumps),
    )
    K.conclude("rate", rate)
    K.conclude("more", K.cert(lt(D, square), (D, rate), (12 * D * k * (k - 1), K.given("overloads"))))


def _same(K: Any, total: Any, unit: Any) -> None:
    """Conclude that inside the margin every cell is 0 and no error leaves it."""
    low, high = K.at(K.given("inside"), i), K.at(K.given("inside", 1), i)
    at, value = K.at(K.given("cells"), i), z[i] / k + HALF
    zero = K.discharge(
        K.axiom("floor-unique", value, Integer(0)),
        K.cert(le(0, value), (1 / k, low), (1 / (2 * k), 1)),
        K.cert(lt(value, 1), (1 / k, high), (1 / (2 * k), K.sign(lt(0, 1)))),
    )
    first = K.cert(eq(cell[i], 0), (1, at), (1, zero))
    size, beyond = Abs(z[i] - k * cell[i]), Abs(z[i] - k * cell[i]) - (k - 1) / 2
    margin = (k - 1) / 2
    right = K.cert(
        le(size, margin), (1, high), (-k, first), (1, K.axiom("abs-of-nonnegative", z[i] - k * cell[i]))
    )
    left = K.cert(
        le(size, margin), (1, low), (k, first), (1, K.axiom("abs-of-nonpositive", z[i] - k * cell[i]))
    )
    inside = K.cert(le(beyond, 0), (1, K.cases(z[i] - k * cell[i], left, right)))
    largest = K.discharge(K.axiom("max-is-right", beyond, Integer(0)), inside)
    none = K.cert(eq(moved[i], 0), (1, K.at(K.given("cells", 1), i)), (1, largest))
    weight = k**2 * (_NEXT**2 - cell[i] ** 2) - k * (1 - moved[i])
    each = K.cert(eq(p[i] * _GIVEN, p[i] / 12), (p[i] * weight, none), (p[i] * k**2 * cell[i], first))
    K.conclude("same", K.cert(eq(square, D), (1, total), (12 * D, K.sum_over(each, VALUES)), (D, unit)))


def _indicator(K: Any, term: Any) -> Any:
    """Return that the indicator of an integer not being 0 is at most its square."""
    return nonzero_below(
        K,
        term,
        term**2,
        term**2,
        lambda gap: ((2, gap), (1, (term - 1) ** 2)),
        lambda gap: ((2, gap), (1, (term + 1) ** 2)),
    )
