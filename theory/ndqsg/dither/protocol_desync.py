r"""`ndqsg/protocol-desync`: what a receiver with the wrong dither makes of a message (arXiv 1904.01197)."""

from typing import Any

from sympy import Abs, IndexedBase, Integer, Rational, symbols

from theory.claim import Claim, Relation, Variable
from theory.facts.absolute_value import absolute_below
from theory.formula import eq, le, lt
from theory.hypotheses import definition, domain, parameter
from theory.ndqsg.paper import PAPER
from theory.statement import statement
from theory.worst_cases import cases

p, q, x, N, k, z, e, u, w, mean, square, finite = symbols("p q x N k z e u w mean square finite", real=True)
average, one, start, stop = symbols("average one start stop", real=True)
b, v = symbols("b v", cls=IndexedBase, real=True)
HALF, TWELFTH, THIRD = Rational(1, 2), Rational(1, 12), Rational(1, 3)

_EXACT = p * (1 - p) + TWELFTH
_FINITE = p * (1 - p) + (1 - 1 / N**2) / 12
_MARGIN = (k - 3) / 2


CLAIM = Claim(
    id="ndqsg/protocol-desync",
    kind="identity",
    provenance="derived",
    title="A desynchronised dither is unbiased with up to four times the variance; the protocol refused all "
    "that were tried",
    position=7,
    paper=PAPER,
    **statement(
        r"""
        The receiver subtracts a dither that is independent of the sender's, both uniform. In units of the
        step the error is then that of rounding an input of phase $p$ up or down, by the probabilities of
        its phase, less the receiver's dither. Let $\mu$ be its mean, $S$ its mean square.
        (a: mean) DQSG stays unbiased, $\mu=0$. [proof; exact/mean]
        (b: square) $$S=p(1-p)+\frac1{12}.$$ [proof; montecarlo/sampled mean square]
        (c: bound, attained) That is $S\le\frac13$, four times the variance of a synchronous pair. It is
          attained if $p=\frac12$: then $S=\frac13$. [proof; exact/bound; adversarial/worst phase]
        (d: average) Its average over the phase is $A=\frac14$. [proof]
        (e: finite) With $N$ points for each dither, and phases that are multiples of their spacing, the
          mean square is $S_N=p(1-p)+\frac{1-\frac1{N^2}}{12}$. [proof; exact/variance]
        (f: margin) The margin of the nested quantizer shrinks: if $|z|<\frac{k-3}2$, $|e|\le\frac12$,
          $|u|\le\frac12$ and $|w|\le\frac12$, then $|z+e+u-w|<\frac k2$, so that innovation $z$, error $e$
          and dithers $u$, $w$ keep the cell. <<Where $k$ is three this leaves no innovation
          -> proof>>. [proof;
          exact/error inside; exact/error beyond]
        (g: synchronous) A synchronous pair is off by at most half a step: if $q\le x+u+\frac12<q+1$, then
          $|q-u-x|\le\frac12$. [proof; exact/error of the right receiver in steps; run/error of the right
          receiver in steps]
        (h) The wire protocol refused every other one that was tried: <<another seed, iteration, worker or
          tensor raised `DesyncError` -> exact/wrong message is refused>>, <<each changed bit
          `CorruptMessage` -> exact/flipped bits that raise CorruptMessage>>; <<no two of 8 iterations
          shared a dither -> exact/coordinates that two iterations share>>. [exact/wrong message is refused;
          exact/flipped bits that raise CorruptMessage; exact/resealed counters that raise DesyncError;
          exact/coordinates that two iterations share; exact/mean of the messages; exact/arguments *;
          exact/checksums that differ; exact/forged messages that are refused; exact/counters that are
          elsewhere; exact/fields of the header that differ; exact/scales that differ; exact/bytes behind
          the payload; exact/entries *; exact/facts that are read differently; exact/states of a server;
          exact/ends that are refused; exact/means of other messages]
        (i) So it did <<with messages of random gradients -> run/wrong message is refused>>, and <<at one
          gradient the errors of two iterations differ -> run/errors that repeat in the next iteration>>.
          [run/wrong message is refused; run/flipped bits that raise CorruptMessage; run/resealed counters
          that raise DesyncError; run/errors that repeat in the next iteration]
        """
    ),
    variables=(
        Variable(p, "p", "[0,1)", "fractional part of the input in units of the step"),
        Variable(mean, r"\mu", r"\mathbb R", "mean of the error"),
        Variable(square, "S", r"\mathbb R_{\ge0}", "mean square of the error in squared steps"),
        Variable(finite, "S_N", r"\mathbb R_{\ge0}", "the same for dithers of finitely many points"),
        Variable(average, "A", r"\mathbb R_{\ge0}", "average over the phase"),
        Variable(N, "N", r"\mathbb N", "number of points of the dither"),
        Variable(k, "k", r"\{2,3,\dots\}", "ratio of the coarse step to the fine one"),
        Variable(z, "z", r"\mathbb R", "innovation in steps"),
        Variable(e, "e", r"[-\frac12,\frac12]", "error"),
        Variable(u, "u", r"[-\frac12,\frac12]", "dither of the sender"),
        Variable(w, "w", r"[-\frac12,\frac12]", "dither of the receiver"),
        Variable(x, "x", r"\mathbb R", "input in steps"),
        Variable(q, "q", r"\mathbb Z", "index"),
        Variable(start, "a", r"\mathbb R", "first phase"),
        Variable(stop, "b", r"\mathbb R", "last phase"),
        Variable(b, "c", r"\{0,1\}", "bit of rounding", "(1,)"),
        Variable(v, "v", r"\mathbb R", "term of the receiver's dither", "(1,)"),
    ),
    hypotheses={
        "phase": domain(r"$0\le p<1$"),
        "points": domain(r"$N\ge1$"),
        "moments": definition(
            r"$\mu=\mathbb E\bigl(c-p\bigr)-\mathbb E\bigl(v\bigr)$, "
            r"$S=\mathbb E\bigl((c-p)^2\bigr)+\mathbb E\bigl(v^2\bigr)$, over "
            r"$c\sim\mathrm{Bernoulli}(p)$ and over $v$ with mean $0$ and variance $\frac1{12}$; "
            r"$S_N=\mathbb E\bigl((c-p)^2\bigr)+\mathbb E\bigl(v^2\bigr)$, over "
            r"$c\sim\mathrm{Bernoulli}(p)$ and over $v$ with mean $0$ and variance "
            r"$\frac1{12}-\frac1{12N^2}$"
        ),
        "average": definition(
            r"$A=\frac{b^2-a^2}2-\frac{b^3-a^3}3+\frac{b-a}{12}$, $a=0$, $b=1$, "
            r"since it is an integral over the phase"
        ),
        "half": parameter(r"$p=\frac12$"),
        "index": parameter(r"$q\le x+u+\frac12<q+1$"),
        "inside": parameter(r"$|z|<\frac{k-3}2$, $|e|\le\frac12$, $|u|\le\frac12$, $|w|\le\frac12$"),
    },
    relations={
        "mean": Relation((mean, 0), ("=",)),
        "square": Relation((square, _EXACT), ("=",)),
        "bound": Relation((square, THIRD), ("<=",)),
        "attained": Relation((square, THIRD), ("=",), under=("half",)),
        "average": Relation((average, Rational(1, 4)), ("=",)),
        "finite": Relation((finite, _FINITE), ("=",)),
        "synchronous": Relation((Abs(q - u - x), HALF), ("<=",), under=("index",)),
        "margin": Relation((Abs(z + e + u - w), k / 2), ("<",), under=("inside",)),
    },
    formulas={
        "exact": _EXACT,
        "bound": THIRD,
        "average": Rational(1, 4),
        "finite": _FINITE,
        "margin": _MARGIN,
    },
    internal={"margin": "said as a hypothesis of part (f)"},
    worst_cases=cases("""
        half a step | p = 1/2 | 1/3
        a quarter of a step | p = 1/4 | 13/48
        a tenth of a step | p = 1/10 | 13/75
    """),
)


def derive(K: Any) -> None:
    """Prove the relations."""
    quarter = Rational(1, 4)
    K.example({p: quarter, N: 8, k: 5, z: quarter, e: quarter, u: quarter, w: -quarter, q: 1, x: 1})
    K.example({p: HALF, N: 8, k: 5, z: quarter, e: quarter, u: quarter, w: -quarter})
    K.know(K.cert(le(0, p * (1 - p)), (p, 1 - p)))
    K.know(K.cert(le(0, (1 - 1 / N**2) / 12), ((N + 1) / (12 * N**2), N - 1)))
    K.conclude("mean", K.cert(eq(mean, Integer(0)), (1, K.given("moments"))))
    found = K.cert(eq(square, _EXACT), (1, K.given("moments", 1)))
    K.conclude("square", found)
    K.conclude("bound", K.cert(le(square, THIRD), (1, found), (1, (p - HALF) ** 2)))
    at_half = K.cert(eq(square, THIRD), (1, found), (HALF - p, K.given("half")))
    K.conclude("attained", at_half)
    phases = [K.given("average", 1), K.given("average", 2)]
    K.conclude("average", K.cert(eq(average, quarter), (1, K.given("average")), using=phases))
    K.conclude("finite", K.cert(eq(finite, _FINITE), (1, K.given("moments", 2))))
    below, above = K.given("index"), K.given("index", 1)
    off = q - u - x
    ends = (K.cert(le(-HALF, off), (1, above)), K.cert(le(off, HALF), (1, below)))
    K.conclude("synchronous", absolute_below(K, off, HALF, *ends))
    _margin(K)


def _margin(K: Any) -> None:
    """The four numbers add up to less than half the ratio on both sides."""
    bounds = [K.given("inside", place) for place in range(4)]
    numbers = (z, e, u, w)
    above = [K.axiom("abs-above", item) for item in numbers]
    below = [K.axiom("abs-below", item) for item in numbers]
    total, goal = z + e + u - w, lt(Abs(z + e + u - w), k / 2)
    both = [(1, item) for item in bounds]
    up = [(1, item) for item in (*above[:3], below[3])]
    down = [(1, item) for item in (*below[:3], above[3])]
    positive = K.cert(goal, *both, *up, (1, K.axiom("abs-of-nonnegative", total)))
    negative = K.cert(goal, *both, *down, (1, K.axiom("abs-of-nonpositive", total)))
    K.conclude("margin", K.cases(total, negative, positive))
