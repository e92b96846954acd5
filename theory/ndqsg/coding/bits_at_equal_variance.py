r"""`ndqsg/bits-at-equal-variance`: bits of dither, rounding and nesting at one variance."""

from typing import Any

from sympy import E as EULER
from sympy import IndexedBase, Integer, Rational, Sum, log, pi, sqrt, symbols

from theory.claim import Claim, Relation, Variable, WorstCase
from theory.formula import eq, le, lt
from theory.hypotheses import domain, model, parameter
from theory.ndqsg.paper import PAPER
from theory.statement import statement

V, delta, rounding, square, other, h, wide, M = symbols("V delta rounding square other h wide M", real=True)
sigma = symbols("sigma", real=True)
k, scale_bits, block, j, workers = symbols("k scale_bits block j workers", real=True)
# Error of dithered rounding, and fractional part of x: its phase.
e, p = IndexedBase("e", real=True), IndexedBase("p", real=True)
cosets = IndexedBase("c", real=True)
HALF, UNIFORM = Rational(1, 2), Rational(1, 12)


def _bits(argument: Any) -> Any:
    return log(argument) / log(2)


_DITHER, _ROUNDING = sqrt(12 * V), sqrt(6 * V)
_RATE = HALF * _bits(1 / V)
_LEAST, _WIDER = h - _bits(delta), HALF * _bits(1 + delta**2 / (12 * sigma**2))
_RAW, _NESTED = _bits(2 * M + 1) + scale_bits / block, _bits(k) + scale_bits / block
_DISTANCE = k * Sum((cosets[j] - 1 / k) ** 2, (j, 0, k - 1)) / log(2)
_COSETS = -Sum(cosets[j] * log(cosets[j]), (j, 0, k - 1)) / log(2)
_EXACT = (_bits(2 * M + 1) + _bits(k)) / 2 + scale_bits / block


# V; step of dither, H(q), H(q | u); step of rounding, its entropy; rate of the normal law.
TABLE = (
    ("0.1 1.09544511501 2.04708706279 1.98432713952 0.774596669241 2.4843294003 1.66096404744"),
    ("0.01 0.346410161514 3.59082700421 3.58372007578 0.244948974278 4.08372007609 3.32192809489"),
    ("0.001 0.109544511501 5.23894773142 5.23822746424 0.0774596669241 5.73822746424 4.98289214233"),
)
COLUMNS = ("V", "dither_step", "index", "conditional", "rounding_step", "rounding_index", "rate")
# Entropy of the coset symbols at V = 0.1 for k = 2, 3, 4.
COSETS = ((2, "0.999872998506"), (3, "1.568027242570"), (4, "1.872599110400"))

_COSET_GAIN = Rational(13, 100)

CLAIM = Claim(
    id="ndqsg/bits-at-equal-variance",
    kind="identity",
    provenance="abstract",
    title="Bits per coordinate of dither, rounding and nesting at equal error variance",
    position=18,
    paper=PAPER,
    **statement(
        r"""
        $V$ is the error variance per coordinate, $\delta$ the step of DQSG and $\delta'$ that of stochastic
        rounding, which receive $\hat x$ and $\hat x'$. $q$ is the index of $x$ with the dither $u$, $h(x)$
        the differential entropy of $x$ in bits.
        (a: dither) If $\delta^2=12V$, DQSG has the error $$\mathbb E(\hat x-x)^2=V.$$ [proof; exact/step of
          dither; montecarlo/error of dither]
        (b: rounding) If $(\delta')^2=6V$, stochastic rounding has it, too, averaged over a uniform phase of
          $x$, not at each $x$: $$\mathbb E(\hat x'-x)^2=V.$$ [proof; exact/step of rounding;
          exact/variance of rounding; montecarlo/error of rounding]
        (c: entropy) For normal $x$ of standard deviation $\sigma$ $$h(x)-\log_2\delta\le h(x+\delta
          e)-\log_2\delta\le
          h(x)-\log_2\delta+\frac12\log_2\Big(1+\frac{\delta^2}{12\sigma^2}\Big),$$ where the middle is <<the
          entropy $H(q\mid u)$ of the index -> exact/fine steps from above>> by `ndqsg/entropy-index`: two
          theorems of a textbook (the hypothesis), not proved here. [exact/fine steps from below; exact/fine
          steps from above]
        (d: fine-dither, fine-rounding, saving) <<At fine steps, where the lower bound is what an index
          costs -> exact/saving>>, dither saves half a bit against rounding:
          $h(x)-\log_2\delta=h(x)-\frac12\log_2(12V)$ if $\delta^2=12V$,
          $h(x)-\log_2\delta'=h(x)-\frac12\log_2(6V)$ if $(\delta')^2=6V$, and
          $$\Big(h(x)-\frac12\log_2(6V)\Big)-\Big(h(x)-\frac12\log_2(12V)\Big)=\frac12.$$ [proof;
          exact/saving]
        (e: gap) The lower bound of (c) is above <<the rate-distortion function of $N(0,1)$,
          $\frac12\log_2\frac1V$ -> exact/rate>>, by the same number of bits at every $V$; <<$H(q\mid u)$
          is above it by at least that -> exact/fine steps from below>>. If $\delta^2=12V$,
          $$(h(x)-\log_2\delta)-\frac12\log_2\frac1V=h(x)-\frac12\log_2 12;$$ <<for $N(0,1)$ these are ->
          exact/bits at fine steps>> {value:gap,4} bits. [proof; exact/bits at fine steps; exact/rate;
          exact/fine steps from below]
        (f) <<The entropies $H(q)$ and $H(q\mid u)$ of dither -> exact/conditional entropy>> and that of
          rounding <<at three variances are those of the worst cases -> exact/conditional entropy>>.
          [exact/index entropy; exact/conditional entropy; exact/entropy of rounding]
        (g: mean) Raw, apart from headers and from what is left of whole words, <<$w$ workers with all indices
          and as many with coset symbols -> exact/raw bits>> send in the mean $$\frac{w\Big(\log_2(2M+1)+\frac
          Nb\Big)+w\Big(\log_2k+\frac Nb\Big)}{2w}=\frac{\log_2(2M+1)+\log_2k}2+\frac Nb$$ bits per
          coordinate. [proof; exact/indices; exact/raw bits; exact/raw bits with whole words; exact/half and
          half]
        (h) <<At $V=0.1$ and $k=2$, 3, 4 coset symbols of standard normal $x$ are nearly uniform ->
          exact/coset entropy>>: their entropies are those of the worst cases, and to code them gains at
          most {value:coset_gain,2} bits. [exact/coset entropy; exact/coset symbols against uniform ones;
          exact/gain of coded coset symbols; exact/largest gain of coded coset symbols]
        (i: cosets) To code $k$ coset symbols, of probabilities $c_j>0$, gains little where they are nearly
          uniform: $$\log_2k-\frac k{\ln2}\sum_j\Big(c_j-\frac1k\Big)^2\le-\frac1{\ln2}\sum_jc_j\ln
          c_j\le\log_2k.$$ [proof]
        """
    ),
    variables=(
        Variable(V, "V", "(0,1)", "error variance per coordinate"),
        Variable(delta, r"\delta", r"\mathbb R_{>0}", "step of DQSG"),
        Variable(rounding, r"\delta'", r"\mathbb R_{>0}", "step of stochastic rounding"),
        Variable(sigma, r"\sigma", r"\mathbb R_{>0}", "standard deviation of a normal $x$"),
        Variable(square, r"\mathbb E(\hat x-x)^2", r"\mathbb R_{\ge0}", "mean square error of DQSG"),
        Variable(other, r"\mathbb E(\hat x'-x)^2", r"\mathbb R_{\ge0}", "mean square error of rounding"),
        Variable(h, "h(x)", r"\mathbb R", "differential entropy of $x$, in bits"),
        Variable(wide, r"h(x+\delta e)", r"\mathbb R", "that of $x$ plus its error"),
        Variable(M, "M", r"\mathbb N", "levels of DQSG"),
        Variable(k, "k", r"\{2,3,\dots\}", "ratio of the coarse step to the fine one"),
        Variable(cosets, "c", "(0,1]", "probabilities of the coset symbols", "(k,)", first=0),
        Variable(scale_bits, "N", r"\mathbb R_{\ge0}", "bits of a scale"),
        Variable(block, "b", r"\mathbb N", "coordinates of a block"),
        Variable(workers, "w", r"\mathbb N", "half of the number of workers"),
        Variable(e, r"\xi", r"\mathbb R", "error in steps", "(1,)", first=0),
        Variable(p, "p", r"\mathbb R", "phase of a coordinate", "(1,)", first=0),
    ),
    notation={
        "x": "what is sent",
        r"\hat x": "what DQSG receives",
        r"\hat x'": "what rounding receives",
        "q": "index",
        "u": "dither",
        "N(0,1)": "the standard normal law",
        "H(q)": "entropy of the index",
        r"H(q\mid u)": "entropy of the index given the dither",
    },
    hypotheses={
        "signs": domain(r"$V>0$, $\delta>0$, $\delta'>0$, $\sigma>0$, $N\ge0$, $b>0$"),
        "sizes": domain(r"$M\ge1$, $k\ge2$ and $w\ge1$ are integers"),
        "cosets": domain(r"$c_j>0$, $\sum_jc_j=1$"),
        "errors": model(
            r"$\mathbb E(\hat x-x)^2=\mathbb E\bigl(\delta^2\xi^2\bigr)$, over $\xi$ with mean $0$ "
            r"and variance $\frac1{12}$; $\mathbb E(\hat "
            r"x'-x)^2=\delta'^2\mathbb E\bigl(p(1-p)\bigr)$, over $p$ with mean $\frac12$ and "
            r"variance $\frac1{12}$, since the phase is uniform"
        ),
        "entropies": model(
            r"$h(x)\le h(x+\delta e)\le h(x)+\frac12\log_2\Big(1+\frac{\delta^2}{12\sigma^2}\Big)$, "
            "since $x$ is normal",
            reference="T. M. Cover and J. A. Thomas, Elements of Information Theory, 2nd ed., "
            "theorems 8.6.1 and 8.6.5: an independent error does not lower the differential entropy, and the "
            "normal law has the largest one of its variance",
        ),
        "dither": parameter(r"$\delta^2=12V$"),
        "rounding": parameter(r"$(\delta')^2=6V$"),
    },
    relations={
        "fine-dither": Relation((_LEAST, h - HALF * _bits(12 * V)), ("=",), under=("dither",)),
        "fine-rounding": Relation(
            (h - _bits(rounding), h - HALF * _bits(6 * V)), ("=",), under=("rounding",)
        ),
        "dither": Relation((square, V), ("=",), under=("dither",)),
        "rounding": Relation((other, V), ("=",), under=("rounding",)),
        "entropy": Relation(
            (_LEAST, wide - _bits(delta), _LEAST + _WIDER), ("<=", "<="), under=("entropies",)
        ),
        "cosets": Relation((_bits(k) - _DISTANCE, _COSETS, _bits(k)), ("<=", "<=")),
        "saving": Relation(((h - HALF * _bits(6 * V)) - (h - HALF * _bits(12 * V)), HALF), ("=",)),
        "gap": Relation((_LEAST - _RATE, h - HALF * _bits(Integer(12))), ("=",), under=("dither",)),
        "mean": Relation(((workers * _RAW + workers * _NESTED) / (2 * workers), _EXACT), ("=",)),
    },
    formulas={
        "exact": _EXACT,
        "dither_step": _DITHER,
        "rounding_step": _ROUNDING,
        "fine": log(2 * pi * EULER * sigma**2 / delta**2) / (2 * log(2)),
        "above": _WIDER,
        "gauss_rate": _RATE,
        "saving": HALF,
        "gap": log(2 * pi * EULER / 12) / (2 * log(2)),
        "raw": _RAW,
        "raw_nested": _NESTED,
        "coset_gain": _COSET_GAIN,
    },
    internal={
        "dither_step": "the root of the hypothesis of part (a)",
        "rounding_step": "the root of the hypothesis of part (b)",
        "fine": r"$h(x)-\log_2\delta$ of part (c) for normal $x$, $h(x)=\frac12\log_2(2\pi e\sigma^2)$",
        "above": "a term of part (c)",
        "gauss_rate": "a term of part (e)",
        "coset_gain": "measured, a slot of part (h)",
        "raw": "a term of part (g)",
        "raw_nested": "a term of part (g)",
        "gap": r"the right side of part (e) for $N(0,1)$",
    },
    values={"gap": log(2 * pi * EULER / 12) / (2 * log(2)), "coset_gain": _COSET_GAIN},
    worst_cases=(
        *(
            WorstCase(
                f"$N(0,1)$ at $V={row.split()[0]}$",
                dict(zip(COLUMNS, map(Rational, row.split()), strict=True)),
            )
            for row in TABLE
        ),
        *(
            WorstCase(
                f"entropy of the coset symbols at $V=0.1$, $k={ratio}$",
                {"k": ratio, "coset": Rational(entropy)},
            )
            for ratio, entropy in COSETS
        ),
    ),
)


def derive(K: Any) -> None:
    """Prove the relations: moments of uniform laws, and logarithms of the steps."""
    entropies = {
        sigma: 2,
        h: 0,
        wide: Rational(1, 100),
        cosets: [Rational(1, 2), Rational(1, 4), Rational(1, 4)],
    }
    for values in ({V: UNIFORM, delta: 1, rounding: 1}, {V: Rational(2, 3), delta: 1, rounding: 2}):
        K.example({**values, **entropies, M: 2, k: 3, workers: 4, scale_bits: 32, block: 16})
    dither, rounded = K.given("dither"), K.given("rounding")
    K.conclude("dither", K.cert(eq(square, V), (1, K.given("errors")), (UNIFORM, dither)))
    K.conclude("rounding", K.cert(eq(other, V), (1, K.given("errors", 1)), (Rational(1, 6), rounded)))

    unit = 1 / log(2)
    K.know(K.cert(lt(0, log(2)), (1, K.log(K.sign(lt(1, 2))))))
    # 2 log delta = log 12 + log V.
    products = [K.axiom("log-product", number, V) for number in (Integer(12), Integer(6))]
    steps = [
        K.cert(
            eq(2 * log(step), log(number) + log(V)),
            (-1, K.rewrite(K.axiom("log-power", step, 2), thm)),
            (1, product),
        )
        for step, number, thm, product in (
            (delta, Integer(12), dither, products[0]),
            (rounding, Integer(6), rounded, products[1]),
        )
    ]
    fine = [
        K.cert(eq(h - log(step) * unit, h - HALF * _bits(number * V)), (-unit / 2, thm), (unit / 2, product))
        for step, number, thm, product in (
            (delta, Integer(12), steps[0], products[0]),
            (rounding, Integer(6), steps[1], products[1]),
        )
    ]
    K.conclude("fine-dither", fine[0])
    K.conclude("fine-rounding", fine[1])
    sides = {name: relation.sides for name, relation in CLAIM.relations.items()}
    twelve = K.axiom("log-product", Integer(2), 6 * V)
    K.conclude("saving", K.cert(eq(*sides["saving"]), (unit / 2, twelve)))
    inverse = K.axiom("log-power", V, -1)
    terms = ((-unit / 2, steps[0]), (-unit / 2, inverse))
    K.conclude("gap", K.cert(eq(*sides["gap"]), *terms))
    _cosets(K)
    K.conclude("mean", K.identity(*sides["mean"]))


def _cosets(K: Any) -> None:
    """Conclude part (f): the logarithm is at most its argument less one, at c k and at its inverse."""
    K.index((j, 0, k - 1))
    c, unit, over = cosets[j], 1 / log(2), (j, 0, k - 1)
    product, inverse = K.axiom("log-product", c, k), K.axiom("log-power", c * k, -1)
    near = K.cert(le(c * (log(c) + log(k)), c * (c * k - 1)), (c, K.axiom("log-below", c * k)), (-c, product))
    below = K.cert(
        le(-c * (log(c) + log(k)), 1 / k - c),
        (c, K.axiom("log-below", 1 / (c * k))),
        (-c, inverse),
        (c, product),
    )
    total = K.given("cosets", 1)
    K.conclude(
        "cosets",
        K.cert(
            le(_bits(k) - _DISTANCE, _COSETS), (unit, K.sum_over(near, over)), (unit * (1 - log(k)), total)
        ),
        K.cert(le(_COSETS, _bits(k)), (unit, K.sum_over(below, over)), (unit * (log(k) - 1), total)),
    )
