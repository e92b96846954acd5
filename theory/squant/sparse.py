r"""`squant/sparse`: exact constant and optimal probabilities of Bernoulli sparsification (arXiv 2106.03524).

For $C(x)_j=x_jb_j/p_j$ with independent $b_j\sim\mathrm{Bernoulli}(p_j)$ and any positive semidefinite
$\mathbf L$, $\mathcal L(C,\mathbf L)=\max_jL_j(1/p_j-1)$. Under $\sum_jp_j=\tau<d$ its smallest value is $c$,
taken at $p_j=L_j/(L_j+c)$, where $c$ is the root of $\sum_jp_j=\tau$; and $c<\mathrm{tr}(\mathbf L)/\tau$.

Derivation: the variance of a coordinate is $x_j^2(1/p_j-1)$ and cross terms vanish, so the constant is a
maximum over coordinate vectors. With $p^\star_j=L_j/(L_j+c)$ and $w_j={p_j^\star}^2/L_j$,
$\sum_jw_j(L_j(1/p_j-1)-c)=\sum_j(p_j-p_j^\star)^2/p_j+(\tau-\sum_jp_j)\ge0$: some coordinate is at least $c$.
"""

from sympy import Expr, Integer, Rational, Symbol, symbols

from theory.claim import Claim, ImplicitValue, Mutant, Variable, WorstCase
from theory.derivation import Certificate, Identity, ScalarLemma, Step, Term
from theory.squant.paper import PAPER
from theory.squant.symbols import DIAGONAL, DIMENSION, MATRIX, L, d, j, tau, total
from theory.two_point_law import INDEPENDENCE, expectation, quadratic_form

c = Symbol("c", nonnegative=True)
L_j = Symbol("L_j", nonnegative=True)
p_j = Symbol("p_j", positive=True)

_Lj, _c, _m = symbols("L_j c m", positive=True)
_t = Symbol("t", nonnegative=True)
_Ls = symbols("L_1:4", positive=True)
_ps = symbols("p_1:4", positive=True)
_xs = symbols("x_1:4", real=True)
_L12, _real_L, _real_m, _real_p = symbols("L_12 L m p", real=True)
_M = Symbol("M", nonnegative=True)


def _constant(diagonal: Expr, probability: Expr) -> Expr:
    return diagonal * (1 / probability - 1)


def _optimum(diagonal: Expr, value: Expr) -> Expr:
    return diagonal / (diagonal + value)


_stars = tuple(_optimum(item, _c) for item in _Ls)
_weights = tuple(item / (item + _c) ** 2 for item in _Ls)

_DERIVATION: tuple[Step, ...] = (
    Identity(
        "mean",
        r"$\mathbb E\,xb/p=x$.",
        expectation(lambda sent: _xs[0] * sent / _ps[0], _ps[0]),
        _xs[0],
    ),
    Identity(
        "variance",
        r"$\mathbb E(xb/p-x)^2=x^2(1/p-1)$.",
        expectation(lambda sent: (_xs[0] * sent / _ps[0] - _xs[0]) ** 2, _ps[0]),
        _xs[0] ** 2 * (1 / _ps[0] - 1),
    ),
    Identity(
        "weighted-pair",
        r"Two coordinates, any symmetric $\mathbf L$: the error has weighted second moment "
        r"$L_1x_1^2(1/p_1-1)+L_2x_2^2(1/p_2-1)$, whatever $L_{12}$.",
        expectation(
            lambda b1, b2: quadratic_form(
                ((_Ls[0], _L12), (_L12, _Ls[1])),
                (_xs[0] * b1 / _ps[0] - _xs[0], _xs[1] * b2 / _ps[1] - _xs[1]),
            ),
            _ps[0],
            _ps[1],
        ),
        _constant(_Ls[0], _ps[0]) * _xs[0] ** 2 + _constant(_Ls[1], _ps[1]) * _xs[1] ** 2,
    ),
    INDEPENDENCE,
    Certificate(
        "maximum",
        r"$\sum_jL_j(1/p_j-1)x_j^2\le M\|x\|^2$ for $M=\max_jL_j(1/p_j-1)$ (three coordinates shown).",
        sum(_constant(a, p) * v**2 for a, p, v in zip(_Ls, _ps, _xs, strict=True)),
        _M * sum(v**2 for v in _xs),
        tuple(
            Term(v**2, _M - _constant(a, p), "M is the largest coordinate constant")
            for a, p, v in zip(_Ls, _ps, _xs, strict=True)
        ),
    ),
    Identity(
        "attained",
        r"At the coordinate vector $x=e_1$ the left side is $L_1(1/p_1-1)$: equality at the worst "
        r"coordinate.",
        sum(
            _constant(a, p) * v**2
            for a, p, v in zip(_Ls, _ps, (Integer(1), Integer(0), Integer(0)), strict=True)
        ),
        _constant(_Ls[0], _ps[0]),
    ),
    Identity(
        "equalised",
        r"At $p_j=L_j/(L_j+c)$ every coordinate constant is $c$.",
        _constant(_Lj, _optimum(_Lj, _c)),
        _c,
    ),
    ScalarLemma(
        "probability-needed",
        r"A coordinate constant of at most $m$, $L(1-p)\le mp$, needs $p(L+m)\ge L$.",
        (_real_L > 0, _real_m > 0, _real_L * (1 - _real_p) <= _real_m * _real_p),
        _real_L <= (_real_L + _real_m) * _real_p,
        (Term(Integer(1), _real_m * _real_p - _real_L * (1 - _real_p), "hypothesis"),),
    ),
    Certificate(
        "root-unique",
        r"$L/(L+c)$ falls in $c$: with $c=m+t$, $L/(L+c)\le L/(L+m)$; the root of $\sum_jp_j=\tau$ is "
        r"unique.",
        _optimum(_Lj, _m + _t),
        _optimum(_Lj, _m),
        (Term(_Lj / ((_Lj + _m) * (_Lj + _m + _t)), _t, "t is the increase"),),
    ),
    Certificate(
        "optimal-coordinate",
        r"With $p^\star=L/(L+c)$: $p^\star-p\le\frac{{p^\star}^2}L(L(1/p-1)-c)$; the difference is "
        r"$(p-p^\star)^2/p$.",
        _optimum(_Lj, _c) - _ps[0],
        _Lj / (_Lj + _c) ** 2 * (_constant(_Lj, _ps[0]) - _c),
        (Term(1 / _ps[0], (_ps[0] - _optimum(_Lj, _c)) ** 2, "square of a real number"),),
    ),
    Certificate(
        "optimal-assembly",
        r"If $\sum_jp_j\le\tau=\sum_jp^\star_j$, a weighted mean of the coordinate constants is at least "
        r"$c$, hence also their maximum (three coordinates shown; weights $w_j=L_j/(L_j+c)^2>0$).",
        _c * sum(_weights),
        sum(w * _constant(a, p) for w, a, p in zip(_weights, _Ls, _ps, strict=True)),
        (
            *(
                Term(1 / p, (p - star) ** 2, "square of a real number")
                for p, star in zip(_ps, _stars, strict=True)
            ),
            Term(Integer(1), sum(_stars) - sum(_ps), "the first sum is tau, the second at most tau"),
        ),
    ),
    Certificate(
        "below-trace",
        r"$cL/(L+c)\le L$; the sum over $j$ is $c\tau\le\mathrm{tr}\,\mathbf L$, strictly, since the "
        r"difference is positive.",
        _c * _optimum(_Lj, _c),
        _Lj,
        (Term(1 / (_Lj + _c), _Lj**2, "square of a real number"),),
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

CLAIM = Claim(
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
    derivation=_DERIVATION,
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
    bound=total(L[j]) / tau,
    exact=ImplicitValue(c, c, total(_optimum(L[j], c)) - tau),
    formulas={
        "coordinate": _constant(L_j, p_j),
        "probability": _optimum(L[j], c),
        "uniform_probability": tau / d,
        "trace_bound": total(L[j]) / tau,
    },
)
