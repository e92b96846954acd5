r"""`squant/gain-vary`: varying steps against a uniform step at the matched budget (arXiv 2106.03524)."""

from typing import Any

from sympy import IndexedBase, Max, Min, Rational, Sum, sqrt, symbols

from theory.claim import Claim, Relation, Variable
from theory.formula import eq, le, lt
from theory.hypotheses import definition, domain, model, parameter
from theory.squant.paper import PAPER
from theory.statement import statement
from theory.worst_cases import cases

n, d, L, mu, rho, beta, omega, j = symbols("n d L mu rho beta omega j", real=True)
nu_tr, L_max, trace, tr, K_std, K_vary = symbols("nu_tr L_max trace tr K_std K_vary", real=True)
D, h = IndexedBase("D", real=True), IndexedBase("h", real=True)
COORDINATES = (j, 0, d - 1)

_SMALLER = Min(n, d)
_BELOW = 1 + 2 * nu_tr * rho * _SMALLER / d
_RATIO = (1 + 2 * _SMALLER * rho) / _BELOW
_STD = (L + 2 * _SMALLER * L_max / n) / mu
_VARY = (L + 2 * trace * _SMALLER / (d * n)) / mu
_LOWER = 2 * rho / (1 + 2 * nu_tr * rho) * _SMALLER
_GAIN = K_std / K_vary
_SIZES, _ENDS = {"few": n, "many": d}, {"below": -1, "above": 1}


def _near(size: Any, offset: int) -> Any:
    """Return the bound on the ratio in family W for n and d of which `size` is the smaller one."""
    return (2 * size + offset) / (1 + 2 * size / d)


def _sum(term: Any) -> Sum:
    return Sum(term, COORDINATES)


_HYPOTHESES = {
    "n": domain(r"$n\ge1$ is an integer"),
    "d": domain(r"$d\ge1$ is an integer"),
    "signs": domain(
        r"$L,\mu,L_{\max},\max_i\mathrm{tr}\,\mathbf L_i,\beta,K_{\rm std},K_{\rm "
        r"vary},\rho,\nu_{\rm tr}>0$"
    ),
    "diagonal": domain(r"$\mathbf L_{jj}>0$, $h_j>0$"),
    "trace": definition(r"$T=\sum_j\mathbf L_{jj}$"),
    "budget": parameter(r"$\beta=\max\{1,\frac dn\}$"),
    "steps": parameter(r"$h_j=\sqrt{\frac T{\mathbf L_{jj}}}/\beta$"),
    "uniform": definition(r"$\omega=\sqrt{\sum_{j=1}^d(\frac{\sqrt d}\beta)^2}$ (the coarse bound)"),
    "std": definition(r"$K_{\rm std}=\frac{L+2\omega L_{\max}/n}\mu$ (`squant/dcgd`, at the coarse bounds)"),
    "vary": definition(
        r"$K_{\rm vary}=\frac{L+2\max_i\mathrm{tr}\,\mathbf L_i/(\beta n)}\mu$ (`squant/dcgd`, at the coarse "
        "bounds)"
    ),
    "rho": definition(r"$\rho=\frac{L_{\max}}{nL}$"),
    "nu": definition(r"$\nu_{\rm tr}=\frac{\max_i\mathrm{tr}\,\mathbf L_i}{L_{\max}}$"),
    "dominance": model(r"$L_{\max}\le nL$", reference="squant/nu"),
    "W": definition(
        r"$L_{\max}=1$, $L=\frac{1+\frac{n-1}{nd}}n$, $\max_i\mathrm{tr}\,\mathbf L_i=1+\frac{d-1}{nd}$, "
        "since the matrices are those of family W"
    ),
    "few": parameter(r"$n\le d$"),
    "many": parameter(r"$d\le n$"),
}


# Family W, with the trace and the steps of some node: 2 nodes of 3 coordinates, and 3 nodes of 2.
_FEW = {
    **{n: 2, d: 3, L: Rational(7, 12), mu: Rational(1, 2), L_max: 1, trace: Rational(4, 3), omega: 2},
    **{rho: Rational(6, 7), nu_tr: Rational(4, 3), K_std: Rational(31, 6), K_vary: Rational(53, 18)},
    **{beta: Rational(3, 2), tr: 49, D: (4, 9, 36), h: (Rational(7, 3), Rational(14, 9), Rational(7, 9))},
}
_MANY = {n: 3, d: 2, mu: Rational(1, 3), D: (9, 16), h: (Rational(5, 3), Rational(5, 4))}


CLAIM = Claim(
    id="squant/gain-vary",
    kind="scaling",
    provenance="abstract",
    title="At the matched budget varying steps save order min(n, d) if one node dominates in few coordinates",
    position=21,
    paper=PAPER,
    **statement(
        r"""
        Both methods have one norm in a message and the same budget $\beta$, so the same bits: DCGD with a
        uniform step, which ignores the matrices, and DCGD+ with varying steps. $K_{\rm std}$ and $K_{\rm
        vary}$ are the condition numbers of `squant/dcgd` at the coarse bounds, $\omega$ is the coarse bound
        of the uniform step, $\rho=\frac{L_{\max}}{nL}$ and $\nu_{\rm tr}=\frac{\max_i\mathrm{tr}\,\mathbf
        L_i}{L_{\max}}$.
        (a: budget, omega) $\max\{1,\frac dn\}=\frac d{\min\{n,d\}}$; at $\beta=\max\{1,\frac dn\}$
          therefore $\omega=\min\{n,d\}$. [proof; exact/budget; exact/omega]
        (b: steps-budget, steps-bound) With $T=\sum_j\mathbf L_{jj}$ the steps $h_j=\sqrt{\frac T{\mathbf
          L_{jj}}}/\beta$ have the budget $\sum_j\frac1{h_j^2}=\beta^2$ and the coarse bound
          $\sqrt{\sum_j\mathbf L_{jj}^2h_j^2}=\frac T\beta$. [proof; exact/budget of the steps; exact/coarse
          bound of the steps]
        (c: std, vary) $$K_{\rm std}=\frac{L+2\min\{n,d\}L_{\max}/n}\mu,\qquad K_{\rm
          vary}=\frac{L+2\max_i\mathrm{tr}\,\mathbf L_i\min\{n,d\}/(dn)}\mu.$$ [proof; exact/rounds with a
          uniform step; exact/rounds with varying steps]
        (d: ratio) $$\frac{K_{\rm std}}{K_{\rm vary}}=\frac{1+2\min\{n,d\}\rho}{1+2\nu_{\rm
          tr}\rho\min\{n,d\}/d}.$$ [proof; exact/ratio of rounds]
        (e: order) $$\frac{2\rho}{1+2\nu_{\rm tr}\rho}\min\{n,d\}\le\frac{K_{\rm std}}{K_{\rm
          vary}}\le3\min\{n,d\}.$$ [proof; exact/ratio, from below; exact/ratio, from above]
        (f: W) <<In family W (one node has an entry 1, all other entries of all nodes are $\frac1{nd}$) ->
          exact/ratio in family W>> $$\frac{\min\{n,d\}}3\le\frac{K_{\rm std}}{K_{\rm
          vary}}\le3\min\{n,d\}.$$ [proof; exact/ratio in family W; exact/ratio, from above]
        (g: few, many) There, if $n\le d$, the ratio is of order $n$: $$\frac{2n-1}{1+2n/d}\le\frac{K_{\rm
          std}}{K_{\rm vary}}\le\frac{2n+1}{1+2n/d}.$$ If $d\le n$, both bounds are free of $n$:
          $$\frac{2d-1}3\le\frac{K_{\rm std}}{K_{\rm vary}}\le\frac{2d+1}3.$$ [proof; exact/ratio for few
          nodes, from below; exact/ratio for few nodes, from above; exact/ratio for many nodes, from below;
          exact/ratio for many nodes, from above]
        """
    ),
    variables=(
        Variable(n, "n", r"\mathbb N", "number of nodes"),
        Variable(d, "d", r"\mathbb N", "number of coordinates"),
        Variable(L, "L", r"\mathbb R_{>0}", r"$\lambda_{\max}$ of the mean smoothness matrix"),
        Variable(mu, r"\mu", "(0,L]", "strong convexity of $f$"),
        Variable(L_max, r"L_{\max}", "[L,nL]", r"$\max_i\lambda_{\max}(\mathbf L_i)$"),
        Variable(trace, r"\max_i\mathrm{tr}\,\mathbf L_i", r"\mathbb R_{>0}", "largest trace"),
        Variable(rho, r"\rho", "[1/n,1]", r"$L_{\max}/(nL)$, 1 where one node dominates"),
        Variable(nu_tr, r"\nu_{\rm tr}", "[1,d]", "largest trace over $L_{\\max}$"),
        Variable(beta, r"\beta", r"\mathbb R_{>0}", "budget of both methods"),
        Variable(omega, r"\omega", r"\mathbb R_{>0}", "variance constant of the uniform step"),
        Variable(K_std, r"K_{\rm std}", r"\mathbb R_{>0}", "condition number of DCGD"),
        Variable(K_vary, r"K_{\rm vary}", r"\mathbb R_{>0}", "condition number of DCGD+"),
        Variable(D, r"\mathbf L_{#1#1}", r"\mathbb R^d_{>0}", r"diagonal of $\mathbf L$", "(d,)"),
        Variable(h, "h", r"\mathbb R^d_{>0}", "steps of a node", "(d,)"),
        Variable(tr, "T", r"\mathbb R_{>0}", r"trace of $\mathbf L$"),
    ),
    notation={r"\mathbf L": "smoothness matrix of a node"},
    hypotheses=_HYPOTHESES,
    relations={
        "budget": Relation((Max(1, d / n), d / _SMALLER), ("=",)),
        "omega": Relation((omega, _SMALLER), ("=",), under=("budget",)),
        "steps-budget": Relation((_sum(1 / h[j] ** 2), beta**2), ("=",), under=("steps",)),
        "steps-bound": Relation((sqrt(_sum(D[j] ** 2 * h[j] ** 2)), tr / beta), ("=",), under=("steps",)),
        "std": Relation((K_std, _STD), ("=",), under=("budget",)),
        "vary": Relation((K_vary, _VARY), ("=",), under=("budget",)),
        "ratio": Relation((_GAIN, _RATIO), ("=",), under=("budget",)),
        "order": Relation((_LOWER, _GAIN, 3 * _SMALLER), ("<=", "<="), under=("budget",)),
        "W": Relation((_SMALLER / 3, _GAIN, 3 * _SMALLER), ("<=", "<="), under=("budget", "W")),
        **{
            name: Relation(
                (_near(size, -1), _GAIN, _near(size, 1)), ("<=", "<="), under=("budget", "W", name)
            )
            for name, size in _SIZES.items()
        },
    },
    formulas={
        "exact": _RATIO,
        "budget": d / _SMALLER,
        "omega": _SMALLER,
        "condition_std": _STD,
        "condition_vary": _VARY,
        "lower": _LOWER,
        "upper": 3 * _SMALLER,
        "family_lower": _SMALLER / 3,
        "step_bound": tr / beta,
        **{f"{name}_{end}": _near(_SIZES[name], _ENDS[end]) for name in _SIZES for end in _ENDS},
    },
    worst_cases=cases("""
        family W, $d=64$, $n=4$ | n = 4, d = 64, rho = 256/259, nu_tr = 319/256, L = 259/1024 | 6152/797
        family W, $d=64$, $n=16$ | n = 16, d = 64, rho = 1024/1039, nu_tr = 1087/1024, L = 1039/16384
          | 22538/1055
        family W, $d=64$, $n=64$ | n = 64, d = 64, rho = 4096/4159, nu_tr = 4159/4096, L = 4159/262144
          | 176149/4159
        family W, $d=64$, $n=256$ | n = 256, d = 64, rho = 16384/16639, nu_tr = 16447/16384, L = 16639/4194304
          | 704597/16511
        family W, $d=64$, $n=1024$ | n = 1024, d = 64, rho = 65536/66559, nu_tr = 65599/65536,
          L = 66559/67108864 | 134209/3139
    """),
)


def derive(K: Any) -> None:
    """Prove the relations: the budget by the cases of the minimum, all else from it."""
    K.index(COORDINATES)
    K.example(_FEW)
    K.example(_MANY)
    one, below = K.axiom("min-greatest", n, d, 1), K.axiom("min-below-right", n, d)
    K.know(one, below)
    longest = K.show("budget", _budget(K))
    budget = K.cert(eq(beta, d / _SMALLER), longest, "budget")
    coarse = K.cert(eq(omega, d / beta), K.axiom("abs-of-nonnegative", d / beta), using=["uniform"])
    # beta and the minimum determine each other: d/beta - min = (d/min - beta) min/beta.
    uniform = K.show("omega", coarse, budget)
    _steps(K)
    std = K.show("std", uniform, "std")
    vary = K.show("vary", budget, "vary")
    shares = [K.given("nu"), K.given("rho")]
    ratio = K.show("ratio", std, vary, using=shares)
    _order(K, ratio, below, one)
    _family(K, ratio, below, one)


def _budget(K: Any) -> Any:
    goal, found = eq(Max(1, d / n), d / _SMALLER), []
    for size, other, case in ((n, d, le(n - d, 0)), (d, n, lt(0, n - d))):
        order = K.cert(le(d / other, d / size), K.assume(case))
        largest = K.discharge(K.axiom("max-is-right", d / other, d / size), order)
        found.append(K.cert(goal, largest, K.axiom("min-is-left", size, other)))
    return K.cases(n - d, *found)


def _steps(K: Any) -> None:
    value, bound = sqrt(tr / D[j]) / beta, tr / beta
    K.know(K.cert(lt(0, tr), "trace", K.sum_over("diagonal", COORDINATES)))
    step = K.cert(eq(h[j] ** 2, value**2), (value + h[j], K.at("steps", j)))
    total = K.sum_over(K.cert(eq(1 / h[j] ** 2, D[j] * beta**2 / tr), step), COORDINATES)
    K.show("steps-budget", total, "trace")
    noise = K.cert(eq(D[j] ** 2 * h[j] ** 2, D[j] * tr / beta**2), step)
    squares = _sum(D[j] ** 2 * h[j] ** 2)
    root = K.put_in(sqrt(squares), K.cert(eq(squares, bound**2), K.sum_over(noise, COORDINATES), "trace"))
    K.show("steps-bound", root, K.axiom("abs-of-nonnegative", bound))


def _order(K: Any, ratio: Any, below: Any, one: Any) -> None:
    dominance = K.cert(le(rho, 1), "dominance", "rho")
    rest = 6 * _SMALLER**2 * nu_tr * rho / (d * _BELOW)
    most = [ratio, (1 / _BELOW, one), dominance, (rest, 1)]
    K.show("order", [ratio, (1 / _BELOW, 1), below], most)


def _family(K: Any, ratio: Any, below: Any, one: Any) -> None:
    """Family W: the ratio between two bounds in the smaller one of n and d, whichever that is."""
    m, spread = _SMALLER, 1 + 2 * _SMALLER / d
    share = rho / (spread * _BELOW)
    using = [K.given("nu"), K.given("rho"), *(K.given("W", place) for place in range(3))]
    rest = 2 * (n - 1) * (1 + m / d) + 2 * m * (1 + 2 * m / d) + 2 * m * (d - 1) / d
    nodes = (2 * share / d, below), (4 * share * m / (n * d), K.axiom("min-below-left", n, d))
    terms = (-1, ratio), *nodes, (share, rest / (n * d))
    lower = K.cert(le(_near(m, -1), _GAIN), *terms, using=using)
    rest = 2 * m * (d - 1) * (n + 2 * m) / (n * d**2)
    upper = K.cert(le(_GAIN, _near(m, 1)), (1, ratio), (share, rest), using=using)
    K.show("W", [lower, (1 / spread, one), below], [upper, one, (6 * m**2 / (d * spread), 1)])
    for name, size, other in (("few", n, d), ("many", d, n)):
        smaller = K.axiom("min-is-left", size, other)
        K.conclude(name, K.rewrite(lower, smaller), K.rewrite(upper, smaller))
