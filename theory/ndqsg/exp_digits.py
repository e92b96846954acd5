r"""`ndqsg/exp-digits`: training on handwritten digits with dithered and nested messages (arXiv 1904.01197).

Runs obey the exact laws: errors, nested decoding beside recorded innovations, and bits. That the accuracy is
that of SGD is a weak check: every method has it, sound or not.

Derivation: a 64-bit word holds $w$ symbols of an alphabet of $A$ iff $A^w\le2^{64}$, which gives the bits of
each message and of a run; the error of a nested message is $e-kQ((z+e)/k)$, whose mean square over $e$ is
that of `ndqsg/nested-conditional-mse`.
"""

from collections.abc import Mapping

from sympy import Expr, Integer, Rational, Symbol, ceiling, floor, log

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
from theory.ndqsg.symbols import DIMENSION, DITHER, ITERATIONS, RATIO, ROUNDING, WORKERS, P, T, d, k
from theory.old_form import Claim, Mutant, Variable, WorstCase, expressions
from theory.old_steps import Certificate, Identity, StandardFact, Step, Term

A = Symbol("A", integer=True, positive=True)
w = Symbol("w", integer=True, positive=True)
b = Symbol("b", integer=True, positive=True)
m = Symbol("m", integer=True, nonnegative=True)
tensors = Symbol("tensors", integer=True, positive=True)
cell, moved = Symbol("cell", integer=True), Symbol("moved", nonnegative=True)
side = Symbol("side", real=True)
first, second = (Symbol(name, integer=True, nonnegative=True) for name in ("first", "second"))

# That of `ndqsg/nested-conditional-mse`.
_MEAN_SQUARE = (
    Rational(1, 12) - k * moved * (1 - moved) + k**2 * ((1 - moved) * cell**2 + moved * (cell + side) ** 2)
)
_EXACT = T * (m * first + (P - m) * second)
_FORMULAS = {
    "per_word": floor(64 * log(2) / log(A)),
    "message": 64 * ceiling(d / w) + 64 * ceiling(d / b),
    "wire": _EXACT + 736 * T * P * tensors,
    "error": e - k * floor((z + e) / k + HALF),
    "mean_square": _MEAN_SQUARE,
}

# Bits of a word, of a byte; bytes of the parts of a header, and of the length of the payload and the CRC.
_WORD, _BYTE = 2**6, 2**3
_HEADER = 4 + 4 * 1 + 6 * 8 + 2 * 4 + 8 + 8 + 8 + 4

PER_WORD = {2: 64, 3: 40, 5: 27, 7: 22}
"""Symbols per word by the size of the alphabet."""

SOFTMAX = (640, 10)
"""Entries of the tensors of softmax regression: weights and biases."""

# Method; alphabets of the first and the second half of 8 workers; bits of 200 iterations.
TABLE = (
    ("DQSG, $M=1$", 3, 3, 1945600),
    ("DQSG, $M=3$", 7, 7, 3379200),
    ("half NDQSG, $M=1$, $k=2$", 3, 2, 1638400),
    ("half NDQSG, $M=3$, $k=3$", 7, 3, 2662400),
    ("half NDQSG, $M=3$, $k=5$", 7, 5, 3072000),
)

_w, _j = Symbol("w", real=True), Symbol("j", integer=True)
_p, _h = Symbol("p", positive=True), Symbol("h", positive=True)
# |w| = (k - 1)/2 + p with k = 1 + 2h: a part p of the errors leaves the cell.
_RATIO = 1 + 2 * _h


def derivation(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    """Return the steps, built from the stated expressions."""
    return (*_words(stated), *_messages(stated), *_runs(stated), *_errors(stated))


def _words(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    steps: list[Step] = [
        StandardFact(
            "digits",
            r"Numbers below $A^w$ and $w$ digits of base $A$ are the same: a word holds $w$ symbols iff "
            r"$A^w\le2^{64}$.",
            "D. E. Knuth, The Art of Computer Programming, vol. 2, 3rd ed., section 4.1",
        )
    ]
    for size, count in PER_WORD.items():
        steps.append(
            Identity(
                f"per-word-{size}",
                rf"The stated number of symbols of an alphabet of {size} in a word is {count}:",
                stated["per_word"].subs(A, size),
                Integer(count),
            )
        )
        room = 2**_WORD - size**count
        fits = f"{size}^{{{count}}}"
        if room:
            steps.append(
                Certificate(
                    f"fits-{size}",
                    rf"${fits}\le2^{{64}}$,",
                    Integer(size**count),
                    Integer(2**_WORD),
                    (Term(Integer(1), Integer(room), "a positive number"),),
                )
            )
        else:
            halves = Integer(2) ** (count // 2)
            steps.append(Identity(f"fits-{size}", rf"${fits}=2^{{64}}$,", halves**2, Integer(2**_WORD)))
        steps.append(
            Certificate(
                f"no-more-{size}",
                rf"and $2^{{64}}+1\le{size}^{{{count + 1}}}$.",
                Integer(2**_WORD + 1),
                Integer(size ** (count + 1)),
                (Term(Integer(1), Integer(size ** (count + 1) - 2**_WORD - 1), "a positive number"),),
            )
        )
    return tuple(steps)


def _message(stated: Mapping[str, Expr], entries: int, alphabet: int, block: int | None = None) -> Expr:
    """Return the stated bits of one message."""
    count = stated["per_word"].subs(A, alphabet)
    return stated["message"].subs({d: entries, w: count, b: block or entries})


def _messages(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    steps = []
    for size, count in PER_WORD.items():
        for entries in SOFTMAX:
            # The last word holds from 1 to w symbols.
            full = (entries - 1) // count
            steps.append(
                Identity(
                    f"message-{size}-{entries}",
                    rf"{entries} symbols of {size}: {full} full words and one more, and a scale.",
                    _message(stated, entries, size),
                    Integer(_WORD * (full + 1) + _WORD),
                )
            )
    blocks = -(-SOFTMAX[0] // 256)
    return (
        *steps,
        Identity(
            "blocks",
            r"640 symbols of 7 in blocks of 256: three scales.",
            _message(stated, SOFTMAX[0], 7, 256),
            Integer(_WORD * (SOFTMAX[0] // 22 + 1) + _WORD * blocks),
        ),
        Identity(
            "header",
            r"On the wire each of $TPL$ messages has a header of 4 bytes of magic, 4 of one byte each, six "
            r"words, $M$ and $k$ of 4 bytes, $\alpha$ and the fingerprint of 8, besides the length of the "
            r"payload, 8 bytes, and the checksum, 4.",
            stated["wire"] - stated["exact"],
            _BYTE * _HEADER * T * P * tensors,
        ),
    )


def _runs(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    steps = []
    for place, (name, alphabet, other, bits) in enumerate(TABLE):
        sent = [sum(_message(stated, entries, size) for entries in SOFTMAX) for size in (alphabet, other)]
        steps.append(
            Identity(
                f"run-{place}",
                rf"{name}: 200 iterations of softmax regression with 4 + 4 workers.",
                stated["exact"].subs({T: 200, P: 8, m: 4, first: sent[0], second: sent[1]}),
                Integer(bits),
            )
        )
    return tuple(steps)


def _errors(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    within = with_integers_outside(stated["error"].xreplace({z: k * _j + _w})).xreplace(
        {floor(_w / k + e / k + HALF): Integer(0)}
    )
    here = within.xreplace({_j: cell})
    return (
        Identity(
            "cell",
            r"The stated error, where $z=kj+w$ and $-\frac k2\le w+e<\frac k2$: it is $e-kj$.",
            within,
            e - k * _j,
        ),
        Identity(
            "mean-square",
            r"The stated mean square is that of `ndqsg/nested-conditional-mse`.",
            stated["mean_square"],
            _MEAN_SQUARE,
        ),
        *(
            Identity(
                f"mean-square-{name}",
                rf"It is the mean over $e$ of the squared error, of which a part $\pi$ is in the next cell, "
                rf"for {text}.",
                _mean_square(here, sign_of),
                stated["mean_square"].subs({moved: _p, side: sign_of, k: _RATIO}),
            )
            for name, sign_of, text in (("above", 1, "$w>0$"), ("below", -1, "$w<0$"))
        ),
    )


def _mean_square(error: Expr, sign_of: int) -> Expr:
    """Return the mean square of the error; errors at one end of the interval are in the next cell."""
    stays, moves = (error.subs({cell: place, k: _RATIO}) ** 2 for place in (cell, cell + sign_of))
    if sign_of > 0:
        return mean_over_error(stays, -HALF, HALF - _p) + mean_over_error(moves, HALF - _p, HALF)
    return mean_over_error(stays, -HALF + _p, HALF) + mean_over_error(moves, -HALF, -HALF + _p)


_MUTANTS = (
    Mutant("half-width", "A dither of half width at both ends.", ("run",)),
    Mutant("one-dither-for-all", "All workers use the dither of one of them.", ("run",)),
    Mutant("frozen-dither", "The dither of the first iteration in all of them.", ("run",)),
    Mutant("dither-not-subtracted", "The receiver does not subtract the dither.", ("run",)),
    Mutant("side-off-by-a-step", "The side information of the receiver is one fine step too high.", ("run",)),
    Mutant("smaller-ratio", "The receiver reduces by $k-1$.", ("run",)),
    Mutant("narrow-scale", r"The scale is $\frac45\|g\|_\infty$: indices beyond $M$ are clipped.", ("run",)),
    Mutant(
        "without-half-step",
        r"The mean square with $\pi=\max(0,|w|-\frac k2)$: no overload next to the margin.",
        ("run",),
    ),
    Mutant("scales-free", "Leave out the bits of the scales.", ("exact",)),
    Mutant("smaller-alphabet", r"Count $\log_22M$ bits for an index, without its zero.", ("exact",)),
    Mutant("entropy-bits", r"Count $d\log_2A$ bits, no whole words.", ("exact",)),
    Mutant("header-free", "Leave out headers and checksums of what travels.", ("exact",)),
    Mutant("claims-a-lead", "Claim an accuracy two points above that of SGD.", ("run",)),
    Mutant(
        "other-coset-element",
        "Send other elements of the cosets: nothing may change at the receiver.",
        ("run",),
        neutral=True,
    ),
    Mutant("one-worker-less", r"Decoded messages are divided by $P-1$.", ("exact",)),
    Mutant("half-momentum", "Half the momentum.", ("exact",)),
    Mutant("lost-residual", "Messages of one bit without error feedback.", ("exact",)),
    Mutant("long-floats", "Numbers that travel as they are have 64 bits.", ("exact",)),
    Mutant(
        "no-term-of-the-mean",
        "Adaptive ratios from the variance of the messages alone, without that of their mean.",
        ("exact",),
    ),
)

CLAIM = Claim(
    id="ndqsg/exp-digits",
    paper=PAPER,
    kind="ordering",
    provenance="derived",
    title="Training on digits obeys the laws of errors and bits; accuracy is that of SGD",
    statement=(
        r"Softmax regression, a fully connected and a convolutional network on scikit-learn's digits; $P$ "
        r"workers, sequential side information, one scale per tensor of a worker. (1) The normalised errors "
        r"of all DQSG messages, and $e$ of nested ones, are uniform on $(-\frac12,\frac12]$ and independent "
        r"of the phase of the input, of $z$, of the worker's error before and of the errors of others. "
        r"(2) At each recorded innovation $z$ a nested message has the error $e-kQ((z+e)/k)$ in fine steps, "
        r"and the mean square "
        r"$\frac1{12}-k\pi(1-\pi)+k^2[(1-\pi)j_0^2+\pi(j_0+\mathrm{sign}\,w)^2]$ over $e$; no index is "
        r"clipped. (3) A message of $d$ symbols of an alphabet of $A$ in blocks of $b$ takes exactly "
        r"$64\lceil d/w\rceil+64\lceil d/b\rceil$ bits, $w=\lfloor64/\log_2A\rfloor$, and 736 more on the "
        r"wire; so $P=8$ workers send in $T=200$ iterations of softmax regression 1.9456 Mbit (DQSG, $M=1$), "
        r"3.3792 ($M=3$), and with half of the workers nested 1.6384 ($M=1$, $k=2$), 2.6624 ($M=3$, $k=3$) "
        r"and 3.072 ($M=3$, $k=5$), headers apart. (4) For softmax regression and the fully connected "
        r"network the median loss of test accuracy of DQSG with $M=3$ against SGD on the same rows is at "
        r"most two points. This is a weak check: methods with wrong errors pass it, too, see "
        r"`ndqsg/protocol-desync`."
    ),
    variables=(
        DIMENSION,
        Variable(A, r"\{2,3,\dots\}", r"number of symbols: $2M+1$, or $k$ for nested messages"),
        Variable(w, r"\mathbb N", "symbols in a word of 64 bits"),
        Variable(b, r"\mathbb N", "coordinates of a block, each with a scale of 64 bits"),
        WORKERS,
        ITERATIONS,
        Variable(m, r"\{0,\dots,P\}", "workers of the first group, whose messages are not nested"),
        Variable(first, r"\mathbb N_0", "bits of one of them for all tensors"),
        Variable(second, r"\mathbb N_0", "bits of a worker with nested messages for all tensors"),
        Variable(tensors, r"\mathbb N", "number $L$ of tensors, each a message of its own"),
        INNOVATION,
        FINE_ERROR,
        RATIO,
        Variable(cell, r"\mathbb Z", r"coarse cell $j_0=Q(z/k)$ of the innovation, $w=z-kj_0$"),
        Variable(moved, r"[0,\frac12]", r"$\pi=\max(0,|w|-\frac{k-1}2)$"),
        Variable(side, r"\{-1,0,1\}", r"$\mathrm{sign}\,w$"),
    ),
    assumptions=(
        DITHER,
        ROUNDING,
        NESTED,
        UNIFORM_ERROR,
        r"$\alpha=1$; scales of 64 bits; the layout of words and headers of this project; no safe mode.",
        r"1400 rows for training and 397 for testing, batches drawn without replacement and cut over the "
        r"workers; step 0.5, or 0.1 with momentum 0.9.",
        "A verdict covers the settings of its records: the quick profile has softmax regression and short "
        "runs, the full one all three networks, $P=4,8,16$, momentum, a batch of 1024 and blocks of 256. "
        "Sentence (4) is judged for softmax regression in both profiles, for the fully connected network in "
        "the full one, and for the convolutional network in none.",
    ),
    derivation=lambda: derivation(expressions(None, _EXACT, _FORMULAS)),
    worst_cases=tuple(
        WorstCase(
            f"{name}: 200 iterations of softmax regression",
            {
                "T": 200,
                "P": 8,
                "m": 4,
                "first": sum(64 * -(-n // PER_WORD[alphabet]) + 64 for n in SOFTMAX),
                "second": sum(64 * -(-n // PER_WORD[other]) + 64 for n in SOFTMAX),
            },
            Integer(bits),
        )
        for name, alphabet, other, bits in TABLE
    ),
    mutants=_MUTANTS,
    exact=_EXACT,
    formulas=_FORMULAS,
    measured=True,
)
