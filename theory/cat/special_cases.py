r"""`cat/special-cases`: known random schemes are points of one family (arXiv 2003.06377).

The sparsifiers of Wangni et al. and the entrywise ATOMO have the same chances; TernGrad and QSGD with one
level are members of this family at particular sizes.

Derivation: the certificate of `cat/st-waterfill` read for a budget of variance; the shares of TernGrad and of
QSGD by their second moments.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from sympy import Expr, IndexedBase, Integer, Rational, Sum, Symbol, symbols

from theory.cat.paper import PAPER
from theory.cat.st_waterfill import OLD as WATERFILL
from theory.cat.st_waterfill import T
from theory.cat.symbols import DIMENSION, RANDOM_SHARE, d, j, omega
from theory.instance import instance
from theory.old_form import Claim, Mutant, Variable, WorstCase, expressions
from theory.old_steps import Certificate, Identity, Step, Term
from theory.summation import SUMMATION
from theory.two_point_law import expectation

s = IndexedBase("s", nonnegative=True)
norm = Symbol("N", positive=True)

_ENERGY = Sum(s[j] ** 2, (j, 0, d - 1))
_TOTAL = Sum(s[j], (j, 0, d - 1))
_EXACT = _ENERGY / (_TOTAL * s[0])
_FORMULAS = {
    "knee": _TOTAL / s[0],
    "one_level_size": _TOTAL / norm,
    "one_level_share": norm / _TOTAL,
    "survivor": _TOTAL / T,
    "eta": 1 / omega - 1,
}

_s = symbols("s_1:4", positive=True)
_c = Symbol("c", positive=True)
_u, _t = symbols("u t", nonnegative=True)
_q = symbols("q_1:4", positive=True)


def derivation(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    """Return the steps, built from the stated expressions."""

    def at(name: str, **more: Any) -> Expr:
        formula = {**WATERFILL.formulas, **stated}[name]
        return instance(formula, {s: _s, d: 3, **{T: more.get("size", T)}})

    return (*_budgets(stated), *_tern_grad(at), *_one_level(at), *_survivors(at))


def _energy(entries: Sequence[Expr]) -> Expr:
    return sum((item**2 for item in entries), Integer(0))


def _budgets(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    # One sure entry (1 + u) / c, two open ones with the chances c s_j; q_1 = 1 / (1 + t).
    sorted_g = ((1 + _u) / _c, *_s[1:])
    chances = (1 / (1 + _t), *_q[1:])
    value = sorted_g[0] ** 2 + sum((item / _c for item in sorted_g[1:]), Integer(0))
    size = 1 + _c * sum(sorted_g[1:], Integer(0))
    share = _energy(sorted_g) / value
    allowed = (1 + stated["eta"].xreplace({omega: share})) * _energy(sorted_g)
    spent = sum((item**2 / q for item, q in zip(sorted_g, chances, strict=True)), Integer(0))
    tangents = (
        Term((1 + _u) ** 2, _t**2 / (1 + _t), "nonnegative by its form"),
        Term(_t / (1 + _t), (1 + _u) ** 2 - 1, "at-least-one"),
        *(
            Term(_c**2 / q, (item - q / _c) ** 2, "square of a real number")
            for item, q in zip(sorted_g[1:], _q[1:], strict=True)
        ),
    )
    return (
        Certificate(
            "at-least-one",
            r"A sure entry has $c|g_j|=1+u\ge1$.",
            Integer(1),
            (1 + _u) ** 2,
            (Term(_u, 2 + _u, "nonnegative by its form"),),
        ),
        Identity(
            "budget",
            r"The chances of `cat/st-waterfill` use up the budget $\sum_jg_j^2/p_j\le(1+\eta)\|g\|^2$ of the "
            r"stated $\eta$ (shown for one sure and two open entries).",
            value,
            allowed,
        ),
        Certificate(
            "least-size",
            r"All chances $q$ within that budget have $\sum q\ge T$: the tangents of `cat/st-waterfill` "
            r"times $c^2$, so that both problems have the same solutions (shown for one sure and two open "
            r"entries; in every dimension by `summation`).",
            size,
            sum(chances, Integer(0)),
            (
                *tangents,
                Term(_c**2, allowed - spent, "hypothesis: the chances q keep the budget of variance"),
            ),
        ),
        SUMMATION,
    )


def _tern_grad(at: Any) -> tuple[Step, ...]:
    first, total = _s[0], sum(_s, Integer(0))
    second = [
        expectation(lambda kept: (kept * first) ** 2, item / first)  # the level is the largest magnitude
        for item in _s
    ]
    return (
        Identity(
            "tern-grad",
            r"TernGrad sends $\pm\|g\|_\infty$ with the chance $|g_j|/\|g\|_\infty$: $\|g\|^2/\mathbb "
            r"E\|Q\|^2$ is the stated share (shown for three entries),",
            _energy(_s),
            at("exact") * sum(second, Integer(0)),
        ),
        Identity(
            "tern-grad-size",
            r"with the stated number of survivors in the mean (shown for three entries):",
            sum((item / first for item in _s), Integer(0)),
            at("knee"),
        ),
        Identity(
            "tern-grad-point",
            r"it is the end of the linear part of $\omega_T$ (shown for three entries).",
            at("linear", size=total / first),
            at("exact"),
        ),
    )


def _one_level(at: Any) -> tuple[Step, ...]:
    total = sum(_s, Integer(0))
    second = sum((expectation(lambda kept: (kept * norm) ** 2, item / norm) for item in _s), Integer(0))
    size, share = at("one_level_size"), at("one_level_share")
    return (
        Identity(
            "one-level",
            r"QSGD with one level sends $\pm N$, $N=\|g\|_2$, with the chance $|g_j|/N$: $N^2/\mathbb "
            r"E\|Q\|^2$ is the stated share (shown for three entries),",
            norm**2,
            share * second,
        ),
        Identity(
            "one-level-size",
            r"with the stated number of survivors in the mean (shown for three entries):",
            sum((item / norm for item in _s), Integer(0)),
            size,
        ),
        Identity(
            "one-level-point",
            r"it lies on the linear part $\omega_T=TN^2/\|g\|_1^2$ (shown for three entries),",
            size * norm**2 / total**2,
            share,
        ),
        Certificate(
            "one-level-below-the-knee",
            r"since $N\ge\|g\|_\infty$ makes $T$ at most $T_c$ (shown for three entries).",
            size,
            at("knee"),
            (
                Term(
                    total / (norm * _s[0]),
                    norm - _s[0],
                    "hypothesis: N is the Euclidean norm, not below any magnitude",
                ),
            ),
        ),
    )


def _survivors(at: Any) -> tuple[Step, ...]:
    total = sum(_s, Integer(0))
    return tuple(
        Identity(
            f"survivor-{place + 1}",
            r"Up to $T_c$ a survivor is received as $|g_j|/p_j$ with $p_j=T|g_j|/\|g\|_1$: the same "
            rf"magnitude for all (shown for entry {place + 1} of three).",
            _s[place] / (T * _s[place] / total),
            at("survivor"),
        )
        for place in range(3)
    )


_MUTANTS = (
    Mutant(
        "two-norm",
        r"Claim the share of TernGrad with $\|g\|_2$ for $\|g\|_\infty$: for (3, -1, 4, 1, -5, 9, 2, -6) too "
        r"small by 1.461.",
        ("exact",),
    ),
    Mutant(
        "equal-survivors-above-the-knee",
        r"Claim one magnitude for all survivors above $T_c$, too: sure entries are received as they are.",
        ("exact",),
    ),
    Mutant(
        "one-minus-share",
        r"Take $\eta=1-\omega_T$ for $\frac1{\omega_T}-1$ in (a): less variance than there is.",
        ("exact",),
    ),
    Mutant(
        "equal-chances",
        r"Keep all nonzeros with the chance $\omega_T$ in (a): the same variance, but more than $T$ entries.",
        ("exact",),
    ),
    Mutant(
        "one-norm",
        r"Put $\|g\|_1$ for $\|g\|_2$ in the share of (c): a share of 1.",
        ("exact",),
    ),
    Mutant(
        "one-norm-size",
        r"Put $\|g\|_1$ for $\|g\|_2$ in the size of (c): one entry, whose share is too small.",
        ("exact",),
    ),
    Mutant("scaled-gradient", "Multiply the gradient by -7/3: nothing may change.", ("exact",), neutral=True),
)

_GI = (9, 6, 5, 4, 3, 2, 1, 1)

CLAIM = Claim(
    id="cat/special-cases",
    paper=PAPER,
    kind="identity",
    provenance="derived",
    title="TernGrad, QSGD with one level, ATOMO and variance budgets as one family",
    statement=(
        r"(a) The least $\sum p$ with $\sum_jg_j^2/p_j\le(1+\eta)\|g\|^2$ (Wangni et al.) and the least "
        r"$\sum_jg_j^2/p_j$ with $\sum p\le T$ (entrywise ATOMO) are attained by the same chances, those of "
        r"`cat/st-waterfill`; $\eta=\frac1{\omega_T}-1$. (b) TernGrad, $p_j=|g_j|/\|g\|_\infty$, is the "
        r"point $T=T_c=\|g\|_1/\|g\|_\infty$ with the share $$\omega=\frac{\|g\|^2}{\|g\|_1\|g\|_\infty}.$$ "
        r"(c) QSGD with one level is the point $T=\|g\|_1/\|g\|_2\le T_c$, with the share $\|g\|_2/\|g\|_1$. "
        r"(d) For $T\le T_c$ all survivors are received as $\pm\|g\|_1/T$: a message of $N$ survivors needs "
        r"one number, $N$ indices and $N$ signs."
    ),
    variables=(
        DIMENSION,
        RANDOM_SHARE,
        Variable(T, r"\mathbb R_{>0}", "expected number of entries that are kept"),
        Variable(norm, r"\mathbb R_{>0}", r"Euclidean norm $\|g\|_2$"),
        Variable(s, r"\mathbb R^d_{\ge0}", "sorted magnitudes, largest first", "(d,)"),
    ),
    assumptions=(r"$g\ne0$.", "TernGrad without clipping, its scale sent exactly."),
    derivation=lambda: derivation(expressions(None, _EXACT, _FORMULAS)),
    worst_cases=(
        WorstCase("TernGrad at (9, 6, 5, 4, 3, 2, 1, 1)", {"s": _GI, "d": 8}, Rational(173, 279)),
        WorstCase("one level at (6, 3, 2)", {"s": (6, 3, 2), "d": 3, "N": 7}, Rational(7, 11)),
    ),
    mutants=_MUTANTS,
    exact=_EXACT,
    formulas=_FORMULAS,
)
