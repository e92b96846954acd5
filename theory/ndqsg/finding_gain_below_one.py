r"""`ndqsg/finding-gain-below-one`: the best gain of a message is bad for the average (arXiv 1904.01197).

At the gain $a=1-\frac D{2\sigma_z^2}$ that is best for each nested message, with
$\sigma_z^2=\sigma_n^2+\frac{\sigma_n^2+D}m$ of parallel side information, each of them saves
$\frac{D^2}{4\sigma_z^2}$ and the average of all messages loses
$\frac{D^2(2\sigma_n^2+2\sigma_z^2+D)}{16m\sigma_z^4}$.

Derivation: `ndqsg/nested-alpha` and `ndqsg/nested-alpha-aggregate` at this gain; $1-a=\frac D{2\sigma_z^2}$.
"""

from collections.abc import Mapping

from sympy import Expr, Integer, Rational

from theory.ndqsg.nested_alpha import CLAIM as ALPHA
from theory.ndqsg.nested_alpha_aggregate import CLAIM as AGGREGATE
from theory.ndqsg.nested_symbols import (
    FIRST_GROUP,
    INNOVATION_VARIANCE,
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
from theory.ndqsg.symbols import DITHER, FINE_VARIANCE, D
from theory.old_form import Claim, Mutant, WorstCase, expressions
from theory.old_steps import Certificate, Identity, Step, Term

_LOST = D**2 * (2 * sigma_n_sq + 2 * sigma_z_sq + D) / (16 * m * sigma_z_sq**2)
_FORMULAS = {
    "innovation": sigma_n_sq * (1 + 1 / m) + D / m,
    "gain": 1 - D / (2 * sigma_z_sq),
    "saved": D**2 / (4 * sigma_z_sq),
}


def derivation(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    """Return the steps, built from the stated expressions."""
    best = {a: stated["gain"]}
    return (
        Identity(
            "innovation",
            r"A worker's own noise and the mean of $m$ noises with their quantization errors.",
            sigma_n_sq + m * (sigma_n_sq + D) / m**2,
            stated["innovation"],
        ),
        Identity(
            "gain",
            r"The gain is the best one of `ndqsg/nested-alpha`.",
            stated["gain"],
            ALPHA.formulas["best"],
        ),
        Identity(
            "saved",
            r"One message saves the stated amount: $D-[aD+(1-a)^2\sigma_z^2]$.",
            D - ALPHA.expressions["exact"].xreplace(best),
            stated["saved"],
        ),
        Identity(
            "lost",
            "The variance of the average exceeds that at gain 1 by the stated amount.",
            (AGGREGATE.expressions["exact"] - AGGREGATE.formulas["at_one"]).xreplace(best),
            stated["exact"],
        ),
        Certificate(
            "saves",
            r"The saving is positive: nothing but positive factors.",
            Integer(0),
            stated["saved"],
            (Term(D / (4 * sigma_z_sq), D, "D"),),
        ),
        Certificate(
            "loses",
            r"So is the loss.",
            Integer(0),
            stated["exact"],
            (
                Term(D**2 / (8 * m * sigma_z_sq), Integer(1), "one"),
                Term(D**2 / (8 * m * sigma_z_sq**2), sigma_n_sq, "a variance"),
                Term(D**2 / (16 * m * sigma_z_sq**2), D, "D"),
            ),
        ),
    )


CLAIM = Claim(
    id="ndqsg/finding-gain-below-one",
    paper=PAPER,
    kind="finding",
    provenance="derived",
    title="A gain below one helps each message and hurts the average",
    statement=(
        r"Read as a statement about one message, a gain $\alpha<1$ of the nested quantizer lowers the error: "
        r"by $\frac{D^2}{4\sigma_z^2}$ at the best $\alpha^2=1-\frac D{2\sigma_z^2}$ (`ndqsg/nested-alpha`). "
        r"What is trained on is the average of all messages, and there it fails: with $m$ dithered and $m$ "
        r"nested messages and $y$ the mean of the former, $\sigma_z^2=\sigma_n^2(1+\frac1m)+\frac Dm$, that "
        r"gain raises the variance of the average by $$\frac{D^2(2\sigma_n^2+2\sigma_z^2+D)}"
        r"{16m\sigma_z^4}>0,$$ since all nested errors contain $-(1-\alpha^2)(g_p-y)$ with one $y$. What "
        r"holds "
        r"instead: $\alpha=1$ gives the variance of dithered messages, and is the default here."
    ),
    variables=(WORKER_NOISE, FINE_VARIANCE, FIRST_GROUP, INNOVATION_VARIANCE),
    assumptions=(DITHER, MODEL, NESTED, UNIFORM_ERROR, NO_OVERLOAD, r"$D\le2\sigma_z^2$, so that $a\ge0$."),
    derivation=lambda: derivation(expressions(None, _LOST, _FORMULAS)),
    worst_cases=(
        WorstCase(
            r"$\sigma_n^2=\frac14$, $D=\frac1{12}$, four workers: 2.1 % of the variance at gain 1",
            {"sigma_n_sq": Rational(1, 4), "D": Rational(1, 12), "m": 2, "sigma_z_sq": Rational(5, 12)},
            Rational(17, 9600),
        ),
        WorstCase(
            r"no noise of the workers, two workers: each nested message saves a quarter of its error, the "
            "average loses three eighths of its own",
            {"sigma_n_sq": 0, "D": 1, "m": 1, "sigma_z_sq": 1},
            Rational(3, 16),
        ),
    ),
    mutants=(
        Mutant(
            "average-like-message",
            r"Claim that the average saves what its messages save, $\frac1{2P}\frac{D^2}{4\sigma_z^2}$ less "
            r"than "
            "at gain 1.",
            ("exact", "montecarlo"),
        ),
        Mutant(
            "own-side-information",
            r"Give each nested worker side information of its own, from $m$ further workers: then the errors "
            r"share nothing, and the average does save.",
            ("exact", "montecarlo"),
        ),
        Mutant(
            "other-order",
            "Number the workers of each group differently: nothing may change.",
            ("exact",),
            neutral=True,
        ),
    ),
    exact=_LOST,
    formulas=_FORMULAS,
)
