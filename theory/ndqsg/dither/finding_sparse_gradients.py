r"""`ndqsg/finding-sparse-gradients`: dithering loses on sparse gradients (arXiv 1904.01197)."""

from typing import Any

from sympy import IndexedBase, Rational, Sum, symbols

from theory.claim import Claim, Relation, Variable
from theory.formula import IsInteger, eq, every, le, lt
from theory.hypotheses import definition, domain, model, parameter
from theory.ndqsg.paper import PAPER
from theory.statement import statement
from theory.worst_cases import cases

d, m, M, kappa, V, W, j = symbols("d m M kappa V W j", real=True)
p, nonzero = symbols("p nonzero", cls=IndexedBase, real=True)
ALL = (j, 0, d - 1)
_BOUND = d / (3 * m)
_UNIT = (kappa / M) ** 2
_PHASES = Sum(p[j] * (1 - p[j]), ALL)

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
        (d: spread) What holds instead: DQSG wins on spread gradients. If $\frac d{12}<\sum_jp_j(1-p_j)$,
          then $W<V$. [proof]
        (e) <<With 50 Gaussian quantiles among 950 zeros -> exact/at least ten times>> $W$ is <<at least 10
          times -> exact/at least ten times>> as large as $V$, at one level and at three. [exact/at least
          ten times]
        (f) At all Gaussian quantiles DQSG saves <<45 % -> exact/saved on spread gradients>> of the
          variance, at one level. [exact/saved on spread gradients]
        """
    ),
    variables=(
        Variable(d, "d", r"\mathbb N", "number of coordinates"),
        Variable(m, "m", r"\mathbb N", "number of nonzero coordinates"),
        Variable(p, "p", r"[0,1)^d", "phases", "(d,)"),
        Variable(V, "V", r"\mathbb R_{\ge0}", "variance of stochastic rounding"),
        Variable(W, "W", r"\mathbb R_{\ge0}", "variance of DQSG"),
    ),
    hypotheses={
        "sizes": domain(
            "numbers of coordinates are positive integers, levels and scale positive",
            IsInteger(d),
            le(1, d),
            IsInteger(m),
            le(1, m),
            lt(0, M),
            lt(0, kappa),
        ),
        "support": definition(
            "a zero has the phase 0; the others are counted",
            every(eq(nonzero[j] ** 2, nonzero[j]), ALL),
            every(eq(p[j] * nonzero[j], p[j]), ALL),
            eq(m, Sum(nonzero[j], ALL)),
        ),
        "rounding": model(
            "stochastic rounding has this variance", eq(V, _UNIT * _PHASES), reference="ndqsg/sr-versus-dqsg"
        ),
        "dithering": model(
            "DQSG has this variance", eq(W, d * kappa**2 / (12 * M**2)), reference="ndqsg/sr-versus-dqsg"
        ),
        "few": parameter(r"$m\le\frac d3$"),
        "spread": parameter(r"$\frac d{12}<\sum_jp_j(1-p_j)$"),
    },
    relations={
        "ratio": Relation((_BOUND * V, W), ("<=",)),
        "never-worse": Relation((V, W), ("<=",), under=("few",)),
        "exact": Relation((12 * W * _PHASES, d * V), ("=",)),
        "spread": Relation((W, V), ("<",), under=("spread",)),
    },
    formulas={"bound": _BOUND, "sparsest_win": d / 3},
    internal={"bound": "the factor of part (a)", "sparsest_win": "said as the hypothesis of part (b)"},
    worst_cases=cases("""
        a twentieth of the coordinates | d = 1000, m = 50 | 20/3
        all coordinates: DQSG may win by a factor 3 | d = 1000, m = 1000 | 1/3
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
