r"""`squant/nnz`: expected number of nonzeros of a quantized vector (arXiv 2106.03524).

$\mathbb E\,\mathrm{nnz}(Q(x))=\sum_j\min(1,u_j)$, which is at most $d$ and at most the budget $\beta$; at
$x_j\propto1/h_j$ it is $\beta$ iff $h_j^{-2}\le\beta$ for all $j$.

Derivation: a level below 1 rounds up to 1 with probability $u_j$ and to 0 else; a level of at least 1 never
rounds to 0. Cauchy-Schwarz in each block gives $\sum_ju_j\le\beta_l$.
"""

from collections.abc import Mapping

from sympy import Expr, IndexedBase, Integer, Min, Rational, Sum, Symbol, sqrt, symbols

from theory.cauchy_schwarz import CAUCHY_SCHWARZ
from theory.instance import instance
from theory.old_form import Claim, Mutant, Variable, WorstCase, expressions
from theory.old_steps import Certificate, Identity, Step, Term
from theory.squant.paper import PAPER
from theory.squant.symbols import (
    BUDGET,
    DIMENSION,
    QUANTIZER,
    STEPS,
    VECTOR,
    B,
    N,
    beta,
    d,
    h,
    j,
    l,
    level,
    total,
    x,
)
from theory.summation import SUMMATION
from theory.two_point_law import expectation

s = Symbol("s", positive=True)
m = IndexedBase("m", integer=True, positive=True)
b = IndexedBase("b", positive=True)

_EXACT = total(Min(1, level()))
_BOUND = Min(d, beta)
_FORMULAS = {
    "levels": total(level()),
    "budget": sqrt(total(h[j] ** -2)),
    "total_budget": Sum(b[l], (l, 0, B - 1)),
    "block_bound": Sum(Min(m[l], b[l]), (l, 0, B - 1)),
    "standard": s * sqrt(d),
    "customary": s**2 + s * sqrt(d),
    "norm_one_budget": total(1 / h[j]),
}

_SIZE = 3
_p, _t = Symbol("p", positive=True), Symbol("t", nonnegative=True)
_ps = symbols("p_1:4", positive=True)
_qs, _us = symbols("q_1:4", real=True), symbols("u_1:4", real=True)
_xs, _hs = symbols("x_1:4", positive=True), symbols("h_1:4", positive=True)
_norm, _beta, _d = symbols("N_l beta d", positive=True)
_b1, _m2 = symbols("b_1 m_2", positive=True)
_t1, _t2 = symbols("t_1 t_2", nonnegative=True)
_SHOWN = f"(shown for {_SIZE} coordinates; in every dimension by `summation`)"


def _at_levels(formula: Expr, levels: tuple[Expr, ...], fractions: tuple[Symbol, ...] = ()) -> Expr:
    """Return a formula at positive entries with these levels, for steps and a norm that are symbols."""
    steps, norms = _hs[: len(levels)], (_norm,) * len(levels)
    entries = tuple(u * c * _norm for u, c in zip(levels, steps, strict=True))
    return instance(formula, {x: entries, h: steps, N: norms, d: len(levels)}, fractions)


def derivation(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    """Return the steps, built from the stated expressions."""
    return (*_expectation(stated), *_bound(stated), *_equality(stated), *_budgets(stated))


def _expectation(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    return (
        Identity(
            "below-one",
            r"A level $u=p<1$ becomes 1 with probability $p$ and 0 else: the expected number of nonzeros is "
            r"the stated $\min(1,u)=p$.",
            expectation(lambda up: up, _p),
            _at_levels(stated["exact"], (_p,), (_p,)),
        ),
        Identity(
            "above-one",
            r"A level $u=1+t$ becomes a positive integer in either case: the stated $\min(1,u)=1$.",
            expectation(lambda up: Integer(1), _p),
            _at_levels(stated["exact"], (1 + _t,)),
        ),
        *(
            Identity(
                f"zero-block-{name}",
                r"A block of norm 0 is sent as zeros.",
                instance(stated[name], {x: (Integer(0),), h: _hs[:1], N: (Integer(0),), d: 1}),
                Integer(0),
            )
            for name in ("exact", "levels")
        ),
        Identity(
            "linearity",
            r"Expectations add up over coordinates, whatever their dependence (shown for levels $p_1$, $1+t$ "
            r"and $p_3$; in every dimension by `summation`).",
            expectation(lambda first, third: first + 1 + third, _ps[0], _ps[2]),
            _at_levels(stated["exact"], (_ps[0], 1 + _t, _ps[2]), (_ps[0], _ps[2])),
        ),
    )


def _bound(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    norm = sqrt(sum(item**2 for item in _xs))
    budget = instance(stated["budget"], {h: _hs, d: _SIZE})
    levels = instance(stated["levels"], {x: _xs, h: _hs, N: (norm,) * _SIZE, d: _SIZE})
    below_budget = instance(stated["bound"], {d: _beta + _t, beta: _beta})
    below_dimension = instance(stated["bound"], {d: _d, beta: _d + _t})
    return (
        Certificate(
            "at-most-one",
            r"$\min(1,u)\le1$ for a level $u=p<1$; for $u\ge1$ it is 1 by `above-one`.",
            _at_levels(stated["exact"], (_p,), (_p,)),
            Integer(1),
            (Term(Integer(1), 1 - _p, "hypothesis: the level p is below one in this case"),),
        ),
        Certificate(
            "at-most-level",
            r"$\min(1,u)\le u$ for $u=1+t$; for $u<1$ it is $u$ by `below-one`.",
            _at_levels(stated["exact"], (1 + _t,)),
            _at_levels(stated["levels"], (1 + _t,)),
            (Term(Integer(1), _t, "nonnegative"),),
        ),
        CAUCHY_SCHWARZ,
        Certificate(
            "levels-below-budget",
            r"$\sum_j|x_j|/(h_jN)\le\|h^{-1}\|_2$ with $N=\|x\|_2$: Cauchy-Schwarz (shown for "
            rf"{_SIZE} coordinates; in every dimension by `cauchy-schwarz`).",
            levels,
            budget,
            tuple(
                Term(1 / (2 * budget), (budget * a / norm - 1 / c) ** 2, "square of a real number")
                for a, c in zip(_xs, _hs, strict=True)
            ),
        ),
        Certificate(
            "below-budget",
            r"With $q_j=\min(1,u_j)$, $\sum_jq_j$ is at most the stated bound if $\beta\le d$, where that is "
            rf"$\beta$ {_SHOWN}.",
            sum(_qs),
            below_budget,
            (
                *(Term(Integer(1), u - q, "at-most-level") for q, u in zip(_qs, _us, strict=True)),
                Term(Integer(1), _beta - sum(_us), "levels-below-budget"),
            ),
        ),
        Certificate(
            "below-dimension",
            r"With $q_j=\min(1,u_j)$, $\sum_jq_j$ is at most the stated bound if $d\le\beta$, where that is "
            rf"$d$ {_SHOWN}.",
            sum(_qs),
            below_dimension.xreplace({_d: Integer(_SIZE)}),
            tuple(Term(Integer(1), 1 - q, "at-most-one") for q in _qs),
        ),
        SUMMATION,
    )


def _equality(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    budget = instance(stated["budget"], {h: _hs, d: _SIZE})
    # The levels at x_j = 1/h_j, whose norm is the budget.
    levels = instance(
        stated["levels"], {x: tuple(1 / c for c in _hs), h: _hs, N: (budget,) * _SIZE, d: _SIZE}
    )
    return (
        Identity(
            "equality-levels",
            r"At $x_j=1/h_j$ the levels are $h_j^{-2}/\beta$ and add up to the budget: if none exceeds 1, "
            rf"the expected number of nonzeros is $\beta$ {_SHOWN}.",
            levels,
            budget,
        ),
        Identity(
            "strict-above-one",
            r"If a level is $1+t$ with $t>0$, the levels exceed the expected number of nonzeros by $t$: with "
            r"$h_j^{-2}>\beta$ for one $j$ there is no equality at $x_j\propto1/h_j$.",
            _at_levels(stated["levels"], (_ps[0], 1 + _t)),
            _at_levels(stated["exact"], (_ps[0], 1 + _t), (_ps[0],)) + _t,
        ),
    )


def _budgets(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    # Two blocks: the first is bounded by its budget, the second by its length.
    mixed = {m: (_b1 + _t1, _m2), b: (_b1, _m2 + _t2), B: 2}
    steps = symbols("h_1:3", positive=True)
    return (
        Certificate(
            "blocks-below-budget",
            r"$\sum_l\min(d_l,\beta_l)\le\sum_l\beta_l=\beta$ (shown for two blocks, the second with "
            r"$d_2\le\beta_2$).",
            instance(stated["block_bound"], mixed),
            instance(stated["total_budget"], mixed),
            (Term(Integer(1), _t2, "nonnegative"),),
        ),
        Certificate(
            "blocks-below-dimension",
            r"$\sum_l\min(d_l,\beta_l)\le\sum_ld_l=d$ (shown for two blocks, the first with "
            r"$\beta_1\le d_1$).",
            instance(stated["block_bound"], mixed),
            _b1 + _t1 + _m2,
            (Term(Integer(1), _t1, "nonnegative"),),
        ),
        Identity(
            "standard-budget",
            rf"For $h=1/s$ the budget is the stated $s\sqrt d$ (shown for {_SIZE} coordinates).",
            instance(stated["budget"], {h: (1 / s,) * _SIZE, d: _SIZE}),
            instance(stated["standard"], {d: _SIZE}),
        ),
        Identity(
            "customary",
            r"The customary $s^2+s\sqrt d$ exceeds it by $s^2$.",
            stated["customary"] - stated["standard"],
            s**2,
        ),
        Certificate(
            "norm-one-budget",
            r"$\|h^{-1}\|_1$ in place of $\|h^{-1}\|_2$ is larger: the squares differ by $2/(h_1h_2)$ (shown "
            r"for two coordinates).",
            instance(stated["budget"], {h: steps, d: 2}) ** 2,
            instance(stated["norm_one_budget"], {h: steps, d: 2}) ** 2,
            (Term(Integer(2), 1 / (steps[0] * steps[1]), "product of positive numbers"),),
        ),
    )


_MUTANTS = (
    Mutant(
        "norm-one-budget",
        r"The budget $\|h^{-1}\|_1$ in place of $\|h^{-1}\|_2$: not attained at $x_j\propto1/h_j$.",
        ("exact",),
    ),
    Mutant(
        "dropped-norm",
        r"Levels $|x_j|/h_j$ without the norm of the block.",
        ("exact", "montecarlo"),
    ),
    Mutant(
        "single-budget",
        r"$\|h^{-1}\|_2$ over all coordinates for several blocks, in place of $\sum_l\beta_l$: exceeded.",
        ("exact", "adversarial"),
    ),
    Mutant(
        "nine-tenths-budget",
        r"Claim nine tenths of $\min(d,\beta)$: exceeded at $x_j\propto1/h_j$.",
        ("exact", "adversarial"),
    ),
    Mutant(
        "scaled-input",
        "Multiply the input by a positive number: nothing may change.",
        ("exact",),
        neutral=True,
    ),
)

CLAIM = Claim(
    id="squant/nnz",
    paper=PAPER,
    kind="upper",
    provenance="rederived",
    title="Expected number of nonzeros",
    statement=(
        r"The expected number of nonzero coordinates of $Q(x)$ is exactly $$\mathbb "
        r"E\,\mathrm{nnz}(Q(x))=\sum_j\min(1,u_j)\le\sum_l\min(d_l,\beta_l)\le\min(d,\beta),$$ where "
        r"$\beta_l=\|h^{-1}_{\mathcal B_l}\|_2$ is the budget of block $l$ and $\beta=\sum_l\beta_l$. For "
        r"one block and $x_j\propto1/h_j$ it is $\beta$ if and only if $h_j^{-2}\le\beta$ for all $j$. For "
        r"$h=1/s$ (standard quantization with $s$ levels) the budget is $s\sqrt d$; the customary "
        r"$s^2+s\sqrt d$ is larger by $s^2$."
    ),
    variables=(
        VECTOR,
        STEPS,
        Variable(N, r"\mathbb R^d_{\ge0}", "norm of the block of each coordinate", "(d,)"),
        DIMENSION,
        BUDGET,
        Variable(B, r"\mathbb N", "number of blocks"),
        Variable(m, r"\mathbb N^B", r"block lengths $d_l$", "(B,)"),
        Variable(b, r"\mathbb R^B_{>0}", r"budgets $\beta_l$ of the blocks", "(B,)"),
        Variable(s, r"\mathbb R_{>0}", "number of levels of standard quantization"),
    ),
    assumptions=(QUANTIZER,),
    derivation=lambda: derivation(expressions(_BOUND, _EXACT, _FORMULAS)),
    worst_cases=(
        WorstCase(
            r"$x=\mathbf 1$, $h=1$: $\sqrt d$, the budget",
            {"x": (1,) * 100, "h": (1,) * 100, "N": (10,) * 100, "d": 100, "beta": 10},
            Integer(10),
        ),
        WorstCase(
            r"$x_j\propto1/h_j$ with all $h_j^{-2}\le\beta$: $\beta=7/6$",
            {
                "x": (2, 3, 6),
                "h": (3, 2, 1),
                "N": (7,) * 3,
                "d": 3,
                "beta": Rational(7, 6),
            },
            Rational(7, 6),
        ),
        WorstCase(
            r"levels above 1: $d$ nonzeros, less than the budget",
            {"x": (3, 4), "h": (Rational(1, 5),) * 2, "N": (5, 5), "d": 2, "beta": 5 * sqrt(2)},
            Integer(2),
        ),
    ),
    mutants=_MUTANTS,
    bound=_BOUND,
    exact=_EXACT,
    formulas=_FORMULAS,
)
