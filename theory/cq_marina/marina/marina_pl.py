r"""`cq_marina/marina-pl`: linear rate of MARINA under the PL condition (arXiv 2401.05518)."""

from typing import Any

from sympy import IndexedBase, Min, Rational, Sum, sqrt, symbols

from theory.claim import Claim, Relation, Variable
from theory.cq_marina.marina import round as one
from theory.cq_marina.marina.round import COORDINATES, L_minus, X, after, gamma, p
from theory.cq_marina.paper import PAPER
from theory.facts.sums.linear_recursion import linear_recursion
from theory.formula import le
from theory.hypotheses import definition, domain, model, parameter
from theory.statement import statement
from theory.worst_cases import cases

T, Delta_0, E_0, mu, t = symbols("T Delta_0 E_0 mu t", real=True)
gap, error, phi = symbols("gap error phi", cls=IndexedBase, real=True)
ALWAYS = (t, 0, one.FOREVER)

_ROOT = sqrt(2 * ((1 - p) / p) * X)
_NOISE_STEP = 1 / (L_minus + _ROOT)
_COIN_STEP = p / (2 * mu)
_STEP = Min(_NOISE_STEP, _COIN_STEP)
_WEIGHT = gamma / p
_BOUND = (1 - gamma * mu) ** T * (Delta_0 + gamma / p * E_0)

CLAIM = Claim(
    id="cq_marina/marina-pl",
    kind="rate",
    provenance="rederived",
    title="Linear rate of MARINA under the Polyak-Lojasiewicz condition",
    position=25,
    paper=PAPER,
    **statement(
        r"""
        MARINA: $x^+=x-\gamma g$, and with one coin for all clients $g^+$ is $\nabla f(x^+)$ with
        probability $p$, else $g$ plus the average of $C_i(\nabla f_i(x^+)-\nabla f_i(x))$ over the $n$
        clients. For all inputs $a_i$ the average of the $C_i(a_i)$ is unbiased with a variance of at most
        $AM_w-Bm$, $0\le B\le A$, where $M_w$ is the average of $\|a_i\|^2/(nw_i)$ for weights $w_i$ and $m$
        the squared norm of the mean input. $f$ is $L_-$-smooth; for the differences of the gradients of the
        clients $M_w\le L_{+,w}^2\|x^+-x\|^2$ and $M_w-m\le L_{\pm,w}^2\|x^+-x\|^2$; $\mathcal
        X=(A-B)L_{+,w}^2+BL_{\pm,w}^2$.
        (a: error) The error of the next estimate: $$\mathbb E\|g^+-\nabla f(x^+)\|^2\le(1-p)\big(\|g-\nabla
          f(x)\|^2+\mathcal X\|x^+-x\|^2\big).$$ [proof]
        (b: potential) If $\|\nabla f(x)\|^2\ge2\mu(f(x)-f^\star)$ and
          $\gamma\le\min\Big\{\frac1{L_-+\sqrt{\frac{2(1-p)}p\mathcal X}},\frac p{2\mu}\Big\}$, one round
          gives $$\mathbb Ef(x^+)-f^\star+\frac\gamma p\mathbb E\|g^+-\nabla
          f(x^+)\|^2\le(1-\gamma\mu)\Big(f(x)-f^\star+\frac\gamma p\|g-\nabla f(x)\|^2\Big).$$ [proof;
          exact/potential against before]
        (c: rate) Hence, with (b) in each round, for every $T$ $$\mathbb
          Ef(x^T)-f^\star\le(1-\gamma\mu)^T\Big(\Delta_0+\frac\gamma pE_0\Big),$$ where $\Delta_0$ and $E_0$
          are gap and expected squared error of the estimate at the start. [proof; exact/gap;
          exact/potential]
        """
    ),
    variables=(
        *one.VARIABLES,
        Variable(gamma, r"\gamma", r"\mathbb R_{>0}", "step size"),
        Variable(mu, r"\mu", r"\mathbb R_{>0}", "constant of the PL condition"),
        Variable(T, "T", r"\mathbb N_0", "number of rounds"),
        Variable(Delta_0, r"\Delta_0", r"\mathbb R_{\ge0}", r"$f(x^0)-f^\star$"),
        Variable(E_0, "E_0", r"\mathbb R_{\ge0}", r"$\mathbb E\|g^0-\nabla f(x^0)\|^2$"),
        Variable(
            error,
            r"\mathbb E\|g^{#1}-\nabla f(x^{#1})\|^2",
            r"\mathbb R_{\ge0}",
            "errors of the estimate",
            "(oo,)",
            first=0,
        ),
        Variable(phi, r"\Phi", r"\mathbb R_{\ge0}", "potentials", "(oo,)", first=0),
        Variable(
            gap, r"\mathbb Ef(x^{#1})-f^\star", r"\mathbb R_{\ge0}", "after so many rounds", "(oo,)", first=0
        ),
    ),
    notation=one.NOTATION,
    ranges={"t": (0, one.FOREVER)},
    hypotheses={
        **one.HYPOTHESES,
        "run": domain(r"$T\ge0$ is an integer; $\mu>0$"),
        "pl": model(
            r"$\|\nabla f(x)\|^2\ge2\mu(f(x)-f^\star)$ (the Polyak-Łojasiewicz inequality), "
            r"$f(x)-f^\star\ge0$"
        ),
        "step": parameter(
            r"$\gamma\le\min\Big\{\frac1{L_-+\sqrt{\frac{2(1-p)}p\mathcal X}},\frac p{2\mu}\Big\}$"
        ),
        "potentials": definition(
            r"$\Phi_t=\mathbb Ef(x^t)-f^\star+\frac\gamma p\mathbb E\|g^t-\nabla f(x^t)\|^2$"
        ),
        "tower": model(
            r"$\mathbb Ef(x^0)-f^\star=\Delta_0$, $\mathbb E\|g^0-\nabla f(x^0)\|^2=E_0$, "
            r"$\mathbb E\|g^t-\nabla f(x^t)\|^2\ge0$; $\Phi_{t+1}\le(1-\gamma\mu)\Phi_t$, since the tower "
            "property carries part b to the rounds of a run"
        ),
    },
    relations={
        "error": one.ERROR,
        "potential": Relation(
            (
                after + _WEIGHT * one.error_after,
                (1 - gamma * mu) * (one.now + _WEIGHT * one.error_now),
            ),
            ("<=",),
            under=("pl", "step"),
        ),
        "rate": Relation((gap[T], _BOUND), ("<=",), under=("step", "potentials", "tower")),
    },
    formulas={
        "bound": _BOUND,
        "X": one.CHI,
        "noise_step": _NOISE_STEP,
        "coin_step": _COIN_STEP,
        "step_size": _STEP,
        "weight": _WEIGHT,
    },
    internal={
        "X": r"the definition of $\mathcal X$",
        **dict.fromkeys(("noise_step", "coin_step", "step_size"), "said as the hypothesis of part (b)"),
    },
    worst_cases=cases(r"""
        the step for identity quadratics with one-bit quantizers | n = 1, d = 8, p = 1/10, mu = 1,
          L_minus = 1, X = 7 | 1/20
        a single client without compression, $p=1$: gradient descent with the step $\frac1{2\mu}$ | p = 1,
          mu = 1, L_minus = 1, X = 0 | 1/2
    """),
)


def derive(K: Any) -> None:
    """Prove the relations."""
    K.index(COORDINATES, ALWAYS)
    half, quarter = Rational(1, 2), Rational(1, 4)
    powers = [half**k for k in range(152)]
    start = {**one.EXAMPLE, T: 3, mu: quarter, Delta_0: 2, E_0: 1}
    K.example({**start, gap: [2 * q for q in powers], error: powers, phi: [q * 5 / 2 for q in powers]})
    noise = one.next_error(K)
    K.conclude("error", noise)
    quiet = K.cert(
        le(gamma, _NOISE_STEP), (1, K.given("step")), (1, K.axiom("min-below-left", _NOISE_STEP, _COIN_STEP))
    )
    coin = K.cert(
        le(gamma, _COIN_STEP), (1, K.given("step")), (1, K.axiom("min-below-right", _NOISE_STEP, _COIN_STEP))
    )
    room = K.cert(le(gamma * (L_minus + _ROOT), 1), (L_minus + _ROOT, quiet))
    small = K.cert(
        le(2 * (1 - p) / p * X * gamma**2 + L_minus * gamma, 1),
        (1 + gamma * _ROOT, room),
        (1, gamma**2 * L_minus * _ROOT),
    )
    squares = Sum((one.g[one.j] - one.u[one.j]) ** 2, COORDINATES)
    K.know(K.cert(le(0, one.error_now), (1, squares), (-1, K.given("round", 1))))
    shrinks = K.cert(le(gamma * mu, p / 2), (mu, coin))
    potential = K.cert(
        le(after + _WEIGHT * one.error_after, (1 - gamma * mu) * (one.now + _WEIGHT * one.error_now)),
        (1, one.descent(K)),
        (_WEIGHT, noise),
        (one.R / (2 * gamma), small),
        (gamma / 2, K.given("pl")),
        (_WEIGHT * one.error_now, shrinks),
    )
    K.conclude("potential", potential)
    K.know(K.cert(le(0, 1 - gamma * mu), (1, shrinks), (half, 1), (half, K.given("signs", 1))))
    fall = linear_recursion(K, phi, t, 1 - gamma * mu, 0, K.at(K.given("tower", 3), t))
    potentials = K.given("potentials")
    factor = (1 - gamma * mu) ** T
    rate = K.cert(
        le(gap[T], _BOUND),
        (1, K.at(fall, T)),
        (-1, K.at(potentials, T)),
        (_WEIGHT, K.at(K.given("tower", 2), T)),
        (factor, K.at(potentials, 0)),
        (factor, K.given("tower")),
        (factor * _WEIGHT, K.given("tower", 1)),
    )
    K.conclude("rate", rate)
