r"""`ndqsg/nested-alpha-aggregate`: a gain below one hurts the average (arXiv 1904.01197).

$m$ workers send dithered messages, $y$ is their mean, and $m$ more send nested ones with the gain $\alpha$,
$a=\alpha^2$. The average of all $P=2m$ messages has the variance
$$\frac{[(2-a)^2+a^2]\sigma_n^2+[(2-a)^2+a]D}{4m},$$
more than $\frac{\sigma_n^2+D}{2m}$ for every $a<1$.

Derivation: a nested message is $\nabla f+an_p+\alpha e_p+(1-a)(y-\nabla f)$, so the first group counts $2-a$
times in the sum of all. The difference to $a=1$ is $2(1-a)^2\sigma_n^2+(1-a)(2-a)D$ over $4m$.
"""

from collections.abc import Mapping, Sequence

from sympy import Expr, Integer, Rational, Symbol, diff, sqrt, symbols

from theory.ndqsg.nested_alpha import CLAIM as ALPHA
from theory.ndqsg.nested_symbols import (
    FIRST_GROUP,
    GAIN_SQUARED,
    MODEL,
    NESTED,
    NO_OVERLOAD,
    UNIFORM_ERROR,
    WORKER_NOISE,
    a,
    m,
    sigma_n_sq,
    sigma_z_sq,
)
from theory.ndqsg.paper import PAPER
from theory.ndqsg.symbols import DITHER, FINE_VARIANCE, D, alpha
from theory.old_form import Claim, Mutant, WorstCase, expressions
from theory.old_steps import Certificate, Identity, ScalarLemma, Step, Term
from theory.two_point_law import INDEPENDENCE

_EXACT = (((2 - a) ** 2 + a**2) * sigma_n_sq + ((2 - a) ** 2 + a) * D) / (4 * m)
_FORMULAS = {
    "at_one": (sigma_n_sq + D) / (2 * m),
    "excess": (2 * (1 - a) ** 2 * sigma_n_sq + (1 - a) * (2 - a) * D) / (4 * m),
    "minimiser": (4 * sigma_n_sq + 3 * D) / (4 * sigma_n_sq + 2 * D),
    "relative_gain": D**2 / (8 * (2 * sigma_n_sq + D) * (sigma_n_sq + D)),
}

_share = Symbol("c", nonnegative=True)
_x, _s, _D = Symbol("x", real=True), Symbol("s", nonnegative=True), Symbol("D", positive=True)


def derivation(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    """Return the steps, built from the stated expressions."""
    return (
        *(
            Identity(
                f"variance-{size}",
                rf"The squares of the coefficients of all noises in the average of $2\cdot{size}$ messages, "
                "each times its variance, add up to the stated variance (by `independence`).",
                _summed(size),
                stated["exact"].subs({m: size, a: alpha**2}),
            )
            for size in (1, 2, 3)
        ),
        Identity(
            "variance",
            r"In general $m$ first noises have the coefficient $\frac{2-a}{2m}$, $m$ further ones "
            r"$\frac a{2m}$ and $\frac{\sqrt a}{2m}$.",
            m * ((2 - a) ** 2 * (sigma_n_sq + D) + a**2 * sigma_n_sq + sqrt(a) ** 2 * D) / (2 * m) ** 2,
            stated["exact"],
        ),
        INDEPENDENCE,
        Identity("at-one", r"At $a=1$.", stated["exact"].subs(a, 1), stated["at_one"]),
        Identity(
            "excess",
            r"The excess over $a=1$ is the stated one.",
            stated["exact"] - stated["at_one"],
            stated["excess"],
        ),
        ScalarLemma(
            "worse-smt",
            r"$a<1$, $D>0$ and $\sigma_n^2\ge0$ make it positive, in the stated form over $4m$ ($x$ is $a$, "
            r"$s$ is $\sigma_n^2$).",
            (_x < 1,),
            ((2 - _x) ** 2 + _x**2) * _s + ((2 - _x) ** 2 + _x) * _D > 2 * _s + 2 * _D,
            (
                Term(_D, 1 - _x, "hypothesis: the gain is below one"),
                Term(_D + 2 * _s, (1 - _x) ** 2, "square of a real number"),
            ),
        ),
        Certificate(
            "worse",
            r"The same by a certificate with $a=1-c$, $c\ge0$: the excess is a sum of nonnegative terms, "
            r"strictly more than zero for $c>0$.",
            Integer(0),
            stated["excess"].xreplace({a: 1 - _share}),
            (
                Term(sigma_n_sq / (2 * m), _share**2, "square of a real number"),
                Term(D / (4 * m), _share, "c"),
                Term(D / (4 * m), _share**2, "square of a real number"),
            ),
        ),
        Identity(
            "minimiser",
            r"The variance is a parabola in $a$ whose derivative vanishes at the stated minimiser, which is "
            r"$1+\frac D{4\sigma_n^2+2D}>1$.",
            diff(stated["exact"], a).xreplace({a: stated["minimiser"]}),
            Integer(0),
        ),
        Identity(
            "relative-gain",
            r"There it is smaller than at $a=1$ by the stated part.",
            1 - stated["exact"].xreplace({a: stated["minimiser"]}) / stated["at_one"],
            stated["relative_gain"],
        ),
    )


def _summed(size: int) -> Expr:
    """Return the variance of the average for m = `size`, from the coefficients of all noises."""
    own, later = symbols(f"n_1:{size + 1}"), symbols(f"w_1:{size + 1}")
    first, second = symbols(f"q_1:{size + 1}"), symbols(f"e_1:{size + 1}")
    early = [noise + error for noise, error in zip(own, first, strict=True)]
    side = _mean(early)
    # Error of one nested message: alpha e - (1 - alpha^2) z with z = w - side, beside its own noise w.
    nested = [w + alpha * q - (1 - alpha**2) * (w - side) for w, q in zip(later, second, strict=True)]
    average = _mean([*early, *nested]).expand()
    noise = sum(average.coeff(item) ** 2 for item in (*own, *later))
    return noise * sigma_n_sq + sum(average.coeff(item) ** 2 for item in (*first, *second)) * D


def _mean(items: Sequence[Expr]) -> Expr:
    return sum(items) * Rational(1, len(items))


# What one would expect if the errors of all messages were independent: their mean square over P.
INDEPENDENT_ERRORS = (
    sigma_n_sq + (D + ALPHA.expressions["exact"].xreplace({sigma_z_sq: sigma_n_sq * (1 + 1 / m) + D / m})) / 2
) / (2 * m)

CLAIM = Claim(
    id="ndqsg/nested-alpha-aggregate",
    paper=PAPER,
    kind="identity",
    provenance="derived",
    title="The variance of the average of half dithered, half nested messages",
    statement=(
        r"Parallel side information, $m$ dithered and $m$ nested messages, $a=\alpha^2$, no overload, "
        r"independent noise of variance $\sigma_n^2$: $$\mathrm{Var}\Big(\frac1{2m}\sum_p\hat "
        r"g_p\Big)=\frac{[(2-a)^2+a^2]\sigma_n^2+[(2-a)^2+a]D}{4m}.$$ For every $a<1$ this is strictly "
        r"larger "
        r"than at $a=1$, $\frac{\sigma_n^2+D}{2m}$, by $\frac{2(1-a)^2\sigma_n^2+(1-a)(2-a)D}{4m}$, although "
        r"each message may be better: the errors share $y$. It is least at "
        r"$a=\frac{4\sigma_n^2+3D}{4\sigma_n^2+2D}>1$, by the part "
        r"$\frac{D^2}{8(2\sigma_n^2+D)(\sigma_n^2+D)}"
        r"\le\frac18$ only, at a smaller margin. So $\alpha=1$ is the gain to use."
    ),
    variables=(GAIN_SQUARED, WORKER_NOISE, FINE_VARIANCE, FIRST_GROUP),
    assumptions=(
        DITHER,
        MODEL,
        NESTED,
        UNIFORM_ERROR,
        NO_OVERLOAD,
        r"$y$ is the mean of the $m$ decoded dithered messages, for all $m$ nested ones; all have the error "
        r"variance $D$ of the fine step.",
    ),
    derivation=lambda: derivation(expressions(None, _EXACT, _FORMULAS)),
    worst_cases=(
        WorstCase(
            r"gain 1, $\sigma_n^2=\frac14$, $D=\frac1{12}$, four workers",
            {"a": 1, "sigma_n_sq": Rational(1, 4), "D": Rational(1, 12), "m": 2},
            Rational(1, 12),
        ),
        WorstCase(
            r"gain $\frac9{10}$ at the same noise: 5.5 % more",
            {"a": Rational(81, 100), "sigma_n_sq": Rational(1, 4), "D": Rational(1, 12), "m": 2},
            Rational(84427, 960000),
        ),
        WorstCase(
            r"no noise of the workers: the minimiser $a=\frac32$ saves an eighth",
            {"a": Rational(3, 2), "sigma_n_sq": 0, "D": 1, "m": 1},
            Rational(7, 16),
        ),
    ),
    mutants=(
        Mutant(
            "independent-errors",
            r"Claim the mean of the error variances over $P$, as if the errors were independent: too small "
            r"for "
            r"$a<1$, by 5.4 % at $m=2$ and $\alpha=0.9$.",
            ("exact", "montecarlo"),
        ),
        Mutant(
            "workers-of-one-group",
            r"Put $m$ where $2m$ messages are averaged: twice the variance.",
            ("exact", "montecarlo"),
        ),
        Mutant(
            "gain-hurts-nothing",
            r"Claim that with $\alpha<1$ the average has at most the variance at $\alpha=1$.",
            ("exact", "run"),
        ),
        Mutant(
            "other-order",
            "Number the workers of each group differently: nothing may change.",
            ("exact",),
            neutral=True,
        ),
    ),
    exact=_EXACT,
    formulas=_FORMULAS,
)
