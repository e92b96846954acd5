"""Derivation of `cat/affine-unimodal`: signs of the growth of the efficiency."""

from collections.abc import Callable, Mapping

from sympy import Expr, IndexedBase, Integer, Min, Rational, Symbol, symbols

from theory.cat.symbols import T, a, c_0, c_1, d
from theory.instance import instance
from theory.old_steps import Certificate, Identity, ScalarLemma, Step, Term
from theory.summation import SUMMATION

nonzeros = Symbol("m", integer=True, positive=True)

ENERGIES = (9, 1, 1, 1, 1, 1)
CONCAVE_COST = tuple(int(Min(5 * size, 18)) for size in range(7))
_EFFICIENCIES = (
    Rational(9, 70),
    Rational(1, 14),
    Rational(11, 210),
    Rational(1, 21),
    Rational(13, 252),
    Rational(1, 18),
)

_SIZE = 4
_as = symbols("a_1:5", positive=True)
_Cs = symbols("C_0:5", positive=True)
_C = IndexedBase("C", positive=True)
_r = Symbol("r", nonnegative=True)

_Written = Callable[..., Expr]
_SORTED = "hypothesis: the squares are sorted, the largest first"

# Real symbols in the lemma: with a sign in the symbol sympy would swallow the hypothesis.
_a1, _a2, _A = symbols("a_1 a_2 A", real=True)
_cost, _price = Symbol("C", positive=True), Symbol("c_1", nonnegative=True)

ONCE_FALLING = ScalarLemma(
    "once-falling",
    r"$a_1C\le Ac_1$, $E$ does not rise, and $a_2\le a_1$ give $a_2(C+c_1)\le(A+a_1)c_1$: it does not rise "
    r"next time.",
    (_a1 >= _a2, _a1 * _cost <= _A * _price),
    _a2 * (_cost + _price) <= (_A + _a1) * _price,
    (
        Term(Integer(1), _A * _price - _a1 * _cost, "the hypothesis"),
        Term(_cost + _price, _a1 - _a2, "the hypothesis"),
    ),
)


def derivation(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    """Return the steps, built from the stated expressions."""

    def at(name: str, size: int, **values: Expr) -> Expr:
        given = {symbol: values.get(symbol.name, symbol) for symbol in (c_0, c_1)}
        return instance(stated[name], {d: _SIZE, nonzeros: _SIZE, T: size, a: _as, _C: _Cs, **given})

    return (
        *_growth(at),
        ONCE_FALLING,
        *_without_fixed_cost(at),
        *_with_fixed_cost(at),
        SUMMATION,
        *(
            Identity(
                f"capped-{size}",
                rf"For squares $(9,1,1,1,1,1)$ and $C=\min(5T,18)$ the efficiency at $T={size}$ is {value}: "
                r"it falls, and rises again from the fourth to the sixth.",
                instance(stated["efficiency"], {d: 6, T: size, a: ENERGIES, _C: CONCAVE_COST}),
                value,
            )
            for size, value in enumerate(_EFFICIENCIES, start=1)
        ),
    )


def _growth(at: _Written) -> tuple[Step, ...]:
    total = sum(_as)
    steps: list[Step] = []
    for size in (1, 2):
        cost, following = c_0 + c_1 * size, c_0 + c_1 * (size + 1)
        change = _Cs[size + 2] - 2 * _Cs[size + 1] + _Cs[size]
        shown = f"(shown for $T={size}$ of {_SIZE} entries)"
        steps += [
            Identity(
                f"growth-{size}",
                rf"$E(T+1)-E(T)=h(T)/(\|g\|^2C(T)C(T+1))$ {shown}.",
                at("exact", size + 1) - at("exact", size),
                at("growth", size) / (total * cost * following),
            ),
            Identity(
                f"growth-any-cost-{size}",
                rf"The same for any cost {shown}.",
                at("efficiency", size + 1) - at("efficiency", size),
                at("growth_any_cost", size) / (total * _Cs[size] * _Cs[size + 1]),
            ),
            Certificate(
                f"falling-{size}",
                rf"$h(T+1)\le h(T)$ {shown}.",
                at("growth", size + 1),
                at("growth", size),
                (Term(following, _as[size] - _as[size + 1], _SORTED),),
            ),
            Certificate(
                f"falling-convex-{size}",
                rf"So it is for every convex cost {shown}.",
                at("growth_any_cost", size + 1),
                at("growth_any_cost", size),
                (
                    Term(_Cs[size + 1], _as[size] - _as[size + 1], _SORTED),
                    Term(sum(_as[: size + 1]), change, "hypothesis: the cost is convex"),
                ),
            ),
        ]
    return tuple(steps)


def _without_fixed_cost(at: _Written) -> tuple[Step, ...]:
    total = sum(_as)
    return tuple(
        Certificate(
            f"first-entry-{size}",
            rf"For $c_0=0$, $E(T)\le E(1)$, with equality iff the $T$ largest are equal (shown for "
            rf"$T={size}$ of {_SIZE} entries).",
            at("exact", size, c_0=Integer(0)),
            at("exact", 1, c_0=Integer(0)),
            tuple(Term(1 / (size * c_1 * total), _as[0] - item, _SORTED) for item in _as[1:size]),
        )
        for size in (2, 3, 4)
    )


def _with_fixed_cost(at: _Written) -> tuple[Step, ...]:
    size, total = 2, sum(_as)
    enough = at("all_entries", size)
    return (
        Certificate(
            "dearer-messages",
            r"A larger $c_0$ makes $h(T)$ larger, so the smallest maximiser does not move down.",
            at("growth", size),
            at("growth", size, c_0=c_0 + _r),
            (Term(_r, _as[size], "a square"),),
        ),
        *(
            Certificate(
                f"all-entries-{size}",
                r"At the stated $c_0/c_1$, $h(T)\ge c_1(\|g\|^2-A_T)>0$ as long as a nonzero is left: all "
                r"are "
                rf"sent (shown for $T={size}$ of {_SIZE} nonzeros).",
                c_1 * sum(_as[size:]),
                at("growth", size, c_0=c_1 * enough),
                (
                    Term(c_1 * total / _as[-1], _as[size] - _as[-1], _SORTED),
                    Term(c_1 * size, _as[size], "a square"),
                ),
            )
            for size in (1, 2)
        ),
        Identity(
            "sum-of-nonzeros",
            r"The stated ratio is the sum of all squares over the smallest.",
            enough * _as[-1],
            total,
        ),
    )
