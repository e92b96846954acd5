r"""`ndqsg/bits-at-equal-variance`: bits of dither, rounding and nesting at one variance (arXiv 1904.01197).

Derivation: dither has the error $\delta^2/12$, rounding $\delta^2/6$ on average, so its step is shorter by
$\sqrt2$; at fine steps an index costs $h(x)-\log_2\delta$ bits.
"""

from collections.abc import Mapping

from sympy import E, Expr, Integer, Rational, Symbol, expand_log, integrate, log, pi, sqrt

from theory.ndqsg.entropy_index import CLAIM as ENTROPY
from theory.ndqsg.paper import PAPER
from theory.ndqsg.symbols import DITHER, LEVELS, RATIO, STEP, M, delta, k
from theory.old_form import Claim, Mutant, Variable, WorstCase, expressions
from theory.old_steps import Certificate, Identity, StandardFact, Step, Term

V = Symbol("V", positive=True)
scale_bits = Symbol("scale_bits", nonnegative=True)
block = Symbol("block", integer=True, positive=True)

_p = Symbol("p", nonnegative=True)
_e = Symbol("e", real=True)
_half = Rational(1, 2)

_EXACT = (log(2 * M + 1) / log(2) + log(k) / log(2)) / 2 + scale_bits / block
_FORMULAS = {
    "dither_step": sqrt(12 * V),
    "rounding_step": sqrt(6 * V),
    "fine": log(2 * pi * E / delta**2) / (2 * log(2)),
    "gauss_rate": log(1 / V) / (2 * log(2)),
    "saving": _half,
    "gap": log(2 * pi * E / 12) / (2 * log(2)),
    "raw": log(2 * M + 1) / log(2) + scale_bits / block,
    "raw_nested": log(k) / log(2) + scale_bits / block,
}

# V; step of dither, H(q), H(q | u); step of rounding, its entropy; rate of the normal law.
TABLE = (
    (
        "0.1",
        ("1.09544511501", "2.04708706279", "1.98432713952"),
        ("0.774596669241", "2.4843294003"),
        "1.66096404744",
    ),
    (
        "0.01",
        ("0.346410161514", "3.59082700421", "3.58372007578"),
        ("0.244948974278", "4.08372007609"),
        "3.32192809489",
    ),
    (
        "0.001",
        ("0.109544511501", "5.23894773142", "5.23822746424"),
        ("0.0774596669241", "5.73822746424"),
        "4.98289214233",
    ),
)
# Entropy of the coset symbols at V = 0.1 for k = 2, 3, 4.
COSETS = ((2, "0.999872998506"), (3, "1.568027242570"), (4, "1.872599110400"))


def derivation(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    """Return the steps, built from the stated expressions."""
    dither, rounding = stated["dither_step"], stated["rounding_step"]
    fine = stated["fine"]
    return (
        Identity(
            "dither",
            r"The stated step of dither has the variance $\int_{-1/2}^{1/2}\delta^2e^2\,de=V$.",
            integrate(dither**2 * _e**2, (_e, -_half, _half)),
            V,
        ),
        Identity(
            "rounding",
            r"The stated step of rounding has the variance $\delta^2\int_0^1p(1-p)\,dp=V$, the mean over the "
            r"phase.",
            integrate((rounding**2 * _p * (1 - _p)).expand(), (_p, 0, 1)),
            V,
        ),
        StandardFact(
            "fine-steps",
            r"As $\delta\to0$, $H(q\mid u)=h(x+\delta e)-\log_2\delta\to h(x)-\log_2\delta$, and the phase "
            r"of $x$ becomes uniform; $h=\frac12\log_2(2\pi e)$ for $N(0,1)$.",
            "T. M. Cover and J. A. Thomas, Elements of Information Theory, 2nd ed., theorems 8.3.1 and 8.4.1",
        ),
        Identity(
            "fine",
            r"The stated bits at fine steps are $\frac12\log_2(2\pi e)-\log_2\delta$.",
            fine * log(2),
            log(2 * pi) / 2 + _half - log(delta),
        ),
        Identity(
            "saving",
            r"Rounding needs the stated half bit more.",
            expand_log(fine.subs(delta, rounding) - fine.subs(delta, dither), factor=True),
            stated["saving"],
        ),
        StandardFact(
            "rate-distortion",
            r"$R(V)=\frac12\log_2\frac1V$ for $N(0,1)$ and mean squared error $V<1$.",
            "T. M. Cover and J. A. Thomas, Elements of Information Theory, 2nd ed., theorem 10.3.2",
        ),
        Identity(
            "gauss-rate",
            r"It is the stated rate.",
            stated["gauss_rate"] * log(2),
            -log(V) / 2,
        ),
        Identity(
            "gap",
            r"Dither at fine steps is above it by the stated gap, whatever $V$,",
            fine.subs(delta, dither),
            stated["gauss_rate"] + stated["gap"],
        ),
        Identity(
            "gap-number",
            r"which is $\frac12\log_2\frac{\pi e}6$.",
            stated["gap"] * log(2),
            (log(pi) + 1 - log(6)) / 2,
        ),
        Certificate(
            "gap-positive",
            r"It is positive.",
            Integer(0),
            stated["gap"],
            (Term(1 / (2 * log(2)), log(pi) + 1 - log(6), "a positive number"),),
        ),
        *_raw(stated),
    )


def _raw(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    scales = scale_bits / block
    return (
        Identity(
            "raw",
            r"A message of DQSG has the raw bits of `ndqsg/entropy-index` and its part of a scale.",
            stated["raw"],
            ENTROPY.formulas["raw"] + scales,
        ),
        Identity(
            "raw-nested",
            r"A message of NDQSG has $k$ symbols, $2^{\log_2k}=k$.",
            stated["raw_nested"] * log(2) - scales * log(2),
            log(k),
        ),
        Identity(
            "half-half",
            r"Half of the workers each: the stated mean.",
            stated["exact"],
            (stated["raw"] + stated["raw_nested"]) / 2,
        ),
    )


_MUTANTS = (
    Mutant(
        "rounding-like-dither",
        r"$\delta^2/12$ as the variance of rounding: its step has twice the variance.",
        ("exact", "montecarlo"),
    ),
    Mutant(
        "one-symbol-less",
        r"$\log_2(2M)$ raw bits for the $2M+1$ indices.",
        ("exact",),
    ),
    Mutant(
        "no-scale-bits",
        r"Scales are not counted: at blocks of 16 they are 4 bits per coordinate.",
        ("exact",),
    ),
    Mutant(
        "other-unit",
        r"Measure $x$ and the steps in another unit: nothing may change.",
        ("exact",),
        neutral=True,
    ),
)

CLAIM = Claim(
    id="ndqsg/bits-at-equal-variance",
    paper=PAPER,
    kind="identity",
    provenance="abstract",
    title="Bits per coordinate of dither, rounding and nesting at equal error variance",
    statement=(
        r"For $x\sim N(0,1)$ and the error variance $V$ per coordinate DQSG has the step $\sqrt{12V}$ and "
        r"stochastic rounding $\sqrt{6V}$. At fine steps the conditional entropy of the index is "
        r"$\frac12\log_2\frac{2\pi e}{\delta^2}$: dither saves half a bit against rounding and is "
        r"$\frac12\log_2\frac{2\pi e}{12}=0.2546$ bit above the rate-distortion function "
        r"$\frac12\log_2\frac1V$. Exact entropies at $V=0.1,0.01,0.001$ are in the table of the worst cases. "
        r"Raw, NDQSG sends $\log_2k$ for $\log_2(2M+1)$; half of the workers each, with scales of $N$ bits "
        r"for blocks of $b$, send $$\tfrac12\big(\log_2(2M+1)+\log_2k\big)+\tfrac Nb$$ bits per coordinate, "
        r"2.196 for $M=k=3$ but for the scales. The coset symbols are nearly uniform, so coding them gains "
        r"almost nothing."
    ),
    variables=(
        Variable(V, r"(0,1)", "error variance per coordinate"),
        STEP,
        LEVELS,
        RATIO,
        Variable(scale_bits, r"\mathbb R_{\ge0}", r"$N$, bits of a scale"),
        Variable(block, r"\mathbb N", r"$b$, coordinates of a block"),
    ),
    assumptions=(
        DITHER,
        r"The error of rounding is averaged over the phase, which is uniform up to $e^{-2\pi^2/\delta^2}$ "
        r"for $N(0,1)$.",
    ),
    derivation=lambda: derivation(expressions(None, _EXACT, _FORMULAS)),
    worst_cases=(
        *(
            WorstCase(
                rf"$N(0,1)$ at $V={variance}$",
                {
                    "V": variance,
                    "dither_step": dither[0],
                    "index": dither[1],
                    "conditional": dither[2],
                    "rounding_step": rounding[0],
                    "rounding_index": rounding[1],
                    "rate": rate,
                },
            )
            for variance, dither, rounding, rate in TABLE
        ),
        *(
            WorstCase(
                rf"entropy of the coset symbols at $V=0.1$, $k={ratio}$", {"k": ratio, "coset": entropy}
            )
            for ratio, entropy in COSETS
        ),
    ),
    mutants=_MUTANTS,
    exact=_EXACT,
    formulas=_FORMULAS,
)
