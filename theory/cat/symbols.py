"""Symbols that several claims on adaptive tuning share.

Vectors are `IndexedBase` with indices from 0; the names are those under which `verify.evaluation` takes
values. `a` holds squares of the sorted magnitudes, largest first.
"""

from sympy import IndexedBase, Symbol

from theory.old_form import Variable

d = Symbol("d", integer=True, positive=True)
n = Symbol("n", integer=True, positive=True)
T = Symbol("T", integer=True, positive=True)
K = Symbol("K", integer=True, positive=True)
k = Symbol("k", integer=True, nonnegative=True)
j = Symbol("j", integer=True, nonnegative=True)
L = Symbol("L", positive=True)
mu = Symbol("mu", positive=True)
gamma = Symbol("gamma", nonnegative=True)
G = Symbol("G", nonnegative=True)
alpha = Symbol("alpha", nonnegative=True)
beta = Symbol("beta", nonnegative=True)
omega = Symbol("omega", positive=True)
epsilon = Symbol("epsilon", positive=True)
Delta_0 = Symbol("Delta_0", nonnegative=True)
delta = Symbol("delta", nonnegative=True)
R = Symbol("R", nonnegative=True)
c_0 = Symbol("c_0", nonnegative=True)
c_1 = Symbol("c_1", positive=True)
Sigma = Symbol("Sigma", positive=True)
e_bar = Symbol("e_bar", positive=True)
q = Symbol("q", nonnegative=True)

a = IndexedBase("a", nonnegative=True)
g = IndexedBase("g", real=True)

DIMENSION = Variable(d, r"\mathbb N", "number of coordinates")
NODES = Variable(n, r"\mathbb N", "number of nodes")
SIZE = Variable(T, r"\{1,\dots,d\}", "number of entries that are sent")
ITERATIONS = Variable(K, r"\mathbb N", "number of iterations")
SMOOTHNESS = Variable(L, r"\mathbb R_{>0}", r"smoothness constant of $F$")
CONVEXITY = Variable(mu, r"\mathbb R_{>0}", r"constant $\mu$ of the Polyak-Łojasiewicz inequality")
STEP_SIZE = Variable(gamma, r"\mathbb R_{\ge0}", "step size")
GRADIENT_NORM_SQ = Variable(G, r"\mathbb R_{\ge0}", r"$\|g\|^2$, $g=\nabla F(x)$")
SHARE = Variable(alpha, r"[0,1]", r"$\alpha(T)=A_T/\|g\|^2$, share of the T largest entries")
SIGN_SHARE = Variable(beta, r"[0,1]", r"$\beta(T)=S_T^2/(T\|g\|^2)$, $S_T$ the sum of the T largest $|g_j|$")
RANDOM_SHARE = Variable(omega, r"(0,1]", r"$\omega(p)=\|g\|^2/\sum_jg_j^2/p_j$")
ACCURACY = Variable(epsilon, r"\mathbb R_{>0}", "accuracy that is asked for")
INITIAL_GAP = Variable(Delta_0, r"\mathbb R_{\ge0}", r"$F(x_0)-F^\star$")
GAP = Variable(delta, r"\mathbb R_{\ge0}", r"$\delta=F(x)-F^\star$")
RADIUS = Variable(R, r"\mathbb R_{\ge0}", r"largest distance of the level set of $x_0$ to the solutions")
FIXED_COST = Variable(c_0, r"\mathbb R_{\ge0}", "cost of a message besides its entries")
ENTRY_COST = Variable(c_1, r"\mathbb R_{>0}", "cost of an entry")
TOTAL_SHARE = Variable(Sigma, r"\mathbb R_{>0}", r"$\Sigma_K=\sum_{k<K}\alpha_k$ of the run itself")
LEAST_EFFICIENCY = Variable(e_bar, r"\mathbb R_{>0}", r"lower bound of the efficiency along the run itself")
NOISE = Variable(q, r"\mathbb R_{\ge0}", r"bound on $1/\omega_i^k-1$ over all nodes and iterations")

SMOOTH = r"$F$ is $L$-smooth."
POLYAK = r"$\|\nabla F\|^2\ge2\mu(F-F^\star)$ (implied by $\mu$-strong convexity)."
TIES = "Among equal magnitudes the lowest indices are kept; a zero gradient sends nothing."
