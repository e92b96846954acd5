r"""`ndqsg/side-information`: how well a gradient is predicted by the messages of others (arXiv 1904.01197).

With $g_p=\nabla f+n_p$ and $y$ the mean of $m$ decoded messages the innovation has the variance
$$\sigma_z^2(m)=\sigma_n^2\Big(1+\frac1m\Big)+\frac Dm.$$

Derivation: $g_p-y=n_p-\frac1m\sum_i(n_i+q_i)$ with independent noises and quantization errors. The sample
variance of the first group has the mean $\sigma_n^2+D$, from which $\sigma_z^2$ is estimated; the ratio
follows from the exponential bound of `ndqsg/nested-overload`.
"""

from collections.abc import Mapping

from sympy import Expr, Integer, Max, Rational, Symbol, log, sqrt, symbols

from theory.ndqsg.nested_overload import OLD as OVERLOAD
from theory.ndqsg.nested_overload_symbols import spread
from theory.ndqsg.nested_symbols import (
    DEVIATION,
    FIRST_GROUP,
    MODEL,
    NESTED,
    UNIFORM_ERROR,
    WORKER_NOISE,
    m,
    sigma,
    sigma_n_sq,
)
from theory.ndqsg.paper import PAPER
from theory.ndqsg.symbols import DITHER, FINE_VARIANCE, WORKERS, D, P, k
from theory.old_form import Claim, Mutant, Variable, WorstCase, expressions
from theory.old_steps import Certificate, Identity, Step, Term
from theory.two_point_law import INDEPENDENCE

sample_sq = Symbol("sample_sq", nonnegative=True)
epsilon = Symbol("epsilon", positive=True)
gradient_variance = Symbol("gradient_variance", positive=True)

_EXACT = sigma_n_sq * (1 + 1 / m) + D / m
_FORMULAS = {
    "message": sigma_n_sq + D,
    "average": (sigma_n_sq + D) / P,
    "estimate": Max(0, sample_sq - D) + sample_sq / m,
    "ratio": 1 + 2 * sigma * sqrt(2 * log(2 / epsilon)),
    "correlation": gradient_variance / (gradient_variance + sigma_n_sq),
}


def derivation(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    """Return the steps, built from the stated expressions."""
    return (*_innovation(stated), *_estimate(stated), *_ratio(stated))


def _innovation(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    return (
        INDEPENDENCE,
        *(
            Identity(
                f"innovation-{size}",
                rf"The squares of the coefficients of all noises in $g_p-y$, each times its variance, for "
                rf"$m={size}$ "
                "(by `independence`).",
                _innovation_variance(size),
                stated["exact"].subs(m, size),
            )
            for size in (1, 2, 3)
        ),
        Identity(
            "innovation",
            r"In general: one own noise, and $m$ messages of the stated variance with the coefficient "
            r"$\frac1m$.",
            sigma_n_sq + m * stated["message"] / m**2,
            stated["exact"],
        ),
        Certificate(
            "decreasing",
            r"One more message makes it smaller by $\frac{\sigma_n^2+D}{m(m+1)}$.",
            stated["exact"].subs(m, m + 1),
            stated["exact"],
            (
                Term(1 / (m * (m + 1)), sigma_n_sq, "a variance"),
                Term(1 / (m * (m + 1)), D, "D"),
            ),
        ),
        Certificate(
            "floor",
            r"It never falls below $\sigma_n^2$: a worker's own noise cannot be predicted.",
            sigma_n_sq,
            stated["exact"],
            (Term(1 / m, sigma_n_sq, "a variance"), Term(1 / m, D, "D")),
        ),
        *(
            Identity(
                f"average-{size}",
                rf"At $\alpha=1$ and without overload every message is $g_p+\delta e_p$, and the average of "
                rf"{size} "
                "has the stated variance.",
                size * (sigma_n_sq + D) / Integer(size) ** 2,
                stated["average"].subs(P, size),
            )
            for size in (2, 3, 8)
        ),
        Identity(
            "correlation",
            r"Two gradients have the covariance $\mathrm{Var}\,\nabla f$ over the coordinates and each the "
            r"variance "
            r"$\mathrm{Var}\,\nabla f+\sigma_n^2$.",
            gradient_variance / sqrt((gradient_variance + sigma_n_sq) ** 2),
            stated["correlation"],
        ),
    )


def _innovation_variance(size: int) -> Expr:
    own, errors = symbols(f"n_1:{size + 1}"), symbols(f"q_1:{size + 1}")
    noise = Symbol("n_p")
    side = sum(a + b for a, b in zip(own, errors, strict=True)) * Rational(1, size)
    innovation = (noise - side).expand()
    variance = sum(innovation.coeff(item) ** 2 for item in (noise, *own)) * sigma_n_sq
    return variance + sum(innovation.coeff(item) ** 2 for item in errors) * D


def _estimate(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    return (
        *(
            Identity(
                f"sample-variance-{size}",
                rf"The sample variance of $m={size}$ messages, with the divisor $m-1$, has the mean "
                rf"$\sigma_n^2+D$.",
                _sample_variance(size, stated["message"]),
                stated["message"],
            )
            for size in (2, 3, 4)
        ),
        Identity(
            "message",
            r"A decoded message has the variance of its noise and of its quantization error.",
            sigma_n_sq + D,
            stated["message"],
        ),
        Identity(
            "estimate",
            r"At this mean the stated estimate is $\sigma_z^2$.",
            stated["estimate"].xreplace({sample_sq: stated["message"]}),
            stated["exact"],
        ),
    )


def _sample_variance(size: int, variance: Expr) -> Expr:
    """Return the mean of the sample variance of independent variables of this variance."""
    items = symbols(f"v_1:{size + 1}")
    mean = sum(items) * Rational(1, size)
    squares = sum((item - mean) ** 2 for item in items).expand() / (size - 1)
    return sum(squares.coeff(item, 2) for item in items) * variance


def _ratio(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    bound = OVERLOAD.formulas["sub_gaussian"].xreplace({spread: sigma})
    return (
        Identity(
            "ratio",
            r"At the stated ratio the exponential bound of `ndqsg/nested-overload` is $\epsilon$ "
            r"($\alpha=1$).",
            bound.subs(k, stated["ratio"]),
            epsilon,
        ),
    )


_SIXTEENTH, _TWELFTH = Rational(1, 16), Rational(1, 12)


def _golden(messages: int, value: Expr, description: str) -> WorstCase:
    return WorstCase(description, {"m": messages, "sigma_n_sq": _SIXTEENTH, "D": _TWELFTH}, value)


CLAIM = Claim(
    id="ndqsg/side-information",
    paper=PAPER,
    kind="identity",
    provenance="abstract",
    title="Variance of the innovation, and the rule for the ratio",
    statement=(
        r"The gradients $g_p=\nabla f+n_p$ of the workers are correlated: over the coordinates by "
        r"$\frac{\mathrm{Var}\nabla f}{\mathrm{Var}\nabla f+\sigma_n^2}$. With $y$ the mean of $m$ decoded "
        r"messages, each of variance $\sigma_n^2+D$, the innovation $g_p-y$ has the variance "
        r"$$\sigma_z^2(m)=\sigma_n^2\Big(1+\frac1m\Big)+\frac Dm,$$ decreasing in $m$, never below "
        r"$\sigma_n^2$. At $\alpha=1$ and without overload all errors are independent, and the average of "
        r"$P$ "
        r"messages has the variance $\frac{\sigma_n^2+D}P$. From the sample variance $\hat s^2$ (divisor "
        r"$m-1$) "
        r"of the first group, $\hat\sigma_z^2=\max(0,\hat s^2-D)+\hat s^2/m$, since $\mathbb E\hat "
        r"s^2=\sigma_n^2+D$. A ratio $k\ge1+2\frac{\sigma_z}\delta\sqrt{2\ln(2/\epsilon)}$ overloads with "
        r"probability at most $\epsilon$ in each coordinate; where that is $2M+1$ or more, nothing is saved."
    ),
    variables=(
        WORKER_NOISE,
        FINE_VARIANCE,
        FIRST_GROUP,
        WORKERS,
        Variable(sample_sq, r"\mathbb R_{\ge0}", r"$\hat s^2$: sample variance of the first group"),
        DEVIATION,
        Variable(epsilon, "(0,1)", "largest overload probability of a coordinate"),
        Variable(gradient_variance, r"\mathbb R_{>0}", r"variance of $\nabla f$ over its coordinates"),
    ),
    assumptions=(
        DITHER,
        MODEL,
        NESTED,
        UNIFORM_ERROR,
        r"The messages in $y$ are decoded without overload and have the error variance $D$; the innovation "
        r"is "
        r"sub-Gaussian with parameter $\sigma_z$ where a ratio is chosen for it.",
        r"The receiver knows messages only; $y$ is never built from raw gradients.",
    ),
    derivation=lambda: derivation(expressions(None, _EXACT, _FORMULAS)),
    worst_cases=(
        _golden(1, Rational(5, 24), "one message"),
        _golden(4, Rational(19, 192), "four messages"),
        _golden(7, _TWELFTH, r"seven messages: as small as $D$"),
    ),
    mutants=(
        Mutant(
            "raw-mean",
            r"$y$ is the mean of the raw gradients, which no receiver knows: $\sigma_n^2(1+\frac1m)$.",
            ("exact", "montecarlo"),
        ),
        Mutant(
            "exact-messages",
            r"Omit $\frac Dm$: 40, 21 and 14 % too small for 1, 4 and 7 messages.",
            ("exact", "montecarlo"),
        ),
        Mutant(
            "quantization-not-subtracted",
            r"Estimate $\sigma_z^2$ by $\hat s^2(1+\frac1m)$: 1.84 times too large for four messages.",
            ("exact", "montecarlo"),
        ),
        Mutant(
            "divisor-m",
            r"Sample variance with the divisor $m$: smaller by the factor $1-\frac1m$.",
            ("exact", "montecarlo"),
        ),
        Mutant(
            "other-order",
            "Number the first group differently: nothing may change.",
            ("exact",),
            neutral=True,
        ),
    ),
    exact=_EXACT,
    formulas=_FORMULAS,
)
