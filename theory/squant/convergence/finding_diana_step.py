r"""`squant/finding-diana-step`: how much larger the step of DIANA can be (arXiv 2106.03524; derived here)."""

from typing import Any

from sympy import IndexedBase, Max, Rational, oo, sqrt, symbols

from theory.claim import Claim, Relation, Variable
from theory.expectation import E
from theory.formula import le, lt
from theory.hypotheses import definition, domain, model, parameter
from theory.public_constant import PublicConstant
from theory.squant.paper import PAPER
from theory.statement import statement
from theory.worst_cases import cases

x, h, L, gamma, alpha, omega, j, k = symbols("x h L gamma alpha omega j k", real=True)
x_next, h_next, cross = symbols("x_next h_next cross", real=True)
u, form, sizes = symbols("u Q S", cls=IndexedBase, real=True)

# The message is y + u with y = Lx - h; its error u has mean 0 and variance omega y^2.
_MESSAGE = L * x - h + u[0]
_X, _H = x - gamma * (h + _MESSAGE), h + alpha * _MESSAGE


def _mean(body: Any) -> Any:
    return E(body, u, (j, 0, 0), mean=0, variance=omega * (L * x - h) ** 2)


_NOISE = omega * (L * x - h) ** 2
X_NEXT = (1 - gamma * L) ** 2 * x**2 + gamma**2 * _NOISE
H_NEXT = ((1 - alpha) * h + alpha * L * x) ** 2 + alpha**2 * _NOISE
CROSS = (1 - gamma * L) * x * ((1 - alpha) * h + alpha * L * x) - gamma * alpha * _NOISE
WEIGHT = 2 * gamma**2 * omega / alpha
LYAPUNOV, NEXT = x**2 + WEIGHT * h**2, x_next + WEIGHT * h_next
EXCESS = ((gamma * L - alpha) ** 2 - alpha * gamma**2 * L**2) / alpha * x**2
EDGE = alpha / (L * (1 - sqrt(alpha)))
PROVED = (1 + sqrt(alpha)) / (L * (1 + 2 * omega))
_THIRD, _FIVE_SIXTHS = Rational(1, 3), Rational(5, 6)
FORM = x**2 - Rational(4, 3) * x * h + h**2
NEXT_FORM = x_next - Rational(4, 3) * cross + h_next
FLOOR = _FIVE_SIXTHS**k * (x**2 + h**2) / 5
RATE = Max(1 - gamma * L, 1 - alpha / 2)
_ROUNDS = (k, 0, oo)

_HYPOTHESES = {
    "signs": domain(r"$L,\gamma,\alpha>0$, $\omega\ge0$"),
    "next": definition(
        r"$\mathbb E(x^+)^2=\mathbb E\bigl((x-\gamma(Lx+u))^2\bigr)$, "
        r"$\mathbb E(h^+)^2=\mathbb E\bigl((\alpha(Lx+u-h)+h)^2\bigr)$, "
        r"$\mathbb Ex^+h^+=\mathbb E\bigl((\alpha(Lx+u-h)+h)(x-\gamma(Lx+u))\bigr)$, over $u$ "
        r"with mean $0$ and variance $\omega(Lx-h)^2$"
    ),
    "rate": parameter(r"$\alpha=\frac1{2(1+\omega)}$"),
    "edge": parameter(r"$\gamma=\frac\alpha{L(1-\sqrt\alpha)}$"),
    "beyond": parameter(r"$\gamma>\frac\alpha{L(1-\sqrt\alpha)}$"),
    "away": parameter(r"$x^2>0$"),
    "public": parameter(
        r"$L=1$, $\omega=1$, $\gamma=\frac13$, $\alpha=\frac12$",
        reference="the experiments of the paper, bokun-wang/Paper_9107_code at 144c6f3: DIANA with the step "
        "1/(L_max (1 + 2 omega/n)) and the learning rate 1/(1 + omega)",
    ),
    "form": definition(r"$Q_0=x^2-\frac43xh+h^2$"),
    "squares": model(
        r"$\frac35Q_l\le\mathbb E x_l^2+\mathbb E h_l^2$, since the difference is $\frac25\mathbb "
        "E(x_l+h_l)^2$"
    ),
    "tower": model(
        r"$\frac56Q_l\le Q_{l+1}$, since the tower property takes the equation of part f from round "
        "to round"
    ),
}

CLAIM = Claim(
    id="squant/finding-diana-step",
    kind="finding",
    provenance="derived",
    title="DIANA's analysis leaves steps little room at large omega; at omega=1 public code misses its rate",
    position=28,
    paper=PAPER,
    **statement(
        r"""
        DIANA on one node with $f=\frac L2x^2$ in one dimension: the message is $y=Lx-h$ plus an error of
        mean 0 and variance $\omega y^2$, as sparsification has it at every input; $x^+$ is $x$ less
        $\gamma$ times shift plus message, $h^+$ is $h$ plus $\alpha$ times the message.
        (a: next-x, next-h, next-cross) Exactly, $\mathbb E(x^+)^2=(1-\gamma
          L)^2x^2+\gamma^2\omega(Lx-h)^2$, $\mathbb E(h^+)^2=((1-\alpha)h+\alpha
          Lx)^2+\alpha^2\omega(Lx-h)^2$, $\mathbb E x^+h^+=(1-\gamma L)x((1-\alpha)h+\alpha
          Lx)-\gamma\alpha\omega(Lx-h)^2$. [proof; exact/squared point; exact/squared shift; exact/product]
        (b: exact) At $\alpha=\frac1{2(1+\omega)}$ the Lyapunov function of `squant/diana-constant`, half of
          the noise for the shifts, has $$\mathbb E(x^+)^2+\frac{2\gamma^2\omega}\alpha\mathbb
          E(h^+)^2=(1-\alpha)\Big(x^2+\frac{2\gamma^2\omega}\alpha h^2\Big)+\frac{(\gamma
          L-\alpha)^2-\alpha\gamma^2L^2}\alpha x^2.$$ [proof; exact/Lyapunov function]
        (c: edge) So at $\gamma=\frac\alpha{L(1-\sqrt\alpha)}$ and $\alpha=\frac1{2(1+\omega)}$ the bound of
          one round is attained by every $x$ and $h$: $$\mathbb E(x^+)^2+\frac{2\gamma^2\omega}\alpha\mathbb
          E(h^+)^2=(1-\alpha)\Big(x^2+\frac{2\gamma^2\omega}\alpha h^2\Big).$$ [proof; exact/at the largest
          step]
        (d: beyond) With a larger step, $\gamma>\frac\alpha{L(1-\sqrt\alpha)}$, and this $\alpha$ it is
          false wherever $x^2>0$: $$(1-\alpha)\Big(x^2+\frac{2\gamma^2\omega}\alpha h^2\Big)<\mathbb
          E(x^+)^2+\frac{2\gamma^2\omega}\alpha\mathbb E(h^+)^2.$$ [proof; exact/beyond the largest step]
        (e: left) The step of (c) is $$\gamma=\frac{1+\sqrt\alpha}{L(1+2\omega)},$$ and
          `squant/diana-constant` proves the rate for the step with one in place of the numerator, so that
          for this $\alpha$ and this Lyapunov function little is left at large $\omega$. [proof;
          exact/ratio of steps]
        (f: public) <<Public code runs DIANA with $\gamma=\frac1{L(1+2\omega)}$ and
          $\alpha=\frac1{1+\omega}$ -> exact/public step>>. At $L=1$, $\omega=1$, that is $\gamma=\frac13$,
          $\alpha=\frac12$, a positive form shrinks by five sixths exactly: $$\mathbb
          E(x^+)^2-\frac43\mathbb E x^+h^++\mathbb E(h^+)^2=\frac56\Big(x^2-\frac43xh+h^2\Big).$$ [proof;
          exact/public step]
        (g: floor) Hence, with (f) in each round, for every $k$ the expected squares satisfy
          $$\frac15\Big(\frac56\Big)^k(x^2+h^2)\le\mathbb E x_k^2+\mathbb E h_k^2.$$ [proof;
          exact/public rounds; exact/floor at the start; montecarlo/sampled rounds]
        (h: rate) At the values of (f) that is slower than the rate of `squant/diana`, whose strong convexity
          is $L$ here: $$\max\Big\{1-\gamma L,1-\frac\alpha2\Big\}<\frac56.$$ [proof]
        """
    ),
    variables=(
        Variable(x, "x", r"\mathbb R", "point; the solution is 0"),
        Variable(h, "h", r"\mathbb R", "shift"),
        Variable(L, "L", r"\mathbb R_{>0}", "curvature"),
        Variable(gamma, r"\gamma", r"\mathbb R_{>0}", "step size"),
        Variable(alpha, r"\alpha", "(0,1)", "learning rate of the shifts"),
        Variable(omega, r"\omega", r"\mathbb R_{\ge0}", "variance of the compressor over the squared input"),
        Variable(x_next, r"\mathbb E(x^+)^2", r"\mathbb R_{\ge0}", "after one round"),
        Variable(h_next, r"\mathbb E(h^+)^2", r"\mathbb R_{\ge0}", "after one round"),
        Variable(cross, r"\mathbb E x^+h^+", r"\mathbb R", "after one round"),
        Variable(form, "Q", r"\mathbb R_{\ge0}", "the form of part (f) after $k$ rounds", "(oo,)", first=0),
        Variable(
            sizes,
            r"(\mathbb E x_{#1}^2+\mathbb E h_{#1}^2)",
            r"\mathbb R_{\ge0}",
            "after $k$ rounds",
            "(oo,)",
            first=0,
            aliases=(r"\mathbb E x_{#1}^2+\mathbb E h_{#1}^2",),
        ),
        Variable(k, "k", r"\mathbb N_0", "number of rounds"),
        Variable(u, "u", r"\mathbb R", "error of the message", "(1,)"),
    ),
    notation={"y": "what is compressed", "f": "the function", "x^+": "next point", "h^+": "next shift"},
    hypotheses=_HYPOTHESES,
    ranges={"l": (0, oo)},
    relations={
        "next-x": Relation((x_next, X_NEXT), ("=",)),
        "next-h": Relation((h_next, H_NEXT), ("=",)),
        "next-cross": Relation((cross, CROSS), ("=",)),
        "exact": Relation((NEXT, (1 - alpha) * LYAPUNOV + EXCESS), ("=",), under=("rate",)),
        "edge": Relation((NEXT, (1 - alpha) * LYAPUNOV), ("=",), under=("rate", "edge")),
        "beyond": Relation(((1 - alpha) * LYAPUNOV, NEXT), ("<",), under=("rate", "beyond", "away")),
        "left": Relation((gamma, PROVED), ("=",), under=("rate", "edge")),
        "public": Relation((NEXT_FORM, _FIVE_SIXTHS * FORM), ("=",), under=("public",)),
        "floor": Relation((FLOOR, sizes[k]), ("<=",), every=(_ROUNDS,), under=("tower", "form", "squares")),
        "rate": Relation((RATE, _FIVE_SIXTHS), ("<",), under=("public",)),
    },
    formulas={
        "bound": (1 - alpha) * LYAPUNOV,
        "exact": (1 - alpha) * LYAPUNOV + EXCESS,
        "next_x": X_NEXT,
        "next_h": H_NEXT,
        "next_cross": CROSS,
        "potential": NEXT,
        "learning_rate": 1 / (2 * (1 + omega)),
        "largest_step": EDGE,
        "ratio_step": PROVED,
        "form": FORM,
        "next_form": NEXT_FORM,
        "floor": FLOOR,
        "public_rate": 1 / (1 + omega),
    },
    internal={
        "public_rate": "the learning rate of part (f)",
        "learning_rate": "the hypothesis of part (b)",
        "largest_step": "the hypothesis of part (c)",
        "form": "the right side of part (f) without its factor",
    },
    worst_cases=cases(r"""
        at the largest step, $\omega=1$ | L = 1, omega = 1, alpha = 1/4, gamma = 1/2, x = 1, h = 2
          | 3/4 * (1 + 2 * 4)
    """),
    public=(
        PublicConstant(
            code="bokun-wang/Paper_9107_code at 144c6f3",
            of="learning rate of DIANA at a step with 2 in the place of 6",
            theirs="public_rate",
            ours="learning_rate",
            right="ours",
            part="h",
            bolder="larger",
            at="omega = 1",
        ),
    ),
)


# alpha = 1/4 needs omega = 1, and the largest step is 1/(2L).
EXAMPLE: dict[Any, Any] = {L: 1, omega: 1, alpha: Rational(1, 4), x: 1, h: 2}
AT_EDGE = EXAMPLE | {gamma: Rational(1, 2)}
BEYOND = EXAMPLE | {gamma: 1}
PUBLIC: dict[Any, Any] = {L: 1, omega: 1, gamma: _THIRD, alpha: Rational(1, 2), x: 1, h: 2}


def derive(K: Any) -> None:
    """Prove the relations."""
    for example in (AT_EDGE, BEYOND, PUBLIC):
        values = [value.subs(example) for value in (X_NEXT, H_NEXT, CROSS)]
        K.example(example | dict(zip((x_next, h_next, cross), values, strict=True)))
    one, two, three = (
        K.show(name, (1, K.given("next", place)), (1, K.identity(_mean(body), value)))
        for place, (name, body, value) in enumerate(
            (("next-x", _X**2, X_NEXT), ("next-h", _H**2, H_NEXT), ("next-cross", _X * _H, CROSS))
        )
    )
    exact = K.show("exact", (1, one), (WEIGHT, two), using=["rate"])
    half = K.cert(lt(alpha, 1), (1 / (2 * (1 + omega)), K.sign(lt(0, 1 + 2 * omega))), using=["rate"])
    root = K.power(half, Rational(1, 2))
    K.know(K.cert(lt(0, 1 - sqrt(alpha)), root))
    K.show("edge", exact, using=["edge"])
    wider = K.cert(lt(alpha, gamma * L * (1 - sqrt(alpha))), (L * (1 - sqrt(alpha)), K.given("beyond")))
    below = K.cert(lt(sqrt(alpha) * gamma * L, gamma * L - alpha), wider)
    square = K.power(below, 2)
    K.know(K.given("away"))
    K.show("beyond", exact, (x**2 / alpha, square))
    share = 2 * (1 + omega) / (L * (1 - sqrt(alpha)) * (1 + 2 * omega))
    K.show("left", (1, K.given("edge")), (share, K.given("rate")))
    public = [K.given("public", place) for place in range(4)]
    K.show("public", (1, one), (1, two), (Rational(-4, 3), three), using=public)
    _rounds(K)
    slower = K.cert(le(1 - gamma * L, 1 - alpha / 2), using=public)
    larger = K.discharge(K.axiom("max-is-right", 1 - gamma * L, 1 - alpha / 2), slower)
    K.show("rate", (1, larger), using=[public[3]])


def _rounds(K: Any) -> None:
    """The form is at least a third of the squares at the start and at most five thirds of them later."""
    start = _FIVE_SIXTHS**k * FORM
    base = K.cert(le(start.subs(k, 0), form[0]), (-1, K.given("form")))
    step = K.cert(le(start.subs(k, k + 1), form[k + 1]), K.at("tower", k), K.assume(le(start, form[k])))
    K.show(
        "floor",
        (Rational(3, 5), K.at(K.induction(k, base, step), k)),
        (1, K.at("squares", k)),
        (_FIVE_SIXTHS**k * 2 / 5, (x - h) ** 2),
    )
