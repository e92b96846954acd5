r"""`ndqsg/float-overload`: in double precision no index leaves its alphabet (arXiv 1904.01197)."""

from typing import Any

from sympy import Abs, Integer, Rational, symbols

from theory.claim import Claim, Relation, Variable
from theory.facts.absolute_value import absolute_below
from theory.formula import eq, le, lt
from theory.hypotheses import definition, domain, model, parameter
from theory.ndqsg.paper import PAPER
from theory.statement import statement
from theory.worst_cases import cases

M, x, u, q, s, N, top = symbols("M x u q s N top", real=True)
kappa, r, y, epsilon, omega = symbols("kappa r y epsilon omega", real=True)
g, t, p, w = symbols("g t p w", real=True)
HALF = Rational(1, 2)
_GRID = 1 / (2 * N)
_LEVELS = Integer(2) ** 52 / N

# The four operations: computed value, exact one, float64 numbers below and above it.
_COMPUTING = ("scale", "points", "few-levels", "nearest")
_NAMES = ("quotient", "product", "first", "reached")
_STEPS = (
    (t, g / kappa, (Integer(-1), Integer(1))),
    (p, M * t, (-M, M)),
    (w, p + u, (-M - top, M + top)),
    (s, w + HALF, (-M, M + 1 - _GRID)),
)


def _apart(value: Any, exact: Any, ends: tuple[Any, Any]) -> tuple[tuple[Any, Any], ...]:
    """Return how far a computed number and the two ends are off the exact one."""
    return tuple((value - exact, end - exact) for end in ends)


CLAIM = Claim(
    id="ndqsg/float-overload",
    kind="upper",
    provenance="derived",
    title="No index leaves its alphabet in double precision, whatever the scale, up to 2^28 - 1 levels",
    position=5,
    paper=PAPER,
    **statement(
        r"""
        A coordinate with $M$ levels has the index $q$, where $x$ is its value over the scale and $u$ the
        dither. On the wire the dither is one of $N$ points (24 bits), and the index is computed in float64
        as `floor((M*(g/kappa)+u)+0.5)`.
        (a: exact) In exact arithmetic, $q\le Mx+u+\frac12<q+1$, no index leaves its alphabet: if $-1\le
          x\le1$ and $-\frac12\le u<\frac12$, then $|q|\le M$. [proof; exact/largest index;
          adversarial/largest index near edges]
        (b: dither, sum) The largest dither is $U=\frac{2(N-1)+1}{2N}-\frac12=\frac12-\frac1{2N}$, so that
          the largest sum is $M+U+\frac12=M+1-\frac1{2N}$. [proof; exact/largest dither;
          exact/largest sum]
        (c: representable) If $M\le\frac{2^{52}}N-1$, it has <<at most 53 bits as a multiple of the spacing
          -> exact/largest sum>>: $2N\Big(M+1-\frac1{2N}\Big)\le2^{53}$. [proof; exact/largest sum]
        (d: quotient, product, first, reached) With $M$ as in (c), a true division, a scale $\kappa>0$ that
          is <<rounded up on the wire -> exact/scale rounded up>>, so that $|g|\le\kappa$, and $-U\le u\le
          U$, the computed quotient, product and sums satisfy $-1\le t\le1$, $-M\le p\le M$, $-M-U\le w\le
          M+U$ and $-M\le S\le M+1-\frac1{2N}$. [proof; exact/scale rounded up]
        (e: computed) So with $M$ as in (c) no index leaves its alphabet in float64, at any such scale,
          subnormal or not: if $q\le S<q+1$, then $|q|\le M$. [proof; exact/largest index;
          run/clipped indices]
        (f: decoded) The decoded value is off by at most four units $\omega$ in the last place of the scale:
          if $|q|\le M$, $|u|\le\frac12$, the computed quotient $r$ and value $y$ satisfy
          $\Big|r-\frac{q-u}M\Big|\le\varepsilon\frac{|q-u|}M$ and $|y-\kappa r|\le\omega$, and
          $\kappa\varepsilon\le\omega$, then $$\Big|y-\kappa\frac{q-u}M\Big|\le4\omega.$$ [proof; exact/off
          the exact value]
        (g: zero) A block of zeros, of which the scale is zero, stays zero: if $\kappa=0$, then $y=0$.
          [proof; exact/zeros stay zeros]
        """
    ),
    variables=(
        Variable(M, "M", r"\mathbb N", r"levels: the indices are $-M,\dots,M$"),
        Variable(x, "x", "[-1,1]", "value over the scale"),
        Variable(u, "u", r"[-\frac12,\frac12)", "dither"),
        Variable(top, "U", r"\mathbb R", "largest dither"),
        Variable(q, "q", r"\mathbb Z", "index"),
        Variable(s, "S", r"\mathbb R", "computed sum"),
        Variable(N, "N", r"\mathbb N", "number of points of the dither"),
        Variable(kappa, r"\kappa", r"\mathbb R_{\ge0}", "scale"),
        Variable(g, "g", r"\mathbb R", "coordinate"),
        Variable(t, "t", r"\mathbb R", "$g$ over the scale, computed"),
        Variable(p, "p", r"\mathbb R", "$M$ times that, computed"),
        Variable(w, "w", r"\mathbb R", "that plus the dither, computed"),
        Variable(r, "r", r"\mathbb R", "computed quotient"),
        Variable(y, "y", r"\mathbb R", "decoded value, computed"),
        Variable(epsilon, r"\varepsilon", r"\mathbb R_{\ge0}", "relative error of a rounding"),
        Variable(omega, r"\omega", r"\mathbb R_{\ge0}", "unit in the last place of the scale"),
    ),
    hypotheses={
        "sizes": domain(r"$M$ and $N$ are positive integers"),
        "index": definition(r"$q$ is an integer, $q\le Mx+u+\frac12<q+1$"),
        "last": definition(r"$U=\frac{2(N-1)+1}{2N}-\frac12$"),
        "input": parameter(r"$-1\le x\le1$"),
        "range": parameter(r"$-\frac12\le u<\frac12$"),
        "few-levels": parameter(r"$M\le\frac{2^{52}}N-1$"),
        "computed": definition(r"$q$ is an integer, $q\le S<q+1$"),
        "units": domain(r"$\kappa\ge0$, $\varepsilon\ge0$, $\omega\ge0$"),
        "scale": parameter(r"$\kappa>0$, $|g|\le\kappa$"),
        "points": parameter(r"$-U\le u\le U$"),
        "nearest": model(
            r"$\Big|t-\frac g\kappa\Big|\le\Big|\frac g\kappa+1\Big|$, "
            r"$\Big|t-\frac g\kappa\Big|\le\Big|\frac g\kappa-1\Big|$, $|p-Mt|\le|Mt+M|$, "
            r"$|p-Mt|\le|Mt-M|$, $|w-p-u|\le|p+u+M+U|$, $|w-p-u|\le|p+u-M-U|$, "
            r"$\Big|S-w-\frac12\Big|\le\Big|w+\frac12+M\Big|$, "
            r"$\Big|S-w-\frac12\Big|\le\Big|w+\frac12-M-1+\frac1{2N}\Big|$, "
            r"since operations round to the nearest float64 number",
            reference="IEEE 754-2019, section 4.3.1, roundTiesToEven; the ends are float64 numbers by (c)",
        ),
        "no-scale": parameter(r"$\kappa=0$"),
        "nearest-product": model(
            r"$|y-\kappa r|\le|\kappa r|$, since 0 is a float64 number",
            reference="IEEE 754-2019, section 4.3.1, roundTiesToEven",
        ),
        "kept": parameter(r"$|q|\le M$, $|u|\le\frac12$"),
        "decoding": model(
            r"$\Big|r-\frac{q-u}M\Big|\le\varepsilon\frac{|q-u|}M$, $|y-\kappa r|\le\omega$, "
            r"$\kappa\varepsilon\le\omega$",
            reference="N. Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., section 2.1",
        ),
    },
    relations={
        "exact": Relation((Abs(q), M), ("<=",), under=("index", "input", "range")),
        "dither": Relation(((2 * (N - 1) + 1) / (2 * N) - HALF, HALF - _GRID), ("=",)),
        "sum": Relation((M + top + HALF, M + 1 - _GRID), ("=",)),
        "representable": Relation(
            (2 * N * (M + 1 - _GRID), Integer(2) ** 53), ("<=",), under=("few-levels",)
        ),
        "decoded": Relation((Abs(y - kappa * (q - u) / M), 4 * omega), ("<=",), under=("kept", "decoding")),
        "computed": Relation((Abs(q), M), ("<=",), under=("computed", *_COMPUTING)),
        **{
            name: Relation((low, value, high), ("<=", "<="), under=_COMPUTING)
            for name, (value, _, (low, high)) in zip(_NAMES, _STEPS, strict=True)
        },
        "zero": Relation((y, 0), ("=",), under=("no-scale", "nearest-product")),
    },
    formulas={
        "bound": M,
        "largest_dither": HALF - _GRID,
        "largest_sum": M + 1 - _GRID,
        "levels": _LEVELS,
    },
    internal={"levels": "M is at most one less, said as the hypothesis of part (c)"},
    worst_cases=cases("""
        one level | M = 1 | 1
        127 levels, 64 overloads in float32 | M = 127 | 127
        the largest number of levels | M = 268435455 | 268435455
    """),
)


def derive(K: Any) -> None:
    """Prove the relations."""
    K.example({M: 3, x: 1, u: Rational(1, 4), s: Rational(7, 2), N: 2**24})
    level = M * x + u + HALF
    above = K.cert(lt(level, M + 1), (M, K.given("input", 1)), (1, K.given("range", 1)))
    below = K.cert(le(-M, level), (M, K.given("input")), (1, K.given("range")))
    K.conclude("exact", _within(K, "index", below, above))
    K.conclude("dither", K.identity((2 * (N - 1) + 1) / (2 * N) - HALF, HALF - _GRID))
    K.conclude("sum", K.cert(eq(M + top + HALF, M + 1 - _GRID), (1, K.given("last"))))
    scale = 2 * N
    wide = K.cert(le(scale * (M + 1 - _GRID), Integer(2) ** 53), (scale, K.given("few-levels")), (1, 1))
    K.conclude("representable", wide)
    _decoded(K)
    _rounded(K)


def _rounded(K: Any) -> None:
    """Conclude that each operation stays between the ends: the exact result does, and they are as near."""
    K.example(
        {
            M: 3,
            N: 2**24,
            kappa: 2,
            g: -1,
            t: -HALF,
            p: -3 * HALF,
            u: HALF / 2,
            w: -5 * HALF / 2,
            s: -3 * HALF / 2,
        }
    )
    K.example({kappa: 0, y: 0, r: 1})
    size, last = K.given("scale", 1), K.given("last")
    K.know(K.given("scale"))
    # What shows that the exact result is between the ends, from the operation before.
    inside: Any = [
        ((1 / kappa, size), (1 / kappa, K.axiom("abs-below", g))),
        ((1 / kappa, size), (1 / kappa, K.axiom("abs-above", g))),
    ]
    for number, (name, (value, exact, ends)) in enumerate(zip(_NAMES, _STEPS, strict=True)):
        found = [
            K.cert(le(*pair), *terms)
            for pair, terms in zip(((ends[0], exact), (exact, ends[1])), inside, strict=True)
        ]
        near = [K.given("nearest", 2 * number + side) for side in range(2)]
        (off, down), (_, up) = _apart(value, exact, ends)
        low = K.discharge(K.axiom("abs-of-nonpositive", down), K.cert(le(down, 0), (1, found[0])))
        high = K.discharge(K.axiom("abs-of-nonnegative", up), K.cert(le(0, up), (1, found[1])))
        least = K.cert(le(ends[0], value), (1, K.axiom("abs-below", off)), (1, near[0]), (1, low))
        most = K.cert(le(value, ends[1]), (1, K.axiom("abs-above", off)), (1, near[1]), (1, high))
        K.conclude(name, least, most)
        if name == "quotient":
            inside = [((M, least),), ((M, most),)]
        elif name == "product":
            inside = [((1, least), (1, K.given("points"))), ((1, most), (1, K.given("points", 1)))]
        elif name == "first":
            inside = [((1, least), (1, last), (1, K.sign(lt(0, _GRID)))), ((1, most), (1, last))]
    above = K.cert(lt(s, M + 1), (1, most), (1, K.sign(lt(0, _GRID))))
    K.conclude("computed", _within(K, "computed", least, above))
    _zero(K)


def _zero(K: Any) -> None:
    """Conclude that nothing is decoded at the scale zero."""
    product, none, near = kappa * r, K.given("no-scale"), K.given("nearest-product")
    nothing = K.discharge(K.axiom("abs-of-nonnegative", -product), K.cert(le(0, -product), (r, none)))
    rest = [(1, near), (1, nothing)]
    most = K.cert(le(y, 0), *rest, (1, K.axiom("abs-above", y - product)))
    least = K.cert(le(0, y), *rest, (1, K.axiom("abs-below", y - product)), (-2 * r, none))
    above, below = (
        K.discharge(K.axiom("max-is-right", *pair), thm) for pair, thm in (((y, 0), most), ((0, y), least))
    )
    K.conclude("zero", K.cert(eq(y, 0), (1, above), (-1, below)))


def _decoded(K: Any) -> None:
    """Conclude the error of the decoded value: of the product, and the scale times that of the quotient."""
    exact = (q - u) / M
    index, dither = K.given("kept"), K.given("kept", 1)
    sizes = ((1, index), (1, dither), (HALF, K.given("sizes", 1)))
    down = ((1, K.axiom("abs-below", q)), (1, K.axiom("abs-above", u)))
    up = ((1, K.axiom("abs-above", q)), (1, K.axiom("abs-below", u)))
    least, most = K.cert(le(-3 * M / 2, q - u), *sizes, *down), K.cert(le(q - u, 3 * M / 2), *sizes, *up)
    reach = absolute_below(K, q - u, 3 * M / 2, least, most)
    product, quotient = y - kappa * r, r - exact
    bounds = [
        (1, K.given("decoding", 1)),
        (kappa, K.given("decoding")),
        (kappa * epsilon / M, reach),
        (3 * HALF, K.given("decoding", 2)),
        (3 * HALF, omega),
    ]
    off = y - kappa * exact
    low, high = (
        [(c, K.axiom(f"abs-{side}", v)) for c, v in ((1, product), (kappa, quotient))]
        for side in ("below", "above")
    )
    below, above = K.cert(le(-4 * omega, off), *low, *bounds), K.cert(le(off, 4 * omega), *high, *bounds)
    K.conclude("decoded", absolute_below(K, off, 4 * omega, below, above))


def _within(K: Any, index: str, below: Any, above: Any) -> Any:
    """Return |q| <= M for the integer part q of a number from -M to below M + 1."""
    under = K.cert(lt(q, M + 1), (1, K.given(index, 1)), (1, above))
    over = K.cert(lt(-M - 1, q), (1, K.given(index, 2)), (1, below))
    K.know(K.given(index))
    most = K.discharge(K.axiom("integer-gap", q, M + 1), under)
    least = K.discharge(K.axiom("integer-gap", -M - 1, q), over)
    return absolute_below(K, q, M, K.cert(le(-M, q), (1, least)), K.cert(le(q, M), (1, most)))
