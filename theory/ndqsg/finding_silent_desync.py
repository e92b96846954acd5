r"""`ndqsg/finding-silent-desync`: a desynchronised dither does not show in training (arXiv 1904.01197).

With worker noise of variance $s$ per coordinate the stationary error of SGD grows by at most
$\frac{s+4D}{s+D}$, on average by $\frac{s+3D}{s+D}$.

Derivation: the messages stay unbiased (`ndqsg/protocol-desync`), and the stationary error is proportional to
the variance of the gradient estimate.
"""

from collections.abc import Mapping

from sympy import Expr, Integer, Rational, Symbol

from theory.ndqsg.dither_moments import HALF, PHASE, p
from theory.ndqsg.paper import PAPER
from theory.ndqsg.protocol_desync import CLAIM as DESYNC
from theory.ndqsg.symbols import DITHER, FINE_VARIANCE, ROUNDING, D
from theory.old_form import Claim, Mutant, Variable, WorstCase, expressions
from theory.old_steps import Certificate, Identity, Step, Term
from theory.two_point_law import expectation

s = Symbol("s", nonnegative=True)

_BOUND = (s + 4 * D) / (s + D)
_EXACT = (s + 12 * D * (p * (1 - p) + Rational(1, 12))) / (s + D)
_FORMULAS = {"average": (s + 3 * D) / (s + D)}

_c = Symbol("c", real=True)
_v = Symbol("v", nonnegative=True)


def derivation(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    """Return the steps, built from the stated expressions."""
    stationary = _v / (1 - _c**2)
    steps_sq = 12 * D  # the squared step, by the definition of D
    return (
        Identity(
            "unbiased",
            r"A desynchronised message is unbiased: only variances change.",
            expectation(lambda up: up - p, p),
            Integer(0),
        ),
        Identity(
            "stationary",
            r"The stationary solution of $V=c^2V+v$ is $\frac v{1-c^2}$: proportional to the variance $v$ of "
            r"the gradient estimate.",
            _c**2 * stationary + _v,
            stationary,
        ),
        Identity(
            "ratio",
            r"The ratio of the two variances, with $\delta^2=12D$.",
            (s + steps_sq * DESYNC.expressions["exact"]) / (s + D),
            stated["exact"],
        ),
        Identity(
            "synchronous",
            r"On the points of the grid it is 1.",
            stated["exact"].subs(p, 0),
            Integer(1),
        ),
        Certificate(
            "largest",
            r"It is at most the stated bound.",
            stated["exact"],
            stated["bound"],
            (Term(12 * D / (s + D), (p - HALF) ** 2, "square of a real number"),),
        ),
        Identity(
            "average",
            r"With the average $\frac14$ of `ndqsg/protocol-desync` it is as stated.",
            (s + steps_sq * DESYNC.expressions["average"]) / (s + D),
            stated["average"],
        ),
    )


CLAIM = Claim(
    id="ndqsg/finding-silent-desync",
    paper=PAPER,
    kind="finding",
    provenance="derived",
    title="A desynchronised dither is silent: unbiased, and lost in the noise of training",
    statement=(
        r"If sender and receiver do not use the same dither, the paper's method still trains: messages stay "
        r"unbiased, and with worker noise of variance $s$ per coordinate the variance of the gradient "
        r"estimate, and with it the stationary error of SGD on a quadratic, grows by $$\frac{s+12D\,(p(1-p)+"
        r"\frac1{12})}{s+D}\le\frac{s+4D}{s+D},$$ on average over the phase by $\frac{s+3D}{s+D}$. For "
        r"$s\ge18D$ that is less than 11 % on average, and at most 15.8 % at the worst phase. Accuracy "
        r"curves do not show it. What holds instead: the loss of variance is visible in the law of the "
        r"errors, and the fingerprint of the wire protocol (`ndqsg/protocol-desync`) refuses every such "
        r"message."
    ),
    variables=(
        PHASE,
        FINE_VARIANCE,
        Variable(s, r"\mathbb R_{\ge0}", "variance of a worker's gradient per coordinate"),
    ),
    assumptions=(
        DITHER,
        ROUNDING,
        r"The receiver's dither is independent of the sender's; the step $\delta$ is the same at all times.",
    ),
    derivation=lambda: derivation(expressions(_BOUND, _EXACT, _FORMULAS)),
    worst_cases=(
        WorstCase(
            "no worker noise, half a step: four times",
            {"s": 0, "D": Rational(1, 12), "p": HALF},
            Integer(4),
        ),
        WorstCase(
            "much worker noise: silent",
            {"s": Rational(19, 12), "D": Rational(1, 12), "p": HALF},
            Rational(23, 20),
        ),
    ),
    mutants=(
        Mutant(
            "loud",
            "Claim that a desynchronised message is biased, so that training would show it.",
            ("exact",),
        ),
        Mutant(
            "unseen-law",
            "Claim that the law of the errors does not show it either.",
            ("montecarlo",),
        ),
        Mutant(
            "no-noise",
            r"Claim the ratio with much noise for a problem without worker noise.",
            ("run",),
        ),
        Mutant(
            "swapped-ends",
            "Exchange the dithers of the two ends: the law does not change.",
            ("exact",),
            neutral=True,
        ),
    ),
    bound=_BOUND,
    exact=_EXACT,
    formulas=_FORMULAS,
)
