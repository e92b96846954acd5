r"""`ndqsg/nested-alpha`: the gain that is best for one message (arXiv 1904.01197).

With $a=\alpha^2$ and $D\le\sigma_z^2$, one message has the mean square error $aD+(1-a)^2\sigma_z^2\le D$ for
$1-\frac D{\sigma_z^2}\le a\le1$. It is least at $a=1-\frac D{2\sigma_z^2}$.

Derivation: with $a=1-pD/\sigma_z^2$ the saving is $p(1-p)D^2/\sigma_z^2$; completing the square gives its
maximum. An untied gain $\beta$ of the decoder leaves $(\alpha\beta-1)z+\beta e$, a parabola in $\beta$.
"""

from collections.abc import Mapping

from sympy import Expr, Integer, Rational, Symbol, sqrt

from theory.ndqsg.nested_decoding import OLD as DECODING
from theory.ndqsg.nested_symbols import (
    GAIN_SQUARED,
    INNOVATION_VARIANCE,
    NESTED,
    NO_OVERLOAD,
    UNIFORM_ERROR,
    a,
    e,
    mean_over_error,
    sigma_z_sq,
    z,
)
from theory.ndqsg.paper import PAPER
from theory.ndqsg.symbols import DITHER, FINE_VARIANCE, D, alpha, delta
from theory.old_form import Claim, Mutant, Variable, WorstCase, expressions
from theory.old_steps import Certificate, Identity, ScalarLemma, Step, Term

beta = Symbol("beta", nonnegative=True)

_EXACT = a * D + (1 - a) ** 2 * sigma_z_sq
_FORMULAS = {
    "smallest": 1 - D / sigma_z_sq,
    "best": 1 - D / (2 * sigma_z_sq),
    "least": D - D**2 / (4 * sigma_z_sq),
    "untied": (1 - beta * sqrt(a)) ** 2 * sigma_z_sq + beta**2 * D,
    "untied_gain": sqrt(a) * sigma_z_sq / (a * sigma_z_sq + D),
    "untied_least": sigma_z_sq * D / (a * sigma_z_sq + D),
    "pull": 1 - a,
}

_share = Symbol("p", nonnegative=True)
_excess = Symbol("q", nonnegative=True)
_x, _s, _D = Symbol("x", real=True), Symbol("s", positive=True), Symbol("D", positive=True)
_rest = _D - _s * (1 - _x)

RANGE = ScalarLemma(
    "range-smt",
    r"$D,\sigma_z^2>0$ and $1-D/\sigma_z^2\le a\le1$ imply $aD+(1-a)^2\sigma_z^2\le D$ ($x$ is $a$, $s$ is "
    r"$\sigma_z^2$).",
    (_s * (1 - _x) <= _D, _x <= 1),
    _x * _D + (1 - _x) ** 2 * _s <= _D,
    # The saving is (1 - x) r with the rest r = D - s (1 - x); times D = r + s (1 - x) it is a sum of squares
    # times the hypotheses.
    (
        Term(_rest**2 / _D, 1 - _x, "hypothesis: the gain is at most one"),
        Term(_s * (1 - _x) ** 2 / _D, _rest, "hypothesis: the gain is above the lower end"),
    ),
)


def derivation(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    """Return the steps, built from the stated expressions."""
    return (*_variance(stated), *_range(stated), *_minimum(stated), *_untied(stated))


def _variance(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    units = {a: alpha**2, D: delta**2 / 12, sigma_z_sq: delta**2 * z**2}
    return (
        Identity(
            "from-decoding",
            r"The stated variance is the mean square error of `ndqsg/nested-decoding` at $D=\delta^2/12$; "
            r"that "
            r"is affine in $z^2$, so it holds for the mean over $z$ with $\sigma_z^2=\mathbb E(g-y)^2$.",
            DECODING.expressions["exact"],
            stated["exact"].xreplace(units),
        ),
        Identity(
            "pull",
            r"The mean of the error is $-(1-\alpha^2)(g-y)$: the stated share of the way towards $y$.",
            DECODING.formulas["bias"],
            -delta * z * stated["pull"].xreplace(units),
        ),
    )


def _range(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    return (
        RANGE,
        Certificate(
            "range",
            r"The same by a certificate: $a=1-pD/\sigma_z^2$ runs through the range for $0\le p\le1$ and "
            r"saves "
            r"$p(1-p)D^2/\sigma_z^2$.",
            stated["exact"].xreplace({a: 1 - _share * D / sigma_z_sq}),
            stated["bound"],
            (Term(_share * D**2 / sigma_z_sq, 1 - _share, "hypothesis: the gain is inside the range"),),
        ),
        Identity(
            "range-end",
            r"At $p=1$ it is the stated lower end.",
            1 - D / sigma_z_sq,
            stated["smallest"],
        ),
        Identity(
            "lower-end",
            r"The stated lower end gives exactly $D$, as the upper end $a=1$ does.",
            stated["exact"].xreplace({a: stated["smallest"]}),
            stated["bound"],
        ),
        Identity("upper-end", r"At $a=1$.", stated["exact"].xreplace({a: Integer(1)}), stated["bound"]),
    )


def _minimum(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    return (
        Certificate(
            "least",
            "No gain does better than the stated minimum.",
            stated["least"],
            stated["exact"],
            (Term(sigma_z_sq, (a - stated["best"]) ** 2, "square of a real number"),),
        ),
        Identity(
            "attained",
            "The stated gain attains it.",
            stated["exact"].xreplace({a: stated["best"]}),
            stated["least"],
        ),
        Certificate(
            "fine-step-too-coarse",
            r"If $D>2\sigma_z^2$, here $D=2\sigma_z^2+q$, the gain 0 is best, with the error $\sigma_z^2$.",
            sigma_z_sq,
            stated["exact"].xreplace({D: 2 * sigma_z_sq + _excess}),
            (Term(a, _excess, "q"), Term(sigma_z_sq, a**2, "square of a real number")),
        ),
    )


def _untied(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    gain = stated["untied_gain"]
    error = beta * delta * (alpha * z + e) - delta * z
    units = {a: alpha**2, D: delta**2 / 12, sigma_z_sq: delta**2 * z**2}
    return (
        Identity(
            "untied",
            r"A decoder that multiplies by $\beta\delta$ has the stated mean square error.",
            mean_over_error(error**2),
            stated["untied"].xreplace(units),
        ),
        Identity(
            "tied",
            r"With $\beta=\alpha$ it is the stated variance.",
            stated["untied"].xreplace({beta: sqrt(a)}),
            stated["exact"],
        ),
        Certificate(
            "untied-least",
            r"No $\beta$ does better than the stated minimum.",
            stated["untied_least"],
            stated["untied"],
            (Term(a * sigma_z_sq + D, (beta - gain) ** 2, "square of a real number"),),
        ),
        Identity(
            "untied-attained",
            r"The stated $\beta$ attains it.",
            stated["untied"].xreplace({beta: gain}),
            stated["untied_least"],
        ),
    )


_QUARTER, _TENTH, _THIRTIETH = Rational(1, 4), Rational(1, 10), Rational(1, 30)
_TWELFTH = Rational(1, 12)

CLAIM = Claim(
    id="ndqsg/nested-alpha",
    paper=PAPER,
    kind="upper",
    provenance="rederived",
    title="Gains that do not increase the error of one message, and the best one",
    statement=(
        r"Without overload and with $a=\alpha^2$, $\sigma_z^2=\mathbb E(g-y)^2\ge D$: $$\mathbb E(\hat "
        r"g-g)^2=aD+(1-a)^2\sigma_z^2\le D\quad\text{for}\quad1-\frac D{\sigma_z^2}\le a\le1.$$ Both ends "
        r"give exactly $D$; the lower one has the widest margin. The minimum $D-\frac{D^2}{4\sigma_z^2}$ is "
        r"at "
        r"$a=1-\frac D{2\sigma_z^2}$ if $D\le2\sigma_z^2$; else the gain 0 is best, with $\sigma_z^2$. An "
        r"untied gain $\beta=\frac{\alpha\sigma_z^2}{a\sigma_z^2+D}$ of the decoder does better, "
        r"$\frac{\sigma_z^2D}{a\sigma_z^2+D}$. For $a<1$ the message is biased given $g$: its mean is $g$ "
        r"less $1-a$ of the way from $y$ to $g$."
    ),
    variables=(
        GAIN_SQUARED,
        FINE_VARIANCE,
        INNOVATION_VARIANCE,
        Variable(beta, r"\mathbb R_{\ge0}", r"gain of the decoder where it is not tied to $\alpha$"),
    ),
    assumptions=(
        DITHER,
        NESTED,
        UNIFORM_ERROR,
        NO_OVERLOAD,
        r"$D\le\sigma_z^2$ for the range; $0<\alpha\le1$.",
    ),
    derivation=lambda: derivation(expressions(D, _EXACT, _FORMULAS)),
    worst_cases=(
        WorstCase(
            r"the upper end $\alpha=1$, where nothing is saved",
            {"a": 1, "D": _TWELFTH, "sigma_z_sq": _QUARTER},
            _TWELFTH,
        ),
        WorstCase(
            r"the best gain for three times the fine variance",
            {"a": Rational(5, 6), "D": _TWELFTH, "sigma_z_sq": _QUARTER},
            Rational(11, 144),
        ),
        WorstCase(
            r"the best gain for $\sigma_z^2=\frac1{10}$",
            {"a": Rational(7, 12), "D": _TWELFTH, "sigma_z_sq": _TENTH},
            Rational(19, 288),
        ),
        WorstCase(
            r"innovation far below the fine step: the side information alone is best",
            {"a": 0, "D": _TWELFTH, "sigma_z_sq": _THIRTIETH},
            _THIRTIETH,
        ),
    ),
    mutants=(
        Mutant(
            "unsquared-gain",
            r"Claim $(1-\alpha)^2$ for $(1-\alpha^2)^2$: 6.6 % too small at $\sigma_z^2=\frac14$, identical "
            r"at "
            r"$\alpha=0$.",
            ("exact", "montecarlo"),
        ),
        Mutant(
            "unit-gain-at-decoder",
            r"The decoder adds $\delta(r\bmod^*k)$ without the gain: 11 % more error at "
            r"$\sigma_z^2=\frac14$.",
            ("exact", "montecarlo"),
        ),
        Mutant(
            "below-the-range",
            r"Take $a$ below $1-D/\sigma_z^2$: the error exceeds $D$.",
            ("symbolic", "exact", "montecarlo"),
        ),
        Mutant(
            "reflected",
            "Change the sign of gradient and side information: nothing may change.",
            ("exact",),
            neutral=True,
        ),
    ),
    bound=D,
    exact=_EXACT,
    formulas=_FORMULAS,
)
