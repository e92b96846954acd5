r"""`ndqsg/protocol-desync`: what a receiver with the wrong dither makes of a message (arXiv 1904.01197).

With an independent dither $u'$ at the receiver the message stays unbiased, with error variance
$\delta^2[p(1-p)+\frac1{12}]$, $p=\{g/\delta\}$: invisible in accuracy curves, so the protocol must detect it.

Derivation: $\hat g-g=(Q(x+u)-x)-u'$ with independent terms; $Q(x+u)$ is the unbiased two-point rounding.
"""

from collections.abc import Mapping

from sympy import Expr, Integer, Rational, Symbol, symbols

from theory.ndqsg.dither_moments import FRACTION, HALF, PHASE, POINTS, N, definite, error_moment, p
from theory.ndqsg.paper import PAPER
from theory.ndqsg.symbols import RATIO, ROUNDING, k
from theory.old_form import Claim, Mutant, WorstCase, expressions
from theory.old_steps import Certificate, Identity, ScalarLemma, StandardFact, Step, Term
from theory.two_point_law import INDEPENDENCE, expectation

_EXACT = p * (1 - p) + Rational(1, 12)
_BOUND = Rational(1, 3)
_FORMULAS = {
    "average": Rational(1, 4),
    "finite": p * (1 - p) + (1 - N**-2) / 12,
    "margin": (k - 3) / 2,
}

_u = Symbol("u", real=True)
_z, _e, _a, _b, _m = symbols("z e u v m", real=True)

_INSIDE = "hypothesis: the innovation is inside the margin"
_SMALL = "hypothesis: errors and dithers are at most half a step"

PERIODIC = StandardFact(
    "two-point-rounding",
    r"$Q(x+u)$ with $u\sim U[-\frac12,\frac12)$ is $\lfloor x\rfloor+1$ with probability $\{x\}$ and "
    r"$\lfloor x\rfloor$ otherwise.",
    "L. Schuchman, Dither signals and their effect on quantization noise, IEEE Transactions on "
    "Communication Technology, 1964",
)


def derivation(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    """Return the steps, built from the stated expressions."""
    rounding = expectation(lambda up: (up - p) ** 2, p)
    grid = (1 - N**-2) / 12
    return (
        PERIODIC,
        Identity("mean", r"$\mathbb EQ(x+u)-x=0$.", expectation(lambda up: up - p, p), Integer(0)),
        INDEPENDENCE,
        Identity(
            "variance",
            r"The two terms $Q(x+u)-x$ and $u'$ have the variances $p(1-p)$ and $\frac1{12}$.",
            rounding + definite(_u**2, _u, -HALF, HALF),
            stated["exact"],
        ),
        Identity(
            "synchronous",
            r"On the points of the grid, $p=0$, it is the variance of a synchronous pair: nothing shows.",
            stated["exact"].subs(p, 0),
            error_moment(2, FRACTION),
        ),
        Certificate(
            "largest",
            r"It is at most the stated bound, four times that variance.",
            stated["exact"],
            stated["bound"],
            (Term(Integer(1), (p - HALF) ** 2, "square of a real number"),),
        ),
        Identity(
            "attained",
            r"At $p=\frac12$ it is the stated bound.",
            stated["exact"].subs(p, HALF),
            stated["bound"],
        ),
        Identity(
            "average",
            r"Averaged over $p$ it is the stated value, three times the variance of a synchronous pair.",
            definite(stated["exact"], p, Integer(0), Integer(1)),
            stated["average"],
        ),
        Identity(
            "finite",
            r"With $N\times N$ points and an integer $Nx$, where $Q(x+u)$ rounds up at $pN$ of the points: "
            r"as stated.",
            rounding + grid,
            stated["finite"],
        ),
        Identity(
            "margin",
            r"A nested message decodes to its cell only if $|z+e+u-u'|<\frac k2$: the stated margin leaves "
            r"room for the errors $|e|\le\frac12$ and $|u-u'|<1$, which fill it.",
            stated["margin"] + HALF + 1,
            k / 2,
        ),
        ScalarLemma(
            "nested-margin-above",
            r"With the margin $m=\frac k2-\frac32$, $z<m$, $e\le\frac12$ and $-\frac12\le u,u'\le\frac12$ "
            r"it is $z+e+u-u'<m+\frac32=\frac k2$ ($v$ is $u'$).",
            (_z < _m, _e <= HALF, _a <= HALF, _b >= -HALF),
            _z + _e + _a - _b < _m + 3 * HALF,
            (
                Term(Integer(1), _m - _z, _INSIDE),
                Term(Integer(1), HALF - _e, _SMALL),
                Term(Integer(1), HALF - _a, _SMALL),
                Term(Integer(1), HALF + _b, _SMALL),
            ),
        ),
        ScalarLemma(
            "nested-margin-below",
            r"With $-m<z$ and $-\frac12\le e$ likewise $-m-\frac32<z+e+u-u'$.",
            (-_m < _z, _e >= -HALF, _a >= -HALF, _b <= HALF),
            -_m - 3 * HALF < _z + _e + _a - _b,
            (
                Term(Integer(1), _m + _z, _INSIDE),
                Term(Integer(1), HALF + _e, _SMALL),
                Term(Integer(1), HALF + _a, _SMALL),
                Term(Integer(1), HALF - _b, _SMALL),
            ),
        ),
    )


CLAIM = Claim(
    id="ndqsg/protocol-desync",
    paper=PAPER,
    kind="identity",
    provenance="derived",
    title="A desynchronised dither is unbiased with up to four times the variance; the protocol detects it",
    statement=(
        r"Let the receiver subtract a dither $u'$ that is independent of the sender's $u$. Then DQSG stays "
        r"unbiased, and in units of the step, with $p=\{g/\delta\}$, $$\mathbb E(\hat "
        r"g-g)^2/\delta^2=p(1-p)+\frac1{12}\le\frac13,$$ on average $\frac14$ over $p$: up to $4D$, on "
        r"average $3D$. With $N$ points for each dither and an integer $Ng/\delta$ it is "
        r"$p(1-p)+\frac{1-N^{-2}}{12}$. For the nested quantizer the margin shrinks from $\frac{k-1}2$ to "
        r"$\frac{k-3}2$ steps. The wire protocol refuses such messages: another seed, iteration, worker or "
        r"tensor raises `DesyncError`, a changed bit `CorruptMessage`."
    ),
    variables=(PHASE, POINTS, RATIO),
    assumptions=(
        r"The dithers $u$ and $u'$ are uniform on $[-\frac12,\frac12)$ and independent.",
        ROUNDING,
        "The receiver keeps counters and its own seed; a CRC of 32 bits misses a changed message with "
        r"probability $2^{-32}$.",
    ),
    derivation=lambda: derivation(expressions(_BOUND, _EXACT, _FORMULAS)),
    worst_cases=(
        WorstCase("half a step", {"p": HALF}, Rational(1, 3)),
        WorstCase("a quarter of a step", {"p": Rational(1, 4)}, Rational(13, 48)),
        WorstCase("a tenth of a step", {"p": Rational(1, 10)}, Rational(13, 75)),
    ),
    mutants=(
        Mutant("side-of-all-but-one", "Side information divided by one message less.", ("exact",)),
        Mutant("dither-of-next", "The server takes the dithers of the next iteration.", ("exact",)),
        Mutant(
            "synchronous-variance",
            r"Claim the variance $\frac1{12}$ of a synchronous pair for a desynchronised one; at $p=0$ "
            r"nothing shows.",
            ("exact", "adversarial", "montecarlo"),
        ),
        Mutant(
            "synchronous-margin",
            r"Claim the margin $\frac{k-1}2$ of a synchronous nested pair for a desynchronised one.",
            ("exact",),
        ),
        Mutant(
            "no-fingerprint",
            "A receiver that does not compare fingerprints: another seed decodes without an error.",
            ("run",),
        ),
        Mutant(
            "no-counter",
            "A receiver that does not compare the iteration: a replayed message is accepted.",
            ("run",),
        ),
        Mutant(
            "frozen-dither",
            "The same dither in every iteration: at a constant gradient the normalised errors repeat.",
            ("exact", "run"),
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
