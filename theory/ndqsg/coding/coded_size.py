r"""`ndqsg/coded-size`: real bits of coded indices, beside entropy and raw words (arXiv 1904.01197)."""

from typing import Any

from sympy import Eq, Integer, Piecewise, Rational, Symbol, binomial, ceiling, floor, log

from theory.claim import Claim, Hypothesis, Part, Relation, Variable, WorstCase
from theory.formula import le, lt
from theory.ndqsg.paper import PAPER

n, A, L, X, H, bits, mean, cross = (
    Symbol(name, real=True) for name in ("n", "A", "L", "X", "H", "bits", "mean", "cross")
)
own, raw, elias, message, j, h = (
    Symbol(name, real=True) for name in ("own", "raw", "elias", "message", "j", "h")
)
payload, scale_bits, blocks = (Symbol(name, real=True) for name in ("b", "N", "B"))
# Range before and after a symbol, units of it, weight and probability; registers, and the same for them.
R, units, w, p, after = (Symbol(name, real=True) for name in ("R", "U", "w", "p", "R_after"))
W, V, seen, total = (Symbol(name, real=True) for name in ("W", "V", "s", "m"))

_UNITS, _WORD, _WIDTH, _SHORT = (Integer(2**power) for power in (24, 32, 30, 17))
_GROWTH = Rational(256, 255) * _UNITS / (_UNITS - A - 1)
_OWN_GROWTH = _WIDTH / (_WIDTH - n - A)
_ENDING, _OWN_ENDING, _SHORTLY = Integer(33), Integer(2), Integer(26)
_LOST = n * log(_GROWTH) / log(2) + _ENDING
_OWN_LOST = n * log(_OWN_GROWTH) / log(2) + _OWN_ENDING
_PER_WORD = floor(64 * log(2) / log(A))
_RAW = 64 * ceiling(n / _PER_WORD)
_ELIAS = 2 * floor(log(j + 1) / log(2)) + 2
_MESSAGE = payload + scale_bits * blocks + 736
_MEAN = n * H + log(binomial(n + A - 1, A - 1)) / log(2) + _LOST

CLAIM = Claim(
    id="ndqsg/coded-size",
    kind="upper",
    provenance="derived",
    title="Bits of coded indices: entropy from below, ideal length and a stated overhead from above",
    position=17,
    paper=PAPER,
    setting=(
        r"A message of $n$ symbols of an alphabet of size $A$ has the empirical entropy $\hat H$ and the "
        r"ideal "
        r"adaptive length $L$ of `ndqsg/adaptive-code-length`. One model per message, known to both ends "
        r"before "
        r"each symbol. The range coder has words of 32 bits, a state of 64 bits and weights in units of the "
        r"24th negative power of two (constriction), the other coder registers of 32 bits."
    ),
    parts=(
        Part(
            "a",
            r"All codes here are uniquely decodable, with Kraft sums of at most 1, and need at least the "
            r"entropy $nH$ of independent symbols in expectation: for all messages of up to 5 symbols of 3 "
            "and up to 4 of 4.",
            evidence=("exact/Kraft sum", "exact/entropy of the source"),
            pins={
                "with Kraft sums of at most 1": "exact/Kraft sum",
                r"at least the entropy $nH$ of independent symbols in expectation": "exact/entropy of the "
                r"source",
                "all messages of up to 5 symbols of 3 and up to 4 of 4": "exact/Kraft sum",
            },
        ),
        Part(
            "b",
            r"No message tried has an empirical entropy $n\hat H$ above its $L$, its raw bits or its Elias "
            "gamma code.",
            evidence=(
                "exact/entropy and ideal length",
                "exact/entropy and Elias code",
                "exact/entropy and raw words",
                "run/entropy and ideal length",
                "run/entropy and Elias code",
                "run/entropy and raw words",
            ),
            pins={r"an empirical entropy $n\hat H$ above its $L$": "exact/entropy and ideal length"},
        ),
        Part(
            "c",
            r"Raw, a word of 64 bits holds $h=\Big\lfloor\frac{64\ln2}{\ln A}\Big\rfloor$ symbols, and the "
            r"message takes $\ell_{64}=64\Big\lceil\frac nh\Big\rceil$ bits.",
            says=("per-word", "raw"),
            evidence=("exact/raw words", "run/raw words"),
            pins={"a word of 64 bits holds": "exact/raw words"},
        ),
        Part(
            "d",
            r"The Elias gamma word of an index of magnitude $j$ has, with its sign, "
            r"$\ell_E=2\Big\lfloor\frac{\ln(j+1)}{\ln2}\Big\rfloor+2$ bits, unless it is zero, which takes "
            r"one bit.",
            says=("elias",),
            evidence=("exact/Elias words", "run/Elias words"),
            pins={"unless it is zero, which takes one bit": "exact/Elias words"},
        ),
        Part(
            "e",
            r"A symbol of probability $p$ has a weight $w\ge p(2^{24}-A-1)$. With the range $R\ge2^{32}$ "
            r"and $U$ numbers of it for each "
            r"unit of weight the next range is at least $$\frac{Rp}{\frac{256}{255}"
            r"\cdot\frac{2^{24}}{2^{24}-A-1}}\le Uw.$$",
            says=("range",),
            evidence=("proof", "exact/weight"),
            pins={r"A symbol of probability $p$ has a weight": "exact/weight"},
        ),
        Part(
            "f",
            r"The length of the range coder with the adaptive model is at most $$\ell\le L+\frac "
            r"n{\ln2}\ln\Big(\frac{256}{255}"
            r"\cdot\frac{2^{24}}{2^{24}-A-1}\Big)+33$$",
            says=("bound",),
            evidence=(
                "exact/range coder",
                "exact/range coder, worst case",
                "adversarial/counts",
                "run/range coder",
            ),
        ),
        Part(
            "g",
            r"With fixed probabilities and the cross entropy $X$ of the message it is at most "
            r"$$\ell_p\le X+\frac n{\ln2}\ln\Big(\frac{256}{255}\cdot\frac{2^{24}}{2^{24}-A-1}\Big)+33$$ "
            r"bits.",
            says=("fixed",),
            evidence=("exact/fixed probabilities", "exact/unfavourable message", "run/fixed probabilities"),
        ),
        Part(
            "h",
            r"In expectation over independent symbols of entropy $H$ the adaptive one has at most "
            r"$$\mathbb E\ell\le nH+\frac{\ln\binom{n+A-1}{A-1}}{\ln2}+\frac n{\ln2}\ln\Big(\frac{256}{255}"
            r"\cdot\frac{2^{24}}{2^{24}-A-1}\Big)+33$$ bits.",
            says=("mean",),
            evidence=("exact/mean length",),
        ),
        Part(
            "i",
            r"In its registers an interval of $W\ge2^{30}$ numbers becomes one of $V\ge W\frac{1+s}m-1$ "
            r"by a symbol seen $s$ of $m$ times, $A\le m\le n+A-1$, $n+A<2^{30}$: "
            r"$$\frac{W\frac{1+s}m}{\frac{2^{30}}{2^{30}-n-A}}\le V.$$",
            says=("interval",),
            evidence=("proof",),
        ),
        Part(
            "j",
            r"So the length of this coder is at most $$\ell_{32}\le L+\frac "
            r"n{\ln2}\ln\frac{2^{30}}{2^{30}-n-A}+2$$ bits.",
            says=("own",),
            evidence=(
                "exact/adaptive coder",
                "exact/adaptive coder, worst case",
                "run/adaptive coder",
            ),
        ),
        Part(
            "k",
            r"If $n+A\le2^{17}$, the overhead of (j) is at most 26 bits: "
            r"$$\frac n{\ln2}\ln\frac{2^{30}}{2^{30}-n-A}+2\le26.$$",
            says=("short",),
            evidence=("proof", "exact/adaptive coder, short", "run/adaptive coder, short"),
            pins={"the overhead of (j) is at most 26 bits": "proof"},
        ),
        Part(
            "l",
            r"A message with $B$ scales of $N$ bits and a payload of $b$ bits in whole bytes has "
            r"$\ell_M=b+NB+736$ bits, "
            "without the optional checksum of the fine indices.",
            says=("message",),
            evidence=("exact/message",),
        ),
    ),
    variables=(
        Variable(n, "n", r"\mathbb N", "length of the message"),
        Variable(A, "A", r"\mathbb N", "size of the alphabet"),
        Variable(L, "L", r"\mathbb R_{\ge0}", "ideal adaptive length in bits"),
        Variable(X, "X", r"\mathbb R_{\ge0}", "cross entropy of the message in bits"),
        Variable(H, "H", r"\mathbb R_{\ge0}", "entropy of a random symbol in bits"),
        Variable(bits, r"\ell", r"\mathbb N", "its length"),
        Variable(cross, r"\ell_p", r"\mathbb N", "its length"),
        Variable(mean, r"\mathbb E\ell", r"\mathbb R_{\ge0}", "its expected length"),
        Variable(own, r"\ell_{32}", r"\mathbb N", "its length"),
        Variable(raw, r"\ell_{64}", r"\mathbb N", "their number"),
        Variable(h, "h", r"\mathbb N", "symbols in a word"),
        Variable(elias, r"\ell_E", r"\mathbb N", "their number"),
        Variable(message, r"\ell_M", r"\mathbb N", "their number"),
        Variable(j, "j", r"\mathbb N", "magnitude of an index"),
        Variable(payload, "b", r"\mathbb N", "bits of the payload"),
        Variable(scale_bits, "N", r"\mathbb N", "bits of a scale"),
        Variable(blocks, "B", r"\mathbb N", "number of scales"),
        Variable(R, "R", r"\mathbb R_{>0}", "range of the coder"),
        Variable(units, "U", r"\mathbb R_{>0}", "units of the range"),
        Variable(w, "w", r"\mathbb R_{>0}", "weight of a symbol"),
        Variable(p, "p", "(0,1]", "probability of a symbol"),
        Variable(W, "W", r"\mathbb R_{>0}", "numbers of an interval"),
        Variable(V, "V", r"\mathbb R_{>0}", "numbers of the next one"),
        Variable(seen, "s", r"\mathbb R_{\ge0}", "how often a symbol was seen"),
        Variable(total, "m", r"\mathbb R_{>0}", "sum of the counts of the model"),
    ),
    notation={r"\hat H": "empirical entropy"},
    hypotheses={
        "sizes": Hypothesis(
            "domain",
            (le(1, n), le(1, A), lt(A + 1, _UNITS), lt(n + A, _WIDTH)),
            r"$n\ge1$, $A\ge1$, $n+A<2^{30}$",
        ),
        "weight": Hypothesis(
            "model",
            (le(p * (_UNITS - A - 1), w), lt(0, w), lt(0, p)),
            r"$w\ge p(2^{24}-A-1)$, seen for all alphabets tried",
        ),
        "state": Hypothesis(
            "model",
            (le(_WORD, R), lt(R / _UNITS - 1, units), le((R - _UNITS + 1) / _UNITS, units)),
            r"$R\ge2^{32}$: below it the range is scaled, which sends a word; $U$ is the part of it that "
            r"each unit of weight gets, "
            "rounded down",
        ),
        "registers": Hypothesis(
            "model",
            (
                le(_WIDTH, W),
                le(W * (1 + seen) / total - 1, V),
                le(0, seen),
                le(A, total),
                le(total, n + A - 1),
            ),
            r"$W\ge2^{30}$: else the interval is doubled; $V\ge W\frac{1+s}m-1$, $A\le m\le n+A-1$",
        ),
        "short": Hypothesis("parameter", le(n + A, _SHORT), r"$n+A\le2^{17}$"),
    },
    relations={
        "per-word": Relation((h, _PER_WORD), ("=",)),
        "raw": Relation((raw, 64 * ceiling(n / h)), ("=",)),
        "elias": Relation((elias, _ELIAS), ("=",)),
        "range": Relation((R * p / _GROWTH, units * w), ("<=",), under=("weight", "state")),
        "bound": Relation((bits, L + _LOST), ("<=",)),
        "fixed": Relation((cross, X + _LOST), ("<=",)),
        "mean": Relation((mean, _MEAN), ("<=",)),
        "interval": Relation((W * (1 + seen) / total / _OWN_GROWTH, V), ("<=",), under=("registers",)),
        "own": Relation((own, L + _OWN_LOST), ("<=",)),
        "short": Relation((_OWN_LOST, _SHORTLY), ("<=",), under=("short",)),
        "message": Relation((message, _MESSAGE), ("=",)),
    },
    formulas={
        "bound": L + _LOST,
        "fixed": X + _LOST,
        "growth": _GROWTH,
        "ending": _ENDING,
        "own": L + _OWN_LOST,
        "own_growth": _OWN_GROWTH,
        "own_ending": _OWN_ENDING,
        "own_short": _SHORTLY,
        "mean": _MEAN,
        "raw": _RAW,
        "elias": Piecewise((1, Eq(j, 0)), (_ELIAS, True)),
        "message": _MESSAGE,
    },
    internal={
        "raw": "both formulas of part (c) together",
        "growth": "a factor of part (e)",
        "ending": "a number of part (f)",
        "own_ending": "a number of part (j)",
        "elias": "part (d) with the word of zero",
    },
    worst_cases=(
        WorstCase("one symbol: a whole word for one bit", {"counts": (1, 0), "n": 1, "A": 2}),
        WorstCase("two equal symbols of three", {"counts": (0, 2, 0), "n": 2, "A": 3}),
        WorstCase("a stream of DQSG, $M=1$", {"counts": (1651, 3302, 1617), "n": 6570, "A": 3}),
        WorstCase("each of 64 symbols once: all is learning", {"counts": (1,) * 64, "n": 64, "A": 64}),
    ),
)


def derive(K: Any) -> None:
    """Prove how far a symbol shrinks the interval of either coder, and the overhead of short messages."""
    plain = {n: 6, A: 3, R: _WORD, units: 256, w: _UNITS, p: Rational(1, 3)}
    K.example({**plain, W: _WIDTH, V: _WIDTH, seen: 0, total: 3})
    K.know(K.given("weight", 1), K.given("weight", 2), K.given("state"))
    free = K.cert(lt(0, _UNITS - A - 1), (1, K.given("sizes", 2)))
    room = K.cert(lt(0, _WIDTH - n - A), (1, K.given("sizes", 3)))
    K.know(free, room)
    K.conclude(
        "range",
        K.cert(
            le(R * p / _GROWTH, units * w),
            (w, K.given("state", 2)),
            (w / _WORD, K.given("state")),
            (w / _UNITS, Integer(1)),
            (255 * R / _WORD, K.given("weight")),
        ),
    )
    size = W * (1 + seen) / total
    K.know(
        K.given("registers"),
        K.given("registers", 2),
        K.cert(lt(0, total), (1, K.given("registers", 3)), (1, K.given("sizes", 1))),
    )
    K.conclude(
        "interval",
        K.cert(
            le(size / _OWN_GROWTH, V),
            (1, K.given("registers", 1)),
            (size / _WIDTH, K.given("registers", 4)),
            ((1 + seen) / _WIDTH, K.given("registers")),
            (1, seen),
            (size / _WIDTH, Integer(1)),
        ),
    )
    _short(K)


def _short(K: Any) -> None:
    """The logarithm is at most its argument less one, and ln 2 is at least 1/11 + ... + 1/20."""
    K.know(K.given("short"))
    least, terms = Rational(0), []
    for m in range(10, 20):
        ratio = Rational(m, m + 1)
        least += 1 - ratio
        terms.append((1, K.axiom("log-below", ratio)))
        terms.append((1, K.axiom("log-product", ratio, Integer(m + 1))))
    double = K.axiom("log-product", Integer(2), Integer(10))
    two = K.cert(le(least, log(2)), *terms, (1, double))
    K.know(two)
    growth = K.axiom("log-below", _OWN_GROWTH)
    floor_ = _WIDTH - _SHORT
    inverse = 1 / (log(2) * (_WIDTH - n - A))
    K.conclude(
        "short",
        K.cert(
            le(_OWN_LOST, _SHORTLY),
            (n / log(2), growth),
            (24 / log(2), two),
            (_SHORT * inverse, K.cert(le(n, _SHORT), (1, K.given("short")), (1, A))),
            ((n + 24 * least) * inverse, K.given("short")),
            (inverse, 24 * least * floor_ - _SHORT**2),
        ),
    )
