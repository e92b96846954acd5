"""Derivation of `cat/packet-candidates`: sizes of a step, integer ratios, two counterexamples."""

from collections.abc import Mapping

from sympy import Expr, Integer, Rational, Symbol, symbols

from theory.cat.affine_unimodal import OLD as AFFINE
from theory.cat.symbols import T, a, c_0, c_1, d
from theory.instance import instance
from theory.old_steps import Certificate, Identity, StandardFact, Step, Term
from theory.summation import SUMMATION

b = Symbol("b", integer=True, positive=True)
P_max = Symbol("P_max", integer=True, positive=True)
m = Symbol("m", integer=True, positive=True)
h = Symbol("h", nonnegative=True)

_SIZE = 6
_as = symbols("a_1:7", positive=True)
_SORTED = "hypothesis: the squares are sorted, the largest first"
_FLAT = Rational(2, 3), Rational(6, 5), Rational(8, 7), Rational(4, 3)
_width = Symbol("w", integer=True, positive=True)

ROUNDING = StandardFact(
    "rounding",
    r"For integers $n$: $n\le x$ iff $n\le\lfloor x\rfloor$, and $x\le n$ iff $\lceil x\rceil\le n$.",
    "R. L. Graham, D. E. Knuth, O. Patashnik, Concrete Mathematics, 2nd ed., (3.7)",
)


def derivation(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    """Return the steps, built from the stated expressions."""
    return (
        ROUNDING,
        Identity(
            "in-packets",
            r"$bT\le mP_{\max}$ iff $T\le mP_{\max}/b$, so by `rounding` a message fits in $m$ packets iff "
            r"$T\le\lfloor mP_{\max}/b\rfloor$.",
            (m * P_max - b * T) / b,
            m * P_max / b - T,
        ),
        *_small_packets(stated),
        *_on_a_step(stated),
        *_integer_ratio(stated),
        SUMMATION,
        *_not_one_peak(stated),
        *_wire(stated),
    )


def _small_packets(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    """Two bits an entry and three bits a packet: the stated sizes and numbers of packets."""
    small = {b: 2, P_max: 3}
    steps: list[Step] = []
    for count, size in enumerate((1, 3, 4, 6), start=1):
        steps += [
            Identity(
                f"candidate-{count}",
                rf"For $b=2$, $P_{{\max}}=3$ the largest size in {count} packets is {size}.",
                instance(stated["candidate"], {**small, m: count}),
                Integer(size),
            ),
            Identity(
                f"packets-{size}",
                rf"{size} entries fill {count} packets,",
                instance(stated["packets"], {**small, T: size}),
                Integer(count),
            ),
            Identity(
                f"packets-{size}-and-one",
                "and one more needs another packet.",
                instance(stated["packets"], {**small, T: size + 1}),
                Integer(count + 1),
            ),
        ]
    return tuple(steps)


def _on_a_step(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    def efficiency(size: int) -> Expr:
        return instance(stated["exact"], {d: _SIZE, T: size, a: _as, b: 2, P_max: 5})

    total = sum(_as)
    A, more, cost = symbols("A s C", positive=True)
    one, two = c_1 + c_0, 2 * c_1 + c_0
    return (
        Certificate(
            "same-cost",
            r"At the same cost more entries are not less efficient, and more efficient up to the last "
            r"nonzero.",
            A / cost,
            (A + more) / cost,
            (Term(1 / cost, more, "a sum of squares"),),
        ),
        Certificate(
            "same-packet",
            rf"For $b=2$, $P_{{\max}}=5$ the first packet holds two entries (shown for {_SIZE}).",
            efficiency(1),
            efficiency(2),
            (Term(1 / (total * one), _as[1], "a square"),),
        ),
        Certificate(
            "same-two-packets",
            "Two packets hold five.",
            efficiency(3),
            efficiency(5),
            (Term(1 / (total * two), _as[3] + _as[4], "squares"),),
        ),
    )


def _integer_ratio(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    """With w entries in a packet the blocks of w squares take the place of the squares."""
    blocks = tuple(sum(_as[first : first + 2]) for first in (0, 2, 4))
    growth = AFFINE.formulas["growth"]

    def of_blocks(count: int) -> Expr:
        return instance(growth, {T: count, a: blocks})

    terms = (*_as[2:4], *_as[4:6])
    return (
        Identity(
            "integer-ratio",
            r"If $P_{\max}=wb$, $T_m=wm$.",
            stated["candidate"].subs(P_max, _width * b),
            _width * m,
        ),
        Identity(
            "packets-as-entries",
            r"So $m$ packets of $w$ entries are $m$ entries of `cat/affine-unimodal`, with sums of $w$ "
            r"squares for squares (shown for $w=2$, two packets).",
            instance(stated["exact"], {d: _SIZE, T: 4, a: _as, b: 3, P_max: 6}),
            instance(AFFINE.expressions["exact"], {d: 3, T: 2, a: blocks}),
        ),
        Certificate(
            "one-peak",
            r"The sums are sorted, too, so $h(m+1)\le h(m)$: one peak (shown for $w=2$, three packets; the "
            r"last one filled up with zeros).",
            of_blocks(2),
            of_blocks(1),
            tuple(
                Term(2 * c_1 + c_0, first - second, _SORTED)
                for first, second in zip(terms[:2], terms[2:], strict=True)
            ),
        ),
    )


def _not_one_peak(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    def flat(count: int) -> Expr:
        size = instance(stated["candidate"], {b: 2, P_max: 3, m: count})
        values = {d: 12, T: size, a: (1,) * 12, b: 2, P_max: 3, c_1: 1, c_0: Rational(1, 2)}
        return 12 * instance(stated["exact"], values)

    return tuple(
        Identity(
            f"flat-{count}",
            rf"Flat, $d=12$, $P_{{\max}}/b=\frac32$, $C=m+\frac12$: $12E(T_m)={value}$ at $m={count}$.",
            flat(count),
            value,
        )
        for count, value in (
            (1, _FLAT[0]),
            (2, _FLAT[1]),
            (3, _FLAT[2]),
            (4, _FLAT[3]),
            (8, Rational(24, 17)),
        )
    )


def _wire(stated: Mapping[str, Expr]) -> tuple[Step, ...]:
    squares = tuple(Rational(1, 4**place) for place in range(16))

    def efficiency(size: int) -> Expr:
        return instance(
            stated["wire"],
            {d: 16, T: size, a: squares, b: 36, P_max: 11680, h: 624, c_0: 0},
        )

    inside = Rational(5, 4) / sum(squares) / 696
    return (
        Identity(
            "wire-inside",
            r"With a price per bit, $g_j=2^{-j}$: two entries cost $2\cdot36+624=696$ bits,",
            efficiency(2),
            inside,
        ),
        Identity(
            "wire-full",
            r"and all sixteen, the only candidate, 1200.",
            efficiency(16),
            Rational(1, 1200),
        ),
        Certificate(
            "wire-not-covered",
            "That is less efficient.",
            efficiency(16),
            efficiency(2),
            (Term(inside - Rational(1, 1200), Integer(1), "one"),),
        ),
    )
