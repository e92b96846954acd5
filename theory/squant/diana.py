r"""`squant/diana`: linear rate of DIANA+ to the solution itself (arXiv 2106.03524).

Node $i$ sends $\Delta_i=C_i(\mathbf L_i^{+1/2}(\nabla f_i(x)-h_i))$ and moves its shift by $\alpha\mathbf
L_i^{1/2}\Delta_i$; the server steps along $\frac1n\sum_i(h_i+\mathbf L_i^{1/2}\Delta_i)$. For
$\alpha\le1/(1+\omega_{\max})$, $\gamma\le1/(L+6\mathcal L_{\max}/n)$ and $M=4/(n\alpha)$,
$$\mathbb E\Psi_k\le\max\{1-\gamma\mu,1-\alpha/2\}^k\Psi_0,\ \Psi_k=\|x^k-x^\star\|^2+M\gamma^2\sigma_k^2.$$

Derivation: projection and the shift identity bound $\mathbb E\sigma_{k+1}^2$, variance and co-coercivity the
step of $x$; in the sum the terms in $D_f$ cancel and the shifts lose the factor $1-\alpha/2$.
"""

from sympy import Max, Rational, Sum

from theory.old_form import Claim, Mutant, Variable, WorstCase, expressions
from theory.squant.dcgd import OLD as DCGD
from theory.squant.dcgd_derivation import (
    L,
    Lcal,
    Lcal_max,
    V,
    distance,
    drift,
    gamma,
    k,
    mu,
    omega,
    s,
    sigma,
)
from theory.squant.diana_derivation import Psi_0, derivation, omega_max
from theory.squant.diana_shifts import alpha, bregman, m, w
from theory.squant.paper import PAPER
from theory.squant.symbols import i, n

_WEIGHT = 4 / (n * alpha)
_LYAPUNOV = distance + _WEIGHT * gamma**2 * sigma
_CONTRACTION = Max(1 - gamma * mu, 1 - alpha / 2)
_RATE = _CONTRACTION**k * Psi_0
_FORMULAS = {
    "step_size": 1 / (L + 6 * Lcal_max / n),
    "learning_rate": 1 / (1 + omega_max),
    "lyapunov_weight": _WEIGHT,
    "lyapunov": _LYAPUNOV,
    "contraction": _CONTRACTION,
    "condition": Max((L + 6 * Lcal_max / n) / mu, 2 * (1 + omega_max)),
    "one_step": _CONTRACTION * _LYAPUNOV,
    "one_step_exact": drift + gamma**2 / n**2 * Sum(V[i], (i, 0, n - 1)),
    "shift_error": Sum(Lcal[i] * s[i], (i, 0, n - 1)) / n,
    "shift_exact": Sum(Lcal[i] * (m[i] + alpha**2 * w[i]), (i, 0, n - 1)) / n,
    "shift_bound": (1 - alpha) * sigma + 2 * alpha * Lcal_max * bregman,
    "shift_tight_ratio": alpha * (1 + omega),
    "rate": _RATE,
}

_MUTANTS = (
    Mutant(
        "doubled-learning-rate",
        r"$\alpha=2/(1+\omega_{\max})$: at the tight instance the shifts move to twice their bound.",
        ("run",),
    ),
    Mutant(
        "unit-learning-rate",
        r"$\alpha=1$: at the tight instance the shifts move to $1+\omega$ times their bound.",
        ("run",),
    ),
    Mutant("four-times-learning-rate", r"Learning rate $4\alpha$: the shifts diverge.", ("run",)),
    Mutant("four-times-step", r"Step size $4\gamma$.", ("run",)),
    Mutant(
        "shift-without-root",
        r"The node moves its shift by $\alpha\Delta_i$ instead of $\alpha\mathbf L_i^{1/2}\Delta_i$.",
        ("run",),
    ),
    Mutant(
        "shift-outside-range",
        r"Start with $h_i\notin\mathrm{range}(\mathbf L_i)$: the null component is never learnt and the "
        r"limit is wrong.",
        ("run",),
    ),
    Mutant(
        "unaware-transform",
        r"Send without the matrices ($\mathbf L_i\to I$ in the messages) at the step size of the aware one.",
        ("run",),
    ),
    Mutant(
        "twice-learnt",
        r"The shifts move twice as far as they should: seen by sampling real rounds.",
        ("montecarlo",),
    ),
    Mutant(
        "half-prox",
        r"The server takes $\mathrm{prox}_{\gamma R/2}$: seen by sampling real rounds.",
        ("montecarlo",),
    ),
    Mutant(
        "shared-seed",
        "The same random numbers on all nodes: the noise no longer averages.",
        ("run",),
    ),
    Mutant(
        "certificate-constant",
        r"Allow the step size $1/(L+5\mathcal L_{\max}/n)$: a lemma and the certificate of one step fail.",
        ("symbolic",),
    ),
    Mutant(
        "permuted-nodes", "Number the nodes differently: nothing may change in law.", ("run",), neutral=True
    ),
)

_S1_STEP = Rational(16, 55)
_S1_PSI = Rational(369, 25) + Rational(9, 4) * _S1_STEP**2 * Rational(13, 50)
_ZERO_SHIFTS = ((0, 0), (0, 0))

_WORST_CASES = (
    WorstCase(
        r"S1, zero shifts: $\Psi_0=14.8095074380165$, exact $\mathbb E\Psi_1=6.14311992653811$",
        {
            "matrices": (((4, 0), (0, 1)), ((1, 0), (0, 1))),
            "centers": ((1, 0), (-1, 0)),
            "h": ((Rational(1, 2),) * 2,) * 2,
            "x": (3, 3),
            "shifts": _ZERO_SHIFTS,
            "solution": (Rational(3, 5), 0),
            "Lcal": (Rational(5, 16), Rational(1, 8)),
            "omega": (Rational(1, 8), Rational(1, 8)),
            "L": Rational(5, 2),
            "mu": 1,
            "gamma": _S1_STEP,
            "alpha": Rational(8, 9),
            "sigma": Rational(13, 50),
        },
        (1 - _S1_STEP) * _S1_PSI,
    ),
    WorstCase(
        r"S2, zero shifts, dense matrices: $\Psi_0=50.1330002827788$, exact $\mathbb "
        r"E\Psi_1=45.0023705322392$, bound 47.2126313342674",
        {
            "matrices": (((2, 1), (1, 2)), ((3, -1), (-1, 1))),
            "centers": ((1, 0), (0, 2)),
            "h": ((2, 3), (3, 2)),
            "x": (5, -4),
            "shifts": _ZERO_SHIFTS,
            "solution": (0, 1),
            "Lcal": (Rational(13, 2), Rational(31, 4)),
            "omega": (Rational(13, 4), Rational(13, 4)),
            "L": Rational(5, 2),
            "mu": Rational(3, 2),
            "sigma": Rational(83, 8),
        },
    ),
    WorstCase(
        r"S3, zero shifts, a singular matrix: $\Psi_0=6.72101795909158$, exact $\mathbb E\Psi_1="
        r"6.16439979300548$, bound 6.55981463892485",
        {
            "matrices": (((1, 1, 0), (1, 1, 0), (0, 0, 0)), ((1, 0, 0), (0, 2, 0), (0, 0, 3))),
            "centers": ((1, 1, 0), (0, -1, 1)),
            "h": ((2, 2, 2), (1, 2, 3)),
            "x": (2, 1, -1),
            "shifts": ((0, 0, 0), (0, 0, 0)),
            "solution": (Rational(6, 5), Rational(-2, 5), 1),
            "Lcal": (2, 9),
            "omega": (3, Rational(7, 2)),
        },
    ),
    WorstCase(
        r"TIGHT: $n=1$, $f=\frac12\|x\|^2$, $h_1=\nabla f(x^\star)=0$, $x=\mathbf 1$ and a uniform step with "
        r"$\omega=9$: $\mathbb E\sigma_1^2$ over its bound is $\alpha(1+\omega)=1$",
        {"d": 100, "h": 1, "omega": 9, "L": 1, "mu": 1, "alpha": Rational(1, 10), "sigma": 0},
        Rational(1),
    ),
)

OLD = Claim(
    id="squant/diana",
    paper=PAPER,
    kind="rate",
    provenance="rederived",
    title="Linear rate of DIANA+",
    statement=(
        r"Minimise $\frac1n\sum_if_i+R$ under A1-A3 with independent unbiased compressors: $\mathbb "
        r"E\|C_i(y)-y\|^2\le\omega_i\|y\|^2$ and $\mathbb E\|C_i(y)-y\|_{\mathbf L_i}^2\le\mathcal "
        r"L_i\|y\|^2$. DIANA+: $h_i^0\in\mathrm{range}(\mathbf L_i)$, $\Delta_i=C_i(\mathbf L_i^{+1/2}("
        r"\nabla f_i(x)-h_i))$, $g=\frac1n\sum_i(h_i+\mathbf L_i^{1/2}\Delta_i)$, $h_i^+=h_i+\alpha\mathbf "
        r"L_i^{1/2}\Delta_i$, $x^+=\mathrm{prox}_{\gamma R}(x-\gamma g)$. If "
        r"$\alpha\le\frac1{1+\omega_{\max}}$ and $\gamma\le1/(L+6\mathcal L_{\max}/n)$, then with "
        r"$$\sigma_k^2=\frac1n\sum_i\mathcal L_i\|h_i^k-\nabla f_i(x^\star)\|_{\mathbf L_i^+}^2,\quad "
        r"\Psi_k=\|x^k-x^\star\|^2+\frac{4\gamma^2}{n\alpha}\sigma_k^2,\quad\mathbb "
        r"E\Psi_{k+1}\le\max\{1-\gamma\mu,\,1-\alpha/2\}\,\Psi_k,$$ that is $1-1/K$ at the largest steps "
        r"with $K=\max\{(L+6\mathcal L_{\max}/n)/\mu,\,2(1+\omega_{\max})\}$. On the way $\mathbb "
        r"E\sigma_{k+1}^2\le(1-\alpha)\sigma_k^2+2\alpha\mathcal L_{\max}D_f(x^k,x^\star)$, which is tight. "
        r"DIANA is the case $\mathbf L_i\to L_iI$, where $\mathcal L_i=\omega_iL_i$."
    ),
    variables=(
        *(variable for variable in DCGD.variables if variable.symbol in {n, L, mu, Lcal, Lcal_max, V, k}),
        Variable(omega_max, r"\mathbb R_{\ge0}", r"$\max_i\omega_i$"),
        Variable(omega, r"\mathbb R_{\ge0}", r"constant $\omega$ of the compressor at the tight instance"),
        Variable(s, r"\mathbb R^n_{\ge0}", r"$\|h_i-\nabla f_i(x^\star)\|_{\mathbf L_i^+}^2$", "(n,)"),
        Variable(
            m,
            r"\mathbb R^n_{\ge0}",
            r"$\|(1-\alpha)(h_i-\nabla f_i(x^\star))+\alpha(\nabla f_i(x)-\nabla f_i(x^\star))\|_{\mathbf "
            r"L_i^+}^2$",
            "(n,)",
        ),
        Variable(w, r"\mathbb R^n_{\ge0}", r"$\mathbb E\|P_i(\Delta_i-y_i)\|^2$ at $x$", "(n,)"),
        Variable(alpha, r"(0,1/(1+\omega_{\max})]", "learning rate of the shifts"),
        Variable(gamma, r"(0,1/(L+6\mathcal L_{\max}/n)]", "step size"),
        Variable(sigma, r"\mathbb R_{\ge0}", r"$\sigma_k^2$, the weighted mean error of the shifts"),
        Variable(bregman, r"\mathbb R_{\ge0}", r"$D_f(x,x^\star)$"),
        Variable(distance, r"\mathbb R_{\ge0}", r"$\|x-x^\star\|^2$"),
        Variable(
            drift,
            r"\mathbb R_{\ge0}",
            r"$\|x-x^\star-\gamma(\nabla f(x)-\nabla f(x^\star))\|^2$, where $\nabla f(x^\star)=0$ if $R=0$",
        ),
        Variable(Psi_0, r"\mathbb R_{\ge0}", r"$\Psi_0$, the Lyapunov function at the start"),
    ),
    assumptions=(
        r"A1: each $f_i$ is convex, differentiable and $\mathbf L_i$-smooth, $\mathbf L_i\succeq0$.",
        r"A2: $f$ is $\mu$-strongly convex, $\mu>0$; $R$ is proper, closed and convex.",
        r"A3: $\nabla f_i(x)\in\mathrm{range}(\mathbf L_i)$ for all $x$, and $h_i^0\in\mathrm{range}(\mathbf "
        r"L_i)$.",
        "The compressors are unbiased and independent over nodes and rounds.",
    ),
    derivation=lambda: derivation(expressions(_RATE, None, _FORMULAS)),
    worst_cases=_WORST_CASES,
    mutants=_MUTANTS,
    bound=_RATE,
    formulas=_FORMULAS,
)
