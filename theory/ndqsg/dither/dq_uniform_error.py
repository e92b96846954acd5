r"""`ndqsg/dq-uniform-error`: the error of dithered rounding is uniform at every input (arXiv 1904.01197)."""

from typing import Any

from sympy import Abs, Expr, Integer, Max, Min, Rational, Symbol, floor, pi, sin, symbols

from theory.claim import Claim, Relation, Variable
from theory.facts.absolute_value import absolute_below
from theory.formula import eq, le, lt
from theory.hypotheses import definition, domain, model, parameter
from theory.ndqsg.dither.two_dithers import (
    HYPOTHESES,
    RELATIONS,
    VARIABLES,
    N,
    prove_two_dithers,
    reached,
    variance,
)
from theory.ndqsg.paper import PAPER
from theory.statement import statement
from theory.worst_cases import cases

x, u, p, t, w, b, j, error, F, density = symbols("x u p t w b j error F density", real=True)
cosines, sines, turn, sine, cosine, sin_phase, cos_phase, sin_high, sin_low, cos_high, cos_low, M, v, q = (
    Symbol(s, real=True)
    for s in (
        *("cosines", "sines", "turn", "sine", "cosine", "sin_phase", "cos_phase"),
        *("sin_high", "sin_low", "cos_high", "cos_low", "M", "v", "q"),
    )
)
low_first, low_last, high_first, high_last = symbols("low_first low_last high_first high_last", real=True)
HALF = Rational(1, 2)
moments = {n: Symbol(f"m_{n}", real=True) for n in (1, 2, 3, 4)}
_VALUES = {1: Integer(0), 2: Rational(1, 12), 3: Integer(0), 4: Rational(1, 80)}


def distribution(phase: Any, place: Any) -> Expr:
    """Return the length of the dithers of error at most `place`: the upper ends of the two cells."""
    return Min(1 - phase, place + HALF) + Max(place + phase - HALF, 0)


def uniform_distribution(K: Any, phase: Any, place: Any) -> Any:
    """Return that this length does not depend on the phase."""
    low, high, length = 1 - phase, place + HALF, distribution(phase, place)
    # One of the two ends of the lower cell is the smaller one.
    few = (K.axiom("min-is-left", high, low), K.axiom("max-is-right", high - low, Integer(0)))
    many = (K.axiom("min-is-left", low, high), K.axiom("max-is-right", Integer(0), high - low))
    ends = (K.cert(eq(length, high), *((1, item) for item in side)) for side in (few, many))
    return K.cases(high - low, *ends)


CLAIM = Claim(
    id="ndqsg/dq-uniform-error",
    kind="distribution",
    provenance="rederived",
    title="The error of a dithered quantizer is uniform and independent of the input",
    position=1,
    paper=PAPER,
    **statement(
        r"""
        Let $e=Q(x+u)-u-x$ with $Q(v)=\lfloor v+\frac12\rfloor$, any real input $x$ in units of the step and
        a dither $u$ that is uniform on $[-\frac12,\frac12)$ and independent of $x$; let $p=\{x\}$.
        (a: range) $|e|\le\frac12$ for each dither. [proof; exact/largest error]
        (b: low-cell, high-cell) The input $p$ is rounded down by dithers below $\frac12-p$, $\Big\lfloor
          p+u+\frac12\Big\rfloor=0$ if $-\frac12\le u<\frac12-p$, and else up, $\Big\lfloor
          p+u+\frac12\Big\rfloor=1$ if $\frac12-p\le u<\frac12$. [proof]
        (c: law) Hence $e$ is <<uniform on $(-\frac12,\frac12]$ -> exact/distance from uniform>> at every
          input: $\mathbb P(e\le t)=t+\frac12$ if $-\frac12\le t\le\frac12$. [proof; exact/distance from
          uniform; montecarlo/uniform errors; run/uniform errors]
        (d: moment-1, moment-2, moment-3, moment-4) $$\mathbb Ee=0,\qquad\mathbb
          Ee^2=\frac1{12},\qquad\mathbb Ee^3=0,\qquad\mathbb Ee^4=\frac1{80}.$$ [proof; exact/variance;
          exact/fourth moment at 0; adversarial/variance]
        (e: integer-width) A dither uniform on an interval of width $w$ gives errors of density $\rho$ at a
          place $b$ modulo the step, $w\rho=\lfloor b+w\rfloor-\lfloor b\rfloor$. If <<$w$ is an integer ->
          exact/Fourier coefficient>>, then $\rho=1$. [proof; exact/Fourier coefficient]
        (f: other-width) If $w\ne\lfloor w\rfloor$, it is not uniform: at $b=0$, $\rho<1$. [proof;
          exact/Fourier coefficient]
        (g: Fourier) At width $w$ the Fourier coefficient of order $j$ of the law of the error, the
          expectations $C$ and $S$ of cosine and sine of <<$2\pi je$ -> exact/Fourier coefficient>>, has the
          same modulus at every input, $$C^2+S^2=\Big(\frac{\sin\pi jw}{\pi jw}\Big)^2,$$ while Schuchman's
          condition, on a dither of any law, is that all these coefficients vanish but the constant one.
          [proof; exact/Fourier coefficient]
        (h: alphabet, beyond) The width of one step keeps the alphabet: if $-M\le x\le M$, $-\frac12\le
          u<\frac12$ and $q\le x+u+\frac12<q+1$, then $-M\le q\le M$. A larger one does not: if $\frac12\le
          v<\frac32$ and $q\le M+v+\frac12<q+1$, then $q=M+1$. [proof; exact/largest index]
        (i: sum-variance, sum-distance, sum-beyond) With the sum of two dithers of $N$ points, triangular and
          of width two, the errors have the variance $V=\frac1{12}\Big(1-\frac1{N^2}\Big)$ at every input,
          that with one. Their distribution function $D$ is off by at most the spacing,
          $|D-(t+\frac12)|\le\frac1N$ if $-\frac12\le t\le\frac12$. The largest sum, if $N\ge2$, is one
          of those with an index beyond the alphabet in (h):
          $\frac12\le2\Big(\frac{2(N-1)+1}{2N}-\frac12\Big)<\frac32$. [proof; exact/distance from uniform at
          the sum of two; exact/variance at the sum of two; exact/largest index at the sum of two]
        """
    ),
    variables=(
        Variable(x, "x", r"\mathbb R", "input in units of the step"),
        Variable(u, "u", r"[-\frac12,\frac12)", "dither"),
        Variable(p, "p", "[0,1)", "fractional part of the input"),
        Variable(t, "t", r"[-\frac12,\frac12]", "where the distribution function is taken"),
        Variable(error, "e", r"(-\frac12,\frac12]", "error"),
        Variable(F, r"\mathbb P(e\le t)", "[0,1]", "distribution function of the error"),
        *(
            Variable(
                item, r"\mathbb Ee" if n == 1 else rf"\mathbb Ee^{n}", r"\mathbb R", f"moment of order {n}"
            )
            for n, item in moments.items()
        ),
        Variable(w, "w", r"\mathbb R_{>0}", "width of a uniform dither in units of the step"),
        Variable(b, "b", r"\mathbb R", "a place"),
        Variable(density, r"\rho", r"\mathbb R_{\ge0}", "density of the error at a place, modulo the step"),
        Variable(j, "j", r"\mathbb N", "order of a Fourier coefficient"),
        Variable(cosines, "C", r"\mathbb R", "real part of the Fourier coefficient"),
        Variable(sines, "S", r"\mathbb R", "imaginary part of the Fourier coefficient"),
        Variable(turn, r"\pi j", r"\mathbb R_{>0}", "half of the frequency"),
        Variable(sine, r"\sin\pi jw", "[-1,1]", "the sine of half the frequency times the width"),
        Variable(cosine, r"\cos\pi jw", "[-1,1]", "its cosine"),
        Variable(sin_phase, r"\sin2\pi jx", "[-1,1]", "sine at the input"),
        Variable(cos_phase, r"\cos2\pi jx", "[-1,1]", "cosine at the input"),
        Variable(sin_high, r"\sin(2\pi jx+\pi jw)", "[-1,1]", "sine at the input plus half the width"),
        Variable(sin_low, r"\sin(2\pi jx-\pi jw)", "[-1,1]", "sine at the input minus half the width"),
        Variable(cos_high, r"\cos(2\pi jx+\pi jw)", "[-1,1]", "cosine at the input plus half the width"),
        Variable(cos_low, r"\cos(2\pi jx-\pi jw)", "[-1,1]", "cosine at the input minus half the width"),
        Variable(M, "M", r"\mathbb N", r"levels: the indices are $-M,\dots,M$"),
        Variable(v, "v", r"\mathbb R", "dither of another width"),
        Variable(q, "q", r"\mathbb Z", "index"),
        Variable(N, "N", r"\mathbb N", "number of points of each of two dithers"),
        Variable(variance, "V", r"\mathbb R_{\ge0}", "variance of the error of the sum of two dithers"),
        Variable(reached, "D", "[0,1]", "distribution function of that error at a place"),
        *VARIABLES,
        Variable(low_first, r"\alpha_+", r"\mathbb R", "error at the first dither of the lower cell"),
        Variable(low_last, r"\alpha_-", r"\mathbb R", "error at its last dither"),
        Variable(high_first, r"\beta_+", r"\mathbb R", "error at the first dither of the upper cell"),
        Variable(high_last, r"\beta_-", r"\mathbb R", "error at its last dither"),
    ),
    hypotheses={
        "phase": definition(r"$p=\{x\}$"),
        "width": domain(r"$w>0$"),
        "error": definition(r"$e=\lfloor x+u+\frac12\rfloor-u-x$"),
        "low": parameter(r"$-\frac12\le u<\frac12-p$"),
        "high": parameter(r"$\frac12-p\le u<\frac12$"),
        "place": parameter(r"$-\frac12\le t\le\frac12$"),
        "law": definition(
            r"$\mathbb P(e\le t)=\min\{1-p,t+\frac12\}+\max\{0,t+p-\frac12\}$, "
            r"since dithers of these errors have this length"
        ),
        "moments": definition(
            r"$\mathbb Ee=\frac{\alpha_+^2-\alpha_-^2}2+\frac{\beta_+^2-\beta_-^2}2$, "
            r"$\mathbb Ee^2=\frac{\alpha_+^3-\alpha_-^3}3+\frac{\beta_+^3-\beta_-^3}3$, "
            r"$\mathbb Ee^3=\frac{\alpha_+^4-\alpha_-^4}4+\frac{\beta_+^4-\beta_-^4}4$, "
            r"$\mathbb Ee^4=\frac{\alpha_+^5-\alpha_-^5}5+\frac{\beta_+^5-\beta_-^5}5$, "
            r"since these are integrals over the dithers of the cells"
        ),
        "ends": definition(
            r"$\alpha_+=\frac12-p$, $\alpha_-=-\frac12$, $\beta_+=\frac12$, $\beta_-=\frac12-p$"
        ),
        "density": definition(
            r"$w\rho=\lfloor b+w\rfloor-\lfloor b\rfloor$, since this is the number of dithers that "
            "lead to the place"
        ),
        "coefficient": definition(
            r"$0<\pi j$, $wC=\frac{\sin(2\pi jx+\pi jw)-\sin(2\pi jx-\pi jw)}{2\pi j}$, "
            r"$wS=\frac{\cos(2\pi jx+\pi jw)-\cos(2\pi jx-\pi jw)}{2\pi j}$, since the error is the "
            "opposite of input plus dither modulo the step"
        ),
        "addition": model(
            r"$\sin(2\pi jx+\pi jw)=\sin2\pi jx\cdot\cos\pi jw+\cos2\pi jx\cdot\sin\pi jw$, $\sin(2\pi "
            r"jx-\pi jw)=\sin2\pi jx\cdot\cos\pi jw-\cos2\pi jx\cdot\sin\pi jw$, $\cos(2\pi jx+\pi "
            r"jw)=\cos2\pi jx\cdot\cos\pi jw-\sin2\pi jx\cdot\sin\pi jw$, $\cos(2\pi jx-\pi "
            r"jw)=\cos2\pi jx\cdot\cos\pi jw+\sin2\pi jx\cdot\sin\pi jw$, $(\sin2\pi jx)^2+(\cos2\pi "
            "jx)^2=1$",
            reference="DLMF, section 4.21",
        ),
        "levels": domain(r"$M\ge1$ is an integer"),
        "inside": parameter(r"$-M\le x\le M$, $-\frac12\le u<\frac12$, $q\le x+u+\frac12<q+1$"),
        "outside": parameter(r"$\frac12\le v<\frac32$, $q\le M+v+\frac12<q+1$"),
        "index": domain("$q$ is an integer"),
        **HYPOTHESES,
        "integer": parameter(r"$w$ is an integer"),
        "no-integer": parameter(r"$w\ne\lfloor w\rfloor$, $b=0$"),
    },
    relations={
        "range": Relation((Abs(error), HALF), ("<=",)),
        "low-cell": Relation((floor(p + u + HALF), 0), ("=",), under=("low",)),
        "high-cell": Relation((floor(p + u + HALF), 1), ("=",), under=("high",)),
        "law": Relation((F, t + HALF), ("=",), under=("place",)),
        **{f"moment-{n}": Relation((item, _VALUES[n]), ("=",)) for n, item in moments.items()},
        "integer-width": Relation((density, 1), ("=",), under=("integer",)),
        "Fourier": Relation(
            (cosines**2 + sines**2, (sine / (turn * w)) ** 2), ("=",), under=("coefficient", "addition")
        ),
        "alphabet": Relation((-M, q, M), ("<=", "<="), under=("inside",)),
        "beyond": Relation((q, M + 1), ("=",), under=("outside",)),
        **RELATIONS,
        "other-width": Relation((density, 1), ("<",), under=("no-integer",)),
    },
    formulas={
        "exact": _VALUES[2],
        "bound": HALF,
        "fourth_moment": _VALUES[4],
        "characteristic": sin(pi * j * w) / (pi * j * w),
    },
    internal={"characteristic": "its square is said in part (g)"},
    worst_cases=cases("""
        a point of the grid | x = 0 | 1/12
        a cell's edge | x = 1/2 | 1/12
        a quarter, where half the width is nominal | x = 1/4 | 1/12
    """),
)


def derive(K: Any) -> None:
    """Prove the relations."""
    quarter = Rational(1, 4)
    K.example({x: Rational(4, 3), u: 0, t: quarter, b: 0, w: Rational(3, 2)})
    K.example({x: Rational(4, 3), u: quarter, t: quarter, b: quarter, w: 2})
    level = x + u + HALF
    floors = [K.axiom("floor-below", level), K.axiom("floor-above", level)]
    above = K.cert(le(error, HALF), (1, K.given("error")), (1, floors[0]))
    below = K.cert(le(-HALF, error), (-1, K.given("error")), (1, floors[1]))
    K.conclude("range", absolute_below(K, error, HALF, below, above))

    phase = [
        K.cert(le(0, p), (-1, K.given("phase")), (1, K.axiom("floor-below", x))),
        K.cert(lt(p, 1), (1, K.given("phase")), (1, K.axiom("floor-above", x))),
    ]
    for name, cell in (("low", 0), ("high", 1)):
        at_least, before = K.given(name), K.given(name, 1)
        here = p + u + HALF
        inside = (
            K.cert(le(cell, here), (1, at_least), *(() if cell else ((1, phase[0]),))),
            K.cert(lt(here, cell + 1), (1, before), *(((1, phase[1]),) if cell else ())),
        )
        K.conclude(f"{name}-cell", K.discharge(K.axiom("floor-unique", here, Integer(cell)), *inside))
    K.conclude("law", K.cert(eq(F, t + HALF), (1, K.given("law")), (1, uniform_distribution(K, p, t))))
    errors = [K.given("ends", place) for place in range(4)]
    for n, item in moments.items():
        moment = K.cert(eq(item, _VALUES[n]), (1, K.given("moments", n - 1)), using=errors)
        K.conclude(f"moment-{n}", moment)
    # An integer is passed on by the floor; else the floor is below the width.
    whole = K.axiom("floor-unique", b + w, floor(b) + w)
    for item in (K.axiom("floor-below", b), K.axiom("floor-above", b)):
        whole = K.discharge(whole, item)
    K.conclude("integer-width", K.cert(eq(density, 1), (1 / w, K.given("density")), (1 / w, whole)))
    K.know(K.axiom("floor-below", w), K.given("no-integer"))
    part = K.sign(lt(floor(w), w))
    K.conclude(
        "other-width",
        K.cert(lt(density, 1), (1 / w, K.given("density")), (1 / w, part), using=[K.given("no-integer", 1)]),
    )
    _fourier(K)
    prove_two_dithers(K)
    # An index is an integer: below M + 1 it is at most M.
    low, high = K.given("inside", 4), K.given("inside", 5)
    small = K.cert(lt(q, M + 1), (1, low), (1, K.given("inside", 1)), (1, K.given("inside", 3)))
    large = K.cert(lt(-M - 1, q), (1, high), (1, K.given("inside")), (1, K.given("inside", 2)))
    most = K.discharge(K.axiom("integer-gap", q, M + 1), small)
    least = K.discharge(K.axiom("integer-gap", -M - 1, q), large)
    K.conclude("alphabet", K.cert(le(-M, q), (1, least)), K.cert(le(q, M), (1, most)))
    over = M + v + HALF
    ends = (
        K.cert(le(M + 1, over), (1, K.given("outside"))),
        K.cert(lt(over, M + 2), (1, K.given("outside", 1))),
    )
    up = K.discharge(K.axiom("floor-unique", over, M + 1), *ends)
    same = K.discharge(K.axiom("floor-unique", over, q), K.given("outside", 2), K.given("outside", 3))
    K.conclude("beyond", K.cert(eq(q, M + 1), (1, up), (-1, same)))


def _fourier(K: Any) -> None:
    """Conclude the modulus of a Fourier coefficient: both parts by the addition theorems."""
    up, across = Rational(3, 5), Rational(4, 5)
    K.example(
        {
            **{
                w: 2,
                turn: 1,
                cosines: up / 2,
                sines: 0,
                sine: up,
                cosine: across,
                sin_phase: 0,
                cos_phase: 1,
            },
            **{sin_high: up, sin_low: -up, cos_high: across, cos_low: across},
        }
    )
    K.know(K.given("coefficient"))
    high, low, cos_up, cos_down, circle = (K.given("addition", place) for place in range(5))
    unit = 1 / (2 * turn * w)
    real = K.cert(
        eq(cosines, cos_phase * sine / (turn * w)),
        (1 / w, K.given("coefficient", 1)),
        (unit, high),
        (-unit, low),
    )
    imaginary = K.cert(
        eq(sines, -sin_phase * sine / (turn * w)),
        *((1 / w, K.given("coefficient", 2)), (unit, cos_up), (-unit, cos_down)),
    )
    value = (sine / (turn * w)) ** 2
    K.conclude("Fourier", K.cert(eq(cosines**2 + sines**2, value), (value, circle), using=[real, imaginary]))
