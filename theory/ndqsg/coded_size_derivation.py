r"""Steps of `ndqsg/coded-size`: how far a digit shrinks the interval of a coder, and what its end costs."""

from collections.abc import Mapping
from typing import Any

from sympy import Expr, IndexedBase, Integer, Rational, Symbol, expand_log, log, symbols

from theory.instance import instance
from theory.ndqsg.adaptive_code_length import CLAIM as ADAPTIVE
from theory.ndqsg.adaptive_code_length import A, counts, n
from theory.old_steps import Certificate, Identity, StandardFact, Step, Term

chances = IndexedBase("p", positive=True)
a = Symbol("a", integer=True, nonnegative=True)

_free, _room = symbols("F G", positive=True)
_p, _other, _R, _S, _w, _m = symbols("p p_1 R S w m", positive=True)
_rounding = Symbol("r", nonnegative=True)
_ideal, _shrinkage, _start, _last = symbols("X I z v", real=True)
_W, _V, _T, _seen = symbols("W V T s", positive=True)
_words, _length, _elias = symbols("k l e", positive=True)
_empirical, _mean, _spread = symbols("h b u", real=True)
_H, _left = Symbol("H", nonnegative=True), Symbol("f", nonnegative=True)

_UNITS, _WORD, _QUARTER, _SHORT = (Integer(2**power) for power in (24, 32, 30, 17))


def coded_size_derivation(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    """Return the steps, built from the stated expressions."""
    return (
        *ADAPTIVE.derivation,
        *_facts(),
        *_range(stated),
        *_ends(stated),
        *_own(stated),
        *_below(stated),
        *_mean_length(stated),
        *_wire(stated),
    )


def _primes(expression: Expr) -> Expr:
    """Write logarithms of rational numbers as sums over primes."""
    return expand_log(expression, force=True, factor=True)


def _at(formula: Expr, values: tuple[int, ...], given: Any = ()) -> Expr:
    """Return a formula at counts of an alphabet of as many symbols, with logarithms of primes."""
    written = instance(formula, {counts: values, chances: given, A: len(values), n: sum(values)})
    return _primes(written.doit())


def _facts() -> tuple[Step, ...]:
    return (
        StandardFact(
            "floor",
            r"$\lfloor x\rfloor\le x<\lfloor x\rfloor+1$; for whole numbers "
            r"$\lfloor x/y\rfloor\ge(x-y+1)/y$. So $\lfloor y\rfloor-\lfloor x\rfloor$ is within 1 of $y-x$.",
            "R. Graham, D. Knuth, O. Patashnik, Concrete Mathematics, 2nd ed., equations 3.3 and 3.24",
        ),
        StandardFact(
            "monotone",
            r"Logarithms are increasing, and turn the product of the factors of all digits into their sum.",
            "G. H. Hardy, A Course of Pure Mathematics, 10th ed., chapter IX",
        ),
        StandardFact(
            "logarithm",
            r"$\ln x\le x-1$ for $x>0$.",
            "G. H. Hardy, J. E. Littlewood, G. Polya, Inequalities, 2nd ed., theorem 142",
        ),
        StandardFact(
            "kraft",
            r"Word lengths $l$ of a uniquely decodable code have $\sum2^{-l}\le1$, and their mean under any "
            r"law of the words is at least its entropy. With the words of all messages of $n$ independent "
            r"symbols that is $nH$; with the words of single symbols, drawn from the message itself, it is "
            r"$\sum_ac_al_a\ge n\hat H$, and with $A$ equal lengths $\log_2A\ge\hat H$.",
            "T. M. Cover and J. A. Thomas, Elements of Information Theory, 2nd ed., theorems 5.3.1 and 5.5.1",
        ),
        StandardFact(
            "concave",
            r"Entropy is concave, so the empirical entropy of independent symbols is at most $H$ in the "
            r"mean.",
            "T. M. Cover and J. A. Thomas, Elements of Information Theory, 2nd ed., theorem 2.7.3",
        ),
    )


def _range(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    # F: what is left of the units when each digit has its own and one is kept for rounding.
    growth = stated["growth"].subs(A, _UNITS - 1 - _free)
    return (
        Certificate(
            "least-weight",
            r"A digit of chance $p$ has the weight $w\ge p(2^{24}-A-1)$: it is one more than a difference of "
            r"numbers rounded down, $p(2^{24}-A)$ apart but for a rounding $r$; and where that is below 1, "
            r"the one suffices.",
            _p * _free,
            _w,
            (
                Term(Integer(1), _w - _p * (_free + 1) + _rounding, "floor"),
                Term(
                    Integer(1),
                    _p - _rounding,
                    "hypothesis: double precision changes a weight above 1 by less than p > 2^-24",
                ),
            ),
        ),
        Certificate(
            "range",
            r"The range $R$ becomes $\lfloor R/2^{24}\rfloor w$, which is at least $R$ times $p$ over the "
            r"stated growth ($F=2^{24}-A-1$).",
            _R * _p / growth,
            _S * _w,
            (
                Term(_w, _S - (_R - _UNITS + 1) / _UNITS, "floor"),
                Term(
                    _w / _WORD,
                    _R - _WORD,
                    "hypothesis: below 2^32 the range is scaled by 2^32, which sends a word",
                ),
                Term(_w / _UNITS, Integer(1), "a positive number"),
                Term(255 * _R / _WORD, _w - _p * _free, "least-weight"),
            ),
        ),
    )


def _ends(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    lost = n * log(stated["growth"]) / log(2)
    above = _ideal + lost + stated["ending"]
    # 32 bits for each word that was sent: log2 of the last range is 64 - z - I + 32 words.
    sent = _shrinkage + _last - 64 + _start
    shrinkage = Term(Integer(1), _ideal + lost - _shrinkage, "range, monotone")
    return (
        Certificate(
            "one-word",
            r"Let $X=-\sum\log_2p$ over the digits, $I$ the logarithm of the whole shrinkage, $2^{64-z}$ the "
            r"first range, $2^v$ the last one. The words sent have $I+v-64+z$ bits. With one word for the "
            r"end this is at most $X$, the growths and the stated ending.",
            sent + 32,
            above,
            (
                shrinkage,
                Term(Integer(1), 64 - _start - _last, "hypothesis: no range exceeds the first one"),
                Term(Integer(1), Integer(1), "a positive number"),
            ),
        ),
        Certificate(
            "two-words",
            r"A second word is sent only where the word after the lower end reaches to the upper end.",
            sent + 64,
            above,
            (
                shrinkage,
                Term(
                    Integer(1),
                    33 - _start - _last,
                    "hypothesis: then the last range is below 2^33 - 1, and 2^-z is 1 - 2^-64",
                ),
            ),
        ),
        Identity(
            "adaptive-bound",
            r"With adaptive counts $X=L$: the stated bound (shown for the counts 3, 1, 2).",
            _at(stated["bound"], (3, 1, 2)),
            _at(ADAPTIVE.exact + lost + stated["ending"], (3, 1, 2)),
        ),
        Identity(
            "fixed-bound",
            r"With fixed chances $X$ is the cross entropy of the message (shown for the counts 2, 1).",
            _at(stated["fixed"], (2, 1), (_p, _other)),
            _primes(-(2 * log(_p) + log(_other)) / log(2)) + _at(lost + stated["ending"], (2, 1)),
        ),
    )


def _own(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    growth = stated["own_growth"].subs(n, _QUARTER - _room - A)
    lost = n * log(stated["own_growth"]) / log(2)
    return (
        Certificate(
            "own-interval",
            r"Registers of 32 bits: an interval of $W$ numbers becomes one of $V$, the distance of two ends "
            r"rounded down, $W\frac{1+s}T$ apart for a digit seen $s$ times of $T$ ($G=2^{30}-n-A$). It is "
            r"at least $W\frac{1+s}T$ over the stated growth.",
            _W * (1 + _seen) / _T / growth,
            _V,
            (
                Term(Integer(1), _V - _W * (1 + _seen) / _T + 1, "floor"),
                Term(
                    _W * (1 + _seen) / (_T * _QUARTER),
                    _QUARTER - _room - _T,
                    "hypothesis: T counts from A to n + A - 1",
                ),
                Term(
                    (1 + _seen) / _QUARTER,
                    _W - _QUARTER,
                    "hypothesis: the interval is doubled until it has more than 2^30 numbers",
                ),
                Term(Integer(1), _seen, "a count"),
            ),
        ),
        Certificate(
            "own-ending",
            r"Each doubling sends a bit, and the stated ending follows: from $2^{32}$ numbers to $2^v$ these "
            r"are $I+v-32$ and two.",
            _shrinkage + _last - 32 + 2,
            _ideal + lost + stated["own_ending"],
            (
                Term(Integer(1), _ideal + lost - _shrinkage, "own-interval, monotone"),
                Term(Integer(1), 32 - _last, "hypothesis: no interval exceeds the registers"),
            ),
        ),
        Identity(
            "own-bound",
            r"With $X=L$ it is the stated bound (shown for the counts 3, 1, 2).",
            _at(stated["own"], (3, 1, 2)),
            _at(ADAPTIVE.exact + lost + stated["own_ending"], (3, 1, 2)),
        ),
        _own_short(stated),
        Identity(
            "own-example",
            r"The stated growth and ending for 6 digits of 3: $2^{30}/(2^{30}-9)$ and two bits.",
            stated["own_growth"].subs({n: 6, A: 3}) * (_QUARTER - 9) + stated["own_ending"],
            _QUARTER + 2,
        ),
    )


def _own_short(stated: Mapping[str, Expr]) -> Step:
    # f: what n + A is below 2^17.
    growth = stated["own_growth"].subs(A, _SHORT - _left - n)
    least = _QUARTER - _SHORT
    log_2 = Rational(9, 13)
    inverse = 1 / (log(2) * (least + _left))
    return Certificate(
        "own-short",
        r"For $n+A\le2^{17}$ the growths and the ending are at most the stated number of bits.",
        n * log(growth) / log(2) + stated["own_ending"],
        stated["own_short"],
        (
            Term(n / log(2), growth - 1 - log(growth), "logarithm"),
            Term(24 / log(2), log(2) - log_2, "a positive number"),
            Term(_SHORT * inverse, _SHORT - n, "hypothesis: n is below 2^17"),
            Term((n + 24 * log_2) * inverse, _left, "hypothesis: n + A is at most 2^17"),
            Term(inverse, 24 * log_2 * least - _SHORT**2, "a positive number"),
        ),
    )


def _below(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    level = next(iter(stated["elias"].free_symbols))
    width = log(A) / log(2)
    return (
        Identity(
            "raw-words",
            r"A word of 64 bits holds 40 symbols of 3: the stated length of 984 symbols is that of 25 words.",
            instance(stated["raw"], {n: 984, A: 3}),
            Integer(25 * 64),
        ),
        Certificate(
            "raw-from-below",
            r"$k=\lceil n/m\rceil$ words of $m\le64/\log_2A$ symbols have at least $n\log_2A\ge n\hat H$ "
            r"bits.",
            n * width,
            64 * _words,
            (
                Term(Integer(64), _words - n / _m, "floor"),
                Term(n / _m, 64 - _m * width, "floor"),
            ),
        ),
        Identity(
            "elias-words",
            r"The Elias gamma words of the indices $-3,\dots,3$, with a sign: 1, 4, 4 and 6 bits,",
            sum(2 ** (-instance(stated["elias"], {level: Integer(index)})) for index in range(-3, 4)),
            Integer(1) / 2 + 2 * (Integer(1) / 16 + Integer(1) / 16 + Integer(1) / 64),
        ),
        Identity(
            "elias-double",
            r"and twice as far there are twice as many, two bits longer: "
            r"$\sum2^{-l}=\frac12+\frac14+\dots=1$.",
            instance(stated["elias"], {level: Integer(7)}),
            instance(stated["elias"], {level: Integer(3)}) + 2,
        ),
        Certificate(
            "elias-from-below",
            r"So the Elias code of a message is no shorter than $n\hat H$.",
            _empirical,
            _elias,
            (Term(Integer(1), _elias - _empirical, "kraft"),),
        ),
    )


def _mean_length(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    lost = n * log(stated["growth"]) / log(2)
    excess = ADAPTIVE.formulas["excess"]
    return (
        Certificate(
            "mean-from-below",
            r"The codes of all messages of $n$ symbols are uniquely decodable: their mean length is at least "
            r"$nH$.",
            n * _H,
            _mean,
            (Term(Integer(1), _mean - n * _H, "kraft"),),
        ),
        Certificate(
            "mean-from-above",
            r"The mean $b$ is at most that of the stated bound, with $u$ the mean of $L$ and $h$ that of "
            r"$n\hat H$.",
            _mean,
            stated["mean"],
            (
                Term(Integer(1), _spread + lost + stated["ending"] - _mean, "one-word, two-words"),
                Term(Integer(1), _empirical + excess - _spread, "at-most"),
                Term(Integer(1), n * _H - _empirical, "concave"),
            ),
        ),
    )


def _wire(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    payload, scale_bits, blocks = (Symbol(name) for name in "bNB")
    named = {symbol: Symbol(symbol.name) for symbol in stated["message"].free_symbols}
    return (
        Identity(
            "message",
            r"Header of four letters, four bytes, six counters of 8 bytes, two of 4, gain and fingerprint of "
            r"8 each; scales; length of the payload, 8 bytes; payload; checksum, 4 bytes.",
            stated["message"].subs(named),
            8 * (4 + 4 + 6 * 8 + 2 * 4 + 8 + 8) + scale_bits * blocks + 8 * 8 + payload + 8 * 4,
        ),
    )
