r"""`cat/finding-distance-grows`: the distance may grow, and its rate fail (arXiv 2003.06377)."""

from typing import Any

from sympy import IndexedBase, Integer, Rational, Sum, Symbol, oo, sqrt, symbols

from theory.cat.paper import PAPER
from theory.claim import Claim, Relation, Variable
from theory.formula import eq, le, lt
from theory.hypotheses import definition, domain, model, parameter
from theory.statement import statement
from theory.worst_cases import cases

L, R_0, u, tau, f, N, eta, alpha, Sigma = symbols("L R_0 u tau f N eta alpha Sigma", real=True)
i, j, k, rho, after, gap, start, square = symbols("i j k rho delta_1 delta delta_0 norm_sq", real=True)
product = Symbol("inner", real=True)
x, y, z, v = symbols("x y z v", cls=IndexedBase, real=True)

_BOUND, _RATE = L * R_0**2 / (2 * (1 + alpha)), 2 * L * R_0**2 / (Sigma + 4)
_TOP, _GROWN = 3 + sqrt(5), (9 - 3 * sqrt(5)) / 2
_LIMIT, _NEXT = 1 + 1 / (1 + eta) ** 2, Sum(z[i], (i, 0, j)) / (1 + eta)
_GAP, _HALF, _RATIO = f * (u - tau / 2 - N * f / L), u * L / (2 * f), u * (u - tau) / (8 * R_0**2)
_LEFT, _WIDTH = rho**k, 1 + (1 + eta) ** 2

_MEASURED = {
    "square_short": Rational(9986, 1000),
    "times_short": Rational(124, 100),
    "square_long": Rational(1229, 100),
    "times_long": Rational(153, 100),
}

CLAIM = Claim(
    id="cat/finding-distance-grows",
    kind="finding",
    provenance="derived",
    title="Top-T steps can move away; in float64 the rate from the initial distance fails",
    position=6,
    paper=PAPER,
    **statement(
        r"""
        One may read the convex rate of `cat/s-rates` with the initial distance $R_0=\|x_0-x^\star\|$ for
        the radius $R$ of the level set, as for gradient descent. $F$ is convex and $L$-smooth, and step
        sizes are the reciprocal of $L$.
        (a: eigenvalue, grown) The proof breaks, since the distance may grow: for the Hessian <<with rows
          $(4,2)$ and $(2,2)$ -> exact/squared distance>>, whose largest eigenvalue <<is $3+\sqrt5$ ->
          exact/squared distance>>, $(4-(3+\sqrt5))(2-(3+\sqrt5))=4$, and <<$x_0=(0,1)$, $T=1$, the first of
          two equal entries sent, takes its square from 1 to -> exact/squared distance>>
          $$1+\Big(\frac2{3+\sqrt5}\Big)^2=\frac{9-3\sqrt5}2>1.$$ [proof; exact/squared distance;
          exact/grows]
        (b: plane) It may all but double: <<for $F=\frac12(r^\top x)^2$, $r=(-1,1+\eta)$, $x_0=(1,0)$ and
          $T=1$ -> exact/near its limit>>, with $\rho=\frac1{1+(1+\eta)^2}$,
          $$\|x_k\|^2=1+\frac{(1-\rho^k)^2}{(1+\eta)^2}\le1+\frac1{(1+\eta)^2}.$$ [proof; exact/below its
          limit; exact/near its limit]
        (c: kernel) In more dimensions, let <<$M=\sum_{j<d-1}q^jr_jr_j^\top$, where $r_j$ has $j+1$ entries
          $-1$ and then $1+\eta$ -> exact/M v = 0>>. It vanishes <<along $v=z/\|z\|$, $z_0=1$ -> exact/M v =
          0>>, $z_{j+1}=\frac{\sum_{i=0}^jz_i}{1+\eta}$: $$(1+\eta)z_{j+1}-\sum_{i=0}^jz_i=0.$$ [proof;
          exact/M v = 0; run/M v = 0]
        (d: exceeded) To <<$\frac12x^\top Mx$ add a Huber function of $v^\top x$ -> exact/stated ratio>> of
          width $\tau$ and slope $f$, and let <<$u=v^\top x$ at some point. With $T=d$ -> exact/stated
          ratio>> and $\tau\le u$, after $N=\frac{uL}{2f}$ steps
          $$\delta_K\frac{\Sigma_K+4}{2LR_0^2}\ge\frac{u(u-\tau)}{8R_0^2}.$$ So the rate fails where <<$u^2$
          has grown to more than $8R_0^2$ -> exact/rate from the initial distance>> and $\tau$ is small.
          [proof; exact/rate from the initial distance; exact/stated ratio; run/rate from the initial
          distance; run/stated ratio]
        (e) It has in <<float64 with $T=1$ from $x_0=e_1$: $u^2$ to -> exact/square of u>>
          {value:square_short,3} <<for $d=4$, $q=0.001$, $\eta=0.2$, $f=10^{-12}$ after $1.5\cdot10^7$ steps,
          those on one entry taken together -> exact/square of u>>, at least {value:times_short,2} times the
          rate, and to {value:square_long,2} <<for $d=5$, $q=0.01$, $\eta=0.4$, $f=10^{-9}$ after $3\cdot10^7$
          steps (full profile) -> run/square of u>>, at least {value:times_long,2} times the rate: the second
          phase by the formula of (d). [exact/growth above eight;
          exact/square of u; exact/times the rate; run/times the rate; run/growth above eight; run/square of
          u; run/twice the squared distance; run/leaps]
        (f: once) What holds instead is the rate with $R$, and for one iteration, where $\Sigma_K=\alpha_0$,
          $$\delta_1\le\frac{LR_0^2}{2(1+\alpha_0)}\le\frac{2LR_0^2}{\Sigma_K+4}.$$ [proof; exact/gap;
          exact/bound below the rate]
        """
    ),
    variables=(
        Variable(L, "L", r"\mathbb R_{>0}", "smoothness constant of $F$"),
        Variable(alpha, r"\alpha_0", "[0,1]", "share of the squared norm in the first message"),
        Variable(Sigma, r"\Sigma_K", r"\mathbb R_{>0}", "sum of the shares of the run itself"),
        Variable(R_0, "R_0", r"\mathbb R_{>0}", r"$\|x_0-x^\star\|$"),
        Variable(u, "u", r"\mathbb R_{>0}", r"$v^\top x$ at the end of the first phase"),
        Variable(tau, r"\tau", r"\mathbb R_{>0}", "width of the Huber function"),
        Variable(f, "f", r"\mathbb R_{>0}", "slope of the Huber function far from 0"),
        Variable(N, "N", r"\mathbb N_0", "iterations of the second phase"),
        Variable(eta, r"\eta", r"\mathbb R_{>0}", r"excess of the last entry of $r_j$"),
        Variable(k, "k", r"\mathbb N_0", "number of iterations"),
        Variable(rho, r"\rho", "(0,1)", "contraction factor of a step"),
        Variable(j, "j", r"\mathbb N_0", "place of an entry"),
        Variable(z, "z", r"\mathbb R_{>0}^d", r"entries of the kernel of $M$", "(d,)", first=0),
        Variable(
            x, r"\|x_{#1}\|^2", r"\mathbb R_{\ge0}^\infty", "squared distances in the plane", "(oo,)", first=0
        ),
        Variable(
            y, "y", r"\mathbb R^\infty", "second entries of the iterates in the plane", "(oo,)", first=0
        ),
        Variable(v, "u_{#1}", r"\mathbb R^\infty", "$u$ along the second phase", "(oo,)", first=0),
        Variable(start, r"\delta_0", r"\mathbb R_{\ge0}", "gap at the start"),
        Variable(square, r"\|g\|^2", r"\mathbb R_{\ge0}", "squared gradient there"),
        Variable(product, r"\langle g,x_0-x^\star\rangle", r"\mathbb R", "slope towards the solution"),
        Variable(gap, r"\delta_K", r"\mathbb R_{\ge0}", "gap at the end of the second phase"),
        Variable(after, r"\delta_1", r"\mathbb R_{\ge0}", "gap after one iteration"),
    ),
    notation={"F": "the objective", r"x^\star": "a solution", "R": "radius of the level set"},
    ranges={"t": (0, oo)},
    hypotheses={
        "signs": domain(r"$L,R_0,u,\tau,f,\eta>0$, $\alpha_0\ge0$"),
        "counts": domain(r"$k,j,N\ge0$ are integers"),
        "second-entry": model(
            r"$y_0=0$, $y_{t+1}=y_t-\rho(1+\eta)((1+\eta)y_t-1)$, $\|x_t\|^2=1+y_t^2$, "
            "since the second entry of the gradient is sent"
        ),
        "factor": definition(r"$\rho=\frac1{1+(1+\eta)^2}$"),
        "next-entry": definition(r"$z_{j+1}=\frac{\sum_{i=0}^jz_i}{1+\eta}$"),
        "slow": model(
            r"$u_0=u$, $u_{t+1}\ge u_t-\frac fL$, $\delta_K\ge f(u_N-\frac\tau2)$, $N\le\Sigma_K$, "
            "since $f$ bounds the slope of the convex Huber function"
        ),
        "half-way": parameter(r"$N=\frac{uL}{2f}$, $\tau\le u$"),
        "first": model(
            r"$\delta_1\le\delta_0-\frac{\alpha_0}{2L}\|g\|^2$, "
            r"$\delta_0\le\langle g,x_0-x^\star\rangle-\frac1{2L}\|g\|^2$, "
            r"$\langle g,x_0-x^\star\rangle^2\le R_0^2\|g\|^2$, $\Sigma_K=\alpha_0$, since $F$ is convex",
            reference="Y. Nesterov, Lectures on Convex Optimization, 2nd ed., theorem 2.1.5",
        ),
    },
    relations={
        "eigenvalue": Relation(((4 - _TOP) * (2 - _TOP), 4), ("=",)),
        "grown": Relation((1 + (2 / _TOP) ** 2, _GROWN, 1), ("=", ">")),
        "plane": Relation(
            (x[k], 1 + (1 - _LEFT) ** 2 / (1 + eta) ** 2, _LIMIT), ("=", "<="), under=("second-entry",)
        ),
        "kernel": Relation(((1 + eta) * z[j + 1] - Sum(z[i], (i, 0, j)), 0), ("=",), under=("next-entry",)),
        "exceeded": Relation(
            (gap * (Sigma + 4) / (2 * L * R_0**2), _RATIO), (">=",), under=("slow", "half-way")
        ),
        "once": Relation((after, _BOUND, _RATE), ("<=", "<="), under=("first",)),
    },
    formulas={
        "bound": _BOUND,
        "rate": _RATE,
        "top": _TOP,
        "grown": _GROWN,
        "plane_limit": _LIMIT,
        "next_entry": _NEXT,
        "gap": _GAP,
        "half_way": _HALF,
        "ratio": _RATIO,
        **_MEASURED,
    },
    internal={
        "top": "the eigenvalue of (a)",
        "next_entry": "the definition of $z$ in (c)",
        "gap": "a lower bound of the gap after N steps, from which (d) follows",
        "half_way": "the hypothesis of (d)",
        **dict.fromkeys(("square_short", "times_short", "square_long", "times_long"), "measured, in (e)"),
    },
    values=_MEASURED,
    worst_cases=cases(r"""
        $u^2=10$, half of the way, a narrow Huber function: $\frac54$ of the rate and a little less
          | u = sqrt(10), tau = sqrt(10)/1000, R_0 = 1 | 999/800
        $\frac12\|x\|^2$ with one of 64 equal entries sent | L = 1, R_0 = 8, alpha = 1/64 | 2048/65
    """),
)


def derive(K: Any) -> None:
    """Prove the relations: closed forms of a step, of a slow phase and of one iteration."""
    K.conclude(
        "kernel",
        K.cert(eq((1 + eta) * z[j + 1] - Sum(z[i], (i, 0, j)), 0), ((1 + eta), K.given("next-entry"))),
    )
    _plane(K)
    _slow(K)
    _once(K)


def _plane(K: Any) -> None:
    """One step with tied entries, and steps on the second entry."""
    third = K.power(K.sign(lt(5, Rational(49, 9))), Rational(1, 2))
    K.conclude("eigenvalue", K.identity((4 - _TOP) * (2 - _TOP), Integer(4)))
    K.conclude(
        "grown", K.identity(1 + (2 / _TOP) ** 2, _GROWN), K.cert(lt(1, _GROWN), (Rational(3, 2), third))
    )

    def moved(at: Any) -> Any:
        return eq(y[at], (1 - _LEFT.subs(k, at)) / (1 + eta))

    factor = K.given("factor")
    K.know(K.cert(lt(0, rho), (-1, factor), (1, K.sign(lt(0, 1 / _WIDTH)))))
    unit = K.cert(eq(rho * _WIDTH, 1), (_WIDTH, factor))
    after = K.cert(
        moved(k + 1),
        (1, K.at(K.given("second-entry", 1), k)),
        (1 - rho * (1 + eta) ** 2, K.assume(moved(k))),
        (_LEFT / (1 + eta), unit),
    )
    entry = K.at(K.induction(k, K.cert(moved(0), (1, K.given("second-entry"))), after), k)
    left = _LEFT
    below = K.cert(le(rho, 1), (1, unit), (1, rho * (1 + eta) ** 2))
    small = K.cert(le(rho ** (k + 1), 1), (rho, K.assume(le(left, 1))), (1, below))
    small = K.at(K.induction(k, K.cert(le(left.subs(k, 0), 1)), small), k)
    exact = 1 + (1 - left) ** 2 / (1 + eta) ** 2
    K.conclude(
        "plane",
        K.cert(
            eq(x[k], exact),
            (1, K.at(K.given("second-entry", 2), k)),
            (y[k] + (1 - left) / (1 + eta), entry),
        ),
        K.cert(le(exact, _LIMIT), (left / (1 + eta) ** 2, small), (1 / (1 + eta) ** 2, left)),
    )


def _slow(K: Any) -> None:
    """The gap after half of the way, times the steps that it takes."""
    line = K.assume(le(u - k * f / L, v[k]))
    step = K.cert(le(u - (k + 1) * f / L, v[k + 1]), (1, K.at(K.given("slow", 1), k)), (1, line))
    end = K.at(K.induction(k, K.cert(le(u, v[0]), (-1, K.given("slow"))), step), N)
    below = K.cert(le(_GAP, gap), (1, K.given("slow", 2)), (f, end))
    half, wide = K.given("half-way"), K.given("half-way", 1)
    there = K.cert(le(f * (u - tau) / 2, gap), (1, below), (f**2 / L, half))
    nonnegative = K.cert(le(0, gap), (1, there), (f / 2, wide))
    K.know(nonnegative)
    scale = 1 / (2 * L * R_0**2)
    exceeded = K.cert(
        le(_RATIO, gap * (Sigma + 4) * scale),
        (gap * scale, K.given("slow", 3)),
        (4 * scale, nonnegative),
        (-gap * scale, half),
        (_HALF * scale, there),
    )
    K.conclude("exceeded", exceeded)


def _once(K: Any) -> None:
    """The decrease of one step against convexity, by Cauchy-Schwarz and a square."""
    c = (1 + alpha) / (2 * L * R_0**2)
    below = K.cert(
        le(after, _BOUND),
        (1, K.given("first")),
        (1, K.given("first", 1)),
        (c, K.given("first", 2)),
        (c, (product - 1 / (2 * c)) ** 2),
    )
    slower = 3 * alpha * L * R_0**2 / (2 * (1 + alpha) * (alpha + 4))
    K.conclude("once", below, K.cert(le(_BOUND, _RATE), (1, slower), using=[K.given("first", 3)]))
