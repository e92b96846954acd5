r"""`cq_marina/finding-zero-norm`: a zero norm replaced by one makes noise of nothing (arXiv 2401.05518).

One bit per coordinate with the scale 1 for a zero vector sends $\pm1$: $z$ zero clients among $n$ add
$\frac{zd}{n^2}$ to the error of independent quantizers, however small the true differences are.

Derivation: the probability of $+1$ is $\frac12$, so the variance of a coordinate is 1; for stratified
thresholds of $n$ zero clients the sum of the bits is $\lfloor\frac n2\rfloor$ or one more.
"""

from collections.abc import Mapping

from sympy import Add, Expr, Integer, Rational, Symbol, floor, symbols

from theory.cq_marina.est_exact_derivation import enumerated_variance
from theory.cq_marina.paper import PAPER
from theory.cq_marina.symbols import CLIENTS, DIMENSION, EXACT_REALS, PROBABILITY, d, n, p
from theory.instance import instance
from theory.old_form import Claim, Mutant, Variable, WorstCase, expressions
from theory.old_steps import Identity, Step
from theory.summation import SUMMATION
from theory.two_point_law import INDEPENDENCE, expectation

zeros = Symbol("zeros", integer=True, nonnegative=True)
gamma = Symbol("gamma", positive=True)

_FRACTION = n / 2 - floor(n / 2)
_EXACT = zeros * d / n**2
_FORMULAS = {
    "correlated": 4 * d / n**2 * _FRACTION * (1 - _FRACTION),
    "jump": (1 - p) * gamma**2 * d / n,
}

_HALF = Rational(1, 2)
_r = Symbol("r", positive=True)
_xs = symbols("x_1:3", real=True)


def derivation(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    """Return the steps, built from the stated expressions."""
    spread = [_r**2 - x**2 for x in _xs]
    noise = expectation(lambda up: Integer(2 * up - 1) ** 2, _HALF)
    steps: list[Step] = [
        Identity(
            "honest",
            r"With the norm $r$ as the scale a coordinate has the variance $r^2-x^2$, which vanishes with "
            r"the vector: $C(0)=0$.",
            expectation(lambda up: (_r * (2 * up - 1) - _xs[0]) ** 2, (1 + _xs[0] / _r) / 2),
            _r**2 - _xs[0] ** 2,
        ),
        Identity(
            "unit",
            r"With the scale 1 a coordinate of the zero vector is $\pm1$ with probability $\frac12$ each: "
            r"mean 0, variance 1.",
            noise + expectation(lambda up: Integer(2 * up - 1), _HALF),
            Integer(1),
        ),
        INDEPENDENCE,
        Identity(
            "independent",
            r"$z$ zero clients of $d$ coordinates add the stated error to that of the other clients (shown "
            r"for three clients of two coordinates, one of them not zero).",
            (Add(*spread) + 2 * 2 * noise) / 9 - Add(*spread) / 9,
            stated["exact"].xreplace({n: Integer(3), d: Integer(2), zeros: Integer(2)}),
        ),
        Identity(
            "independent-all",
            r"One zero client alone has the error $d$.",
            d * noise,
            stated["exact"].xreplace({n: Integer(1), zeros: Integer(1)}),
        ),
        Identity(
            "ternary",
            r"On the ternary grid the entry 0 is a level of its own: with probability 0 of moving up the "
            r"scale does not matter.",
            expectation(lambda up: Integer(up) ** 2, Integer(0)),
            Integer(0),
        ),
    ]
    for size in (2, 3):
        cell, fraction = divmod(size, 2)
        steps.append(
            Identity(
                f"correlated-{size}",
                rf"The bits of {size} zero clients with stratified thresholds, over all permutations and "
                r"bits: $y_i=\frac12$ for all, and a bit moves the estimate by $\frac2n$.",
                d
                * 4
                * enumerated_variance((cell,) * size, (Rational(fraction, 2),) * size, (Integer(1),) * size)
                / size**2,
                instance(stated["correlated"], {n: size}),
            )
        )
    steps += [
        Identity(
            "jump",
            r"At the solution of $f=\frac12\|x\|^2$, with zero differences and the estimate 0, a round "
            r"without full gradients moves the next iterate by $\gamma$ times the noise of $n$ zero "
            r"clients; $\nabla f(x)=x$.",
            expectation(lambda coin: (1 - coin) * gamma**2 * _EXACT.xreplace({zeros: n}), p),
            stated["jump"],
        ),
        SUMMATION,
    ]
    return tuple(steps)


_MUTANTS = (
    Mutant(
        "unit-norm",
        r"Take the quantizer that replaces a zero norm by 1 for an honest one: $C(0)\ne0$, and a run jumps "
        "after it has converged.",
        ("exact", "run"),
    ),
    Mutant(
        "correlated-as-independent",
        r"Claim $\frac dn$ for $n$ zero clients with stratified thresholds: their noise is $\frac d{n^2}$ or "
        "nothing.",
        ("exact",),
    ),
    Mutant(
        "unit-norm-ternary",
        "Replace a zero norm by 1 on the ternary grid: nothing may change.",
        ("exact", "run"),
        neutral=True,
    ),
)

CLAIM = Claim(
    id="cq_marina/finding-zero-norm",
    paper=PAPER,
    kind="finding",
    provenance="derived",
    title="A zero norm replaced by one: noise out of nothing once a run has converged",
    statement=(
        r"A one-bit quantizer divides by the norm $r=\|a\|_2$. Read with the usual guard, which replaces a "
        r"zero norm by 1, it sends $\pm1$ for a zero vector, and the bounds $V\le AM-Bm$ fail where $M=0$: "
        r"$z$ zero clients add $$\frac{zd}{n^2}$$ to the error of independent quantizers, and $n$ zero "
        r"clients with stratified thresholds have $\frac{4d}{n^2}\alpha(1-\alpha)$, $\alpha=\{\frac n2\}$: "
        r"$\frac d{n^2}$ for odd $n$, nothing for even $n$. Runs of MARINA look perfect until all "
        r"differences of the gradients are exactly 0 in double precision; then the estimate has the error "
        r"$\frac dn$ after one round, and the next squared gradient norm of $\frac12\|x\|^2$ is "
        r"$(1-p)\gamma^2\frac dn$ in expectation. What holds instead: with $C_i(0)=0$ exactly, the gradient "
        r"norm stays at round-off. On the ternary grid the guard is harmless."
    ),
    variables=(
        CLIENTS,
        DIMENSION,
        Variable(zeros, r"\{0,\dots,n\}", "number of clients with a zero vector"),
        PROBABILITY,
        Variable(gamma, r"\mathbb R_{>0}", "step size"),
    ),
    assumptions=(
        r"One bit per coordinate with the scale $r$, and 1 instead of $r=0$ in the guarded quantizer.",
        EXACT_REALS,
        "The runs use double precision and their theoretical step sizes; quick: a quadratic with 4 clients, "
        "full: logistic regression on phishing as well.",
    ),
    derivation=lambda: derivation(expressions(None, _EXACT, _FORMULAS)),
    worst_cases=(
        WorstCase("one client", {"zeros": 1, "d": 2, "n": 1}, Integer(2)),
        WorstCase("two of three clients", {"zeros": 2, "d": 2, "n": 3}, Rational(4, 9)),
    ),
    mutants=_MUTANTS,
    exact=_EXACT,
    formulas=_FORMULAS,
)
