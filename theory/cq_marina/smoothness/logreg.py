r"""`cq_marina/logreg`: smoothness constants of the logistic problems (arXiv 2401.05518)."""

from typing import Any

from sympy import IndexedBase, Max, Rational, Sum, log, symbols

from theory.claim import Claim, Relation, Variable
from theory.cq_marina.paper import PAPER
from theory.formula import eq, le
from theory.hypotheses import definition, domain, parameter
from theory.statement import statement
from theory.worst_cases import cases

n, d, lam, x, e, S_mean, H, P, Q, L_minus, V, M = symbols("n d lam x e S_mean H P Q L_minus V M", real=True)
i, l, k = symbols("i l k", real=True)
rows, r, low, pm, norm = symbols("rows r low pm norm", real=True)
S, R, L, N, G, q, s = symbols("S R L N G q s", cls=IndexedBase, real=True)
omega, es, z, product, norms, apart = symbols("omega es z product norms apart", cls=IndexedBase, real=True)
CLIENTS, COORDINATES, ROWS = (i, 0, n - 1), (k, 0, d - 1), (r, 0, rows - 1)
OTHERS = (l, 0, n - 1)

_PENALTY = 2 * lam * (1 - 3 * x**2) / (1 + x**2) ** 3
_LOSS = e / (1 + e) ** 2
_L_MINUS = S_mean + 2 * lam
_L_CLIENT = S[i] + 2 * lam
_L_PLUS = Sum(L[i] ** 2, CLIENTS) / n
_LARGER = Max((n - 1) / n * S[i], R[i])
_BOUND = Sum(_LARGER**2, CLIENTS) / n
_OBJECTIVE = Sum(omega[r] * log(1 + es[r]), ROWS) + lam * Sum(z[k] ** 2 / (1 + z[k] ** 2), COORDINATES)
_LOWER = Sum(norms[i], CLIENTS) / n - norm
_PRODUCTS = Sum(product[l, k], (l, 0, n - 1)) / n
_MEAN_Q, _MEAN_S = Sum(q[l], OTHERS) / n, Sum(s[l], OTHERS) / n

CLAIM = Claim(
    id="cq_marina/logreg",
    kind="upper",
    provenance="derived",
    title="Smoothness constants of logistic regression with the nonconvex regulariser",
    position=20,
    paper=PAPER,
    **statement(
        r"""
        Client $i$ has $f_i$, the average of $\log(1+e^{-y_ja_j^\top z})$ over its own $N_i$ rows (labels
        $y_j=\pm1$, no intercept), plus a regulariser, as (i) writes them out; $S_i$ is the quarter of the
        average of the $a_ja_j^\top$. Data sets are split in file order: client $i$, from zero on, has the
        rows $\lfloor iN/n\rfloor$ to $\lfloor(i+1)N/n\rfloor-1$.
        (a: penalty) The regulariser of a coordinate $x$ has the second derivative
          $2\lambda\frac{1-3x^2}{(1+x^2)^3}$,
          $$-\frac\lambda2\le2\lambda\frac{1-3x^2}{(1+x^2)^3}\le2\lambda.$$ [proof; exact/second derivative
          of the regulariser]
        (b: loss) The loss has at the margin $z$ the second derivative <<$\frac{e}{(1+e)^2}$ for
          $e=\exp(-z)$ -> exact/second derivative of the loss>>, $$\frac e{(1+e)^2}\le\frac14.$$ [proof;
          exact/second derivative of the loss]
        (c: above, below) If in a direction the data have the curvature $0\le H\le\lambda_{\max}(\bar S)$
          and the regulariser $-\frac\lambda2\le P\le2\lambda$, then <<$|H+P|$ -> proof>> is at most
          $L_-=\lambda_{\max}(\bar S)+2\lambda$: $H+P\le L_-$, $-(H+P)\le L_-$. [proof;
          adversarial/smoothness]
        (d: origin-loss, origin-penalty, attained) At the origin, $e=1$ and $x=0$, $$\frac
          e{(1+e)^2}=\frac14,\qquad2\lambda\frac{1-3x^2}{(1+x^2)^3}=2\lambda.$$ <<So there a direction ->
          exact/L_minus is attained at 0>> with $H=\lambda_{\max}(\bar S)$, $P=2\lambda$ attains the
          constant, $H+P=L_-$, and likewise the clients theirs, $<<L_i=\lambda_{\max}(S_i)+2\lambda ->
          exact/L of a client is attained at 0>>$. [proof; exact/L_minus is attained at 0; exact/L of a
          client is attained at 0]
        (e: plus) If $\|\Delta_i\|^2\le L_i^2Q$ for the differences of gradients at points of the squared
          distance $Q$, then $M=\frac1n\sum_i\|\Delta_i\|^2$ is at most $$M\le\frac1n\sum_iL_i^2Q.$$ [proof;
          exact/mean square at 0; exact/L_plus of impl]
        (f: own, others) <<The regulariser cancels in $L_\pm$ -> exact/variance at 0>>. Between two points
          the data have mean Hessians; in a direction with their curvatures $0\le q_i\le s_i$, $s_i$ that of
          $S_i$, $$q_i-\frac1n\sum_lq_l\le\frac{n-1}ns_i,\qquad\frac1n\sum_lq_l-q_i\le\frac1n\sum_ls_l-\
          \frac1ns_i.$$ [proof]
        (g: variance) If, as (f) gives for symmetric mean Hessians (not derived here),
          $\|\Delta_i-\bar\Delta\|^2\le\max\{\frac{n-1}n\|S_i\|,R_i\}^2Q$ <<with $R_i=\|\bar S-\frac1nS_i\|$
          -> exact/L_pm of impl>>, the average of these is
          $$V\le\frac1n\sum_i\max\Big\{\frac{n-1}n\|S_i\|,R_i\Big\}^2Q.$$ [proof; exact/variance at 0;
          exact/L_pm of impl; adversarial/variance]
        (h: from-below) From below: for differences of gradients along a unit vector $u$ the bound on the
          variance is in the limit at the origin $\frac1n\sum_i\|S_iu-\bar Su\|^2\le L_\pm^2$, so
          $$\frac1n\sum_i\|S_iu\|^2-\|\bar Su\|^2\le L_\pm^2,$$ where the left side is <<the largest
          eigenvalue of $\frac1n\sum_iS_i^2-\bar S^2$ at its eigenvector -> exact/lower bound of impl>>.
          [proof; exact/lower bound of impl; exact/variance at 0]
        (i: nonnegative) With weights $\sum_r\omega_r=1$ of all rows and <<$e_r=\exp(-y_ra_r^\top z)$ ->
          exact/f>> the objective at $z$ is nonnegative,
          $$0\le\sum_r\omega_r\log(1+e_r)+\lambda\sum_k\frac{z_k^2}{1+z_k^2}.$$ [proof; exact/f; exact/f
          again; exact/f_i; exact/gradient of f_i; exact/gradients; exact/gradient of a client]
        (j: start) At the origin, $e_r=1$ and $z_k=0$, <<it is $\log2$ -> exact/f(0)>>, whatever the data:
          if $0\le f^\star$, then <<$\Delta_0\le\log2$ -> proof>>,
          $$\sum_r\omega_r\log(1+e_r)+\lambda\sum_k\frac{z_k^2}{1+z_k^2}-f^\star\le\log2.$$ [proof;
          exact/f(0)]
        """
    ),
    variables=(
        Variable(n, "n", r"\mathbb N", "number of clients"),
        Variable(lam, r"\lambda", r"\mathbb R_{\ge0}", "weight of the regulariser"),
        Variable(x, "x", r"\mathbb R", "a coordinate"),
        Variable(e, "e", r"\mathbb R_{>0}", "exponential of minus the margin"),
        Variable(
            S_mean,
            r"\lambda_{\max}(\bar S)",
            r"\mathbb R_{\ge0}",
            r"largest eigenvalue of the mean of the $S_i$",
        ),
        Variable(S, r"\|S_{#1}\|", r"\mathbb R^n_{\ge0}", r"largest eigenvalues of the $S_i$", "(n,)"),
        Variable(R, "R", r"\mathbb R^n_{\ge0}", "norms of the others", "(n,)"),
        Variable(L, "L", r"\mathbb R^n_{\ge0}", "constants of the clients", "(n,)"),
        Variable(N, r"\|\Delta_{#1}\|^2", r"\mathbb R^n_{\ge0}", "squared differences", "(n,)"),
        Variable(G, r"\|\Delta_{#1}-\bar\Delta\|^2", r"\mathbb R^n_{\ge0}", "squared deviations", "(n,)"),
        Variable(q, "q", r"\mathbb R^n_{\ge0}", "curvatures of the data between two points", "(n,)"),
        Variable(s, "s", r"\mathbb R^n_{\ge0}", r"curvatures of the $S_i$", "(n,)"),
        Variable(H, "H", r"\mathbb R_{\ge0}", "curvature of the data"),
        Variable(P, "P", r"\mathbb R", "curvature of the regulariser"),
        Variable(Q, "Q", r"\mathbb R_{\ge0}", "squared distance of two points"),
        Variable(L_minus, "L_-", r"\mathbb R_{\ge0}", r"Lipschitz constant of $\nabla f$"),
        Variable(M, "M", r"\mathbb R_{\ge0}", "mean square"),
        Variable(d, "d", r"\mathbb N", "number of coordinates"),
        Variable(rows, "m", r"\mathbb N", "number of rows"),
        Variable(product, "p", r"\mathbb R^{n\times d}", "entries of the $S_iu$", "(n,d)"),
        Variable(
            omega,
            r"\omega",
            r"\mathbb R^m_{\ge0}",
            r"weights of rows, $\frac1{nN_i}$ of client $i$",
            "(rows,)",
        ),
        Variable(es, "e", r"\mathbb R^m_{>0}", "exponentials of minus the margins", "(rows,)"),
        Variable(z, "z", r"\mathbb R^d", "a point", "(d,)"),
        Variable(low, r"f^\star", r"\mathbb R", "the infimum of the objective"),
        Variable(pm, r"L_\pm^2", r"\mathbb R_{\ge0}", "Hessian variance"),
        Variable(
            norms, r"\|S_{#1}u\|^2", r"\mathbb R^n_{\ge0}", "squared products with a unit vector", "(n,)"
        ),
        Variable(norm, r"\|\bar Su\|^2", r"\mathbb R_{\ge0}", "that of the mean"),
        Variable(apart, r"\|S_{#1}u-\bar Su\|^2", r"\mathbb R^n_{\ge0}", "squared distances from it", "(n,)"),
        Variable(V, "V", r"\mathbb R_{\ge0}", "average of the squared deviations"),
    ),
    notation={
        "f_{#1}": "functions of the clients",
        "S_{#1}": "matrices of the data",
        r"\bar S": "their mean",
        "N_{#1}": "number of rows",
        "u": "a unit vector",
        r"\Delta_0": "gap at the origin",
        r"L_\pm": "root of the Hessian variance",
    },
    hypotheses={
        "signs": domain(r"$n,d,m\ge1$ are integers; $\lambda\ge0$, $e>0$, $\lambda_{\max}(\bar S),Q\ge0$"),
        "L": definition(r"$L_-=\lambda_{\max}(\bar S)+2\lambda$"),
        "direction": parameter(r"$0\le H\le\lambda_{\max}(\bar S)$, $-\frac\lambda2\le P\le2\lambda$"),
        "clients": parameter(r"$\|\Delta_i\|^2\le L_i^2Q$"),
        "mean": definition(r"$M=\frac1n\sum_i\|\Delta_i\|^2$"),
        "curvatures": parameter(r"$0\le q_i\le s_i$"),
        "deviations": parameter(r"$\|\Delta_i-\bar\Delta\|^2\le\max\{\frac{n-1}n\|S_i\|,R_i\}^2Q$"),
        "origin": parameter("$e=1$ and $x=0$"),
        "top": parameter(r"$H=\lambda_{\max}(\bar S)$, $P=2\lambda$"),
        "products": definition(
            r"$\|S_iu\|^2=\sum_kp_{ik}^2$, $\|\bar Su\|^2=\sum_k\big(\frac1n\sum_lp_{lk}\big)^2$, "
            r"$\|S_iu-\bar Su\|^2=\sum_k\big(p_{ik}-\frac1n\sum_lp_{lk}\big)^2$"
        ),
        "limit": parameter(r"$\frac1n\sum_i\|S_iu-\bar Su\|^2\le L_\pm^2$"),
        "weights": definition(r"$\sum_r\omega_r=1$, $\omega_r\ge0$, $e_r>0$"),
        "zero": parameter(r"$e_r=1$, $z_k=0$ and $0\le f^\star$"),
        "average": definition(r"$V=\frac1n\sum_i\|\Delta_i-\bar\Delta\|^2$"),
    },
    relations={
        "penalty": Relation((-lam / 2, _PENALTY, 2 * lam), ("<=", "<=")),
        "loss": Relation((_LOSS, Rational(1, 4)), ("<=",)),
        "above": Relation((H + P, L_minus), ("<=",), under=("direction",)),
        "below": Relation((-(H + P), L_minus), ("<=",), under=("direction",)),
        "plus": Relation((M, _L_PLUS * Q), ("<=",), under=("clients",)),
        "own": Relation(
            (q[i] - _MEAN_Q, (n - 1) / n * s[i]), ("<=",), every=(CLIENTS,), under=("curvatures",)
        ),
        "others": Relation(
            (_MEAN_Q - q[i], _MEAN_S - s[i] / n), ("<=",), every=(CLIENTS,), under=("curvatures",)
        ),
        "variance": Relation((V, _BOUND * Q), ("<=",), under=("deviations",)),
        "origin-loss": Relation((_LOSS, Rational(1, 4)), ("=",), under=("origin",)),
        "origin-penalty": Relation((_PENALTY, 2 * lam), ("=",), under=("origin",)),
        "attained": Relation((H + P, L_minus), ("=",), under=("top",)),
        "from-below": Relation((_LOWER, pm), ("<=",), under=("products", "limit")),
        "nonnegative": Relation((0, _OBJECTIVE), ("<=",), under=("weights",)),
        "start": Relation((_OBJECTIVE - low, log(2)), ("<=",), under=("weights", "zero")),
    },
    formulas={
        "bound": _BOUND,
        "penalty": _PENALTY,
        "loss": _LOSS,
        "L_minus": _L_MINUS,
        "L_client": _L_CLIENT,
        "L_plus_square": _L_PLUS,
        "start": log(2),
    },
    internal={"L_client": "the constants of (d)"},
    worst_cases=cases(r"""
        two clients on the line, one with features 0: $S=(1,0)$, where $L_\pm=\frac12$ is the bound
          | S = (1, 0), R = (0, 1/2), n = 2 | 1/4
    """),
)


def derive(K: Any) -> None:
    """Prove the relations."""
    K.index(CLIENTS)
    y = x**2
    below = K.cert(le(-lam / 2, _PENALTY), (lam * (5 + y) / (2 * (1 + y) ** 3), (1 - y) ** 2))
    above = K.cert(le(_PENALTY, 2 * lam), (lam / (1 + y) ** 3, 12 * y + 6 * y**2 + 2 * y**3))
    K.conclude("penalty", below, above)
    K.conclude("loss", K.cert(le(_LOSS, Rational(1, 4)), (1 / (4 * (1 + e) ** 2), (1 - e) ** 2)))
    least, most, low, high = (K.given("direction", place) for place in range(4))
    equation = [K.given("L")]
    K.conclude("above", K.cert(le(H + P, L_minus), (1, most), (1, high), using=equation))
    room = S_mean + lam * Rational(3, 2)
    K.conclude("below", K.cert(le(-(H + P), L_minus), (1, least), (1, low), (1, room), using=equation))
    plus = K.sum_over(K.at(K.given("clients"), i), CLIENTS)
    K.conclude("plus", K.cert(le(M, _L_PLUS * Q), (1, K.given("mean")), (1 / n, plus)))
    deviations = K.sum_over(K.at(K.given("deviations"), i), CLIENTS)
    K.conclude("variance", K.cert(le(V, _BOUND * Q), (1, K.given("average")), (1 / n, deviations)))
    _deviations(K)
    _at_the_origin(K)


def _deviations(K: Any) -> None:
    """The curvature of one client against the mean, the others apart."""
    K.know(K.given("curvatures"), K.cert(le(0, n - 1), (1, K.sign(le(1, n)))))
    inside = K.at(K.given("curvatures", 1), i)
    parts = [(l, 0, i - 1), (l, i + 1, n - 1)]
    nonnegative = [Sum(q[l], part) for part in parts]
    own = K.cert(
        le(q[i] - _MEAN_Q, (n - 1) / n * s[i]),
        ((n - 1) / n, inside),
        (-1 / n, K.split_off(Sum(q[l], OTHERS), i)),
        *((1 / n, K.sign(le(0, item))) for item in nonnegative),
    )
    K.conclude("own", K.every(own, CLIENTS))
    other = K.at(K.given("curvatures", 1), l)
    others = K.cert(
        le(_MEAN_Q - q[i], _MEAN_S - s[i] / n),
        ((n - 1) / n, q[i]),
        (-1 / n, K.split_off(Sum(s[l] - q[l], OTHERS), i)),
        *((1 / n, K.sum_over(other, part)) for part in parts),
    )
    K.conclude("others", K.every(others, CLIENTS))


def _at_the_origin(K: Any) -> None:
    """Curvatures, the variance of the Hessians, and the value."""
    K.index(COORDINATES, ROWS)
    one, zero = K.given("origin"), K.given("origin", 1)
    K.conclude("origin-loss", K.cert(eq(_LOSS, Rational(1, 4)), using=[one]))
    K.conclude("origin-penalty", K.cert(eq(_PENALTY, 2 * lam), using=[zero]))
    K.conclude(
        "attained", K.cert(eq(H + P, L_minus), using=[K.given("L"), K.given("top"), K.given("top", 1)])
    )
    own, mean, others = (K.given("products", place) for place in range(3))
    below = K.cert(
        le(_LOWER, pm),
        (1, K.given("limit")),
        (1 / n, K.sum_over(K.at(own, i), CLIENTS)),
        (-1, mean),
        (-1 / n, K.sum_over(K.at(others, i), CLIENTS)),
    )
    K.conclude("from-below", below)
    K.know(K.given("weights", 1), K.given("weights", 2))
    grows = K.log(K.cert(le(1, 1 + es[r]), (1, es[r])))
    losses = K.sum_over(K.cert(le(0, omega[r] * log(1 + es[r])), (omega[r], grows)), ROWS)
    penalty = lam * Sum(z[k] ** 2 / (1 + z[k] ** 2), COORDINATES)
    K.conclude("nonnegative", K.cert(le(0, _OBJECTIVE), (1, losses), (1, penalty)))
    term = omega[r] * log(1 + es[r])
    loss = K.rewrite(K.identity(term, term), K.at(K.given("zero"), r), "right")
    none = K.cert(eq(z[k] ** 2 / (1 + z[k] ** 2), 0), (z[k] / (1 + z[k] ** 2), K.at(K.given("zero", 1), k)))
    start = K.cert(
        le(_OBJECTIVE - low, log(2)),
        (1, K.sum_over(loss, ROWS)),
        (lam, K.sum_over(none, COORDINATES)),
        (log(2), K.given("weights")),
        (1, K.given("zero", 2)),
    )
    K.conclude("start", start)
