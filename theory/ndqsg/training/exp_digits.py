r"""`ndqsg/exp-digits`: training on digits with dithered and nested messages (arXiv 1904.01197)."""

from collections.abc import Sequence
from typing import Any

from sympy import Expr, Integer, Rational, ceiling, floor, log, symbols

from theory.claim import Claim, Relation, Variable, WorstCase
from theory.formula import eq, le, lt
from theory.hypotheses import definition, domain, model, parameter
from theory.ndqsg.paper import PAPER
from theory.statement import statement

d, A, w, b, m, P, T, L = symbols("d A w b m P T L", real=True)
message, first, second, sent, wired = symbols("message first second sent wired", real=True)
z, e, k, error = symbols("z e k error", real=True)

_PER_WORD = floor(64 * log(2) / log(A))
_MESSAGE = 64 * ceiling(d / w) + 64 * ceiling(d / b)
_EXACT = T * (m * first + (P - m) * second)
_HEADERS = 736 * T * P * L
_ERROR = e - k * floor((z + e) / k + Rational(1, 2))

_SOFTMAX = (640, 10)
"""Entries of the tensors of softmax regression: weights and biases."""

_TABLE = {
    "dqsg_1": ("DQSG, $M=1$", 3, 3),
    "dqsg_3": ("DQSG, $M=3$", 7, 7),
    "nested_1_2": ("half NDQSG, $M=1$, $k=2$", 3, 2),
    "nested_3_3": ("half NDQSG, $M=3$, $k=3$", 7, 3),
    "nested_3_5": ("half NDQSG, $M=3$, $k=5$", 7, 5),
}
"""Method; alphabets of the first and of the second half of the workers."""


def _bits_of(alphabet: int) -> Expr:
    """Return the bits of a worker in one iteration, one scale per tensor."""
    held = _PER_WORD.subs(A, alphabet)
    return sum((_MESSAGE.subs({d: n, b: n, w: held}) for n in _SOFTMAX), Integer(0))


def _run_of(alphabets: Sequence[int]) -> dict[str, Any]:
    """Return the values of a run of 200 iterations with 4 + 4 workers."""
    one, other = map(_bits_of, alphabets)
    return {"T": 200, "P": 8, "m": 4, "first": one, "second": other}


def _total(alphabets: Sequence[int]) -> Expr:
    return _EXACT.subs({symbol: _run_of(alphabets)[symbol.name] for symbol in (T, P, m, first, second)})


_TOTALS = {name: _total(alphabets) for name, (_, *alphabets) in _TABLE.items()}
_LOST, _TOLERATED = Integer(2), Integer(2)  # points, per cent

CLAIM = Claim(
    id="ndqsg/exp-digits",
    kind="ordering",
    provenance="derived",
    title="On digits the laws of errors and bits hold; softmax regression by DQSG, M=3, loses at most two "
    "points in the median",
    position=38,
    paper=PAPER,
    **statement(
        r"""
        Softmax regression, a fully connected and a convolutional network on scikit-learn's digits: 1400
        rows for training and 397 for testing, batches drawn without replacement and cut over $P$ workers;
        step 0.5, or 0.1 with momentum 0.9; sequential side information, $\alpha=1$, no safe mode, one scale
        of 64 bits per tensor of a worker unless said otherwise. A verdict covers the settings of its
        records: the quick profile has softmax regression in short runs, the full one all three networks, 4,
        8 and 16 workers, momentum, a batch of 1024 and blocks of 256.
        (a: per-word) <<A word of 64 bits holds -> exact/full word>> $w=\Big\lfloor\frac{64\ln2}{\ln
          A}\Big\rfloor$ symbols of an alphabet of $A$, {value:held_3} <<of 3, -> exact/symbols in a word>>
          {value:held_5} <<of 5, -> exact/symbols in a word>> {value:held_7} <<of 7: -> exact/symbols in a
          word>> <<and no larger number fits -> exact/one symbol more>>.
          [exact/symbols in a word; exact/full word; exact/one symbol more]
        (b: range) In logarithms, $$w\ln A\le64\ln2<(w+1)\ln A.$$ [proof]
        (c: message) <<A message of $d$ symbols in blocks of $b$ -> exact/messages of other lengths>> takes
          $$\ell=64\Big\lceil\frac dw\Big\rceil+64\Big\lceil\frac db\Big\rceil$$ bits. [exact/messages of
          other lengths]
        (d: run) If $m$ of $P$ workers send $\ell_1$ bits for all tensors and the others, whose messages are
          nested, $\ell_2$, then in $T$ iterations there are $N=T(m\ell_1+(P-m)\ell_2)$ bits. [exact/bits of
          a run]
        (e) <<So 8 workers send in 200 iterations -> exact/bits of 200 iterations>> of softmax regression
          {value:dqsg_1} bits <<(DQSG, $M=1$) -> exact/bits of 200 iterations>>, {value:dqsg_3} <<($M=3$),
          and -> exact/bits of 200 iterations>> half of them nested {value:nested_1_2} <<($M=1$, $k=2$) ->
          exact/bits of 200 iterations>>, {value:nested_3_3} <<($M=3$, $k=3$) and -> exact/bits of 200
          iterations>> {value:nested_3_5} <<($M=3$, $k=5$) -> exact/bits of 200 iterations>>, headers apart.
          [exact/bits of 200 iterations]
        (f: wire) On the wire, each of $L$ tensors a message of its own, there are $N_W=N+736TPL$ bits.
          [exact/bits on the wire]
        (g) The errors of DQSG messages, and $e$ of nested ones, in fine steps, pass tests of being
          <<uniform on $\pm\frac12$ -> run/uniform errors>> and independent of the phase of the input, of
          $z$, of the worker's error before and of the errors of another worker. [run/uniform errors]
        (h: error) <<At each recorded innovation -> run/errors off the identity>> $z$ the error of a nested
          message in fine steps is, beside ties at the ends of cells,
          $$\varepsilon=e-k\Big\lfloor\frac{z+e}k+\frac12\Big\rfloor,$$ and no index is clipped. [run/errors
          off the identity; run/error at the largest innovation; run/sum of squares; run/clipped indices]
        (i: inside) It is $e$ where nothing overloads: if $-\frac k2\le z+e<\frac k2$, then $\varepsilon=e$.
          [proof]
        (j) Its mean square given $z$ is that of `ndqsg/nested-conditional-mse`, within {value:tolerated} per
          cent of the largest square of a coordinate. [run/mean square]
        (k) For softmax regression, and in the full profile for the fully connected network, the median loss
          of test accuracy of <<DQSG with $M=3$ against SGD on the same rows is at most -> run/accuracy>>
          {value:lost} points. This is a weak check: <<with a dither of half the width at both ends ->
          run/accuracy with a dither of half the width>>, which (g) rejects, softmax regression passes it,
          too. [run/accuracy; run/accuracy with a dither of half the width]
        (l) <<Training equals one that is written out -> exact/weights at the end>> worker by worker and row
          by row, for softmax regression and for one hidden layer of rectified units: losses, weights,
          accuracies and bits. [exact/loss; exact/weights at the end; exact/test rows in their class;
          exact/bits of the literal training; exact/arguments *; exact/traced *; exact/weights that start
          elsewhere; exact/number of weights; exact/scores of rows; exact/losses of *; exact/slopes of
          losses; exact/shares of rows in their class]
        (m) The gradients of fully connected and of convolutional networks are <<those of central
          differences of their losses -> exact/central differences>>. [exact/central differences]
        """
    ),
    variables=(
        Variable(d, "d", r"\mathbb N", "coordinates of a tensor"),
        Variable(A, "A", r"\{2,3,\dots\}", "symbols of the alphabet: all indices, or as many as the ratio"),
        Variable(w, "w", r"\mathbb N", "symbols in a word"),
        Variable(b, "b", r"\mathbb N", "coordinates of a block, each with a scale"),
        Variable(message, r"\ell", r"\mathbb N", "bits of a message"),
        Variable(P, "P", r"\mathbb N", "number of workers"),
        Variable(m, "m", r"\mathbb N", "workers whose messages are not nested"),
        Variable(T, "T", r"\mathbb N", "number of iterations"),
        Variable(L, "L", r"\mathbb N", "number of tensors"),
        Variable(first, r"\ell_1", r"\mathbb N", "bits of one of the first group in an iteration"),
        Variable(second, r"\ell_2", r"\mathbb N", "bits of one of the second group in an iteration"),
        Variable(sent, "N", r"\mathbb N", "bits of all payloads and scales of a run"),
        Variable(wired, "N_W", r"\mathbb N", "bits of all bytes that travel"),
        Variable(z, "z", r"\mathbb R", r"innovation in fine steps"),
        Variable(e, "e", r"[-\frac12,\frac12]", "fine error in fine steps"),
        Variable(k, "k", r"\{2,3,\dots\}", "ratio of the coarse step to the fine one"),
        Variable(error, r"\varepsilon", r"\mathbb R", "error of a decoded coordinate in fine steps"),
    ),
    notation={"M": "number of levels", r"\alpha": "gain"},
    hypotheses={
        "alphabet": domain(r"$A\ge2$ is an integer"),
        "held": definition(r"$w=\Big\lfloor\frac{64\ln2}{\ln A}\Big\rfloor$"),
        "ratio": domain(r"$k\ge2$ is an integer"),
        "decoded": model(
            r"$\varepsilon=e-k\Big\lfloor\frac{z+e}k+\frac12\Big\rfloor$ (`ndqsg/nested-decoding`)"
        ),
        "within": parameter(r"$-\frac k2\le z+e<\frac k2$"),
    },
    relations={
        "per-word": Relation((w, _PER_WORD), ("=",)),
        "range": Relation((w * log(A), 64 * log(2), (w + 1) * log(A)), ("<=", "<"), under=("held",)),
        "message": Relation((message, _MESSAGE), ("=",)),
        "run": Relation((sent, _EXACT), ("=",)),
        "wire": Relation((wired, sent + _HEADERS), ("=",)),
        "error": Relation((error, _ERROR), ("=",)),
        "inside": Relation((error, e), ("=",), under=("decoded", "within")),
    },
    formulas={
        "exact": _EXACT,
        "per_word": _PER_WORD,
        "message": _MESSAGE,
        "wire": _EXACT + _HEADERS,
        "points": _LOST / 100,
        "tolerated": _TOLERATED,
        "wrapped": _ERROR,
    },
    internal={
        "wire": "parts (d) and (f) together",
        "points": "slot of part (k)",
        "tolerated": "slot of part (j)",
    },
    values={
        "lost": _LOST,
        "tolerated": _TOLERATED,
        **_TOTALS,
        **{f"held_{size}": _PER_WORD.subs(A, size) for size in (3, 5, 7)},
    },
    worst_cases=tuple(
        WorstCase(f"{text}: 200 iterations of softmax regression", _run_of(alphabets), _TOTALS[name])
        for name, (text, *alphabets) in _TABLE.items()
    ),
    measured=True,
)


def derive(K: Any) -> None:
    """Take floors: a logarithm of two or more is positive."""
    # An alphabet of two has a whole quotient.
    K.example({A: 2, w: 64, k: 3, z: Rational(1, 2), e: Rational(1, 4), error: Rational(1, 4)})
    K.know(K.given("alphabet", 1))
    size, held, quotient = log(A), K.given("held"), 64 * log(2) / log(A)
    K.know(K.sign(lt(0, size)))
    K.conclude(
        "range",
        K.cert(le(w * size, 64 * log(2)), (size, held), (size, K.axiom("floor-below", quotient))),
        K.cert(lt(64 * log(2), (w + 1) * size), (-size, held), (size, K.axiom("floor-above", quotient))),
    )
    K.know(K.given("ratio", 1))
    value = (z + e) / k + Rational(1, 2)
    cell = K.discharge(
        K.axiom("floor-unique", value, Integer(0)),
        K.cert(le(0, value), (1 / k, K.given("within"))),
        K.cert(lt(value, 1), (1 / k, K.given("within", 1))),
    )
    K.conclude("inside", K.cert(eq(error, e), (1, K.given("decoded")), (-k, cell)))
