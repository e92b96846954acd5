r"""`ndqsg/nested-conditional-mse`: exact error for a given innovation (arXiv 1904.01197)."""

from typing import Any

from sympy import (
    Abs,
    Eq,
    IndexedBase,
    Integer,
    KroneckerDelta,
    Max,
    Piecewise,
    Rational,
    floor,
    sign,
    symbols,
)

from theory.claim import Claim, Relation, Variable
from theory.formula import IsInteger, eq, le, lt
from theory.hypotheses import definition, domain, model, parameter
from theory.indicator import INDICATOR
from theory.ndqsg.paper import PAPER
from theory.statement import statement
from theory.worst_cases import cases

z, k, e, w, cell, moved, side, jump = symbols("z k e w cell moved side jump", real=True)
square, mean, overload, i = symbols("square mean overload i", real=True)
kept_error, moving = symbols("kept_error moving", cls=IndexedBase, real=True)
HALF = Rational(1, 2)


_EXACT = (
    Rational(1, 12) - k * moved * (1 - moved) + k**2 * ((1 - moved) * cell**2 + moved * (cell + side) ** 2)
)
_BIAS = -k * (cell + moved * side)


CLAIM = Claim(
    id="ndqsg/nested-conditional-mse",
    kind="identity",
    provenance="derived",
    title="Exact mean square error of a nested message for a given innovation",
    position=34,
    paper=PAPER,
    **statement(
        r"""
        $\alpha=1$ and a fixed innovation $z$ in fine steps; the error in fine steps is $e-kj$ with
        $j=Q((z+e)/k)$ and $e$ uniform on $\pm\frac12$ (`ndqsg/nested-decoding`). $j_0=Q(z/k)$, $w=z-kj_0$,
        $\pi=\max(0,|w|-\frac{k-1}2)$; where $w$ vanishes either sign serves as $\mathrm{sign}\,w$.
        (a: stays, rises, falls) <<The dither moves the decoder by at most one cell -> proof>>: if $-\frac
          k2\le w+e<\frac k2$, then $j=j_0$; if $\frac k2\le w+e$, then $j=j_0+1$; if $w+e<-\frac k2$, then
          $j=j_0-1$. [proof; exact/mean square]
        (b: part) The part $\pi$ of the errors that move it satisfies $0\le\pi\le\frac12$. [proof;
          exact/overload]
        (c: square) $$\mathbb
          E[(e-kj)^2]=\frac1{12}-k\pi(1-\pi)+k^2[(1-\pi)j_0^2+\pi(j_0+\mathrm{sign}\,w)^2].$$ [proof;
          exact/mean square; exact/law of the quantizer; exact/mean square, numpy form; exact/mean square
          over a Gaussian; montecarlo/mean square; run/squared errors over their conditional mean]
        (d: mean) $$\mathbb E[e-kj]=-k(j_0+\pi\,\mathrm{sign}\,w).$$ [proof; exact/mean]
        (e: first, next, else) The receiver is in a wrong cell with probability $\Pr(j\ne0)=\pi$ if $j_0=0$;
          with $\Pr(j\ne0)=1-\pi$ if $j_0+\mathrm{sign}\,w=0$; if $j_0\ne0$ and $j_0+\mathrm{sign}\,w\ne0$,
          with $\Pr(j\ne0)=1$. [proof; exact/overload; exact/overload, numpy form; exact/overload over a
          Gaussian]
        """
    ),
    variables=(
        Variable(z, "z", r"\mathbb R", r"innovation $z=(g-y)/\delta$ in fine steps"),
        Variable(k, "k", r"\{2,3,\dots\}", "ratio of the coarse step to the fine one"),
        Variable(e, "e", r"[-\frac12,\frac12]", "error of the fine quantizer in steps"),
        Variable(w, "w", r"\mathbb R", "offset in the cell"),
        Variable(cell, "j_0", r"\mathbb R", "coarse cell of the innovation"),
        Variable(jump, "j", r"\mathbb R", "coarse cell of the decoder"),
        Variable(moved, r"\pi", r"[0,\frac12]", "part of the errors that leaves this cell"),
        Variable(side, r"\mathrm{sign}\,w", r"\mathbb R", "side to which they leave it"),
        Variable(kept_error, "a", r"[-\frac12,\frac12]", "error if the decoder stays", "(1,)"),
        Variable(moving, "b", r"[-\frac12,\frac12]", "error if it moves", "(1,)"),
        INDICATOR,
        Variable(square, r"\mathbb E[(e-kj)^2]", r"\mathbb R_{\ge0}", "mean square error in squared steps"),
        Variable(mean, r"\mathbb E[e-kj]", r"\mathbb R", "expected error in steps"),
        Variable(overload, r"\Pr(j\ne0)", "[0,1]", "overload probability"),
    ),
    notation={r"\alpha": "gain", "Q": "rounding, half-up", "e-kj": "error in steps"},
    hypotheses={
        "domain": domain(r"$k\ge2$ is an integer"),
        "error": domain(r"$-\frac12\le e\le\frac12$"),
        "names": definition(
            r"$j_0=\lfloor\frac zk+\frac12\rfloor$, $w=z-kj_0$, $j=\lfloor\frac{z+e}k+\frac12\rfloor$, "
            r"$\pi=\max\{0,|w|-\frac{k-1}2\}$"
        ),
        "side": definition(r"$(\mathrm{sign}\,w)^2=1$, $(\mathrm{sign}\,w)|w|=w$"),
        "inside": parameter(r"$-\frac k2\le w+e<\frac k2$"),
        "above": parameter(r"$\frac k2\le w+e$"),
        "below": parameter(r"$w+e<-\frac k2$"),
        "uniform": model(
            r"$\mathbb E[(e-kj)^2]=(1-\pi)\mathbb E\bigl((a-kj_0)^2\bigr)"
            r"+\pi\mathbb E\bigl((b-k(j_0+\mathrm{sign}\,w))^2\bigr)$, "
            r"$\mathbb E[e-kj]=(1-\pi)\mathbb E\bigl(a-kj_0\bigr)"
            r"+\pi\mathbb E\bigl(b-k(j_0+\mathrm{sign}\,w)\bigr)$, "
            r"over $a$ with mean $-\frac{\pi\,\mathrm{sign}\,w}2$ and variance $\frac{(1-\pi)^2}{12}$ and "
            r"over $b$ with mean $\frac{(1-\pi)\mathrm{sign}\,w}2$ and variance $\frac{\pi^2}{12}$; "
            r"$\Pr(j\ne0)=(1-\pi)(1-\mathbb I(j_0,0))+\pi(1-\mathbb I(j_0+\mathrm{sign}\,w,0))$, "
            r"since a uniform error is uniform on the part that stays",
            reference="claim `ndqsg/dq-uniform-error`",
        ),
        "first": parameter(r"$j_0=0$, $j_0+\mathrm{sign}\,w\ne0$"),
        "next": parameter(r"$j_0+\mathrm{sign}\,w=0$, $j_0\ne0$"),
        "else": parameter(r"$j_0\ne0$ and $j_0+\mathrm{sign}\,w\ne0$"),
    },
    relations={
        "stays": Relation((jump, cell), ("=",), under=("inside",)),
        "rises": Relation((jump, cell + 1), ("=",), under=("above",)),
        "falls": Relation((jump, cell - 1), ("=",), under=("below",)),
        "part": Relation((Integer(0), moved, HALF), ("<=", "<=")),
        "square": Relation((square, _EXACT), ("=",), under=("uniform",)),
        "mean": Relation((mean, _BIAS), ("=",), under=("uniform",)),
        "first": Relation((overload, moved), ("=",), under=("uniform", "first")),
        "next": Relation((overload, 1 - moved), ("=",), under=("uniform", "next")),
        "else": Relation((overload, Integer(1)), ("=",), under=("uniform", "else")),
    },
    formulas={
        "exact": _EXACT,
        "cell": floor(z / k + HALF),
        "moved": Max(0, Abs(z - k * cell) - (k - 1) / 2),
        "side": sign(z - k * cell),
        "bias": _BIAS,
        "overload": Piecewise((moved, Eq(cell, 0)), (1 - moved, Eq(cell + side, 0)), (Integer(1), True)),
    },
    internal={
        **dict.fromkeys(("cell", "moved", "side"), "a definition of the setting"),
        "overload": "the three relations of part (e)",
    },
    worst_cases=cases(r"""
        inside the margin: $z=\frac12$, $k=3$ | k = 3, cell = 0, moved = 0, side = 1 | 1/12
        $z=\frac65$, $k=3$: a fifth of the errors overload | k = 3, cell = 0, moved = 1/5, side = 1 | 421/300
        $z=\frac43$, $k=3$: a third of them | k = 3, cell = 0, moved = 1/3, side = 1 | 29/12
        $z=2$, $k=3$: the cell is wrong for certain | k = 3, cell = 1, moved = 0, side = -1 | 109/12
    """),
)


def derive(K: Any) -> None:
    """Prove the relations: floors between integers, and the moments of two uniform pieces."""
    # Offsets of 4/3 and -4/3 in the cell 0, -4/3 and 1/3 in the cell 1.
    for at, error, sense in ((4, 1, 1), (4, -1, 1), (-4, 1, -1), (-4, -1, -1), (5, 1, -1), (10, 1, 1)):
        K.example({k: 3, z: Rational(at, 3), e: Rational(error, 3), side: sense})
    kept, offset, jumped, part = (K.given("names", place) for place in range(4))
    start, end = K.axiom("floor-below", z / k + HALF), K.axiom("floor-above", z / k + HALF)
    K.know(
        K.rewrite(K.sign(IsInteger(floor(z / k + HALF))), K.cert(eq(floor(z / k + HALF), cell), (-1, kept)))
    )
    low = K.cert(le(-k / 2, w), (k, start), (-1, offset), (k, kept))
    high = K.cert(lt(w, k / 2), (k, end), (1, offset), (-k, kept))
    below, above = K.given("error"), K.given("error", 1)
    value = (z + e) / k + HALF

    def jumps(relation: str, number: Any, at_least: Any, less: Any) -> None:
        """Conclude that the cell of the decoder is a number."""
        floors = K.discharge(
            K.axiom("floor-unique", value, number),
            K.cert(le(number, value), *at_least, (1 / k, offset)),
            K.cert(lt(value, number + 1), *less, (-1 / k, offset)),
        )
        K.conclude(relation, K.cert(eq(jump, number), (1, jumped), (1, floors)))

    part_k = 1 / k
    # The error is at most half a step, and k - 1/2 > 0.
    beyond = (part_k, K.sign(lt(0, k - HALF)))
    jumps("stays", cell, ((part_k, K.given("inside")),), ((part_k, K.given("inside", 1)),))
    jumps("rises", cell + 1, ((part_k, K.given("above")),), ((part_k, high), (part_k, above), beyond))
    jumps("falls", cell - 1, ((part_k, low), (part_k, below), beyond), ((part_k, K.given("below")),))
    _part(K, low, high, part)
    weight = moved * (1 - moved) * (Rational(1, 4) - k)
    found = K.cert(eq(square, _EXACT), (1, K.given("uniform")), (weight, K.given("side")))
    K.conclude("square", found)
    K.conclude("mean", K.cert(eq(mean, _BIAS), (1, K.given("uniform", 1))))
    for relation, value in (("first", moved), ("next", 1 - moved), ("else", Integer(1))):
        here, there = _is_zero(K, relation == "first", cell), _is_zero(K, relation == "next", cell + side)
        terms = ((moved - 1, here), (-moved, there), (1, K.given("uniform", 2)))
        K.conclude(relation, K.cert(eq(overload, value), *terms))


def _part(K: Any, low: Any, high: Any, part: Any) -> None:
    """Conclude that at most half of the errors leave the cell, as the offset is at most half a cell."""
    size, beyond = Abs(w), Abs(w) - (k - 1) / 2
    left = K.cert(le(size, k / 2), (1, low), (1, K.axiom("abs-of-nonpositive", w)))
    right = K.cert(le(size, k / 2), (1, high), (1, K.axiom("abs-of-nonnegative", w)))
    at_most = K.cert(le(beyond, HALF), (1, K.cases(w, left, right)))
    largest = K.discharge(K.axiom("max-least", Integer(0), beyond, HALF), at_most)
    least = K.axiom("max-above-left", Integer(0), beyond)
    K.conclude(
        "part",
        K.cert(le(0, moved), (1, least), (-1, part)),
        K.cert(le(moved, HALF), (1, largest), (1, part)),
    )


def _is_zero(K: Any, yes: bool, term: Any) -> Any:
    """Return that the indicator of a cell being 0 is 1 or 0."""
    delta = KroneckerDelta(term, 0)
    if not yes:
        return K.axiom("delta-other", term, Integer(0))
    equation = K.given("first" if term == cell else "next")
    same = K.rewrite(K.identity(delta, delta), equation, side="right")
    return K.cert(eq(delta, 1), (1, same), (1, K.axiom("delta-same", Integer(0))))
