r"""`ndqsg/quad-fixed-scale`: exact second moment of whole runs at a fixed scale (arXiv 1904.01197).

Derivation: with a fixed scale the error of a message is independent of everything before, so the second
moment along each eigenvector obeys $C_{t+1}=(1-\eta\lambda)^2C_t+\eta^2v$; the solution is checked at $t=0$
and for a step.
"""

from collections.abc import Mapping

from sympy import Expr, IndexedBase, Integer, Rational, Sum, Symbol, symbols

from theory.instance import instance
from theory.ndqsg.paper import PAPER
from theory.ndqsg.symbols import (
    DIMENSION,
    DITHER,
    ITERATIONS,
    LEVELS,
    STEP_SIZE,
    WORKERS,
    M,
    P,
    T,
    d,
    eta,
    j,
    kappa,
)
from theory.ndqsg.uniform_moments import DITHER_ERROR, MOMENTS, uniform_mean
from theory.old_form import Claim, Mutant, Variable, WorstCase, expressions
from theory.old_steps import Identity, Step
from theory.summation import SUMMATION
from theory.two_point_law import INDEPENDENCE, expectation

lam = IndexedBase("lambda_", real=True)
x0 = IndexedBase("x0", real=True)
s_sq = Symbol("s_sq", nonnegative=True)
v = Symbol("v", nonnegative=True)
C = Symbol("C", nonnegative=True)

_FACTOR = 1 - eta * lam[j]
_COORDINATE = _FACTOR ** (2 * T) * x0[j] ** 2 + eta**2 * v * (1 - _FACTOR ** (2 * T)) / (1 - _FACTOR**2)
_EXACT = Sum(_COORDINATE, (j, 0, d - 1))
_FORMULAS = {
    "variance": kappa**2 / (12 * M**2 * P) + s_sq / P,
    "recursion": _FACTOR**2 * C + eta**2 * v,
    "coordinate": _COORDINATE,
    "floor": eta * v / (lam[j] * (2 - eta * lam[j])),
}

_e = symbols("e_1:4", real=True)
_x, _z = symbols("x z", real=True)
_rho = Symbol("rho", positive=True)
_lams = symbols("lambda_1:4", positive=True)
_xs = symbols("x_1:4", real=True)


def derivation(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    """Return the steps, built from the stated expressions."""

    def at(name: str, values: Mapping[object, object]) -> Expr:
        return instance(stated[name], {lam: _lams, x0: _xs, j: 0, **values})

    average = kappa / M * sum(_e) / 3
    once = at("coordinate", {T: T + 1})
    return (
        DITHER_ERROR,
        *MOMENTS[:2],
        Identity(
            "variance",
            r"The average over $P$ workers of the errors $\frac\kappa M\varepsilon_p$ and of independent "
            r"noise of variance $s_n^2$ has the stated variance per coordinate (three workers).",
            uniform_mean((average**2).expand(), _e) + 3 * s_sq / 9,
            stated["variance"].subs(P, 3),
        ),
        INDEPENDENCE,
        Identity(
            "recursion",
            r"$\mathbb E\big((1-\eta\lambda)x-\eta\zeta\big)^2$ with an independent centred $\zeta$ of "
            r"variance $v$ (of two values) is the stated recursion.",
            expectation(lambda up: ((1 - eta * _lams[0]) * _x - eta * (up - _rho) * _z) ** 2, _rho)
            .expand()
            .subs(_z**2, v / (_rho * (1 - _rho))),
            at("recursion", {C: _x**2}),
        ),
        Identity(
            "start", r"The stated value at $T=0$ is $x_0^2$.", at("coordinate", {T: Integer(0)}), _xs[0] ** 2
        ),
        Identity(
            "solution",
            r"It solves the recursion.",
            once,
            at("recursion", {C: at("coordinate", {})}),
        ),
        Identity(
            "floor",
            r"The stated floor is its fixed point.",
            at("recursion", {C: at("floor", {})}),
            at("floor", {}),
        ),
        Identity(
            "sum",
            r"$\mathbb E\|x_T-x^*\|^2$ is the sum over an eigenbasis of $A$ (two coordinates; by `summation` "
            r"in every dimension): white noise is white in every orthonormal basis.",
            at("exact", {d: 2}),
            at("coordinate", {j: 0}) + at("coordinate", {j: 1}),
        ),
        SUMMATION,
    )


_MUTANTS = (
    Mutant(
        "same-seed",
        r"The same dither for all workers: $P$ times the variance, 1.38 times the value at $T=10$, 4 times "
        r"at $T=100$.",
        ("exact", "montecarlo"),
    ),
    Mutant(
        "half-width-dither",
        r"A dither on $[-\frac14,\frac14)$: the error depends on the gradient, 3 times the value at $T=10$.",
        ("exact", "montecarlo"),
    ),
    Mutant(
        "stochastic-rounding",
        r"The dither is not subtracted: the value is too small (0.963 times at $T=10$, 0.0118 times at "
        r"$T=100$), so that a one-sided test passes it.",
        ("exact", "montecarlo"),
    ),
    Mutant("dither-added", r"$\hat g=\delta(q+u)$: the dither is added again.", ("exact",)),
    Mutant(
        "desynchronised",
        r"The receiver draws a dither of its own: unbiased, but with another variance.",
        ("exact",),
    ),
    Mutant(
        "floor-for-round",
        r"$q=\lfloor v\rfloor$: bias of half a step, 19 times the value at $T=10$.",
        ("exact",),
    ),
    Mutant(
        "renumbered-workers",
        "Number the workers differently: nothing may change.",
        ("exact",),
        neutral=True,
    ),
)

OLD = Claim(
    id="ndqsg/quad-fixed-scale",
    paper=PAPER,
    kind="identity",
    provenance="derived",
    title="Quadratics at a fixed scale: the exact error of whole runs",
    statement=(
        r"Let $f=\frac12(x-x^*)^\top A(x-x^*)$ with eigenvalues $\lambda_j$, a fixed scale $\kappa$ and "
        r"indices that are not clipped, gradients with independent noise of variance $s_n^2$ per coordinate. "
        r"Then $C_t=\mathbb E(x_t-x^*)(x_t-x^*)^\top$ obeys $C_{t+1}=(I-\eta A)C_t(I-\eta A)+\eta^2vI$ with "
        r"$v=\frac{\kappa^2}{12M^2P}+\frac{s_n^2}P$, and in the eigenbasis, $c_j=1-\eta\lambda_j$ and "
        r"$x_{0,j}$ the coordinates of $x_0-x^*$, $$\mathbb "
        r"E\|x_T-x^*\|^2=\sum_jc_j^{2T}x_{0,j}^2+\eta^2v\frac{1-c_j^{2T}}{1-c_j^2}.$$ Equality, not a bound: "
        r"the whole run has the law of SGD with independent uniform noise. As $T\to\infty$ a coordinate "
        r"tends to $\frac{\eta v}{\lambda_j(2-\eta\lambda_j)}$."
    ),
    variables=(
        Variable(lam, r"(0,\frac2\eta)^d", r"eigenvalues of $A$", "(d,)"),
        Variable(x0, r"\mathbb R^d", r"$x_0-x^*$ in the eigenbasis", "(d,)"),
        Variable(v, r"\mathbb R_{\ge0}", r"variance of the averaged messages, per coordinate"),
        Variable(s_sq, r"\mathbb R_{\ge0}", r"$s_n^2$, variance of the gradient of a worker, per coordinate"),
        Variable(C, r"\mathbb R_{\ge0}", r"second moment along one eigenvector"),
        Variable(kappa, r"\mathbb R_{\ge0}", r"scale, fixed beforehand"),
        DIMENSION,
        LEVELS,
        WORKERS,
        ITERATIONS,
        STEP_SIZE,
    ),
    assumptions=(
        DITHER,
        r"The scale does not depend on the gradients, and no index is clipped to $\pm M$.",
        r"All workers have the same function $f$.",
    ),
    derivation=lambda: derivation(expressions(None, _EXACT, _FORMULAS)),
    worst_cases=tuple(
        WorstCase(
            rf"$\lambda=(1,\frac12,\frac1{{10}})$, $x_0=(1,1,1)$, $\eta=\frac12$, $\kappa=M=2$, $P=4$, "
            rf"$T={steps}$",
            {
                "lambda_": (Integer(1), Rational(1, 2), Rational(1, 10)),
                "x0": (1, 1, 1),
                "eta": Rational(1, 2),
                "v": Rational(1, 48),
                "d": 3,
                "T": steps,
            },
            value,
        )
        for steps, value in ((1, Rational(2769, 1600)), (10, None), (100, None))
    ),
    mutants=_MUTANTS,
    exact=_EXACT,
    formulas=_FORMULAS,
)
