r"""`ndqsg/finding-one-sided-tests`: an upper bound can miss rounding for dither (arXiv 1904.01197)."""

from typing import Any

from sympy import IndexedBase, Rational, Symbol, sqrt, symbols

from theory.claim import Claim, Relation, Variable
from theory.formula import eq, lt
from theory.hypotheses import definition, domain, parameter
from theory.ndqsg.paper import PAPER
from theory.statement import statement
from theory.worst_cases import cases

P, delta, y, p, rounded, dithered = symbols("P delta y p rounded dithered", real=True)
HALF = Rational(1, 2)
x, lam, eta = symbols("x lam eta", real=True)
after = {kind: Symbol(f"after_{kind}", real=True) for kind in "rd"}
b, e = symbols("b e", cls=IndexedBase, real=True)

_BOUND = delta**2 / (12 * P)
_ROUNDING = y * (delta - y) / P
_CROSSING = delta * (HALF - 1 / sqrt(6))


def _step(variance: Any) -> Any:
    """Return the mean square of a coordinate after a step, from the variance of the average."""
    return (1 - eta * lam) ** 2 * x**2 + eta**2 * variance


# Distances after 1, 10 and 100 steps with rounding and with dither, and when the second becomes larger.
_MEASURED = {
    **{"rounded_1": Rational("1.73625"), "dithered_1": Rational("1.730625")},
    **{"rounded_10": Rational("0.3995"), "dithered_10": Rational("0.4147")},
    **{"rounded_100": Rational("0.000850"), "dithered_100": Rational("0.0723")},
    "accepted_from": 7,
}

CLAIM = Claim(
    id="ndqsg/finding-one-sided-tests",
    kind="finding",
    provenance="derived",
    title="One-sided bounds can pass stochastic rounding on fixed-scale quadratics",
    position=24,
    paper=PAPER,
    **statement(
        r"""
        The value of `ndqsg/quad-fixed-scale`, read as an upper bound, can accept an implementation that
        forgets to subtract the dither. $P$ workers send one coordinate $g$ of an exact gradient with a
        fixed step $\delta$; $V_r$ is the variance of the average of their messages with rounding, $V_d$
        with dither.
        (a: rounding, dither) For $|g|\le\delta$ $$V_r=\frac{|g|(\delta-|g|)}P,\qquad
          V_d=\frac{\delta^2}{12P}.$$ [proof; exact/variance of rounding; exact/variance of dither]
        (b: below) Rounding has the smaller one for small gradients: if
          $|g|<\delta\big(\frac12-\frac1{\sqrt6}\big)$, then $V_r<V_d$. [proof; exact/order of the
          variances]
        (c: vanishes, stays) It vanishes at the solution: if $|g|=0$, then $V_r=0$, while $0<V_d$. [proof]
        (d) On the quadratic <<with $\lambda=(1,\frac12,\frac1{10})$, $x_0=(1,1,1)$, $\eta=\frac12$,
          $\kappa=M=2$, $P=4$ -> exact/with dither>> the exact expectation <<of $\|x_T-x^*\|^2$ with
          rounding is -> exact/with rounding>> {value:rounded_10,4} <<at $T=10$ -> exact/with rounding>> and
          {value:rounded_100,6} <<at $T=100$ -> exact/with rounding>>, with dither {value:dithered_10,4} and
          {value:dithered_100,4}: <<from step -> exact/first accepted>> {value:accepted_from} <<to step 100
          every upper bound that holds with dither holds with rounding -> exact/accepted>>. <<A test of
          equality tells them apart -> montecarlo/far below>>. [exact/with rounding; exact/with dither;
          exact/accepted; exact/first accepted; montecarlo/far below]
        (e: rounded-step, dithered-step) At a coordinate $x$ of curvature $\lambda$, $|g|=\lambda x$, a step
          of length $\eta$ gives $\mathbb E_r(x^+)^2=(1-\eta\lambda)^2x^2+\eta^2V_r$ with rounding, $\mathbb
          E_d(x^+)^2=(1-\eta\lambda)^2x^2+\eta^2V_d$ with dither. [proof]
        (f) In the first steps of the run of (d) the value with dither, as an upper bound, does refute
          rounding: <<before step -> exact/first accepted>> {value:accepted_from} <<rounding is farther from
          the solution -> exact/farther in the first steps>>, <<at $T=1$ -> exact/with rounding>>
          {value:rounded_1,5} against {value:dithered_1,6}. [exact/first accepted; exact/farther in the
          first steps; exact/with rounding; exact/with dither]
        """
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
        Variable(b, "b", r"\{0,1\}^P", "which workers send a step", "(P,)"),
        Variable(e, "e", r"\mathbb R^P", "errors of the workers", "(P,)"),
    ),
    notation={"g": "a coordinate of the gradient"},
    hypotheses={
        "sizes": domain(r"$P\ge1$ is an integer"),
        "signs": domain(r"$\delta>0$, $|g|\ge0$"),
        "reach": parameter(r"$|g|\le\delta$"),
        "rounding": definition(
            r"$V_r=\mathbb E\bigl(\frac1{P^2}(\sum_p(\delta b_p-|g|))^2\bigr)$, over independent "
            r"$b_p\sim\mathrm{Bernoulli}(\frac{|g|}{\delta})$, $1\le p\le P$"
        ),
        "dither": definition(
            r"$V_d=\mathbb E\bigl(\frac1{P^2}(\sum_pe_p)^2\bigr)$, over uncorrelated $e_p$, $1\le "
            r"p\le P$, with mean $0$ and variance $\frac{\delta^2}{12}$",
            reference="ndqsg/dq-uniform-error",
        ),
        "coordinate": parameter(r"$|g|=\lambda x$"),
        "steps": definition(
            r"$\mathbb E_r(x^+)^2=\mathbb E\bigl((x-\frac{\eta}{P}\sum_p\delta b_p)^2\bigr)$, over "
            r"independent $b_p\sim\mathrm{Bernoulli}(\frac{|g|}{\delta})$, $1\le p\le P$; "
            r"$\mathbb E_d(x^+)^2=\mathbb E\bigl((x-\eta(|g|+\frac1P\sum_pe_p))^2\bigr)$, over "
            r"uncorrelated $e_p$, $1\le p\le P$, with mean $0$ and variance $\frac{\delta^2}{12}$"
        ),
        "small": parameter(r"$|g|<\delta\big(\frac12-\frac1{\sqrt6}\big)$"),
        "zero": parameter("$|g|=0$"),
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
    formulas={"bound": _BOUND, "rounding_variance": _ROUNDING, "crossing": _CROSSING, **_MEASURED},
    values=_MEASURED,
    internal={
        **dict.fromkeys(_MEASURED, "slots of parts (d) and (f)"),
        "crossing": "said as the hypothesis of part (b)",
    },
    worst_cases=cases(r"""
        one dimension, $P=4$, $\delta=1$, $|g|=\frac1{20}$: less than the variance of dither | y = 1/20,
          delta = 1, P = 4 | 19/1600
    """),
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
