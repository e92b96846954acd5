r"""`ndqsg/nested-decoding`: what the nested receiver reconstructs (arXiv 1904.01197).

The receiver's $r\bmod^*k$ equals $(\alpha z+e)\bmod^*k$. If $|\alpha z|<\frac{k-1}2$ there is nothing to
reduce, and
$$\hat g-g=\delta[\alpha e-(1-\alpha^2)z],\qquad\mathbb E(\hat
g-g)^2=\delta^2\Big[\frac{\alpha^2}{12}+(1-\alpha^2)^2z^2\Big].$$

Derivation: $s=i-kn$ with an integer $n$ and $i=\alpha g/\delta+u+e$, so $r=\alpha z+e-kn$, and the reduction
forgets $kn$. Inside the margin $|\alpha z+e|<\frac k2$. The rest is an integral over $e$.
"""

from collections.abc import Mapping

from sympy import Expr, Integer, Rational, Symbol, floor, integrate, log

from theory.ndqsg.nested_symbols import (
    FINE_ERROR,
    HALF,
    INNOVATION,
    NESTED,
    UNIFORM_ERROR,
    e,
    mean_over_error,
    with_integers_outside,
    z,
)
from theory.ndqsg.paper import PAPER
from theory.ndqsg.symbols import DITHER, GAIN, RATIO, ROUNDING, STEP, alpha, delta, k
from theory.old_form import Claim, Mutant, Variable, WorstCase, expressions
from theory.old_steps import Certificate, Identity, ScalarLemma, Step, Term

width = Symbol("width", positive=True)

_ERROR = delta * (alpha * e - (1 - alpha**2) * z)
_EXACT = delta**2 * (alpha**2 / 12 + (1 - alpha**2) ** 2 * z**2)
_MARGIN = (k - 1) / (2 * alpha)
_FORMULAS = {
    "reduced": z - k * floor(z / k + HALF),
    "error": _ERROR,
    "bias": -delta * (1 - alpha**2) * z,
    "margin": _MARGIN,
    "failure": alpha * z - (k - 1) / 2,
    "uniform_overload": (width - (k - 1) / 2) ** 2 / (2 * width),
    "bits": log(k) / log(2),
}

_g, _y, _u, _t, _k = (Symbol(name, real=True) for name in ("g", "y", "u", "t", "k"))
_n = Symbol("n", integer=True)
_gain, _size = (Symbol(name, positive=True) for name in ("alpha", "ell"))


def derivation(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    """Return the steps, built from the stated expressions."""
    return (*_reduction(stated), *_inside(stated), *_outside(stated))


def _reduction(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    def reduced(value: Expr) -> Expr:
        return with_integers_outside(stated["reduced"].xreplace({z: value}))

    return (
        Identity(
            "what-is-reduced",
            r"$r=s-u-\alpha y/\delta$ with $s=i-kn$ and $i=\alpha g/\delta+u+e$ is $\alpha z+e-kn$.",
            (alpha * _g / delta + _u + e - k * _n) - _u - alpha * _y / delta,
            alpha * (_g - _y) / delta + e - k * _n,
        ),
        Identity(
            "coset-is-forgotten",
            r"$(v-kn)\bmod^*k=v\bmod^*k$ for all real $v$ and integers $n$.",
            reduced(_t - k * _n),
            reduced(_t),
        ),
        Identity(
            "reduction-inside",
            r"For $v=k(t-\frac12)$ with $0\le t<1$, that is $-\frac k2\le v<\frac k2$, the reduction changes "
            "nothing.",
            reduced(k * (_t - HALF)).xreplace({floor(_t): Integer(0)}),
            k * (_t - HALF),
        ),
        Identity(
            "bits", r"$k$ symbols take $\log_22=1$ bit for $k=2$.", stated["bits"].subs(k, 2), Integer(1)
        ),
        Identity(
            "bits-add",
            r"The stated number of bits is a binary logarithm: $2^3$ symbols take 3 bits.",
            stated["bits"].subs(k, 8),
            Integer(3),
        ),
    )


def _inside(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    error, inner = stated["error"], "hypothesis: the innovation is inside the margin"
    above = (Term(2 * _gain, _at(stated["margin"]) - z, inner), Term(Integer(2), HALF - e, _ERROR_RANGE))
    below = (Term(2 * _gain, _at(stated["margin"]) + z, inner), Term(Integer(2), HALF + e, _ERROR_RANGE))
    return (
        *(
            ScalarLemma(
                name,
                rf"${sign}2\alpha z<k-1$ and ${sign}e\le\frac12$ imply ${sign}2(\alpha z+e)<k$ ($t$ is "
                r"$\alpha z$, $k$ any real number).",
                (factor * 2 * _t < _k - 1, factor * e <= HALF),
                factor * 2 * (_t + e) < _k,
                (
                    Term(Integer(1), _k - 1 - factor * 2 * _t, inner),
                    Term(Integer(2), HALF - factor * e, _ERROR_RANGE),
                ),
            )
            for name, sign, factor in (("margin-smt-above", "", 1), ("margin-smt-below", "-", -1))
        ),
        Certificate(
            "margin-above",
            r"$2(\alpha z+e)\le k$ where $z$ is at most the stated margin, strictly where it is smaller.",
            2 * (_gain * z + e),
            k,
            above,
        ),
        Certificate("margin-below", r"$-2(\alpha z+e)\le k$ likewise.", -2 * (_gain * z + e), k, below),
        Identity(
            "error",
            r"Then $\hat g-g=y+\alpha\delta(\alpha z+e)-g$ with $g=y+\delta z$ is the stated error.",
            alpha * delta * (alpha * z + e) - delta * z,
            error,
        ),
        Identity("mean", "Its mean over $e$ is the stated bias.", mean_over_error(error), stated["bias"]),
        Identity(
            "mean-square",
            "Its mean square over $e$ is the stated one.",
            mean_over_error(error**2),
            stated["exact"],
        ),
        Identity(
            "gain-one",
            r"At $\alpha=1$ the error is $\delta e$, that of the dithered quantizer with the fine step.",
            error.subs(alpha, 1),
            delta * e,
        ),
    )


def _outside(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    margin = _at(stated["margin"])
    # Beyond the margin by `ell` the errors above k/2 - alpha z leave the cell.
    return (
        Identity(
            "failure",
            r"Beyond the margin the share $\alpha z-\frac{k-1}2$ of the errors $e\ge\frac k2-\alpha z$ "
            r"leaves "
            "the cell (up to one step beyond it): the stated probability of failure.",
            mean_over_error(Integer(1), k / 2 - alpha * z, HALF),
            stated["failure"],
        ),
        Identity(
            "sharp",
            r"It is $\alpha\ell>0$ for $z$ beyond the stated margin by $\ell>0$: the margin is sharp.",
            stated["failure"].xreplace({alpha: _gain, z: margin + _size}),
            _gain * _size,
        ),
        Identity(
            "uniform",
            r"Averaged over $z$ uniform on $[-B,B]$ with $\frac{k-1}2\le B\le\frac{k+1}2$ and $\alpha=1$.",
            2 * integrate(stated["failure"].subs(alpha, 1).expand(), (z, (k - 1) / 2, width)) / (2 * width),
            stated["uniform_overload"],
        ),
    )


_ERROR_RANGE = r"hypothesis: the fine error is at most half a step"


def _at(formula: Expr) -> Expr:
    return formula.xreplace({alpha: _gain})


_MUTANTS = (
    Mutant(
        "dither-not-subtracted",
        r"Receiver without its dither, $r=s-y/\delta$: mean square error $3.1D$ instead of $D$.",
        ("exact", "montecarlo"),
    ),
    Mutant(
        "dither-added",
        r"$r=s+u-y/\delta$: $8D$.",
        ("exact",),
    ),
    Mutant(
        "no-side-information",
        r"Decode with $y=0$: the coset of zero, $53D$.",
        ("exact", "run"),
    ),
    Mutant(
        "receiver-ratio-four",
        r"The receiver reduces by 4 what the sender reduced by 3: $10.1D$.",
        ("exact", "montecarlo"),
    ),
    Mutant(
        "side-information-off-by-a-step",
        r"The receiver's $y$ is one fine step too high: $25D$.",
        ("exact",),
    ),
    Mutant(
        "floor-quantizer",
        r"The sender rounds down instead of to the nearest: $7D$.",
        ("exact",),
    ),
    Mutant(
        "ratio-two",
        r"$k=2$ at both ends for innovations up to one step, beyond its margin of half a step: $5D$.",
        ("exact",),
    ),
    Mutant(
        "no-modulo",
        r"The receiver does not reduce: $53D$.",
        ("exact",),
    ),
    Mutant(
        "gain-at-sender-only",
        r"The sender multiplies by $\alpha=0.9$, the receiver does not know: $1.82D$.",
        ("exact", "montecarlo"),
    ),
    Mutant(
        "half-k-margin",
        r"Claim the margin $\frac k{2\alpha}$: within it and outside the stated one decoding fails.",
        ("exact", "adversarial", "run"),
    ),
    Mutant(
        "other-coset-element",
        r"Send $i$ itself or $s+k$ in the place of $s$: nothing may change.",
        ("exact",),
        neutral=True,
    ),
)

OLD = Claim(
    id="ndqsg/nested-decoding",
    paper=PAPER,
    kind="identity",
    provenance="rederived",
    title="What the nested receiver reconstructs, and the margin within which it is exact",
    statement=(
        r"With $z=(g-y)/\delta$ and the fine error $e$, always $r\bmod^*k=(\alpha z+e)\bmod^*k$. If "
        r"$|z|<\frac{k-1}{2\alpha}$, decoding is right for every dither, $$\hat g-g=\delta[\alpha "
        r"e-(1-\alpha^2)z],\qquad\mathbb E[(\hat g-g)^2\mid g,y]=\delta^2\Big[\frac{\alpha^2}{12}+"
        r"(1-\alpha^2)^2z^2\Big],$$ with $e$ uniform and independent of $(g,y)$, and the mean of the error "
        r"is "
        r"$-\delta(1-\alpha^2)z$. At $\alpha=1$ this is the error of the dithered quantizer with step "
        r"$\delta$, for $\log_2k$ bits. The margin is sharp: beyond it by less than a step decoding fails "
        r"with probability $\alpha|z|-\frac{k-1}2>0$. For $z$ uniform on $[-B,B]$, $\alpha=1$, "
        r"$\frac{k-1}2\le B\le\frac{k+1}2$, it fails with probability $(B-\frac{k-1}2)^2/(2B)$."
    ),
    variables=(
        INNOVATION,
        FINE_ERROR,
        RATIO,
        GAIN,
        STEP,
        Variable(width, r"[\frac{k-1}2,\frac{k+1}2]", "$B$: the innovation is uniform on $[-B,B]$"),
    ),
    assumptions=(DITHER, ROUNDING, NESTED, UNIFORM_ERROR, r"$0<\alpha\le1$, $k\ge2$ an integer."),
    derivation=lambda: derivation(expressions(None, _EXACT, _FORMULAS)),
    worst_cases=(
        WorstCase(
            r"$k=3$, $\alpha=1$, inside the margin: $D$ whatever the innovation is",
            {"z": Rational(31, 32), "alpha": 1, "delta": 1},
            Rational(1, 12),
        ),
        WorstCase(
            r"gain $\frac9{10}$ at half a step: bias $-\frac{19}{200}$",
            {"z": HALF, "alpha": Rational(9, 10), "delta": 1},
            Rational(27, 400) + Rational(361, 40000),
        ),
    ),
    mutants=_MUTANTS,
    exact=_EXACT,
    formulas=_FORMULAS,
)
