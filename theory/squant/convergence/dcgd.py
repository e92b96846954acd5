r"""`squant/dcgd`: rate of DCGD+ to a neighbourhood of the solution (arXiv 2106.03524)."""

from typing import Any

from sympy import IndexedBase, Rational, Sum, oo, symbols

from theory.claim import Claim, Relation, Variable
from theory.expectation import E
from theory.facts.young import young
from theory.formula import eq, le
from theory.hypotheses import definition, domain, model, parameter
from theory.squant.paper import PAPER
from theory.statement import statement
from theory.worst_cases import cases

n, d, L, mu, gamma, k, i, j, l = symbols("n d L mu gamma k i j l", real=True)
Lcal_max, distance, drift, sigma, omega = symbols("Lcal_max distance drift sigma omega", real=True)
R_next, D = symbols("R_next D", real=True)
Lcal, s, V, r = symbols("Lcal s V r", cls=IndexedBase, real=True)
p, p_star, v, e, y, z, D_i = symbols("p p_star v e y z D_i", cls=IndexedBase, real=True)
NODES, COORDINATES = (i, 0, n - 1), (j, 0, d - 1)


def nodes(term: Any) -> Sum:
    """Return the sum over the nodes."""
    return Sum(term, NODES)


def coordinates(term: Any) -> Sum:
    """Return the sum over the coordinates."""
    return Sum(term, COORDINATES)


_STEP = 1 / (L + 2 * Lcal_max / n)
_ONE_STEP = (1 - gamma * mu) * distance + 2 * gamma**2 * sigma / n
_RATE = (1 - gamma * mu) ** k * distance + 2 * gamma * sigma / (mu * n)
EXACT_STEP = drift + gamma**2 / n**2 * nodes(V[i])
_CONDITION = (L + 2 * Lcal_max / n) / mu
# One coordinate of x - gamma g - x* before the prox; e_i is the error of node i in this coordinate.
_MOVED = E((z[j] - gamma * (y[j] + nodes(e[i]) / n)) ** 2, e, NODES, mean=0, variance=v[i, j])
_difference = coordinates((p[i, j] - p_star[i, j]) ** 2)

_HYPOTHESES = {
    "n": domain(r"$n\ge1$ is an integer"),
    "d": domain(r"$d\ge1$ is an integer"),
    "signs": domain(r"$L,\mu,\gamma>0$"),
    "variances": domain(r"$v_{ij}\ge0$"),
    "constants": domain(r"$\mathcal L_i\ge0$"),
    "largest": definition(r"$\mathcal L_i\le\mathcal L_{\max}$ for each node"),
    "norms": definition(
        r"$\|\nabla f_i(x^\star)\|_{\mathbf L_i^+}^2=\sum_j(p^\star_{ij})^2$, since $p^\star_{ij}$ are the "
        r"entries of $\mathbf L_i^{+1/2}\nabla f_i(x^\star)$"
    ),
    "noise": definition(
        r"$\sigma_\star^2=\frac1n\sum_i\mathcal L_i\|\nabla f_i(x^\star)\|_{\mathbf L_i^+}^2$"
    ),
    "distance": definition(r"$\|x-x^\star\|^2=\sum_jz_j^2$, since $z_j$ are the entries of $x-x^\star$"),
    "bregman": definition(r"$D_f(x,x^\star)=\frac1n\sum_iD_{f_i}(x,x^\star)$"),
    "errors": definition(
        r"$\mathbb E\|\Delta_i-y_i\|_{\mathbf L_i}^2=\sum_jv_{ij}$, since $v_{ij}$ are the variances of the "
        "decoded error of node $i$"
    ),
    "drift": definition(
        r"$\|x-\gamma\nabla f(x)-x^\star\|^2=\sum_j(z_j-\gamma b_j)^2$, since $\nabla f(x^\star)$ vanishes"
    ),
    "step": parameter(r"$\gamma\le\frac1{L+2\mathcal L_{\max}/n}$"),
    "prox": model(
        r"$\mathbb E\|x^+-x^\star\|^2\le\sum_j\mathbb E\bigl((z_j-\gamma(b_j+\frac1n"
        r"\sum_ie_i))^2\bigr)$, over uncorrelated $e_i$, $1\le i\le n$, with mean $0$ and "
        "variance $v_{ij}$, since the prox is nonexpansive",
        reference="H. H. Bauschke and P. L. Combettes, Convex Analysis and Monotone Operator Theory, 2nd "
        "ed., prop. 12.28, 26.1",
    ),
    "without-prox": model(
        r"$\mathbb E\|x^+-x^\star\|^2=\sum_j\mathbb E\bigl((z_j-\gamma(b_j+\frac1n"
        r"\sum_ie_i))^2\bigr)$, over uncorrelated $e_i$, $1\le i\le n$, with mean $0$ and "
        "variance $v_{ij}$, since $R$ vanishes"
    ),
    "compressor": model(
        r"$\mathbb E\|\Delta_i-y_i\|_{\mathbf L_i}^2\le\mathcal L_i\sum_jp_{ij}^2$, since $p_{ij}$ are the "
        "entries of $y_i$"
    ),
    "cocoercive": model(
        r"A1: $\sum_j(p_{ij}-p^\star_{ij})^2\le2D_{f_i}(x,x^\star)$, since the sum is $\|\nabla "
        r"f_i(x)-\nabla f_i(x^\star)\|_{\mathbf L_i^+}^2$",
        reference="squant/range",
    ),
    "mean-cocoercive": model(
        r"A1: $\sum_jb_j^2\le2LD_f(x,x^\star)$, since $b_j$ are the entries of $\nabla f(x)-\nabla "
        r"f(x^\star)$",
        reference="squant/range",
    ),
    "strong": model(
        r"A2: $D_f(x,x^\star)+\frac\mu2\|x-x^\star\|^2\le\sum_jb_jz_j$, since the sum is "
        r"$\langle\nabla f(x)-\nabla f(x^\star),x-x^\star\rangle$"
    ),
    "order": model(r"$\mu\le L$ (A1 and A2)"),
    "tower": model(
        r"$\mathbb E\|x^{l+1}-x^\star\|^2\le(1-\gamma\mu)\mathbb "
        r"E\|x^l-x^\star\|^2+\frac{2\gamma^2\sigma_\star^2}n$, $\mathbb "
        r"E\|x^0-x^\star\|^2=\|x^0-x^\star\|^2$, since the tower property takes the bound of a step "
        "from round to round"
    ),
    "largest-step": parameter(r"$\gamma=\frac1{L+2\mathcal L_{\max}/n}$"),
    "sharp": parameter(r"$\gamma=\frac1{1+2\omega}$, $\omega,\|x-x^\star\|^2>0$"),
    "sphere": model(
        r"$n=1$, $L=1$, $\mu=1$, since $f(x)$ is $\frac12\|x\|^2$; $\|x-\gamma\nabla "
        r"f(x)-x^\star\|^2=(1-\gamma)^2\|x-x^\star\|^2$; $\mathbb E\|\Delta_1-y_1\|_{\mathbf "
        r"L_1}^2=\omega\|x-x^\star\|^2$, since the variance is $\omega\|x\|^2$; $\sigma_\star^2=0$, "
        r"since $\nabla f_1(x^\star)$ vanishes"
    ),
}

CLAIM = Claim(
    id="squant/dcgd",
    kind="rate",
    provenance="rederived",
    title="Rate of DCGD+ to a neighbourhood of the solution",
    position=13,
    paper=PAPER,
    **statement(
        r"""
        Minimise $\frac1n\sum_if_i+R$ under A1 (each $f_i$ is convex and $\mathbf L_i$-smooth), A2 ($f$ is
        $\mu$-strongly convex, $R$ proper, closed and convex) and A3 ($\nabla
        f_i(x)\in\mathrm{range}(\mathbf L_i)$), with unbiased compressors $C_i$, independent over nodes and
        rounds, and constants $\mathcal L_i$ of theirs. DCGD+: $\Delta_i=C_i(y_i)$, $y_i=\mathbf
        L_i^{+1/2}\nabla f_i(x)$, $x^+=\mathrm{prox}_{\gamma R}(x-\gamma g)$ with the estimate
        $g=\frac1n\sum_i\mathbf L_i^{1/2}\Delta_i$ of the gradient.
        (a: one-step) One step: if $\gamma\le\frac1{L+2\mathcal L_{\max}/n}$, then $$\mathbb
          E\|x^+-x^\star\|^2\le(1-\gamma\mu)\|x-x^\star\|^2+\frac{2\gamma^2\sigma_\star^2}n,\qquad\
          \sigma_\star^2=\frac1n\sum_i\mathcal L_i\|\nabla f_i(x^\star)\|_{\mathbf L_i^+}^2.$$ [proof;
          run/one step; run/literal iterate; run/literal bits]
        (b: rate) Hence, with (a) in each round, for every $k$, $$\mathbb
          E\|x^k-x^\star\|^2\le(1-\gamma\mu)^k\|x^0-x^\star\|^2+\frac{2\gamma\sigma_\star^2}{\mu n}.$$
          [proof; run/distances over rounds]
        (c: condition) The largest step size $\gamma=\frac1{L+2\mathcal L_{\max}/n}$ gives
          $\frac1{\gamma\mu}=\frac{L+2\mathcal L_{\max}/n}\mu$. [proof]
        (d: exact) Without regulariser, $$\mathbb E\|x^+-x^\star\|^2=\|x-\gamma\nabla
          f(x)-x^\star\|^2+\frac{\gamma^2}{n^2}\sum_i\mathbb E\|\Delta_i-y_i\|_{\mathbf L_i}^2.$$ [proof;
          montecarlo/sampled step]
        (e: sharp) <<The bound of one step is nearly attained for large $\omega$ -> run/sharp ratio>>: <<for
          one node with $f=\frac12\|x\|^2$, no regulariser, and a variance of $\omega\|x\|^2$ -> run/sharp
          ratio>>, $\omega,\|x-x^\star\|^2>0$, at the largest step size $\gamma=\frac1{1+2\omega}$, $\mathbb
          E\|x^+-x^\star\|^2=\frac{4\omega+1}{4\omega+2}(1-\gamma\mu)\|x-x^\star\|^2$. [proof; run/sharp
          ratio]
        """
    ),
    variables=(
        Variable(n, "n", r"\mathbb N", "number of nodes"),
        Variable(d, "d", r"\mathbb N", "number of coordinates"),
        Variable(L, "L", r"\mathbb R_{>0}", r"$\lambda_{\max}$ of the mean smoothness matrix"),
        Variable(mu, r"\mu", "(0,L]", "strong convexity of $f$"),
        Variable(gamma, r"\gamma", r"(0,1/(L+2\mathcal L_{\max}/n)]", "step size"),
        Variable(Lcal, r"\mathcal L", r"\mathbb R^n_{\ge0}", r"constants of the compressors", "(n,)"),
        Variable(Lcal_max, r"\mathcal L_{\max}", r"\mathbb R_{\ge0}", r"$\max_i\mathcal L_i$"),
        Variable(
            s,
            r"\|\nabla f_{#1}(x^\star)\|_{\mathbf L_{#1}^+}^2",
            r"\mathbb R^n_{\ge0}",
            "norms of the gradients at the solution",
            "(n,)",
        ),
        Variable(
            p_star,
            r"p^\star",
            r"\mathbb R^{n\times d}",
            r"entries of $\mathbf L_i^{+1/2}\nabla f_i(x^\star)$",
            "(n, d)",
        ),
        Variable(p, "p", r"\mathbb R^{n\times d}", r"entries of $\mathbf L_i^{+1/2}\nabla f_i(x)$", "(n, d)"),
        Variable(z, "z", r"\mathbb R^d", r"entries of $x-x^\star$", "(d,)"),
        Variable(y, "b", r"\mathbb R^d", r"entries of $\nabla f(x)-\nabla f(x^\star)$", "(d,)"),
        Variable(D, r"D_f(x,x^\star)", r"\mathbb R_{\ge0}", "Bregman distance"),
        Variable(
            D_i, r"D_{f_{#1}}(x,x^\star)", r"\mathbb R^n_{\ge0}", "Bregman distances of the nodes", "(n,)"
        ),
        Variable(
            V,
            r"\mathbb E\|\Delta_{#1}-y_{#1}\|_{\mathbf L_{#1}}^2",
            r"\mathbb R^n_{\ge0}",
            "variances of the messages at $x$",
            "(n,)",
        ),
        Variable(
            v, "v", r"\mathbb R^{n\times d}_{\ge0}", "variances of the decoded errors by coordinate", "(n, d)"
        ),
        Variable(sigma, r"\sigma_\star^2", r"\mathbb R_{\ge0}", "noise at the solution"),
        Variable(
            distance,
            r"\|x-x^\star\|^2",
            r"\mathbb R_{\ge0}",
            "distance of the current point; in the rate of the start",
            aliases=(r"\|x^0-x^\star\|^2",),
        ),
        Variable(drift, r"\|x-\gamma\nabla f(x)-x^\star\|^2", r"\mathbb R_{\ge0}", "distance without noise"),
        Variable(R_next, r"\mathbb E\|x^+-x^\star\|^2", r"\mathbb R_{\ge0}", "after one step"),
        Variable(
            r, r"\mathbb E\|x^{#1}-x^\star\|^2", r"\mathbb R_{\ge0}", "after $k$ rounds", "(oo,)", first=0
        ),
        Variable(k, "k", r"\mathbb N_0", "number of rounds"),
        Variable(omega, r"\omega", r"\mathbb R_{\ge0}", "variance constant of the compressor"),
        Variable(e, "e", r"\mathbb R^n", "errors of the nodes in a coordinate", "(n,)"),
    ),
    hypotheses=_HYPOTHESES,
    ranges={"l": (0, oo)},
    relations={
        "one-step": Relation((R_next, _ONE_STEP), ("<=",), under=("step", "prox")),
        "rate": Relation((r[k], _RATE), ("<=",), every=((k, 0, oo),), under=("step", "tower")),
        "condition": Relation((1 / (gamma * mu), _CONDITION), ("=",), under=("largest-step",)),
        "exact": Relation((R_next, EXACT_STEP), ("=",), under=("without-prox", "drift")),
        "sharp": Relation(
            (R_next, (4 * omega + 1) / (4 * omega + 2) * (1 - gamma * mu) * distance),
            ("=",),
            under=("without-prox", "drift", "sharp", "sphere"),
        ),
    },
    formulas={
        "bound": _RATE,
        "step_size": _STEP,
        "condition": _CONDITION,
        "one_step": _ONE_STEP,
        "one_step_exact": EXACT_STEP,
        "rate": _RATE,
        "neighbourhood": 2 * gamma * sigma / (mu * n),
        "sigma_star": nodes(Lcal[i] * s[i]) / n,
        "sharp_ratio": (4 * omega + 1) / (4 * omega + 2),
    },
    internal={
        "step_size": "the largest step size, said as the hypothesis of part (c)",
        "sigma_star": "the definition of the noise",
    },
    worst_cases=cases(r"""
        S1: both matrices diagonal | gamma = 16/45, sigma = 13/50, mu = 1, n = 2, distance = 369/25
          | (1 - gamma) * distance + gamma**2 * sigma
        SHARP: $n=1$, $f=\frac12\|x\|^2$, $x=\mathbf 1$, $h\sqrt d=1+\omega$; left over right | d = 100,
          h = 1, omega = 9, L = 1, mu = 1, gamma = 1/19, sigma = 0 | 37/38
    """),
)


# S1: f_i = |x - b_i|^2/2 in the norms of diag(4, 1) and I, b = (1, 0), (-1, 0), steps 1/2, at x = (3, 3).
_GAMMA = Rational(16, 45)
S1: dict[Any, Any] = {n: 2, d: 2, L: Rational(5, 2), mu: 1, gamma: _GAMMA, y: (6, 3), z: (Rational(12, 5), 3)}
S1 |= {Lcal: (Rational(5, 16), Rational(1, 8)), Lcal_max: Rational(5, 16), v: ((6, 1), (Rational(3, 2), 1))}
S1 |= {p: ((4, 3), (4, 3)), p_star: ((Rational(-4, 5), 0), (Rational(8, 5), 0))}
S1 |= {D_i: (Rational(801, 50), Rational(369, 50))}
S1 |= {R_next: Rational(4, 15) ** 2 + Rational(29, 15) ** 2 + _GAMMA**2 * Rational(19, 8)}

# SHARP at d = 1, omega = 1.
SHARP: dict[Any, Any] = {n: 1, d: 1, L: 1, mu: 1, omega: 1, sigma: 0, distance: 1, gamma: Rational(1, 3)}
SHARP |= {v: ((1,),), y: (1,), z: (1,), R_next: Rational(5, 9)}


def derive(K: Any) -> None:
    """Prove the relations."""
    K.index(NODES, COORDINATES)
    K.example(S1)
    K.example(SHARP)
    largest = K.cert(le(0, Lcal_max), K.at("largest", 0), K.at("constants", 0))
    K.know(largest, K.cert(le(0, D), "mean-cocoercive"))
    step_size = K.cert(le(gamma * (L + 2 * Lcal_max / n), 1), "step")

    moved = exact_step(K)

    # The variance of a node, by Young's inequality.
    entries = K.sum_over(young(K, p[i, j] - p_star[i, j], p_star[i, j]), COORDINATES)
    node = K.cert(
        le(V[i], 2 * Lcal_max * _difference + 2 * Lcal[i] * s[i]),
        "compressor",
        entries,
        (2 * _difference, K.at("largest", i)),
        "norms",
    )
    K.show(
        "one-step",
        (1, K.given("prox")),
        (1, moved),
        (2 * gamma, K.given("strong")),
        (gamma**2, K.given("mean-cocoercive")),
        (gamma**2 / n**2, K.sum_over(node, NODES)),
        (2 * gamma**2 * Lcal_max / n**2, K.sum_over("cocoercive", NODES)),
        (2 * gamma * D, step_size),
        using=["noise", "distance", "bregman"],
    )

    exact = K.show("exact", "without-prox", moved, using=["drift"])
    _rate(K, step_size)
    K.show("condition", using=["largest-step"])
    _sharp(K, exact)


def exact_step(K: Any) -> Any:
    """Return the exact distance without prox: independent errors of the nodes add up in each coordinate."""
    coordinate = K.identity(_MOVED, (z[j] - gamma * y[j]) ** 2 + gamma**2 / n**2 * nodes(v[i, j]))
    errors = K.sum_over("errors", NODES)
    noise = gamma**2 / n**2 * nodes(V[i])
    exact = eq(coordinates(_MOVED), coordinates((z[j] - gamma * y[j]) ** 2) + noise)
    return K.cert(exact, (1, K.sum_over(coordinate, COORDINATES)), errors)


def _rate(K: Any, step_size: Any) -> None:
    factor = K.cert(le(0, 1 - gamma * mu), step_size, "order", (2 * gamma * Lcal_max / n, 1))
    norm = K.cert(le(0, Lcal[i] * s[i]), "norms", (Lcal[i], coordinates(p_star[i, j] ** 2)))
    K.know(factor, K.cert(le(0, sigma), K.sum_over(norm, NODES), using=["noise"]))
    base = K.cert(le(r[0], _RATE.subs(k, 0)), K.given("tower", 1))
    step = K.cert(le(r[k + 1], _RATE.subs(k, k + 1)), K.at("tower", k), K.assume(le(r[k], _RATE)))
    K.conclude("rate", K.induction(k, base, step))


def _sharp(K: Any, exact: Any) -> None:
    step_size = K.given("sharp")
    one_node, _, unit_mu, moved, variance = (K.given("sphere", k) for k in range(5))
    K.know(K.given("sharp", 1))
    exact = K.rewrite(exact, one_node, side="right")
    K.show("sharp", exact, variance, using=[moved, unit_mu, step_size])
