"""Derivation of `cq_marina/est-exact`: each row of the table, from the definition of its estimator."""

import functools
import itertools
from collections.abc import Mapping, Sequence
from math import factorial
from typing import Any

from sympy import Add, Expr, IndexedBase, Integer, Max, Rational, Symbol, symbols

from theory.cq_marina.ab_permk import CLAIM as PERMK
from theory.cq_marina.ab_permk import TOTAL_VARIANCE, q
from theory.cq_marina.symbols import M, d, m, n, w
from theory.instance import instance
from theory.old_steps import Identity, StandardFact, Step
from theory.summation import SUMMATION
from theory.two_point_law import INDEPENDENCE, expectation

K = Symbol("K", integer=True, positive=True)
b = Symbol("b", integer=True, positive=True)
groups = Symbol("groups", integer=True, positive=True)
tau = Symbol("tau", integer=True, positive=True)
omega = Symbol("omega", nonnegative=True)
M_w = Symbol("M_w", nonnegative=True)
V_block = Symbol("V_block", nonnegative=True)
V_slots = Symbol("V_slots", nonnegative=True)
r = IndexedBase("r", nonnegative=True)
u = IndexedBase("u", real=True)

HOEFFDING = StandardFact(
    "permutation-statistic",
    r"For a uniformly random permutation $\pi$ of $\{0,\dots,n-1\}$ the variance of $\sum_ia_{i\pi(i)}$ is "
    r"$\frac1{n-1}\sum_{i,k}(a_{ik}-\bar a_{i\cdot}-\bar a_{\cdot k}+\bar a_{\cdot\cdot})^2$.",
    "W. Hoeffding, A combinatorial central limit theorem, Annals of Mathematical Statistics 22 (1951), "
    "theorem 2",
)

_ps = symbols("p_1:4", nonnegative=True)
_rs = symbols("r_1:4", positive=True)
_r = Symbol("r", positive=True)
_x = Symbol("x", real=True)
_t = Symbol("t", nonnegative=True)
_xs = symbols("x_1:3", real=True)
_w1 = Symbol("w_1", positive=True)

# Cells of two and of three clients: in one, in different ones, and both.
_CELLS = ((0, 0), (0, 1), (0, 0, 1))
_FRACTIONS = (Rational(1, 4), Rational(2, 3), Rational(4, 5))

_ALONE: dict[Any, Any] = {n: 2, d: 1, r: (_r, Integer(0))}


def derivation(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    """Return the steps, built from the stated expressions."""
    return (
        *_independent(stated),
        *_correlated(stated),
        *_permuted(stated),
        *_sampled(stated),
        SUMMATION,
    )


def _independent(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    chance = (1 + _x / _r) / 2
    square = n * M / n**2
    signs = {"positive": _t, "negative": -_t}
    return (
        INDEPENDENCE,
        Identity(
            "rand-k-coordinate",
            r"A coordinate that is kept with probability $\frac Kd$, times $\frac dK$, has the variance "
            r"$(\frac dK-1)x^2$.",
            expectation(lambda kept: (d / K * kept * _x - _x) ** 2, K / d),
            (d / K - 1) * _x**2,
        ),
        Identity(
            "rand-k",
            r"Over all coordinates and clients, $\frac1{n^2}\sum_i\|a_i\|^2=\frac{nM}{n^2}$.",
            (d / K - 1) * square,
            stated["rand_k"],
        ),
        Identity(
            "binary-mean",
            r"A bit on $\{-r,r\}$ with probability $y=\frac12(1+\frac xr)$ has the mean $x$, whatever the "
            r"dependence between clients.",
            expectation(lambda up: _r * (2 * up - 1), chance),
            _x,
        ),
        Identity(
            "binary-coordinate",
            r"Its variance is $r^2-x^2$; the sum over the coordinates of a client is $(d-1)r^2$.",
            expectation(lambda up: (_r * (2 * up - 1) - _x) ** 2, chance),
            _r**2 - _x**2,
        ),
        Identity(
            "iq-bin",
            r"So IQ-bin has the stated error at every input.",
            (d - 1) * square,
            stated["iq_bin"],
        ),
        *(
            Identity(
                f"ternary-{sign}",
                rf"On the ternary grid a {sign} entry $x$ has the variance $r|x|-x^2$.",
                expectation(
                    lambda up, low=low, value=value: (_r * (low + up) - value) ** 2, value / _r - low
                ),
                _r * _t - _t**2,
            )
            for sign, value, low in (("positive", signs["positive"], 0), ("negative", signs["negative"], -1))
        ),
        Identity(
            "iq-tern",
            r"The stated error of IQ-tern is the sum of these (shown for two clients with two coordinates of "
            r"either sign).",
            Add(
                *(
                    radius * (radius * entry) - (radius * entry) ** 2
                    for radius, row in zip(_rs[:2], (_ps[:2], (_ps[2], _t)), strict=True)
                    for entry in row
                )
            )
            / 4,
            instance(
                stated["iq_tern"],
                {n: 2, d: 2, r: _rs[:2], u: ((_ps[0], -_ps[1]), (-_ps[2], _t))},
            ),
        ),
    )


def _share(cell: int, fraction: Expr, stratum: int) -> Expr:
    """Return the part of a stratum below (cell + fraction) / n."""
    return Integer(1) if stratum < cell else fraction if stratum == cell else Integer(0)


@functools.cache
def enumerated_variance(cells: tuple[int, ...], fractions: tuple[Expr, ...], radii: tuple[Expr, ...]) -> Expr:
    """Return the variance of sum r_i 1[U_i < y_i], y_i = (cell + fraction) / n, over all permutations."""
    size = len(cells)
    chances = [(cell + p) / size for cell, p in zip(cells, fractions, strict=True)]
    total: list[Expr] = []
    for strata in itertools.permutations(range(size)):
        shares = [_share(*item) for item in zip(cells, fractions, strata, strict=True)]
        total.append(
            expectation(
                lambda *bits: (
                    Add(*(radius * (bit - y) for radius, bit, y in zip(radii, bits, chances, strict=True)))
                    ** 2
                ),
                *shares,
            )
        )
    return Add(*total) / factorial(size)


def _clipped(formula: Expr, values: Mapping[Any, Any], fractions: Sequence[Symbol] = ()) -> Expr:
    """Return an instance in which a stratum above the cell of a fraction counts 0."""
    written = instance(formula, values, fractions)
    return written.xreplace({Max(0, p - above): Integer(0) for p in fractions for above in (1, 2)})


def _correlated(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    return (
        TOTAL_VARIANCE,
        HOEFFDING,
        Identity(
            "shares",
            r"Given its stratum $k$, a client has $U<y$ with the probability $\mathrm{clip}(ny-k,0,1)$: 1 "
            r"below the cell of $ny$, $\alpha$ in it, 0 above; their sum is $ny$ (shown for $n=3$, cell 1).",
            Add(*(_share(1, _ps[0], stratum) for stratum in range(3))),
            3 * ((1 + _ps[0]) / 3),
        ),
        *_binary(stated["exact"]),
        *_ternary(stated["cq_tern"]),
    )


# The dearest steps of all: kept for formulas that were seen before.
@functools.cache
def _binary(formula: Expr) -> tuple[Step, ...]:
    steps: list[Step] = []
    for cells in _CELLS:
        size, label = len(cells), "".join(map(str, cells))
        fractions, radii = _ps[:size], _rs[:size]
        rows = [(2 * (cell + p) / size - 1,) for cell, p in zip(cells, fractions, strict=True)]
        steps.append(
            Identity(
                f"cq-bin-{label}",
                rf"Over all permutations and bits of {size} clients in the cells {', '.join(label)} the "
                r"variance is the stated one: a bit moves its client by $2r$ (one coordinate; in every "
                r"dimension by `summation`, for every $n$ by `total-variance` and "
                r"`permutation-statistic`, as in `cq_marina/cq-1d-exact`).",
                4 * enumerated_variance(cells, fractions, radii) / size**2,
                _clipped(formula, {n: size, d: 1, r: radii, u: rows}, fractions),
            )
        )
    steps.append(
        Identity(
            "zero-client",
            r"A zero client sends nothing and adds nothing: the error is that of the other bit alone, "
            r"$\frac1{n^2}(r^2-x^2)$ at $x=pr\ge0$.",
            (_r**2 - (_r * _ps[0]) ** 2) / 4,
            _clipped(formula, {**_ALONE, u: ((_ps[0],), (Integer(0),))}, (_ps[0],)),
        )
    )
    return tuple(steps)


@functools.cache
def _ternary(formula: Expr) -> tuple[Step, ...]:
    steps: list[Step] = []
    for cells in ((0, 1), (0, 0, 1)):
        size, label = len(cells), "".join(map(str, cells))
        radii = _rs[:size]
        rows = [
            (low + (cell + p) / size,) for low, cell, p in zip((-1, 0, -1), cells, _FRACTIONS, strict=False)
        ]
        steps.append(
            Identity(
                f"cq-tern-{label}",
                rf"The same for the ternary grid, where a bit moves its client by $r$ and $y=\{{a/r\}}$ "
                rf"(cells {', '.join(label)}, fractions $\frac14$, $\frac23$, $\frac45$).",
                enumerated_variance(cells, _FRACTIONS[:size], radii) / size**2,
                instance(formula, {n: size, d: 1, r: radii, u: rows}),
            )
        )
    steps.append(
        Identity(
            "zero-client-ternary",
            r"The same for the ternary grid, at $x=\frac r4$.",
            (_r * _r / 4 - (_r / 4) ** 2) / 4,
            instance(formula, {**_ALONE, u: ((Rational(1, 4),), (Integer(0),))}),
        )
    )
    return tuple(steps)


def _permuted(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    sample = PERMK.formulas["theta_sample"]
    mixed = Rational(2, 3) * sample.xreplace({q: Integer(2)}) + Rational(1, 3) * sample.xreplace(
        {q: Integer(3)}
    )
    grouped = sample * (M - m)
    return (
        Identity(
            "perm-k",
            r"PermK: $d\ge n$ has one owner for each coordinate (shown for $n=d=3$).",
            sample.xreplace({q: Integer(1)}) * (M - m),
            instance(stated["perm_k"], {n: 3, d: 3}),
        ),
        Identity(
            "perm-k-few-coordinates",
            r"For $d<n$ the constant of `cq_marina/ab-permk` is averaged over the numbers of owners (shown "
            r"for $n=7$, $d=3$: two coordinates with two owners, one with three).",
            mixed.xreplace({n: Integer(7)}) * (M - m),
            instance(stated["perm_k"], {n: 7, d: 3}),
        ),
        Identity(
            "perm-iq",
            r"Given groups and blocks, the estimate of a block has the mean of its group as its mean, of "
            r"variance $\theta_q(M-m)$ over all blocks, and the variance of IQ-bin with $q$ clients and $b$ "
            r"coordinates; a client and a coordinate meet with probability $\frac1g$, so each of the $g$ "
            r"blocks has the mean square $\frac Mg$.",
            grouped + groups * stated["iq_bin"].subs({d: b, n: q, M: M / groups}, simultaneous=True),
            stated["perm_iq"],
        ),
        Identity(
            "perm-cq",
            r"With CQ-bin in the groups the $g$ blocks add their average error $V_{\rm block}$ each.",
            grouped + groups * V_block,
            stated["perm_cq"],
        ),
    )


def _weighted() -> tuple[tuple[Expr, Expr], tuple[Expr, ...], Expr]:
    """Return weights of two clients, their scaled entries, and the mean of the two entries."""
    weights = (_w1, 1 - _w1)
    scaled = tuple(x / (2 * weight) for x, weight in zip(_xs, weights, strict=True))
    return weights, scaled, (_xs[0] + _xs[1]) / 2


def _sampled(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    weights, scaled, mean = _weighted()
    given: dict[Any, Any] = {n: 2, w: weights, r: _xs}
    mean_square = instance(stated["weighted_mean_square"], given)
    known = {M_w: mean_square, m: mean**2}
    errors = dict(zip(itertools.product((0, 1), repeat=2), symbols("V_1:5", nonnegative=True), strict=True))
    chance = {drawn: weights[drawn[0]] * weights[drawn[1]] for drawn in errors}
    return (
        Identity(
            "draw-mean",
            r"A draw is unbiased: $\sum_iw_i\frac{a_i}{nw_i}=\bar a$ (shown for two clients, as are the next "
            r"steps).",
            Add(*(weight * item for weight, item in zip(weights, scaled, strict=True))),
            mean,
        ),
        Identity(
            "draw-square",
            r"Its second moment is the stated $M_w$ (over all coordinates: with squared norms).",
            Add(*(weight * item**2 for weight, item in zip(weights, scaled, strict=True))),
            mean_square,
        ),
        Identity(
            "is-unbiased",
            r"An unbiased compressor with $\mathbb E\|Q(x)-x\|^2=\omega\|x\|^2$ has $\mathbb "
            r"E\|Q(x)\|^2=(1+\omega)\|x\|^2$; the mean of $\tau$ independent draws has $\frac1\tau$ of the "
            r"variance.",
            tau
            * (
                Add(*(weight * (1 + omega) * item**2 for weight, item in zip(weights, scaled, strict=True)))
                - mean**2
            )
            / tau**2,
            stated["is_unbiased"].xreplace(known),
        ),
        Identity(
            "is-correlated",
            r"Given the draws, CQ over them has its own error and the mean of the drawn entries; over all "
            r"four draws of two slots these add up as stated.",
            Add(
                *(
                    chance[drawn] * (error + ((scaled[drawn[0]] + scaled[drawn[1]]) / 2 - mean) ** 2)
                    for drawn, error in errors.items()
                )
            ),
            stated["is_correlated"].xreplace(
                {
                    **known,
                    tau: Integer(2),
                    V_slots: Add(*(chance[drawn] * error for drawn, error in errors.items())),
                }
            ),
        ),
        Identity(
            "partition",
            r"With one owner from $w$ for each coordinate its variance is that of one draw.",
            Add(*(weight * item**2 for weight, item in zip(weights, scaled, strict=True))) - mean**2,
            stated["partition"].xreplace(known),
        ),
    )
