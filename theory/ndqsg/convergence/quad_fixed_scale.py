r"""`ndqsg/quad-fixed-scale`: exact second moment of whole runs at a fixed scale (arXiv 1904.01197)."""

from typing import Any

from sympy import IndexedBase, Integer, Rational, Sum, oo, symbols

from theory.claim import Claim, Relation, Variable
from theory.formula import eq
from theory.hypotheses import domain, model, parameter
from theory.ndqsg.paper import PAPER
from theory.statement import statement
from theory.worst_cases import cases

d, M, P, T, eta, kappa, s_sq, v, C = symbols("d M P T eta kappa s_sq v C", real=True)
j, l, p, t = symbols("j l p t", real=True)
lam, x0, x, after, square, moment = symbols("lambda_ x0 x after square moment", cls=IndexedBase, real=True)
distance, xi, e, zeta = symbols("distance xi e zeta", cls=IndexedBase, real=True)
COORDINATES, BEFORE = (j, 0, d - 1), (l, 0, j - 1)

_FACTOR = 1 - eta * lam[j]
_FLOOR = eta * v / (lam[j] * (2 - eta * lam[j]))
_COORDINATE = _FACTOR ** (2 * T) * x0[j] ** 2 + (1 - _FACTOR ** (2 * T)) * _FLOOR
_EXACT = Sum(_COORDINATE, COORDINATES)
_VARIANCE = kappa**2 / (12 * M**2 * P) + s_sq / P
_RECURSION = _FACTOR**2 * C + eta**2 * v


CLAIM = Claim(
    id="ndqsg/quad-fixed-scale",
    kind="identity",
    provenance="derived",
    title="Quadratics at a fixed scale: the exact error of whole runs",
    position=23,
    paper=PAPER,
    **statement(
        r"""
        $f=\frac12(x-x^*)^\top A(x-x^*)$ on $P$ workers, with gradients of independent noise of variance
        $s_n^2$ per coordinate, DQSG with a scale $\kappa$ that is fixed beforehand, and indices that are
        not clipped. $x_j$ are the coordinates of $x_t-x^*$ in an eigenbasis of $A$, $\lambda_j$ its
        eigenvalues, $x^+$ is the next iterate, and $\mathbb E_t$ the expectation given $x_t$.
        (a: variance) The average of the messages is off by $v=\frac{\kappa^2}{12M^2P}+\frac{s_n^2}P$, in
          variance per coordinate. [proof; exact/second moment after a step]
        (b: square, product) Given $x_t$, $$\mathbb E_t(x_j^+)^2=(1-\eta\lambda_j)^2x_j^2+\eta^2v,$$ and for
          two different coordinates $\mathbb E_tx_j^+x_l^+=(1-\eta\lambda_j)(1-\eta\lambda_l)x_jx_l$, $l<j$.
          [proof; exact/second moment after a step]
        (c: run) Hence, with (b) in each step, if $0<\lambda_j$ and $0<2-\eta\lambda_j$, for every $T$, <<an
          equality and no bound -> montecarlo/sampled distance>>: $$\mathbb E\|x_T-x^*\|^2=\sum_j\Big((1\
          -\eta\lambda_j)^{2T}x_{0,j}^2+\big(1-(1-\eta\lambda_j)^{2T}\big)\frac{\eta
          v}{\lambda_j(2-\eta\lambda_j)}\Big).$$ [proof; exact/second moment of a run; montecarlo/sampled
          distance; run/sampled distance; run/noisy gradients]
        (d: limit) It is off its limit by $$\mathbb E\|x_T-x^*\|^2-\sum_j\frac{\eta
          v}{\lambda_j(2-\eta\lambda_j)}=\sum_j(1-\eta\lambda_j)^{2T}\Big(x_{0,j}^2-\frac{\eta
          v}{\lambda_j(2-\eta\lambda_j)}\Big).$$ [proof; exact/the floor stays]
        """
    ),
    variables=(
        Variable(d, "d", r"\mathbb N", "number of coordinates"),
        Variable(M, "M", r"\mathbb N", "number of levels"),
        Variable(P, "P", r"\mathbb N", "number of workers"),
        Variable(T, "T", r"\mathbb N_0", "number of steps"),
        Variable(eta, r"\eta", r"\mathbb R_{>0}", "step size"),
        Variable(kappa, r"\kappa", r"\mathbb R_{\ge0}", "scale"),
        Variable(s_sq, "s_n^2", r"\mathbb R_{\ge0}", "variance of the gradient of a worker, per coordinate"),
        Variable(v, "v", r"\mathbb R_{\ge0}", "variance of the averaged messages, per coordinate"),
        Variable(C, "C", r"\mathbb R_{\ge0}", "second moment along an eigenvector"),
        Variable(lam, r"\lambda", r"(0,2/\eta)^d", "eigenvalues of $A$", "(d,)"),
        Variable(x0, "x_{0,#1}", r"\mathbb R^d", "$x_0-x^*$ in the eigenbasis", "(d,)"),
        Variable(x, "x", r"\mathbb R^d", "$x_t-x^*$ in the eigenbasis", "(d,)"),
        Variable(
            moment,
            r"\mathbb Ex_{#1,#2}^2",
            r"\mathbb R_{\ge0}^{\infty\times d}",
            "its second moments after so many steps",
            "(oo,d)",
            first=(0, 1),
        ),
        Variable(
            square,
            r"\mathbb E_t(x_{#1}^+)^2",
            r"\mathbb R_{\ge0}^d",
            "second moment of a coordinate after a step, given the iterate",
            "(d,)",
        ),
        Variable(
            after,
            r"\mathbb E_tx_{#1}^+x_{#2}^+",
            r"\mathbb R^{d\times d}",
            "mixed moments after a step, given the iterate",
            "(d, d)",
        ),
        Variable(
            distance,
            r"\mathbb E\|x_{#1}-x^*\|^2",
            r"\mathbb R_{\ge0}^\infty",
            "expected squared distance after $t$ steps",
            "(oo,)",
            first=0,
        ),
        Variable(e, "e", r"\mathbb R^P", "errors of the messages", "(P,)"),
        Variable(xi, r"\xi", r"\mathbb R^P", "noises of the workers", "(P,)"),
        Variable(zeta, r"\zeta", r"\mathbb R^d", "noise and errors in the eigenbasis", "(d,)"),
    ),
    notation={
        "x^*": "the minimiser",
        "x_t": "the iterate",
        "x^+": "the next one",
        "f": "the objective",
        "A": "its Hessian",
        r"\mathbb E_t": "expectation given the iterate",
    },
    ranges={"t": (0, oo)},
    hypotheses={
        "sizes": domain(r"$d,P\ge1$ are integers, $M>0$"),
        "signs": domain(r"$\eta>0$, $s_n^2,v\ge0$"),
        "rounds": domain(r"$T\ge0$ is an integer"),
        "curvatures": parameter(r"$0<\lambda_j$, $0<2-\eta\lambda_j$"),
        "errors": model(
            r"$v=\mathbb E\bigl(\frac1{P^2}(\sum_p(e_p+\xi_p))^2\bigr)$, over uncorrelated $\xi_p$, "
            r"$1\le p\le P$, with mean $0$ and variance $s_n^2$ and over uncorrelated $e_p$, $1\le "
            r"p\le P$, with mean $0$ and variance $\frac{\kappa^2}{12M^2}$",
            reference="ndqsg/dq-uniform-error",
        ),
        "step": model(
            r"$\mathbb E_tx_l^+x_j^+=\mathbb E\bigl((x_j(1-\eta\lambda_j)-\eta\zeta_j)(x_l(1"
            r"-\eta\lambda_l)-\eta\zeta_l)\bigr)$, "
            r"$\mathbb E_t(x_j^+)^2=\mathbb E\bigl((x_j(1-\eta\lambda_j)-\eta\zeta_j)^2\bigr)$, over "
            r"uncorrelated $\zeta_j$, $1\le j\le d$, with mean $0$ and variance $v$"
        ),
        "runs": model(
            r"$\mathbb Ex_{0,j}^2=x_{0,j}^2$; "
            r"$\mathbb Ex_{t+1,j}^2=(1-\eta\lambda_j)^2\mathbb Ex_{t,j}^2+\eta^2v$, "
            r"since the tower property makes this of a step; "
            r"$\mathbb E\|x_T-x^*\|^2=\sum_j\mathbb Ex_{T,j}^2$"
        ),
    },
    relations={
        "variance": Relation((v, _VARIANCE), ("=",), under=("errors",)),
        "square": Relation(
            (square[j], _FACTOR**2 * x[j] ** 2 + eta**2 * v), ("=",), every=(COORDINATES,), under=("step",)
        ),
        "product": Relation(
            (after[j, l], _FACTOR * (1 - eta * lam[l]) * x[j] * x[l]),
            ("=",),
            every=(BEFORE, COORDINATES),
            under=("step",),
        ),
        "run": Relation((distance[T], _EXACT), ("=",), under=("curvatures", "runs")),
        "limit": Relation(
            (
                distance[T] - Sum(_FLOOR, COORDINATES),
                Sum(_FACTOR ** (2 * T) * (x0[j] ** 2 - _FLOOR), COORDINATES),
            ),
            ("=",),
            under=("curvatures", "runs"),
        ),
    },
    formulas={
        "exact": _EXACT,
        "variance": _VARIANCE,
        "recursion": _RECURSION,
        "coordinate": _COORDINATE,
        "floor": _FLOOR,
    },
    internal={"recursion": "part (b), in expectation over the iterate"},
    worst_cases=cases(r"""
        $\lambda=(1,\frac12,\frac1{10})$, $x_0=(1,1,1)$, $\eta=\frac12$, $\kappa=M=2$, $P=4$, $T=1$
          | lambda_ = (1, 1/2, 1/10), x0 = (1, 1, 1), eta = 1/2, v = 1/48, d = 3, T = 1 | 2769/1600
    """),
)


def derive(K: Any) -> None:
    """Prove the relations: one coordinate after the other, and an induction in the number of steps."""
    K.index(COORDINATES, (t, 0, oo))
    half = Rational(1, 2)
    setting = {d: 2, P: 2, M: 1, eta: half, kappa: 2, s_sq: 1, v: Rational(2, 3), lam: (1, half)}
    squares = (half**2 + Rational(1, 6), Rational(9, 16) * 4 + Rational(1, 6))
    mixed = ((squares[0], Rational(3, 4)), (Rational(3, 4), squares[1]))
    K.example({**setting, x: (1, 2), after: mixed, square: squares})
    K.conclude("variance", K.cert(eq(v, _VARIANCE), (1, K.given("errors"))))
    each_square = K.cert(eq(square[j], _FACTOR**2 * x[j] ** 2 + eta**2 * v), (1, K.at(K.given("step", 1), j)))
    K.conclude("square", K.every(each_square, COORDINATES))
    K.index(BEFORE)
    product = K.cert(
        eq(after[j, l], _FACTOR * (1 - eta * lam[l]) * x[j] * x[l]),
        (1, K.at(K.given("step"), l, j)),
        (eta**2 * v, K.axiom("delta-other", j, l)),
    )
    K.conclude("product", K.every(product, BEFORE, COORDINATES))

    K.know(K.given("curvatures"), K.given("curvatures", 1))

    def stated(count: Any) -> Any:
        return eq(moment[count, j], _COORDINATE.subs(T, count))

    base = K.cert(stated(Integer(0)), (1, K.at(K.given("runs"), j)))
    step = K.cert(stated(t + 1), (1, K.at(K.given("runs", 1), j, t)), (_FACTOR**2, K.assume(stated(t))))
    each = K.at(K.induction(t, base, step), T)
    total = K.given("runs", 2)
    K.conclude("run", K.cert(eq(distance[T], _EXACT), (1, total), (1, K.sum_over(each, COORDINATES))))
    floor = _FACTOR ** (2 * T) * (x0[j] ** 2 - _FLOOR)
    rest = K.cert(eq(moment[T, j], _FLOOR + floor), (1, each))
    limit = eq(distance[T] - Sum(_FLOOR, COORDINATES), Sum(floor, COORDINATES))
    K.conclude("limit", K.cert(limit, (1, total), (1, K.sum_over(rest, COORDINATES))))
