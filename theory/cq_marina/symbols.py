"""Symbols that several claims on correlated quantization share.

Arrays are `IndexedBase` with indices from 0; the names are those under which `verify.evaluation` takes
values.
"""

from sympy import IndexedBase, Symbol

from theory.old_form import Variable

n = Symbol("n", integer=True, positive=True)
d = Symbol("d", integer=True, positive=True)
i = Symbol("i", integer=True, nonnegative=True)
j = Symbol("j", integer=True, nonnegative=True)
k = Symbol("k", integer=True, nonnegative=True)
l = Symbol("l", integer=True, nonnegative=True)
p = Symbol("p", positive=True)
M = Symbol("M", nonnegative=True)
m = Symbol("m", nonnegative=True)
L_minus = Symbol("L_minus", positive=True)
L_plus = Symbol("L_plus", nonnegative=True)
L_pm = Symbol("L_pm", nonnegative=True)

y = IndexedBase("y", nonnegative=True)
c = IndexedBase("c", nonnegative=True)
a = IndexedBase("a", real=True)
w = IndexedBase("w", positive=True)

CLIENTS = Variable(n, r"\mathbb N", "number of clients")
DIMENSION = Variable(d, r"\mathbb N", "number of coordinates")
PROBABILITIES = Variable(y, r"[0,1]^n", r"probability $y_i$ that the bit of client $i$ is 1", "(n,)")
COEFFICIENTS = Variable(c, r"\mathbb R^n_{\ge0}", r"coefficients $c_i$ of the bits", "(n,)")
INPUTS = Variable(a, r"\mathbb R^{n\times d}", r"inputs $a_i$ of the clients", "(n, d)")
WEIGHTS = Variable(w, r"\mathbb R^n_{>0}", r"weights of the clients, $\sum_iw_i=1$", "(n,)")
MEAN_SQUARE = Variable(M, r"\mathbb R_{\ge0}", r"$M=\frac1n\sum_i\|a_i\|^2$")
SQUARED_MEAN = Variable(m, r"[0,M]", r"$m=\|\bar a\|^2$, $\bar a=\frac1n\sum_ia_i$")
PROBABILITY = Variable(p, r"(0,1]", "probability of a round with full gradients")
SMOOTHNESS = Variable(L_minus, r"\mathbb R_{>0}", r"$L_-$: Lipschitz constant of $\nabla f$")
MEAN_SMOOTHNESS = Variable(
    L_plus,
    r"\mathbb R_{\ge0}",
    r"$L_{+,w}$: $\frac1n\sum_i\frac{\|\Delta_i\|^2}{nw_i}\le L_{+,w}^2\|x-y\|^2$",
)
HESSIAN_VARIANCE = Variable(
    L_pm,
    r"\mathbb R_{\ge0}",
    r"$L_{\pm,w}$: the same with $\|\frac1n\sum_i\Delta_i\|^2$ taken off the left side",
)

STRATIFIED = (
    r"Stratified thresholds: $U_i=(\pi_i+u_i)/n$ with one uniformly random permutation $\pi$ of "
    r"$\{0,\dots,n-1\}$ and independent uniform $u_i\in[0,1)$."
)
EXACT_REALS = "Exact real arithmetic; floating-point checks allow a relative slack of 1e-9."
