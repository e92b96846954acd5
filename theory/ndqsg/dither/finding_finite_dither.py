r"""`ndqsg/finding-finite-dither`: finite dithers betray the input by the mean alone (arXiv 1904.01197)."""

from typing import Any

from sympy import Abs, IndexedBase, KroneckerDelta, Rational, Symbol, symbols

from theory.claim import Claim, Relation, Variable
from theory.facts.absolute_value import absolute_below
from theory.facts.rounding.finite_dither import HALF, count_of_errors, offset, offset_range
from theory.formula import eq, le
from theory.hypotheses import definition, domain, parameter
from theory.indicator import INDICATOR
from theory.ndqsg.dither.dither_finite import ERROR, POINT, POINTS, POINTS_OF_DITHER, N, j, mean_of, u, x
from theory.ndqsg.paper import PAPER
from theory.statement import statement
from theory.worst_cases import cases

P, p, delta, mean, average = symbols("P p delta mean average", real=True)
central = {order: Symbol(f"central_{order}", real=True) for order in (2, 3, 4)}
e = IndexedBase("e", real=True)
l, chances = Symbol("l", real=True), IndexedBase("chances", real=True)
PLACES = (l, 0, N - 1)

_HIT = KroneckerDelta(delta * ERROR - mean, delta * u[l])
_BOUND = delta / (2 * N)
_SECOND = delta**2 * (N**2 - 1) / (12 * N**2)
_FOURTH = delta**4 * (N**2 - 1) * (3 * N**2 - 7) / (240 * N**4)
_LEFT = delta**2 / (4 * N**2)
_SPREAD = delta**2 * (N**2 - 1) / (12 * N**2 * P)
_WORKERS = (N**2 - 1) / 3

CLAIM = Claim(
    id="ndqsg/finding-finite-dither",
    kind="finding",
    provenance="derived",
    title="A finite dither has the same central moments at every input; it moves the mean, also of averages",
    position=4,
    paper=PAPER,
    **statement(
        r"""
        The paper's dither is continuous; that of an implementation has finitely many points, here the $N$
        points $u_j=\frac{2j+1}{2N}-\frac12$, numbered from zero. Let $e$ be the error $\delta(Q(x+u)-u-x)$ of
        an input of $x$ steps, where $\delta>0$, and $\bar e$ the average error of $P$ workers at one input
        with independent dithers.
        (a: mean) Read literally, that the error is unbiased and independent of the input is false: <<its
          mean is a function of the input -> exact/largest mean>>, up to $$|\mathbb Ee|\le\frac\delta{2N}.$$
          [proof; exact/mean; adversarial/mean]
        (b: tie) At a tie, $\lfloor Nx+\frac12\rfloor=Nx+\frac12$, it is attained: $\mathbb
          Ee=\frac\delta{2N}$. [proof; exact/largest mean]
        (c: average-at-tie) Averaging leaves the mean: at a tie $$\mathbb E\bar
          e^2=\frac{\delta^2(N^2-1)}{12N^2P}+\frac{\delta^2}{4N^2},$$ <<which is the largest value at any
          input -> exact/mean square of the average>>. [proof; exact/mean square of the average at a tie;
          montecarlo/mean square of many workers]
        (d: average) At every input $\mathbb E\bar
          e^2\le\frac{\delta^2(N^2-1)}{12N^2P}+\frac{\delta^2}{4N^2}$. [proof; exact/mean square of the
          average]
        (e: many-workers) With $P\ge\frac{N^2-1}3$ workers ({value:four} for four points) the mean is at
          least half of it: $\frac{\delta^2(N^2-1)}{12N^2P}\le\frac{\delta^2}{4N^2}$. [proof;
          exact/break-even]
        (f: second, third, fourth) What holds instead: about its mean the error has the same moments at
          every input, $\mathbb E(e-\mathbb Ee)^2=\frac{\delta^2(N^2-1)}{12N^2}$, $\mathbb E(e-\mathbb
          Ee)^3=0$ and $\mathbb E(e-\mathbb Ee)^4=\frac{\delta^4(N^2-1)(3N^2-7)}{240N^4}$. [proof;
          exact/second central moment; exact/third central moment; exact/fourth central moment]
        (g: law) The whole law is then the same: the error less its mean is uniform on the points of the
          dither times the step, $\mathbb P(e-\mathbb Ee=\delta u_l)=\frac1N$ for each $l$. [proof;
          exact/points of the law about the mean]
        """
    ),
    variables=(
        Variable(N, "N", r"\mathbb N", "number of points of the dither"),
        Variable(delta, r"\delta", r"\mathbb R_{>0}", "step"),
        Variable(P, "P", r"\mathbb N", "number of workers"),
        Variable(x, "x", r"\mathbb R", "input in units of the step"),
        POINT,
        Variable(mean, r"\mathbb Ee", r"\mathbb R", "mean of the error"),
        Variable(
            chances,
            r"\mathbb P(e-\mathbb Ee=\delta u_{#1})",
            "[0,1]^N",
            "probabilities of the points",
            "(N,)",
            first=0,
        ),
        INDICATOR,
        Variable(average, r"\mathbb E\bar e^2", r"\mathbb R_{\ge0}", "mean square of the average error"),
        *(
            Variable(item, rf"\mathbb E(e-\mathbb Ee)^{order}", r"\mathbb R", f"central moment {order}")
            for order, item in central.items()
        ),
        Variable(e, r"\varepsilon", r"\mathbb R^P", "errors of the workers", "(P,)", first=0),
    ),
    notation={"e": "the error", r"\bar e": "the average error"},
    hypotheses={
        **POINTS_OF_DITHER,
        "P": domain(r"$P\ge1$ is an integer"),
        "delta": domain(r"$\delta>0$"),
        "mean": definition(r"$\mathbb Ee=\frac1N\sum_j\delta(\lfloor x+u_j+\frac12\rfloor-u_j-x)$"),
        **{
            f"central-{order}": definition(
                rf"$\mathbb E(e-\mathbb Ee)^{order}="
                rf"\frac1N\sum_j(\delta(\lfloor x+u_j+\frac12\rfloor-u_j-x)-\mathbb Ee)^{order}$"
            )
            for order in central
        },
        "chances": definition(
            r"$\mathbb P(e-\mathbb Ee=\delta u_l)=\frac1N\sum_j\mathbb I(\delta u_l,"
            r"\delta(\lfloor x+u_j+\frac12\rfloor-u_j-x)-\mathbb Ee)$, since the dither is uniform"
        ),
        "average": definition(
            r"$\mathbb E\bar e^2=\mathbb E\bigl(\frac1{P^2}(\sum_p\varepsilon_p)^2\bigr)$, over "
            r"uncorrelated $\varepsilon_p$, $0\le p\le P-1$, with mean $\mathbb Ee$ and variance "
            r"$\mathbb E(e-\mathbb Ee)^2$"
        ),
        "tie": parameter(r"$\lfloor Nx+\frac12\rfloor=Nx+\frac12$"),
        "many": parameter(r"$P\ge\frac{N^2-1}3$"),
    },
    relations={
        "mean": Relation((Abs(mean), _BOUND), ("<=",)),
        "tie": Relation((mean, _BOUND), ("=",), under=("tie",)),
        "average-at-tie": Relation((average, _SPREAD + _LEFT), ("=",), under=("tie",)),
        "average": Relation((average, _SPREAD + _LEFT), ("<=",)),
        "many-workers": Relation((_SPREAD, _LEFT), ("<=",), under=("many",)),
        "second": Relation((central[2], _SECOND), ("=",)),
        "third": Relation((central[3], 0), ("=",)),
        "law": Relation((chances[l], 1 / N), ("=",), every=(PLACES,)),
        "fourth": Relation((central[4], _FOURTH), ("=",)),
    },
    formulas={
        "bound": _BOUND,
        "second": _SECOND,
        "fourth": _FOURTH,
        "average": _SPREAD + _LEFT,
        "workers": _WORKERS,
    },
    internal={"workers": "said as the hypothesis of part (e)"},
    values={"four": _WORKERS.subs(N, 4)},
    worst_cases=cases(r"""
        four points, $x=\frac18$: a tie | N = 4, delta = 1 | 1/8
        four points, 64 workers at a tie: nearly all of it is the mean | N = 4, delta = 1, P = 64 | 69/4096
        24 bits | N = 16777216, delta = 1 | 1/33554432
    """),
)


def derive(K: Any) -> None:
    """Prove the relations."""
    for point in (Rational(1, 3), Rational(1, 8)):
        K.example({N: 4, x: point, delta: 3, P: 6})
    f, (_, below) = offset(x, N), offset_range(K, x, N)
    K.know(below)
    at = K.cert(eq(mean, delta * (HALF - f) / N), (1, K.given("mean")), *mean_of(K, lambda e: delta * e))
    upper = K.cert(le(mean, _BOUND), (1, at), (delta / N, f))
    lower = K.cert(le(-_BOUND, mean), (-1, at), (delta / N, 1 - f))
    K.conclude("mean", absolute_below(K, mean, _BOUND, lower, upper))
    tie = K.cert(eq(mean, _BOUND), (1, at), (delta / N, K.given("tie")))
    K.conclude("tie", tie)
    second = _central(K, 2, _SECOND, at)
    K.conclude("second", second)
    K.conclude("third", _central(K, 3, 0, at))
    K.conclude("fourth", _central(K, 4, _FOURTH, at))
    K.index(PLACES)
    _law(K, at)
    K.know(lower, K.cert(le(0, central[2]), (-1, second), (delta**2 * (N + 1) / (12 * N**2), N - 1)))
    total = K.cert(eq(average, central[2] / P + mean**2), (1, K.given("average")))
    K.conclude(
        "average-at-tie",
        K.cert(eq(average, _SPREAD + _LEFT), (1, total), (1 / P, second), (mean + _BOUND, tie)),
    )
    K.conclude(
        "average",
        K.cert(le(average, _SPREAD + _LEFT), (1, total), (1 / P, second), (_BOUND + mean, upper)),
    )
    K.conclude("many-workers", K.cert(le(_SPREAD, _LEFT), (delta**2 / (4 * N**2 * P), K.given("many"))))


def _law(K: Any, at: Any) -> None:
    """Conclude the law about the mean, from the theorem on the mean."""
    same = K.identity(_HIT, _HIT)
    for equation in (K.at(K.given("points"), j), K.at(K.given("points"), l), at):
        same = K.rewrite(same, equation, "right")
    total = K.sum_over(same, POINTS)
    terms = (
        (1, K.at(K.given("chances"), l)),
        (1 / N, total),
        (1 / N, count_of_errors(K, x, N, delta, l, POINTS)),
    )
    K.conclude("law", K.every(K.cert(eq(chances[l], 1 / N), *terms), PLACES))


def _central(K: Any, order: int, value: Any, at: Any) -> Any:
    """Return a central moment, from the theorem on the mean."""
    terms = mean_of(K, lambda error: (delta * error - mean) ** order)
    return K.cert(eq(central[order], value), (1, K.given(f"central-{order}")), *terms, using=[at])
