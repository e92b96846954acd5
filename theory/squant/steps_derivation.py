"""Derivation of `squant/steps`: optimal steps, their blocks, the chain, the quarter branch, tightness."""

from collections.abc import Mapping
from typing import Any

from sympy import Expr, IndexedBase, Integer, Symbol, sqrt, symbols

from theory.cauchy_schwarz import CAUCHY_SCHWARZ, any_dimension
from theory.instance import instance
from theory.old_form import Claim
from theory.old_steps import Certificate, Identity, StandardFact, Step, Term
from theory.squant.bounds import OLD as BOUNDS
from theory.squant.symbols import B, L, beta, d, h, i
from theory.summation import SUMMATION

F = IndexedBase("F", nonnegative=True)
m = IndexedBase("m", integer=True, positive=True)
p_j = Symbol("p_j", positive=True)
L_max = Symbol("L_max", nonnegative=True)
lambda_max = Symbol("lambda_max", nonnegative=True)

_SIZE = 3
_Ls = symbols("L_1:4", positive=True)
_hs = symbols("h_1:4", positive=True)
_rs = symbols("r_1:4", positive=True)
_Fs = symbols("F_1:4", positive=True)
_ss = symbols("s_1:4", positive=True)
_Lj, _hj, _Fl, _rl, _hl = symbols("L_j h_j F_l r_l h_l", positive=True)
_C, _M = symbols("C M", positive=True)
_S = Symbol("S", nonnegative=True)
_T = sum(_Ls)

_GENERAL: dict[Any, Any] = {L: _Ls, d: _SIZE}
# Weights that are squares, so that their roots are symbols.
_SQUARES: dict[Any, Any] = {L: tuple(item**2 for item in _ss), d: _SIZE}
# Block lengths that are squares, for the same reason.
_BLOCKS: dict[Any, Any] = {m: tuple(item**2 for item in _rs), F: _Fs, B: _SIZE}
# Two blocks of the coordinates 1, 2 and 3: their lengths and norms.
_PARTITION: dict[Any, Any] = {m: (Integer(2), Integer(1)), F: (sqrt(_Ls[0] ** 2 + _Ls[1] ** 2), _Ls[2]), B: 2}

_SQUARE = "square of a real number"
_BUDGET = "hypothesis: the steps have the budget beta"
_SHOWN = f"(shown for {_SIZE} coordinates; in every dimension by `summation`)"


def derivation(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    """Return the steps, built from the stated expressions."""
    return (
        *_optimum(stated),
        *_block_optimum(stated),
        *_chain(stated),
        *_quarter(stated),
        *_tightness(stated),
        *_comparisons(stated),
        SUMMATION,
    )


def _formula(claim: Claim, name: str, weights: tuple[Expr, ...], steps: tuple[Expr, ...]) -> Expr:
    return instance(claim.formulas[name], {L: weights, h: steps, d: len(steps)})


def _all_steps(formula: Expr, values: Mapping[Any, Any], size: int = _SIZE) -> tuple[Expr, ...]:
    return tuple(instance(formula, {**values, i: place}) for place in range(size))


def _optimum(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    best = _all_steps(stated["vary_step"], _GENERAL)
    coarse = _formula(BOUNDS, "coarse", _Ls, _hs)
    return (
        *any_dimension("optimal-steps", _Lj * _hj, 1 / _hj),
        CAUCHY_SCHWARZ,
        Identity(
            "budget-at-optimum",
            rf"$\sum_jh_j^{{-2}}=\beta^2$ at the stated steps {_SHOWN}.",
            sum(1 / item**2 for item in best),
            beta**2,
        ),
        *(
            Certificate(
                f"optimal-{name}",
                rf"The stated value is at most the coarse branch of `squant/bounds` at any steps with "
                rf"$\sum_jh_j^{{-2}}=\beta^2$ {_SHOWN}.",
                instance(stated[name], _GENERAL),
                coarse,
                (
                    *(
                        Term(1 / (2 * coarse * beta**2), (beta * a * b - coarse / b) ** 2, _SQUARE)
                        for a, b in zip(_Ls, _hs, strict=True)
                    ),
                    Term(coarse / (2 * beta**2), beta**2 - sum(1 / b**2 for b in _hs), _BUDGET),
                ),
            )
            for name in ("value", "bound")
        ),
        Identity(
            "value-at-optimum",
            rf"The square of the coarse branch at the stated steps is that of the stated value {_SHOWN}: the "
            r"minimum.",
            _formula(BOUNDS, "coarse", _Ls, best) ** 2,
            instance(stated["value"], _GENERAL) ** 2,
        ),
        Certificate(
            "root-monotone",
            r"From $S^2\le C^2$ follows $S\le C$ for $S\ge0$, $C>0$: comparisons of squares of nonnegative "
            r"numbers are comparisons of the numbers.",
            _S,
            _C,
            (Term(1 / (_C + _S), _C**2 - _S**2, "hypothesis: the square of S is at most that of C"),),
        ),
    )


def _block_optimum(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    best = _all_steps(stated["block_step"], _BLOCKS)
    value = instance(stated["block_value"], _BLOCKS)
    return (
        Certificate(
            "block-lower-term",
            r"$\sqrt{d_l}F_l\le\max_l(h_lF_l)\sqrt{d_l}/h_l$ for each block, $r_l=\sqrt{d_l}$.",
            _rl * _Fl,
            _M * _rl / _hl,
            (Term(_rl / _hl, _M - _hl * _Fl, "hypothesis: M is the largest block value"),),
        ),
        Certificate(
            "block-lower",
            r"The stated value is at most $\max_lh_lF_l$ for all block steps with "
            r"$\sum_l\sqrt{d_l}/h_l=\beta$ (shown for three blocks; for every number of blocks by "
            "`summation` of `block-lower-term`).",
            value,
            _M,
            (
                *(
                    Term(r / (b * beta), _M - b * f, "block-lower-term")
                    for r, b, f in zip(_rs, _hs, _Fs, strict=True)
                ),
                Term(_M / beta, beta - sum(r / b for r, b in zip(_rs, _hs, strict=True)), _BUDGET),
            ),
        ),
        Identity(
            "block-budget",
            r"$\sum_l\sqrt{d_l}/h_l=\beta$ at the stated block steps (shown for three blocks).",
            sum(r / b for r, b in zip(_rs, best, strict=True)),
            beta,
        ),
        *(
            Identity(
                f"block-value-{place}",
                rf"$h_lF_l$ of block {place} is the stated value there (shown for three blocks).",
                b * f,
                value,
            )
            for place, (b, f) in enumerate(zip(best, _Fs, strict=True), start=1)
        ),
    )


def _chain(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    vary, plus = instance(stated["c_vary"], _GENERAL), instance(stated["c_plus"], _GENERAL)
    largest, standard = instance(stated["c_max"], _GENERAL), instance(stated["c_std"], _GENERAL)
    block = instance(stated["c_block"], _PARTITION)
    first, second = _PARTITION[F]
    return (
        *any_dimension("vary-below-block", _Lj, Integer(1)),
        Certificate(
            "vary-below-block",
            r"$c_{\rm vary}\le c_{\rm block}$: Cauchy-Schwarz inside the blocks (shown for blocks of two "
            r"coordinates and one; in general by `vary-below-block-coordinate` and `summation`).",
            vary,
            block,
            tuple(
                Term(1 / (2 * sqrt(2) * first), (sqrt(2) * item - first) ** 2, _SQUARE) for item in _Ls[:2]
            ),
        ),
        Certificate(
            "block-below-plus",
            r"$c_{\rm block}\le c_{\rm plus}$: Cauchy-Schwarz over the blocks, $\sum_lF_l^2=\|D\|_F^2$, "
            r"$\sum_ld_l=d$ (shown for blocks of two coordinates and one; in general by "
            r"`cauchy-schwarz`).",
            block,
            plus,
            tuple(
                Term(1 / (2 * plus * _SIZE), (_SIZE * norm - plus * root) ** 2, _SQUARE)
                for norm, root in ((first, sqrt(2)), (second, Integer(1)))
            ),
        ),
        Certificate(
            "plus-below-maximum-coordinate",
            r"$L_j^2\le M^2$ for $M=\max_jL_j$.",
            _Lj**2,
            L_max**2,
            (Term(L_max + _Lj, L_max - _Lj, "hypothesis: L_max is the largest diagonal entry"),),
        ),
        Certificate(
            "plus-below-maximum",
            rf"$c_{{\rm plus}}\le d\max_jL_j$ {_SHOWN}.",
            plus,
            largest,
            tuple(
                Term(
                    _SIZE * (L_max + item) / (_SIZE * L_max + plus),
                    L_max - item,
                    "plus-below-maximum-coordinate",
                )
                for item in _Ls
            ),
        ),
        Certificate(
            "maximum-below-standard",
            r"$d\max_jL_j\le c_{\rm std}$.",
            stated["c_max"],
            stated["c_std"],
            (Term(d, lambda_max - L_max, "rayleigh"),),
        ),
        Identity(
            "standard-of-identity",
            rf"For $\mathbf L=\lambda I$ both are the trace {_SHOWN}.",
            standard,
            vary.xreplace(dict.fromkeys(_Ls, lambda_max)),
        ),
        StandardFact(
            "rayleigh",
            r"$\mathbf L_{jj}\le\lambda_{\max}(\mathbf L)$ for symmetric $\mathbf L$.",
            "R. A. Horn and C. R. Johnson, Matrix Analysis, 2nd ed., theorem 4.2.2",
        ),
    )


def _quarter(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    best = _all_steps(stated["quarter_step"], _SQUARES)
    weights = _SQUARES[L]
    quarter = _formula(BOUNDS, "quarter", weights, _hs)
    value = instance(stated["quarter_value"], _SQUARES)
    pairs = [(a, b) for a in range(_SIZE) for b in range(a)]
    return (
        *any_dimension("quarter-steps", sqrt(_Lj) * _hj, 1 / _hj),
        Certificate(
            "quarter-steps",
            r"The stated value is at most the quarter branch of `squant/bounds` at any steps with "
            rf"$\sum_jh_j^{{-2}}=\beta^2$, $L_j=s_j^2$ (shown for {_SIZE} coordinates; in every dimension by "
            r"`cauchy-schwarz`).",
            value,
            quarter,
            (
                *(
                    Term(
                        1 / (4 * beta**2), (_ss[a] * _hs[a] / _hs[b] - _ss[b] * _hs[b] / _hs[a]) ** 2, _SQUARE
                    )
                    for a, b in pairs
                ),
                Term(quarter / beta**2, beta**2 - sum(1 / b**2 for b in _hs), _BUDGET),
            ),
        ),
        Identity(
            "quarter-budget",
            rf"$\sum_jh_j^{{-2}}=\beta^2$ at the stated steps {_SHOWN}.",
            sum(1 / item**2 for item in best),
            beta**2,
        ),
        Identity(
            "quarter-value",
            rf"The quarter branch at these steps is the stated value {_SHOWN}.",
            _formula(BOUNDS, "quarter", weights, best),
            value,
        ),
        Certificate(
            "log-budget-pair",
            r"$4(L_1h_1^2)(L_2h_2^2)\le(L_1h_1^2+L_2h_2^2)^2$: at a fixed product of the steps (log-level "
            r"budget) the quarter branch is smallest where all $L_jh_j^2$ are equal, $h_j\propto L_j^{-1/2}$ "
            r"(shown for two coordinates; in every dimension by `amgm`).",
            4 * _Ls[0] * _hs[0] ** 2 * _Ls[1] * _hs[1] ** 2,
            (4 * _formula(BOUNDS, "quarter", _Ls[:2], _hs[:2])) ** 2,
            (Term(Integer(1), (_Ls[0] * _hs[0] ** 2 - _Ls[1] * _hs[1] ** 2) ** 2, _SQUARE),),
        ),
        StandardFact(
            "amgm",
            r"$d\,(\prod_ja_j)^{1/d}\le\sum_ja_j$ for $a_j\ge0$, with equality iff all $a_j$ are equal.",
            "J. M. Steele, The Cauchy-Schwarz Master Class, chapter 2",
        ),
    )


def _tightness(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    best = _all_steps(stated["vary_step"], _GENERAL)
    value, lower = instance(stated["value"], _GENERAL), instance(stated["lower"], _GENERAL)
    return (
        Identity(
            "input-norm",
            rf"The input $x_j=1/(h_j\beta)$ has norm 1 {_SHOWN}.",
            sum(1 / (item * beta) ** 2 for item in best),
            Integer(1),
        ),
        Identity(
            "input-level",
            r"Its levels $u_j=1/(h_j^2\beta)$ are $\beta L_j/\mathrm{tr}\mathbf L$, so at most 1 by "
            rf"assumption (shown for {_SIZE} coordinates).",
            1 / (best[0] ** 2 * beta),
            beta * _Ls[0] / _T,
        ),
        Identity(
            "input-value",
            r"Its variance, $\varphi(u)=u(1-u)$ for $0\le u\le1$, is the stated lower bound "
            rf"{_SHOWN}.",
            sum(
                a * item**2 * (1 / (item**2 * beta)) * (1 - 1 / (item**2 * beta))
                for a, item in zip(_Ls, best, strict=True)
            ),
            lower,
        ),
        Certificate(
            "relative-gap-coordinate",
            r"$L_j^2\le ML_j$ for $M=\max_jL_j$.",
            _Lj**2,
            L_max * _Lj,
            (Term(_Lj, L_max - _Lj, "hypothesis: L_max is the largest diagonal entry"),),
        ),
        Certificate(
            "relative-gap",
            r"The gap between the stated value and the stated lower bound is at most "
            rf"$\beta\max_jL_j/\mathrm{{tr}}\mathbf L$ of the value {_SHOWN}.",
            value - lower,
            beta * L_max / _T * value,
            tuple(Term(item / _T, L_max - item, "relative-gap-coordinate") for item in _Ls),
        ),
    )


def _comparisons(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    """Return the steps for the other ways to choose the steps at the same budget."""
    inverse = tuple(sqrt(sum(a**2 for a in _Ls)) / (beta * item) for item in _Ls)
    growing = tuple(sqrt(sum(1 / a for a in _Ls) * item) / beta for item in _Ls)
    return (
        Identity(
            "constants-vary",
            rf"$c_{{\rm vary}}=\beta$ times the stated value {_SHOWN}.",
            instance(stated["c_vary"], _GENERAL),
            beta * instance(stated["value"], _GENERAL),
        ),
        Identity(
            "constants-block",
            r"$c_{\rm block}=\beta$ times the stated value of the blocks (shown for three blocks).",
            instance(stated["c_block"], _BLOCKS),
            beta * instance(stated["block_value"], _BLOCKS),
        ),
        Identity(
            "uniform-step",
            r"A uniform step of the budget: $d/h^2=\beta^2$.",
            d / stated["uniform_step"] ** 2,
            beta**2,
        ),
        Identity(
            "uniform-value",
            r"With it the coarse branch is $c_{\rm plus}/\beta$: the squares agree (shown for three "
            r"coordinates).",
            _formula(BOUNDS, "coarse", _Ls, (instance(stated["uniform_step"], {d: _SIZE}),) * _SIZE) ** 2,
            (instance(stated["c_plus"], _GENERAL) / beta) ** 2,
        ),
        Identity(
            "sparse-step",
            r"$h_j=(\beta p_j)^{-1/2}$ uses $h_j^{-2}=\beta p_j$ of the budget, $\beta^2$ in all if "
            r"$\sum_jp_j=\beta$.",
            1 / stated["sparse_step"] ** 2,
            beta * p_j,
        ),
        *(
            step
            for name, lengths, rule in (("inverse", inverse, "1/L_j"), ("growing", growing, r"\sqrt{L_j}"))
            for step in (
                Identity(
                    f"{name}-budget",
                    rf"Steps $h_j\propto{rule}$ of the budget (shown for three coordinates).",
                    sum(1 / item**2 for item in lengths),
                    beta**2,
                ),
                Identity(
                    f"{name}-value",
                    r"The square of the coarse branch there is that of the stated value (shown for three "
                    r"coordinates).",
                    _formula(BOUNDS, "coarse", _Ls, lengths) ** 2,
                    instance(stated[f"{name}_value"], _GENERAL) ** 2,
                ),
            )
        ),
    )
