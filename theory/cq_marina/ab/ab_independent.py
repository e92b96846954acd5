r"""`cq_marina/ab-independent`: AB constants of independent unbiased compressors (arXiv 2401.05518)."""

from typing import Any

from sympy import IndexedBase, Rational, Sum, Symbol, sqrt, symbols

from theory.claim import Claim, Relation, Variable
from theory.cq_marina.paper import PAPER
from theory.formula import eq, le
from theory.hypotheses import definition, domain, model, parameter
from theory.statement import statement
from theory.worst_cases import cases

n, d, r, A, M, M_w, V, i, j = symbols("n d r A M M_w V i j", real=True)
common, V_b, V_t, B, m = symbols("omega_all V_b V_t B m", real=True)
most, l = Symbol("most", real=True), Symbol("l", real=True)
omega, square, w, v, e, variance = symbols("omega square w v e variance", cls=IndexedBase, real=True)
x, u, sign, bit, mean_b, mean_t = symbols("x u sign bit mean_b mean_t", cls=IndexedBase, real=True)
CLIENTS, COORDINATES = (i, 0, n - 1), (j, 0, d - 1)

_SUM = Sum(omega[i] * square[i], CLIENTS) / n**2
_WEIGHTED = Sum(square[i] / (n * w[i]), CLIENTS) / n
_BOUND = A * M_w
_BINARY, _TERNARY = d - 1, sqrt(d) - 1


CLAIM = Claim(
    id="cq_marina/ab-independent",
    kind="tight",
    provenance="rederived",
    title="AB constants of independent unbiased compressors, and of the two quantizers",
    position=9,
    paper=PAPER,
    **statement(
        r"""
        Client $i$ uses an unbiased compressor $C_i$, independently of the others; $V$ is the expected
        squared error of the average message. The quantizers $Q_b$ (one bit for each coordinate) and $Q_t$
        (three levels) have the scale $r=\|x\|>0$.
        (a: upper) If $\mathbb E\|C_i(a_i)-a_i\|^2\le\omega_i\|a_i\|^2$ and $\omega_iw_i\le A$ <<for all $i$
          -> proof>>, $$V\le\frac1{n^2}\sum_i\omega_i\|a_i\|^2\le AM_w.$$ [proof; exact/mean of a
          coordinate; exact/sum of the clients; exact/bound; exact/equal clients; montecarlo/sampled error;
          adversarial/search; exact/stated *; exact/sum of the chances of outcomes; exact/sure bound of the
          error; exact/entries *; exact/sampled *; exact/bits of the payload; exact/arguments *;
          exact/equal ones; exact/different ones; exact/ones that equal words]
        (b: ab) So the AB inequality $V\le AM_w-Bm$ holds with $A=\max_i\omega_iw_i$ and $B=0$. [proof;
          exact/bound]
        (c: attained) If every $\omega_i$ is attained and only clients with the largest $\omega_iw_i$ have
          inputs <<other than 0 -> proof>>, $\omega_iw_i\|a_i\|^2=A\|a_i\|^2$, the bound is: $V=AM_w$.
          [proof; exact/attained]
        (d: equal) For equal $\omega_i=\omega$ and equal weights $V\le\frac\omega nM$. [proof]
        (e: binary-mean, binary) One bit for each coordinate is unbiased, $\mathbb EQ_b(x)_j=x_j$, and <<has
          $d-1$ for $\omega$ with equality at every input -> proof>>: $\mathbb E\|Q_b(x)-x\|^2=(d-1)r^2$.
          [proof; exact/sum of the clients]
        (f: ternary-mean, ternary) Three levels are unbiased, $\mathbb EQ_t(x)_j=x_j$, and <<have
          $\sqrt d-1$ for $\omega$ -> proof>>: $\mathbb E\|Q_t(x)-x\|^2\le(\sqrt d-1)r^2$.
          [proof; exact/sum of the clients]
        (g: ternary-attained) It is attained where $|x_j|=\frac r{\sqrt d}$ <<for all $j$ -> proof>>:
          $\mathbb E\|Q_t(x)-x\|^2=(\sqrt d-1)r^2$. [proof; exact/attained]
        (h: quarter) $\sqrt d-1\le\frac d4$. [proof; exact/quarter]
        """
    ),
    variables=(
        Variable(n, "n", r"\mathbb N", "number of clients"),
        Variable(d, "d", r"\mathbb N", "number of coordinates"),
        Variable(A, "A", r"\mathbb R_{\ge0}", r"constant of the AB inequality"),
        Variable(M, "M", r"\mathbb R_{\ge0}", r"$\frac1n\sum_i\|a_i\|^2$"),
        Variable(M_w, "M_w", r"\mathbb R_{\ge0}", r"$\frac1n\sum_i\frac{\|a_i\|^2}{nw_i}$"),
        Variable(B, "B", r"\mathbb R_{\ge0}", "its other constant"),
        Variable(m, "m", r"\mathbb R_{\ge0}", r"$\|\bar a\|^2$, squared norm of the mean input"),
        Variable(most, r"\max_i\omega_iw_i", r"\mathbb R_{\ge0}", "largest of these products"),
        Variable(l, "l", r"\mathbb N", "a client with that product"),
        Variable(V, "V", r"\mathbb R_{\ge0}", "expected squared error of the average message"),
        Variable(omega, r"\omega", r"\mathbb R^n_{\ge0}", "relative variances of the compressors", "(n,)"),
        Variable(common, r"\omega", r"\mathbb R_{\ge0}", "the common one"),
        Variable(w, "w", r"\mathbb R^n_{>0}", "weights of the clients, with sum 1", "(n,)"),
        Variable(square, r"\|a_{#1}\|^2", r"\mathbb R^n_{\ge0}", "squared norms of the inputs", "(n,)"),
        Variable(
            variance,
            r"\mathbb E\|C_{#1}(a_{#1})-a_{#1}\|^2",
            r"\mathbb R^n_{\ge0}",
            "variances of the messages",
            "(n,)",
        ),
        Variable(v, "v", r"\mathbb R^{n\times d}_{\ge0}", "variances in the coordinates", "(n,d)"),
        Variable(r, "r", r"\mathbb R_{>0}", r"$\|x\|$, the scale"),
        Variable(x, "x", r"\mathbb R^d", "input of a quantizer", "(d,)"),
        Variable(u, r"|x_{#1}|", r"\mathbb R^d_{\ge0}", "its absolute values", "(d,)"),
        Variable(mean_b, r"\mathbb EQ_b(x)", r"\mathbb R^d", "expected message of one bit", "(d,)"),
        Variable(mean_t, r"\mathbb EQ_t(x)", r"\mathbb R^d", "expected message of three levels", "(d,)"),
        Variable(V_b, r"\mathbb E\|Q_b(x)-x\|^2", r"\mathbb R_{\ge0}", "variance of one bit"),
        Variable(V_t, r"\mathbb E\|Q_t(x)-x\|^2", r"\mathbb R_{\ge0}", "variance of three levels"),
        Variable(bit, "c", r"\{0,1\}^d", "bits of the coordinates", "(d,)"),
        Variable(e, "e", r"\mathbb R^n", "errors of the clients in a coordinate", "(n,)"),
        Variable(sign, "s", r"\{-1,1\}^d", "signs of the coordinates", "(d,)"),
    ),
    notation={
        "C_{#1}": "a compressor",
        "a_{#1}": "an input",
        "Q_b": "one bit",
        "Q_t": "three levels",
        r"\|x\|": "norm of the input",
        r"\bar a": "mean of the inputs",
    },
    hypotheses={
        "sizes": domain(
            r"$n,d\ge1$ are integers; $r>0$, $A\ge0$, $w_i>0$, $\|a_i\|^2\ge0$, $v_{ij}\ge0$, $|x_j|\ge0$"
        ),
        "probabilities": domain(r"$-r\le x_j\le r$, $|x_j|\le r$"),
        "squares": definition(r"$M_w=\frac1n\sum_i\frac{\|a_i\|^2}{nw_i}$, $M=\frac1n\sum_i\|a_i\|^2$"),
        "independent": model(
            r"$V=\sum_{j=1}^d\mathbb E\bigl(\frac1{n^2}(\sum_ie_i)^2\bigr)$, over uncorrelated $e_i$, "
            r"$1\le i\le n$, with mean $0$ and variance $v_{ij}$"
        ),
        "variances": definition(r"$\mathbb E\|C_i(a_i)-a_i\|^2=\sum_jv_{ij}$"),
        "compressors": model(r"$\mathbb E\|C_i(a_i)-a_i\|^2\le\omega_i\|a_i\|^2$"),
        "largest": parameter(r"$\omega_iw_i\le A$"),
        "most": definition(
            r"$\omega_iw_i\le\max_i\omega_iw_i$; $1\le l\le n$ is an integer; "
            r"$\max_i\omega_iw_i=\omega_lw_l$"
        ),
        "constants": definition(r"$A=\max_i\omega_iw_i$, $B=0$"),
        "exact": model(r"$\mathbb E\|C_i(a_i)-a_i\|^2=\omega_i\|a_i\|^2$"),
        "alone": parameter(r"$\omega_iw_i\|a_i\|^2=A\|a_i\|^2$"),
        "equal": parameter(r"$\omega_i=\omega$"),
        "scale": definition(r"$r^2=\sum_jx_j^2$"),
        "binary": definition(
            r"$\mathbb EQ_b(x)_j=\mathbb E\bigl(r(2c_j-1)\bigr)$, "
            r"$\mathbb E\|Q_b(x)-x\|^2=\mathbb E\bigl(\sum_j(r(2c_j-1)-x_j)^2\bigr)$, over "
            r"independent $c_j\sim\mathrm{Bernoulli}(\frac12+\frac{x_j}{2r})$, $1\le j\le d$"
        ),
        "ternary": definition(
            r"$s_j^2=1$, $x_j=s_j|x_j|$; $\mathbb EQ_t(x)_j=\mathbb E\bigl(rc_js_j\bigr)$, "
            r"$\mathbb E\|Q_t(x)-x\|^2=\mathbb E\bigl(\sum_j(rc_js_j-x_j)^2\bigr)$, over independent "
            r"$c_j\sim\mathrm{Bernoulli}(\frac{|x_j|}{r})$, $1\le j\le d$"
        ),
        "flat": parameter(r"$|x_j|=\frac r{\sqrt d}$"),
    },
    relations={
        "upper": Relation((V, _SUM, _BOUND), ("<=", "<="), under=("compressors", "largest")),
        "ab": Relation((V, A * M_w - B * m), ("<=",), under=("compressors", "most", "constants")),
        "attained": Relation((V, _BOUND), ("=",), under=("exact", "alone")),
        "equal": Relation((V, common / n * M), ("<=",), under=("compressors", "equal")),
        "binary-mean": Relation((mean_b[j], x[j]), ("=",), every=(COORDINATES,)),
        "binary": Relation((V_b, _BINARY * r**2), ("=",)),
        "ternary-mean": Relation((mean_t[j], x[j]), ("=",), every=(COORDINATES,)),
        "ternary": Relation((V_t, _TERNARY * r**2), ("<=",)),
        "ternary-attained": Relation((V_t, _TERNARY * r**2), ("=",), under=("flat",)),
        "quarter": Relation((_TERNARY, d / 4), ("<=",)),
    },
    formulas={
        "bound": _BOUND,
        "sum": _SUM,
        "weighted_mean_square": _WEIGHTED,
        "binary": _BINARY,
        "ternary": _TERNARY,
        "quarter": d / 4,
    },
    internal={"weighted_mean_square": "the definition of $M_w$"},
    worst_cases=cases(r"""
        two coordinates, one client, one bit: twice $\frac d4\|a\|^2$ | a = ((3, 4),), d = 2 | 25
        flat input on four coordinates, ternary | a = (4 * (1,),), d = 4 | 4
        one client of weight two fifths on two coordinates | a = ((0, 0), (0, 0), (0, 0), (3, 4)),
          w = (1/10, 1/5, 3/10, 2/5) | 25/16
    """),
)


def derive(K: Any) -> None:
    """Prove the relations."""
    K.index(CLIENTS, COORDINATES)
    half = Rational(1, 2)
    quantized = {r: 2, x: (1, -1, 1, 1), u: (1, 1, 1, 1), sign: (1, -1, 1, 1), V_b: 12, V_t: 4}
    K.example(
        {
            **{n: 2, d: 4, square: (1, 0), w: (half, half), M: half, M_w: half, A: half, omega: (1, 1)},
            **{B: 0, most: half, l: 1, m: 1},
            **{v: ((1, 0, 0, 0), (0, 0, 0, 0)), variance: (1, 0), V: Rational(1, 4), common: 1},
            **{**quantized, mean_b: (1, -1, 1, 1), mean_t: (1, -1, 1, 1)},
        }
    )
    own = K.sum_over(K.at(K.given("variances"), i), CLIENTS)
    total = K.cert(eq(V, Sum(variance[i], CLIENTS) / n**2), (1, K.given("independent")), (-1 / n**2, own))
    clients = K.sum_over(K.at(K.given("compressors"), i), CLIENTS)
    summed = K.cert(le(V, _SUM), (1, total), (1 / n**2, clients))
    share = square[i] / (n**2 * w[i])
    each = K.cert(le(omega[i] * square[i] / n**2, A * share), (share, K.assume(le(omega[i] * w[i], A))))
    weighted = K.cert(le(_SUM, _BOUND), (1, K.sum_over(each, CLIENTS)), (-A, K.given("squares")))
    upper = K.cert(le(V, _BOUND), (1, summed), (1, weighted))
    K.conclude("upper", summed, weighted)
    constants = [K.given("constants", k) for k in range(2)]
    largest = K.every(
        K.cert(le(omega[i] * w[i], A), (1, K.at(K.given("most"), i)), (-1, constants[0])), CLIENTS
    )
    K.conclude("ab", K.cert(le(V, A * M_w - B * m), (1, K.discharge(upper, largest)), (m, constants[1])))
    reached = K.cert(
        eq(omega[i] * square[i] / n**2, A * share), (1 / (n**2 * w[i]), K.at(K.given("alone"), i))
    )
    exact = K.sum_over(K.at(K.given("exact"), i), CLIENTS)
    K.conclude(
        "attained",
        K.cert(
            eq(V, _BOUND),
            (1, total),
            (1 / n**2, exact),
            (1, K.sum_over(reached, CLIENTS)),
            (-A, K.given("squares")),
        ),
    )
    same = K.cert(eq(omega[i] * square[i], common * square[i]), (square[i], K.at(K.given("equal"), i)))
    K.conclude(
        "equal",
        K.cert(
            le(V, common / n * M),
            (1, summed),
            (1 / n**2, K.sum_over(same, CLIENTS)),
            (-common / n, K.given("squares", 1)),
        ),
    )
    mean = K.cert(eq(mean_b[j], x[j]), (1, K.at(K.given("binary"), j)))
    K.conclude("binary-mean", K.every(mean, COORDINATES))
    found = K.cert(eq(V_b, _BINARY * r**2), (1, K.given("binary", 1)), (1, K.given("scale")))
    K.conclude("binary", found)
    _three_levels(K)


def _three_levels(K: Any) -> None:
    given = [K.given("ternary", place) for place in range(4)]
    named, unit = K.at(given[1], j), K.at(given[0], j)
    mean = K.cert(eq(mean_t[j], x[j]), (1, K.at(given[2], j)), (-1, named))
    K.conclude("ternary-mean", K.every(mean, COORDINATES))
    # Each coordinate has the variance r u - u^2.
    part = sign[j] ** 2 * r * u[j] - 2 * x[j] * sign[j] * u[j] + x[j] ** 2
    level = r * u[j] - u[j] ** 2
    coordinate = K.cert(
        eq(part, level),
        (x[j] - sign[j] * u[j], named),
        (level, unit),
    )
    total = K.cert(eq(V_t, Sum(level, COORDINATES)), (1, given[3]), (1, K.sum_over(coordinate, COORDINATES)))
    same_square = K.cert(eq(x[j] ** 2, u[j] ** 2), (x[j] + sign[j] * u[j], named), (u[j] ** 2, unit))
    norm = K.cert(
        eq(r**2, Sum(u[j] ** 2, COORDINATES)),
        (1, K.given("scale")),
        (1, K.sum_over(same_square, COORDINATES)),
    )
    root = sqrt(d)
    young = K.cert(
        le(level, root / 2 * u[j] ** 2 + r**2 / (2 * root) - u[j] ** 2),
        (1 / (2 * root), (root * u[j] - r) ** 2),
    )
    bound = K.cert(
        le(V_t, _TERNARY * r**2), (1, total), (1, K.sum_over(young, COORDINATES)), (1 - root / 2, norm)
    )
    K.conclude("ternary", bound)
    flat = K.at(K.given("flat"), j)
    same = K.cert(eq(r * u[j], r**2 / root), (r, flat))
    K.conclude(
        "ternary-attained",
        K.cert(eq(V_t, _TERNARY * r**2), (1, total), (1, K.sum_over(same, COORDINATES)), (1, norm)),
    )
    K.conclude("quarter", K.cert(le(_TERNARY, d / 4), (1, (root / 2 - 1) ** 2)))
