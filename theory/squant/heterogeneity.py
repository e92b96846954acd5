"""Symbols that measure how much the smoothness matrices of the nodes differ (`squant/nu` and the gains)."""

from sympy import IndexedBase, Symbol

from theory.old_form import Variable

Lambda = IndexedBase("Lambda", positive=True)
largest = Symbol("L_max", positive=True)
smoothness = Symbol("L", positive=True)
mu = Symbol("mu", positive=True)
rho = Symbol("rho", positive=True)
nu = Symbol("nu", positive=True)
nu_B = Symbol("nu_B", positive=True)
nu_tr = Symbol("nu_tr", positive=True)

LARGEST = Variable(largest, r"\mathbb R_{>0}", r"$L_{\max}=\max_iL_i$, $L_i=\lambda_{\max}(\mathbf L_i)$")
SMOOTHNESS = Variable(smoothness, r"\mathbb R_{>0}", r"$L=\lambda_{\max}(\frac1n\sum_i\mathbf L_i)$")
CONVEXITY = Variable(mu, r"\mathbb R_{>0}", r"strong convexity constant of $f$")
NODES = r"$\mathbf L_1,\dots,\mathbf L_n$ are symmetric positive semidefinite and not all zero."
EQUAL_BLOCKS = r"The $d$ coordinates are in $B$ blocks of equal length $d/B$."
RATIO = Variable(rho, r"[1/n,1]", r"$\rho=L_{\max}/(nL)$: 1 where one node dominates")
BLOCK_NODES = Variable(
    nu_B,
    r"(0,B]",
    r"$\nu_B=\frac1{L_{\max}}\max_i\frac Bd\sum_l\sqrt{d/B}\,\|D_{i,ll}\|_F$ with the diagonal $D_i$ of "
    r"$\mathbf L_i$: heavy blocks of a node",
)
TRACE_NODES = Variable(
    nu_tr, r"(0,d]", r"$\nu_{\rm tr}=\max_i\mathrm{tr}\,\mathbf L_i/L_{\max}$: heavy coordinates of a node"
)
