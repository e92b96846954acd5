r"""`cat/alpha-shape`: the share of the T largest entries as a function of T (arXiv 2003.06377).

$\alpha(T)=A_T/\|g\|^2$ is nondecreasing and concave on $0,\dots,d$ and at least $T/d$.

Derivation: the increments are $a_{T+1}/\|g\|^2$, nonnegative and nonincreasing, since the squares $a_j$ are
sorted; the mean of the T largest is at least the mean of the rest: $A_T(d-T)\ge T(\|g\|^2-A_T)$.
"""

from collections.abc import Mapping

from sympy import Expr, Integer, Rational, Sum, Symbol, symbols

from theory.cat.old_squares import SQUARES
from theory.cat.paper import PAPER
from theory.cat.symbols import DIMENSION, SIZE, TIES, T, a, d, j
from theory.instance import instance
from theory.old_form import Claim, Mutant, WorstCase, expressions
from theory.old_steps import Certificate, Identity, ScalarLemma, Step, Term
from theory.summation import SUMMATION

_TOTAL = Sum(a[j], (j, 0, d - 1))
_BOUND = T / d
_EXACT = Sum(a[j], (j, 0, T - 1)) / _TOTAL
_FORMULAS = {"increment": a[T] / _TOTAL, "excess": (a[0] - a[d - 1]) / (d * _TOTAL)}

SORTED = "hypothesis: the squares are sorted, the largest first"

_SIZE = 4
_as = symbols("a_1:5", positive=True)
_kept, _rest, _D = symbols("S_T S_R D", real=True)
_T = Symbol("T", nonnegative=True)

MEANS = ScalarLemma(
    "means",
    r"The mean of the $T$ kept squares is at least the mean of the rest: $S_T(D-T)\ge TS_R$ gives "
    r"$S_TD\ge T(S_T+S_R)$.",
    (_kept * (_D - _T) >= _rest * _T,),
    _kept * _D >= _T * (_kept + _rest),
    (Term(Integer(1), _kept * (_D - _T) - _rest * _T, "the hypothesis"),),
)


def derivation(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    """Return the steps, built from the stated expressions."""

    def at(name: str, size: int, squares: tuple[Expr, ...] = _as) -> Expr:
        return instance(stated[name], {d: _SIZE, T: size, a: squares})

    total = sum(_as)
    return (
        *(
            Identity(
                f"increment-{size}",
                rf"$\alpha({size + 1})-\alpha({size})$ is the stated increment (shown for {_SIZE} entries).",
                at("exact", size + 1) - at("exact", size),
                at("increment", size),
            )
            for size in range(_SIZE)
        ),
        Identity("empty", r"$\alpha(0)=0$.", at("exact", 0), Integer(0)),
        Identity(
            "all-nonzeros",
            r"$\alpha=1$ as soon as all nonzeros are sent (shown for 2 of 4).",
            at("exact", 2, (*_as[:2], Integer(0), Integer(0))),
            Integer(1),
        ),
        *(
            Certificate(
                f"concave-{size}",
                r"The increments do not grow.",
                at("increment", size + 1),
                at("increment", size),
                (Term(1 / total, _as[size] - _as[size + 1], SORTED),),
            )
            for size in range(_SIZE - 1)
        ),
        *(
            Certificate(
                f"average-{size}",
                rf"$\frac Td\le\alpha(T)$: all pairs of a kept and a dropped square (shown for $T={size}$, "
                rf"$d={_SIZE}$; in every dimension by `summation`).",
                at("bound", size),
                at("exact", size),
                tuple(
                    Term(1 / (_SIZE * total), kept - dropped, SORTED)
                    for kept in _as[:size]
                    for dropped in _as[size:]
                ),
            )
            for size in range(1, _SIZE)
        ),
        MEANS,
        SUMMATION,
        Certificate(
            "strict",
            r"The first of these pairs alone is the stated excess, positive unless all squares are equal "
            rf"(shown for $T=2$, $d={_SIZE}$).",
            at("bound", 2) + at("excess", 2),
            at("exact", 2),
            tuple(
                Term(1 / (_SIZE * total), _as[kept] - _as[dropped], SORTED)
                for kept, dropped in ((0, 2), (1, 2), (1, 3))
            ),
        ),
        Identity(
            "flat",
            rf"For equal squares $\alpha(T)=T/d$ (shown for $T=3$, $d={_SIZE}$).",
            at("exact", 3, (_as[0],) * _SIZE),
            at("bound", 3),
        ),
    )


_GI = (81, 36, 25, 16, 9, 4, 1, 1)

CLAIM = Claim(
    id="cat/alpha-shape",
    paper=PAPER,
    kind="lower",
    provenance="rederived",
    title="The share of the T largest entries: nondecreasing, concave, at least T/d",
    statement=(
        r"For $g\ne0$ the share $\alpha(T)=A_T/\|g\|^2$ of the $T$ largest entries is nondecreasing and "
        r"concave on $T=0,\dots,d$, with increments $\alpha(T+1)-\alpha(T)=a_{T+1}/\|g\|^2$, $\alpha(0)=0$ "
        r"and $\alpha(T)=1$ once all nonzeros are sent. For $1\le T<d$ $$\alpha(T)\ge\frac "
        r"Td+\frac{a_1-a_d}{d\|g\|^2}\ge\frac Td,$$ with $\alpha(T)=\frac Td$ for one such $T$ iff all "
        r"$|g_j|$ are equal."
    ),
    variables=(DIMENSION, SIZE, SQUARES),
    assumptions=(r"$g\ne0$.", TIES),
    derivation=lambda: derivation(expressions(_BOUND, _EXACT, _FORMULAS)),
    worst_cases=(
        WorstCase("flat: equality for all T", {"a": (1,) * 4, "T": 3, "d": 4}, Rational(3, 4)),
        WorstCase("`gi`, two entries", {"a": _GI, "T": 2, "d": 8}, Rational(117, 173)),
    ),
    mutants=(
        Mutant(
            "first-indices",
            r"Keep the first T entries instead of the largest: 10/173 of $\|g\|^2$ for `gi` and $T=2$, below "
            r"1/4, and not concave.",
            ("exact", "adversarial"),
        ),
        Mutant(
            "one-more",
            r"State $\frac{T+1}d$: $\frac{T+1}T$ times too much for flat gradients.",
            ("symbolic", "exact", "adversarial"),
        ),
        Mutant(
            "reversed-coordinates",
            "Number the coordinates the other way round: nothing may change.",
            ("exact",),
            neutral=True,
        ),
    ),
    bound=_BOUND,
    exact=_EXACT,
    formulas=_FORMULAS,
)
