r"""`ndqsg/finding-sparse-gradients`: dithering loses on sparse gradients (arXiv 1904.01197)."""

from typing import Any

from sympy import IndexedBase, Integer, Rational, Sum, symbols

from theory.claim import Claim, Relation, Variable
from theory.formula import eq, le, lt
from theory.hypotheses import definition, domain, model, parameter
from theory.ndqsg.paper import PAPER
from theory.statement import statement
from theory.worst_cases import cases

d, m, M, kappa, V, W, j = symbols("d m M kappa V W j", real=True)
average, square = symbols("average square", real=True)
p, nonzero, y, z, c = symbols("p nonzero y z c", cls=IndexedBase, real=True)
ALL = (j, 0, d - 1)
_BOUND = d / (3 * m)
_UNIT = (kappa / M) ** 2
_PHASES = Sum(p[j] * (1 - p[j]), ALL)

# The 25 positive ones of 50 quantiles of N(0,1), largest first, in thousandths, and how many levels of
# three are below each.
_THOUSANDTHS = """
    2326 1881 1645 1476 1341 1227 1126 1036 954 878 806 739 674 613 553 496 440 385 332 279 228 176 126 75 25
"""
QUANTILES = tuple(Rational(item, 1000) for item in map(int, _THOUSANDTHS.split()))
OFF = Rational(1, 1000)
_LEVELS = {1: 25 * (0,), 3: (0, 2, 2) + 8 * (1,) + 14 * (0,)}
_OWN = sum(c[i] * (1 - c[i]) for i in range(25))
# Mean size, mean square and largest of 1000 quantiles: from this number on, by at most a millionth more.
MOMENTS = tuple(Rational(item, 10**6) for item in (797707, 998699, 3290526))
MILLIONTH = Rational(1, 10**6)
_LEAST, _MOST = Rational(445, 1000), Rational(446, 1000)


def _phases(M: int) -> Any:
    """Return the definition of the phases of the quantiles at M levels; the largest is a level itself."""
    above = ", ".join(
        f"$c_{{{i}}}z_1={_times(M)}z_{{{i}}}{f'-{_times(level)}z_1' if level else ''}$"
        for i, level in enumerate(_LEVELS[M], 1)
        if i > 1
    )
    return definition(f"$c_1=0$, {above}, since $c$ are the parts of $z$ above the levels below")


def _times(factor: int) -> str:
    return "" if factor == 1 else str(factor)


_SAVED = Integer(45)  # per cent

CLAIM = Claim(
    id="ndqsg/finding-sparse-gradients",
    kind="finding",
    provenance="derived",
    title="Subtractive dithering loses on sparse gradients",
    position=13,
    paper=PAPER,
    **statement(
        r"""
        DQSG is presented as the better quantizer of a given step. Let $V$ be the variance of stochastic
        rounding with the same step and the same indices and $W$ that of DQSG, for a gradient of $d$
        coordinates of which $m$ are not zero, with the phases $p_j$, as in `ndqsg/sr-versus-dqsg`.
        (a: ratio) Rounding makes no error at exact zeros, dithering the same as everywhere: $$\frac
          d{3m}V\le W.$$ [proof; exact/ratio; montecarlo/ratio by sampling]
        (b: never-worse) So below a third of nonzeros rounding is never worse: if $m\le\frac d3$, then $V\le
          W$. [proof; exact/break-even]
        (c: exact) With all phases $$12\,W\sum_jp_j(1-p_j)=d\,V.$$ [proof]
        (d: spread) What holds instead: DQSG wins on spread gradients: if $\frac d{12}<\sum_jp_j(1-p_j)$,
          then $W<V$. [proof]
        (e: one, three) With <<50 Gaussian quantiles among 950 zeros -> exact/quantiles of the table>> $W$ is
          at least ten times as large as $V$: $10V\le W$ at one level, and $V\le\frac W{10}$ at
          three. [proof; exact/at least ten times; exact/quantiles of the table]
        (f: saved) At <<1000 Gaussian quantiles -> exact/moments of the quantiles>> DQSG saves {value:saved}
          per cent of the variance, at one level: $$\frac{445}{1000}V\le V-W\le\frac{446}{1000}V.$$ [proof;
          exact/saved on spread gradients; exact/moments of the quantiles]
        """
    ),
    variables=(
        Variable(d, "d", r"\mathbb N", "number of coordinates"),
        Variable(m, "m", r"\mathbb N", "number of nonzero coordinates"),
        Variable(p, "p", r"[0,1)^d", "phases", "(d,)"),
        Variable(V, "V", r"\mathbb R_{\ge0}", "variance of stochastic rounding"),
        Variable(W, "W", r"\mathbb R_{\ge0}", "variance of DQSG"),
        Variable(M, "M", r"\mathbb N", "number of levels"),
        Variable(kappa, r"\kappa", r"\mathbb R_{>0}", "scale"),
        Variable(nonzero, "b", r"\{0,1\}^d", "whether a coordinate is not zero", "(d,)"),
        Variable(z, "z", r"\mathbb R^{25}_{>0}", "sizes of nonzeros, each with both signs", "(25,)"),
        Variable(c, "c", "[0,1)^{25}", "their phases", "(25,)"),
        Variable(y, "y", r"\mathbb R_{\ge0}^d", "sizes of the coordinates", "(d,)"),
        Variable(average, "A", r"\mathbb R_{\ge0}", "mean size of the coordinates"),
        Variable(square, "S", r"\mathbb R_{\ge0}", "mean square of the coordinates"),
    ),
    hypotheses={
        "sizes": domain(r"$d\ge1$ and $m\ge1$ are integers, $M,\kappa>0$"),
        "support": definition(r"$b_j^2=b_j$, $p_jb_j=p_j$, $m=\sum_jb_j$"),
        "rounding": model(r"$V=\Big(\frac\kappa M\Big)^2\sum_jp_j(1-p_j)$", reference="ndqsg/sr-versus-dqsg"),
        "dithering": model(r"$W=\frac{d\kappa^2}{12M^2}$", reference="ndqsg/sr-versus-dqsg"),
        "vector": definition(
            rf"$d=1000$, $\sum_jp_j(1-p_j)={'+'.join(f'2c_{{{i}}}(1-c_{{{i}}})' for i in range(1, 26))}$, "
            "since the sizes of nonzeros come twice",
        ),
        "quantiles": model(
            ", ".join(
                rf"${float(item - OFF):.3f}\le z_{{{i}}}\le{float(item + OFF):.3f}$"
                for i, item in enumerate(QUANTILES, 1)
            )
            + ", since these are the upper 25 of 50 quantiles of the normal law",
            reference="M. Abramowitz and I. Stegun, Handbook of Mathematical Functions, table 26.5",
        ),
        "one-level": _phases(1),
        "three-levels": _phases(3),
        "one-step": definition(r"$p_j(1-p_j)=\frac{y_j}\kappa\Big(1-\frac{y_j}\kappa\Big)$, $M=1$"),
        "means": definition(r"$A=\frac1d\sum_jy_j$, $S=\frac1d\sum_jy_j^2$"),
        "moments": model(
            r"$0.797707\le A\le0.797709$, $0.998699\le S\le0.998701$, $3.290526\le\kappa\le3.290528$, "
            r"since these are moments of 1000 normal quantiles",
            reference="M. Abramowitz and I. Stegun, Handbook of Mathematical Functions, section 26.2",
        ),
        "few": parameter(r"$m\le\frac d3$"),
        "spread": parameter(r"$\frac d{12}<\sum_jp_j(1-p_j)$"),
    },
    relations={
        "ratio": Relation((_BOUND * V, W), ("<=",)),
        "never-worse": Relation((V, W), ("<=",), under=("few",)),
        "exact": Relation((12 * W * _PHASES, d * V), ("=",)),
        "spread": Relation((W, V), ("<",), under=("spread",)),
        "one": Relation((10 * V, W), ("<=",), under=("vector", "quantiles", "one-level")),
        "three": Relation((V, W / 10), ("<=",), under=("vector", "quantiles", "three-levels")),
        "saved": Relation(
            (_LEAST * V, V - W, _MOST * V), ("<=", "<="), under=("one-step", "means", "moments")
        ),
    },
    formulas={"bound": _BOUND, "sparsest_win": d / 3, "saved": _SAVED},
    values={"saved": _SAVED},
    internal={
        "saved": "in per cent, a slot of part (f)",
        "bound": "the factor of part (a)",
        "sparsest_win": "said as the hypothesis of part (b)",
    },
    worst_cases=cases("""
        a twentieth of the coordinates | d = 1000, m = 50 | 20/3
        all coordinates: DQSG may win by a factor of 3 at most | d = 1000, m = 1000 | 1/3
    """),
)


def derive(K: Any) -> None:
    """Prove the relations."""
    K.example({d: 4, m: 1, M: 2, kappa: 3, p: (0, Rational(1, 3), 0, 0), nonzero: (0, 1, 0, 0)})
    K.index(ALL)
    own, kept = K.at(K.given("support"), j), K.at(K.given("support", 1), j)
    quarter = Rational(1, 4)
    # With z = 1 for a nonzero and 0 else it is z/4 - p (1 - p) = (p - z/2)^2, as p z = p and z^2 = z.
    term = K.cert(
        le(p[j] * (1 - p[j]), quarter * nonzero[j]),
        (1, (p[j] - nonzero[j] / 2) ** 2),
        (quarter, own),
        (-1, kept),
    )
    few = K.cert(
        le(V, _UNIT * m / 4),
        (1, K.given("rounding")),
        (_UNIT, K.sum_over(term, ALL)),
        (-_UNIT / 4, K.given("support", 2)),
    )
    ratio = K.cert(le(_BOUND * V, W), (_BOUND, few), (-1, K.given("dithering")))
    K.conclude("ratio", ratio)
    never = K.cert(le(V, W), (1, few), (-1, K.given("dithering")), (_UNIT / 4, K.given("few")))
    K.conclude("never-worse", never)
    K.example({d: 2, m: 1, M: 2, kappa: 3, p: (0, Rational(1, 2)), nonzero: (0, 1)})
    rounding, dithering = K.given("rounding"), K.given("dithering")
    terms = ((12 * _PHASES, dithering), (-d, rounding))
    K.conclude("exact", K.cert(eq(12 * W * _PHASES, d * V), *terms))
    K.conclude("spread", K.cert(lt(W, V), (1, dithering), (-1, rounding), (_UNIT, K.given("spread"))))
    for name, levels, own in (("one", 1, "one-level"), ("three", 3, "three-levels")):
        _ten_times(K, name, levels, own)
    _saved(K)


def _ten_times(K: Any, name: str, levels: int, own: str) -> None:
    """Conclude part (e): each p (1 - p) is below its tangent, which the table bounds."""
    low = [K.given("quantiles", 2 * i) for i in range(25)]
    high = [K.given("quantiles", 2 * i + 1) for i in range(25)]
    K.know(low[0])
    K.know(K.cert(lt(0, z[0]), (1, low[0]), (1, K.sign(lt(Integer(0), QUANTILES[0] - OFF)))))
    terms = [(1, K.cert(le(c[0] * (1 - c[0]), 0), (1 - c[0], K.given(own))))]
    for i, level in enumerate(_LEVELS[levels]):
        if i == 0:
            continue
        phase, scale = K.given(own, i), QUANTILES[0]
        near = levels * QUANTILES[i] / scale - level
        slope = 1 - 2 * near
        if slope > 0:
            end = levels * (QUANTILES[i] + OFF) / (scale - OFF) - level
            side = K.cert(
                le(c[i], end), (1 / z[0], phase), (levels / z[0], high[i]), ((end + level) / z[0], low[0])
            )
        else:
            end = levels * (QUANTILES[i] - OFF) / (scale + OFF) - level
            side = K.cert(
                le(end, c[i]), (-1 / z[0], phase), (levels / z[0], low[i]), ((end + level) / z[0], high[0])
            )
        bound = near * (1 - near) + slope * (end - near)
        terms.append((1, K.cert(le(c[i] * (1 - c[i]), bound), (1, (c[i] - near) ** 2), (abs(slope), side))))
    phases = [
        levels * item / QUANTILES[0] - level for item, level in zip(QUANTILES, _LEVELS[levels], strict=True)
    ]
    phases[0] = Integer(0)
    K.example({d: 1000, m: 50, M: levels, kappa: 1, p: 2 * phases + 950 * [0], c: phases, z: QUANTILES})
    half = Rational(25, 6)
    total = K.cert(le(_OWN, half), *terms)
    vector, unit = [K.given("vector", place) for place in range(2)], _UNIT
    found = K.cert(
        le(10 * V, W),
        (10, K.given("rounding")),
        (-1, K.given("dithering")),
        (-unit / 12, vector[0]),
        (10 * unit, vector[1]),
        (20 * unit, total),
    )
    K.conclude(name, found if levels == 1 else K.cert(le(V, W / 10), (Rational(1, 10), found)))


def _saved(K: Any) -> None:
    """Conclude part (f): the sum of the phases is d (A / kappa - B / kappa^2) with the two means A and B."""
    # Two sizes with nearly the same means are an instance.
    sizes = [Rational(item, 10**7) for item in (13996726, 1957434)]
    scale = MOMENTS[2] + MILLIONTH
    K.example({d: 2, m: 2, M: 1, kappa: scale, y: sizes, p: [size / scale for size in sizes]})
    one, each = K.given("one-step", 1), K.at("one-step", j)
    rounding, dithering = (K.rewrite(K.given(name), one) for name in ("rounding", "dithering"))
    means = K.given("means"), K.given("means", 1)
    found = K.cert(eq(V, d * (average * kappa - square)), rounding, K.sum_over(each, ALL), *means)
    low, high = ([K.given("moments", 2 * place + side) for place in range(3)] for side in range(2))
    # kappa^2 / 12 is at most s (A kappa - B), and at least t (A kappa - B).
    s, t = 12 * (1 - _LEAST), 12 * (1 - _MOST)
    part = d / 12
    least = (
        (part * s * kappa, low[0]),
        (part * s, high[1]),
        (part * kappa, high[2]),
        (part * (s * MOMENTS[0] - MOMENTS[2] - 2 * MILLIONTH), low[2]),
    )
    most = (
        (part * t * kappa, high[0]),
        (part * t, low[1]),
        (part * kappa, low[2]),
        (part * (t * (MOMENTS[0] + 2 * MILLIONTH) - MOMENTS[2]), high[2]),
    )
    K.conclude(
        "saved",
        K.cert(le(_LEAST * V, V - W), *least, found, dithering),
        K.cert(le(V - W, _MOST * V), *most, found, dithering),
    )
