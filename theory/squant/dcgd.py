r"""`squant/dcgd`: rate of DCGD+ to a neighbourhood of the solution (arXiv 2106.03524).

Node $i$ sends $\Delta_i=C_i(\mathbf L_i^{+1/2}\nabla f_i(x))$; the server steps along $\frac1n\sum_i\mathbf
L_i^{1/2} \Delta_i$. For $\gamma\le1/(L+2\mathcal L_{\max}/n)$,
$$\mathbb E\|x^k-x^\star\|^2\le(1-\gamma\mu)^k\|x^0-x^\star\|^2+\frac{2\gamma\sigma_\star^2}{\mu n}.$$

Derivation: five inequalities (nonexpansive prox; variance of the mean; definition of $\mathcal L_i$;
co-coercivity; strong convexity) combine with six multipliers to one step; a geometric sum does the rest.
"""

from sympy import Expr, IndexedBase, Integer, Rational, Sum, Symbol, symbols

from theory.claim import Claim, Mutant, Variable, WorstCase
from theory.derivation import Certificate, Identity, StandardFact, Step, Term
from theory.squant.paper import PAPER
from theory.squant.symbols import i, n
from theory.two_point_law import INDEPENDENCE, expectation

L = Symbol("L", positive=True)
Lcal_max = Symbol("Lcal_max", nonnegative=True)
mu = Symbol("mu", positive=True)
gamma = Symbol("gamma", positive=True)
k = Symbol("k", integer=True, nonnegative=True)
distance = Symbol("distance", nonnegative=True)
drift = Symbol("drift", nonnegative=True)
sigma = Symbol("sigma", nonnegative=True)
omega = Symbol("omega", nonnegative=True)
Lcal = IndexedBase("Lcal", nonnegative=True)
s = IndexedBase("s", nonnegative=True)
V = IndexedBase("V", nonnegative=True)

_RATE = (1 - gamma * mu) ** k * distance + 2 * gamma * sigma / (mu * n)

_R, _D, _A, _S, _sig = symbols("R D A S sigma", nonnegative=True)
_R_next, _I, _G, _v = symbols("R_+ I G v", real=True)
_L, _Lt, _mu, _gamma, _n = symbols("L Ltilde mu gamma n", positive=True)
_rho = Symbol("rho", nonnegative=True)
_t, _C, _E = symbols("t C E", nonnegative=True)
_x, _y, _e1, _e2, _g, _gs, _root = symbols("x y e_1 e_2 g g_star r", real=True)
_p1, _p2 = symbols("p_1 p_2", nonnegative=True)
_f, _fs, _slope, _slope_star = symbols("f f_star a b", real=True)
_l1, _l2, _a1, _a2, _s1, _s2 = symbols("L_1 L_2 a_1 a_2 s_1 s_2", nonnegative=True)
_positive_root = Symbol("r", positive=True)

_STEP_SLACK = 1 - _gamma * (_L + 2 * _Lt / _n)

_EXPANSIONS: tuple[Step, ...] = (
    StandardFact(
        "prox",
        r"The prox is nonexpansive, and $x^\star=\mathrm{prox}_{\gamma R}(x^\star-\gamma\nabla "
        r"f(x^\star))$; so $\|x^+-x^\star\|\le\|x-x^\star-\gamma(g-\nabla f(x^\star))\|$.",
        "H. H. Bauschke and P. L. Combettes, Convex Analysis and Monotone Operator Theory, 2nd ed., prop. "
        "12.28, 26.1",
    ),
    Identity(
        "transform",
        r"$\mathbf L^{1/2}\mathbf L^{+1/2}$ is the identity on $\mathrm{range}(\mathbf L)$ (A3), per "
        r"positive eigenvalue $r^2$: the decoded message is unbiased.",
        _positive_root * (_g / _positive_root),
        _g,
    ),
    Identity(
        "weighted-error",
        r"$\|\mathbf L^{1/2}e\|^2=\|e\|_{\mathbf L}^2$, per eigenvalue $r^2$.",
        (_root * _e1) ** 2,
        _root**2 * _e1**2,
    ),
    Identity(
        "unbiased-step",
        r"For unbiased $g=b+e$ with $\mathbb Ee^2=v$: $\mathbb E(x-\gamma g)^2=x^2-2\gamma "
        r"xb+\gamma^2(b^2+v)$, here with the two-point error $e\in\{-sp,s(1-p)\}$, $v=s^2p(1-p)$.",
        expectation(lambda up: (_x - _gamma * (_y + _e1 * (up - _p1))) ** 2, _p1),
        _x**2 - 2 * _gamma * _x * _y + _gamma**2 * (_y**2 + _e1**2 * _p1 * (1 - _p1)),
    ),
    Identity(
        "mean-of-nodes",
        r"Independent errors of two nodes: $\mathbb E\big(\frac12(e_1+e_2)\big)^2=\frac14(\mathbb "
        r"Ee_1^2+\mathbb Ee_2^2)$.",
        expectation(lambda b1, b2: ((_e1 * (b1 - _p1) + _e2 * (b2 - _p2)) / 2) ** 2, _p1, _p2),
        (_e1**2 * _p1 * (1 - _p1) + _e2**2 * _p2 * (1 - _p2)) / 4,
    ),
    INDEPENDENCE,
)

_VARIANCE: tuple[Step, ...] = (
    Certificate(
        "young",
        r"$\|g\|^2\le2\|g-g^\star\|^2+2\|g^\star\|^2$, per coordinate.",
        _g**2,
        2 * (_g - _gs) ** 2 + 2 * _gs**2,
        (Term(Integer(1), (_g - 2 * _gs) ** 2, "square of a real number"),),
    ),
    Certificate(
        "node-constants",
        r"$\frac1{n^2}\sum_i\mathcal L_i(2a_i+2s_i)\le\frac2n(\mathcal L_{\max}A+\sigma_\star^2)$ with "
        r"$A=\frac1n\sum_ia_i$, $\sigma_\star^2=\frac1n\sum_i\mathcal L_is_i$ (two nodes shown).",
        (_l1 * (2 * _a1 + 2 * _s1) + _l2 * (2 * _a2 + 2 * _s2)) / 4,
        _Lt * (_a1 + _a2) / 2 + (_l1 * _s1 + _l2 * _s2) / 2,
        (
            Term(_a1 / 2, _Lt - _l1, "Ltilde is the largest constant"),
            Term(_a2 / 2, _Lt - _l2, "Ltilde is the largest constant"),
        ),
    ),
    StandardFact(
        "co-coercivity",
        r"$\|\nabla f_i(x)-\nabla f_i(y)\|_{\mathbf L_i^+}^2\le2D_{f_i}(x,y)$ and $\|\nabla f(x)-\nabla "
        r"f(y)\|^2\le2LD_f(x,y)$.",
        "claim squant/range, with L_i and with L I in place of the matrix",
    ),
    Certificate(
        "gradient-error",
        r"$\mathbb E\|g-\nabla f(x^\star)\|^2=G+v\le2(L+2\mathcal L_{\max}/n)D+\frac2n\sigma_\star^2$.",
        _G + _v,
        2 * (_L + 2 * _Lt / _n) * _D + 2 * _S / _n,
        (
            Term(Integer(1), 2 * _L * _D - _G, "co-coercivity of f"),
            Term(Integer(1), 2 * (_Lt * _A + _S) / _n - _v, "mean-of-nodes, young, node-constants"),
            Term(2 * _Lt / _n, 2 * _D - _A, "co-coercivity of the f_i, averaged"),
        ),
    ),
    Certificate(
        "strong-convexity",
        r"$D_f(x,x^\star)+\frac\mu2\|x-x^\star\|^2\le\langle\nabla f(x)-\nabla "
        r"f(x^\star),x-x^\star\rangle=a-b$ with $a=\langle\nabla f(x),x-x^\star\rangle$, $b=\langle\nabla "
        r"f(x^\star),x-x^\star\rangle$.",
        (_f - _fs - _slope_star) + _mu / 2 * _R,
        _slope - _slope_star,
        (
            Term(
                Integer(1),
                _fs - _f + _slope - _mu / 2 * _R,
                "strong convexity at x, evaluated at the solution",
            ),
        ),
    ),
)


def _six_slacks(variance: Expr) -> tuple[Term, ...]:
    """Return the terms of one step; `variance` is the slack of the bound on the variance."""
    return (
        Term(Integer(1), _R - 2 * _gamma * _I + _gamma**2 * (_G + _v) - _R_next, "prox, unbiased-step"),
        Term(2 * _gamma, _I - _D - _mu / 2 * _R, "strong-convexity"),
        Term(_gamma**2, 2 * _L * _D - _G, "co-coercivity of f"),
        Term(_gamma**2, variance, "mean-of-nodes, young, node-constants"),
        Term(2 * _gamma**2 * _Lt / _n, 2 * _D - _A, "co-coercivity of the f_i, averaged"),
        Term(2 * _gamma * _D, _STEP_SLACK, "the step size is at most 1/(L + 2 Ltilde/n)"),
    )


_RECURSION: tuple[Step, ...] = (
    Certificate(
        "cert.dcgdplus",
        r"One step: $R^+\le(1-\gamma\mu)R+2\gamma^2\tilde L\sigma/n$ with $\sigma=\frac1n\sum_i\|\nabla "
        r"f_i(x^\star)\|_{\mathbf L_i^+}^2$ and $\tilde L=\mathcal L_{\max}$ for every node.",
        _R_next,
        (1 - _gamma * _mu) * _R + 2 * _gamma**2 * _Lt * _sig / _n,
        _six_slacks(_Lt / _n * (2 * _A + 2 * _sig) - _v),
    ),
    Certificate(
        "one-step",
        r"The same with the constant of each node: $R^+\le(1-\gamma\mu)R+2\gamma^2\sigma_\star^2/n$.",
        _R_next,
        (1 - _gamma * _mu) * _R + 2 * _gamma**2 * _S / _n,
        _six_slacks(2 * (_Lt * _A + _S) / _n - _v),
    ),
    Certificate(
        "contraction",
        r"$\gamma\mu\le1$, because $\mu\le L$.",
        _gamma * _mu,
        Integer(1),
        (
            Term(Integer(1), _STEP_SLACK, "the step size is at most 1/(L + 2 Ltilde/n)"),
            Term(_gamma, _L - _mu, "a function is at least as smooth as strongly convex"),
            Term(2 * _gamma * _Lt / _n, Integer(1), "one is positive"),
        ),
    ),
    Identity(
        "induction",
        r"Induction on $E_{k+1}=\rho E_k+C$: $E_k=\rho^kE_0+C\frac{1-\rho^k}{1-\rho}$, with $t=\rho^k$.",
        _rho * (_t * _E + _C * (1 - _t) / (1 - _rho)) + _C,
        _rho * _t * _E + _C * (1 - _rho * _t) / (1 - _rho),
    ),
    Certificate(
        "geometric-sum",
        r"$C\frac{1-\rho^k}{1-\rho}\le\frac C{\gamma\mu}$ with $1-\rho=\gamma\mu$.",
        _C * (1 - _t) / (_gamma * _mu),
        _C / (_gamma * _mu),
        (Term(_C / (_gamma * _mu), _t, "a power of a nonnegative number"),),
    ),
    Identity(
        "neighbourhood",
        r"$C=2\gamma^2\sigma_\star^2/n$ gives $\frac C{\gamma\mu}=\frac{2\gamma\sigma_\star^2}{\mu n}$.",
        2 * _gamma**2 * _S / _n / (_gamma * _mu),
        2 * _gamma * _S / (_mu * _n),
    ),
)

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

CLAIM = Claim(
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
    derivation=(*_EXPANSIONS, *_VARIANCE, *_RECURSION),
    worst_cases=_WORST_CASES,
    mutants=_MUTANTS,
    bound=_RATE,
    formulas={
        "step_size": 1 / (L + 2 * Lcal_max / n),
        "condition": (L + 2 * Lcal_max / n) / mu,
        "one_step": (1 - gamma * mu) * distance + 2 * gamma**2 * sigma / n,
        "one_step_exact": drift + gamma**2 / n**2 * Sum(V[i], (i, 0, n - 1)),
        "rate": _RATE,
        "neighbourhood": 2 * gamma * sigma / (mu * n),
        "sigma_star": Sum(Lcal[i] * s[i], (i, 0, n - 1)) / n,
        "sharp_ratio": (4 * omega + 1) / (4 * omega + 2),
    },
)
