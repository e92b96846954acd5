r"""`ndqsg/quad-adaptive`: quadratics with the scale of each gradient (arXiv 1904.01197).

Derivation: in one dimension the scale is the modulus of the gradient, so a step is
$x(1-h(1+\bar\varepsilon))$ with the mean $\bar\varepsilon$ of $P$ uniform errors; in more dimensions
$\|x\|^2/d\le\|x\|_\infty^2\le\|x\|^2$.
"""

from collections.abc import Mapping

from sympy import Expr, Integer, Rational, Symbol, symbols

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
)
from theory.ndqsg.uniform_moments import DITHER_ERROR, MOMENTS, uniform_mean
from theory.old_form import Claim, Mutant, Variable, WorstCase, expressions
from theory.old_steps import Certificate, Identity, Step, Term
from theory.two_point_law import INDEPENDENCE, expectation

lam = Symbol("lambda_", positive=True)
s_sq = Symbol("s_sq", nonnegative=True)
a = Symbol("a", nonnegative=True)
b = Symbol("b", nonnegative=True)
h = Symbol("h", nonnegative=True)
x0_sq = Symbol("x0_sq", nonnegative=True)

_EXACT = a**T * x0_sq + b * (1 - a**T) / (1 - a)
_FORMULAS = {
    "a": (1 - eta * lam) ** 2 + eta**2 * lam**2 / (12 * M**2 * P),
    "b": eta**2 * s_sq / P * (1 + 1 / (12 * M**2)),
    "a_upper": (1 - eta * lam) ** 2 + eta**2 * lam**2 * d / (12 * M**2 * P),
    "largest_h": 2 / (1 + d / (12 * M**2 * P)),
    "fourth": (1 - h) ** 4
    + 6 * (1 - h) ** 2 * h**2 / (12 * M**2 * P)
    + h**4 / (M**4 * P**3) * (Rational(1, 80) + (P - 1) / 48),
}

_e = symbols("e_1:4", real=True)
_x, _z, _y = symbols("x z y", real=True)
_gs = symbols("g_1:3", real=True)
_rho = Symbol("rho", positive=True)
_r, _w = symbols("r w", nonnegative=True)


def derivation(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    """Return the steps, built from the stated expressions."""
    return (DITHER_ERROR, *MOMENTS, INDEPENDENCE, *_exact(stated), *_sandwich(stated), *_fourth(stated))


def _exact(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    step = eta * lam
    # Gradients g_1, g_2 of two workers, each lam x + noise of two values, and their errors |g_p| e_p / M.
    sent = sum(g + g * e / M for g, e in zip(_gs, _e[:2], strict=True)) / 2
    given_gradients = uniform_mean(((_x - eta * sent) ** 2).expand(), _e[:2])
    noisy = expectation(
        lambda first, second: given_gradients.subs(
            {g: lam * _x + (up - _rho) * _z for g, up in zip(_gs, (first, second), strict=True)},
            simultaneous=True,
        ),
        _rho,
        _rho,
    )
    return (
        Identity(
            "step",
            r"$\mathbb Ex_{t+1}^2=ax_t^2+b$ with the stated $a$ and $b$: two workers, scales $|g_p|$, noise "
            r"of two values and variance $s_n^2$ (the sign of an error is immaterial).",
            noisy.expand().subs(_z**2, s_sq / (_rho * (1 - _rho))),
            (stated["a"] * _x**2 + stated["b"]).subs(P, 2),
        ),
        Identity("start", r"The stated value at $T=0$ is $x_0^2$.", stated["exact"].subs(T, 0), x0_sq),
        Identity(
            "solution",
            r"It solves this recursion.",
            stated["exact"].subs(T, T + 1),
            a * stated["exact"] + b,
        ),
        Identity(
            "no-noise",
            r"Three workers without noise: $\mathbb E(1-h(1+\bar\varepsilon))^2$ is the stated $a$, "
            r"$h=\eta\lambda$.",
            uniform_mean(((1 - step * (1 + sum(_e) / (3 * M))) ** 2).expand(), _e),
            stated["a"].subs(P, 3),
        ),
    )


def _sandwich(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    contraction = (1 - eta * lam) ** 2 * _r
    error = eta**2 * lam**2 * d * _w / (12 * M**2 * P)
    weight = eta**2 * lam**2 / (12 * M**2 * P)
    stability = h * (1 + d / (12 * M**2 * P))
    return (
        Certificate(
            "lower",
            r"$\mathbb "
            r"E\|x_{t+1}\|^2=(1-\eta\lambda)^2\|x\|^2+\eta^2\frac{d\lambda^2\|x\|_\infty^2}{12M^2P}$ is at "
            r"least $a\|x\|^2$ ($r=\|x\|^2$, $w=\|x\|_\infty^2$),",
            stated["a"] * _r,
            contraction + error,
            (
                Term(
                    weight,
                    d * _w - _r,
                    "hypothesis: |x|^2 is at most d times the largest square of a coordinate",
                ),
            ),
        ),
        Certificate(
            "upper",
            r"and at most $a_+\|x\|^2$; both carry over to $T$ steps.",
            contraction + error,
            stated["a_upper"] * _r,
            (Term(weight * d, _r - _w, "hypothesis: no square of a coordinate exceeds |x|^2"),),
        ),
        Identity(
            "one-dimension",
            r"In one dimension both are equal.",
            stated["a_upper"].subs(d, 1),
            stated["a"],
        ),
        Certificate(
            "stable",
            r"$a_+\le1$ for $h=\eta\lambda$ up to the stated one.",
            stated["a_upper"].subs(lam, h / eta),
            Integer(1),
            (Term(stability, stated["largest_h"] - h, "hypothesis: eta lambda is at most the stated value"),),
        ),
    )


def _fourth(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    return tuple(
        Identity(
            f"fourth-{workers}",
            rf"$\mathbb E(1-h(1+\bar\varepsilon))^4$ with {workers} worker(s) is the stated factor of "
            rf"$\mathbb Ex^4$.",
            uniform_mean(((1 - h * (1 + sum(_e[:workers]) / (workers * M))) ** 4).expand(), _e[:workers]),
            stated["fourth"].subs(P, workers),
        )
        for workers in (1, 2, 3)
    )


_MUTANTS = (
    Mutant(
        "frozen-scale",
        r"$\kappa$ stays at its first value: a floor appears.",
        ("exact", "run"),
    ),
    Mutant(
        "same-seed",
        r"The same dither for all workers: $\frac{\eta^2\lambda^2}{12M^2}$ is not divided by $P$.",
        ("exact", "montecarlo", "run"),
    ),
    Mutant(
        "squared-workers",
        r"$P^2$ for $P$ in $a$: 0.5 per cent of the value after 20 noisy steps, so only the exact rung sees "
        r"it.",
        ("exact",),
    ),
    Mutant(
        "squared-workers-and-noise",
        r"$P^2$ for $P$ in $a$ and $b$: the noisy value is 4 times too small at $P=4$.",
        ("exact",),
    ),
    Mutant(
        "dimension-left-out",
        r"$a_+$ without $d$: exceeded where a single coordinate is not zero.",
        ("adversarial",),
    ),
    Mutant(
        "renumbered-workers",
        "Number the workers differently: nothing may change.",
        ("exact",),
        neutral=True,
    ),
)

_HALF = Rational(1, 2)

CLAIM = Claim(
    id="ndqsg/quad-adaptive",
    paper=PAPER,
    kind="identity",
    provenance="derived",
    title="Quadratics with the scale of each gradient: exact recursion and two-sided rate",
    statement=(
        r"In one dimension (or with blocks of size 1), $\kappa=|g_p|$, curvature $\lambda$ and gradients of "
        r"variance $s_n^2$: $\mathbb Ex_{t+1}^2=a\,\mathbb Ex_t^2+b$ exactly, "
        r"$a=(1-\eta\lambda)^2+\frac{\eta^2\lambda^2}{12M^2P}$, "
        r"$b=\frac{\eta^2s_n^2}P\big(1+\frac1{12M^2}\big)$, so $$\mathbb "
        r"Ex_T^2=a^Tx_0^2+b\frac{1-a^T}{1-a}.$$ For $f=\frac\lambda2\|x\|^2$ on $\mathbb R^d$, exact "
        r"gradients and one block $$a^T\|x_0\|^2\le\mathbb E\|x_T\|^2\le a_+^T\|x_0\|^2,\qquad "
        r"a_+=(1-\eta\lambda)^2+\frac{\eta^2\lambda^2d}{12M^2P},$$ stable from every start for "
        r"$\eta\lambda<\frac2{1+\omega/P}$, $\omega=\frac d{12M^2}$. In one dimension without noise $\mathbb "
        r"Ex^4$ grows by "
        r"$(1-h)^4+\frac{6(1-h)^2h^2}{12M^2P}+\frac{h^4}{M^4P^3}\big(\frac1{80}+\frac{P-1}{48}\big)$, "
        r"$h=\eta\lambda$: the runs are heavy-tailed."
    ),
    variables=(
        Variable(lam, r"\mathbb R_{>0}", "curvature"),
        Variable(s_sq, r"\mathbb R_{\ge0}", r"$s_n^2$, variance of the gradient of a worker"),
        Variable(a, r"\mathbb R_{\ge0}\setminus\{1\}", "factor of the second moment"),
        Variable(b, r"\mathbb R_{\ge0}", "what a step adds to it"),
        Variable(h, r"\mathbb R_{\ge0}", r"$\eta\lambda$"),
        Variable(x0_sq, r"\mathbb R_{\ge0}", r"$x_0^2$"),
        DIMENSION,
        LEVELS,
        WORKERS,
        ITERATIONS,
        STEP_SIZE,
    ),
    assumptions=(
        DITHER,
        r"The noise of the gradients is independent over workers and iterations.",
        r"The scale is $\kappa=\|g_p\|_\infty$, transmitted exactly.",
    ),
    derivation=lambda: derivation(expressions(None, _EXACT, _FORMULAS)),
    worst_cases=(
        WorstCase(
            r"$\lambda=2$, $x_0=3$, $\eta=\frac14$, $M=2$, $P=3$, $s_n^2=\frac1{10}$: a step",
            {"lambda_": 2, "eta": Rational(1, 4), "M": 2, "P": 3},
            Rational(145, 576),
        ),
        WorstCase(
            r"one coordinate beside zeros: the upper rate is attained in the first step",
            {"lambda_": 1, "eta": _HALF, "M": 1, "P": 2, "d": 10, "x": (1, *(0,) * 9)},
            Rational(17, 48),
        ),
        WorstCase(
            r"constant modulus: the lower rate is attained in the first step",
            {"lambda_": 1, "eta": _HALF, "M": 1, "P": 2, "d": 10, "x": (1,) * 10},
            Rational(25, 96),
        ),
    ),
    mutants=_MUTANTS,
    exact=_EXACT,
    formulas=_FORMULAS,
)
