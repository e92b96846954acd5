r"""`squant/sparse`: exact constant and optimal probabilities of Bernoulli sparsification (arXiv 2106.03524).

For $C(x)_j=x_jb_j/p_j$ with independent $b_j\sim\mathrm{Bernoulli}(p_j)$ and any positive semidefinite
$\mathbf L$, $\mathcal L(C,\mathbf L)=\max_jL_j(1/p_j-1)$. Under $\sum_jp_j=\tau<d$ its smallest value is $c$,
taken at $p_j=L_j/(L_j+c)$, where $c$ is the root of $\sum_jp_j=\tau$; and $c<\mathrm{tr}(\mathbf L)/\tau$.

Derivation: the variance of a coordinate is $x_j^2(1/p_j-1)$ and cross terms vanish, so the constant is a
maximum over coordinate vectors. With $p^\star_j=L_j/(L_j+c)$ and $w_j={p_j^\star}^2/L_j$,
$\sum_jw_j(L_j(1/p_j-1)-c)=\sum_j(p_j-p_j^\star)^2/p_j+(\tau-\sum_jp_j)\ge0$: some coordinate is at least $c$.
"""

import functools
from collections.abc import Mapping

from sympy import Expr, Integer, Rational, Symbol, symbols

from theory.instance import instance
from theory.old_form import Claim, ImplicitValue, Mutant, Variable, WorstCase, expressions
from theory.old_steps import Certificate, Identity, ScalarLemma, Step, Term
from theory.squant.paper import PAPER
from theory.squant.symbols import DIAGONAL, DIMENSION, MATRIX, L, d, j, tau, total
from theory.summation import SUMMATION
from theory.two_point_law import INDEPENDENCE, expectation, quadratic_form

c = Symbol("c", nonnegative=True)
L_j = Symbol("L_j", nonnegative=True)
p_j = Symbol("p_j", positive=True)

_m = Symbol("m", positive=True)
_t = Symbol("t", nonnegative=True)
_SIZE = 3
_Lj = Symbol("L_j", positive=True)
_c = Symbol("c", positive=True)
_pj, _xj = Symbol("p_j", positive=True), Symbol("x_j", real=True)
_Ls = symbols("L_1:4", positive=True)
_ps = symbols("p_1:4", positive=True)
_xs = symbols("x_1:4", real=True)
_L12, _L13, _L23 = symbols("L_12 L_13 L_23", real=True)
_MATRIX = ((_Ls[0], _L12, _L13), (_L12, _Ls[1], _L23), (_L13, _L23, _Ls[2]))
_real_L, _real_m, _real_p = symbols("L m p", real=True)
_M = Symbol("M", nonnegative=True)
_GENERAL = {L: _Ls, d: _SIZE, c: _c}
_ROOT = "hypothesis: c is the root of this expression"


def _constant(diagonal: Expr, probability: Expr) -> Expr:
    return diagonal * (1 / probability - 1)


def _optimum(diagonal: Expr, value: Expr) -> Expr:
    return diagonal / (diagonal + value)


_BOUND = total(L[j]) / tau
_EXACT = ImplicitValue(c, c, total(_optimum(L[j], c)) - tau)
_FORMULAS = {
    "coordinate": _constant(L_j, p_j),
    "probability": _optimum(L[j], c),
    "uniform_probability": tau / d,
    "trace_bound": total(L[j]) / tau,
}


@functools.cache
def _weighted_error(size: int) -> Expr:
    """Return the expected weighted squared error over all outcomes of `size` coordinates."""
    weights = [row[:size] for row in _MATRIX[:size]]
    return expectation(
        lambda *sent: quadratic_form(
            weights, [v * b / p - v for v, b, p in zip(_xs, sent, _ps, strict=False)]
        ),
        *_ps[:size],
    )


def derivation(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    """Return the steps, built from the stated expressions."""
    return (*_exact_constant(stated), *_optimality(stated))


def _exact_constant(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    def constant(diagonal: Expr, probability: Expr) -> Expr:
        return instance(stated["coordinate"], {L_j: diagonal, p_j: probability})

    triples = tuple(zip(_Ls, _ps, _xs, strict=True))
    return (
        Identity(
            "mean",
            r"$\mathbb E\,xb/p=x$.",
            expectation(lambda sent: _xs[0] * sent / _ps[0], _ps[0]),
            _xs[0],
        ),
        *(
            Identity(
                f"weighted-{size}",
                r"For any symmetric $\mathbf L$ the error has the weighted second moment $\sum_jc_jx_j^2$ "
                rf"with the stated $c_j=L_j(1/p_j-1)$, whatever the off-diagonal entries (shown for {size} "
                r"coordinates over all outcomes; in every dimension by `independence`).",
                _weighted_error(size),
                sum(constant(a, p) * v**2 for a, p, v in triples[:size]),
            )
            for size in range(1, _SIZE + 1)
        ),
        INDEPENDENCE,
        Certificate(
            "maximum-coordinate",
            r"$c_jx_j^2\le Mx_j^2$ for $M=\max_jc_j$.",
            constant(_Lj, _pj) * _xj**2,
            _M * _xj**2,
            (Term(_xj**2, _M - constant(_Lj, _pj), "hypothesis: M is the largest coordinate constant"),),
        ),
        Certificate(
            "maximum",
            rf"$\sum_jc_jx_j^2\le M\|x\|^2$ (shown for {_SIZE} coordinates; in every dimension by "
            "`summation` of `maximum-coordinate`).",
            sum(constant(a, p) * v**2 for a, p, v in triples),
            _M * sum(v**2 for v in _xs),
            tuple(Term(v**2, _M - constant(a, p), "maximum-coordinate") for a, p, v in triples),
        ),
        Identity(
            "attained",
            "At the coordinate vector $x=e_1$ the left side is $c_1$: equality at the worst coordinate "
            rf"(shown for {_SIZE} coordinates).",
            _weighted_error(_SIZE).xreplace(
                dict(zip(_xs, (Integer(1), Integer(0), Integer(0)), strict=True))
            ),
            constant(_Ls[0], _ps[0]),
        ),
        SUMMATION,
    )


def _optimality(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    def constant(diagonal: Expr, probability: Expr) -> Expr:
        return instance(stated["coordinate"], {L_j: diagonal, p_j: probability})

    def optimum(diagonal: Expr, value: Expr) -> Expr:
        return instance(stated["probability"], {L: (diagonal,), c: value, j: 0})

    equation = instance(stated["exact.equation"], _GENERAL)
    stars = tuple(optimum(item, _c) for item in _Ls)
    weights = tuple(item / (item + _c) ** 2 for item in _Ls)
    return (
        Identity(
            "equalised",
            r"At the stated $p_j=L_j/(L_j+c)$ every coordinate constant is the stated value $c$.",
            constant(_Lj, optimum(_Lj, _c)),
            instance(stated["exact.expression"], {c: _c}),
        ),
        Identity(
            "budget",
            rf"The stated equation is $\sum_jp_j=\tau$ (shown for {_SIZE} coordinates).",
            equation,
            sum(stars) - tau,
        ),
        Identity(
            "uniform-budget",
            r"$d$ equal probabilities $\tau/d$ use the same budget.",
            d * stated["uniform_probability"],
            tau,
        ),
        ScalarLemma(
            "probability-needed",
            r"A coordinate constant of at most $m$, $L(1-p)\le mp$, needs $p(L+m)\ge L$.",
            (_real_L > 0, _real_m > 0, _real_L * (1 - _real_p) <= _real_m * _real_p),
            _real_L <= (_real_L + _real_m) * _real_p,
            (
                Term(
                    Integer(1),
                    _real_m * _real_p - _real_L * (1 - _real_p),
                    "hypothesis: the coordinate constant is at most m",
                ),
            ),
        ),
        Certificate(
            "root-unique",
            r"$L/(L+c)$ falls in $c$: with $c=m+t$, $L/(L+c)\le L/(L+m)$; the root of $\sum_jp_j=\tau$ is "
            r"unique.",
            optimum(_Lj, _m + _t),
            optimum(_Lj, _m),
            (Term(_Lj / ((_Lj + _m) * (_Lj + _m + _t)), _t, "hypothesis: t is the increase"),),
        ),
        Certificate(
            "optimal-coordinate",
            r"With $p^\star=L/(L+c)$: $p^\star-p\le\frac{{p^\star}^2}L(L(1/p-1)-c)$; the difference is "
            r"$(p-p^\star)^2/p$.",
            optimum(_Lj, _c) - _pj,
            _Lj / (_Lj + _c) ** 2 * (constant(_Lj, _pj) - _c),
            (Term(1 / _pj, (_pj - optimum(_Lj, _c)) ** 2, "square of a real number"),),
        ),
        Certificate(
            "optimal-assembly",
            r"If $\sum_jp_j\le\tau$ and $c$ is the root of the stated equation, a weighted mean of the "
            r"coordinate constants is at least the stated value $c$, hence also their maximum (shown for "
            rf"{_SIZE} coordinates, weights $w_j=L_j/(L_j+c)^2>0$; in every dimension by `summation` of "
            r"`optimal-coordinate`).",
            instance(stated["exact.expression"], {c: _c}) * sum(weights),
            sum(w * constant(a, p) for w, a, p in zip(weights, _Ls, _ps, strict=True)),
            (
                *(
                    Term(1 / p, (p - star) ** 2, "square of a real number")
                    for p, star in zip(_ps, stars, strict=True)
                ),
                Term(Integer(1), equation, _ROOT),
                Term(Integer(1), tau - sum(_ps), "hypothesis: the probabilities use at most the budget tau"),
            ),
        ),
        Certificate(
            "below-trace-coordinate",
            r"$cL/(L+c)\le L$, strictly, since the difference is positive.",
            _c * optimum(_Lj, _c),
            _Lj,
            (Term(1 / (_Lj + _c), _Lj**2, "square of a real number"),),
        ),
        *(
            Certificate(
                name,
                r"$c\le\mathrm{tr}(\mathbf L)/\tau$ for the root $c$ of the stated equation (shown for "
                rf"{_SIZE} coordinates; in every dimension by `summation` of `below-trace-coordinate`).",
                instance(stated["exact.expression"], {c: _c}),
                instance(stated[key], _GENERAL),
                (
                    *(Term(1 / (tau * (item + _c)), item**2, "square of a real number") for item in _Ls),
                    Term(_c / tau, equation, _ROOT),
                ),
            )
            for name, key in (("below-trace", "trace_bound"), ("below-bound", "bound"))
        ),
    )


_MUTANTS = (
    Mutant(
        "no-division",
        r"Send $b_jx_j$ without $1/p_j$: bias $(1-p_j)x_j$.",
        ("exact", "montecarlo"),
    ),
    Mutant(
        "uniform-probabilities",
        r"Use $p_j=\tau/d$ and claim the optimal $c$: 4 against 2 at $L=(4,1)$, $\tau=1$.",
        ("exact", "adversarial"),
    ),
    Mutant(
        "permuted-coordinates",
        "Permute input, probabilities and weights alike: nothing may change.",
        ("exact",),
        neutral=True,
    ),
)

OLD = Claim(
    id="squant/sparse",
    paper=PAPER,
    kind="tight",
    provenance="rederived",
    title="Exact constant and optimal probabilities of Bernoulli sparsification",
    statement=(
        r"Let $C(x)_j=x_jb_j/p_j$ with independent $b_j\sim\mathrm{Bernoulli}(p_j)$. For every positive "
        r"semidefinite $\mathbf L$, $$\mathcal L(C,\mathbf L)=\max_jL_j\Big(\frac1{p_j}-1\Big),\qquad "
        r"L_j=\mathbf L_{jj}.$$ If all $L_j>0$, its smallest value under $\sum_jp_j=\tau<d$ is the root $c$ "
        r"of $\sum_j\frac{L_j}{L_j+c}=\tau$, taken at $p_j=\frac{L_j}{L_j+c}$, and $c<\mathrm{tr}(\mathbf "
        r"L)/\tau$."
    ),
    variables=(
        DIAGONAL,
        DIMENSION,
        Variable(tau, r"(0,d)", "expected number of entries sent"),
        Variable(p_j, r"(0,1]", "probability of sending one coordinate"),
        Variable(L_j, r"\mathbb R_{\ge0}", "diagonal entry of that coordinate"),
        Variable(c, r"\mathbb R_{\ge0}", "optimal constant"),
    ),
    assumptions=(MATRIX, r"The $b_j$ are independent.", r"For the optimum: all $L_j>0$ and $0<\tau<d$."),
    derivation=lambda: derivation(expressions(_BOUND, _EXACT, _FORMULAS)),
    worst_cases=(
        WorstCase(
            "two weights; uniform probabilities give 4",
            {"L": (4, 1), "tau": 1, "p": (Rational(2, 3), Rational(1, 3)), "d": 2},
            Integer(2),
        ),
        WorstCase("four weights; the root is irrational", {"L": (9, 4, 1, 1), "tau": 2, "d": 4}),
        WorstCase(
            "identity in dimension 10",
            {"L": (1,) * 10, "tau": 4, "p": (Rational(2, 5),) * 10, "d": 10},
            Rational(3, 2),
        ),
    ),
    mutants=_MUTANTS,
    bound=_BOUND,
    exact=_EXACT,
    formulas=_FORMULAS,
)
