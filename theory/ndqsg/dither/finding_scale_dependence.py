r"""`ndqsg/finding-scale-dependence`: noise depends on the gradient through the scale (arXiv 1904.01197)."""

from typing import Any

from sympy import IndexedBase, Integer, Rational, Sum, sqrt, symbols

from theory.claim import Claim, Relation, Variable
from theory.formula import eq, le, lt
from theory.hypotheses import definition, domain, model, parameter
from theory.ndqsg.paper import PAPER
from theory.statement import statement
from theory.worst_cases import cases

M, mixed, scale_sq, gradient_sq, v, V, c, C = symbols("M mixed scale_sq gradient_sq v V c C", real=True)
mean, n, k, one = symbols("mean n k one", real=True)
scale_fourth, gradient_fourth, noise, R = symbols("scale_fourth gradient_fourth noise R", real=True)
weight, kappa, g, e, q = symbols("w kappa g e q", cls=IndexedBase, real=True)
LAW = (k, 0, n - 1)

_EXACT = (mixed - scale_sq * gradient_sq) / (12 * M**2)
_TWO = V**2 * v**2 * (c**2 - 1) ** 2 / (48 * M**2)
_NOISE = scale_fourth / 80 - scale_sq**2 / 144
_SPREAD = gradient_fourth - gradient_sq**2
_CORRELATION = (mixed - scale_sq * gradient_sq) / (12 * sqrt(_NOISE * _SPREAD))

_STUDENT = Rational(342, 1000)
_MOMENTS = {
    mixed: (Rational("27.464572"), Rational("27.464573")),
    scale_sq: (Rational("4.656169"), Rational("4.65617")),
    scale_fourth: (Rational("94.944882"), Rational("94.944883")),
}
# A law of six gradients with such moments: scales, coordinates and their probabilities.
_SIX = (
    (1, 2, 2, 10, 10, 10),
    (0, 0, 2, 0, 4, 10),
    tuple(
        Rational(value)
        for value in (
            "2378501/66000000",
            "1367413331/2304000000",
            "167042513/460800000",
            "539127301/126720000000",
            "985829/537600000",
            "151042513/80640000000",
        )
    ),
)
_SIDES = Rational(3421, 10**4), Rational(3422, 10**4)
_ENDS = {
    f"{side}_{name}": value
    for name, ends in _MOMENTS.items()
    for side, value in zip(("least", "most"), ends, strict=True)
}
_ROOTS = Rational("4.7987"), Rational("4.7988")

CLAIM = Claim(
    id="ndqsg/finding-scale-dependence",
    kind="finding",
    provenance="derived",
    title="Unconditional independence of noise and gradient is false: the scale carries it",
    position=11,
    paper=PAPER,
    **statement(
        r"""
        The abstract says that the quantization noise is independent of the gradient. Let a gradient be
        random with finitely many values, $g_j$ a coordinate and $\kappa$ its scale, and $\hat g_j-g_j$ the
        error of DQSG with $M$ levels. What holds instead, that given the scale they are independent, is
        `ndqsg/dqsg-conditional-independence`.
        (a: uncorrelated) The two are uncorrelated: $\mathbb E[(\hat g_j-g_j)g_j]=0$. [proof]
        (b: covariance) Read literally independence is false: $$\mathrm{Cov}\big((\hat
          g_j-g_j)^2,g_j^2\big)=\frac{\mathbb E[\kappa^2g_j^2]-\mathbb E\kappa^2\,\mathbb Eg_j^2}{12M^2}.$$
          [proof; exact/two forms]
        (c: two-lengths) <<For a gradient of a fixed direction with $|g_j|=v$ and scale $V$, or with
          probability one half $c$ times as long -> exact/covariance of squares>>, it is
          $$\mathrm{Cov}\big((\hat g_j-g_j)^2,g_j^2\big)=\frac{V^2v^2(c^2-1)^2}{48M^2}.$$ [proof;
          exact/covariance of squares; exact/two forms; montecarlo/mixed moment]
        (d: positive) That is positive where the lengths differ and the coordinate is not zero: if $V,v>0$ and
          $c>1$, then $0<\mathrm{Cov}\big((\hat g_j-g_j)^2,g_j^2\big)$. [proof]
        (e: correlation) If $\frac{\mathbb E\kappa^4}{80}-\frac{(\mathbb E\kappa^2)^2}{144}>0$ and $\mathbb
          Eg_j^4-(\mathbb Eg_j^2)^2>0$, the correlation of the squares is the same with any number of levels,
          $$R=\frac{\mathbb E[\kappa^2g_j^2]-\mathbb E\kappa^2\,\mathbb Eg_j^2}{12\sqrt{\Big(\frac{\mathbb
          E\kappa^4}{80}-\frac{(\mathbb E\kappa^2)^2}{144}\Big)\Big(\mathbb Eg_j^4-(\mathbb
          Eg_j^2)^2\Big)}}.$$ [proof]
        (f: student) <<With the moments of four Student variables with 5 degrees of freedom ->
          exact/moments of Student gradients>>, $\mathbb Eg_j^2=\frac53$, $\mathbb Eg_j^4=25$,
          $27.464572\le\mathbb E[\kappa^2g_j^2]\le27.464573$, $4.656169\le\mathbb E\kappa^2\le4.65617$ and
          $94.944882\le\mathbb E\kappa^4\le94.944883$, <<it is -> proof>> {value:student,3}:
          $$0.3421<\frac{\mathbb E[\kappa^2g_j^2]-\mathbb E\kappa^2\,\mathbb
          Eg_j^2}{12\sqrt{\Big(\frac{\mathbb E\kappa^4}{80}-\frac{(\mathbb
          E\kappa^2)^2}{144}\Big)\Big(\mathbb Eg_j^4-(\mathbb Eg_j^2)^2\Big)}}<0.3422.$$ [proof;
          exact/moments of Student gradients; exact/correlation for Student gradients]
        """
    ),
    variables=(
        Variable(M, "M", r"\mathbb N", r"levels: the indices are $-M,\dots,M$"),
        Variable(mean, r"\mathbb E[(\hat g_j-g_j)g_j]", r"\mathbb R", "correlation of noise and gradient"),
        Variable(
            C,
            r"\mathrm{Cov}\big((\hat g_j-g_j)^2,g_j^2\big)",
            r"\mathbb R",
            "covariance of squared noise and squared gradient",
        ),
        Variable(mixed, r"\mathbb E[\kappa^2g_j^2]", r"\mathbb R_{\ge0}", "mixed moment"),
        Variable(scale_sq, r"\mathbb E\kappa^2", r"\mathbb R_{\ge0}", "mean square of the scale"),
        Variable(gradient_sq, r"\mathbb Eg_j^2", r"\mathbb R_{\ge0}", "mean square of the coordinate"),
        Variable(scale_fourth, r"\mathbb E\kappa^4", r"\mathbb R_{\ge0}", "fourth moment of the scale"),
        Variable(gradient_fourth, r"\mathbb Eg_j^4", r"\mathbb R_{\ge0}", "fourth moment of the coordinate"),
        Variable(R, "R", "[-1,1]", "correlation of squared noise and squared gradient"),
        Variable(v, "v", r"\mathbb R_{\ge0}", "coordinate of the shorter gradient"),
        Variable(V, "V", r"\mathbb R_{\ge0}", "its largest absolute coordinate"),
        Variable(c, "c", r"\mathbb R_{\ge0}", "how many times as long the longer one is"),
        Variable(n, "n", r"\mathbb N", "number of values of the gradient"),
        Variable(weight, "w", r"\mathbb R_{\ge0}^n", "their probabilities", "(n,)"),
        Variable(g, "x", r"\mathbb R^n", "values of the coordinate", "(n,)"),
        Variable(kappa, "s", r"\mathbb R^n", "values of the scale", "(n,)"),
        Variable(e, "e", r"\mathbb R", "error in steps", "(1,)"),
        Variable(q, "q", r"\mathbb R_{\ge0}", "its square", "(1,)"),
        Variable(noise, "N", r"\mathbb R_{\ge0}", "variance of the squared noise"),
    ),
    notation={
        "g_j": "coordinate",
        r"\kappa": "scale",
        r"\hat g_j": "received coordinate",
        r"|g_j|": "modulus",
    },
    hypotheses={
        "sizes": domain(r"$M\ge1$ and $n\ge1$ are integers"),
        "weights": domain(r"$w_k\ge0$, $\sum_kw_k=1$"),
        "law": definition(
            r"$\mathbb E[\kappa^2g_j^2]=\sum_kw_ks_k^2x_k^2$, $\mathbb E\kappa^2=\sum_kw_ks_k^2$, "
            r"$\mathbb Eg_j^2=\sum_kw_kx_k^2$"
        ),
        "noise": definition(
            r"$\mathbb E[(\hat g_j-g_j)g_j]=\sum_kx_kw_k\mathbb E\bigl(\frac{es_k}{M}\bigr)$, "
            r"$\mathrm{Cov}\big((\hat "
            r"g_j-g_j)^2,g_j^2\big)=\sum_kx_k^2w_k\mathbb E\bigl(\frac{e^2s_k^2}{M^2}\bigr)"
            r"-\mathbb Eg_j^2\sum_kw_k\mathbb E\bigl(\frac{e^2s_k^2}{M^2}\bigr)$, over $e$ with mean "
            r"$0$ and variance $\frac1{12}$"
        ),
        "two-lengths": definition(r"$n=2$, $w_k=\frac12$, $x_1=v$, $x_2=cv$, $s_1=V$, $s_2=cV$"),
        "fourth": definition(
            r"$\mathbb E\kappa^4=\sum_kw_ks_k^4$, $\mathbb Eg_j^4=\sum_kw_kx_k^4$; "
            r"$N=\sum_kw_k\mathbb E\bigl(\frac{q^2s_k^4}{M^4}\bigr)"
            r"-\Big(\sum_kw_k\mathbb E\bigl(\frac{e^2s_k^2}{M^2}\bigr)\Big)^2$, "
            r"over $e$ with mean $0$ and variance $\frac1{12}$ "
            r"and over $q$ with mean $\frac1{12}$ and variance $\frac1{180}$; "
            r"$R\sqrt N\sqrt{\mathbb Eg_j^4-(\mathbb Eg_j^2)^2}"
            r"=\mathrm{Cov}\big((\hat g_j-g_j)^2,g_j^2\big)$, "
            r"since $N$ is the variance of the squared noise"
        ),
        "random": model(
            r"$\frac{\mathbb E\kappa^4}{80}-\frac{(\mathbb E\kappa^2)^2}{144}>0$, "
            r"since the squared noise varies; $\mathbb Eg_j^4-(\mathbb Eg_j^2)^2>0$, "
            "since the squared coordinate varies"
        ),
        "moments": parameter(
            r"$\mathbb Eg_j^2=\frac53$, $\mathbb Eg_j^4=25$, $27.464572\le\mathbb E[\kappa^2g_j^2]\le"
            r"27.464573$, $4.656169\le\mathbb E\kappa^2\le4.65617$, "
            r"$94.944882\le\mathbb E\kappa^4\le94.944883$"
        ),
        "longer": parameter(r"$V,v>0$ and $c>1$"),
    },
    relations={
        "uncorrelated": Relation((mean, 0), ("=",)),
        "covariance": Relation((C, _EXACT), ("=",)),
        "two-lengths": Relation((C, _TWO), ("=",), under=("two-lengths",)),
        "correlation": Relation((R, _CORRELATION), ("=",), under=("fourth", "random")),
        "student": Relation((_SIDES[0], _CORRELATION, _SIDES[1]), ("<", "<"), under=("random", "moments")),
        "positive": Relation((0, C), ("<",), under=("two-lengths", "longer")),
    },
    formulas={
        "exact": _EXACT,
        "two_lengths": _TWO,
        "correlation": _CORRELATION,
        "student": _STUDENT,
        **_ENDS,
    },
    internal={
        "student": "the correlation of part (f) in three digits, a slot",
        **dict.fromkeys(_ENDS, "a bound of a moment in part (f)"),
    },
    values={"student": _STUDENT},
    worst_cases=cases("""
        a gradient that is 1 or 2 units long, one level | mixed = 17/2, scale_sq = 5/2, gradient_sq = 5/2,
          M = 1 | 3/16
        a fixed length: no covariance | mixed = 1, scale_sq = 1, gradient_sq = 1, M = 1 | 0
    """),
)


def derive(K: Any) -> None:
    """Prove the relations."""
    half = Rational(1, 2)
    K.example({n: 2, M: 2, V: 3, v: 1, c: 2, weight: (half, half), kappa: (3, 6), g: (1, 2)})
    K.example(
        {n: 2, M: 1, weight: (Rational(1, 10), Rational(9, 10)), kappa: (0, 1), g: (0, 1), R: Rational(1, 3)}
    )
    K.example({n: 6, M: 1, kappa: _SIX[0], g: _SIX[1], weight: _SIX[2]})
    K.conclude("uncorrelated", K.cert(eq(mean, Integer(0)), (1, K.given("noise"))))
    unit = 1 / (12 * M**2)
    covariance = K.cert(
        eq(C, _EXACT),
        (1, K.given("noise", 1)),
        (-unit, K.given("law")),
        (gradient_sq * unit, K.given("law", 1)),
    )
    K.conclude("covariance", covariance)
    _correlation(K, covariance)
    K.conclude("student", *_student(K))
    two = K.cert(eq(C, _TWO), (1, covariance), using=_two_lengths(K))
    K.conclude("two-lengths", two)
    K.know(*(K.given("longer", place) for place in range(3)))
    square = K.cert(lt(0, c**2 - 1), (c + 1, K.given("longer", 2)))
    K.know(square)
    K.conclude("positive", K.cert(lt(0, C), (-1, two), (1, K.sign(lt(0, _TWO)))))


def _correlation(K: Any, covariance: Any) -> None:
    """Conclude the correlation: the number of levels cancels."""
    K.know(K.given("random"), K.given("random", 1))
    square, levels = K.given("law", 1), 1 / M**4
    total = K.cert(
        eq(noise, _NOISE * levels),
        *((1, K.given("fourth", 2)), (-levels / 80, K.given("fourth"))),
        (levels / 144 * (scale_sq + Sum(weight[k] * kappa[k] ** 2, LAW)), square),
    )
    K.know(K.cert(lt(0, noise), (-1, total), (levels, K.given("random"))))
    half, root = Rational(1, 2), sqrt(_NOISE * _SPREAD)
    scaled = K.axiom("root-product", _NOISE, levels, half)
    scaled = K.rewrite(scaled, K.axiom("power-power", M, -4, half))
    both = K.axiom("root-product", _NOISE, _SPREAD, half)
    defined = K.rewrite(K.rewrite(K.given("fourth", 3), total), scaled)
    value = M**2 / root
    K.conclude(
        "correlation",
        K.cert(eq(R, _CORRELATION), (value, defined), (value, covariance), (R / root, both)),
    )


def _student(K: Any) -> list[Any]:
    """Both sides, from bounds of the root in the denominator."""
    product, root = _NOISE * _SPREAD, sqrt(_NOISE * _SPREAD)
    exact = [K.given("moments"), K.given("moments", 1)]
    (mixed_from, mixed_to), (scale_from, scale_to), (fourth_from, fourth_to) = (
        (K.given("moments", place), K.given("moments", place + 1)) for place in (2, 4, 6)
    )
    one, spread = K.sign(lt(0, 1)), Rational(200, 9)
    (mixed_low, mixed_high), (scale_low, scale_high), (fourth_low, fourth_high) = _MOMENTS.values()
    low, high = _ROOTS
    square = spread / 144
    above = K.cert(
        le(low**2, product),
        *((spread / 80, fourth_from), (square * (scale_high + scale_sq), scale_to)),
        (spread * (fourth_low / 80 - scale_high**2 / 144) - low**2, one),
        using=exact,
    )
    below = K.cert(
        le(product, high**2),
        *((spread / 80, fourth_to), (square * (scale_low + scale_sq), scale_from)),
        (high**2 - spread * (fourth_high / 80 - scale_low**2 / 144), one),
        using=exact,
    )
    above = K.cert(le(low, root), (1 / (low + root), above))
    below = K.cert(le(root, high), (1 / (high + root), below))
    least, most = _SIDES
    return [
        K.cert(
            lt(least, _CORRELATION),
            *((1 / (12 * root), mixed_from), (Rational(5, 3) / (12 * root), scale_to), (least / root, below)),
            ((mixed_low - Rational(5, 3) * scale_high - 12 * least * high) / (12 * root), one),
            using=exact,
        ),
        K.cert(
            lt(_CORRELATION, most),
            *((1 / (12 * root), mixed_to), (Rational(5, 3) / (12 * root), scale_from), (most / root, above)),
            ((12 * most * low - mixed_high + Rational(5, 3) * scale_low) / (12 * root), one),
            using=exact,
        ),
    ]


def _two_lengths(K: Any) -> list[Any]:
    """Return the moments of a law with two values."""
    given = [K.given("two-lengths", place) for place in range(6)]
    values = [K.at(given[1], 0), K.at(given[1], 1), *given[2:]]
    found = []
    moments = (
        (mixed, weight[k] * kappa[k] ** 2 * g[k] ** 2, values, V**2 * v**2 * (1 + c**4) / 2),
        (scale_sq, weight[k] * kappa[k] ** 2, values[:2] + values[4:], V**2 * (1 + c**2) / 2),
        (gradient_sq, weight[k] * g[k] ** 2, values[:4], v**2 * (1 + c**2) / 2),
    )
    for place, (name, term, used, moment) in enumerate(moments):
        two = K.rewrite(K.given("law", place), given[0])
        written = K.cert(eq(name, term.subs(k, 0) + term.subs(k, 1)), (1, two))
        for value in used:
            written = K.rewrite(written, value)
        found.append(K.cert(eq(name, moment), (1, written)))
    return found
