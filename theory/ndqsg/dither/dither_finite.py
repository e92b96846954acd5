r"""`ndqsg/dither-finite`: a dither of N points keeps the variance, only the mean moves (arXiv 1904.01197)."""

from collections.abc import Callable
from typing import Any

from sympy import Abs, IndexedBase, Rational, floor, symbols

from theory.claim import Claim, Relation, Variable
from theory.facts.absolute_value import absolute_below
from theory.facts.rounding.finite_dither import HALF, offset, offset_range, sum_of_errors
from theory.formula import eq, le
from theory.hypotheses import definition, domain
from theory.ndqsg.paper import PAPER
from theory.statement import statement
from theory.worst_cases import cases

N, x, j, mean, variance, square = symbols("N x j mean variance square", real=True)
POINTS = (j, 0, N - 1)
u = IndexedBase("u", real=True)
ERROR = floor(x + u[j] + HALF) - u[j] - x

_MEAN = (HALF - offset(x, N)) / N
POINT = Variable(u, "u", r"[-\frac12,\frac12)^N", "points of the dither", "(N,)", first=0)
_EXACT = Rational(1, 12) * (1 - 1 / N**2)
_BOUND = Rational(1, 12) + 1 / (6 * N**2)

POINTS_OF_DITHER = {
    "N": domain(r"$N\ge1$ is an integer"),
    "points": definition(r"$u_j=\frac{2j+1}{2N}-\frac12$"),
}

CLAIM = Claim(
    id="ndqsg/dither-finite",
    kind="identity",
    provenance="derived",
    title="A dither of finitely many points: exact variance at every input",
    position=3,
    paper=PAPER,
    **statement(
        r"""
        Let $u$ be uniform on the $N$ points $u_j=\frac{2j+1}{2N}-\frac12$, numbered from zero, and
        $e=Q(x+u)-u-x$ the error of an input $x$ in units of the step, $Q(v)=\lfloor v+\frac12\rfloor$.
        (a: variance) For every $x$ the variance is the same:
          $$\mathrm{Var}(e)=\frac1{12}\Big(1-\frac1{N^2}\Big).$$ [proof; exact/variance; montecarlo/uniform
          at 24 bits]
        (b: mean) The mean depends on the input: $$\mathbb Ee=\frac1N\Big(\Big\lfloor
          Nx+\frac12\Big\rfloor-Nx\Big).$$ [proof; exact/mean]
        (c: mean-bound) It is small: $|\mathbb Ee|\le\frac1{2N}$. [proof; exact/largest mean]
        (d: square) So $\mathbb Ee^2\le\frac1{12}+\frac1{6N^2}$. [proof; exact/mean square]
        """
    ),
    variables=(
        Variable(N, "N", r"\mathbb N", "number of points of the dither"),
        Variable(x, "x", r"\mathbb R", "input in units of the step"),
        POINT,
        Variable(mean, r"\mathbb Ee", r"\mathbb R", "mean of the error"),
        Variable(variance, r"\mathrm{Var}(e)", r"\mathbb R_{\ge0}", "variance of the error"),
        Variable(square, r"\mathbb Ee^2", r"\mathbb R_{\ge0}", "mean square of the error"),
    ),
    hypotheses={
        **POINTS_OF_DITHER,
        "mean": definition(r"$\mathbb Ee=\frac1N\sum_j(\lfloor x+u_j+\frac12\rfloor-u_j-x)$"),
        "square": definition(r"$\mathbb Ee^2=\frac1N\sum_j(\lfloor x+u_j+\frac12\rfloor-u_j-x)^2$"),
        "variance": definition(
            r"$\mathrm{Var}(e)=\frac1N\sum_j(\lfloor x+u_j+\frac12\rfloor-u_j-x-\mathbb Ee)^2$"
        ),
    },
    relations={
        "variance": Relation((variance, _EXACT), ("=",)),
        "mean": Relation((mean, _MEAN), ("=",)),
        "mean-bound": Relation((Abs(mean), 1 / (2 * N)), ("<=",)),
        "square": Relation((square, _BOUND), ("<=",)),
    },
    formulas={"exact": _EXACT, "bound": _BOUND, "mean": _MEAN, "mean_bound": 1 / (2 * N)},
    worst_cases=cases("""
        four points, the mean is far from 0 | N = 4, x = 1/3 | 5/64
        sixteen points | N = 16, x = 1/7 | 85/1024
        a tie: the mean is at its bound | N = 4, x = 1/8 | 5/64
        one point: plain rounding, no variance | N = 1, x = 1/3 | 0
    """),
)


def derive(K: Any) -> None:
    """Prove the relations."""
    K.example({N: 4, x: Rational(1, 3)})
    f, (_, below) = offset(x, N), offset_range(K, x, N)
    K.know(below)
    first, second = mean_of(K, lambda e: e), mean_of(K, lambda e: e**2)
    at = K.cert(eq(mean, _MEAN), (1, K.given("mean")), *first)
    K.conclude("mean", at)
    squared = K.cert(eq(square, _EXACT + _MEAN**2), (1, K.given("square")), *second)
    K.conclude("square", K.cert(le(square, _BOUND), (1, squared), (f / N**2, 1 - f)))
    K.conclude(
        "variance",
        K.cert(
            eq(variance, _EXACT),
            (1, K.given("variance")),
            (-1, K.given("square")),
            (2 * mean, K.given("mean")),
            (1, squared),
            (-mean - _MEAN, at),
        ),
    )
    upper = K.cert(le(mean, 1 / (2 * N)), (1, at), (1 / N, f))
    lower = K.cert(le(-1 / (2 * N), mean), (-1, at), (1 / N, 1 - f))
    K.conclude("mean-bound", absolute_below(K, mean, 1 / (2 * N), lower, upper))


def mean_of(K: Any, body: Callable[[Any], Any]) -> list[tuple[Any, Any]]:
    """Return terms of a certificate: the mean of a polynomial of the errors is that on the shifted grid.

    The claim has the hypotheses `N` and `points` of this one.
    """
    term = body(ERROR)
    placed = K.rewrite(K.identity(term, term), K.at(K.given("points"), j), "right")
    return [(1 / N, K.sum_over(placed, POINTS)), (1 / N, sum_of_errors(K, x, N, body, POINTS))]
