r"""`squant/diana-constant`: a third of the constant in the step of DIANA+.

About arXiv 2106.03524, derived here.
"""

from typing import Any

from sympy import IndexedBase, Max, Rational, oo, symbols

from theory.claim import Claim, Relation, Variable
from theory.formula import eq, le, lt
from theory.hypotheses import domain, model, parameter
from theory.public_constant import PublicConstant
from theory.squant.convergence import diana
from theory.squant.convergence.dcgd import COORDINATES, NODES, coordinates, exact_step, nodes
from theory.squant.paper import PAPER
from theory.statement import statement
from theory.worst_cases import cases

D, L, Lcal_max, R_next, alpha, c, distance, gamma = symbols(
    "D L Lcal_max R_next alpha c distance gamma", real=True
)
i, j, k, l, mu, n, omega_max, sigma, sigma_next, Psi_0 = symbols(
    "i j k l mu n omega_max sigma sigma_next Psi_0", real=True
)
Lcal, Psi, p, q, s, t = symbols("Lcal Psi p q s t", cls=IndexedBase, real=True)

STEP = 1 / (L + Lcal_max / (n * (1 - c)))
LEARNING_RATE = c / (1 + omega_max)
WEIGHT = gamma**2 / (n * alpha * (1 - c))
LYAPUNOV = distance + WEIGHT * sigma
CONTRACTION = Max(1 - gamma * mu, 1 - alpha)
RATE = CONTRACTION**k * Psi_0
CONDITION = Max((L + 2 * Lcal_max / n) / mu, 2 * (1 + omega_max))
PAID = alpha * (1 - alpha * (1 + omega_max)) / n * nodes(Lcal[i] * q[i])
SHIFT_BOUND = (1 - alpha) * sigma + 2 * alpha * Lcal_max * D - PAID

_OTHERS = {"learning-rate", "step", "largest-steps", "tower", "tight", "without-prox", "nonnegative", "drift"}
_HYPOTHESES = {
    **{name: item for name, item in diana.CLAIM.hypotheses.items() if name not in _OTHERS},
    "share": domain("$0<c<1$"),
    "learning-rate": parameter(r"$\alpha\le\frac c{1+\omega_{\max}}$"),
    "step": parameter(r"$\gamma\le\frac1{L+\mathcal L_{\max}/(n(1-c))}$"),
    "half": parameter(r"$c=\frac12$"),
    "largest-steps": parameter(
        r"$\gamma=\frac1{L+2\mathcal L_{\max}/n}$, $\alpha=\frac1{2(1+\omega_{\max})}$"
    ),
    "tower": model(
        r"$\mathbb E\Psi_{l+1}\le\max\{1-\gamma\mu,1-\alpha\}\mathbb E\Psi_l$, $\mathbb "
        r"E\Psi_0=\Psi_0$, since the tower property takes the bound of a step from round to round"
    ),
}

CLAIM = Claim(
    id="squant/diana-constant",
    kind="rate",
    provenance="derived",
    title="DIANA+ with a third of the constant in its step",
    position=27,
    paper=PAPER,
    **statement(
        r"""
        Setting, method and $\sigma^2$ are those of `squant/diana`. The learning rate leaves a share of the
        noise unused, $0<c<1$, and that share pays for the noise of the step:
        $\Psi=\|x-x^\star\|^2+\frac{\gamma^2}{n\alpha(1-c)}\sigma^2$.
        (a: shifts) At any learning rate $$\mathbb E\sigma_+^2\le(1-\alpha)\sigma^2+2\alpha\mathcal
          L_{\max}D_f(x,x^\star)-\frac{\alpha(1-\alpha(1+\omega_{\max}))}n\sum_i\mathcal L_i\|y_i\|^2.$$
          [proof; run/error of the shifts; run/shifts at equality]
        (b: one-step) If $\alpha\le\frac c{1+\omega_{\max}}$ and $\gamma\le\frac1{L+\mathcal
          L_{\max}/(n(1-c))}$, then $$\mathbb
          E\|x^+-x^\star\|^2+\frac{\gamma^2}{n\alpha(1-c)}\mathbb
          E\sigma_+^2\le\max\{1-\gamma\mu,1-\alpha\}\Big(\|x-x^\star\|^2+\frac{\gamma^2}{n\alpha(1-c)}\
          \sigma^2\Big).$$ [proof; run/Lyapunov function]
        (c: rate) Hence, with (b) in each round, for every $k$, $$\mathbb
          E\Psi_k\le\max\{1-\gamma\mu,1-\alpha\}^k\Psi_0.$$ [proof; run/Lyapunov function over rounds]
        (d: half-step) For $c=\frac12$ the denominator of the step is $$L+\frac{\mathcal
          L_{\max}}{n(1-c)}=L+\frac{2\mathcal L_{\max}}n.$$ [proof]
        (e: condition) At $\gamma=\frac1{L+2\mathcal L_{\max}/n}$, $\alpha=\frac1{2(1+\omega_{\max})}$:
          $$\max\{1-\gamma\mu,1-\alpha\}=1-\frac1{\max\{(L+2\mathcal L_{\max}/n)/\mu,2(1+\omega_{\max})\}}.$$
          [proof; exact/factor]
        (f: order) With the constant of `squant/diana` the denominator in (e) is never smaller, and at most
          three times as large: $$\max\Big\{\frac{L+2\mathcal
          L_{\max}/n}\mu,2(1+\omega_{\max})\Big\}\le\max\Big\{\frac{L+6\mathcal
          L_{\max}/n}\mu,2(1+\omega_{\max})\Big\}\le3\max\Big\{\frac{L+2\mathcal
          L_{\max}/n}\mu,2(1+\omega_{\max})\Big\}.$$ [proof; exact/rounds]
        """
    ),
    variables=(
        *(
            item
            for item in diana.CLAIM.variables
            if item.symbol not in {gamma, alpha, diana.omega, diana.Ln, diana.drift}
        ),
        Variable(gamma, r"\gamma", r"(0,1/(L+\mathcal L_{\max}/(n(1-c)))]", "step size"),
        Variable(alpha, r"\alpha", r"(0,c/(1+\omega_{\max})]", "learning rate of the shifts"),
        Variable(c, "c", "(0,1)", "share of the noise that the shifts take"),
    ),
    hypotheses=_HYPOTHESES,
    ranges={"l": (0, oo)},
    relations={
        "shifts": Relation((sigma_next, SHIFT_BOUND), ("<=",)),
        "one-step": Relation(
            (R_next + WEIGHT * sigma_next, CONTRACTION * LYAPUNOV),
            ("<=",),
            under=("step", "learning-rate", "prox"),
        ),
        "rate": Relation(
            (Psi[k], RATE), ("<=",), every=((k, 0, oo),), under=("step", "learning-rate", "tower")
        ),
        "half-step": Relation((1 / STEP, L + 2 * Lcal_max / n), ("=",), under=("half",)),
        "condition": Relation((CONTRACTION, 1 - 1 / CONDITION), ("=",), under=("largest-steps",)),
        "order": Relation((CONDITION, diana.CONDITION, 3 * CONDITION), ("<=", "<=")),
    },
    formulas={
        "bound": RATE,
        "step_size": STEP,
        "learning_rate": LEARNING_RATE,
        "lyapunov_weight": 1 / (n * alpha * (1 - c)),
        "lyapunov": LYAPUNOV,
        "condition": CONDITION,
        "one_step": CONTRACTION * LYAPUNOV,
        "shift_bound": SHIFT_BOUND,
        "rate": RATE,
        "paper_step": diana.STEP,
        "half_step": STEP.subs(c, Rational(1, 2)),
    },
    internal={
        "paper_step": "the step of `squant/diana`",
        "half_step": "the step whose denominator part (d) says",
        "step_size": "the largest step size, said as a hypothesis of part (b)",
        "learning_rate": "the largest learning rate, said as a hypothesis of part (b)",
        "lyapunov_weight": r"the weight of the shifts over $\gamma^2$",
    },
    worst_cases=cases(r"""
        S1, zero shifts, c = 1/2 | gamma = 16/45, alpha = 4/9, sigma = 13/50, mu = 1, n = 2,
          distance = 369/25, c = 1/2 | 29/45 * (distance + 9/4 * gamma**2 * sigma)
    """),
    public=(
        PublicConstant(
            code="the paper, and bokun-wang/Paper_9107_code at 144c6f3",
            of="step of DIANA+",
            theirs="paper_step",
            ours="half_step",
            right="both",
            part="d",
            bolder="larger",
            at="L = 1, Lcal_max = 12, n = 6",
        ),
    ),
)


# S1 of `squant/diana` at a step and a learning rate that the smaller constant allows.
_GAMMA = Rational(16, 45)
S1 = diana.S1 | {gamma: _GAMMA, alpha: Rational(4, 9), c: Rational(1, 2)}
S1 |= {R_next: Rational(4, 15) ** 2 + Rational(29, 15) ** 2 + _GAMMA**2 * Rational(19, 8)}


def derive(K: Any) -> None:
    """Prove the relations."""
    K.index(NODES, COORDINATES)
    K.example(S1)
    K.know(K.cert(le(0, Lcal_max), K.at("largest", 0), K.at("constants", 0)))
    away = coordinates(diana.AWAY**2)
    shifts = _shifts(K, away)
    _one_step(K, shifts)
    _rate(K)
    K.show("half-step", using=["half"])
    _condition(K)
    _order(K)


def _shifts(K: Any, away: Any) -> Any:
    """The shift identity with nothing left out: what is learnt of y_i is at least paid for by its noise."""
    moved = K.identity(diana.MOVED, diana.LEARNT**2 + alpha**2 * diana.u_var[i, j])
    exact = K.cert(
        eq(Lcal[i] * coordinates(diana.MOVED), Lcal[i] * (diana.m[i] + alpha**2 * diana.w[i])),
        (Lcal[i], K.sum_over(moved, COORDINATES)),
        "means",
        "projected",
    )
    entries = K.identity(
        diana.LEARNT**2,
        (1 - alpha) * diana.BEHIND**2
        + alpha * diana.AWAY**2
        - alpha * (1 - alpha) * (p[i, j] - t[i, j]) ** 2,
    )
    K.know(K.cert(le(0, q[i]), "messages", (1, coordinates((p[i, j] - t[i, j]) ** 2))))
    noise = K.cert(
        le(diana.w[i], omega_max * q[i]), "projection", K.given("compressor", 1), K.given("omegas", 1)
    )
    node = K.cert(
        le(
            Lcal[i] * (diana.m[i] + alpha**2 * diana.w[i]),
            (1 - alpha) * Lcal[i] * s[i]
            + alpha * Lcal_max * away
            - alpha * (1 - alpha * (1 + omega_max)) * Lcal[i] * q[i],
        ),
        "means",
        (Lcal[i], K.sum_over(entries, COORDINATES)),
        "offsets",
        "messages",
        (alpha**2 * Lcal[i], noise),
        (alpha * away, K.at("largest", i)),
    )
    total = [K.sum_over(item, NODES) for item in (exact, node, "cocoercive")]
    return K.show("shifts", "shifts", *total, using=["sigma", "bregman"])


def _one_step(K: Any, shifts: Any) -> None:
    """The noise of the step is what the shifts leave of theirs; no Young inequality is needed."""
    slow = K.cert(le(alpha * (1 + omega_max), c), "learning-rate")
    node = K.cert(le(diana.V[i], Lcal[i] * q[i]), "compressor")
    K.know(K.cert(lt(0, 1 - c), K.given("share", 1)))
    allowed = L + Lcal_max / (n * (1 - c))
    K.know(K.sign(lt(0, allowed)))
    step_size = K.cert(le(gamma * allowed, 1), (allowed, K.given("step")))
    error = K.sum_over(
        K.cert(le(0, Lcal[i] * s[i]), "offsets", (Lcal[i], coordinates(diana.BEHIND**2))), NODES
    )
    sent = K.sum_over(
        K.cert(le(0, Lcal[i] * q[i]), "messages", (Lcal[i], coordinates((p[i, j] - t[i, j]) ** 2))), NODES
    )
    start = K.cert(le(0, distance), (1, coordinates(diana.z[j] ** 2)), using=["distance"])
    K.know(K.cert(le(0, D), "mean-cocoercive"), K.cert(le(0, sigma), error, using=["sigma"]), start, sent)
    left, right = (K.axiom(f"max-above-{side}", 1 - gamma * mu, 1 - alpha) for side in ("left", "right"))
    K.show(
        "one-step",
        (1, K.given("prox")),
        (1, exact_step(K)),
        (WEIGHT, shifts),
        (2 * gamma, K.given("strong")),
        (gamma**2, K.given("mean-cocoercive")),
        (gamma**2 / n**2, K.sum_over(node, NODES)),
        (gamma**2 / (n**2 * (1 - c)) * nodes(Lcal[i] * q[i]), slow),
        (2 * gamma * D, step_size),
        (distance, left),
        (WEIGHT * sigma, right),
        using=["distance"],
    )


def _rate(K: Any) -> None:
    """Rounds one after the other."""
    slow = K.cert(le(alpha * (1 + omega_max), c), "learning-rate")
    K.know(K.cert(le(0, 1 - alpha), slow, "share"))
    above = K.axiom("max-above-right", 1 - gamma * mu, 1 - alpha)
    K.know(K.cert(le(0, CONTRACTION), above), "start")
    base = K.cert(le(Psi[0], RATE.subs(k, 0)), K.given("tower", 1))
    step = K.cert(le(Psi[k + 1], RATE.subs(k, k + 1)), K.at("tower", k), K.assume(le(Psi[k], RATE)))
    K.conclude("rate", K.induction(k, base, step))


def _condition(K: Any) -> None:
    """The larger factor belongs to the larger number."""
    gamma_is, alpha_is = K.given("largest-steps"), K.given("largest-steps", 1)
    rounds, learning = (L + 2 * Lcal_max / n) / mu, 2 * (1 + omega_max)
    first, second = 1 - gamma * mu, 1 - alpha
    K.know(K.cert(lt(0, CONDITION), K.axiom("max-above-right", rounds, learning), K.sign(lt(0, learning))))
    both = []
    for low, high, small, large, assumed in (
        (rounds, learning, first, second, le(rounds - learning, 0)),
        (learning, rounds, second, first, lt(0, rounds - learning)),
    ):
        order = K.cert(le(low, high), K.assume(assumed))
        factors = K.cert(le(small, large), order, using=[gamma_is, alpha_is])
        factor = K.discharge(K.axiom("max-is-right", small, large), factors)
        largest = K.axiom("max-is-right", low, high)
        both.append(K.cert(eq(CONTRACTION, 1 - 1 / CONDITION), factor, largest, using=[gamma_is, alpha_is]))
    K.conclude("condition", K.cases(rounds - learning, *both))


def _order(K: Any) -> None:
    """Each number under the larger maximum is in order, and at most three times the other."""
    ours, learning = (L + 2 * Lcal_max / n) / mu, 2 * (1 + omega_max)
    theirs = (L + 6 * Lcal_max / n) / mu
    below = K.axiom("max-least", ours, learning, diana.CONDITION)
    above = K.axiom("max-least", theirs, learning, 3 * CONDITION)
    K.show(
        "order",
        K.discharge(
            below,
            K.cert(
                le(ours, diana.CONDITION),
                K.axiom("max-above-left", theirs, learning),
                (4 / (n * mu), Lcal_max),
            ),
            K.axiom("max-above-right", theirs, learning),
        ),
        K.discharge(
            above,
            K.cert(
                le(theirs, 3 * CONDITION), (3, K.axiom("max-above-left", ours, learning)), (2 * L / mu, 1)
            ),
            K.cert(
                le(learning, 3 * CONDITION),
                (3, K.axiom("max-above-right", ours, learning)),
                (2 * learning, 1),
            ),
        ),
    )
