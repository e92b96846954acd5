r"""`squant/dcgd`: rate of DCGD+ to a neighbourhood of the solution (arXiv 2106.03524).

Node $i$ sends $\Delta_i=C_i(\mathbf L_i^{+1/2}\nabla f_i(x))$; the server steps along $\frac1n\sum_i\mathbf
L_i^{1/2} \Delta_i$. For $\gamma\le1/(L+2\mathcal L_{\max}/n)$,
$$\mathbb E\|x^k-x^\star\|^2\le(1-\gamma\mu)^k\|x^0-x^\star\|^2+\frac{2\gamma\sigma_\star^2}{\mu n}.$$

Derivation: five inequalities (nonexpansive prox; variance of the mean; definition of $\mathcal L_i$;
co-coercivity; strong convexity) combine with six multipliers to one step; an induction does the rest.
"""

from sympy import Rational, Sum

from theory.old_form import Claim, Mutant, Variable, WorstCase, expressions
from theory.squant.dcgd_derivation import (
    L,
    Lcal,
    Lcal_max,
    V,
    derivation,
    distance,
    drift,
    gamma,
    k,
    mu,
    omega,
    s,
    sigma,
)
from theory.squant.paper import PAPER
from theory.squant.symbols import i, n

_RATE = (1 - gamma * mu) ** k * distance + 2 * gamma * sigma / (mu * n)
_FORMULAS = {
    "step_size": 1 / (L + 2 * Lcal_max / n),
    "condition": (L + 2 * Lcal_max / n) / mu,
    "one_step": (1 - gamma * mu) * distance + 2 * gamma**2 * sigma / n,
    "one_step_exact": drift + gamma**2 / n**2 * Sum(V[i], (i, 0, n - 1)),
    "rate": _RATE,
    "neighbourhood": 2 * gamma * sigma / (mu * n),
    "sigma_star": Sum(Lcal[i] * s[i], (i, 0, n - 1)) / n,
    "sharp_ratio": (4 * omega + 1) / (4 * omega + 2),
}

_MUTANTS = (
    Mutant(
        "four-times-step",
        r"Step size $4\gamma$: SHARP 369/285 at $\omega=9$, up to 239 times the bound on random problems.",
        ("run",),
    ),
    Mutant(
        "omitted-variance-term",
        r"Leave out $2\mathcal L_{\max}/n$ in the step size, $\gamma=1/L$: SHARP gives $\omega$ against 0.",
        ("run",),
    ),
    Mutant(
        "quarter-variance-term",
        r"$\mathcal L_{\max}/(2n)$ for $2\mathcal L_{\max}/n$ in the step size.",
        ("run",),
    ),
    Mutant(
        "shared-seed",
        "The same random numbers on all nodes: the noise no longer averages.",
        ("run", "montecarlo"),
    ),
    Mutant(
        "diagonal-smoothness",
        r"$\mathrm{Diag}(\mathbf L_i)$ in place of $\mathbf L_i$: for $\mathbf L=\mathbf 1\mathbf 1^\top$ "
        r"and a fine quantizer the contraction factor is $|1-d|$.",
        ("run",),
    ),
    Mutant(
        "wrong-decompression",
        r"The server multiplies by $\mathbf L_i^{+1/2}$ instead of $\mathbf L_i^{1/2}$.",
        ("run", "montecarlo"),
    ),
    Mutant(
        "rolled-nodes",
        "The server decodes the message of each node with the matrix of another one.",
        ("montecarlo",),
    ),
    Mutant(
        "certificate-constant",
        r"A changed constant in the certificate of one step leaves a remainder.",
        ("symbolic",),
    ),
    Mutant(
        "permuted-nodes", "Number the nodes differently: nothing may change in law.", ("run",), neutral=True
    ),
)

_WORST_CASES = (
    WorstCase(
        r"S1: both matrices diagonal; the exact left side is 4.10913580246914",
        {
            "matrices": (((4, 0), (0, 1)), ((1, 0), (0, 1))),
            "centers": ((1, 0), (-1, 0)),
            "h": ((Rational(1, 2),) * 2,) * 2,
            "x": (3, 3),
            "solution": (Rational(3, 5), 0),
            "Lcal": (Rational(5, 16), Rational(1, 8)),
            "L": Rational(5, 2),
            "mu": 1,
            "gamma": Rational(16, 45),
            "sigma": Rational(13, 50),
        },
        (1 - Rational(16, 45)) * Rational(369, 25) + 2 * Rational(16, 45) ** 2 * Rational(13, 50) / 2,
    ),
    WorstCase(
        r"S2: dense matrices; exact left side 35.4128843594040, bound 42.7816775728733",
        {
            "matrices": (((2, 1), (1, 2)), ((3, -1), (-1, 1))),
            "centers": ((1, 0), (0, 2)),
            "h": ((2, 3), (3, 2)),
            "x": (5, -4),
            "solution": (0, 1),
            "Lcal": (Rational(13, 2), Rational(31, 4)),
            "L": Rational(5, 2),
            "mu": Rational(3, 2),
        },
    ),
    WorstCase(
        r"S3: a singular matrix; exact left side 5.12042265727212, bound 6.27360431359856",
        {
            "matrices": (((1, 1, 0), (1, 1, 0), (0, 0, 0)), ((1, 0, 0), (0, 2, 0), (0, 0, 3))),
            "centers": ((1, 1, 0), (0, -1, 1)),
            "h": ((2, 2, 2), (1, 2, 3)),
            "x": (2, 1, -1),
            "solution": (Rational(6, 5), Rational(-2, 5), 1),
        },
    ),
    WorstCase(
        r"SHARP: $n=1$, $f=\frac12\|x\|^2$, $x=\mathbf 1$, $h\sqrt d=1+\omega$; left over right is 37/38",
        {"d": 100, "h": 1, "omega": 9, "L": 1, "mu": 1, "gamma": Rational(1, 19), "sigma": 0},
        Rational(37, 38),
    ),
)

OLD = Claim(
    id="squant/dcgd",
    paper=PAPER,
    kind="rate",
    provenance="rederived",
    title="Rate of DCGD+ to a neighbourhood of the solution",
    statement=(
        r"Minimise $\frac1n\sum_if_i+R$ under A1-A3 with independent unbiased compressors $C_i$ and "
        r"$\mathcal L_i=\mathcal L(C_i,\mathbf L_i)$, the smallest $\ell$ with $\mathbb "
        r"E\|C_i(y)-y\|_{\mathbf L_i}^2\le\ell\|y\|^2$ (or any upper bound). DCGD+: $\Delta_i=C_i(\mathbf "
        r"L_i^{+1/2}\nabla f_i(x))$, $g=\frac1n\sum_i\mathbf L_i^{1/2}\Delta_i$, $x^+=\mathrm{prox}_{\gamma "
        r"R}(x-\gamma g)$. If $\gamma\le1/(L+2\mathcal L_{\max}/n)$, then $$\mathbb "
        r"E\|x^k-x^\star\|^2\le(1-\gamma\mu)^k\|x^0-x^\star\|^2+\frac{2\gamma\sigma_\star^2}{\mu "
        r"n},\qquad\sigma_\star^2=\frac1n\sum_i\mathcal L_i\|\nabla f_i(x^\star)\|_{\mathbf L_i^+}^2,$$ and "
        r"for one step $\mathbb "
        r"E\|x^+-x^\star\|^2\le(1-\gamma\mu)\|x-x^\star\|^2+2\gamma^2\sigma_\star^2/n$. Here "
        r"$L=\lambda_{\max}(\frac1n\sum_i\mathbf L_i)$. DCGD is the case $\mathbf L_i=L_iI$, where "
        r"$\mathcal L_i=\omega L_i$."
    ),
    variables=(
        Variable(n, r"\mathbb N", "number of nodes"),
        Variable(L, r"\mathbb R_{>0}", r"$\lambda_{\max}$ of the mean smoothness matrix"),
        Variable(mu, r"(0,L]", "strong convexity of $f$"),
        Variable(Lcal, r"\mathbb R^n_{\ge0}", r"constants $\mathcal L_i$ of the compressors", "(n,)"),
        Variable(Lcal_max, r"\mathbb R_{\ge0}", r"$\max_i\mathcal L_i$"),
        Variable(s, r"\mathbb R^n_{\ge0}", r"$\|\nabla f_i(x^\star)\|_{\mathbf L_i^+}^2$", "(n,)"),
        Variable(V, r"\mathbb R^n_{\ge0}", r"$\mathbb E\|\Delta_i-y_i\|_{\mathbf L_i}^2$ at $x$", "(n,)"),
        Variable(gamma, r"(0,1/(L+2\mathcal L_{\max}/n)]", "step size"),
        Variable(sigma, r"\mathbb R_{\ge0}", r"$\sigma_\star^2$"),
        Variable(distance, r"\mathbb R_{\ge0}", r"$\|x^0-x^\star\|^2$"),
        Variable(drift, r"\mathbb R_{\ge0}", r"$\|x-\gamma\nabla f(x)-x^\star\|^2$"),
        Variable(k, r"\mathbb N_0", "number of rounds"),
        Variable(omega, r"\mathbb R_{\ge0}", r"variance constant of the quantizer of the family SHARP"),
    ),
    assumptions=(
        r"A1: each $f_i$ is convex, differentiable and $\mathbf L_i$-smooth, $\mathbf L_i\succeq0$.",
        r"A2: $f$ is $\mu$-strongly convex, $\mu>0$; $R$ is proper, closed and convex.",
        r"A3: $\nabla f_i(x)\in\mathrm{range}(\mathbf L_i)$ for all $x$.",
        "The compressors are unbiased and independent over nodes and rounds.",
    ),
    derivation=lambda: derivation(expressions(_RATE, None, _FORMULAS)),
    worst_cases=_WORST_CASES,
    mutants=_MUTANTS,
    bound=_RATE,
    formulas=_FORMULAS,
)
