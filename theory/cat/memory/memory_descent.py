r"""`cat/memory-descent`: one round of gradient descent with memory (error feedback; arXiv 2003.06377).

After Stich, Cordonnier and Jaggi (arXiv 1809.07599) and Stich and Karimireddy (arXiv 1909.05350): a virtual
point, the point less what is in the memory, makes a step of gradient descent. The constants are derived here.
"""

from typing import Any

from sympy import IndexedBase, Rational, Sum, symbols

from theory.cat.paper import PAPER
from theory.claim import Claim, Relation, Variable
from theory.facts.sums.cauchy_schwarz import cauchy_schwarz
from theory.facts.young import young
from theory.formula import eq, le
from theory.hypotheses import definition, domain, model, parameter
from theory.statement import statement
from theory.worst_cases import cases

d, n, i, j, gamma, L, mu, r, B, Z, L_max = symbols("d n i j gamma L mu r B Z L_max", real=True)
D, D_next, A, G, S, H, H_next, G_nodes = symbols("D D_next A G S H H_next G_nodes", real=True)
cross, along, gap, optimal = symbols("cross along gap optimal", real=True)
x, x_next, a, g, u = symbols("x x_next a g u", cls=IndexedBase, real=True)
h, h_next, q, v, s = symbols("h h_next q v s", cls=IndexedBase, real=True)
ALL, NODES = (j, 0, d - 1), (i, 0, n - 1)


def _mean(term: Any) -> Any:
    """Return the mean over the nodes."""
    return Sum(term, NODES) / n


def _squares(family: Any) -> Any:
    """Return the mean square over the nodes."""
    return Sum(Sum(family[i, j] ** 2, ALL), NODES) / n


_NOISE = gamma**3 * L**2 * r**2 / (1 - r) ** 2
_HALF_WEIGHT, _WEIGHT = gamma**3 * L**2 / (2 * (1 - r)), gamma**3 * L**2 / (1 - r)
_FACTOR = 1 - gamma * mu

CLAIM = Claim(
    id="cat/memory-descent",
    kind="upper",
    provenance="derived",
    title="One round of gradient descent with memory",
    position=36,
    paper=PAPER,
    **statement(
        r"""
        Node $i$ sends $v_i=C(h_i+q_i)$, where $q_i$ is its gradient at the point $x$, and keeps
        $h_i^+=h_i+q_i-v_i$; the mean of the nodes is $f$, which is $L$-smooth, and $x^+$ the next point. The
        virtual point is $x$ less $\gamma$ times the mean memory. $D$ is the gap of $f$ there, $A$ the squared
        gradient there, $G$ that at $x$; $H$ is the mean square of the memories, $M$ that of the gradients of
        the nodes. $C$ is a contraction with the $r$ of `cat/memory-bounded`; what is after a round is
        expected.
        (a: virtual) The virtual point makes a step of gradient descent: $$x_j^+-\frac\gamma
          n\sum_{i=1}^nh_{ij}^+=x_j-\frac\gamma n\sum_{i=1}^nh_{ij}-\frac\gamma n\sum_{i=1}^nq_{ij}.$$ [proof;
          exact/virtual point; run/virtual point]
        (b: mean) The mean of the memories is no longer than they are:
          $$\sum_{j=1}^d\Big(\frac1n\sum_{i=1}^nh_{ij}\Big)^2\le\frac1n\sum_{i=1}^n\sum_{j=1}^dh_{ij}^2.$$
          [proof; exact/mean memory]
        (c: descent) So $$D^+\le D-\frac\gamma2A-\frac\gamma2(1-L\gamma)G+\frac{\gamma^3L^2}2H.$$ [proof;
          exact/descent; run/descent]
        (d: round) If $M\le BG+\zeta^2$ and $4\gamma^2L^2B\le(1-r)^2$, then with a weight of
          the memories $$D^++\frac{\gamma^3L^2}{2(1-r)}H^+\le
          D+\frac{\gamma^3L^2}{2(1-r)}H-\frac\gamma4G+\frac{\gamma^3L^2r^2}{2(1-r)^2}\zeta^2.$$ [proof;
          exact/round; run/round]
        (e: polyak) If also $2\mu D\le A$ (Polyak-Łojasiewicz) and $\mu\le L$, then with twice that weight
          $$D^++\frac{\gamma^3L^2}{1-r}H^+\le(1-\gamma\mu)\Big(D+\frac{\gamma^3L^2}{1-r}H\Big)+\
          \frac{\gamma^3L^2r^2}{(1-r)^2}\zeta^2.$$ [proof; exact/polyak round; run/polyak round]
        (f: point) The gap of $x$ itself is at most $$f(x)-f^\star\le2D+L\gamma^2H.$$ [proof; exact/point;
          run/point]
        (g: dissimilar) Convex nodes that are $L_{\max}$-smooth, where $f$ is $\mu$-strongly convex, have
          such $B$ and $\zeta^2$: $$M\le\frac{2L_{\max}}\mu G+2\sigma^2,$$ where
          $\sigma^2$ is the mean of their squared gradients at the solution. [proof; exact/dissimilar]
        """
    ),
    variables=(
        Variable(d, "d", r"\mathbb N", "number of coordinates"),
        Variable(n, "n", r"\mathbb N", "number of nodes"),
        Variable(gamma, r"\gamma", r"\mathbb R_{>0}", "step size"),
        Variable(L, "L", r"\mathbb R_{>0}", "smoothness constant of $f$"),
        Variable(L_max, r"L_{\max}", r"\mathbb R_{>0}", "largest smoothness constant of a node"),
        Variable(mu, r"\mu", r"\mathbb R_{>0}", "constant of the Polyak-Łojasiewicz inequality"),
        Variable(r, "r", "[0,1)", r"$\sqrt{1-\delta}$ of a contraction with $\delta$"),
        Variable(B, "B", r"\mathbb R_{\ge1}", "dissimilarity of the nodes, in proportion to the gradient"),
        Variable(Z, r"\zeta^2", r"\mathbb R_{\ge0}", "dissimilarity of the nodes, everywhere"),
        Variable(optimal, r"\sigma^2", r"\mathbb R_{\ge0}", "mean squared gradient at the solution"),
        Variable(D, "D", r"\mathbb R_{\ge0}", "gap of the virtual point"),
        Variable(D_next, "D^+", r"\mathbb R_{\ge0}", "gap of the next one"),
        Variable(A, "A", r"\mathbb R_{\ge0}", "squared gradient at the virtual point"),
        Variable(G, "G", r"\mathbb R_{\ge0}", "squared gradient at the point"),
        Variable(H, "H", r"\mathbb R_{\ge0}", "mean square of the memories"),
        Variable(H_next, "H^+", r"\mathbb R_{\ge0}", "the next one, in expectation"),
        Variable(G_nodes, "M", r"\mathbb R_{\ge0}", "mean square of the gradients of the nodes"),
        Variable(gap, r"f(x)-f^\star", r"\mathbb R_{\ge0}", "gap of the point"),
        Variable(x, "x", r"\mathbb R^d", "point", "(d,)"),
        Variable(x_next, "x_{#1}^+", r"\mathbb R^d", "next point", "(d,)"),
        Variable(h, "h", r"\mathbb R^{n\times d}", "memories", "(n,d)"),
        Variable(h_next, "h_{#1#2}^+", r"\mathbb R^{n\times d}", "next memories", "(n,d)"),
        Variable(a, "a", r"\mathbb R^d", "gradient at the virtual point", "(d,)"),
        Variable(g, "g", r"\mathbb R^d", "gradient at the point", "(d,)"),
        Variable(u, "u", r"\mathbb R^d", "mean memory", "(d,)"),
        Variable(S, r"\|u\|^2", r"\mathbb R_{\ge0}", "its square"),
        Variable(cross, r"\langle a,g\rangle", r"\mathbb R", "product of the gradients"),
        Variable(along, r"\langle a,u\rangle", r"\mathbb R", "product with the mean memory"),
        Variable(s, "s", r"\mathbb R^{n\times d}", "gradients of the nodes at the solution", "(n,d)"),
        Variable(q, "q", r"\mathbb R^{n\times d}", "gradients of the nodes", "(n,d)"),
        Variable(v, "v", r"\mathbb R^{n\times d}", "messages", "(n,d)"),
    ),
    notation={
        "C": "the contraction",
        "f": "the objective",
        "x^+": "next point",
        r"\tilde x": "virtual point",
        "h_i": "memory of a node",
        "h_i^+": "next memory of a node",
        "q_i": "gradient of a node",
        "v_i": "message",
        r"\nabla f_i(x)": "gradient of a node",
    },
    hypotheses={
        "sizes": domain(r"$d\ge1$, $n\ge1$ are integers"),
        "signs": domain(
            r"$\gamma,L,\mu,L_{\max}>0$, $0\le r<1$, $B\ge1$, $\zeta^2\ge0$, $D,A,G,H\ge0$",
        ),
        "protocol": definition(
            r"$h_{ij}^+=h_{ij}+q_{ij}-v_{ij}$ and $x_j^+=x_j-\frac\gamma n\sum_iv_{ij}$",
        ),
        "vectors": definition(
            r"$A=\sum_ja_j^2$, $G=\sum_jg_j^2$, $\|u\|^2=\sum_ju_j^2$, $\langle a,g\rangle=\sum_ja_jg_j$, "
            r"$\langle a,u\rangle=\sum_ja_ju_j$"
        ),
        "means": definition(r"$u_j=\frac1n\sum_ih_{ij}$, $H=\frac1n\sum_i\sum_jh_{ij}^2$"),
        "smooth": model(
            r"$D^+\le D-\gamma\langle a,g\rangle+\frac{L\gamma^2}2G$, "
            r"$\sum_j(a_j-g_j)^2\le L^2\gamma^2\|u\|^2$, since $f$ is $L$-smooth"
        ),
        "memory": model(
            r"$H^+\le rH+\frac{r^2}{1-r}M$, since $C$ is a contraction",
            reference="cat/memory-bounded (a), (d)",
        ),
        "similar": parameter(r"$M\le BG+\zeta^2$"),
        "step": parameter(r"$4\gamma^2L^2B\le(1-r)^2$"),
        "gradient-dominated": model(r"the Polyak-Łojasiewicz inequality: $2\mu D\le A$"),
        "order": parameter(r"$\mu\le L$"),
        "near": model(
            r"$f(x)-f^\star\le D+\gamma\langle a,u\rangle+\frac{L\gamma^2}2\|u\|^2$, $A\le2LD$, "
            "since $f$ is $L$-smooth"
        ),
        "nodes": definition(r"$M=\frac1n\sum_i\sum_jq_{ij}^2$, $\sigma^2=\frac1n\sum_i\sum_js_{ij}^2$"),
        "convex": model(
            r"$\frac1n\sum_i\sum_j(q_{ij}-s_{ij})^2\le2L_{\max}(f(x)-f^\star)$, "
            r"since smooth convex nodes are co-coercive; "
            r"$2\mu(f(x)-f^\star)\le G$, since $f$ is $\mu$-strongly convex"
        ),
    },
    relations={
        "virtual": Relation(
            (x_next[j] - gamma * _mean(h_next[i, j]), x[j] - gamma * _mean(h[i, j]) - gamma * _mean(q[i, j])),
            ("=",),
            every=(ALL,),
            under=("protocol",),
        ),
        "mean": Relation((Sum(_mean(h[i, j]) ** 2, ALL), _squares(h)), ("<=",)),
        "descent": Relation(
            (D_next, D - gamma / 2 * A - gamma / 2 * (1 - L * gamma) * G + gamma**3 * L**2 / 2 * H),
            ("<=",),
            under=("vectors", "means", "smooth"),
        ),
        "round": Relation(
            (D_next + _HALF_WEIGHT * H_next, D + _HALF_WEIGHT * H - gamma / 4 * G + _NOISE / 2 * Z),
            ("<=",),
            under=("vectors", "means", "smooth", "memory", "similar", "step"),
        ),
        "polyak": Relation(
            (D_next + _WEIGHT * H_next, _FACTOR * (D + _WEIGHT * H) + _NOISE * Z),
            ("<=",),
            under=("vectors", "means", "smooth", "memory", "similar", "step", "gradient-dominated", "order"),
        ),
        "point": Relation((gap, 2 * D + L * gamma**2 * H), ("<=",), under=("vectors", "means", "near")),
        "dissimilar": Relation(
            (G_nodes, 2 * L_max / mu * G + 2 * optimal), ("<=",), under=("nodes", "convex")
        ),
    },
    formulas={
        "bound": _FACTOR * (D + _WEIGHT * H) + _NOISE * Z,
        "descent": D - gamma / 2 * A - gamma / 2 * (1 - L * gamma) * G + gamma**3 * L**2 / 2 * H,
        "round": D + _HALF_WEIGHT * H - gamma / 4 * G + _NOISE / 2 * Z,
        "half_weight": _HALF_WEIGHT,
        "weight": _WEIGHT,
        "point": 2 * D + L * gamma**2 * H,
        "nodes": 2 * L_max / mu * G + 2 * optimal,
    },
    worst_cases=cases("""
        nothing is lost, half a step | D = 1, H = 0, Z = 0, gamma = 1/2, mu = 1, L = 1, r = 0 | 1/2
    """),
)


def derive(K: Any) -> None:
    """Prove the relations."""
    half = Rational(1, 2)
    # f(x) = x^2/2 on one node; a quarter of what is to be sent is lost, r = 1/2, gamma = 1/4.
    K.example(
        {d: 1, n: 1, gamma: half**2, L: 1, mu: 1, L_max: 1, r: half, B: 1, Z: 0, x: (1,), h: ((0,),),
         q: ((1,),), v: ((half,),), x_next: (7 * half**3,), h_next: ((half,),), a: (1,), g: (1,), u: (0,),
         A: 1, G: 1, S: 0, cross: 1, along: 0, D: half, D_next: 9 * half**5, H: 0, H_next: half**2,
         G_nodes: 1, gap: half, s: ((0,),), optimal: 0}
    )  # fmt: skip
    K.index(ALL, NODES)
    _descent(K, _steps(K))
    _nodes(K)


def _steps(K: Any) -> Any:
    """What is not sent is in the memory; return that the mean memory is no longer than all are."""
    kept = K.sum_over(K.at(K.given("protocol"), i, j), NODES)
    K.show("virtual", (1, K.at(K.given("protocol", 1), j)), (-gamma / n, kept))
    one = cauchy_schwarz(K, h[i, j], 1, NODES)
    K.show("mean", (1 / n**2, K.sum_over(one, ALL)))
    mean = _mean(h[i, j])
    square = K.cert(eq(u[j] ** 2, mean**2), (u[j] + mean, K.at(K.given("means"), j)))
    return K.cert(
        le(S, H),
        (1 / n**2, K.sum_over(one, ALL)),
        (1, K.sum_over(square, ALL)),
        (1, K.given("vectors", 2)),
        (-1, K.given("means", 1)),
    )


def _descent(K: Any, means: Any) -> None:
    """Add up smoothness, memories and the step."""
    square_a, square_g, square_u, product, inner = (K.given("vectors", place) for place in range(5))
    third, half = gamma**3 * L**2 / 2, Rational(1, 2)
    smooth, lipschitz = K.given("smooth"), K.given("smooth", 1)
    apart = K.cert(
        le(A - 2 * cross + G, L**2 * gamma**2 * S),
        (1, lipschitz),
        (1, square_a),
        (1, square_g),
        (-2, product),
    )
    descent = K.show("descent", (1, smooth), (gamma / 2, apart), (third, means))

    step, similar, memory = K.given("step"), K.given("similar"), K.given("memory")
    room = K.cert(
        le(2 * gamma * L, 1 - r), (1, step), (4 * gamma**2 * L**2, K.given("signs", 6)), squared=True
    )
    for relation, weight, left in (("round", _HALF_WEIGHT, 1), ("polyak", _WEIGHT, 2)):
        known = [
            (1, descent),
            (weight, memory),
            (weight * r**2 / (1 - r), similar),
            (left * gamma * r**2 / (8 * (1 - r) ** 2) * G, step),
            (gamma / 4 * G, room),
        ]
        if relation == "round":
            K.show(relation, *known, (gamma / 2, A), (gamma * r * (2 - r) / 8, G))
            continue
        dominated, below = K.given("gradient-dominated"), K.given("order")
        K.show(
            relation,
            *known,
            (gamma / 2, dominated),
            (gamma * (1 + r * (1 - r)) / 4, G),
            (weight * H / 2, room),
            (weight * gamma * H, below),
        )
    entry = K.cert(
        le(2 * gamma * a[j] * u[j], a[j] ** 2 / L + L * gamma**2 * u[j] ** 2),
        (1 / L, (a[j] - L * gamma * u[j]) ** 2),
    )
    K.show(
        "point",
        (1, K.given("near")),
        (half, K.sum_over(entry, ALL)),
        (1 / (2 * L), K.given("near", 1)),
        (L * gamma**2, means),
        (gamma, inner),
        (-1 / (2 * L), square_a),
        (-L * gamma**2 / 2, square_u),
    )


def _nodes(K: Any) -> None:
    """Young's inequality with the gradients at the solution."""
    entry = young(K, q[i, j] - s[i, j], s[i, j])
    K.show(
        "dissimilar",
        (1 / n, K.sum_over(K.sum_over(entry, ALL), NODES)),
        (2, K.given("convex")),
        (2 * L_max / mu, K.given("convex", 1)),
        (1, K.given("nodes")),
        (-2, K.given("nodes", 1)),
    )
