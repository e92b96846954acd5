r"""Symbols, hypotheses and constants of `cq_marina/marina-biased`."""

from sympy import IndexedBase, Rational, Sum, sqrt, symbols

from theory.claim import Variable
from theory.cq_marina.marina import round as one
from theory.cq_marina.marina import run
from theory.cq_marina.marina.round import (
    COORDINATES,
    ONE,
    L_minus,
    R,
    V,
    X,
    coin,
    error_now,
    g,
    gamma,
    j,
    p,
    u,
    v,
    xi,
)
from theory.cq_marina.marina.run import E_0, Delta_0, T
from theory.cq_marina.marina.silent_run import BROKEN
from theory.expectation import E, bernoulli
from theory.hypotheses import definition, domain, model, parameter

s, X_v, X_b, kappa, rho, bias_sq, second = symbols("s X_v X_b kappa rho bias_sq second", real=True)
n, i, o, O, alpha, sigma, omega, L_plus = symbols("n i o O alpha sigma omega L_plus", real=True)
bias, P, err, w, L, size, own, c, a, r = symbols("bias P err w L size own c a r", cls=IndexedBase, real=True)
CLIENTS, OUTCOMES = (i, 0, n - 1), (o, 0, O - 1)

LEFT = 1 - (1 - p) * (1 + s)
KAPPA = (1 - p) * (X_v + (1 + 1 / s) * X_b) / LEFT
WEIGHT = gamma / (2 * LEFT)
BOUND = 2 * (Delta_0 + WEIGHT * E_0) / (gamma * T)
RADICAL = sqrt((1 - p) * (X_b + p * X_v))
ROOT = ((1 - p) * sqrt(X_b) + RADICAL) / p
UNBIASED = sqrt((1 - p) / p * X_v)
ANY = sqrt(1 - p) * (1 + sqrt(1 - p)) / p * sqrt(X)
NOISY = E((g[j] - u[j] + xi[0]) ** 2, xi, ONE, mean=bias[j], variance=v[j])
TOSSED = bernoulli((1 - coin[0]) * Sum(NOISY, COORDINATES), coin, ONE, p=p)
CONTRACTIVE_X = (1 - alpha) * (Sum(L[i], CLIENTS) / n) ** 2
JOINT = Sum(P[o] * Sum((Sum(err[o, i, j], CLIENTS) / n) ** 2, COORDINATES), OUTCOMES)
OWN = Sum(P[o] * Sum(err[o, i, j] ** 2, COORDINATES), OUTCOMES)
SCALED_VARIANCE = sigma**2 * omega / n * L_plus**2
SCALED_BIAS = (1 - sigma) ** 2 * L_minus**2
SPREAD = E(
    (Sum(sigma * c[i], CLIENTS) / n - Sum(sigma * a[i, j], CLIENTS) / n) ** 2,
    c,
    CLIENTS,
    mean=a[i, j],
    variance=r[i, j],
)
MEAN = Sum(a[i, j], CLIENTS) / n
HALF = Rational(1, 2)
REPLACED = (one.A, one.B, one.L_plus, one.L_pm, one.M, one.m, V, X)

VARIABLES = (
    *(item for item in one.VARIABLES if item.symbol not in REPLACED),
    Variable(gamma, r"\gamma", r"\mathbb R_{>0}", "step size"),
    Variable(s, "s", r"\mathbb R_{>0}", "how the square of error plus bias is split"),
    Variable(V, r"\mathbb E\|\xi-b\|^2", r"\mathbb R_{\ge0}", "variance of the error"),
    Variable(bias_sq, r"\|b\|^2", r"\mathbb R_{\ge0}", "square of its mean"),
    Variable(second, r"\mathbb E\|\xi\|^2", r"\mathbb R_{\ge0}", "its mean square"),
    Variable(X_v, r"\mathcal X_v", r"\mathbb R_{\ge0}", "constant of the variance"),
    Variable(X_b, r"\mathcal X_b", r"\mathbb R_{\ge0}", "constant of the squared mean"),
    Variable(X, r"\mathcal X", r"\mathbb R_{\ge0}", "constant of the mean square"),
    Variable(kappa, r"\kappa", r"\mathbb R_{\ge0}", "constant of the step"),
    Variable(rho, r"\rho", r"\mathbb R_{\ge0}", r"its smallest root"),
    Variable(n, "n", r"\mathbb N", "number of clients"),
    Variable(bias, "b", r"\mathbb R^d", "mean of the error", "(d,)"),
    Variable(c, "c", r"\mathbb R^n", "entries of the messages in a coordinate", "(n,)"),
    Variable(r, r"\nu", r"\mathbb R^{n\times d}_{\ge0}", "variances of messages by coordinate", "(n, d)"),
    Variable(alpha, r"\alpha", r"[0,1]", "how much contractive compressors keep"),
    Variable(size, r"\|a_{#1}\|^2", r"\mathbb R^n_{\ge0}", "squared differences of the clients", "(n,)"),
    Variable(
        own,
        r"\mathbb E\|C_{#1}(a_{#1})-a_{#1}\|^2",
        r"\mathbb R^n_{\ge0}",
        "mean squared errors of the messages",
        "(n,)",
    ),
    Variable(w, "w", r"\mathbb R^n_{>0}", "weights", "(n,)"),
    Variable(L, "L", r"\mathbb R^n_{>0}", "Lipschitz constants of the clients", "(n,)"),
    Variable(O, "O", r"\mathbb N_0", "number of outcomes of all messages together"),
    Variable(P, "P", "[0,1]^O", "their probabilities", "(O,)"),
    Variable(err, "E", r"\mathbb R^{O\times n\times d}", "errors of the clients", "(O,n,d)"),
    Variable(a, "a", r"\mathbb R^{n\times d}", "inputs of the clients", "(n,d)"),
    Variable(sigma, r"\sigma", r"\mathbb R_{\ge0}", "scale of the messages"),
    Variable(omega, r"\omega", r"\mathbb R_{\ge0}", "variance constant of a message"),
    Variable(L_plus, "L_+", r"\mathbb R_{\ge0}", "Lipschitz constant of the gradients of the clients"),
    run.ROUNDS,
    run.FIRST_GAP,
    run.FIRST_ERROR,
    run.AVERAGE,
    run.GAPS,
    run.ERRORS,
    run.SQUARES,
)
HYPOTHESES = {
    **{name: one.HYPOTHESES[name] for name in ("dimension", "variances", "round", "smooth")},
    "coordinates": definition(r"$\mathbb E\|\xi-b\|^2=\sum_jv_j$"),
    "signs": domain(r"$0<p\le1$; $\gamma,L_-,s>0$; $\mathcal X_v,\mathcal X_b,\mathcal X\ge0$"),
    "coin": model(
        r"$\mathbb E\|g^+-\nabla f(x^+)\|^2=\mathbb E\bigl((1-\chi)\sum_j\mathbb E\bigl("
        r"(g_j+\xi-u_j)^2\bigr)\bigr)$, over $\xi$ with mean $b_j$ and variance $v_j$ and over "
        r"$\chi\sim\mathrm{Bernoulli}(p)$; $\|b\|^2=\sum_jb_j^2$, since a coin makes the estimate exact"
    ),
    "noise": model(
        r"$\mathbb E\|\xi-b\|^2\le\mathcal X_v\|x^+-x\|^2$ and $\|b\|^2\le\mathcal X_b\|x^+-x\|^2$"
    ),
    "any": model(r"$\mathbb E\|\xi-b\|^2+\|b\|^2\le\mathcal X\|x^+-x\|^2$"),
    "split": parameter("$(1-p)(1+s)<1$"),
    "kappa": definition(r"$\kappa=\frac{(1-p)(\mathcal X_v+(1+\frac1s)\mathcal X_b)}{1-(1-p)(1+s)}$"),
    "step": parameter(r"$\gamma\le\frac1{L_-+\sqrt\kappa}$"),
    "rho": definition(r"$\rho=\frac{(1-p)\sqrt{\mathcal X_b}+\sqrt{(1-p)(\mathcal X_b+p\mathcal X_v)}}p$"),
    "best": parameter(r"$s=\sqrt{\mathcal X_b}/\rho$, $\mathcal X_b>0$, $p<1$"),
    "run": domain(r"$T\ge1$ is an integer"),
    **run.hypotheses(r"\frac\gamma{2(1-(1-p)(1+s))}", "E_0", "b"),
    "clients": domain(r"$n\ge1$ is an integer"),
    "weights": domain(r"$w_i>0$, $\sum_iw_i=1$"),
    "outcomes": definition(
        r"$\mathbb E\|\xi\|^2=\sum_oP_o\sum_j\big(\frac1n\sum_iE_{oij}\big)^2$, "
        r"$\mathbb E\|C_i(a_i)-a_i\|^2=\sum_oP_o\sum_jE_{oij}^2$; $O\ge0$ is an integer; $P_o\ge0$"
    ),
    "contractive": model(r"$\mathbb E\|C_i(a_i)-a_i\|^2\le(1-\alpha)\|a_i\|^2$, $\alpha\le1$"),
    "own-smoothness": model(r"$\|a_i\|^2\le L_i^2\|x^+-x\|^2$, $L_i>0$"),
    "proportional": parameter(r"$w_i=L_i/\sum_iL_i$"),
    "scaled": model(
        r"$v_j=\mathbb E\bigl((\frac1n\sum_i\sigma c_i-\frac1n\sum_i\sigma a_{ij})^2\bigr)$, over "
        r"uncorrelated $c_i$, $1\le i\le n$, with mean $a_{ij}$ and variance $\nu_{ij}$; "
        r"$b_j=(\sigma-1)\frac1n\sum_ia_{ij}$, $0\le\nu_{ji}$, "
        r"$\mathbb E\|C_i(a_i)-a_i\|^2=\sum_j\nu_{ij}$, "
        r"$\mathbb E\|C_i(a_i)-a_i\|^2\le\omega\|a_i\|^2$, $\frac1n\sum_i\|a_i\|^2\le "
        r"L_+^2\|x^+-x\|^2$, $\sum_j\big(\frac1n\sum_ia_{ij}\big)^2\le L_-^2\|x^+-x\|^2$, "
        r"$0\le\omega$"
    ),
}
FORMULAS = {
    "bound": BOUND,
    "noise": (1 - p) * ((1 + s) * error_now + (X_v + (1 + 1 / s) * X_b) * R),
    "weight": WEIGHT,
    "kappa": KAPPA,
    "s_star": sqrt(X_b) / ROOT,
    "root_kappa": ROOT,
    "step_size": 1 / (L_minus + ROOT),
    "root_kappa_unbiased": UNBIASED,
    "root_kappa_any": ANY,
    "contractive_A": 1 - alpha,
    "contractive_X": CONTRACTIVE_X,
    "scaled_variance": SCALED_VARIANCE,
    "scaled_bias": SCALED_BIAS,
    "broken": BROKEN,
}
INTERNAL = {
    "kappa": "said as a hypothesis of part (b)",
    "s_star": r"the split of part (e) with $\rho$ put in",
    "step_size": r"the step of part (b) at $\kappa=\rho^2$",
    "root_kappa": "said as a hypothesis of part (d)",
    "broken": "the factor of part (l)",
}
NOTATION = dict(one.NOTATION)
