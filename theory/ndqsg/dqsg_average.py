r"""`ndqsg/dqsg-average`: the average of independently dithered workers (arXiv 1904.01197).

$\mathrm{Var}\big(\frac1P\sum_p\hat g_p\mid g_1,\dots,g_P\big)=\frac d{12M^2P^2}\sum_p\kappa_p^2$.

Derivation: the errors of different workers are independent and centred.
"""

from collections.abc import Mapping

from sympy import Expr, IndexedBase, Rational, Sum, Symbol, symbols

from theory.instance import instance
from theory.ndqsg.dither_moments import error_moment
from theory.ndqsg.paper import PAPER
from theory.ndqsg.symbols import DIMENSION, DITHER, LEVELS, ROUNDING, SCALE, WORKERS, M, P, d, j, kappa
from theory.old_form import Claim, Mutant, Variable, WorstCase, expressions
from theory.old_steps import Identity, Step
from theory.two_point_law import INDEPENDENCE

scales = IndexedBase("kappa_p", nonnegative=True)

_EXACT = d / (12 * M**2 * P**2) * Sum(scales[j] ** 2, (j, 0, P - 1))
_FORMULAS = {"equal": d * kappa**2 / (12 * M**2 * P), "same_seed": d * kappa**2 / (12 * M**2)}

_SIZE = 3
_ks = symbols("kappa_1:4", nonnegative=True)
_e = Symbol("e", real=True)


def derivation(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    """Return the steps, built from the stated expressions."""
    single = error_moment(2) / M**2
    return (
        INDEPENDENCE,
        Identity(
            "workers",
            r"The variances of $\frac1P(\hat g_p-g_p)$ add up, worker by worker and coordinate by coordinate "
            rf"(shown for {_SIZE} workers).",
            instance(stated["exact"], {P: _SIZE, scales: _ks}),
            sum(d * single * (scale / _SIZE) ** 2 for scale in _ks),
        ),
        Identity(
            "two-workers",
            r"The same for two workers.",
            instance(stated["exact"], {P: 2, scales: _ks[:2]}),
            sum(d * single * (scale / 2) ** 2 for scale in _ks[:2]),
        ),
        Identity(
            "equal",
            r"With equal scales it falls like $\frac1P$, as stated.",
            instance(stated["exact"], {P: _SIZE, scales: (kappa,) * _SIZE}),
            stated["equal"].subs(P, _SIZE),
        ),
        Identity(
            "same-seed",
            r"With one dither for all workers and equal gradients all errors coincide: the average has the "
            r"stated variance of a single worker, $P$ times as much.",
            d * single * kappa**2,
            stated["same_seed"],
        ),
        Identity(
            "factor",
            r"The factor between the two is $P$.",
            P * stated["equal"],
            stated["same_seed"],
        ),
    )


CLAIM = Claim(
    id="ndqsg/dqsg-average",
    paper=PAPER,
    kind="identity",
    provenance="rederived",
    title="Averaging workers with independent dithers divides the variance by their number",
    statement=(
        r"For $P$ workers with independent dithers, given all gradients, $$\mathrm{Var}\Big(\frac1P\sum_p"
        r"\hat g_p\Big)=\frac d{12M^2P^2}\sum_p\kappa_p^2,$$ with equal scales $\frac{d\kappa^2}{12M^2P}$. "
        r"With one dither for all workers and equal gradients it does not fall at all: "
        r"$\frac{d\kappa^2}{12M^2}$, $P$ times as much."
    ),
    variables=(
        DIMENSION,
        LEVELS,
        WORKERS,
        SCALE,
        Variable(scales, r"\mathbb R_{\ge0}^P", r"scales $\kappa_p$ of the workers", "(P,)"),
    ),
    assumptions=(DITHER, ROUNDING),
    derivation=lambda: derivation(expressions(None, _EXACT, _FORMULAS)),
    worst_cases=tuple(
        WorstCase(
            f"{count} workers with unit scales",
            {"kappa_p": (1,) * count, "P": count, "M": 1, "d": 1},
            Rational(1, 12 * count),
        )
        for count in (4, 8, 16)
    ),
    mutants=(
        Mutant(
            "same-seed",
            r"One dither for all workers: with equal gradients the variance is $P$ times as large.",
            ("exact", "montecarlo"),
        ),
        Mutant(
            "no-worker-in-key",
            "Leave the worker out of the counter of the keyed stream: the same dither for all.",
            ("exact", "run"),
        ),
        Mutant(
            "stochastic-rounding",
            r"Do not subtract the dither: the variance depends on the gradients' fractional parts.",
            ("exact",),
        ),
        Mutant(
            "permuted-workers",
            "Take the workers in another order: nothing may change.",
            ("exact",),
            neutral=True,
        ),
    ),
    exact=_EXACT,
    formulas=_FORMULAS,
)
