r"""`cq_marina/dsgd`: distributed SGD with compressed gradients against MARINA (arXiv 2401.05518, abstract).

Compressed gradients keep the noise $\sigma^2$ of different clients at the solution: they need
$O(\varepsilon^{-4})$ rounds, with a floor proportional to $\gamma$. MARINA compresses differences and needs
$O(\varepsilon^{-2})$.

Derivation: descent with unbiased noise; for shifted copies of one quadratic the second moment obeys an exact
linear recursion whose fixed point is the floor.
"""

from sympy import Integer, Max, Min, Rational, sqrt

from theory.cq_marina.dsgd_derivation import L, S_sq, V, derivation, epsilon, k, omega, sigma_sq, v
from theory.cq_marina.marina_descent import Delta_0, T, gamma
from theory.cq_marina.marina_rate_derivation import A
from theory.cq_marina.paper import PAPER
from theory.cq_marina.symbols import CLIENTS, DIMENSION, EXACT_REALS, PROBABILITY, d, n, p
from theory.old_form import Claim, Mutant, Variable, WorstCase, expressions

_BOUND = 2 * Delta_0 / (gamma * T) + L * gamma * sigma_sq
_CONTRACTION = (1 - gamma * L) ** 2 + gamma**2 * omega * L**2
_FLOOR = gamma * L * omega * S_sq / (2 - gamma * L * (1 + omega))
_FORMULAS = {
    "step_size": 1 / (L * (1 + A)),
    "accuracy_step": Min(1 / (L * (1 + A)), epsilon**2 / (2 * L * sigma_sq)),
    "rounds": Max(4 * Delta_0 * L * (1 + A) / epsilon**2, 8 * Delta_0 * L * sigma_sq / epsilon**4),
    "relative_variance": (d - 1) / n,
    "recursion": (1 - gamma * L) ** 2 * v + gamma**2 * omega * (L**2 * v + S_sq),
    "contraction": _CONTRACTION,
    "value": _CONTRACTION**k * (v - _FLOOR / L**2) + _FLOOR / L**2,
    "floor": _FLOOR,
    "floor_any": gamma * L * V / (2 - gamma * L),
    "marina_rounds": 2 * Delta_0 * L * (1 + sqrt((1 - p) / p * omega)) / epsilon**2,
}

_MUTANTS = (
    Mutant(
        "forgotten-mean",
        r"$\tilde\omega=d-1$, without the $\frac1n$ of the mean: the floor is 4.656 times too large at "
        r"$n=4$, $d=8$, $\gamma L=0.05$, the value after 20 rounds 1.438 times.",
        ("exact", "montecarlo"),
    ),
    Mutant(
        "forgotten-shifts",
        r"$V=\tilde\omega L^2v$, as if all clients had the same gradient: the recursion then converges to 0.",
        ("exact", "montecarlo"),
    ),
    Mutant(
        "half-the-noise",
        r"$\frac12L\gamma\sigma^2$ in the bound: the floor at the largest step exceeds it.",
        ("exact",),
    ),
    Mutant(
        "double-step",
        r"$\gamma=\frac2{L(1+A)}$ in the method, as far as the recursion is stable at all: nothing "
        r"contracts.",
        ("exact",),
    ),
    Mutant(
        "dcgd-for-marina",
        r"Compressed gradients where the claim says MARINA, clients shifted: the floor stays, no convergence "
        r"to 0.",
        ("exact", "run"),
    ),
    Mutant(
        "permuted-clients",
        "Number the clients differently: nothing may change.",
        ("exact",),
        neutral=True,
    ),
)

_GAMMA = Rational(1, 20)

_WORST_CASES = (
    WorstCase(
        r"$L=1$, $\gamma=0.05$, $n=4$, $d=8$, $S^2=1$: the floor",
        {"L": 1, "gamma": _GAMMA, "n": 4, "d": 8, "S_sq": 1, "omega": Rational(7, 4), "v": 8},
        Rational(7, 149),
    ),
    WorstCase(
        r"the largest step $\frac1{L(1+\tilde\omega)}$: floor and noise term of the bound agree",
        {"L": 1, "omega": Rational(7, 4), "S_sq": 1, "gamma": Rational(4, 11)},
        Rational(7, 11),
    ),
    WorstCase(
        r"equal gradients, $S=0$: no floor, and compressed gradients are the cheaper method",
        {"L": 1, "omega": Rational(7, 4), "S_sq": 0, "gamma": Rational(4, 11)},
        Integer(0),
    ),
)

CLAIM = Claim(
    id="cq_marina/dsgd",
    paper=PAPER,
    kind="rate",
    provenance="abstract",
    title="Compressed gradients against MARINA: the noise of different clients",
    statement=(
        r"DCGD, $x^+=x-\gamma\hat g$ with an unbiased estimate $\hat g$ of $\nabla f(x)$ of error $V\le "
        r"A\|\nabla f\|^2+\sigma^2$, satisfies for $\gamma\le\frac1{L(1+A)}$ $$\min_{k<T}\mathbb E\|\nabla "
        r"f(x^k)\|^2\le\frac{2\Delta_0}{\gamma T}+L\gamma\sigma^2,$$ so that "
        r"$T=\max\big\{\frac{4\Delta_0L(1+A)}{\varepsilon^2},\frac{8\Delta_0L\sigma^2}{\varepsilon^4}\big\}$ "
        r"rounds reach $\varepsilon^2$. For $f_i(x)=\frac L2\|x\|^2+\langle s_i,x\rangle$, $\sum_is_i=0$, "
        r"and independent one-bit quantizers, $\tilde\omega=\frac{d-1}n$, $S^2=\frac1n\sum_i\|s_i\|^2$, the "
        r"second moment $v=\mathbb E\|x-x^\star\|^2$ obeys $v^+=(1-\gamma "
        r"L)^2v+\gamma^2\tilde\omega(L^2v+S^2)$ exactly, with the floor $L^2v_\infty=\frac{\gamma "
        r"L\tilde\omega S^2}{2-\gamma L(1+\tilde\omega)}>0$; for any unbiased compressor the floor is "
        r"$\frac{\gamma L\bar V}{2-\gamma L}$ with the mean error $\bar V$, which tends to "
        r"$V_{CQ}(s_1,\dots,s_n)$ for the correlated quantizer as $\gamma\to0$. MARINA compresses "
        r"differences, in which the shifts cancel: $L_\pm=0$, no floor, "
        r"$\frac{2\Delta_0L}{\varepsilon^2}\Big(1+\sqrt{\tfrac{1-p}p\tilde\omega}\Big)$ rounds."
    ),
    variables=(
        CLIENTS,
        DIMENSION,
        PROBABILITY,
        Variable(L, r"\mathbb R_{>0}", r"Lipschitz constant of $\nabla f$"),
        Variable(A, r"\mathbb R_{\ge0}", r"constant of the error, relative to $\|\nabla f\|^2$"),
        Variable(sigma_sq, r"\mathbb R_{\ge0}", r"$\sigma^2$, the rest of the error"),
        Variable(
            omega,
            r"\mathbb R_{\ge0}",
            r"$\tilde\omega$, error of the mean relative to $\frac1n\sum_i\|a_i\|^2$",
        ),
        Variable(S_sq, r"\mathbb R_{\ge0}", r"$S^2=\frac1n\sum_i\|s_i\|^2$"),
        Variable(V, r"\mathbb R_{\ge0}", r"$\bar V$, mean error once the second moment no longer changes"),
        Variable(v, r"\mathbb R_{\ge0}", r"$\mathbb E\|x-x^\star\|^2$ at the start"),
        Variable(
            gamma, r"(0,\frac1{L(1+A)}]", r"step size; below $\frac2{L(1+\tilde\omega)}$ in the recursion"
        ),
        Variable(epsilon, r"\mathbb R_{>0}", r"accuracy of $\|\nabla f\|$"),
        Variable(k, r"\mathbb N_0", "number of rounds"),
        Variable(T, r"\mathbb N", "number of rounds"),
        Variable(Delta_0, r"\mathbb R_{\ge0}", r"$f(x^0)-f^\star$"),
    ),
    assumptions=(
        r"$f$ is bounded below and $\nabla f$ is $L$-Lipschitz.",
        r"The number of rounds to an accuracy uses the step "
        r"$\min\{\frac1{L(1+A)},\frac{\varepsilon^2}{2L\sigma^2}\}$.",
        EXACT_REALS,
    ),
    derivation=lambda: derivation(expressions(_BOUND, None, _FORMULAS)),
    worst_cases=_WORST_CASES,
    mutants=_MUTANTS,
    bound=_BOUND,
    formulas=_FORMULAS,
)
