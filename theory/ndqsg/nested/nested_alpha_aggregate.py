r"""`ndqsg/nested-alpha-aggregate`: a gain below one hurts the average (arXiv 1904.01197)."""

from typing import Any

from sympy import IndexedBase, Integer, Rational, symbols

from theory.claim import Claim, Relation, Variable
from theory.formula import eq, le, lt
from theory.hypotheses import definition, domain, model, parameter
from theory.ndqsg.paper import PAPER
from theory.statement import statement
from theory.worst_cases import cases

a, alpha, m, D, sigma_n_sq = symbols("a alpha m D sigma_n_sq", real=True)
variance, p, l = symbols("variance p l", real=True)
# Noise of the gradient and error of the fine step of the workers of both groups.
n, r, w, e = symbols("n r w e", cls=IndexedBase, real=True)


_EXACT = (((2 - a) ** 2 + a**2) * sigma_n_sq + ((2 - a) ** 2 + a) * D) / (4 * m)
_AT_ONE = (sigma_n_sq + D) / (2 * m)
_EXCESS = (2 * (1 - a) ** 2 * sigma_n_sq + (1 - a) * (2 - a) * D) / (4 * m)
_MINIMISER = (4 * sigma_n_sq + 3 * D) / (4 * sigma_n_sq + 2 * D)
_SAVING = D**2 / (8 * (2 * sigma_n_sq + D) * (sigma_n_sq + D))

CLAIM = Claim(
    id="ndqsg/nested-alpha-aggregate",
    kind="identity",
    provenance="derived",
    title="The variance of the average of half dithered, half nested messages",
    position=31,
    paper=PAPER,
    **statement(
        r"""
        $m$ workers send dithered messages, $m$ more send nested ones with gain $\alpha$, $a=\alpha^2$; the
        side information is the mean of the $m$ decoded dithered messages, for all nested ones. $g_p=\nabla
        f+n_p$ with independent noises of variance $\sigma_n^2$ in each coordinate, and $D$ is the error
        variance of the fine step. No innovation leaves the margin.
        (a: variance) $$\mathrm{Var}\Big(\frac1{2m}\sum_p\hat
          g_p\Big)=\frac{[(2-a)^2+a^2]\sigma_n^2+[(2-a)^2+a]D}{4m}.$$ [proof; exact/variance of the average;
          montecarlo/variance of the average; run/mean square of the running mean]
        (b: at-one) At $a=1$ this is
          $\frac{[(2-a)^2+a^2]\sigma_n^2+[(2-a)^2+a]D}{4m}=\frac{\sigma_n^2+D}{2m}$, <<the variance of
          dithered messages -> proof>>. [proof; montecarlo/variance of the average]
        (c: worse) For every $a<1$ the average is strictly worse, <<although each nested message may be better
          -> exact/at least that at gain 1>>: $$\frac{[(2-a)^2+a^2]\sigma_n^2+[(2-a)^2+a]D}{4m}-\
          \frac{\sigma_n^2+D}{2m}=\frac{2(1-a)^2\sigma_n^2+(1-a)(2-a)D}{4m}>0.$$ [proof; exact/excess;
          exact/at least that at gain 1; adversarial/lower bounds]
        (d: least, eighth) A gain beyond one saves little: <<for every $a$ -> proof>>
          $$\frac{\sigma_n^2+D}{2m}\Big(1-\frac{D^2}{8(2\sigma_n^2+D)(\sigma_n^2+D)}\Big)\le\frac{[(2-a)^2\
          +a^2]\sigma_n^2+[(2-a)^2+a]D}{4m},$$ where $\frac{D^2}{8(2\sigma_n^2+D)(\sigma_n^2+D)}\le\frac18$.
          [proof; exact/saving beyond gain 1; adversarial/lower bounds]
        (e: attained, beyond) This is attained at $a=\frac{4\sigma_n^2+3D}{4\sigma_n^2+2D}$, where $1<a$ and
          $$\frac{[(2-a)^2+a^2]\sigma_n^2+[(2-a)^2+a]D}{4m}=\frac{\sigma_n^2+D}{2m}\Big(1-\
          \frac{D^2}{8(2\sigma_n^2+D)(\sigma_n^2+D)}\Big).$$ [proof; exact/saving beyond gain 1]
        """
    ),
    variables=(
        Variable(a, "a", r"\mathbb R_{\ge0}", r"$\alpha^2$, the square of the gain"),
        Variable(alpha, r"\alpha", r"\mathbb R_{>0}", "gain of the nested quantizer"),
        Variable(
            sigma_n_sq,
            r"\sigma_n^2",
            r"\mathbb R_{\ge0}",
            "variance of a worker's noise in one coordinate",
        ),
        Variable(D, "D", r"\mathbb R_{>0}", r"$\delta^2/12$, the error variance of the fine step"),
        Variable(m, "m", r"\mathbb N", "number of messages of which the side information is the mean"),
        Variable(
            variance,
            r"\mathrm{Var}(\frac1{2m}\sum_p\hat g_p)",
            r"\mathbb R_{\ge0}",
            "variance of the average in one coordinate",
        ),
        Variable(e, r"\xi", r"\mathbb R^m", "errors of dithered messages", "(m,)"),
        Variable(n, "e", r"\mathbb R^m", "noises of the dithered workers", "(m,)"),
        Variable(r, r"\varepsilon", r"\mathbb R^m", "errors of nested messages", "(m,)"),
        Variable(w, "w", r"\mathbb R^m", "noises of the nested workers", "(m,)"),
    ),
    notation={
        r"g_{#1}": "gradient of a worker",
        r"\nabla f": "the gradient",
        r"n_{#1}": "noise of a worker",
    },
    hypotheses={
        "signs": domain(r"$m\ge1$ is an integer, $D>0$, $\sigma_n^2\ge0$, $0<\alpha$"),
        "gain": definition(r"$a=\alpha^2$"),
        "average": model(
            r"$\mathrm{Var}(\frac1{2m}\sum_p\hat "
            r"g_p)=\mathbb E\bigl(\frac1{4m^2}(\sum_p(e_p+\varepsilon_p)+\sum_p(\alpha\xi_p+w_p-(1"
            r"-\alpha^2)(w_p-\frac1m\sum_l(e_l+\varepsilon_l))))^2\bigr)$, over uncorrelated $\xi_p$, "
            r"$1\le p\le m$, with mean $0$ and variance $D$ and over uncorrelated $w_p$, $1\le p\le "
            r"m$, with mean $0$ and variance $\sigma_n^2$ and over uncorrelated $\varepsilon_p$, "
            r"$1\le p\le m$, with mean $0$ and variance $D$ and over uncorrelated $e_p$, $1\le p\le "
            r"m$, with mean $0$ and variance $\sigma_n^2$",
            reference="claims `ndqsg/nested-decoding` and `ndqsg/dqsg-conditional-independence`",
        ),
        "gain-one": parameter("$a=1$"),
        "below-one": parameter("$a<1$"),
        "minimiser": parameter(r"$a=\frac{4\sigma_n^2+3D}{4\sigma_n^2+2D}$"),
    },
    relations={
        "variance": Relation((variance, _EXACT), ("=",), under=("average",)),
        "at-one": Relation((_EXACT, _AT_ONE), ("=",), under=("gain-one",)),
        "worse": Relation((_EXACT - _AT_ONE, _EXCESS, Integer(0)), ("=", ">"), under=("below-one",)),
        "least": Relation((_AT_ONE * (1 - _SAVING), _EXACT), ("<=",)),
        "eighth": Relation((_SAVING, Rational(1, 8)), ("<=",)),
        "attained": Relation((_EXACT, _AT_ONE * (1 - _SAVING)), ("=",), under=("minimiser",)),
        "beyond": Relation((Integer(1), a), ("<",), under=("minimiser",)),
    },
    formulas={
        "exact": _EXACT,
        "at_one": _AT_ONE,
        "excess": _EXCESS,
        "minimiser": _MINIMISER,
        "relative_gain": _SAVING,
    },
    internal={"minimiser": "the hypothesis of part (e)"},
    worst_cases=cases(r"""
        gain 1, $\sigma_n^2=\frac14$, $D=\frac1{12}$, four workers | a = 1, sigma_n_sq = 1/4, D = 1/12, m = 2
          | 1/12
        gain $\frac9{10}$ at the same noise: more | a = 81/100, sigma_n_sq = 1/4, D = 1/12, m = 2
          | 84427/960000
        no noise of the workers: the minimiser $a=\frac32$ saves an eighth | a = 3/2, sigma_n_sq = 0, D = 1,
          m = 1 | 7/16
    """),
)


def derive(K: Any) -> None:
    """Prove the relations: the first group counts 2 - a times, and a parabola in a."""
    squared = K.given("gain")
    weight = ((alpha**2 + a - 4 + a + alpha**2) * sigma_n_sq + (alpha**2 + a - 3) * D) / (4 * m)
    K.conclude("variance", K.cert(eq(variance, _EXACT), (1, K.given("average")), (-weight, squared)))
    slope = ((2 * a - 2) * sigma_n_sq + (a - 2) * D) / (4 * m)
    K.conclude("at-one", K.cert(eq(_EXACT, _AT_ONE), (slope, K.given("gain-one"))))
    below = K.given("below-one")
    positive = K.cert(lt(0, _EXCESS), (D / (4 * m), below), ((2 * sigma_n_sq + D) / (4 * m), (1 - a) ** 2))
    K.conclude("worse", K.identity(_EXACT - _AT_ONE, _EXCESS), positive)
    curve = (2 * sigma_n_sq + D) / (4 * m)
    K.conclude("least", K.cert(le(_AT_ONE * (1 - _SAVING), _EXACT), (curve, (a - _MINIMISER) ** 2)))
    product = 8 * (2 * sigma_n_sq + D) * (sigma_n_sq + D)
    K.conclude(
        "eighth", K.cert(le(_SAVING, Rational(1, 8)), (1 / product, 2 * sigma_n_sq**2 + 3 * D * sigma_n_sq))
    )
    best = K.given("minimiser")
    K.conclude("attained", K.cert(eq(_EXACT, _AT_ONE * (1 - _SAVING)), (curve * (a - _MINIMISER), best)))
    K.conclude("beyond", K.cert(lt(1, a), (D / (4 * sigma_n_sq + 2 * D), K.sign(lt(0, 1))), (-1, best)))
