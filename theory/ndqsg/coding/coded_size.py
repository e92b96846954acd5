r"""`ndqsg/coded-size`: real bits of coded indices, beside entropy and raw words (arXiv 1904.01197)."""

from typing import Any

from sympy import Eq, Integer, Piecewise, Rational, Sum, Symbol, binomial, ceiling, log, oo, symbols

from theory.claim import Claim, Relation, Variable
from theory.facts.logarithms.number_of_types import weight
from theory.formula import eq, le, lt
from theory.hypotheses import definition, domain, model, parameter
from theory.ndqsg.coding.code_lengths import (
    CODE_HYPOTHESES,
    CODE_VARIABLES,
    ELIAS,
    LETTERS,
    PER_WORD,
    A,
    a,
    conclude_codes,
    counts,
    digits,
    elias,
    h,
    j,
    lam,
    n,
    q,
    raw,
)
from theory.ndqsg.coding.coder_lengths import (
    CODER_HYPOTHESES,
    CODER_VARIABLES,
    GROWTH,
    LOST,
    MEAN,
    OWN_GROWTH,
    OWN_LOST,
    SHORTLY,
    UNITS,
    WIDTH,
    H,
    L,
    X,
    bits,
    conclude_lengths,
    conclude_short,
    mean,
    own,
)
from theory.ndqsg.paper import PAPER
from theory.statement import statement
from theory.worst_cases import cases

message = Symbol("message", real=True)
payload, scale_bits, blocks = symbols("b N B", real=True)
# Range before and after a symbol, units of it, weight and probability; registers, and the same for them.
R, units, w, p = symbols("R U w p", real=True)
W, V, seen, total = symbols("W V s m", real=True)
f1, f4, f8 = symbols("f1 f4 f8", real=True)

_WORD = Integer(2**32)
_ENDING, _OWN_ENDING = Integer(33), Integer(2)
_RAW = 64 * ceiling(n / PER_WORD)
_MESSAGE = payload + scale_bits * blocks + 736
_MEAN = n * H + log(binomial(n + A - 1, A - 1)) / log(2) + LOST

CLAIM = Claim(
    id="ndqsg/coded-size",
    kind="upper",
    provenance="derived",
    title="Bits of coded indices: entropy from below, ideal length and a stated overhead from above",
    position=17,
    paper=PAPER,
    **statement(
        r"""
        A message of $n$ symbols of an alphabet of size $A$, where $A+1<2^{24}$ and $n+A<2^{30}$, has the
        empirical entropy $\hat H$ and the ideal adaptive length $L$ of `ndqsg/adaptive-code-length`. One
        model per message, known to both ends before each symbol. The range coder has words of 32 bits, a
        state of 64 bits and weights in units of the 24th negative power of two (constriction), the other
        coder registers of 32 bits.
        (a: source) Codes of $A$ words of $\lambda_a$ bits that are uniquely decodable have
          $\sum_a2^{-\lambda_a}\le1$; where $q_a>0$, $\sum_aq_a=1$, they need at least the entropy:
          $$-\frac1{\ln2}\sum_aq_a\ln q_a\le\sum_aq_a\lambda_a.$$ [proof; exact/entropy of the source]
        (b: message-entropy) A message of counts $c_a\ge0$, $\sum_ac_a=n$, has an empirical entropy of at
          most its length in such words: $$\frac1{\ln2}\Big(n\ln
          n-\sum_ac_a\ln\max\{c_a,1\}\Big)\le\sum_ac_a\lambda_a.$$ For $L$ see `ndqsg/adaptive-code-length`.
          [proof; exact/entropy and ideal length; exact/entropy and Elias code; exact/entropy and raw words;
          run/entropy and ideal length; run/entropy and Elias code; run/entropy and raw words]
        (c: hold, enough) Raw, for $A\ge2$, <<a word of 64 bits holds -> exact/raw words>>
          $h=\Big\lfloor\frac{64\ln2}{\ln A}\Big\rfloor$ symbols, $h\ln A\le64\ln2$, and the message takes
          $\ell_{64}=64\Big\lceil\frac nh\Big\rceil$ bits, enough for all: $$n\le\frac{h\ell_{64}}{64}.$$
          [proof; exact/raw words; run/raw words]
        (d: elias) The Elias gamma word of an index of magnitude $j$ has the $k$ binary digits of one more
          than $j$, one zero less before them, and a sign:
          $$\ell_E=2\Big\lfloor\frac{\ln(j+1)}{\ln2}\Big\rfloor+2$$ bits, <<unless it is zero, which takes
          one bit -> exact/Elias words>>. [proof; exact/Elias words; run/Elias words; exact/lengths that
          differ; exact/words that differ; exact/numbers *; exact/entries that differ; exact/bits of *;
          exact/bits that are left; exact/streams that *; exact/expected length; exact/expected length in
          floats; exact/arguments *]
        (e: range) <<In the alphabets that were tried a symbol of probability $p$ has a weight ->
          exact/weight>> $w\ge p(2^{24}-A-1)$. With the range $R\ge2^{32}$ and $U$ numbers of it for each unit
          of weight the next range is at least $$\frac{Rp}{\frac{256}{255}\cdot\frac{2^{24}}{2^{24}-A-1}}\le
          Uw.$$ [proof; exact/weight]
        (f: bound) So with the adaptive model, where $X=L$ in (g), the length of the range coder is at most
          $$\ell\le L+\frac n{\ln2}\ln\Big(\frac{256}{255}\cdot\frac{2^{24}}{2^{24}-A-1}\Big)+33$$ bits.
          [proof; exact/range coder; exact/range coder, worst case; adversarial/counts; run/range coder]
        (g: fixed) With any probabilities and the cross entropy $X=-\frac1{\ln2}\sum_{t=0}^{n-1}\ln p_t$ it
          is at most $$\ell\le X+\frac
          n{\ln2}\ln\Big(\frac{256}{255}\cdot\frac{2^{24}}{2^{24}-A-1}\Big)+33$$ bits. [proof; exact/fixed
          probabilities; exact/unfavourable message; run/fixed probabilities]
        (h: mean) In expectation over independent symbols of one law, of entropy $H$, the adaptive one has at
          most $$\mathbb E\ell\le nH+\frac{\ln\binom{n+A-1}{A-1}}{\ln2}+\frac
          n{\ln2}\ln\Big(\frac{256}{255}\cdot\frac{2^{24}}{2^{24}-A-1}\Big)+33$$ bits. [proof; exact/mean
          length]
        (i: interval) In its registers an interval of $W\ge2^{30}$ numbers becomes one of $V\ge
          W\frac{1+s}m-1$ by a symbol seen $s$ of $m$ times, $A\le m\le n+A-1$:
          $$\frac{W\frac{1+s}m}{\frac{2^{30}}{2^{30}-n-A}}\le V.$$ [proof]
        (j: own) So the length of this coder is at most $$\ell_{32}\le L+\frac
          n{\ln2}\ln\frac{2^{30}}{2^{30}-n-A}+2$$ bits. [proof; exact/adaptive coder; exact/adaptive coder,
          worst case; run/adaptive coder]
        (k: short) If $n+A\le2^{17}$, <<the overhead of (j) is at most 26 bits -> proof>>: $$\frac
          n{\ln2}\ln\frac{2^{30}}{2^{30}-n-A}+2\le26.$$ [proof; exact/adaptive coder, short; run/adaptive
          coder, short]
        (l: message) A message with $B$ scales of $N$ bits, a payload of $b$ bits in whole bytes, $f_1=4$
          <<fields of a byte -> exact/message>>, $f_4=4$ <<of 4 and -> exact/message>> $f_8=9$ <<of 8 has ->
          exact/message>> $$\ell_M=b+NB+736$$ bits, without the optional checksum of the fine indices.
          [proof; exact/message]
        (m) The codes here have <<Kraft sums of at most 1 -> exact/Kraft sum>>, so that (a) is on them, for
          <<all messages of up to 5 symbols of 3 and up to 4 of 4 -> exact/Kraft sum>>. [exact/Kraft sum]
        """
    ),
    variables=(
        Variable(n, "n", r"\mathbb N", "length of the message"),
        Variable(A, "A", r"\mathbb N", "size of the alphabet"),
        Variable(L, "L", r"\mathbb R_{\ge0}", "ideal adaptive length in bits"),
        Variable(X, "X", r"\mathbb R_{\ge0}", "cross entropy of the message in bits"),
        Variable(H, "H", r"\mathbb R_{\ge0}", "entropy of a random symbol in bits"),
        Variable(bits, r"\ell", r"\mathbb N", "its length"),
        *CODE_VARIABLES,
        *CODER_VARIABLES,
        Variable(mean, r"\mathbb E\ell", r"\mathbb R_{\ge0}", "its expected length"),
        Variable(own, r"\ell_{32}", r"\mathbb N", "its length"),
        Variable(raw, r"\ell_{64}", r"\mathbb N", "their number"),
        Variable(h, "h", r"\mathbb N", "symbols in a word"),
        Variable(elias, r"\ell_E", r"\mathbb N", "their number"),
        Variable(message, r"\ell_M", r"\mathbb N", "their number"),
        Variable(j, "j", r"\mathbb N", "magnitude of an index"),
        Variable(f1, "f_1", r"\mathbb N", "fields of one byte"),
        Variable(f4, "f_4", r"\mathbb N", "fields of four bytes"),
        Variable(f8, "f_8", r"\mathbb N", "fields of eight bytes"),
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
    notation={r"\hat H": "empirical entropy", r"n\hat H": "that of the message"},
    ranges={"a": (0, A - 1), "t": (0, oo)},
    hypotheses={
        "sizes": domain(r"$n\ge1$, $A\ge1$, $A+1<2^{24}$, $n+A<2^{30}$; $A$ and $n$ are integers"),
        **CODE_HYPOTHESES,
        "fields": definition(r"$f_1=4$, $f_4=4$, $f_8=9$, $\ell_M=b+NB+8(f_1+4f_4+8f_8)$"),
        "weight": model(
            r"$w\ge p(2^{24}-A-1)$, $w>0$, $p>0$",
            reference="check of the weights, in all alphabets that were tried",
        ),
        "state": model(
            r"$R\ge2^{32}$, since a range below it is scaled; $\frac R{2^{24}}<U+1$, "
            r"$\frac{R-2^{24}+1}{2^{24}}\le U$, since $U$ is $\frac R{2^{24}}$ rounded down"
        ),
        "registers": model(
            r"$W\ge2^{30}$, since an interval below it is doubled; "
            r"$V\ge W\frac{1+s}m-1$, $s\ge0$, $A\le m\le n+A-1$"
        ),
        **CODER_HYPOTHESES,
        "short": parameter(r"$n+A\le2^{17}$"),
    },
    relations={
        "source": Relation(
            (-Sum(q[a] * log(q[a]), LETTERS) / log(2), Sum(q[a] * lam[a], LETTERS)),
            ("<=",),
            under=("kraft", "source"),
        ),
        "message-entropy": Relation(
            ((n * log(n) - Sum(weight(counts[a]), LETTERS)) / log(2), Sum(counts[a] * lam[a], LETTERS)),
            ("<=",),
            under=("kraft", "counts"),
        ),
        "hold": Relation((h * log(A), 64 * log(2)), ("<=",), under=("raw",)),
        "enough": Relation((n, h * raw / 64), ("<=",), under=("raw",)),
        "elias": Relation((elias, ELIAS), ("=",), under=("elias",)),
        "range": Relation((R * p / GROWTH, units * w), ("<=",), under=("weight", "state")),
        "bound": Relation((bits, L + LOST), ("<=",), under=("cross", "adaptive", "coder", "ending")),
        "fixed": Relation((bits, X + LOST), ("<=",), under=("cross", "coder", "ending")),
        "mean": Relation((mean, MEAN), ("<=",), under=("random",)),
        "interval": Relation((W * (1 + seen) / total / OWN_GROWTH, V), ("<=",), under=("registers",)),
        "own": Relation((own, L + OWN_LOST), ("<=",), under=("cross", "adaptive", "registers-sent")),
        "short": Relation((OWN_LOST, SHORTLY), ("<=",), under=("short",)),
        "message": Relation((message, _MESSAGE), ("=",), under=("fields",)),
    },
    formulas={
        "bound": L + LOST,
        "fixed": X + LOST,
        "growth": GROWTH,
        "ending": _ENDING,
        "own": L + OWN_LOST,
        "own_growth": OWN_GROWTH,
        "own_ending": _OWN_ENDING,
        "own_short": SHORTLY,
        "mean": _MEAN,
        "raw": _RAW,
        "elias": Piecewise((1, Eq(j, 0)), (ELIAS, True)),
        "message": _MESSAGE,
    },
    internal={
        "mean": "part (h) with the binomial coefficient as a number",
        "raw": "both formulas of part (c) together",
        "growth": "a factor of part (e)",
        "ending": "a number of part (f)",
        "own_ending": "a number of part (j)",
        "elias": "part (d) with the word of zero",
    },
    worst_cases=cases("""
        one symbol: a whole word for one bit | counts = (1, 0), n = 1, A = 2 | 64
        two equal symbols of three | counts = (0, 2, 0), n = 2, A = 3 | 64
        a stream of DQSG, $M=1$, at a fixed number of bits a symbol | counts = (1651, 3302, 1617), n = 6570,
          A = 3 | 10560
        each of 64 symbols once, the same | counts = 64 * (1,), n = 64, A = 64 | 448
    """),
)


def derive(K: Any) -> None:
    """Prove how far a symbol shrinks the interval of either coder, and the overhead of short messages."""
    plain = {n: 6, A: 3, R: _WORD, units: 256, w: UNITS, p: Rational(1, 3)}
    K.example({**plain, W: WIDTH, V: WIDTH, seen: 0, total: 3})
    third = Rational(1, 3)
    codes = {lam: [1, 2, 2], q: [third] * 3, counts: [1, 2, 3], digits: 2, j: 2}
    K.example({n: 6, A: 3, **codes})
    K.know(K.cert(lt(0, log(2)), (1, K.log(K.sign(lt(1, 2))))))
    conclude_codes(K)
    fields = zip((8, 32, 64), (K.given("fields", place) for place in range(3)), strict=True)
    K.conclude("message", K.cert(eq(message, _MESSAGE), (1, K.given("fields", 3)), *fields))
    K.know(K.given("weight", 1), K.given("weight", 2), K.given("state"))
    free = K.cert(lt(0, UNITS - A - 1), (1, K.given("sizes", 2)))
    room = K.cert(lt(0, WIDTH - n - A), (1, K.given("sizes", 3)))
    K.know(free, room)
    K.conclude(
        "range",
        K.cert(
            le(R * p / GROWTH, units * w),
            (w, K.given("state", 2)),
            (w / _WORD, K.given("state")),
            (w / UNITS, Integer(1)),
            (255 * R / _WORD, K.given("weight")),
        ),
    )
    piece = W * (1 + seen) / total
    K.know(
        K.given("registers"),
        K.given("registers", 2),
        K.cert(lt(0, total), (1, K.given("registers", 3)), (1, K.given("sizes", 1))),
    )
    K.conclude(
        "interval",
        K.cert(
            le(piece / OWN_GROWTH, V),
            (1, K.given("registers", 1)),
            (piece / WIDTH, K.given("registers", 4)),
            ((1 + seen) / WIDTH, K.given("registers")),
            (1, seen),
            (piece / WIDTH, Integer(1)),
        ),
    )
    conclude_short(K)
    conclude_lengths(K)
