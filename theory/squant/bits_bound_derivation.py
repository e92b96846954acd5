"""Derivation of `squant/bits-bound`: tangents of the logarithm, then the largest mean number of nonzeros."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sympy import E, Expr, Integer, Min, Rational, Symbol, diff, exp, floor, log, sqrt, symbols

from theory.cauchy_schwarz import CAUCHY_SCHWARZ, any_dimension
from theory.old_steps import Certificate, Identity, StandardFact, Step, Term
from theory.squant.bits.bits import CLAIM as BITS
from theory.squant.bits_derivation import k as number
from theory.squant.symbols import B, beta, d
from theory.summation import SUMMATION

# A norm is a number of single precision: sign, exponent, fraction.
_NORM_BITS = 1 + 8 + 23

_c, _g, _D = symbols("c g D", positive=True)
_gaps = symbols("g_1:4", positive=True)
_levels = symbols("xi_1:3", positive=True)
_fraction, _a, _level, _excess = symbols("f a u e", nonnegative=True)
_k, _G, _V, _S = symbols("k G V S", real=True)
_codes = symbols("l_1:4", real=True)
_level_codes = symbols("m_1:3", real=True)
_s = Symbol("s", positive=True)
_x, _N, _h = symbols("x_j N_l h_j", positive=True)
_block_sums, _block_budgets = symbols("S_1:3", real=True), symbols("beta_1:3", positive=True)
_b = Symbol("b", positive=True)


def log2(value: Expr) -> Expr:
    """Return the binary logarithm."""
    return log(value) / log(2)


@dataclass(frozen=True)
class Region:
    """Part of the domain in which each minimum of the formulas is one of its arguments.

    Args:
        name: Suffix of the names of its steps.
        condition: The region, in LaTeX.
        values: Budget and dimension, in symbols that make its conditions evident.
        point: A point of it, which says what each minimum is.
        nonzeros: Largest mean number of nonzeros there, with the step that says so.
        gaps: Number m at which the tangent of the gap lengths is taken.
        levels: Number t at which the tangent of the level lengths is taken.
        slope: Slope of the resulting bound in the mean number of nonzeros.
    """

    name: str
    condition: str
    values: Mapping[Any, Expr]
    point: Mapping[Any, Expr]
    nonzeros: tuple[Expr, str]
    gaps: Expr
    levels: Expr
    slope: Expr

    def write_out(self, formula: Expr) -> Expr:
        """Return a formula in the symbols of the region, each minimum replaced by its smaller argument."""
        if not formula.args:
            return self.values.get(formula, formula)
        parts = [self.write_out(part) for part in formula.args]
        if isinstance(formula, Min):
            return min(parts, key=lambda part: part.xreplace(self.point).n())
        return formula.func(*parts)


_HALF_WAY = (d + 1) * sqrt(2) / E
_BY_BUDGET, _BY_DIMENSION = "nonzeros-within-budget", "nonzeros-within-dimension"
REGIONS = (
    Region(
        "few-nonzeros",
        r"$\beta+1\le(d+1)\sqrt2/e$, written as $d+1=(\beta+1)e^{1+a}/\sqrt2$ with $a\ge0$ and $\beta=b$",
        {beta: _b, d: (_b + 1) * exp(1 + _a) / sqrt(2) - 1},
        {_b: Integer(4), _a: Integer(1)},
        (_b, _BY_BUDGET),
        _b + 1,
        _b / E,
        2 + 2 * _a / log(2),
    ),
    Region(
        "half-full",
        r"$\beta\le d$ and $\beta+1\ge(d+1)\sqrt2/e$",
        {},
        {beta: Integer(60), d: Integer(100)},
        (beta, _BY_BUDGET),
        _HALF_WAY,
        beta / E,
        Integer(2),
    ),
    Region(
        "full",
        r"$d\le\beta\le de$",
        {},
        {beta: Integer(150), d: Integer(100)},
        (d, _BY_DIMENSION),
        _HALF_WAY,
        beta / E,
        Integer(2),
    ),
    Region(
        "many-levels",
        r"$\beta\ge de$, written as $\beta=d\,e^{1+a}$ with $a\ge0$",
        {beta: d * exp(1 + _a)},
        {d: Integer(100), _a: Rational(1, 10)},
        (d, _BY_DIMENSION),
        _HALF_WAY,
        d,
        2 + 2 * _a / log(2),
    ),
)


def derivation(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    """Return the steps, built from the stated expressions."""
    return (
        *_LENGTH,
        *_NONZEROS,
        *(step for region in REGIONS for step in _bound_in(region, stated)),
        *_maximisers(stated),
        SUMMATION,
    )


def _tangent(count: Expr, mean: Expr, total: Expr) -> Expr:
    r"""Return the bound $s\log_2c+(T/c-s)/\ln2$ on the sum of $s$ binary logarithms of numbers of sum T."""
    return count * log2(mean) + (total / mean - count) / log(2)


_LENGTH: tuple[Step, ...] = (
    StandardFact(
        "logarithm-tangent",
        r"$\ln y\le y-1$ for every real $y>0$, with equality iff $y=1$: the graph of the concave logarithm "
        r"lies below its tangent at 1.",
        "W. Rudin, Principles of Mathematical Analysis, 3rd ed., theorem 5.10 (mean value) for the logarithm",
    ),
    StandardFact(
        "linearity",
        r"The expectation of a sum is the sum of the expectations; an inequality between random variables "
        r"carries over to their means.",
        "P. Billingsley, Probability and Measure, 3rd ed., section 5",
    ),
    Certificate(
        "code-length",
        r"The Elias gamma length of `squant/bits` is at most $1+2\log_2g$: rounding down takes the fraction "
        r"$f\ge0$ away.",
        BITS.formulas["gamma_length"].xreplace({floor(log2(number)): log2(_g) - _fraction}),
        1 + 2 * log2(_g),
        (Term(Integer(2), _fraction, "what rounding down takes away"),),
    ),
    Certificate(
        "message-length",
        r"A message with $k$ nonzeros ($k+1$ gaps with the sentinel, $k$ signs and levels) has at most "
        r"$32B+(k+1)+2G+2k+2V$ bits, with $G$ the sum of $\log_2$ of the gaps and $V$ that of the levels "
        r"(shown for two nonzeros; for every number of them by `summation` of `code-length`).",
        _NORM_BITS * B + sum(_codes) + sum(1 + item for item in _level_codes),
        _NORM_BITS * B + 3 + 2 * sum(map(log2, _gaps)) + 2 * 2 + 2 * sum(map(log2, _levels)),
        tuple(
            Term(Integer(1), 1 + 2 * log2(item) - code, "code-length")
            for item, code in zip((*_gaps, *_levels), (*_codes, *_level_codes), strict=True)
        ),
    ),
    Certificate(
        "tangent",
        r"$\log_2g\le\log_2c+(g/c-1)/\ln2$ for every $c>0$.",
        log2(_g),
        log2(_c) + (_g / _c - 1) / log(2),
        (Term(1 / log(2), _g / _c - 1 - log(_g / _c), "logarithm-tangent"),),
    ),
    *(
        Certificate(
            f"{name}-total",
            rf"The {name}s of sum ${shown}$ have $\sum\log_2\le s\log_2c+(\frac{{{shown}}}c-s)/\ln2$ for all "
            rf"$c>0$, where $s$ is their number (shown for {len(items)}; for every number of them by "
            r"`summation` of `tangent`). For the means over the rounding, by `linearity`, $s$ and sums are "
            r"means.",
            sum(map(log2, items)),
            _tangent(Integer(len(items)), _c, _D),
            (
                *(Term(1 / log(2), item / _c - 1 - log(item / _c), "logarithm-tangent") for item in items),
                Term(1 / (_c * log(2)), _D - sum(items), f"hypothesis: the {name}s have this sum"),
            ),
        )
        for name, shown, items in (("gap", "d+1", _gaps), ("level", r"\Sigma", _levels))
    ),
)

_NONZEROS: tuple[Step, ...] = (
    *any_dimension("levels", _x / _N, 1 / _h),
    CAUCHY_SCHWARZ,
    Certificate(
        "level-sum",
        r"The mean of the sum of all levels, $\sum_ju_j$ by unbiased rounding, is at most $\beta$: in block "
        r"$l$ it is $S_l=\sum_j\frac{|x_j|}{N_l}\frac1{h_j}\le\beta_l$ by `levels-coordinate` with "
        r"$\sum_jx_j^2=N_l^2$ (shown for two blocks; for every number of them by `summation`).",
        sum(_block_sums),
        beta,
        (
            *(
                Term(Integer(1), budget - item, "levels-coordinate")
                for budget, item in zip(_block_budgets, _block_sums, strict=True)
            ),
            Term(Integer(1), beta - sum(_block_budgets), "hypothesis: the budget is that of all blocks"),
        ),
    ),
    Certificate(
        _BY_BUDGET,
        r"A coordinate is nonzero with probability $\min(1,u_j)\le u_j$ (below, $u_j=\min(1,u_j)+e$), so the "
        r"mean number of nonzeros is at most that of the sum of all levels, hence at most $\beta$ by "
        r"`level-sum`.",
        _level,
        _level + _excess,
        (Term(Integer(1), _excess, "excess over the smaller of two numbers"),),
    ),
    Certificate(
        _BY_DIMENSION,
        r"$\min(1,u_j)\le1$ (below, $1=\min(1,u_j)+e$), so the mean number of nonzeros is at most $d$.",
        1 - _excess,
        Integer(1),
        (Term(Integer(1), _excess, "excess over the smaller of two numbers"),),
    ),
)


def _bound_in(region: Region, stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    """Return the steps of one region: the three parts of the bound, and the bound."""
    budget, size = region.write_out(beta), region.write_out(d)
    most, reason = region.nonzeros
    gap, level = (size + 1) / region.gaps, budget / region.levels
    where = f"In the region {region.condition}"
    return (
        Identity(
            f"nonzeros-{region.name}",
            rf"{where}, the stated largest mean number of nonzeros is this one.",
            region.write_out(stated["nonzeros"]),
            most,
        ),
        Identity(
            f"gap-maximiser-{region.name}",
            rf"{where}, the stated $m$ is this one.",
            region.write_out(stated["gap_maximiser"]),
            region.gaps,
        ),
        Identity(
            f"level-maximiser-{region.name}",
            rf"{where}, the stated $t$ is this one.",
            region.write_out(stated["level_maximiser"]),
            region.levels,
        ),
        Certificate(
            f"bound-{region.name}",
            rf"{where}, the mean length is at most the stated bound: tangents at $c=(d+1)/m$ and $c=\beta/t$ "
            r"give a bound that does not fall in the mean number of nonzeros $k$.",
            _NORM_BITS * B + (_k + 1) + 2 * _G + 2 * _k + 2 * _V,
            region.write_out(stated["bound"]),
            (
                Term(Integer(2), _tangent(_k + 1, gap, size + 1) - _G, "gap-total"),
                Term(Integer(2), _tangent(_k, level, _S) - _V, "level-total"),
                Term(2 / (level * log(2)), budget - _S, "level-sum"),
                Term(region.slope, most - _k, reason),
            ),
        ),
    )


def _maximisers(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    by_name = {region.name: region for region in REGIONS}
    gap_length = _s * (1 + 2 * log2((d + 1) / _s))
    level_length = 2 * _s * log2(beta / _s)
    gaps = by_name["half-full"].write_out(stated["gap_maximiser"])
    levels = by_name["full"].write_out(stated["level_maximiser"])
    return (
        Identity(
            "gap-stationary",
            r"The concave $s(1+2\log_2\frac{d+1}s)$ has slope 0 at $s=(d+1)\sqrt2/e$.",
            diff(gap_length, _s).xreplace({_s: gaps}),
            Integer(0),
        ),
        Identity(
            "level-stationary",
            r"The concave $2s\log_2\frac\beta s$ has slope 0 at $s=\beta/e$.",
            diff(level_length, _s).xreplace({_s: levels}),
            Integer(0),
        ),
    )
