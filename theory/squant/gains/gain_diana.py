r"""`squant/gain-diana`: a gain over DIANA needs bad conditioning (derived; about arXiv 2106.03524)."""

from typing import Any

from sympy import IndexedBase, Integer, Max, Rational, Sum, sqrt, symbols

from theory.claim import Claim, Relation, Variable
from theory.facts.sums.cauchy_schwarz import cauchy_schwarz
from theory.formula import eq, le
from theory.hypotheses import definition, domain, model, parameter
from theory.squant.paper import PAPER
from theory.statement import statement

n, d, B, L, mu, chi, rho, nu, beta, c, j, l = symbols("n d B L mu chi rho nu beta c j l", real=True)
L_max, Lcal_max, omega_max, omega = symbols("L_max Lcal_max omega_max omega", real=True)
K_std, K_plus, K_any = symbols("K_std K_plus K_any", real=True)
h, m, g = symbols("h m g", cls=IndexedBase, real=True)
COORDINATES, BLOCKS = (j, 0, d - 1), (l, 0, B - 1)

_NOISE = n * mu
_MIXED = n + nu * rho * chi
_TOP, _SHIFTS = chi * (1 + 6 * n * rho), 2 * (1 + n)
_STD = Max(_TOP, _SHIFTS)
_PLUS = Max(chi + 6 * _MIXED, 2 * (1 + _MIXED))
_PARTS = (L + 6 * Lcal_max / n) / mu, 2 * (1 + omega_max)
_UPPER = Max(3 * chi, 1)
_LOWER = _TOP / (chi * (1 + 6 * nu * rho) + 6 * n + 2)
_ORDER = 2 * n * rho / (3 + 2 * nu * rho)
_GAIN = K_std / K_plus
_OMEGA = sqrt(Sum(h[j] ** 2, COORDINATES))

_HYPOTHESES = {
    "sizes": domain(r"$n,d,B\ge1$ are integers"),
    "signs": domain(r"$L,\mu,\chi,\rho,\nu,\beta,K_{\rm plus},K>0$, $\omega_{\max},\mathcal L_{\max}\ge0$"),
    "steps": domain("$h_j,d_l,g_l>0$"),
    "budget": parameter(r"$\beta=\frac dn$"),
    "any-steps": parameter(r"$\sum_j\frac1{h_j^2}=\beta^2$"),
    "any-blocks": parameter(r"$\sum_l\frac{\sqrt{d_l}}{g_l}=\beta$ and $g_l\sqrt{d_l}\le\omega$"),
    "lengths": definition(r"$\sum_ld_l=d$"),
    "condition": definition(r"$\chi=\frac L\mu$"),
    "rho": definition(r"$\rho=\frac{L_{\max}}{nL}$"),
    "std": definition(r"$K_{\rm std}=\max\{\frac{L+6L_{\max}}\mu,2(1+n)\}$ (`squant/diana`)"),
    "plus": definition(
        r"$K_{\rm plus}=\max\{\frac{L+6\mathcal L_{\max}/n}\mu,2(1+\omega_{\max})\}$ (`squant/diana`)"
    ),
    "mixed": model(
        r"$\omega_{\max}\le\frac{d+\frac c{n\mu}}\beta$, $\frac{\mathcal L_{\max}}{n\mu}\le\frac{d+\frac "
        r"c{n\mu}}\beta$, $c\le\nu L_{\max}\frac dn$, since the steps are those of `squant/steps-diana`",
        reference="squant/steps-diana",
    ),
    "coarse": model(r"$n\le\omega_{\max}$ (the coarse bound)", reference="squant/gain-diana, part (a)"),
    "dominance": model(r"$\rho\le1$", reference="squant/nu"),
    "least": parameter(r"$2(1+n)\le K$"),
    "ill": parameter(r"$n\le\chi$"),
    "V": definition(
        r"$L_{\max}=1$, $L=\frac{2n-1}{n^2}$, $\nu=\frac{2n-1}n$, since the matrices are those of family V"
    ),
    "V-ill": parameter(r"$\mu=n^{-3}$"),
    "V-well": parameter(r"$\mu=\frac1n$"),
}


CLAIM = Claim(
    id="squant/gain-diana",
    kind="scaling",
    provenance="derived",
    title="A gain of order n over DIANA needs a condition number of order n",
    position=24,
    paper=PAPER,
    **statement(
        r"""
        All methods have the budget $\beta=\frac dn$, the coarse branches stand for $\omega$ and $\mathcal
        L_{\max}$, and $K$ is that of `squant/diana`; $\chi=\frac L\mu$, $\rho=\frac{L_{\max}}{nL}$. DIANA+
        takes the steps of `squant/steps-diana`, for a mixture of $\mathbf L$ and $n\mu I$: they vary by
        coordinate, with $\nu$ for $\nu_{\rm tr}/\beta$, or by $n$ equal blocks, with $\nu$ for $\nu_B$.
        (a: any-steps, any-blocks) <<No steps have a smaller coarse bound -> exact/variance of any steps>>
          than uniform ones: if $\sum_j\frac1{h_j^2}=\beta^2$, then $n\le\sqrt{\sum_jh_j^2}$; if
          $\sum_l\frac{\sqrt{d_l}}{g_l}=\beta$ and $g_l\sqrt{d_l}\le\omega$ for every block, then
          $n\le\omega$. [proof; exact/variance of any steps; exact/variance of any block steps]
        (b: omega, noise) <<Both kinds of steps -> exact/omega of block>> of DIANA+ have $$\omega_{\max}\le
          n+\nu\rho\chi,\qquad\frac{\mathcal L_{\max}}{n\mu}\le n+\nu\rho\chi.$$ [proof; exact/budget of
          vary; exact/budget of block; exact/omega of vary; exact/omega of block; exact/noise of vary;
          exact/noise of block]
        (c: std, plus) DIANA with a uniform step has $$K_{\rm std}=\max\{\chi(1+6n\rho),2(1+n)\};$$ DIANA+
          has $$K_{\rm plus}\le\max\{\chi+6(n+\nu\rho\chi),2(1+n+\nu\rho\chi)\}.$$ [proof; exact/K of std in
          chi; exact/K of vary, from above; exact/K of block, from above]
        (d: lower, order) $$\frac{\chi(1+6n\rho)}{\chi(1+6\nu\rho)+6n+2}\le\frac{K_{\rm std}}{K_{\rm
          plus}};\qquad\text{if }n\le\chi,\qquad\frac{2n\rho}{3+2\nu\rho}\le\frac{K_{\rm std}}{K_{\rm
          plus}}.$$ [proof; exact/gain of vary, from below; exact/gain of block, from below; exact/gain of
          vary for bad conditioning; exact/gain of block for bad conditioning]
        (e: plus-least, upper) DIANA+ has $2(1+n)\le K_{\rm plus}$, and <<for every method -> exact/gain of
          vary, from above>> with $2(1+n)\le K$, $$\frac{K_{\rm std}}K\le\max\{3\chi,1\}.$$ [proof;
          exact/least K of vary; exact/least K of block; exact/gain of vary, from above; exact/gain of
          block, from above]
        (f: V-ill) <<In family V (one node has 1 on one of $n$ equal blocks, all other entries of all nodes
          are $\frac1n$) -> exact/gain of vary in V, from below>>, for $\mu=n^{-3}$ and <<both kinds of
          steps -> exact/gain of block in V, from below>>, $$\frac{3n}7\le\frac{K_{\rm std}}{K_{\rm
          plus}}\le7n.$$ [proof; exact/gain of vary in V, from below; exact/gain of block in V, from below]
        (g: V-well) There, for $\mu=\frac1n$ and <<both kinds of steps -> exact/bounded gain of block in
          V>>, $$\frac{K_{\rm std}}{K_{\rm plus}}\le3.$$ [proof; exact/bounded gain of vary in V;
          exact/bounded gain of block in V]
        """
    ),
    variables=(
        Variable(n, "n", r"\mathbb N", "number of nodes"),
        Variable(d, "d", r"\mathbb N", "number of coordinates"),
        Variable(B, "B", r"\mathbb N", "number of blocks"),
        Variable(L, "L", r"\mathbb R_{>0}", r"$\lambda_{\max}$ of the mean smoothness matrix"),
        Variable(mu, r"\mu", "(0,L]", "strong convexity of $f$"),
        Variable(L_max, r"L_{\max}", "[L,nL]", "largest eigenvalue of a node"),
        Variable(Lcal_max, r"\mathcal L_{\max}", r"\mathbb R_{\ge0}", "variance constant of the steps"),
        Variable(omega_max, r"\omega_{\max}", r"\mathbb R_{\ge0}", "variance constant, without matrix"),
        Variable(omega, r"\omega", r"\mathbb R_{>0}", "variance constant of block steps, without matrix"),
        Variable(beta, r"\beta", r"\mathbb R_{>0}", "budget"),
        Variable(chi, r"\chi", r"[1,\infty)", r"$L/\mu$"),
        Variable(rho, r"\rho", "[1/n,1]", r"$L_{\max}/(nL)$"),
        Variable(
            nu, r"\nu", r"\mathbb R_{>0}", r"$\nu_{\rm tr}/\beta$ for varying steps, $\nu_B$ for blocks"
        ),
        Variable(c, "c", r"\mathbb R_{\ge0}", "largest trace or constant of blocks of a node"),
        Variable(h, "h", r"\mathbb R^d_{>0}", "varying steps", "(d,)"),
        Variable(m, "d", r"\mathbb R^B_{>0}", "lengths of the blocks", "(B,)"),
        Variable(g, "g", r"\mathbb R^B_{>0}", "block steps", "(B,)"),
        Variable(K_std, r"K_{\rm std}", r"\mathbb R_{>0}", "condition number of DIANA"),
        Variable(K_plus, r"K_{\rm plus}", r"\mathbb R_{>0}", "condition number of DIANA+"),
        Variable(K_any, "K", r"\mathbb R_{>0}", "condition number of some method"),
    ),
    notation={
        r"\mathbf L": "smoothness matrix of a node",
        "I": "identity matrix",
        r"\nu_{\rm tr}": "heavy coordinates of a node (`squant/nu`)",
        r"\nu_B": "heavy blocks of a node (`squant/nu`)",
    },
    hypotheses=_HYPOTHESES,
    relations={
        "any-steps": Relation((n, _OMEGA), ("<=",), under=("any-steps",)),
        "any-blocks": Relation((n, omega), ("<=",), under=("any-blocks",)),
        "omega": Relation((omega_max, _MIXED), ("<=",)),
        "noise": Relation((Lcal_max / _NOISE, _MIXED), ("<=",)),
        "std": Relation((K_std, _STD), ("=",)),
        "plus": Relation((K_plus, _PLUS), ("<=",)),
        "lower": Relation((_LOWER, _GAIN), ("<=",)),
        "order": Relation((_ORDER, _GAIN), ("<=",), under=("ill",)),
        "plus-least": Relation((_SHIFTS, K_plus), ("<=",)),
        "upper": Relation((K_std / K_any, _UPPER), ("<=",), under=("least",)),
        "V-ill": Relation((3 * n / 7, _GAIN, 7 * n), ("<=", "<="), under=("V", "V-ill")),
        "V-well": Relation((_GAIN, Integer(3)), ("<=",), under=("V", "V-well")),
    },
    formulas={
        "mixed": _MIXED,
        "std": _STD,
        "plus": _PLUS,
        "lower": _LOWER,
        "order": _ORDER,
        "least": _SHIFTS,
        "upper": _UPPER,
        "V_lower": 3 * n / 7,
        "V_bounded": Integer(3),
    },
)

# Two nodes with five coordinates, in blocks of one and four.
_EXAMPLE = {
    **{n: 2, d: 5, B: 2, L: 100, mu: Rational(9, 2), chi: Rational(200, 9), L_max: 160, rho: Rational(4, 5)},
    **{beta: Rational(5, 2), nu: Rational(427, 400), c: 427, K_std: Rational(2120, 9), K_any: 7},
    **{h: tuple(Rational(8, a) for a in (5, 6, 7, 11, 13)), m: (1, 4)},
    **{g: (Rational(236, 45), Rational(472, 545)), Lcal_max: Rational(18880, 109)},
    **{omega: Rational(236, 45), omega_max: Rational(236, 45), K_plus: Rational(135080, 981)},
}
# Two nodes of family V with four coordinates in a block, badly and well conditioned.
_V = {
    **{n: 2, d: 8, B: 2, L: Rational(3, 4), L_max: 1, rho: Rational(2, 3), nu: Rational(3, 2), beta: 4, c: 6},
    **{omega_max: 3, Lcal_max: 1, K_any: 9},
}
_ILL = {**_V, mu: Rational(1, 8), chi: 6, K_std: 54, K_plus: 30}
_WELL = {**_V, mu: Rational(1, 2), chi: Rational(3, 2), K_std: Rational(27, 2), K_plus: 8}


def derive(K: Any) -> None:
    """Prove the relations."""
    K.index(COORDINATES, BLOCKS)
    for values in (_EXAMPLE, _ILL, _WELL):
        K.example(values)
    _any_steps(K)
    std = K.show("std", "std", using=_lengths(K))
    _from_above(K, std, _from_below(K, std))


def _lengths(K: Any) -> list[Any]:
    """Return the constants by the condition number and the ratio."""
    return [K.cert(eq(L_max, rho * n * L), "rho"), K.cert(eq(L, chi * mu), "condition")]


def _any_steps(K: Any) -> None:
    # Cauchy-Schwarz for h and 1/h; a block counts as sqrt(d_l) coordinates of each.
    squares, budget = Sum(h[j] ** 2, COORDINATES), K.given("budget")
    pairs = cauchy_schwarz(K, h[j], 1 / h[j], COORDINATES)
    square = K.cert(le(n**2, squares), pairs, "any-steps", using=[budget])
    K.show("any-steps", K.power(square, Rational(1, 2)), K.axiom("abs-of-nonnegative", n))
    each = K.cert(le(m[l], omega * sqrt(m[l]) / g[l]), K.given("any-blocks", 1))
    total = K.cert(le(d, omega * beta), (1, K.sum_over(each, BLOCKS)), "lengths", "any-blocks")
    K.show("any-blocks", total, using=[budget])


def _from_below(K: Any, std: Any) -> Any:
    """K of DIANA+ from above; return what its gain is at least."""
    names = [K.given("budget"), *_lengths(K)]
    share = (1 / (_NOISE * beta), K.given("mixed", 2))
    omegas = K.show("omega", (1, K.given("mixed")), share, using=names)
    noise = K.show("noise", (1, K.given("mixed", 1)), share, using=names)
    gradient, shifts = chi + 6 * _MIXED, 2 * (1 + _MIXED)
    first = K.cert(le(_PARTS[0], gradient), noise, using=names[2:])
    second = K.cert(le(_PARTS[1], shifts), omegas)

    def at_most(bound: Any, left: Any, right: Any) -> Any:
        """Return K of DIANA+ at most a bound, from what fills up both parts."""
        one = K.cert(le(_PARTS[0], bound), (1, first), left)
        two = K.cert(le(_PARTS[1], bound), (1, second), right)
        return K.cert(le(K_plus, bound), "plus", K.discharge(K.axiom("max-least", *_PARTS, bound), one, two))

    above = [(1, K.axiom(f"max-above-{side}", gradient, shifts)) for side in ("left", "right")]
    K.conclude("plus", at_most(_PLUS, *above))
    sides = chi * (1 + 6 * nu * rho) + 6 * n + 2
    plus = at_most(sides, (2, 1), (1, chi + 4 * _MIXED))
    lower = K.show("lower", K.cert(le(_TOP, K_std), K.axiom("max-above-left", _TOP, _SHIFTS), std), plus)
    bottom = sides * (9 + 6 * nu * rho)
    rest = (1 / bottom, chi * (9 + 6 * nu * rho)), (48 * n * rho / bottom, K.given("ill"))
    K.show("order", lower, *rest, K.given("sizes", 1))
    return lower


def _from_above(K: Any, std: Any, lower: Any) -> None:
    """The gain of any method from above, and that of DIANA+ in family V."""

    def at_most(bound: Any, *parts: Any) -> Any:
        """Return K of DIANA at most a bound, from its parts; what follows by sign may be left out."""
        return K.cert(le(K_std, bound), std, K.discharge(K.axiom("max-least", _TOP, _SHIFTS, bound), *parts))

    bound = _SHIFTS * _UPPER
    three, one = (K.axiom(f"max-above-{side}", 3 * chi, 1) for side in ("left", "right"))
    large = K.cert(le(_TOP, bound), three, "dominance")
    most = at_most(bound, large, K.cert(le(_SHIFTS, bound), one))
    K.know(one)
    K.show("upper", most, "least")
    left, right = (K.axiom(f"max-above-{side}", *_PARTS) for side in ("left", "right"))
    gradient = K.cert(le(L / mu, K_plus), left, "plus")
    shifts = K.show("plus-least", right, "plus", "coarse")
    ratio = K.given("condition")
    family = [ratio, K.given("rho"), *(K.given("V", place) for place in range(3))]
    using, bound = [*family, K.given("V-ill")], 7 * n * chi
    share = n / (7 * (chi * (1 + 6 * nu * rho) + 6 * n + 2))
    least = K.cert(le(3 * n / 7, _GAIN), (1, lower), (17 * share, n - 1), (4 * share, 1), using=using)
    large = K.cert(le(_TOP, bound), (7 * n**2, n - 1), (n, (n - 1) ** 2), using=using)
    small = K.cert(le(_SHIFTS, bound), (14 * n**2 + 7 * n + 5, n - 1), using=using)
    terms = (1 / K_plus, at_most(bound, large, small)), (7 * n / K_plus, gradient)
    K.conclude("V-ill", least, K.cert(le(_GAIN, 7 * n), *terms, using=[ratio]))
    large = K.cert(le(_TOP, 3 * _SHIFTS), (1, 4 + 1 / n), using=[*family, "V-well"])
    terms = (1 / K_plus, at_most(3 * _SHIFTS, large)), (3 / K_plus, shifts)
    K.show("V-well", *terms)
