"""Derivation of `cq_marina/cq-equal-inputs`: the law, the variance, and its supremum for even and odd n."""

from collections.abc import Mapping
from itertools import permutations
from math import factorial
from typing import Any

from sympy import Add, Expr, IndexedBase, Integer, Mul, Rational, Symbol, sqrt, symbols

from theory.cq_marina.symbols import d, n
from theory.instance import instance
from theory.old_steps import Certificate, Identity, StandardFact, Step, Term
from theory.summation import SUMMATION

x = IndexedBase("x", real=True)
r = Symbol("r", positive=True)

_SIZE = 2
_HALF = Rational(1, 2)
_c = symbols("c_1:3", integer=True)
_alpha = symbols("alpha_1:3", nonnegative=True)
_z = Symbol("z", real=True)
_kappa = symbols("kappa_1:3", integer=True)
_p, _g = symbols("p g", nonnegative=True)
_v = Symbol("v", nonnegative=True)
_v0 = Symbol("v_0", positive=True)


def derivation(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    """Return the steps, built from the stated expressions."""
    return (
        *(_law(cell, size) for size in (2, 3) for cell in range(size)),
        *_variances(stated),
        *_even_low_dimension(stated),
        *_even_high_dimension(stated),
        *_odd(stated),
        SUMMATION,
    )


def _law(cell: int, size: int) -> Identity:
    """The generating function of the number of ones at y = (cell + alpha) / n, over all permutations."""
    total: Expr = Integer(0)
    for strata in permutations(range(size)):
        chances = [
            Integer(stratum < cell) + (_alpha[0] if stratum == cell else Integer(0)) for stratum in strata
        ]
        total += Mul(*(1 - p + p * _z for p in chances))
    return Identity(
        f"law-{size}-clients-cell-{cell}",
        r"Whatever the permutation, $c$ strata lie below the cell of $y=\frac{c+\alpha}n$ and one in it: the "
        r"number of ones is $c+\mathrm{Bernoulli}(\alpha)$ (generating function, "
        rf"$n={size}$, $c={cell}$; for every $n$ by the same count).",
        total / factorial(size),
        _z**cell * (1 - _alpha[0] + _alpha[0] * _z),
    )


def _at(formula: Expr, inputs: Any, clients: int, fractions: Any = ()) -> Expr:
    values = {x: inputs, d: Integer(len(inputs)), n: Integer(clients)}
    return instance(formula, values, tuple(fractions))


def _variances(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    steps: list[Step] = [
        Identity(
            "grid",
            r"$c$ ones among the $n$ bits give the output $r(\frac{2c}n-1)$, and one more the next level, "
            r"the stated step above it: one stochastic rounding of $x_j$, the same for all clients.",
            r * (2 * (_c[0] + 1) / n - 1) - r * (2 * _c[0] / n - 1),
            stated["step"],
        ),
        Identity(
            "mean",
            r"Its mean is $r(\frac{2(c+\alpha)}n-1)=x_j$, as $c+\alpha=\frac n2(1+\frac{x_j}r)$.",
            r * (2 * (n * (1 + _z / r) / 2) / n - 1),
            _z,
        ),
    ]
    for grid, exact, bound in (("binary", "exact", "bound"), ("ternary", "ternary", "ternary_bound")):
        for clients in (2, 3):
            width = (stated["step"] if grid == "binary" else stated["step"] / 2).xreplace(
                {n: Integer(clients)}
            )
            scaled = [width / r * (c + alpha) for c, alpha in zip(_c, _alpha, strict=True)]
            # The grid begins at -r, or at a multiple of r.
            inputs = tuple(r * (item - 1 if grid == "binary" else item) for item in scaled)
            value = _at(stated[exact], inputs, clients, _alpha)
            steps += [
                Identity(
                    f"{grid}-{clients}-clients",
                    rf"Two-point law in every coordinate: the stated variance on the {grid} grid, for two "
                    rf"coordinates at the levels $c_j+\alpha_j$ and ${clients}$ clients.",
                    width**2 * Add(*(alpha * (1 - alpha) for alpha in _alpha)),
                    value,
                ),
                Certificate(
                    f"{grid}-bound-{clients}-clients",
                    r"$\alpha(1-\alpha)\le\frac14$ in every coordinate (for every $d$ by `summation`).",
                    value,
                    _at(stated[bound], inputs, clients),
                    tuple(Term(width**2, (alpha - _HALF) ** 2, "a square") for alpha in _alpha),
                ),
            ]
    return tuple(steps)


def _even_low_dimension(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    odd = tuple(r * (2 * kappa + 1) / 4 for kappa in _kappa)
    return (
        Identity(
            "odd-multiples",
            r"For even $n$ and odd $x_jn/r$ all $\alpha_j=\frac12$: the bound is attained (four clients, two "
            r"coordinates).",
            _at(stated["exact"], odd, 4),
            _at(stated["bound"], odd, 4),
        ),
        Identity(
            "odd-square",
            r"$(2\kappa+1)^2=8\cdot\frac{\kappa(\kappa+1)}2+1$: $d$ odd numbers with the sum of squares "
            r"$n^2$ exist iff $n^2-d$ is 8 times a sum of $d$ triangular numbers.",
            (2 * _kappa[0] + 1) ** 2,
            8 * (_kappa[0] * (_kappa[0] + 1) / 2) + 1,
        ),
        StandardFact(
            "triangular-numbers",
            r"Every nonnegative integer is a sum of three triangular numbers (Gauss). For even $n$ the "
            r"condition $d\equiv n^2\bmod8$ leaves $d\equiv0,4\bmod8$, so $d\ge4$.",
            "G. H. Hardy and E. M. Wright, An Introduction to the Theory of Numbers, 6th ed., chapter 20",
        ),
    )


def _even_high_dimension(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    flat = _v0 / 2 + (1 / (2 * _v0) - 1) * _v
    beyond = 1 - 2 * _v0
    small = "hypothesis: v_0 = n/(2 sqrt(d)) is at most 1/2, as d >= n^2"
    vzero = n / (2 * sqrt(d))
    return (
        Certificate(
            "tangent-inside",
            r"With $v_j=\frac n2|x_j|/r$ and $v_0=\frac n{2\sqrt d}$: "
            r"$\rho(v)=v-v^2\le\frac{v_0}2+(\frac1{2v_0}-1)v^2$ for $0\le v\le1$.",
            _p - _p**2,
            flat.xreplace({_v: _p**2}),
            (Term(1 / (2 * _v0), (_p - _v0) ** 2, "a square"),),
        ),
        Certificate(
            "tangent-outside",
            r"The same for $v^2=1+g\ge1$, where $\rho=p(1-p)\le\frac14$, for $v_0\le\frac12$.",
            _p * (1 - _p),
            flat.xreplace({_v: 1 + _g}),
            (
                Term(Integer(1), (_p - _HALF) ** 2, "a square"),
                Term(_g / (2 * _v0), beyond, small),
                Term(3 / (8 * _v0), beyond, small),
                Term(1 / (8 * _v0), beyond**2, "a square"),
            ),
        ),
        Identity(
            "high-dimension",
            r"Summed over the coordinates, $\sum_jv_j^2=\frac{n^2}4$, this is the stated value times $r^2$.",
            4 / n**2 * (d * _v0 / 2 + (1 / (2 * _v0) - 1) * n**2 / 4).xreplace({_v0: vzero}),
            stated["high_dimension"],
        ),
        Identity(
            "all-equal",
            r"It is attained where all $|x_j|=r/\sqrt d$: then $v_j=v_0\le\frac12$ for each $j$.",
            4 / n**2 * d * vzero * (1 - vzero),
            stated["high_dimension"],
        ),
        Identity(
            "all-equal-instance",
            r"The stated variance there, for two clients and nine coordinates.",
            _at(stated["exact"].xreplace({r: Integer(3)}), (1,) * 9, 2),
            9 * stated["high_dimension"].xreplace({n: Integer(2), d: Integer(9)}),
        ),
        Certificate(
            "below-the-bound",
            r"$\frac{2\sqrt d}n-1\le\frac d{n^2}$.",
            stated["high_dimension"] * r**2,
            stated["bound"],
            (Term(r**2, (sqrt(d) / n - 1) ** 2, "a square"),),
        ),
    )


def _odd(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    nu = Symbol("nu", integer=True, nonnegative=True)
    return (
        *(
            Identity(
                f"odd-at-basis-vector-{clients}-clients",
                rf"For odd $n$ the stated variance at $e_1$ is the stated value: $\alpha_1=0$, the other "
                rf"$\alpha_j=\frac12$ (${clients}$ clients, ${size}$ coordinates).",
                _at(stated["exact"], (r, *(Integer(0),) * (size - 1)), clients),
                r**2 * stated["odd_at_basis"].xreplace({n: Integer(clients), d: Integer(size)}),
            )
            for clients, size in ((3, 3), (5, 2))
        ),
        Identity(
            "odd-parity",
            r"For $n=2\nu+1$ the level is $c+\frac12$ only where $nx_j/r=2(c-\nu)$ is even.",
            2 * (_c[0] + _HALF) - (2 * nu + 1),
            2 * (_c[0] - nu),
        ),
        StandardFact(
            "odd-not-attained",
            r"A sum of squares of even numbers is not the odd $n^2$, so for odd $n$ no input has all "
            r"$\alpha_j=\frac12$; the variance is continuous on the sphere and takes its largest value, "
            r"which is below $\frac d{n^2}r^2$.",
            "W. Rudin, Principles of Mathematical Analysis, 3rd ed., theorem 4.16",
        ),
    )
