"""Derivation of `squant/steps-diana`: mixture steps, their blocks, mixture probabilities, the plain steps."""

from collections.abc import Mapping
from typing import Any

from sympy import Expr, IndexedBase, Integer, Symbol, symbols

from theory.cauchy_schwarz import CAUCHY_SCHWARZ
from theory.instance import instance
from theory.old_steps import Certificate, Identity, Step, Term
from theory.squant.bounds import OLD as BOUNDS
from theory.squant.sparse import OLD as SPARSE
from theory.squant.steps import OLD as STEPS
from theory.squant.symbols import B, L, beta, d, h, i, n, tau
from theory.summation import SUMMATION

mu = Symbol("mu", positive=True)
W = Symbol("W", positive=True)
S = Symbol("S", positive=True)
L_j = Symbol("L_j", nonnegative=True)
d_l = Symbol("d_l", integer=True, positive=True)
F_l = Symbol("F_l", nonnegative=True)
c = Symbol("c", nonnegative=True)
m = IndexedBase("m", integer=True, positive=True)
F = IndexedBase("F", nonnegative=True)

_SIZE = 3
_Ls = symbols("L_1:4", nonnegative=True)
_Ps = symbols("L_1:4", positive=True)
_rs = symbols("r_1:4", positive=True)
_Fs = symbols("F_1:4", nonnegative=True)
_c = Symbol("c", positive=True)
_a, _b = Symbol("a", nonnegative=True), Symbol("b", positive=True)

_GENERAL: dict[Any, Any] = {L: _Ls, d: _SIZE}
# Block lengths that are squares, so that their roots are symbols.
_BLOCKS: dict[Any, Any] = {m: tuple(item**2 for item in _rs), F: _Fs, B: _SIZE}
_SHOWN = f"(shown for {_SIZE} coordinates; in every dimension by `summation`)"
_ROOT = "hypothesis: c is the root of this expression"


def derivation(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    """Return the steps, built from the stated expressions."""
    return (
        *_steps(stated),
        *_bounds(stated),
        *_blocks(stated),
        *_probabilities(stated),
        *_plain(stated),
        CAUCHY_SCHWARZ,
        SUMMATION,
    )


def _weight(stated: Mapping[str, Expr], item: Expr) -> Expr:
    return instance(stated["weight"], {L_j: item})


def _coarse(weights: tuple[Expr, ...], steps: tuple[Expr, ...]) -> Expr:
    """Return the coarse branch of `squant/bounds`."""
    return instance(BOUNDS.formulas["coarse"], {L: weights, h: steps, d: len(steps)})


def _mixture(stated: Mapping[str, Expr]) -> tuple[Expr, ...]:
    total = instance(stated["total_weight"], _GENERAL)
    return tuple(instance(stated["step"], {W: total, L_j: item}) for item in _Ls)


def _steps(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    steps = _mixture(stated)
    total = instance(stated["total_weight"], _GENERAL)
    return (
        Identity(
            "weight",
            r"The stated $w_j$ is the sum of the two weights that the rate of DIANA+ contains: 1 for "
            r"$\omega$, $L_j/(n\mu)$ for $\mathcal L/(n\mu)$.",
            stated["weight"],
            1 + L_j / (n * mu),
        ),
        Identity(
            "total-weight",
            rf"The stated $W$ is $\sum_jw_j$ {_SHOWN}.",
            total,
            sum(_weight(stated, item) for item in _Ls),
        ),
        Identity(
            "budget",
            rf"$\sum_jh_j^{{-2}}=\beta^2$ at the stated steps {_SHOWN}.",
            sum(1 / item**2 for item in steps),
            beta**2,
        ),
        Identity(
            "optimal-for-the-mixture",
            r"They are the steps of `squant/steps` for the weights $w_j$: the squares agree (shown for the "
            f"first of {_SIZE} coordinates).",
            steps[0] ** 2,
            instance(
                STEPS.formulas["vary_step"],
                {L: tuple(_weight(stated, item) for item in _Ls), d: _SIZE, i: Integer(0)},
            )
            ** 2,
        ),
    )


def _bounds(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    steps = _mixture(stated)
    total = instance(stated["total_weight"], _GENERAL)
    norm, value = (instance(stated[name], _GENERAL) for name in ("norm", "smoothness_value"))
    norm_bound, bound = (instance(stated[name], _GENERAL) for name in ("norm_bound", "bound"))
    weights = tuple(_weight(stated, item) for item in _Ls)
    return (
        Identity(
            "omega-is-at-most-the-norm",
            r"The coarse branch of `squant/bounds` for $\omega$ ($\mathbf L=I$) is $\|h\|$: its square is "
            rf"that of the stated norm {_SHOWN}.",
            _coarse((Integer(1),) * _SIZE, steps) ** 2,
            norm**2,
        ),
        Identity(
            "smoothness-value",
            r"The coarse branch for $\mathbf L$, over $n\mu$: its square is that of the stated value "
            rf"{_SHOWN}.",
            (_coarse(_Ls, steps) / (n * mu)) ** 2,
            value**2,
        ),
        Certificate(
            "norm-below-coordinate",
            r"$1/w_j\le1$, since $w_j\ge1$.",
            1 / _weight(stated, L_j),
            Integer(1),
            (Term(1 / (n * mu * _weight(stated, L_j)), L_j, "diagonal entry of a semidefinite matrix"),),
        ),
        Certificate(
            "norm-below",
            rf"$\|h\|^2\le dW/\beta^2$ {_SHOWN}.",
            norm**2,
            norm_bound**2,
            tuple(
                Term(total / (beta**2 * n * mu * w), item, "diagonal entry of a semidefinite matrix")
                for item, w in zip(_Ls, weights, strict=True)
            ),
        ),
        Certificate(
            "norm-bound-below",
            rf"$dW\le W^2$, since $d\le W$ {_SHOWN}.",
            norm_bound**2,
            bound**2,
            tuple(
                Term(total / (beta**2 * n * mu), item, "diagonal entry of a semidefinite matrix")
                for item in _Ls
            ),
        ),
        Certificate(
            "smoothness-below-coordinate",
            r"$(L_j/(n\mu))^2/w_j\le w_j$, since $L_j/(n\mu)\le w_j$.",
            (L_j / (n * mu)) ** 2 / _weight(stated, L_j),
            _weight(stated, L_j),
            (Term(1 / _weight(stated, L_j), 1 + 2 * L_j / (n * mu), "sum of nonnegative numbers"),),
        ),
        Certificate(
            "smoothness-below",
            rf"$(\mathcal L/(n\mu))^2\le W\sum_jw_j/\beta^2=(W/\beta)^2$ {_SHOWN}.",
            value**2,
            bound**2,
            tuple(
                Term(total / (beta**2 * w), 1 + 2 * item / (n * mu), "sum of nonnegative numbers")
                for item, w in zip(_Ls, weights, strict=True)
            ),
        ),
        Certificate(
            "root-monotone",
            r"From $a^2\le b^2$ follows $a\le b$ for $a\ge0$, $b>0$: the comparisons of squares above are "
            r"comparisons of the numbers.",
            _a,
            _b,
            (Term(1 / (_a + _b), _b**2 - _a**2, "hypothesis: the square of a is at most that of b"),),
        ),
        Identity(
            "omega-from-below",
            r"At $x=h/\|h\|$ every level is $1/\|h\|$; if $\|h\|\ge1$ the variance is "
            r"$\sum_jh_j^2\frac1{\|h\|}(1-\frac1{\|h\|})=\|h\|-1$, the stated lower bound of $\omega$ "
            rf"{_SHOWN}.",
            norm**2 * (1 / norm) * (1 - 1 / norm),
            instance(stated["omega_lower"], _GENERAL),
        ),
    )


def _blocks(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    total = instance(stated["block_total"], _BLOCKS)

    def of_block(name: str, root: Expr, norm: Expr) -> Expr:
        return instance(stated[name], {d_l: root**2, F_l: norm, S: total})

    weights = tuple(of_block("block_weight", r, f) for r, f in zip(_rs, _Fs, strict=True))
    steps = tuple(of_block("block_step", r, f) for r, f in zip(_rs, _Fs, strict=True))
    bound = instance(stated["block_bound"], {S: total})
    first = (_rs[0], _Fs[0], weights[0], steps[0])
    r, f, weight, step = first
    return (
        Identity(
            "block-total",
            r"The stated $S$ is $\sum_l\sqrt{d_l}G_l$ with the stated $G_l$ (shown for three blocks).",
            total,
            sum(root * g for root, g in zip(_rs, weights, strict=True)),
        ),
        Identity(
            "block-budget",
            r"$\sum_l\sqrt{d_l}/h_l=\beta$ at the stated block steps (shown for three blocks).",
            sum(root / item for root, item in zip(_rs, steps, strict=True)),
            beta,
        ),
        Certificate(
            "block-omega",
            r"$\omega=\max_l\omega_l$ and $\omega_l\le h_l\sqrt{d_l}\le S/\beta$ (shown for the first of "
            r"three blocks; coarse branch of `squant/bounds`).",
            step * r,
            bound,
            (Term(bound / (n * mu * weight), f, "norm of a block"),),
        ),
        Certificate(
            "block-smoothness",
            r"$\mathcal L_l/(n\mu)\le h_l\|D_{ll}\|_F/(n\mu)\le S/\beta$ (shown for the first of three "
            r"blocks).",
            step * f / (n * mu),
            bound,
            (Term(bound / weight, r, "root of a block length"),),
        ),
    )


def _probabilities(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    def constant(diagonal: Expr, probability: Expr) -> Expr:
        symbols_of = {item.name: item for item in SPARSE.formulas["coordinate"].free_symbols}
        return instance(
            SPARSE.formulas["coordinate"], {symbols_of["L_j"]: diagonal, symbols_of["p_j"]: probability}
        )

    probability = instance(stated["probability"], {c: _c})
    weight = _weight(stated, L_j)
    excess = instance(stated["probability_excess"], {**_GENERAL, c: _c})
    probabilities = tuple(instance(stated["probability"], {L_j: item, c: _c}) for item in _Ls)
    weights = tuple(_weight(stated, item) for item in _Ls)
    return (
        Identity(
            "probability-excess",
            rf"The stated equation is $\sum_jp_j=\tau$ for the stated probabilities {_SHOWN}.",
            excess,
            sum(probabilities) - tau,
        ),
        Identity(
            "mixture-equalised",
            r"At the stated $p_j$ the constant of `squant/sparse` for the weight $w_j$ is $c$ in every "
            "coordinate.",
            constant(weight, probability),
            _c,
        ),
        Certificate(
            "sparse-omega",
            r"$\omega=\max_j(1/p_j-1)\le c$, since $w_j\ge1$.",
            constant(Integer(1), probability),
            _c,
            (Term(_c / (n * mu * weight), L_j, "diagonal entry of a semidefinite matrix"),),
        ),
        Certificate(
            "sparse-smoothness",
            r"$\mathcal L/(n\mu)=\max_j\frac{L_j}{n\mu}(1/p_j-1)\le c$, since $L_j/(n\mu)\le w_j$.",
            constant(L_j, probability) / (n * mu),
            _c,
            (Term(_c / weight, Integer(1), "one"),),
        ),
        Certificate(
            "sparse-bound",
            rf"$c\le W/\tau$ for the root $c$ of the stated equation {_SHOWN}.",
            _c,
            instance(stated["sparse_bound"], {W: instance(stated["total_weight"], _GENERAL)}),
            (
                *(Term(1 / (tau * (w + _c)), w**2, "square of a real number") for w in weights),
                Term(_c / tau, excess, _ROOT),
            ),
        ),
    )


def _plain(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    plain = tuple(
        instance(STEPS.formulas["vary_step"], {L: _Ps, d: _SIZE, i: place}) for place in range(_SIZE)
    )
    return (
        Identity(
            "plain-norm",
            r"At the steps of `squant/steps` for $\mathbf L$ alone $\|h\|$ is the stated value, which grows "
            rf"without bound as one $L_j$ goes to 0: the squares agree {_SHOWN}.",
            _coarse((Integer(1),) * _SIZE, plain) ** 2,
            instance(stated["plain_norm"], {L: _Ps, d: _SIZE}) ** 2,
        ),
    )
