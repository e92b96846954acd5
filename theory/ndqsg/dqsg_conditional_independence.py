r"""`ndqsg/dqsg-conditional-independence`: normalised noise is independent of gradients (arXiv 1904.01197).

$\hat g=g+\frac\kappa M\varepsilon$ with $\varepsilon$ i.i.d. uniform on $\pm\frac12$, independent of
$(g,\kappa)$ and of the past.

Derivation: `ndqsg/dq-uniform-error` given $g$ and $\kappa$, with a fresh dither for every coordinate and
iteration.
"""

from collections.abc import Mapping

from sympy import Expr, Integer, Rational, Symbol

from theory.ndqsg.dither_moments import error_moment
from theory.ndqsg.paper import PAPER
from theory.ndqsg.symbols import DITHER, LEVELS, ROUNDING, SCALE, M, kappa
from theory.old_form import Claim, Mutant, Variable, WorstCase, expressions
from theory.old_steps import Identity, StandardFact, Step

n = Symbol("n", integer=True, positive=True)

_EXACT = (kappa / M) ** n / ((n + 1) * 2**n)
_FORMULAS = {"normalised": 1 / ((n + 1) * 2**n)}

CONDITIONING = StandardFact(
    "conditioning",
    r"If the law of $\varepsilon$ given $Y$ does not depend on $Y$, then the two are independent.",
    "P. Billingsley, Probability and Measure, 3rd ed., section 33",
)


def derivation(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    """Return the steps, built from the stated expressions."""
    steps: list[Step] = [CONDITIONING]
    for order in (2, 4, 6):
        steps += [
            Identity(
                f"normalised-{order}",
                rf"The moment of order {order} of $\varepsilon$ is the same at every input.",
                error_moment(order),
                stated["normalised"].subs(n, order),
            ),
            Identity(
                f"moment-{order}",
                rf"With $\hat g-g=\frac\kappa M\varepsilon$ the moment of order {order} of the error is as "
                r"stated.",
                (kappa / M) ** order * stated["normalised"].subs(n, order),
                stated["exact"].subs(n, order),
            ),
        ]
    steps += [
        Identity(
            f"odd-{order}",
            rf"The moment of order {order} vanishes, so the error is uncorrelated with functions of $g$.",
            error_moment(order),
            Integer(0),
        )
        for order in (1, 3, 5)
    ]
    return tuple(steps)


CLAIM = Claim(
    id="ndqsg/dqsg-conditional-independence",
    paper=PAPER,
    kind="distribution",
    provenance="abstract",
    title="The quantization noise is independent of the gradient, given the scale",
    statement=(
        r"The exact form of the abstract's independence: $$\hat g=g+\frac\kappa M\varepsilon,$$ with "
        r"$\varepsilon$ i.i.d. uniform on $\pm\frac12$, independent of $(g,\kappa)$ and of the whole past. "
        r"Given $\kappa$ the even moments of the noise $\hat g_j-g_j$ are $\mathbb E(\hat "
        r"g_j-g_j)^n=\frac{(\kappa/M)^n}{(n+1)2^n}$, the odd ones vanish. The noise itself is uncorrelated "
        r"with $g$, but depends on it through $\kappa$: see `ndqsg/finding-scale-dependence`."
    ),
    variables=(
        LEVELS,
        SCALE,
        Variable(n, r"\{2,4,\dots\}", "even order of a moment"),
    ),
    assumptions=(
        DITHER,
        ROUNDING,
        r"Tests condition on $\kappa$: they look at $\varepsilon=(\hat g-g)M/\kappa$.",
    ),
    derivation=lambda: derivation(expressions(None, _EXACT, _FORMULAS)),
    worst_cases=(
        WorstCase("second moment at two levels", {"kappa": 1, "M": 2, "n": 2}, Rational(1, 48)),
        WorstCase("fourth moment at two levels", {"kappa": 1, "M": 2, "n": 4}, Rational(1, 1280)),
        WorstCase("sixth moment at two levels", {"kappa": 1, "M": 2, "n": 6}, Rational(1, 28672)),
    ),
    mutants=(
        Mutant(
            "unnormalised",
            r"Look at $\hat g-g$ instead of $\varepsilon$: its size follows the gradient through $\kappa$.",
            ("exact", "montecarlo", "run"),
        ),
        Mutant(
            "stochastic-rounding",
            r"Do not subtract the dither: the error depends on the fractional part of the input.",
            ("exact", "montecarlo", "run"),
        ),
        Mutant(
            "frozen-dither",
            "The same dither in the next iteration: the error repeats where the gradient does.",
            ("exact", "run"),
        ),
        Mutant(
            "shared-coordinates",
            "One dither for all coordinates of a message.",
            ("exact", "montecarlo"),
        ),
        Mutant(
            "reversed", "Reverse the order of the coordinates: nothing may change.", ("exact",), neutral=True
        ),
    ),
    exact=_EXACT,
    formulas=_FORMULAS,
)
