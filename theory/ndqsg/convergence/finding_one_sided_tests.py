r"""`ndqsg/finding-one-sided-tests`: an upper bound cannot tell dither from rounding (arXiv 1904.01197)."""

from typing import Any

from sympy import IndexedBase, Rational, Sum, Symbol, sqrt

from theory.claim import Claim, Hypothesis, Part, Relation, Variable, WorstCase
from theory.expectation import E, bernoulli
from theory.formula import IsInteger, eq, le, lt
from theory.ndqsg.paper import PAPER

P, delta, y, p, rounded, dithered = (
    Symbol(s, real=True) for s in ("P", "delta", "y", "p", "rounded", "dithered")
)
HALF = Rational(1, 2)
x, lam, eta = (Symbol(s, real=True) for s in ("x", "lam", "eta"))
after = {kind: Symbol(f"after_{kind}", real=True) for kind in "rd"}
b, e = (IndexedBase(s, real=True) for s in ("b", "e"))
WORKERS = (p, 0, P - 1)

_BOUND = delta**2 / (12 * P)
_ROUNDING = y * (delta - y) / P
_CROSSING = delta * (HALF - 1 / sqrt(6))
_OF_ROUNDED = bernoulli((Sum(delta * b[p] - y, WORKERS) / P) ** 2, b, WORKERS, p=y / delta)
_OF_DITHERED = E((Sum(e[p], WORKERS) / P) ** 2, e, WORKERS, mean=0, variance=delta**2 / 12)


def _step(variance: Any) -> Any:
    """Return the mean square of a coordinate after a step, from the variance of the average."""
    return (1 - eta * lam) ** 2 * x**2 + eta**2 * variance


CLAIM = Claim(
    id="ndqsg/finding-one-sided-tests",
    kind="finding",
    provenance="derived",
    title="One-sided bounds pass stochastic rounding on fixed-scale quadratics",
    position=24,
    paper=PAPER,
    setting=(
        r"The value of `ndqsg/quad-fixed-scale`, read as an upper bound, accepts an implementation that "
        r"forgets "
        r"to subtract the dither. $P$ workers send one coordinate $g$ of an exact gradient with a fixed step "
        r"$\delta$; $V_r$ is the variance of the average of their messages with rounding, $V_d$ with dither."
    ),
    parts=(
        Part(
            "a",
            r"For $|g|\le\delta$ $$V_r=\frac{|g|(\delta-|g|)}P,\qquad V_d=\frac{\delta^2}{12P}.$$",
            says=("rounding", "dither"),
            evidence=("proof", "exact/variance of rounding", "exact/variance of dither"),
        ),
        Part(
            "b",
            r"Rounding has the smaller one for small gradients: if "
            r"$|g|<\delta\big(\frac12-\frac1{\sqrt6}\big)$, then $V_r<V_d$.",
            says=("below",),
            evidence=("proof", "exact/order of the variances"),
        ),
        Part(
            "c",
            r"It vanishes at the solution: if $|g|=0$, then $V_r=0$, while $0<V_d$.",
            says=("vanishes", "stays"),
            evidence=("proof",),
        ),
        Part(
            "d",
            r"On the quadratic with $\lambda=(1,\frac12,\frac1{10})$, $x_0=(1,1,1)$, $\eta=\frac12$, "
            r"$\kappa=M=2$, $P=4$ the exact expectation of $\|x_T-x^*\|^2$ with rounding is 0.3995 at $T=10$ "
            r"and 0.000850 at $T=100$, with dither 0.4147 and 0.0723: every upper bound that holds with "
            r"dither "
            r"holds with rounding. A test of equality tells them apart.",
            evidence=(
                "exact/with rounding",
                "exact/with dither",
                "exact/accepted",
                "montecarlo/far below",
            ),
            pins={
                r"with $\lambda=(1,\frac12,\frac1{10})$, $x_0=(1,1,1)$, $\eta=\frac12$, $\kappa=M=2$, "
                r"$P=4$": ("exact/with dither"),
                r"of $\|x_T-x^*\|^2$ with rounding is 0.3995 at $T=10$ and 0.000850 at $T=100$": (
                    "exact/with rounding"
                ),
                "with dither 0.4147 and 0.0723": "exact/with dither",
                "every upper bound that holds with dither holds with rounding": "exact/accepted",
                "A test of equality tells them apart": "montecarlo/far below",
            },
        ),
        Part(
            "e",
            r"At a coordinate $x$ of curvature $\lambda$, $|g|=\lambda x$, a step of length $\eta$ gives "
            r"$\mathbb E_r(x^+)^2=(1-\eta\lambda)^2x^2+\eta^2V_r$ with rounding, $\mathbb "
            r"E_d(x^+)^2=(1-\eta\lambda)^2x^2+\eta^2V_d$ with dither.",
            says=("rounded-step", "dithered-step"),
            evidence=("proof",),
        ),
    ),
    variables=(
        Variable(P, "P", r"\mathbb N", "number of workers"),
        Variable(delta, r"\delta", r"\mathbb R_{>0}", "step"),
        Variable(y, "|g|", r"[0,\delta]", "modulus of the coordinate"),
        Variable(x, "x", r"\mathbb R_{\ge0}", "coordinate, from the solution"),
        Variable(lam, r"\lambda", r"\mathbb R_{>0}", "curvature"),
        Variable(eta, r"\eta", r"\mathbb R_{>0}", "length of a step"),
        *(
            Variable(
                after[kind], rf"\mathbb E_{kind}(x^+)^2", r"\mathbb R_{\ge0}", f"after a step with {word}"
            )
            for kind, word in (("r", "rounding"), ("d", "dither"))
        ),
        Variable(rounded, "V_r", r"\mathbb R_{\ge0}", "variance of the average with rounding"),
        Variable(dithered, "V_d", r"\mathbb R_{\ge0}", "variance of the average with dither"),
    ),
    notation={"g": "a coordinate of the gradient"},
    hypotheses={
        "sizes": Hypothesis("domain", (IsInteger(P), le(1, P)), r"$P\ge1$ is an integer"),
        "signs": Hypothesis("domain", (lt(0, delta), le(0, y)), r"$\delta>0$, $|g|\ge0$"),
        "reach": Hypothesis("parameter", le(y, delta), r"$|g|\le\delta$"),
        "rounding": Hypothesis(
            "definition",
            eq(rounded, _OF_ROUNDED),
            r"each worker sends a step of the sign of $g$ or 0, independently, with the probability that "
            r"makes "
            r"its expectation $g$",
        ),
        "dither": Hypothesis(
            "definition",
            eq(dithered, _OF_DITHERED),
            r"the errors of the workers are uncorrelated, with mean 0 and the variance of a uniform "
            r"variable on "
            r"a step",
            "ndqsg/dq-uniform-error",
        ),
        "coordinate": Hypothesis("parameter", eq(y, lam * x), r"$|g|=\lambda x$"),
        "steps": Hypothesis(
            "definition",
            (
                eq(
                    after["r"],
                    bernoulli((x - eta * Sum(delta * b[p], WORKERS) / P) ** 2, b, WORKERS, p=y / delta),
                ),
                eq(
                    after["d"],
                    E(
                        (x - eta * (y + Sum(e[p], WORKERS) / P)) ** 2,
                        *(e, WORKERS),
                        mean=0,
                        variance=delta**2 / 12,
                    ),
                ),
            ),
            "the expectations over the messages, of the coordinate less the step times their average",
        ),
        "small": Hypothesis("parameter", lt(y, _CROSSING), r"$|g|<\delta\big(\frac12-\frac1{\sqrt6}\big)$"),
        "zero": Hypothesis("parameter", eq(y, 0), "$|g|=0$"),
    },
    relations={
        "rounding": Relation((rounded, _ROUNDING), ("=",)),
        "dither": Relation((dithered, _BOUND), ("=",)),
        "below": Relation((rounded, dithered), ("<",), under=("small",)),
        "rounded-step": Relation((after["r"], _step(rounded)), ("=",), under=("coordinate", "steps")),
        "dithered-step": Relation((after["d"], _step(dithered)), ("=",), under=("coordinate", "steps")),
        "vanishes": Relation((rounded, 0), ("=",), under=("zero",)),
        "stays": Relation((0, dithered), ("<",)),
    },
    formulas={"bound": _BOUND, "rounding_variance": _ROUNDING, "crossing": _CROSSING},
    internal={"crossing": "said as the hypothesis of part (b)"},
    worst_cases=(
        WorstCase(
            r"one dimension, $P=4$, $\delta=1$, $|g|=\frac1{20}$: 0.57 times the variance of dither",
            {"y": Rational(1, 20), "delta": 1, "P": 4},
            Rational(19, 1600),
        ),
    ),
)


def derive(K: Any) -> None:
    """Prove the relations."""
    K.example({P: 2, delta: 1, y: Rational(1, 20), x: Rational(1, 10), lam: HALF, eta: HALF})
    K.example({P: 2, delta: 1, y: 0})
    rounding = K.cert(eq(rounded, _ROUNDING), (1, K.given("rounding")))
    dither = K.cert(eq(dithered, _BOUND), (1, K.given("dither")))
    K.conclude("rounding", rounding)
    K.conclude("dither", dither)
    for kind, name, start in (("r", "rounded-step", rounding), ("d", "dithered-step", dither)):
        moved = K.cert(
            eq(after[kind], _step(rounded if kind == "r" else dithered)),
            (1, K.given("steps", "rd".index(kind))),
            (-(eta**2), start),
            (-eta * (2 * x - eta * (y + lam * x)), K.given("coordinate")),
        )
        K.conclude(name, moved)
    # delta^2/12 - y (delta - y) is (c - y)(c - y + 2 delta/sqrt(6)) at the crossing c.
    gap = (_CROSSING - y + 2 * delta / sqrt(6)) / P
    K.know(K.given("small"), K.sign(lt(0, 2 * delta / sqrt(6))))
    positive = K.cert(lt(0, gap), (1 / P, K.given("small")), (1 / P, 2 * delta / sqrt(6)))
    K.know(positive)
    K.conclude("below", K.cert(lt(rounded, dithered), (1, rounding), (-1, dither), (gap, K.given("small"))))
    K.conclude("vanishes", K.cert(eq(rounded, 0), (1, rounding), using=[K.given("zero")]))
    K.conclude("stays", K.cert(lt(0, dithered), (-1, dither), (1, K.sign(lt(0, _BOUND)))))
