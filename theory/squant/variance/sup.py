r"""`squant/sup`: the exact supremum of the variance of one block (arXiv 2106.03524; derived here)."""

from typing import Any

from sympy import IndexedBase, Piecewise, Rational, Sum, floor, sqrt, symbols

from theory.claim import Claim, ImplicitValue, Relation, Variable
from theory.facts.rounding.rounding import rounding_variance, variance_below_quarter, variance_nonnegative
from theory.facts.rounding.rounding_quadratics import variance_of_small
from theory.formula import eq, every, le, lt
from theory.hypotheses import definition, domain, parameter
from theory.squant.paper import PAPER
from theory.squant.variance import one_block
from theory.squant.variance.one_block import COORDINATES, TERM, total
from theory.statement import statement
from theory.worst_cases import cases

V, d, j = symbols("V d j", real=True)
L, h, u = symbols("L h u", cls=IndexedBase, real=True)

i, nu, step, place = symbols("i nu step place", real=True)
p, q, r = symbols("p q r", real=True)
v, m = IndexedBase("v", real=True), IndexedBase("m", real=True)
_SPARE = place - 1
BEFORE, AFTER = (j, 0, _SPARE - 1), (j, _SPARE + 1, d - 1)
_CARRIED = L[_SPARE] * h[_SPARE] ** 2

_U = L[j] / (2 * (L[j] + nu))
_HALF, _QUARTER = Rational(1, 2), Rational(1, 4)
_COARSE = total(h[j] ** 2 * L[j] * _U * (1 - _U))
_NORM = total(h[j] ** 2 * _U**2)
_FINE = total(L[j] * h[j] ** 2) / 4
_UNIFORM = step * sqrt(d) - 1
_ONE = L[0] * step**2 * rounding_variance(1 / step)

CLAIM = Claim(
    id="squant/sup",
    kind="tight",
    provenance="derived",
    title="Supremum of the variance of one block: exact in the coarse regime, bracketed in the fine one",
    position=3,
    paper=PAPER,
    **statement(
        r"""
        Let $\varphi(u)=\{u\}(1-\{u\})$, $L_j=\mathbf L_{jj}\ge0$, and one block. An input $x$ of unit norm
        has the levels $u_j=|x_j|/h_j$ with $\sum_jh_j^2u_j^2=1$, and $\mathbb E\|Q(x)-x\|_{\mathbf
        L}^2=\sum_jL_jh_j^2\varphi(u_j)$ (`squant/var`).
        (a: coarse) Let $\nu\ge0$, $L_j+\nu>0$ and $\sum_j\frac{h_j^2L_j^2}{4(L_j+\nu)^2}=1$ (coarse
          regime). Then for every $x$ of unit norm $$\mathbb E\|Q(x)-x\|_{\mathbf
          L}^2\le\sum_j\frac{h_j^2L_j^2(L_j+2\nu)}{4(L_j+\nu)^2}.$$ [proof; exact/input with another
          exponent; exact/input moved along a coordinate; adversarial/searched]
        (b: attained) It is attained at the levels $u_j=\frac{L_j}{2(L_j+\nu)}$: there $$\mathbb
          E\|Q(x)-x\|_{\mathbf L}^2=\sum_j\frac{h_j^2L_j^2(L_j+2\nu)}{4(L_j+\nu)^2}.$$ [proof;
          exact/attained; exact/norm of the maximiser]
        (c: regime) Such a $\nu$ needs $\sum_jh_j^2\ge4$. [proof]
        (d: fine) In every regime $\mathbb E\|Q(x)-x\|_{\mathbf L}^2\le\frac14\sum_jL_jh_j^2$ for every $x$
          of unit norm. [proof; exact/upper end kept; adversarial/searched in the fine regime]
        (e: lower) Fine regime: let all coordinates but one, $c$, have $L_j(1-2u_j)=0$ and $u_j\le\frac12$.
          Then $$\frac14\sum_jL_jh_j^2-\frac14L_ch_c^2\le\mathbb E\|Q(x)-x\|_{\mathbf L}^2,$$ <<so that (d)
          is attained if $L_c=0$ -> exact/attained in the fine regime>>. [proof; exact/lower end reached]
        (f: half-odd) $\mathbb E\|Q(x)-x\|_{\mathbf L}^2=\frac14\sum_jL_jh_j^2$ at half-odd levels
          $u_j=m_j+\frac12$ with integers $m_j$. [proof; exact/attained in the fine regime]
        (g: only-half-odd) If all $L_j>0$, then $\mathbb E\|Q(x)-x\|_{\mathbf L}^2=\frac14\sum_jL_jh_j^2$
          needs $\{u_j\}=\frac12$ for each $j$. [proof]
        (h: one-dimension) For $d=1$ and $h=h_1$, $$\mathbb E\|Q(x)-x\|_{\mathbf
          L}^2=L_1h^2\Big\{\frac1h\Big\}\Big(1-\Big\{\frac1h\Big\}\Big).$$ [proof; exact/attained in the
          fine regime]
        (i: uniform) For $L_j=1$, $h_j=h$ with $h\sqrt d\ge2$, $\mathbb E\|Q(x)-x\|_{\mathbf L}^2\le h\sqrt
          d-1$ for every $x$ of unit norm. [proof]
        (j: uniform-attained) Then $\mathbb E\|Q(x)-x\|_{\mathbf L}^2=h\sqrt d-1$ at $u_j=\frac1{h\sqrt d}$,
          <<that is at $x\propto\mathbf 1$ -> exact/uniform step>>. [proof; exact/uniform step]
        (k: uniform-fine) For $L_j=1$, $h_j=h$ always $\mathbb E\|Q(x)-x\|_{\mathbf L}^2\le\frac{dh^2}4$.
          [proof]
        (l: uniform-half-odd, triangular) This is attained, $\mathbb E\|Q(x)-x\|_{\mathbf
          L}^2=\frac{dh^2}4$, at half-odd levels $u_j=m_j+\frac12$; then
          $\frac{4h^{-2}-d}8=\frac12\sum_jm_j(m_j+1)$, a sum of triangular numbers. [proof; exact/uniform
          step]
        (m: three-squares) With more than two coordinates that quotient need only be a nonnegative integer:
          <<each of these is a sum of three triangular numbers (Gauss; not proved here, seen up to 37) ->
          exact/half-odd levels>>, and with $d\ge3$, $\frac{4h^{-2}-d}8=\frac{p(p+1)+q(q+1)+r(r+1)}2$ the
          half-odd levels $u_1=p+\frac12$, $u_2=q+\frac12$, $u_3=r+\frac12$ and $u_j=\frac12$ for the others
          are of unit norm, $$h^2\sum_ju_j^2=1.$$
          <<Such levels exist exactly there for $d=3$, 4 and 5 and each integer $4h^{-2}$ up to 300 ->
          exact/half-odd levels>>. [proof; exact/half-odd levels]
        """
    ),
    variables=(
        *one_block.VARIABLES,
        Variable(nu, r"\nu", r"\mathbb R_{\ge0}", "multiplier of the norm constraint"),
        Variable(m, "m", r"\mathbb N_0^d", "floors of half-odd levels", "(d,)"),
        Variable(step, "h", r"\mathbb R_{>0}", "uniform step, or the step of the single coordinate"),
        *(Variable(t, str(t), r"\mathbb N_0", "floor of a half-odd level") for t in (p, q, r)),
        Variable(place, "c", r"\mathbb N", "coordinate that takes the spare norm"),
    ),
    hypotheses={
        **one_block.HYPOTHESES,
        "weights": domain(r"$L_j\ge0$"),
        "root": parameter(r"$\sum_j\frac{h_j^2L_j^2}{4(L_j+\nu)^2}=1$, $\nu\ge0$, $L_j+\nu>0$"),
        "maximiser": parameter(r"$u_j=\frac{L_j}{2(L_j+\nu)}$"),
        "carrier": definition(r"$1\le c\le d$ is an integer"),
        "half": definition(r"$u_j\le\frac12$ for $j\ne c$; $L_j(1-2u_j)=0$ for $j\ne c$"),
        "half-odd": parameter(r"$u_j=m_j+\frac12$ with integers $m_j$"),
        "positive": domain(r"$L_j>0$"),
        "reached": parameter(r"$\mathbb E\|Q(x)-x\|_{\mathbf L}^2=\frac14\sum_jL_jh_j^2$"),
        "one": parameter("$d=1$, $h_1=h$"),
        "uniform": parameter("$L_j=1$, $h_j=h$"),
        "long": parameter(r"$h\sqrt d\ge2$"),
        "triangular": parameter(r"$d\ge3$, $\frac{4h^{-2}-d}8=\frac{p(p+1)+q(q+1)+r(r+1)}2$"),
        "three": parameter(r"$u_1=p+\frac12$, $u_2=q+\frac12$, $u_3=r+\frac12$; $u_j=\frac12$ for $j>3$"),
        "step": domain("$h>0$"),
        "floors": domain("$p,q,r\\ge0$ are integers"),
        "ones": parameter(r"$u_j=\frac1{h\sqrt d}$"),
    },
    relations={
        "coarse": Relation((V, _COARSE), ("<=",), under=("root",)),
        "attained": Relation((V, _COARSE), ("=",), under=("root", "maximiser")),
        "regime": Relation((total(h[j] ** 2), 4), (">=",), under=("root",)),
        "fine": Relation((V, _FINE), ("<=",)),
        "lower": Relation((_FINE - _CARRIED / 4, V), ("<=",), under=("carrier", "half")),
        "half-odd": Relation((V, _FINE), ("=",), under=("half-odd",)),
        "only-half-odd": Relation(
            (u[j] - floor(u[j]), _HALF), ("=",), every=(COORDINATES,), under=("positive", "reached")
        ),
        "one-dimension": Relation((V, _ONE), ("=",), under=("one",)),
        "uniform": Relation((V, _UNIFORM), ("<=",), under=("uniform", "long")),
        "uniform-attained": Relation((V, _UNIFORM), ("=",), under=("uniform", "long", "ones")),
        "uniform-fine": Relation((V, d * step**2 / 4), ("<=",), under=("uniform",)),
        "uniform-half-odd": Relation((V, d * step**2 / 4), ("=",), under=("uniform", "half-odd")),
        "triangular": Relation(
            ((4 / step**2 - d) / 8, total(m[j] * (m[j] + 1)) / 2), ("=",), under=("uniform", "half-odd")
        ),
        "three-squares": Relation((step**2 * total(u[j] ** 2), 1), ("=",), under=("triangular", "three")),
    },
    formulas={
        "exact": ImplicitValue(_COARSE, nu, _NORM - 1),
        "regime": total(Piecewise((h[j] ** 2, L[j] > 0), (0, True))),
        "maximiser": h[j] * _U,
        "value_at_multiplier": _COARSE,
        "fine_upper": _FINE,
        "fine_lower": _FINE - _CARRIED / 4,
        "uniform": _UNIFORM,
        "uniform_fine": d * step**2 / 4,
        "one_dimension": _ONE,
        "triangular_total": (4 / step**2 - d) / 8,
    },
    internal={
        "regime": "the sum over positive weights; above 4 the root of part (a) exists",
        "maximiser": "the input at the levels of part (b)",
    },
    worst_cases=cases(r"""
        uniform step, attained at $x=\mathbf 1$ | L = 100 * (1,), h = 100 * (1,), x = 100 * (1,), d = 100 | 9
        fine regime with a coordinate of weight 0, attained at $(\frac12,\frac{\sqrt3}2)$ | L = (1, 0),
          h = (1, 5), x = (1/2, sqrt(3)/2), d = 2 | 1/4
        fine regime, attained with 24 coordinates at level 3/2 and 40 at 1/2 | L = 64 * (1,), h = 64 * (1/8,),
          x = 24 * (3,) + 40 * (1,), d = 64 | 1/4
    """),
    notation=one_block.NOTATION,
)

# Four equal coordinates in the coarse regime, the same at half levels, and one coordinate.
EXAMPLES: tuple[dict[Any, Any], ...] = (
    {d: 4, L: (1,) * 4, h: (2,) * 4, u: (_QUARTER,) * 4, step: 2, nu: 1, V: 3},
    {d: 4, L: (1,) * 4, h: (1,) * 4, u: (_HALF,) * 4, m: (0,) * 4, step: 1, V: 1, place: 1},
    {d: 1, L: (2,), h: (Rational(2, 5),), u: (Rational(5, 2),), step: Rational(2, 5)},
)


def derive(K: Any) -> None:
    """Prove the relations."""
    K.index(COORDINATES)
    for example in EXAMPLES:
        K.example(example)
    fine = K.sum_over(K.cert(le(TERM, L[j] * h[j] ** 2 / 4), variance_below_quarter(K, u[j])), COORDINATES)
    fine = K.show("fine", "variance", fine)
    _coarse(K)
    _fine(K)
    _special(K, fine)


def _coarse(K: Any) -> None:
    norm, multiplier, positive = (K.given("root", item) for item in range(3))
    K.know(multiplier, positive)
    # v_j stands for L_j/(2(L_j + nu)), so that sums of it split.
    at_point = K.at(K.assume(every(eq(L[j], 2 * (L[j] + nu) * v[j]), COORDINATES)), j)
    unit = K.assume(eq(total(h[j] ** 2 * v[j] ** 2), 1))
    bound = one_block.bounded(K, total(h[j] ** 2 * L[j] * v[j] * (1 - v[j])), v[j], nu, at_point, unit)
    K.conclude("coarse", K.instantiate(bound, {v: lambda k: _U.subs(j, k)}))

    level = K.at("maximiser", j)
    spare = nu / (2 * (L[j] + nu))
    term = one_block.valued(K, _U, level, K.cert(lt(_U, 1), (1, spare)))
    K.show("attained", "variance", K.sum_over(term, COORDINATES))

    short = K.cert(le(h[j] ** 2 * _U**2, h[j] ** 2 / 4), (h[j] ** 2 * (_HALF + _U), spare))
    K.show("regime", K.sum_over(short, COORDINATES), norm)


def _fine(K: Any) -> None:
    quarter = L[j] * h[j] ** 2 / 4
    K.know(*(K.given("carrier", item) for item in range(3)))
    others = []
    for span, item in ((BEFORE, 0), (AFTER, 1)):
        at_most, half = (K.at(K.given("half", item + k), j) for k in (0, 2))
        small = variance_of_small(K, u[j], K.cert(lt(u[j], 1), at_most))
        others.append(K.sum_over(K.cert(eq(TERM, quarter), (L[j] * h[j] ** 2, small), half), span))
    K.show(
        "lower",
        K.given("variance"),
        K.split_off(total(TERM), _SPARE),
        K.split_off(total(quarter), _SPARE),
        *others,
        (_CARRIED, variance_nonnegative(K, u[_SPARE])),
    )

    # Other levels than half-odd ones lose the sum of L h^2 (p - 1/2)^2.
    lost = L[j] * h[j] ** 2 * (u[j] - floor(u[j]) - _HALF) ** 2
    at_i = lost.subs(j, i)
    losses = K.sum_over(K.identity(quarter - TERM, lost), COORDINATES)
    parts = [Sum(at_i, (i, 0, j - 1)), Sum(at_i, (i, j + 1, d - 1))]
    one = K.cert(
        le(lost, 0),
        K.split_off(Sum(at_i, (i, 0, d - 1)), j),
        *((1, item) for item in parts),
        (-1, losses),
        K.given("variance"),
        K.given("reached"),
    )
    K.know("positive")
    p = u[j] - floor(u[j])
    size = K.power(K.cert(le((p - _HALF) ** 2, 0), one), _HALF)
    K.know(K.cert(le(p, _HALF), size, K.axiom("abs-above", p - _HALF)))
    K.know(K.cert(le(_HALF, p), size, K.axiom("abs-below", p - _HALF)))
    K.conclude("only-half-odd", K.every(K.sign(eq(p, _HALF)), COORDINATES))


def _special(K: Any, fine: Any) -> None:
    one, first_step = (K.given("one", item) for item in range(2))
    K.know("step")
    reciprocal = 1 / (step * (1 + step * u[0]))
    level = K.cert(eq(u[0], 1 / step), (reciprocal, K.given("norm")), first_step, using=[one])
    at_level = K.put_in(rounding_variance(u[0]), level)
    stepped = (L[0] * (h[0] + step) * rounding_variance(1 / step), first_step)
    K.show("one-dimension", "variance", (L[0] * h[0] ** 2, at_level), stepped, using=[one])
    _half_odd(K, fine)


def _half_odd(K: Any, fine: Any) -> None:
    K.know("half-odd")
    level = K.at(K.given("half-odd", 1), j)
    floor_is = K.axiom("floor-unique", u[j], m[j])
    floor_is = K.discharge(floor_is, K.cert(le(m[j], u[j]), level), K.cert(lt(u[j], m[j] + 1), level))
    p = u[j] - floor(u[j])
    term = K.cert(eq(TERM, L[j] * h[j] ** 2 / 4), K.cert(eq(p, _HALF), level, floor_is))
    half_odd = K.show("half-odd", "variance", K.sum_over(term, COORDINATES))

    unit, same = (K.at(K.given("uniform", item), j) for item in range(2))
    squares = K.sum_over(one_block.summand(K, step, unit, same), COORDINATES)
    K.show("uniform-fine", fine, squares)
    K.show("uniform-half-odd", half_odd, squares)
    wanted = step**2 * (m[j] * (m[j] + 1) + _QUARTER)
    norm = K.cert(eq(h[j] ** 2 * u[j] ** 2, wanted), (step**2 * (u[j] + m[j] + _HALF), level), same)
    K.show("triangular", K.sum_over(norm, COORDINATES), "norm")
    K.conclude("three-squares", _three_squares(K))
    upper, attained = one_block.at_uniform_step(K, step, K.given("long"), unit, same, K.at("ones", j))
    K.conclude("uniform", upper)
    K.conclude("uniform-attained", attained)


def _three_squares(K: Any) -> Any:
    """The first three levels one by one, and a quarter for each other one."""
    squares, splits = u[j] ** 2, []
    for k, t in enumerate((p, q, r)):
        own = K.cert(eq(u[k] ** 2, (t + _HALF) ** 2), (u[k] + t + _HALF, K.given("three", k)))
        split = K.split_off(Sum(squares, (j, k, d - 1)), k)
        if k == 1:  # 2 <= d - 1 is what is given
            split = K.discharge(split, K.cert(le(1, d - 1), "triangular", (1, K.sign(le(0, 1)))))
        splits += [split, own]
    rest = (j, 3, d - 1)
    quarter = K.cert(eq(squares, _QUARTER), (u[j] + _HALF, K.at(K.given("three", 3), j)))
    terms = [*splits, K.sum_over(quarter, rest)]
    return K.cert(
        eq(step**2 * total(squares), 1),
        *((step**2, item) for item in terms),
        (-2 * step**2, K.given("triangular", 1)),
    )
