r"""`ndqsg/finding-silent-desync`: a desynchronised dither does not show in training (arXiv 1904.01197)."""

from typing import Any

from sympy import IndexedBase, Integer, Rational, Symbol

from theory.claim import Claim, Hypothesis, Part, Relation, Variable, WorstCase
from theory.expectation import bernoulli
from theory.formula import eq, le, lt, ne
from theory.ndqsg.dither.dq_uniform_error import power_integral
from theory.ndqsg.paper import PAPER

s, D, p, c, one, v, w, mean, average = (
    Symbol(name, real=True) for name in ("s", "D", "p", "c", "one", "v", "w", "mean", "average")
)
E_plain, E_off = (Symbol(name, real=True) for name in ("E_plain", "E_off"))
b = IndexedBase("b", real=True)
HALF, TWELFTH = Rational(1, 2), Rational(1, 12)

_EXACT = (s + 12 * D * (p * (1 - p) + TWELFTH)) / (s + D)
_BOUND = (s + 4 * D) / (s + D)
_AVERAGE = (s + 3 * D) / (s + D)


def _rounded(term: Any) -> Any:
    return bernoulli(term, b, (one, 0, 0), p=p)


def _ramp(n: int) -> Any:
    return power_integral(n, Integer(0), Integer(1))


CLAIM = Claim(
    id="ndqsg/finding-silent-desync",
    kind="finding",
    provenance="derived",
    title="A desynchronised dither is silent: unbiased, and lost in the noise of training",
    position=8,
    paper=PAPER,
    setting=(
        r"Sender and receiver use independent dithers instead of the same one. Let $s$ be the variance of a "
        r"worker's gradient per coordinate, $D>0$ the error variance of a synchronous pair, a twelfth of "
        r"the squared step, and $p$ the phase of a coordinate, in steps. The gradient estimate has the "
        r"variance $v$ with a synchronous pair and $w$ without."
    ),
    parts=(
        Part(
            "a",
            r"Messages stay unbiased: rounding up with probability $p$ and down otherwise has a mean error "
            r"$\mu=0$, and so has the receiver's own dither.",
            says=("unbiased",),
            evidence=("proof", "exact/bias"),
        ),
        Part(
            "b",
            r"The variance grows by $$\frac wv=\frac{s+12D\Big(p(1-p)+\frac1{12}\Big)}{s+D}.$$",
            says=("ratio",),
            evidence=("proof", "exact/ratio"),
        ),
        Part(
            "c",
            r"That is $\frac wv\le\frac{s+4D}{s+D}$ at every phase.",
            says=("bound",),
            evidence=("proof", "exact/bound", "run/noisy training"),
        ),
        Part(
            "d",
            r"On average over the phase it is $A=\frac{s+3D}{s+D}$.",
            says=("average",),
            evidence=("proof", "exact/average"),
        ),
        Part(
            "e",
            r"If $18D\le s$, then $A\le1+\frac2{19}$ on average and $\frac wv\le1+\frac3{19}$ at the worst "
            r"phase.",
            says=("small-average", "small-worst"),
            evidence=("proof",),
        ),
        Part(
            "f",
            r"The stationary error $V$ of SGD on a quadratic is proportional to the variance: if "
            r"$V=c^2V+v$, $V'=c^2V'+w$ and $c^2\ne1$, then $vV'=wV$.",
            says=("stationary",),
            evidence=("proof",),
        ),
        Part(
            "g",
            r"The errors themselves have a larger variance off the grid, $0<p$: "
            r"$D<12D\Big(p(1-p)+\frac1{12}\Big)$.",
            says=("larger",),
            evidence=("proof",),
        ),
        Part(
            "h",
            r"What holds instead: the law of the errors shows it at three inputs, and the wire protocol "
            r"refuses such messages (`ndqsg/protocol-desync`).",
            evidence=("montecarlo/law of the errors",),
        ),
    ),
    variables=(
        Variable(s, "s", r"\mathbb R_{\ge0}", "variance of a worker's gradient per coordinate"),
        Variable(D, "D", r"\mathbb R_{>0}", "error variance of a synchronous pair"),
        Variable(p, "p", "[0,1)", "fractional part of the input in units of the step"),
        Variable(v, "v", r"\mathbb R_{>0}", "variance of the estimate, synchronous"),
        Variable(w, "w", r"\mathbb R_{>0}", "variance of the estimate, desynchronised"),
        Variable(mean, r"\mu", r"\mathbb R", "mean error of rounding"),
        Variable(average, "A", r"\mathbb R_{>0}", "average of the ratio over the phase"),
        Variable(c, "c", r"\mathbb R", "contraction factor of SGD"),
        Variable(E_plain, "V", r"\mathbb R_{\ge0}", "stationary error, synchronous"),
        Variable(E_off, "V'", r"\mathbb R_{\ge0}", "stationary error, desynchronised"),
    ),
    hypotheses={
        "signs": Hypothesis(
            "domain", (le(0, s), lt(0, D), le(0, p), lt(p, 1)), r"$s\ge0$, $D>0$, $0\le p<1$"
        ),
        "estimates": Hypothesis(
            "definition",
            (eq(v, s + D), eq(w, s + 12 * D * (_rounded((b[0] - p) ** 2) + TWELFTH))),
            "the worker's variance and that of the error: of rounding up or down by the phase, and of the "
            "receiver's own dither, in squared steps",
        ),
        "mean": Hypothesis("definition", eq(mean, _rounded(b[0] - p)), "the mean error of rounding"),
        "average": Hypothesis(
            "definition",
            eq(average * (s + D), s + 12 * D * (_ramp(1) - _ramp(2) + TWELFTH)),
            "the integral over the phase",
        ),
        "off-grid": Hypothesis("parameter", lt(0, p), "$0<p$"),
        "noisy": Hypothesis("parameter", le(18 * D, s), r"$18D\le s$"),
        "recursion": Hypothesis(
            "parameter",
            (eq(E_plain, c**2 * E_plain + v), eq(E_off, c**2 * E_off + w), ne(c**2, 1)),
            r"$V=c^2V+v$, $V'=c^2V'+w$, $c^2\ne1$",
        ),
    },
    relations={
        "unbiased": Relation((mean, 0), ("=",)),
        "ratio": Relation((w / v, _EXACT), ("=",)),
        "bound": Relation((w / v, _BOUND), ("<=",)),
        "average": Relation((average, _AVERAGE), ("=",)),
        "small-average": Relation((average, 1 + Rational(2, 19)), ("<=",), under=("noisy",)),
        "small-worst": Relation((w / v, 1 + Rational(3, 19)), ("<=",), under=("noisy",)),
        "larger": Relation((D, 12 * D * (p * (1 - p) + TWELFTH)), ("<",), under=("off-grid",)),
        "stationary": Relation((v * E_off, w * E_plain), ("=",), under=("recursion",)),
    },
    formulas={"bound": _BOUND, "exact": _EXACT, "average": _AVERAGE},
    worst_cases=(
        WorstCase("no worker noise, half a step: four times", {"s": 0, "D": TWELFTH, "p": HALF}, Integer(4)),
        WorstCase(
            "much worker noise: silent",
            {"s": Rational(19, 12), "D": TWELFTH, "p": HALF},
            Rational(23, 20),
        ),
    ),
)


def derive(K: Any) -> None:
    """Prove the relations."""
    K.example({s: 36, D: 2, p: Rational(1, 4), c: HALF, average: Rational(21, 19)})
    K.example({s: 36, D: 2, p: Rational(1, 4), c: HALF, E_plain: Rational(152, 3), E_off: Rational(170, 3)})
    K.know(K.cert(le(0, p * (1 - p)), (p, 1 - p)))
    K.conclude("unbiased", K.cert(eq(mean, Integer(0)), (1, K.given("mean"))))
    plain, other = K.given("estimates"), K.given("estimates", 1)
    positive = K.cert(lt(0, v), (-1, plain), (1, s), (1, K.given("signs", 1)))
    K.know(positive)
    ratio = K.cert(eq(w / v, _EXACT), using=[plain, other])
    K.conclude("ratio", ratio)
    bound = K.cert(le(w / v, _BOUND), (1, ratio), (12 * D / (s + D), (p - HALF) ** 2))
    K.conclude("bound", bound)
    average_value = K.cert(eq(average, _AVERAGE), (1 / (s + D), K.given("average")))
    K.conclude("average", average_value)
    K.know(K.given("noisy"))
    for name, start, value, extra in (
        ("small-average", average_value, average, 2),
        ("small-worst", bound, w / v, 3),
    ):
        goal = le(value, 1 + Rational(extra, 19))
        found = K.cert(goal, (1, start), (Rational(extra, 19) / (s + D), K.given("noisy")))
        K.conclude(name, found)
    K.know(K.given("off-grid"))
    K.conclude("larger", K.cert(lt(D, 12 * D * (p * (1 - p) + TWELFTH)), (12 * D * p, K.given("signs", 3))))
    first, second = K.given("recursion"), K.given("recursion", 1)
    K.conclude("stationary", K.cert(eq(v * E_off, w * E_plain), (-E_off, first), (E_plain, second)))
