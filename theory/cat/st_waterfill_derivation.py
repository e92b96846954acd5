"""Steps of `cat/st-waterfill`: optimality by tangents, shape by pieces that fit together."""

from collections.abc import Mapping, Sequence
from typing import Any

from sympy import Expr, IndexedBase, Integer, Symbol, symbols

from theory.cat.symbols import d
from theory.cauchy_schwarz import CAUCHY_SCHWARZ
from theory.instance import instance
from theory.old_steps import Certificate, Identity, StandardFact, Step, Term
from theory.summation import SUMMATION

_c, _v = symbols("c v", positive=True)
_u = Symbol("u", nonnegative=True)
_s = symbols("s_1:5", positive=True)
_q = symbols("q_1:4", positive=True)
_t = Symbol("t", nonnegative=True)
_G, _M = symbols("G M", positive=True)
_y, _z = symbols("y z", positive=True)
_w, _w_next, _slope = symbols("w w_+ w'", nonnegative=True)
_C, _c1, _c0 = symbols("C c_1 c_0", positive=True)
_more = Symbol("Delta", nonnegative=True)

# One sure entry: its magnitude is (1 + u) / c, at least 1 / c; two others have the chances c s_j.
_SORTED = ((1 + _u) / _c, _s[1], _s[2])


def steps(stated: Mapping[str, Expr], s: IndexedBase, k: Symbol, T: Symbol) -> tuple[Step, ...]:
    """Return all steps, built from the stated expressions over the sorted magnitudes s."""

    def at(name: str, sorted_g: Sequence[Any], sure: int, size: Any) -> Expr:
        return instance(stated[name], {s: sorted_g, d: len(sorted_g), k: sure, T: size})

    return (*_optimum(at), *_shape(at), *_linear(at), *_costs(at))


def _optimum(at: Any) -> tuple[Step, ...]:
    first, *others = _SORTED
    size = 1 + _c * sum(others, Integer(0))
    value = first**2 + sum((item / _c for item in others), Integer(0))
    energy = sum((item**2 for item in _SORTED), Integer(0))
    sure = 1 / (1 + _t)
    chances = (sure, *_q[1:])
    spent = sum(chances, Integer(0))
    tangents = (
        Term(first**2, (1 - sure) ** 2 / sure, "nonnegative by its form"),
        Term(_t / (1 + _t) / _c**2, (1 + _u) ** 2 - 1, "at-least-one"),
        *(
            Term(1 / q, (item - q / _c) ** 2, "square of a real number")
            for item, q in zip(others, _q[1:], strict=True)
        ),
    )
    budget = Term(1 / _c**2, size - spent, "hypothesis: the chances q add up to T at most")
    return (
        *(
            Identity(
                f"level-{sure_entries}",
                r"With the stated level $c$ the chances $\min(1,c|g|_{(j)})$ add up to $T$ (shown for four "
                rf"entries, {sure_entries} of them sure).",
                sure_entries + at("level", _s, sure_entries, _v) * sum(_s[sure_entries:], Integer(0)),
                _v,
            )
            for sure_entries in (0, 1, 2)
        ),
        Identity(
            "value",
            r"$\sum_jg_j^2/p_j$ at these chances is $\|g\|^2$ over the stated share (shown for one sure "
            r"entry $(1+u)/c$ and two others with the chances $c|g_j|$).",
            at("exact", _SORTED, 1, size) * value,
            energy,
        ),
        Certificate(
            "at-least-one",
            r"A sure entry has $c|g_j|=1+u\ge1$.",
            Integer(1),
            (1 + _u) ** 2,
            (Term(_u, 2 + _u, "nonnegative by its form"),),
        ),
        Certificate(
            "optimal",
            r"All chances $q$ with $\sum q\le T$ have $\sum_jg_j^2/q_j\ge\|g\|^2/\omega_T$: the tangents "
            r"$g^2/q\ge2g/c-q/c^2$ of the open entries and that at $q=1$, here $q_1=1/(1+t)$, of the sure "
            r"ones (shown for one sure and two open entries; in every dimension by `summation`).",
            energy / at("exact", _SORTED, 1, size),
            sum((item**2 / q for item, q in zip(_SORTED, chances, strict=True)), Integer(0)),
            (*tangents, budget),
        ),
        SUMMATION,
        Certificate(
            "any-sparsifier",
            r"An unbiased $Q_j$ that is not zero with chance $q$ has $\mathbb EQ_j^2\ge g_j^2/q$, since "
            r"$g_j=\mathbb E[Q_j1_{Q_j\ne0}]$: no other random sparsifier does better.",
            _s[0] ** 2 / _q[0],
            _M,
            (Term(1 / _q[0], _M * _q[0] - _s[0] ** 2, "cauchy-schwarz"),),
        ),
        CAUCHY_SCHWARZ,
        Certificate(
            "bound",
            r"Equal chances $T/d$ are allowed, so that $\sum_jg_j^2/p_j\le d\|g\|^2/T$ and $\omega_T\ge T/d$ "
            r"(shown for one sure entry of three).",
            at("bound", _SORTED, 1, size),
            at("exact", _SORTED, 1, size),
            (
                Term(
                    size / (3 * value),
                    3 * energy / size - value,
                    "optimal",
                ),
            ),
        ),
    )


def _shape(at: Any) -> tuple[Step, ...]:
    """Pieces with k sure entries: y and z stand for T - k."""
    pieces: list[Step] = []
    for sure in (0, 1, 2):
        pieces.append(
            Identity(
                f"slope-{sure}",
                rf"With {sure} sure entries $\omega$ has the stated slope in $T$, which is not negative "
                r"(shown for four entries).",
                at("exact", _s, sure, sure + _y).diff(_y),
                at("slope", _s, sure, sure + _y),
            )
        )
    for sure in (1, 2):
        energy = sum((item**2 for item in _s), Integer(0))
        head = sum((item**2 for item in _s[:sure]), Integer(0))
        tail = sum(_s[sure:], Integer(0)) ** 2
        curvature = energy * head * tail / ((head * _y + tail) ** 2 * (head * _z + tail))
        pieces.append(
            Certificate(
                f"concave-{sure}",
                rf"On the piece with {sure} sure entries $\omega$ lies below its tangents (shown for four "
                r"entries).",
                at("exact", _s, sure, sure + _z),
                at("exact", _s, sure, sure + _y) + at("slope", _s, sure, sure + _y) * (_z - _y),
                (Term(curvature, (_z - _y) ** 2, "square of a real number"),),
            )
        )
    for sure in (0, 1):
        # There entry k + 1 becomes sure: |g|_(k+1) (T - k) = S_d - S_k.
        change = sure + sum(_s[sure:], Integer(0)) / _s[sure]
        pieces += [
            Identity(
                f"{name}-at-breakpoint-{sure}",
                rf"The pieces with {sure} and {sure + 1} sure entries have the same {what} where they meet "
                r"(shown for four entries).",
                at(key, _s, sure, change),
                at(key, _s, sure + 1, change),
            )
            for name, key, what in (("value", "exact", "value"), ("slope", "slope", "slope"))
        ]
    return (*pieces, _GLUED)


_GLUED = StandardFact(
    "glued-pieces",
    r"A continuous function with a continuous derivative that does not increase on any piece is concave.",
    "W. Rudin, Principles of Mathematical Analysis, 3rd ed., theorem 5.10 and exercise 5.14",
)


def _linear(at: Any) -> tuple[Step, ...]:
    other = at("linear", _s, 0, _v + _more)
    here = at("linear", _s, 0, _v)
    return (
        Identity(
            "linear",
            r"Without sure entries the share is linear in $T$ (shown for four entries),",
            at("exact", _s, 0, _v),
            here,
        ),
        Identity(
            "knee",
            r"which ends where the largest entry becomes sure, at the stated $T_c$ (shown for four entries).",
            at("level", _s, 0, at("knee", _s, 0, _v)) * _s[0],
            Integer(1),
        ),
        Identity(
            "free-messages",
            r"For $C=c_1T$ all real $T\le T_c$ tie (shown for four entries).",
            other / (_c1 * (_v + _more)),
            here / (_c1 * _v),
        ),
        Certificate(
            "paid-messages",
            r"For $C=c_0+c_1T$ the efficiency grows up to $T_c$ (shown for four entries), strictly for "
            r"$c_0>0$: below $\lfloor T_c\rfloor$ each whole $T$ is worse than $T+1$.",
            here / (_c0 + _c1 * _v),
            other / (_c0 + _c1 * (_v + _more)),
            (
                Term(
                    here / _v * _c0 / ((_c0 + _c1 * _v) * (_c0 + _c1 * (_v + _more))),
                    _more,
                    "nonnegative by its symbol",
                ),
            ),
        ),
    )


def _costs(at: Any) -> tuple[Step, ...]:
    return (
        Certificate(
            "unimodal",
            r"Where the efficiency does not grow, $\omega'C\le\omega c_1$, it never again exceeds its value: "
            r"a concave $\omega$ lies below its tangent and $C$ is affine.",
            _w_next / (_C + _c1 * _more),
            _w / _C,
            (
                Term(
                    1 / (_C + _c1 * _more),
                    _w + _slope * _more - _w_next,
                    "linear, concave-1, concave-2, slope-at-breakpoint-0, glued-pieces",
                ),
                Term(
                    _more / (_C * (_C + _c1 * _more)),
                    _w * _c1 - _slope * _C,
                    "hypothesis: the efficiency does not grow at this size",
                ),
            ),
        ),
    )
