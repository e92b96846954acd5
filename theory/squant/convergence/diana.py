r"""`squant/diana`: linear rate of DIANA+ to the solution itself (arXiv 2106.03524)."""

from typing import Any

from sympy import IndexedBase, Max, Rational, oo, symbols

from theory.claim import Claim, Relation, Variable
from theory.expectation import E
from theory.facts.young import young
from theory.formula import eq, le, lt
from theory.hypotheses import definition, domain, model, parameter
from theory.squant.convergence.dcgd import CLAIM as DCGD
from theory.squant.convergence.dcgd import (
    COORDINATES,
    EXACT_STEP,
    NODES,
    D_i,
    coordinates,
    e,
    exact_step,
    nodes,
    v,
    y,
)
from theory.squant.convergence.dcgd import S1 as DCGD_S1
from theory.squant.paper import PAPER
from theory.statement import statement
from theory.worst_cases import cases

D, L, Lcal_max, R_next, d, distance, drift = symbols("D L Lcal_max R_next d distance drift", real=True)
gamma, i, j, k, l, mu, n, omega, sigma, Psi_0 = symbols("gamma i j k l mu n omega sigma Psi_0", real=True)
alpha, omega_max, sigma_next = symbols("alpha omega_max sigma_next", real=True)
Lcal, V, p, p_star, z, Ln = symbols("Lcal V p p_star z L_i", cls=IndexedBase, real=True)
q, s, t, u, u_var, w, m = symbols("q s t u u_var w m", cls=IndexedBase, real=True)
Psi, W, omegas = symbols("Psi W omega_i", cls=IndexedBase, real=True)

STEP = 1 / (L + 6 * Lcal_max / n)
LEARNING_RATE = 1 / (1 + omega_max)
WEIGHT = 4 * gamma**2 / (n * alpha)
LYAPUNOV = distance + WEIGHT * sigma
CONTRACTION = Max(1 - gamma * mu, 1 - alpha / 2)
CONDITION = Max((L + 6 * Lcal_max / n) / mu, 2 * (1 + omega_max))
RATE = CONTRACTION**k * Psi_0
EXACT_SHIFTS = nodes(Lcal[i] * (m[i] + alpha**2 * w[i])) / n
SHIFT_BOUND = (1 - alpha) * sigma + 2 * alpha * Lcal_max * D
# One coordinate of the shift's error after the round, all in the norm of L_i^+.
AWAY = p[i, j] - p_star[i, j]
BEHIND = t[i, j] - p_star[i, j]
LEARNT = (1 - alpha) * BEHIND + alpha * AWAY
MOVED = E((LEARNT + alpha * u[j]) ** 2, u, COORDINATES, mean=0, variance=u_var[i, j])
_OTHERS = {
    "signs",
    "norms",
    "noise",
    "compressor",
    "step",
    "order",
    "tower",
    "largest-step",
    "sharp",
    "sphere",
}
_HYPOTHESES = {
    **{name: item for name, item in DCGD.hypotheses.items() if name not in _OTHERS},
    "signs": domain(r"$L,\mu,\gamma,\alpha>0$"),
    "rounding": domain(r"$u_{ij}\ge0$"),
    "omegas": definition(r"$\omega_{\max}\ge0$ and $\omega_i\le\omega_{\max}$ for each node"),
    "offsets": definition(
        r"$\|h_i-\nabla f_i(x^\star)\|_{\mathbf L_i^+}^2=\sum_j(t_{ij}-p^\star_{ij})^2$, since $t_{ij}$ are "
        r"the entries of $\mathbf L_i^{+1/2}h_i$"
    ),
    "messages": definition(
        r"$\|y_i\|^2=\sum_j(p_{ij}-t_{ij})^2$, since $p_{ij}$ are the entries of $\mathbf L_i^{+1/2}\nabla "
        "f_i(x)$"
    ),
    "sigma": definition(r"$\sigma^2=\frac1n\sum_i\mathcal L_i\|h_i-\nabla f_i(x^\star)\|_{\mathbf L_i^+}^2$"),
    "means": definition(r"$m_i=\sum_j((1-\alpha)(t_{ij}-p^\star_{ij})+\alpha(p_{ij}-p^\star_{ij}))^2$"),
    "projected": definition(
        r"$w_i=\sum_ju_{ij}$, since $u_{ij}$ are the variances of $P_i(\Delta_i-y_i)$ by coordinate"
    ),
    "shifts": model(
        r"$\mathbb E\sigma_+^2=\frac1n\sum_i\mathcal "
        r"L_i\sum_j\mathbb E\bigl((\alpha(p_{ij}-p_{ij}^\star)+\alpha\varepsilon_j+(1"
        r"-\alpha)(t_{ij}-p_{ij}^\star))^2\bigr)$, over uncorrelated $\varepsilon_j$, $1\le j\le d$, with "
        r"mean $0$ and variance $u_{ij}$, since $\mathbf L_i^{+1/2}h_i$ moves to that of the gradient by "
        r"$\alpha$ times the compressed difference"
    ),
    "projection": model(r"a projection lengthens nothing: $w_i\le\mathbb E\|\Delta_i-y_i\|^2$"),
    "compressor": model(
        r"$\mathbb E\|\Delta_i-y_i\|_{\mathbf L_i}^2\le\mathcal L_i\|y_i\|^2$, $\mathbb "
        r"E\|\Delta_i-y_i\|^2\le\omega_i\|y_i\|^2$, since these are constants of $C_i$"
    ),
    "nonnegative": domain(r"$L_i\ge0$"),
    "start": domain(r"$\Psi_0\ge0$"),
    "learning-rate": parameter(r"$\alpha\le\frac1{1+\omega_{\max}}$"),
    "step": parameter(r"$\gamma\le\frac1{L+6\mathcal L_{\max}/n}$"),
    "largest-steps": parameter(r"$\gamma=\frac1{L+6\mathcal L_{\max}/n}$, $\alpha=\frac1{1+\omega_{\max}}$"),
    "tower": model(
        r"$\mathbb E\Psi_{l+1}\le\max\{1-\gamma\mu,1-\frac\alpha2\}\mathbb E\Psi_l$, $\mathbb "
        r"E\Psi_0=\Psi_0$, since the tower property takes the bound of a step from round to round"
    ),
    "tight": model(
        r"$n=1$; $t_{1j}=p^\star_{1j}$, since $h_1$ is $\nabla f(x^\star)$; "
        r"$\sum_j(p_{1j}-p^\star_{1j})^2=2D_f(x,x^\star)$, since $f$ is a quadratic of Hessian "
        r"$\mathbf L_1$; $w_1=\omega\|y_1\|^2$, since $x$ is the worst input of the compressor; "
        r"$\mathcal L_1=\mathcal L_{\max}$"
    ),
}

CLAIM = Claim(
    id="squant/diana",
    kind="rate",
    provenance="rederived",
    title="Linear rate of DIANA+",
    position=14,
    paper=PAPER,
    **statement(
        r"""
        Minimise $\frac1n\sum_if_i+R$ under A1-A3 of `squant/dcgd` with unbiased compressors $C_i$,
        independent over nodes and rounds, and constants $\omega_i$, $\mathcal L_i$ of theirs. DIANA+:
        shifts $h_i^0\in\mathrm{range}(\mathbf L_i)$, $y_i=\mathbf L_i^{+1/2}(\nabla f_i(x)-h_i)$,
        $\Delta_i=C_i(y_i)$, $x^+=\mathrm{prox}_{\gamma R}(x-\gamma g)$ with the estimate
        $g=\frac1n\sum_i(h_i+\mathbf L_i^{1/2}\Delta_i)$ of the gradient, $h_i^+=h_i+\alpha\mathbf
        L_i^{1/2}\Delta_i$. The error of the shifts is
        $\sigma^2=\frac1n\sum_i\mathcal L_i\|h_i-\nabla f_i(x^\star)\|_{\mathbf L_i^+}^2$, and
        $\Psi=\|x-x^\star\|^2+\frac{4\gamma^2}{n\alpha}\sigma^2$.
        (a: shifts) Shifts: if $\alpha\le\frac1{1+\omega_{\max}}$, then $$\mathbb
          E\sigma_+^2\le(1-\alpha)\sigma^2+2\alpha\mathcal L_{\max}D_f(x,x^\star).$$ [proof; run/error of
          the shifts; montecarlo/sampled shifts]
        (b: one-step) One step: if also $\gamma\le\frac1{L+6\mathcal L_{\max}/n}$, then $$\mathbb
          E\|x^+-x^\star\|^2+\frac{4\gamma^2}{n\alpha}\mathbb E\sigma_+^2\le\max\Big\{1-\gamma\mu,1-\frac\
          \alpha2\Big\}\Big(\|x-x^\star\|^2+\frac{4\gamma^2}{n\alpha}\sigma^2\Big).$$ [proof; run/Lyapunov
          function; montecarlo/sampled distance; run/literal iterate; run/literal shift; run/literal bits;
          run/difference of f]
        (c: rate) Hence, with (b) in each round, for every $k$, $$\mathbb
          E\Psi_k\le\max\Big\{1-\gamma\mu,1-\frac\alpha2\Big\}^k\Psi_0.$$ [proof; run/Lyapunov function over
          rounds; run/distance of the limit]
        (d: condition) At $\gamma=\frac1{L+6\mathcal L_{\max}/n}$, $\alpha=\frac1{1+\omega_{\max}}$:
          $$\max\Big\{1-\gamma\mu,1-\frac\alpha2\Big\}=1-\frac1{\max\{(L+6\mathcal
          L_{\max}/n)/\mu,2(1+\omega_{\max})\}}.$$ [proof]
        (e: exact) Without regulariser, $$\mathbb E\|x^+-x^\star\|^2=\|x-\gamma\nabla
          f(x)-x^\star\|^2+\frac{\gamma^2}{n^2}\sum_i\mathbb E\|\Delta_i-y_i\|_{\mathbf L_i}^2.$$ [proof;
          exact/outcomes of the step]
        (f: exact-shifts) Exactly, with the squared norms $m_i$ of the mean errors and the variances $w_i$,
          $\mathbb E\sigma_+^2=\frac1n\sum_i\mathcal L_i(m_i+\alpha^2w_i)$. [proof; exact/outcomes of the
          shifts]
        (g: tight) <<The bound on the shifts is tight at the largest learning rate -> run/tight ratio>>:
          <<for one node, a quadratic whose Hessian is $\mathbf L_1$, $h_1=\nabla f(x^\star)$, and $x$ the
          worst input of the compressor -> run/tight ratio>>, $w_1=\omega\|y_1\|^2$: $\mathbb
          E\sigma_+^2=\alpha(1+\omega)\cdot2\alpha\mathcal L_{\max}D_f(x,x^\star)$. [proof; run/tight ratio]
        (h: unaware) <<DIANA is DIANA+ with $L_iI$ for $\mathbf L_i$, for which $\omega_iL_i$ is a constant
          -> run/Lyapunov function>>: $L_i\mathbb E\|\Delta_i-y_i\|^2\le\omega_iL_i\|y_i\|^2$. [proof;
          run/Lyapunov function]
        """
    ),
    variables=(
        *(
            item
            for item in DCGD.variables
            if item.symbol
            in {n, d, L, mu, Lcal, Lcal_max, V, v, p, p_star, z, y, e, D, D_i, distance, drift, R_next, k}
        ),
        Variable(gamma, r"\gamma", r"(0,1/(L+6\mathcal L_{\max}/n)]", "step size"),
        Variable(alpha, r"\alpha", r"(0,1/(1+\omega_{\max})]", "learning rate of the shifts"),
        Variable(
            omegas, r"\omega", r"\mathbb R^n_{\ge0}", "constants of the compressors without weight", "(n,)"
        ),
        Variable(omega_max, r"\omega_{\max}", r"\mathbb R_{\ge0}", r"$\max_i\omega_i$"),
        Variable(omega, r"\omega", r"\mathbb R_{\ge0}", "the constant of the one node"),
        Variable(Ln, "L", r"\mathbb R^n_{\ge0}", r"$\lambda_{\max}(\mathbf L_i)$", "(n,)"),
        Variable(sigma, r"\sigma^2", r"\mathbb R_{\ge0}", "error of the shifts"),
        Variable(
            sigma_next, r"\mathbb E\sigma_+^2", r"\mathbb R_{\ge0}", "error of the shifts after one step"
        ),
        Variable(
            s,
            r"\|h_{#1}-\nabla f_{#1}(x^\star)\|_{\mathbf L_{#1}^+}^2",
            r"\mathbb R^n_{\ge0}",
            "errors of the shifts of the nodes",
            "(n,)",
        ),
        Variable(t, "t", r"\mathbb R^{n\times d}", r"entries of $\mathbf L_i^{+1/2}h_i$", "(n, d)"),
        Variable(m, "m", r"\mathbb R^n_{\ge0}", "squared norms of the mean errors of the shifts", "(n,)"),
        Variable(
            u_var,
            "u",
            r"\mathbb R^{n\times d}_{\ge0}",
            r"variances of $P_i(\Delta_i-y_i)$ by coordinate, $P_i$ the projection on the range of $\mathbf "
            "L_i$",
            "(n, d)",
        ),
        Variable(w, "w", r"\mathbb R^n_{\ge0}", r"$\mathbb E\|P_i(\Delta_i-y_i)\|^2$", "(n,)"),
        Variable(
            W,
            r"\mathbb E\|\Delta_{#1}-y_{#1}\|^2",
            r"\mathbb R^n_{\ge0}",
            "plain variances of the messages",
            "(n,)",
        ),
        Variable(q, r"\|y_{#1}\|^2", r"\mathbb R^n_{\ge0}", "what the nodes compress", "(n,)"),
        Variable(Psi, r"\mathbb E\Psi_{#1}", r"\mathbb R_{\ge0}", "after $k$ rounds", "(oo,)", first=0),
        Variable(Psi_0, r"\Psi_0", r"\mathbb R_{\ge0}", "the Lyapunov function at the start"),
        Variable(u, r"\varepsilon", r"\mathbb R^d", "errors of a node in its coordinates", "(d,)"),
    ),
    hypotheses=_HYPOTHESES,
    ranges={"l": (0, oo)},
    relations={
        "shifts": Relation((sigma_next, SHIFT_BOUND), ("<=",), under=("learning-rate",)),
        "one-step": Relation(
            (R_next + WEIGHT * sigma_next, CONTRACTION * LYAPUNOV),
            ("<=",),
            under=("step", "learning-rate", "prox"),
        ),
        "rate": Relation(
            (Psi[k], RATE), ("<=",), every=((k, 0, oo),), under=("step", "learning-rate", "tower")
        ),
        "condition": Relation((CONTRACTION, 1 - 1 / CONDITION), ("=",), under=("largest-steps",)),
        "exact": Relation((R_next, EXACT_STEP), ("=",), under=("without-prox", "drift")),
        "exact-shifts": Relation((sigma_next, EXACT_SHIFTS), ("=",)),
        "tight": Relation(
            (sigma_next, alpha * (1 + omega) * 2 * alpha * Lcal_max * D), ("=",), under=("tight",)
        ),
        "unaware": Relation((Ln[i] * W[i], omegas[i] * Ln[i] * q[i]), ("<=",), every=(NODES,)),
    },
    formulas={
        "bound": RATE,
        "step_size": STEP,
        "learning_rate": LEARNING_RATE,
        "lyapunov_weight": 4 / (n * alpha),
        "lyapunov": LYAPUNOV,
        "condition": CONDITION,
        "one_step": CONTRACTION * LYAPUNOV,
        "one_step_exact": EXACT_STEP,
        "shift_error": nodes(Lcal[i] * s[i]) / n,
        "shift_exact": EXACT_SHIFTS,
        "shift_bound": SHIFT_BOUND,
        "shift_tight_ratio": alpha * (1 + omega),
        "rate": RATE,
    },
    internal={
        "step_size": "the largest step size, said as the hypothesis of part (d)",
        "learning_rate": "the largest learning rate, said as the hypothesis of part (d)",
        "lyapunov_weight": r"the weight of the shifts over $\gamma^2$",
        "shift_error": "the definition of the error of the shifts",
        "shift_tight_ratio": r"the factor of part (g) before $2\alpha\mathcal L_{\max}D_f$",
    },
    worst_cases=cases(r"""
        S1, zero shifts | gamma = 16/55, alpha = 8/9, sigma = 13/50, mu = 1, n = 2, distance = 369/25
          | 39/55 * (distance + 9/4 * gamma**2 * sigma)
        TIGHT: $n=1$, $f=\frac12\|x\|^2$, $h_1=\nabla f(x^\star)=0$, $x=\mathbf 1$ and a uniform step with
          $\omega=9$: $\mathbb E\sigma_+^2$ over its bound is $\alpha(1+\omega)=1$ | d = 100, h = 1,
          omega = 9, L = 1, mu = 1, alpha = 1/10, sigma = 0 | 1
    """),
)


# S1 of `squant/dcgd` with zero shifts: the errors are those of the gradients themselves.
_GAMMA = Rational(16, 55)
S1 = DCGD_S1 | {
    gamma: _GAMMA,
    alpha: Rational(8, 9),
    t: ((0, 0), (0, 0)),
    Ln: (4, 1),
    W: (Rational(5, 2),) * 2,
}
S1 |= {u_var: ((Rational(3, 2), 1),) * 2, omegas: (Rational(1, 8),) * 2, omega_max: Rational(1, 8)}
S1 |= {R_next: Rational(36, 55) ** 2 + Rational(117, 55) ** 2 + _GAMMA**2 * Rational(19, 8)}

# One node with f = x^2/2 at x = 1 and a zero shift.
TIGHT: dict[Any, Any] = {
    n: 1,
    d: 1,
    alpha: Rational(1, 2),
    omega: 1,
    Lcal_max: 1,
    Lcal: (1,),
    D: Rational(1, 2),
}
TIGHT |= {p: ((1,),), p_star: ((0,),), t: ((0,),), u_var: ((1,),)}


def derive(K: Any) -> None:
    """Prove the relations."""
    K.index(NODES, COORDINATES)
    K.example(S1)
    K.example(TIGHT)
    K.know(K.cert(le(0, Lcal_max), K.at("largest", 0), K.at("constants", 0)))
    away = coordinates(AWAY**2)

    exact = _exact(K)
    shifts = _shifts(K, exact, away)
    moved = exact_step(K)
    K.show("exact", "without-prox", moved, using=["drift"])
    _one_step(K, shifts, moved, away)
    _rate(K)
    _condition(K)
    _tight(K, exact)
    K.show("unaware", K.given("compressor", 1))


def _exact(K: Any) -> Any:
    """The errors add to the mean, coordinate by coordinate."""
    coordinate = K.identity(MOVED, LEARNT**2 + alpha**2 * u_var[i, j])
    node = K.cert(
        eq(Lcal[i] * coordinates(MOVED), Lcal[i] * (m[i] + alpha**2 * w[i])),
        (Lcal[i], K.sum_over(coordinate, COORDINATES)),
        "means",
        "projected",
    )
    return K.show("exact-shifts", "shifts", K.sum_over(node, NODES))


def _shifts(K: Any, exact: Any, away: Any) -> Any:
    """The shift identity, and learning that is slow enough for the noise."""
    slow = K.cert(le(alpha * (1 + omega_max), 1), "learning-rate")
    K.know(K.cert(le(0, 1 - alpha / 2), K.cert(le(alpha, 1), slow)))
    entries = K.identity(
        LEARNT**2, (1 - alpha) * BEHIND**2 + alpha * AWAY**2 - alpha * (1 - alpha) * (p[i, j] - t[i, j]) ** 2
    )
    K.know(K.cert(le(0, q[i]), "messages", (1, coordinates((p[i, j] - t[i, j]) ** 2))))
    noise = K.cert(le(w[i], omega_max * q[i]), "projection", K.given("compressor", 1), K.given("omegas", 1))
    node = K.cert(
        le(Lcal[i] * (m[i] + alpha**2 * w[i]), (1 - alpha) * Lcal[i] * s[i] + alpha * Lcal_max * away),
        "means",
        (Lcal[i], K.sum_over(entries, COORDINATES)),
        "offsets",
        "messages",
        noise,
        slow,
        (alpha * away, K.at("largest", i)),
    )
    total = [K.sum_over(item, NODES) for item in (node, "cocoercive")]
    return K.show("shifts", exact, *total, using=["sigma", "bregman"])


def _one_step(K: Any, shifts: Any, moved: Any, away: Any) -> None:
    """Variance and co-coercivity; the terms in D_f cancel, and the shifts lose half of alpha."""
    entries = K.sum_over(young(K, AWAY, -BEHIND), COORDINATES)
    node = K.cert(
        le(V[i], 2 * Lcal_max * away + 2 * Lcal[i] * s[i]),
        "compressor",
        "messages",
        entries,
        (2 * away, K.at("largest", i)),
        "offsets",
    )
    step_size = K.cert(le(gamma * (L + 6 * Lcal_max / n), 1), "step")
    error = K.sum_over(K.cert(le(0, Lcal[i] * s[i]), "offsets", (Lcal[i], coordinates(BEHIND**2))), NODES)
    start = K.cert(le(0, distance), (1, coordinates(z[j] ** 2)), using=["distance"])
    K.know(K.cert(le(0, D), "mean-cocoercive"), K.cert(le(0, sigma), error, using=["sigma"]), start)
    left, right = (K.axiom(f"max-above-{side}", 1 - gamma * mu, 1 - alpha / 2) for side in ("left", "right"))
    K.show(
        "one-step",
        (1, K.given("prox")),
        (1, moved),
        (WEIGHT, shifts),
        (2 * gamma, K.given("strong")),
        (gamma**2, K.given("mean-cocoercive")),
        (gamma**2 / n**2, K.sum_over(node, NODES)),
        (2 * gamma**2 * Lcal_max / n**2, K.sum_over("cocoercive", NODES)),
        (2 * gamma * D, step_size),
        (distance, left),
        (WEIGHT * sigma, right),
        using=["sigma", "distance", "bregman"],
    )


def _rate(K: Any) -> None:
    """Rounds one after the other."""
    above = K.axiom("max-above-right", 1 - gamma * mu, 1 - alpha / 2)
    K.know(K.cert(le(0, CONTRACTION), above), "start")
    base = K.cert(le(Psi[0], RATE.subs(k, 0)), K.given("tower", 1))
    step = K.cert(le(Psi[k + 1], RATE.subs(k, k + 1)), K.at("tower", k), K.assume(le(Psi[k], RATE)))
    K.conclude("rate", K.induction(k, base, step))


def _condition(K: Any) -> None:
    """The larger factor belongs to the larger number."""
    gamma_is, alpha_is = K.given("largest-steps"), K.given("largest-steps", 1)
    rounds, learning = (L + 6 * Lcal_max / n) / mu, 2 * (1 + omega_max)
    first, second = 1 - gamma * mu, 1 - alpha / 2
    K.know(K.cert(lt(0, CONDITION), K.axiom("max-above-right", rounds, learning), K.sign(lt(0, learning))))
    cases = []
    for low, high, small, large, assumed in (
        (rounds, learning, first, second, le(rounds - learning, 0)),
        (learning, rounds, second, first, lt(0, rounds - learning)),
    ):
        order = K.cert(le(low, high), K.assume(assumed))
        factors = K.cert(le(small, large), order, using=[gamma_is, alpha_is])
        factor = K.discharge(K.axiom("max-is-right", small, large), factors)
        largest = K.axiom("max-is-right", low, high)
        cases.append(K.cert(eq(CONTRACTION, 1 - 1 / CONDITION), factor, largest, using=[gamma_is, alpha_is]))
    K.conclude("condition", K.cases(rounds - learning, *cases))


def _tight(K: Any, exact: Any) -> None:
    """Every step of the bound on the shifts is an equation here."""
    one_node, start, quadratic, worst, constant = (K.given("tight", place) for place in range(5))
    a = AWAY.subs(i, 0)
    at_start = K.at(start, j)
    learnt = K.cert(eq(LEARNT.subs(i, 0) ** 2, alpha**2 * a**2), at_start)
    sent = K.cert(eq((p[0, j] - t[0, j]) ** 2, a**2), at_start)
    mean = K.cert(eq(m[0], alpha**2 * 2 * D), K.at("means", 0), K.sum_over(learnt, COORDINATES), quadratic)
    noise = K.cert(
        eq(w[0], omega * 2 * D), worst, K.at("messages", 0), K.sum_over(sent, COORDINATES), quadratic
    )
    K.show("tight", K.rewrite(exact, one_node, side="right"), mean, noise, constant)
