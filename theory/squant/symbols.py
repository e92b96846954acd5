"""Symbols that several claims on smoothness-aware quantization share.

Vectors are `IndexedBase` with indices 0..d-1; the names are those under which `verify.evaluation` takes
values.
"""

from sympy import Abs, Expr, IndexedBase, Piecewise, Sum, Symbol, floor

from theory.old_form import Variable

d = Symbol("d", integer=True, positive=True)
n = Symbol("n", integer=True, positive=True)
B = Symbol("B", integer=True, positive=True)
i = Symbol("i", integer=True, nonnegative=True)
j = Symbol("j", integer=True, nonnegative=True)
l = Symbol("l", integer=True, nonnegative=True)
beta = Symbol("beta", positive=True)
tau = Symbol("tau", positive=True)

x = IndexedBase("x", real=True)
h = IndexedBase("h", positive=True)
L = IndexedBase("L", nonnegative=True)
N = IndexedBase("N", nonnegative=True)
u = IndexedBase("u", nonnegative=True)

DIMENSION = Variable(d, r"\mathbb N", "number of coordinates")
VECTOR = Variable(x, r"\mathbb R^d", "vector to be quantized", "(d,)")
STEPS = Variable(h, r"\mathbb R^d_{>0}", "quantization steps", "(d,)")
DIAGONAL = Variable(L, r"\mathbb R^d_{\ge0}", r"diagonal $L_j=\mathbf L_{jj}$ of the weight matrix", "(d,)")
BUDGET = Variable(beta, r"\mathbb R_{>0}", r"budget $\beta=\|h^{-1}\|_2$ (summed over blocks)")

QUANTIZER = (
    r"The quantizer: $u_j=|x_j|/(h_jN_{l(j)})$ with the Euclidean norm $N_l=\|x_{\mathcal B_l}\|_2$ of the "
    r"block of $j$, $\xi_j=\lfloor u_j\rfloor+\mathrm{Bernoulli}(\{u_j\})$ independent over $j$, "
    r"$Q(x)_j=N_l\,\mathrm{sign}(x_j)h_j\xi_j$; a block with $N_l=0$ is sent as zeros."
)
MATRIX = r"$\mathbf L$ is symmetric positive semidefinite; $L_j=\mathbf L_{jj}$."


def total(term: Expr) -> Sum:
    """Return the sum of a term in `j` over all coordinates."""
    return Sum(term, (j, 0, d - 1))


def level() -> Expr:
    """Return $u_j=|x_j|/(h_jN_j)$, zero where the norm $N_j$ of the block of `j` is zero."""
    return Piecewise((Abs(x[j]) / (h[j] * N[j]), N[j] > 0), (0, True))


def rounding_variance(value: Expr) -> Expr:
    r"""Return $\varphi(u)=\{u\}(1-\{u\})$, the variance of rounding `value` to a neighbouring integer."""
    fraction = value - floor(value)
    return fraction * (1 - fraction)
