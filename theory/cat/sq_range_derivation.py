"""Derivation of `cat/sq-range`: Cauchy-Schwarz, one parameter for what is not sent, summation by parts."""

from collections.abc import Mapping
from itertools import combinations

from sympy import Expr, IndexedBase, Integer, Rational, Symbol, log, sqrt, symbols

from theory.cat.symbols import T, d
from theory.instance import instance
from theory.old_steps import Certificate, Identity, StandardFact, Step, Term
from theory.summation import SUMMATION

s = IndexedBase("s", nonnegative=True)
A = Symbol("A", positive=True)
C_d = Symbol("C_d", positive=True)
rho = Symbol("rho", positive=True)

_size, _dim = symbols("T d", positive=True)
_t, _U, _W, _V, _E = symbols("t U W V E", nonnegative=True)
_entries = symbols("s_1:5", positive=True)
_excess = symbols("u_1:4", nonnegative=True)
_drops = symbols("x_1:4", nonnegative=True)
_beta, _e = symbols("beta e", positive=True)
_Sigma, _last = symbols("Sigma beta_last", nonnegative=True)
_m, _q = symbols("m q", positive=True)
_known, _claimed = symbols("rho_d bound_d", positive=True)

# Below and above T = sqrt(d).
_CASES = {"many": {T: Integer(2), d: Integer(7)}, "few": {T: Integer(3), d: Integer(7)}}

ARTANH = StandardFact(
    "artanh",
    r"$x\le\operatorname{artanh}x=\frac12\ln\frac{1+x}{1-x}$ for $0\le x<1$.",
    "W. Rudin, Principles of Mathematical Analysis, 3rd ed., theorem 5.11, with the slope $1/(1-x^2)$",
)


def derivation(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    """Return the steps, built from the stated expressions."""
    return (
        *_at_most_alpha(stated),
        *_at_least(stated),
        *_attained(stated),
        *_best(stated),
        *_logarithm(stated),
        *_consequences(stated),
        SUMMATION,
    )


def _at_most_alpha(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    values = {s: _entries, d: 4, T: 3}
    whole = sum(item**2 for item in _entries)
    return (
        Certificate(
            "at-most-alpha",
            r"$\beta(T)\le\alpha(T)$ by Cauchy-Schwarz, with equality iff the kept magnitudes are equal "
            r"(shown for $d=4$, $T=3$; by `summation` for all).",
            instance(stated["beta"], values),
            instance(stated["alpha"], values),
            tuple(
                Term(1 / (3 * whole), (one - other) ** 2, "square of a real number")
                for one, other in combinations(_entries[:3], 2)
            ),
        ),
    )


def _at_least(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    total, most = _size * _t + _U, _dim * _t**2 + 2 * _t * _U + _U**2
    steps: list[Step] = [
        Certificate(
            "square-of-sum",
            r"With the $T$ largest magnitudes $t+u_j$, $t$ the last of them, $W=\sum_ju_j^2\le(\sum_ju_j)^2"
            r"=U^2$ (shown for three).",
            sum(item**2 for item in _excess),
            sum(_excess) ** 2,
            tuple(
                Term(2 * one, other, "nonnegative by definition") for one, other in combinations(_excess, 2)
            ),
        ),
        Certificate(
            "energy",
            r"So $\|g\|^2=Tt^2+2tU+W+V\le dt^2+2tU+U^2$, where $V$ is the sum of the other squares.",
            _size * _t**2 + 2 * _t * _U + _W + _V,
            most,
            (
                Term(Integer(1), _U**2 - _W, "square-of-sum"),
                Term(
                    Integer(1),
                    (_dim - _size) * _t**2 - _V,
                    "hypothesis: the other d - T magnitudes are at most the T-th",
                ),
            ),
        ),
        Certificate(
            "few-coordinates",
            r"For $d\le T^2$ that is at most $S_T^2=(Tt+U)^2$, so $\beta\ge\frac1T$.",
            most,
            total**2,
            (
                Term(_t**2, _size**2 - _dim, "hypothesis: d is at most T^2"),
                Term(2 * _t * _U, _size - 1, "hypothesis: an entry is sent"),
            ),
        ),
        Certificate(
            "many-coordinates",
            r"For $d\ge T^2$ it is at most $\frac d{T^2}S_T^2$, so $\beta\ge\frac Td$.",
            most * _size**2 / _dim,
            total**2,
            (
                Term(2 * _t * _U * _size / _dim, _dim - _size, "hypothesis: T is at most d"),
                Term(_U**2 / _dim, _dim - _size**2, "hypothesis: d is at least T^2"),
            ),
        ),
    ]
    for name, case in _CASES.items():
        size, dim = case[T], case[d]
        steps.append(
            Certificate(
                f"bound-{name}",
                rf"The stated bound: $S_T^2\ge T\|g\|^2$ times it (shown for $T={size}$, $d={dim}$).",
                instance(stated["bound"], case) * size * _E,
                (size * _t + _U) ** 2,
                _terms(size, dim, instance(stated["bound"], case)),
            )
        )
    return tuple(steps)


def _terms(size: Expr, dim: Expr, bound: Expr) -> tuple[Term, ...]:
    """Return the terms of $(Tt+U)^2-bTE$ with E at most $dt^2+2tU+U^2$."""
    weight = bound * size
    most = dim * _t**2 + 2 * _t * _U + _U**2
    return (
        Term(weight, most - _E, "energy"),
        Term(size**2 - weight * dim, _t**2, "square of a real number"),
        Term(2 * _t * _U, size - weight, "nonnegative number"),
        Term(1 - weight, _U**2, "square of a real number"),
    )


def _attained(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    one, flat = (_entries[0], 0, 0, 0), (_entries[0],) * 4
    return (
        Identity(
            "one-hot",
            r"One nonzero entry has $\beta(T)=\frac1T$ (shown for $d=4$, $T=3$, where $\frac1T$ is the "
            r"bound).",
            instance(stated["beta"], {s: one, d: 4, T: 3}),
            instance(stated["bound"], {d: 4, T: 3}),
        ),
        Identity(
            "flat",
            r"Equal entries have $\beta(T)=\frac Td$ (shown for $d=4$, $T=1$, where $\frac Td$ is the "
            r"bound).",
            instance(stated["beta"], {s: flat, d: 4, T: 1}),
            instance(stated["bound"], {d: 4, T: 1}),
        ),
    )


def _best(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    magnitudes = (sum(_drops), _drops[1] + _drops[2], _drops[2])
    parts = [sqrt(place) - sqrt(place - 1) for place in (1, 2, 3)]
    sums = [sum(magnitudes[:size], Integer(0)) for size in (1, 2, 3)]
    slacks = [_m * sqrt(size) - own for size, own in zip((1, 2, 3), sums, strict=True)]
    falls = [parts[0] - parts[1], parts[1] - parts[2], parts[2]]
    because = "hypothesis: m^2 is at least S_T^2 / T for all T"
    return (
        Certificate(
            "by-parts",
            r"With $m^2=\max_TS_T^2/T$: $\|g\|^2\le m^2\rho_d$ for the stated $\rho_d$, by summation by "
            r"parts, twice (shown for $d=3$, the magnitudes $x_1+x_2+x_3$, $x_2+x_3$, $x_3$).",
            sum(item**2 for item in magnitudes),
            _m**2 * instance(stated["rho"], {d: 3}),
            (
                *(Term(drop, slack, because) for drop, slack in zip(_drops, slacks, strict=True)),
                *(Term(_m * fall, slack, because) for fall, slack in zip(falls, slacks, strict=True)),
            ),
        ),
        Identity(
            "best",
            r"So $\max_T\beta(T)=m^2/\|g\|^2$ is at least the stated $\frac1{\rho_d}$ (shown there).",
            instance(stated["best"], {d: 3}) * instance(stated["rho"], {d: 3}),
            Integer(1),
        ),
        *(
            Identity(
                f"extremal-{size}",
                r"The magnitudes $\sqrt j-\sqrt{j-1}$ have this $\beta(T)$ for each $T$ (shown for $d=3$, "
                rf"$T={size}$).",
                instance(stated["beta"], {s: parts, d: 3, T: size}),
                instance(stated["best"], {d: 3}),
            )
            for size in (2, 3)
        ),
    )


def _logarithm(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    p = sqrt(_q**2 + 1)
    term = (p - _q) ** 2
    next_bound = stated["rho_bound"].subs(d, _q**2 + 1) - stated["rho_bound"].subs(d, _q**2)
    return (
        Identity(
            "first",
            r"$\rho_1$ and its stated bound are 1.",
            instance(stated["rho"], {d: 1}),
            stated["rho_bound"].subs(d, 1),
        ),
        Identity(
            "argument",
            r"The next term $x=(\sqrt{d+1}-\sqrt d)^2$ of $\rho$ has $\frac{1+x}{1-x}=\sqrt{\frac{d+1}d}$ "
            r"($d=q^2$),",
            (1 + term) / (1 - term),
            p / _q,
        ),
        Identity(
            "increment",
            r"and the stated bound grows by $\frac12$ times its logarithm.",
            next_bound,
            Rational(1, 2) * log(p / _q),
        ),
        ARTANH,
        Certificate(
            "at-most-logarithm",
            r"So $\rho_{d+1}$ is at most its bound if $\rho_d$ is.",
            _known + term,
            _claimed + next_bound,
            (
                Term(Integer(1), _claimed - _known, "hypothesis: induction over the dimension"),
                Term(Integer(1), log(p / _q) / 2 - term, "artanh, argument"),
            ),
        ),
    )


def _consequences(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    fixed = []
    for name, case in _CASES.items():
        bound, most = instance(stated["bound"], case), instance(stated["fixed_iterations"], case)
        fixed.append(
            Certificate(
                f"fixed-{name}",
                rf"With a fixed $T$ the stated number of iterations suffices (shown for $T={case[T]}$, "
                rf"$d={case[d]}$).",
                A / _beta,
                most,
                (Term(A / (bound * _beta), _beta - bound, f"bound-{name}"),),
            )
        )
    return (
        *fixed,
        Certificate(
            "best-iterations",
            r"With the largest $\beta$ the stated number of iterations suffices.",
            A / _beta,
            stated["best_iterations"],
            (
                Term(A * rho / _beta, _beta - 1 / rho, "by-parts, best"),
                Term(A, stated["rho_bound"] - rho, "at-most-logarithm"),
            ),
        ),
        *_costs(stated),
    )


def _costs(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    def least(sum_: Expr) -> Term:
        return Term(
            sum_ * rho * C_d / _e,
            _e - 1 / (rho * C_d),
            "hypothesis: no message costs more than C(d), and the rule takes the largest beta / C",
        )

    return (
        Certificate(
            "cost",
            r"With efficiencies of at least $\max_T\beta(T)/C(d)\ge\frac1{\rho_dC(d)}$ messages whose shares "
            r"add up to at most $A$ cost at most the stated multiple of $A\,C(d)$.",
            _Sigma / _e,
            stated["cost"],
            (
                Term(
                    1 / _e,
                    A - _Sigma,
                    "hypothesis: the shares of all messages, the last one too, add up to A at most "
                    "(`cat/cost-bound`, first and third bound)",
                ),
                least(A),
            ),
        ),
        Certificate(
            "polyak-cost",
            r"Under the Polyak-Łojasiewicz inequality only the shares before the last message add up to at "
            r"most $A$; the last one adds at most 1.",
            (_Sigma + _last) / _e,
            stated["polyak_cost"],
            (
                Term(
                    1 / _e,
                    A - _Sigma,
                    "hypothesis: the shares before the last message add up to A at most (`cat/cost-bound`, "
                    "second bound)",
                ),
                Term(1 / _e, 1 - _last, "hypothesis: a share is at most 1"),
                least(A + 1),
            ),
        ),
    )
